#define _GNU_SOURCE
#include "curses_restore.h"
#include "ccurses.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char farewell[512];
static size_t farewell_count;
static struct termios settings_before;
// 1 while the terminal is not the user's; whoever swaps it for 0 restores.
static int taken;

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGALRM};
enum { CRASHES = sizeof crashes / sizeof crashes[0] };
static struct sigaction crash_before[CRASHES];

void restore_prepare(const char *bytes, const struct termios *settings) {
    // Longer than any terminal's; what did not fit would be half a sequence.
    size_t count = strlen(bytes);
    if (count > sizeof farewell) count = 0;
    memcpy(farewell, bytes, count);
    farewell_count = count;
    settings_before = *settings;
    __atomic_store_n(&taken, 1, __ATOMIC_SEQ_CST);
}

void restore_done(void) { __atomic_store_n(&taken, 0, __ATOMIC_SEQ_CST); }

void restore_write(const char *bytes, size_t count) {
    while (count > 0) {
        // A terminal that reads no more must not keep a dying program.
        struct pollfd ready = {.fd = STDOUT_FILENO, .events = POLLOUT};
        if (poll(&ready, 1, 200) <= 0 || !(ready.revents & POLLOUT)) return;
        ssize_t written = write(STDOUT_FILENO, bytes, count);
        if (written < 0) {
            if (errno == EINTR || errno == EAGAIN) continue;
            return;
        }
        bytes += written;
        count -= (size_t)written;
    }
}

void nyan_screen_give_back(void) {
    if (!__atomic_exchange_n(&taken, 0, __ATOMIC_SEQ_CST)) return;
    int saved = errno;
    restore_write(farewell, farewell_count);
    // In the background the settings are those of who is in front, and setting them would stop us.
    if (tcgetpgrp(STDIN_FILENO) == getpgrp()) tcsetattr(STDIN_FILENO, TCSANOW, &settings_before);
    errno = saved;
}

// Restores, then lets the signal do what it did before us: it is blocked here, so it comes when we return, unless the
// instruction that caused it raises it once more.
static void crash(int number) {
    nyan_screen_give_back();
    for (int index = 0; index < CRASHES; index++) {
        if (crashes[index] == number) sigaction(number, &crash_before[index], NULL);
    }
    raise(number);
}

void restore_watch_crashes(bool wanted) {
    static bool watched, at_exit;
    if (wanted && !at_exit) {
        at_exit = true;
        atexit(nyan_screen_give_back);
    }
    if (wanted == watched) return;
    watched = wanted;
    struct sigaction action = {.sa_handler = crash};
    sigfillset(&action.sa_mask);
    for (int index = 0; index < CRASHES; index++) {
        if (wanted) {
            sigaction(crashes[index], &action, &crash_before[index]);
        } else {
            sigaction(crashes[index], &crash_before[index], NULL);
        }
    }
}
