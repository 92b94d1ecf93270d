// The door to GStreamer: fixed-arity shims for variadics and cast macros. Objects are `void *` here so that Swift need
// not repeat GObject's class tree.
#pragma once
#include <gst/gst.h>
#include <gst/app/gstappsrc.h>
#include <gst/audio/audio.h>

static inline void cgst_set_string(void *object, const char *name, const char *value) {
    g_object_set(object, name, value, NULL);
}
static inline void cgst_set_object(void *object, const char *name, void *value) {
    g_object_set(object, name, value, NULL);
}
static inline void cgst_set_int(void *object, const char *name, gint value) { g_object_set(object, name, value, NULL); }
static inline void cgst_set_int64(void *object, const char *name, gint64 value) {
    g_object_set(object, name, value, NULL);
}
static inline void cgst_set_double(void *object, const char *name, gdouble value) {
    g_object_set(object, name, value, NULL);
}
static inline gdouble cgst_get_double(void *object, const char *name) {
    gdouble value = 0;
    g_object_get(object, name, &value, NULL);
    return value;
}

// Gives a stream properties for the sound server: what it is and whose.
static inline void cgst_set_stream_properties(void *sink, const char *application, const char *icon) {
    GstStructure *properties = gst_structure_new(
        "props", "media.role", G_TYPE_STRING, "music", "application.name", G_TYPE_STRING, application,
        "application.icon_name", G_TYPE_STRING, icon, NULL);
    g_object_set(sink, "stream-properties", properties, NULL);
    gst_structure_free(properties);
}

static inline gboolean cgst_is_bin(void *object) { return GST_IS_BIN(object); }
static inline gboolean cgst_is_sink(void *object) { return GST_OBJECT_FLAG_IS_SET(object, GST_ELEMENT_FLAG_SINK); }
static inline gboolean cgst_is_stream_volume(void *object) { return GST_IS_STREAM_VOLUME(object); }
static inline gboolean cgst_has_ancestor(void *object, void *ancestor) {
    return gst_object_has_as_ancestor(GST_OBJECT(object), GST_OBJECT(ancestor));
}
// The first element inside that has a stream volume; owned by the caller.
static inline void *cgst_stream_volume_in(void *bin) {
    return gst_bin_get_by_interface(GST_BIN(bin), GST_TYPE_STREAM_VOLUME);
}
// The URI an element was made for; owned by the caller (g_free).
static inline char *cgst_uri_of(void *element) {
    return GST_IS_URI_HANDLER(element) ? gst_uri_handler_get_uri(GST_URI_HANDLER(element)) : NULL;
}

static inline gboolean cgst_is_audio_decoder(void *element) {
    GstElementFactory *factory = gst_element_get_factory(GST_ELEMENT(element));
    const GstElementFactoryListType kind =
        GST_ELEMENT_FACTORY_TYPE_DECODER | GST_ELEMENT_FACTORY_TYPE_MEDIA_AUDIO;
    return factory && gst_element_factory_list_is_type(factory, kind);
}
static inline gint cgst_references(void *object) { return g_atomic_int_get(&G_OBJECT(object)->ref_count); }
// Ends an element and takes it out of its bin.
static inline void cgst_take_out(void *element) {
    GstObject *parent = gst_object_get_parent(GST_OBJECT(element));
    if (!parent) return;
    gst_element_set_state(GST_ELEMENT(element), GST_STATE_NULL);
    gst_bin_remove(GST_BIN(parent), GST_ELEMENT(element));
    gst_object_unref(parent);
}
static inline gboolean cgst_is_made_by(void *element, const char *name) {
    GstElementFactory *factory = gst_element_get_factory(GST_ELEMENT(element));
    return factory && g_str_equal(GST_OBJECT_NAME(factory), name);
}
// An `identity` that decodebin3 put into itself.
static inline gboolean cgst_is_input_identity(void *element) {
    GstObject *parent = GST_OBJECT_PARENT(element);
    return parent && GST_IS_ELEMENT(parent) && cgst_is_made_by(element, "identity") &&
           cgst_is_made_by(parent, "decodebin3");
}
// The bin two levels above a pad's element; owned by the caller, NULL if there is none.
static inline void *cgst_roof(void *pad) {
    GstObject *at = gst_object_get_parent(GST_OBJECT(pad));
    for (int level = 0; at && level < 2; level++) {
        GstObject *above = gst_object_get_parent(at);
        gst_object_unref(at);
        at = above;
    }
    return at;
}

static inline GstMessageType cgst_message_type(GstMessage *message) { return GST_MESSAGE_TYPE(message); }
static inline GstEventType cgst_event_type(GstEvent *event) { return GST_EVENT_TYPE(event); }

// One of the four error domains of GStreamer: 1 core, 2 library, 3 resource, 4 stream, 0 none of them.
static inline int cgst_error_domain(const GError *error) {
    if (error->domain == GST_CORE_ERROR) return 1;
    if (error->domain == GST_LIBRARY_ERROR) return 2;
    if (error->domain == GST_RESOURCE_ERROR) return 3;
    if (error->domain == GST_STREAM_ERROR) return 4;
    return 0;
}
