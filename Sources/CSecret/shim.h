// The door to libsecret: its variadic calls for our one secret. Blocking; never prompts the person to unlock anything.
#pragma once
#include <libsecret/secret.h>

enum nyan_secret_answer {
    NYAN_SECRET_OK,
    /// There is no such secret.
    NYAN_SECRET_NONE,
    /// It is there, or would go there, but the keyring is locked.
    NYAN_SECRET_LOCKED,
    /// The service has no default keyring to put it in.
    NYAN_SECRET_NO_KEYRING,
    /// The service wanted to ask the person something, and the person closed the window.
    NYAN_SECRET_DISMISSED,
    /// See the GError, which may be NULL.
    NYAN_SECRET_FAILED
};

static inline const SecretSchema *nyan_secret_schema(void) {
    static const SecretSchema schema = {
        "org.nyantunes.Nyand", SECRET_SCHEMA_NONE, {{"kind", SECRET_SCHEMA_ATTRIBUTE_STRING}}};
    return &schema;
}

// Losing the session bus is the daemon's own matter: GLib would otherwise end the process by itself. The connection is
// shared and goes with its last user, so this is said before each piece of work. NULL and an error without a bus.
static inline GDBusConnection *nyan_secret_bus(GCancellable *cancellable, GError **error) {
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, cancellable, error);
    if (bus) g_dbus_connection_set_exit_on_close(bus, FALSE);
    return bus;
}

// The items of our schema, as a list of SecretItem to be freed with unreferenced items.
static inline GList *nyan_secret_items(GCancellable *cancellable, GError **error) {
    GHashTable *attributes = secret_attributes_build(nyan_secret_schema(), "kind", "account", NULL);
    GList *items = secret_service_search_sync(
        NULL, nyan_secret_schema(), attributes, (SecretSearchFlags)(SECRET_SEARCH_ALL | SECRET_SEARCH_LOAD_SECRETS),
        cancellable, error);
    g_hash_table_unref(attributes);
    return items;
}

// `secret` is freed with g_free.
static inline enum nyan_secret_answer nyan_secret_load(char **secret, GCancellable *cancellable, GError **error) {
    enum nyan_secret_answer answer = NYAN_SECRET_NONE;
    GList *items = nyan_secret_items(cancellable, error);
    if (*error) return NYAN_SECRET_FAILED;
    for (GList *place = items; place && answer != NYAN_SECRET_OK; place = place->next) {
        SecretValue *value = secret_item_get_secret((SecretItem *)place->data);
        if (!value) {
            answer = NYAN_SECRET_LOCKED;
            continue;
        }
        gsize length = 0;
        const gchar *bytes = secret_value_get(value, &length);
        *secret = g_strndup(bytes, length);
        answer = NYAN_SECRET_OK;
        secret_value_unref(value);
    }
    g_list_free_full(items, g_object_unref);
    return answer;
}

static inline enum nyan_secret_answer nyan_secret_save(const char *secret, GCancellable *cancellable, GError **error) {
    SecretService *service = secret_service_get_sync(SECRET_SERVICE_OPEN_SESSION, cancellable, error);
    if (!service) return NYAN_SECRET_FAILED;
    SecretCollection *keyring = secret_collection_for_alias_sync(
        service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, cancellable, error);
    g_object_unref(service);
    if (!keyring) return *error ? NYAN_SECRET_FAILED : NYAN_SECRET_NO_KEYRING;
    gboolean is_locked = secret_collection_get_locked(keyring);
    g_object_unref(keyring);
    if (is_locked) return NYAN_SECRET_LOCKED;
    gboolean is_done = secret_password_store_sync(
        nyan_secret_schema(), SECRET_COLLECTION_DEFAULT, "Nyan Tunes account", secret, cancellable, error, "kind",
        "account", NULL);
    return is_done ? NYAN_SECRET_OK : *error ? NYAN_SECRET_FAILED : NYAN_SECRET_DISMISSED;
}

static inline enum nyan_secret_answer nyan_secret_erase(GCancellable *cancellable, GError **error) {
    GList *items = nyan_secret_items(cancellable, error);
    if (*error) return NYAN_SECRET_FAILED;
    enum nyan_secret_answer answer = items ? NYAN_SECRET_OK : NYAN_SECRET_NONE;
    for (GList *place = items; place; place = place->next) {
        SecretItem *item = (SecretItem *)place->data;
        if (secret_item_get_locked(item)) {
            if (answer == NYAN_SECRET_OK) answer = NYAN_SECRET_LOCKED;
        } else if (!secret_item_delete_sync(item, cancellable, *error ? NULL : error)) {
            answer = NYAN_SECRET_FAILED;
        }
    }
    g_list_free_full(items, g_object_unref);
    return answer;
}
