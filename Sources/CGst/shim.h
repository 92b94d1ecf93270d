// The door to GStreamer: fixed-arity shims for variadics and cast macros. Objects are `void *` here so that Swift need
// not repeat GObject's class tree.
#pragma once
#include <gst/gst.h>
#include <gst/app/gstappsrc.h>
#include <gst/audio/audio.h>

static inline void cgst_set_string(void *object, const char *name, const char *value) {
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

// A string property; owned by the caller (g_free), NULL if there is none.
static inline char *cgst_get_string(void *object, const char *name) {
    gchar *value = NULL;
    g_object_get(object, name, &value, NULL);
    return value;
}
static inline gboolean cgst_has_property(void *object, const char *name) {
    return g_object_class_find_property(G_OBJECT_GET_CLASS(object), name) != NULL;
}

// Gives a stream properties for the sound server: what it is and whose.
static inline void cgst_set_stream_properties(void *sink, const char *application, const char *icon) {
    GstStructure *properties = gst_structure_new(
        "props", "media.role", G_TYPE_STRING, "music", "application.name", G_TYPE_STRING, application,
        "application.icon_name", G_TYPE_STRING, icon, NULL);
    g_object_set(sink, "stream-properties", properties, NULL);
    gst_structure_free(properties);
}

static inline GstBin *cgst_bin(void *object) { return GST_BIN(object); }

static inline void cgst_unlock_state(const GValue *element, gpointer unused) {
    (void)unused;
    gst_element_set_locked_state(GST_ELEMENT(g_value_get_object(element)), FALSE);
}
// To NULL with all that is in it, also the parts that are kept out of its state changes: an element that is freed while
// it runs takes the process with it.
static inline void cgst_end(void *bin) {
    GstIterator *parts = gst_bin_iterate_elements(GST_BIN(bin));
    while (gst_iterator_foreach(parts, cgst_unlock_state, NULL) == GST_ITERATOR_RESYNC) gst_iterator_resync(parts);
    gst_iterator_free(parts);
    gst_element_set_state(GST_ELEMENT(bin), GST_STATE_NULL);
}
// An object property; owned by the caller, NULL if there is none.
static inline void *cgst_get_object(void *object, const char *name) {
    void *value = NULL;
    g_object_get(object, name, &value, NULL);
    return value;
}
// Links two elements that have one pad each on that side, asking neither for its formats: a sink would ask its server.
static inline gboolean cgst_link(void *from, void *to) {
    GstPad *source = gst_element_get_static_pad(GST_ELEMENT(from), "src");
    GstPad *sink = gst_element_get_static_pad(GST_ELEMENT(to), "sink");
    gboolean linked = source && sink && gst_pad_link_full(source, sink, GST_PAD_LINK_CHECK_NOTHING) == GST_PAD_LINK_OK;
    if (source) gst_object_unref(source);
    if (sink) gst_object_unref(sink);
    return linked;
}
// The caps property of a capsfilter.
static inline void cgst_set_caps(void *filter, const char *description) {
    GstCaps *caps = gst_caps_from_string(description);
    g_object_set(filter, "caps", caps, NULL);
    gst_caps_unref(caps);
}
// Makes decodebin show sound only, decoded.
static inline void cgst_set_raw_audio_only(void *decodebin) {
    GstCaps *caps = gst_caps_from_string("audio/x-raw");
    g_object_set(decodebin, "caps", caps, "expose-all-streams", FALSE, NULL);
    gst_caps_unref(caps);
}

static inline gboolean cgst_is_sink(void *object) { return GST_OBJECT_FLAG_IS_SET(object, GST_ELEMENT_FLAG_SINK); }
static inline gboolean cgst_has_ancestor(void *object, void *ancestor) {
    return gst_object_has_as_ancestor(GST_OBJECT(object), GST_OBJECT(ancestor));
}
// The first element inside that has a stream volume; owned by the caller.
static inline void *cgst_stream_volume_in(void *bin) {
    return gst_bin_get_by_interface(GST_BIN(bin), GST_TYPE_STREAM_VOLUME);
}
static inline gboolean cgst_is_audio_decoder(void *element) {
    GstElementFactory *factory = gst_element_get_factory(GST_ELEMENT(element));
    const GstElementFactoryListType kind =
        GST_ELEMENT_FACTORY_TYPE_DECODER | GST_ELEMENT_FACTORY_TYPE_MEDIA_AUDIO;
    return factory && gst_element_factory_list_is_type(factory, kind);
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
