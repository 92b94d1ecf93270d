// What the C library has beyond the standard: wcwidth, F_DUPFD_CLOEXEC.
#define _GNU_SOURCE
#include "ccurses.h"
#include "curses_library.h"
#include "curses_restore.h"
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

static struct curses_library curses;
static SCREEN *screen;
static struct termios settings_before;
static bool coloured;
// Whose the terminal is: ours; given to the shell; or taken by the shell without a word (SIGSTOP), as we left it.
static enum { HELD, LENT, LOST } hold;

// Clicks and wheel, in the form that knows columns beyond 223; pasted text between marks.
static const char modes_on[] = "\033[?1000h\033[?1006h\033[?2004h";
static const char modes_off[] = "\033[?2004l\033[?1006l\033[?1000l";

static const char *capability(const char *name) {
    const char *text = curses.tigetstr((char *)name);
    return text == NULL || text == (char *)-1 || *text == 0 ? NULL : text;
}

// Adds a capability's bytes without the pauses old terminals needed ("$<5>").
static void append(char *bytes, size_t size, const char *text) {
    size_t count = strlen(bytes);
    for (; text && *text && count + 1 < size; text++) {
        const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;
        if (end) {
            text = end;
        } else {
            bytes[count++] = *text;
        }
    }
    bytes[count] = 0;
}

static void prepare_restore(int rows) {
    char bytes[512] = "";
    append(bytes, sizeof bytes, modes_off);
    append(bytes, sizeof bytes, capability("sgr0"));
    append(bytes, sizeof bytes, capability("op"));
    append(bytes, sizeof bytes, capability("rmkx"));
    const char *leave = capability("rmcup");
    // Where there is no other screen to go back to, the shell goes on below.
    if (!leave) {
        append(bytes, sizeof bytes, curses.tparm((char *)capability("cup"), rows - 1, 0, 0, 0, 0, 0, 0, 0, 0));
        append(bytes, sizeof bytes, "\r\n");
    }
    append(bytes, sizeof bytes, leave);
    append(bytes, sizeof bytes, capability("cnorm"));
    restore_prepare(bytes, &settings_before);
}

// ncurses asks the C library how wide letters are, which says so in a UTF-8 locale only.
static void speak_utf8(void) {
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0 && !setlocale(LC_CTYPE, "C.UTF-8")) {
        setlocale(LC_CTYPE, "en_US.UTF-8");
    }
}

static void start_colours(bool wanted) {
    coloured = wanted && curses.has_colors() && curses.start_color() == OK && curses.use_default_colors() == OK;
    for (short colour = 0; coloured && colour < 8; colour++) curses.init_pair((short)(colour + 1), colour, -1);
}

// A stream of our own, which no child inherits; NULL where the descriptor is closed.
static FILE *stream(int descriptor, const char *mode) {
    int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    return own < 0 ? NULL : fdopen(own, mode);
}

// A terminal may claim 65535 by 65535 cells, each of which takes ncurses some 90 bytes: no screen is drawn larger than
// any that exists.
enum { MOST_COLUMNS = 2000, MOST_ROWS = 600 };

static int at_most(int most, int count) { return count > most ? most : count; }

// ncurses measures the terminal itself when it begins, unless these variables say a size.
static SCREEN *new_terminal(FILE *out, FILE *in) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || (size.ws_col <= MOST_COLUMNS && size.ws_row <= MOST_ROWS)) {
        return curses.newterm(NULL, out, in);
    }
    char columns[16], rows[16];
    snprintf(columns, sizeof columns, "%d", at_most(MOST_COLUMNS, size.ws_col));
    snprintf(rows, sizeof rows, "%d", at_most(MOST_ROWS, size.ws_row));
    setenv("COLUMNS", columns, 1);
    setenv("LINES", rows, 1);
    SCREEN *made = curses.newterm(NULL, out, in);
    unsetenv("COLUMNS");
    unsetenv("LINES");
    return made;
}

