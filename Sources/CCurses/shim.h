// The door to ncursesw: what Swift cannot see (macros, wide characters, variadic calls), and nothing else.
#ifndef CCURSES_SHIM_H
#define CCURSES_SHIM_H
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#endif
