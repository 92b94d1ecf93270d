/* The stop-watch of bench/run: everything that is timed to the microsecond is timed here, next to the system call, so
 * that no interpreter stands between. Times are CLOCK_MONOTONIC nanoseconds.
 *
 *   cc -O2 probe.c -o probe $(pkg-config --cflags --libs dbus-1)
 *
 *   probe start NAME PROGRAM [WORD…]  runs the program, prints "pid owned answered", ends it when standard input ends;
 *                                     with `tty` before the program it runs in a terminal nobody looks at
 *   probe turns COUNT NAME…           prints one line a turn: GetId of the bus, then Get PlaybackStatus of every name
 *   probe play NAME FILE SECONDS [URI]
 *                                     calls Play (or OpenUri), prints "answered sounded": when the call was answered and
 *                                     FILE grew
 *   probe signal NAME MEMBER PROPERTY COUNT
 *                                     calls MEMBER, prints "answered signalled" a try: when the call was answered and when
 *                                     PropertiesChanged with PROPERTY came
 *   probe burst NAME COUNT RATE       sends COUNT commands, RATE a second, without waiting for answers: 30 % Next, 25 %
 *                                     Previous, 25 % Seek by a second, 20 % PlayPause, the same order every time; prints
 *                                     "answered refused unanswered median p99 most": counts, then nanoseconds */
#define _GNU_SOURCE
#include <dbus/dbus.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PLAYER "org.mpris.MediaPlayer2.Player"
#define PLACE "/org/mpris/MediaPlayer2"

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void give_up(const char *why) {
    fprintf(stderr, "probe: %s\n", why);
    exit(1);
}

static DBusConnection *join(void) {
    DBusConnection *bus = dbus_bus_get_private(DBUS_BUS_SESSION, NULL);
    if (!bus) give_up("no session bus");
    dbus_connection_set_exit_on_disconnect(bus, FALSE);
    return bus;
}

static DBusMessage *get_status(const char *name) {
    const char *interface = PLAYER, *property = "PlaybackStatus";
    DBusMessage *call = dbus_message_new_method_call(name, PLACE, "org.freedesktop.DBus.Properties", "Get");
    dbus_message_append_args(call, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &property, DBUS_TYPE_INVALID);
    return call;
}

/* Sends, waits, and tells how long that took; the call is used up. */
static long long turn(DBusConnection *bus, DBusMessage *call) {
    DBusError error = DBUS_ERROR_INIT;
    long long begin = now();
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, call, 10000, &error);
    long long took = now() - begin;
    if (!reply) give_up(error.message);
    dbus_message_unref(reply);
    dbus_message_unref(call);
    return took;
}

static int turns(int count, char **names) {
    DBusConnection *bus = join();
    for (int i = -100; i < count; i++) { /* the first hundred only warm up */
        long long own = turn(bus, dbus_message_new_method_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS, "GetId"));
        if (i >= 0) printf("%lld", own);
        for (char **name = names; *name; name++) {
            long long took = turn(bus, get_status(*name));
            if (i >= 0) printf(" %lld", took);
        }
        if (i >= 0) printf("\n");
    }
    return 0;
}

/* A terminal of 80 by 24 whose screen a process of its own throws away; what the program in it opens. */
static const char *terminal(void) {
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) || unlockpt(master)) give_up("no terminal");
    struct winsize size = {24, 80, 0, 0};
    ioctl(master, TIOCSWINSZ, &size);
    pid_t mine = getpid();
    if (!fork()) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != mine) _exit(1);
        char screen[4096];
        for (;;) /* EIO while nobody has it open */
            if (read(master, screen, sizeof screen) <= 0) usleep(10000);
    }
    return ptsname(master);
}

static pid_t run(char **words) {
    const char *screen = NULL;
    if (!strcmp(words[0], "tty")) {
        screen = terminal();
        words++;
    }
    pid_t mine = getpid(), child = fork();
    if (child) return child;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != mine) _exit(1);
    if (screen) {
        int slave = open(screen, O_RDWR | O_NOCTTY);
        for (int i = 0; i < 3; i++) dup2(slave, i);
        if (slave > 2) close(slave);
        setenv("TERM", "xterm", 1);
    }
    execvp(words[0], words);
    _exit(127);
}

/* Waits for the program's name, without asking for it again and again: the bus tells. */
static void await_owner(DBusConnection *bus, const char *name, pid_t child) {
    for (long long end = now() + 30 * 1000000000LL;;) {
        DBusMessage *message;
        while (!(message = dbus_connection_pop_message(bus))) {
            if (!dbus_connection_read_write(bus, 200)) give_up("the bus is gone");
            if (waitpid(child, NULL, WNOHANG)) give_up("the program ended");
            if (now() > end) give_up("no name within 30 s");
        }
        const char *which = "";
        bool ours = dbus_message_is_signal(message, DBUS_INTERFACE_DBUS, "NameOwnerChanged")
            && dbus_message_get_args(message, NULL, DBUS_TYPE_STRING, &which, DBUS_TYPE_INVALID) && !strcmp(which, name);
        dbus_message_unref(message);
        if (ours) return;
    }
}