int nyan_screen_open(bool wants_colours) {
    if (!curses_load(&curses)) return NYAN_SCREEN_NO_LIBRARY;
    if (tcgetattr(STDIN_FILENO, &settings_before) != 0) return NYAN_SCREEN_UNKNOWN;
    speak_utf8();
    FILE *out = stream(STDOUT_FILENO, "w"), *in = stream(STDIN_FILENO, "r");
    if (!out || !in) return NYAN_SCREEN_UNKNOWN;
    // ncurses leaves alone the signals that are somebody's already: nyan_screen_catch comes first.
    screen = new_terminal(out, in);
    if (!screen) return NYAN_SCREEN_UNKNOWN;
    if (!capability("cup") || curses.tigetflag("hc") > 0 || curses.tigetflag("gn") > 0) {
        curses.endwin();
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings_before);
        return NYAN_SCREEN_POOR;
    }
    int columns, rows;
    if (!nyan_screen_size(&columns, &rows)) rows = 24;
    prepare_restore(rows);
    restore_watch_crashes(true);
    curses.raw();
    curses.noecho();
    curses.nonl();
    curses.keypad(*curses.standard, TRUE);
    // What was typed ahead must not put off a picture: ncurses never reads it.
    curses.typeahead(-1);
    start_colours(wants_colours);
    restore_write(modes_on, sizeof modes_on - 1);
    hold = HELD;
    return NYAN_SCREEN_OPEN;
}

void nyan_screen_close(void) {
    if (!screen) return;
    if (hold == HELD && !nyan_screen_in_background()) {
        nyan_screen_lend();
    } else if (hold != LENT) {
        nyan_screen_give_back();
    }
    restore_watch_crashes(false);
    curses.delscreen(screen);
    screen = NULL;
}

void nyan_screen_lend(void) {
    if (!screen) return;
    restore_write(modes_off, sizeof modes_off - 1);
    curses.endwin();
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings_before);
    restore_done();
    hold = LENT;
}

void nyan_screen_lose(void) { hold = LOST; }

void nyan_screen_retake(void) {
    if (!screen) return;
    // The shell has changed settings and screen behind ncurses' back.
    if (hold == LOST) nyan_screen_lend();
    hold = HELD;
    // The shell's settings may be others by now, and are what it wants back.
    tcgetattr(STDIN_FILENO, &settings_before);
    int columns, rows;
    if (!nyan_screen_size(&columns, &rows)) rows = 24;
    prepare_restore(rows);
    nyan_screen_forget();
    restore_write(modes_on, sizeof modes_on - 1);
}

bool nyan_screen_size(int *columns, int *rows) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
        *columns = at_most(MOST_COLUMNS, size.ws_col);
        *rows = at_most(MOST_ROWS, size.ws_row);
        return true;
    }
    // A line that knows no size, such as a serial one: what the person says.
    const char *said_columns = getenv("COLUMNS"), *said_rows = getenv("LINES");
    *columns = said_columns ? atoi(said_columns) : 0;
    *rows = said_rows ? atoi(said_rows) : 0;
    return *columns > 0 && *columns <= MOST_COLUMNS && *rows > 0 && *rows <= MOST_ROWS;
}

void nyan_screen_resize(int columns, int rows) {
    if (!screen) return;
    curses.resize_term(rows, columns);
    // A terminal that was resized has moved and cut what it showed in ways of its own.
    nyan_screen_forget();
    prepare_restore(rows);
}

void nyan_screen_begin(void) {
    if (screen) curses.werase(*curses.standard);
}

void nyan_screen_put(int row, int column, const uint32_t *text, int count, int weight, int colour) {
    if (!screen || curses.wmove(*curses.standard, row, column) == ERR) return;
    attr_t attributes = A_NORMAL;
    if (weight & NYAN_SCREEN_BOLD) attributes |= A_BOLD;
    if (weight & NYAN_SCREEN_DIM) attributes |= A_DIM;
    if (weight & NYAN_SCREEN_REVERSE) attributes |= A_REVERSE;
    short pair = coloured && colour >= 0 && colour < 8 ? (short)(colour + 1) : 0;
    curses.wattr_set(*curses.standard, attributes, pair, NULL);
    // The last cell of all is written, and answered with an error: there is no place after it.
    curses.waddnwstr(*curses.standard, (const wchar_t *)text, count);
    curses.wattr_set(*curses.standard, A_NORMAL, 0, NULL);
}

void nyan_screen_show(int cursor_row, int cursor_column, bool visible) {
    if (!screen) return;
    curses.curs_set(visible);
    curses.wmove(*curses.standard, cursor_row, cursor_column);
    curses.wnoutrefresh(*curses.standard);
    curses.doupdate();
}

void nyan_screen_forget(void) {
    if (screen) curses.clearok(*curses.standard, TRUE);
}

int nyan_screen_width(uint32_t letter) { return wcwidth((wchar_t)letter); }

bool nyan_screen_has_reverse(void) { return screen && (capability("rev") || capability("sgr")); }

bool nyan_screen_has_colours(void) { return coloured; }

const char *nyan_screen_key(const char *name) { return screen ? capability(name) : NULL; }
