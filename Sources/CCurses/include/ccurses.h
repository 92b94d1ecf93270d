// The door to ncursesw: one terminal, on standard input and output. Loaded when it is first opened, so that only
// `nyanctl ui` pays for it (docs/decisions/0035). Not thread-safe, save for what says so.
#ifndef CCURSES_H
#define CCURSES_H
#include <stdbool.h>
#include <stdint.h>

// What became of opening.
enum nyan_screen_outcome {
    NYAN_SCREEN_OPEN = 0,
    // The library is not installed.
    NYAN_SCREEN_NO_LIBRARY = 1,
    // No terminal, or one that TERM does not name.
    NYAN_SCREEN_UNKNOWN = 2,
    // A terminal that cannot place its cursor.
    NYAN_SCREEN_POOR = 3,
};

// Bits of a weight.
enum { NYAN_SCREEN_BOLD = 1, NYAN_SCREEN_DIM = 2, NYAN_SCREEN_REVERSE = 4 };

// Takes the terminal: the other screen, keys one by one, mouse and bracketed paste on. It is given back at `exit`, at
// a crash, and by nyan_screen_close.
int nyan_screen_open(bool wants_colours);
void nyan_screen_close(void);
// Gives the terminal to the shell for a while; takes it again, where the next nyan_screen_show paints all of it.
void nyan_screen_lend(void);
void nyan_screen_retake(void);
// The shell has it, and was not given it: writes nothing.
void nyan_screen_lose(void);
// The bytes and settings of closing, without the library: async-signal-safe, from any thread. More than once is harmless.
void nyan_screen_give_back(void);

// What the terminal itself says; false where it does not know.
bool nyan_screen_size(int *columns, int *rows);
void nyan_screen_resize(int columns, int rows);

// A frame: begin, put, show. Colours are 0 to 7, or -1 for the terminal's own; the text must take the columns it has
// by nyan_screen_width, and end before the row does.
void nyan_screen_begin(void);
void nyan_screen_put(int row, int column, const uint32_t *text, int count, int weight, int colour);
// The cursor stands at its place also where it is hidden: programs that read the screen aloud look there.
void nyan_screen_show(int cursor_row, int cursor_column, bool visible);
// Everything is written anew by the next nyan_screen_show.
void nyan_screen_forget(void);
// Columns of a letter as the library counts; -1 for what it does not know.
int nyan_screen_width(uint32_t letter);
bool nyan_screen_has_colours(void);
bool nyan_screen_has_reverse(void);
// What the terminal sends for a key, by the name of its terminfo capability; NULL where it has none.
const char *nyan_screen_key(const char *capability);

// Signals that concern a screen arrive as bytes (their numbers) in this pipe from now on; the deadly ones end the
// program by themselves where nobody reads the pipe for three seconds. -1: as they were.
void nyan_screen_catch(int pipe_end);
// Stops this job as Ctrl-Z (SIGTSTP), or writing from the background (SIGTTOU), would; returns when it goes on.
void nyan_screen_stop(int signal);
// The terminal is another job's.
bool nyan_screen_in_background(void);
#endif
