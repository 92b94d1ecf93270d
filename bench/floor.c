/* The floor: the least program that is an MPRIS player, to show what D-Bus and GStreamer themselves cost.
 * Not a product. It knows PlaybackStatus, Play, Pause, Stop and OpenUri (which only names the sound), has no queue, no
 * store and no network of its own.
 *
 *   cc -O2 floor.c -o floor      $(pkg-config --cflags --libs dbus-1 gstreamer-1.0)    playbin3 and libdbus
 *   cc -O2 -DSILENT floor.c …    $(pkg-config --cflags --libs dbus-1)                  libdbus alone
 *
 * floor NAME [SINK]: NAME is the bus name to own, SINK a gst-launch description. */
#include <dbus/dbus.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#ifndef SILENT
#include <gst/gst.h>
static GstElement *player;
#endif

static const char *status = "Stopped";

static void become(const char *wish) {
    status = wish;
#ifndef SILENT
    GstState state = !strcmp(wish, "Playing") ? GST_STATE_PLAYING : !strcmp(wish, "Paused") ? GST_STATE_PAUSED : GST_STATE_READY;
    gst_element_set_state(player, state);
#endif
}

static void name_sound(DBusMessage *call) {
    const char *address = NULL;
    if (!dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &address, DBUS_TYPE_INVALID)) return;
    become("Stopped");
#ifndef SILENT
    g_object_set(player, "uri", address, NULL);
#endif
}

static DBusMessage *answer_get(DBusMessage *call) {
    const char *interface = NULL, *property = NULL;
    bool good = dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &property, DBUS_TYPE_INVALID);
    if (!good || strcmp(property, "PlaybackStatus")) return dbus_message_new_error(call, DBUS_ERROR_UNKNOWN_PROPERTY, "no");
    DBusMessage *reply = dbus_message_new_method_return(call);
    DBusMessageIter body, value;
    dbus_message_iter_init_append(reply, &body);
    dbus_message_iter_open_container(&body, DBUS_TYPE_VARIANT, "s", &value);
    dbus_message_iter_append_basic(&value, DBUS_TYPE_STRING, &status);
    dbus_message_iter_close_container(&body, &value);
    return reply;
}

static DBusHandlerResult called(DBusConnection *bus, DBusMessage *call, void *unused) {
    (void)unused;
    const char *member = dbus_message_get_member(call);
    if (dbus_message_get_type(call) != DBUS_MESSAGE_TYPE_METHOD_CALL) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    DBusMessage *reply = NULL;
    if (!strcmp(member, "Get")) reply = answer_get(call);
    else if (!strcmp(member, "OpenUri")) name_sound(call);
    else if (!strcmp(member, "Play")) become("Playing");
    else if (!strcmp(member, "Pause")) become("Paused");
    else if (!strcmp(member, "Stop")) become("Stopped");
    else return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    if (!reply) reply = dbus_message_new_method_return(call);
    dbus_connection_send(bus, reply, NULL);
    dbus_message_unref(reply);
    return DBUS_HANDLER_RESULT_HANDLED;
}

int main(int count, char **words) {
    if (count < 2) return 2;
#ifndef SILENT
    gst_init(NULL, NULL);
    player = gst_element_factory_make("playbin3", NULL);
    GstElement *sink = gst_parse_bin_from_description(count > 2 ? words[2] : "fakesink sync=true", TRUE, NULL);
    if (!player || !sink) return 1;
    g_object_set(player, "audio-sink", sink, "flags", 0x12, NULL); /* audio, soft volume */
#endif
    DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
    if (!bus || !dbus_connection_add_filter(bus, called, NULL, NULL)) return 1;
    if (dbus_bus_request_name(bus, words[1], DBUS_NAME_FLAG_DO_NOT_QUEUE, NULL) != DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) return 1;
    while (dbus_connection_read_write_dispatch(bus, -1)) {}
    return 0;
}