static int start(const char *name, char **words) {
    DBusConnection *bus = join();
    char rule[300];
    snprintf(rule, sizeof rule, "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='%s'", name);
    dbus_bus_add_match(bus, rule, NULL);
    dbus_connection_flush(bus);
    long long begin = now();
    pid_t child = run(words);
    await_owner(bus, name, child);
    long long owned = now() - begin;
    turn(bus, get_status(name));
    printf("%d %lld %lld\n", child, owned, now() - begin);
    fflush(stdout);
    char byte;
    while (read(0, &byte, 1) > 0 || (errno == EINTR)) {}
    kill(-child, SIGTERM);
    for (int i = 0; i < 300; i++) {
        if (waitpid(child, NULL, WNOHANG) == child) return 0;
        usleep(10000);
    }
    kill(-child, SIGKILL);
    waitpid(child, NULL, 0);
    return 3; /* it did not stop when asked */
}

/* Bytes of a file; a pipe that was written to has some. */
static off_t size_of(const char *path) {
    struct stat state;
    return stat(path, &state) ? 0 : S_ISFIFO(state.st_mode) ? 1 : state.st_size;
}

static int play(const char *name, const char *path, int seconds, const char *address) {
    DBusConnection *bus = join();
    close(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK, 0644));
    int changes = inotify_init1(IN_NONBLOCK);
    if (inotify_add_watch(changes, path, IN_MODIFY) < 0) give_up("no watch");
    DBusMessage *call = dbus_message_new_method_call(name, PLACE, PLAYER, address ? "OpenUri" : "Play");
    if (address) dbus_message_append_args(call, DBUS_TYPE_STRING, &address, DBUS_TYPE_INVALID);
    DBusPendingCall *pending = NULL;
    int socket = -1;
    dbus_connection_get_unix_fd(bus, &socket);
    long long begin = now(), answered = 0, sounded = 0;
    dbus_connection_send_with_reply(bus, call, &pending, seconds * 1000);
    dbus_connection_flush(bus);
    while ((!answered || !sounded) && now() - begin < seconds * 1000000000LL) {
        struct pollfd ready[2] = {{socket, POLLIN, 0}, {changes, POLLIN, 0}};
        poll(ready, 2, 100);
        if (ready[1].revents && !sounded && size_of(path) > 0) sounded = now() - begin;
        if (ready[1].revents) {
            char events[4096];
            while (read(changes, events, sizeof events) > 0) {}
        }
        if (ready[0].revents) dbus_connection_read_write(bus, 0);
        while (dbus_connection_dispatch(bus) == DBUS_DISPATCH_DATA_REMAINS) {} /* one read may bring several messages */
        if (!answered && dbus_pending_call_get_completed(pending)) answered = now() - begin;
    }
    if (!sounded) give_up("no sound");
    printf("%lld %lld\n", answered, sounded);
    return 0;
}

/* Whether a PropertiesChanged names a property among the changed ones. */
static bool names(DBusMessage *message, const char *property) {
    DBusMessageIter arguments, changed, entry;
    if (!dbus_message_has_signature(message, "sa{sv}as") || !dbus_message_iter_init(message, &arguments)) return false;
    dbus_message_iter_next(&arguments);
    dbus_message_iter_recurse(&arguments, &changed);
    for (; dbus_message_iter_get_arg_type(&changed) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&changed)) {
        const char *key;
        dbus_message_iter_recurse(&changed, &entry);
        dbus_message_iter_get_basic(&entry, &key);
        if (!strcmp(key, property)) return true;
    }
    return false;
}

/* Reads for so many milliseconds, or until the property was told; when it was, or 0. */
static long long await_change(DBusConnection *bus, const char *property, dbus_uint32_t serial, long long *answered, int milliseconds) {
    long long end = now() + milliseconds * 1000000LL;
    int socket = -1;
    dbus_connection_get_unix_fd(bus, &socket);
    for (long long told = 0; now() < end; ) {
        struct pollfd ready = {socket, POLLIN, 0};
        poll(&ready, 1, (int)((end - now()) / 1000000) + 1);
        dbus_connection_read_write(bus, 0);
        long long moment = now();
        DBusMessage *message;
        while ((message = dbus_connection_pop_message(bus))) {
            if (!told && dbus_message_is_signal(message, "org.freedesktop.DBus.Properties", "PropertiesChanged") && names(message, property)) told = moment;
            if (serial && dbus_message_get_reply_serial(message) == serial) *answered = moment;
            dbus_message_unref(message);
        }
        if (told && (!serial || *answered)) return told;
    }
    return 0;
}

