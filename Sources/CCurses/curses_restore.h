// The way back of a terminal, which works in a signal handler: prepared bytes and settings, no library.
#ifndef NYAN_CURSES_RESTORE_H
#define NYAN_CURSES_RESTORE_H
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

// What is to be restored from now on, on standard output, and standard input's settings.
void restore_prepare(const char *bytes, const struct termios *settings);
// The terminal is the user's again; nothing is to be restored.
void restore_done(void);
// Installs and removes the handlers of crashes.
void restore_watch_crashes(bool wanted);
// Writes all of it, as long as the terminal takes it.
void restore_write(const char *bytes, size_t count);
#endif
