// The door to libsecret: its variadic calls for our secrets, told apart by `kind`. Blocking; never prompts the person to unlock anything.
#pragma once
// The function that wraps a secret for the session is in a header of its own.
#define SECRET_API_SUBJECT_TO_CHANGE 1
#include <libsecret/secret.h>

enum nyan_secret_answer {
    NYAN_SECRET_OK,
    /// There is no such secret.
    NYAN_SECRET_NONE,
    /// It is there, or would go there, but the keyring is locked.
    NYAN_SECRET_LOCKED,
    /// The service has no default keyring to put it in.
    NYAN_SECRET_NO_KEYRING,
    /// The service wants to ask the person something first; that was not let happen.
    NYAN_SECRET_ASKS,
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

// Whether the service was there and ended in the middle of a call.
static inline gboolean nyan_secret_died(const GError *error) {
    return g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY);
}

// Whether there is no service at all, rather than one that refuses.
static inline gboolean nyan_secret_absent(const GError *error) {
    // Answers of another shape than agreed are somebody's all the same.
    if (error && (error->domain == SECRET_ERROR || g_error_matches(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT) ||
                  g_error_matches(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA)))
        return FALSE;
    return !error || error->domain != G_DBUS_ERROR || g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN) ||
           g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER) ||
           g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_EXEC_FAILED) ||
           g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_CHILD_EXITED) ||
           g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_CHILD_SIGNALED) ||
           g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_FAILED) ||
           g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND) ||
           g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NO_SERVER) ||
           g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_DISCONNECTED);
}

// The items of one kind of our schema, as a list of SecretItem to be freed with unreferenced items.
static inline GList *nyan_secret_items(const char *kind, GCancellable *cancellable, GError **error) {
    GHashTable *attributes = secret_attributes_build(nyan_secret_schema(), "kind", kind, NULL);
    GList *items = secret_service_search_sync(
        NULL, nyan_secret_schema(), attributes, (SecretSearchFlags)(SECRET_SEARCH_ALL | SECRET_SEARCH_LOAD_SECRETS),
        cancellable, error);
    g_hash_table_unref(attributes);
    return items;
}

// What nyand keeps there has some thousand bytes; a longer secret is nobody's it knows, and comes back as an empty one.
#define NYAN_LONGEST_SECRET (1 << 20)

// `secret` is freed with g_free.
static inline enum nyan_secret_answer nyan_secret_load(
    const char *kind, char **secret, GCancellable *cancellable, GError **error) {
    enum nyan_secret_answer answer = NYAN_SECRET_NONE;
    GList *items = nyan_secret_items(kind, cancellable, error);
    if (*error) return NYAN_SECRET_FAILED;
    for (GList *place = items; place && answer != NYAN_SECRET_OK; place = place->next) {
        SecretValue *value = secret_item_get_secret((SecretItem *)place->data);
        if (!value) {
            answer = NYAN_SECRET_LOCKED;
            continue;
        }
        gsize length = 0;
        const gchar *bytes = secret_value_get(value, &length);
        *secret = g_strndup(bytes, length <= NYAN_LONGEST_SECRET ? length : 0);
        answer = NYAN_SECRET_OK;
        secret_value_unref(value);
    }
    g_list_free_full(items, g_object_unref);
    return answer;
}