static int signal_after(const char *name, const char *member, const char *property, int count) {
    DBusConnection *bus = join();
    char rule[400];
    snprintf(rule, sizeof rule, "type='signal',sender='%s',path='%s',member='PropertiesChanged'", name, PLACE);
    dbus_bus_add_match(bus, rule, NULL);
    for (int i = 0; i < count; i++) {
        long long nothing = 0;
        await_change(bus, "", 0, &nothing, 400); /* what is still on its way belongs to the try before */
        DBusMessage *call = dbus_message_new_method_call(name, PLACE, PLAYER, member);
        dbus_uint32_t serial = 0;
        long long begin = now(), answered = 0;
        dbus_connection_send(bus, call, &serial);
        dbus_connection_flush(bus);
        long long told = await_change(bus, property, serial, &answered, 5000);
        if (!told) give_up("no signal within five seconds");
        printf("%lld %lld\n", answered - begin, told - begin);
        dbus_message_unref(call);
    }
    return 0;
}

/* The same walk over the commands for everybody. */
static DBusMessage *command(const char *name, unsigned *walk) {
    *walk = *walk * 1664525u + 1013904223u;
    unsigned dice = (*walk >> 16) % 100;
    const char *member = dice < 30 ? "Next" : dice < 55 ? "Previous" : dice < 80 ? "Seek" : "PlayPause";
    DBusMessage *call = dbus_message_new_method_call(name, PLACE, PLAYER, member);
    dbus_int64_t second = 1000000;
    if (!strcmp(member, "Seek")) dbus_message_append_args(call, DBUS_TYPE_INT64, &second, DBUS_TYPE_INVALID);
    return call;
}

static int by_size(const void *one, const void *other) {
    long long a = *(const long long *)one, b = *(const long long *)other;
    return (a > b) - (a < b);
}

static int burst(const char *name, int count, int rate) {
    DBusConnection *bus = join();
    long long *sent = calloc(count, sizeof *sent), *took = calloc(count, sizeof *took);
    int socket = -1, done = 0, good = 0, refused = 0;
    dbus_connection_get_unix_fd(bus, &socket);
    dbus_uint32_t first = 0;
    unsigned walk = 1;
    long long begin = now(), end = 0;
    while (good + refused < count && (!end || now() < end)) {
        while (done < count && now() - begin >= done * 1000000000LL / rate) {
            DBusMessage *call = command(name, &walk);
            dbus_uint32_t serial = 0;
            sent[done] = now();
            dbus_connection_send(bus, call, &serial);
            dbus_message_unref(call);
            if (!done++) first = serial;
        }
        dbus_connection_flush(bus);
        if (done == count && !end) end = now() + 10 * 1000000000LL;
        struct pollfd ready = {socket, POLLIN, 0};
        poll(&ready, 1, 1);
        if (!dbus_connection_read_write(bus, 0)) give_up("the bus is gone");
        long long moment = now();
        DBusMessage *message;
        while ((message = dbus_connection_pop_message(bus))) {
            dbus_uint32_t serial = dbus_message_get_reply_serial(message);
            if (serial >= first && serial < first + (dbus_uint32_t)done) {
                took[good + refused] = moment - sent[serial - first];
                if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_ERROR) refused++;
                else good++;
            }
            dbus_message_unref(message);
        }
    }
    int all = good + refused;
    qsort(took, all, sizeof *took, by_size);
    printf("%d %d %d %lld %lld %lld\n", good, refused, count - all, all ? took[all / 2] : 0, all ? took[all * 99 / 100] : 0,
        all ? took[all - 1] : 0);
    return 0;
}

int main(int count, char **words) {
    if (count >= 4 && !strcmp(words[1], "start")) return start(words[2], words + 3);
    if (count >= 3 && !strcmp(words[1], "turns")) return turns(atoi(words[2]), words + 3);
    if ((count == 5 || count == 6) && !strcmp(words[1], "play")) return play(words[2], words[3], atoi(words[4]), words[5]);
    if (count == 6 && !strcmp(words[1], "signal")) return signal_after(words[2], words[3], words[4], atoi(words[5]));
    if (count == 5 && !strcmp(words[1], "burst")) return burst(words[2], atoi(words[3]), atoi(words[4]));
    give_up("start NAME PROGRAM…, turns COUNT NAME…, play NAME FILE SECONDS [URI], signal NAME MEMBER PROPERTY COUNT, burst NAME COUNT RATE");
}