// One call of the service whose answer has this shape and ends with the path of a prompt, or "/" where it was done. An
// answer of another shape is none: what it means nobody knows, and a login that is nowhere would be counted as kept.
// libsecret's own calls would carry the prompt out and wait for the person, for ever and uncancellably: it is dismissed
// instead.
static inline enum nyan_secret_answer nyan_secret_call(
    GDBusConnection *bus, const char *path, const char *interface, const char *method, GVariant *arguments,
    const GVariantType *shape, GCancellable *cancellable, GError **error) {
    GVariant *reply = g_dbus_connection_call_sync(
        bus, "org.freedesktop.secrets", path, interface, method, arguments, shape, G_DBUS_CALL_FLAGS_NO_AUTO_START, -1,
        cancellable, error);
    if (!reply) return NYAN_SECRET_FAILED;
    const char *prompt = "/";
    gsize count = g_variant_n_children(reply);
    GVariant *last = count ? g_variant_get_child_value(reply, count - 1) : NULL;
    if (last && g_variant_is_of_type(last, G_VARIANT_TYPE_OBJECT_PATH)) prompt = g_variant_get_string(last, NULL);
    enum nyan_secret_answer answer = NYAN_SECRET_OK;
    if (g_strcmp0(prompt, "/") != 0) {
        answer = NYAN_SECRET_ASKS;
        g_dbus_connection_call(
            bus, "org.freedesktop.secrets", prompt, "org.freedesktop.Secret.Prompt", "Dismiss", NULL, NULL,
            G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL, NULL);
    }
    if (last) g_variant_unref(last);
    g_variant_unref(reply);
    return answer;
}

static inline enum nyan_secret_answer nyan_secret_save(
    GDBusConnection *bus, const char *kind, const char *label, const char *secret, GCancellable *cancellable, GError **error) {
    SecretService *service = secret_service_get_sync(SECRET_SERVICE_OPEN_SESSION, cancellable, error);
    if (!service) return NYAN_SECRET_FAILED;
    enum nyan_secret_answer answer = NYAN_SECRET_FAILED;
    SecretCollection *keyring = secret_collection_for_alias_sync(
        service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, cancellable, error);
    if (!keyring) {
        if (!*error) answer = NYAN_SECRET_NO_KEYRING;
    } else if (secret_collection_get_locked(keyring)) {
        answer = NYAN_SECRET_LOCKED;
    } else {
        GVariantBuilder attributes, properties;
        g_variant_builder_init(&attributes, G_VARIANT_TYPE("a{ss}"));
        g_variant_builder_add(&attributes, "{ss}", "kind", kind);
        g_variant_builder_add(&attributes, "{ss}", "xdg:schema", nyan_secret_schema()->name);
        g_variant_builder_init(&properties, G_VARIANT_TYPE("a{sv}"));
        g_variant_builder_add(
            &properties, "{sv}", "org.freedesktop.Secret.Item.Label", g_variant_new_string(label));
        g_variant_builder_add(
            &properties, "{sv}", "org.freedesktop.Secret.Item.Attributes", g_variant_builder_end(&attributes));
        SecretValue *value = secret_value_new(secret, -1, "text/plain");
        GVariant *arguments = g_variant_new(
            "(@a{sv}@(oayays)b)", g_variant_builder_end(&properties),
            secret_service_encode_dbus_secret(service, value), TRUE);
        answer = nyan_secret_call(
            bus, g_dbus_proxy_get_object_path((GDBusProxy *)keyring), "org.freedesktop.Secret.Collection", "CreateItem",
            arguments, G_VARIANT_TYPE("(oo)"), cancellable, error);
        secret_value_unref(value);
    }
    g_clear_object(&keyring);
    g_object_unref(service);
    return answer;
}

static inline enum nyan_secret_answer nyan_secret_erase(
    GDBusConnection *bus, const char *kind, GCancellable *cancellable, GError **error) {
    GList *items = nyan_secret_items(kind, cancellable, error);
    if (*error) return NYAN_SECRET_FAILED;
    enum nyan_secret_answer answer = items ? NYAN_SECRET_OK : NYAN_SECRET_NONE;
    for (GList *place = items; place; place = place->next) {
        SecretItem *item = (SecretItem *)place->data;
        enum nyan_secret_answer one =
            secret_item_get_locked(item)
                ? NYAN_SECRET_LOCKED
                : nyan_secret_call(
                      bus, g_dbus_proxy_get_object_path((GDBusProxy *)item), "org.freedesktop.Secret.Item", "Delete",
                      NULL, G_VARIANT_TYPE("(o)"), cancellable, *error ? NULL : error);
        if (one != NYAN_SECRET_OK && answer != NYAN_SECRET_FAILED) answer = one;
    }
    g_list_free_full(items, g_object_unref);
    return answer;
}
