// ncursesw's functions, found when they are needed.
#ifndef NYAN_CURSES_LIBRARY_H
#define NYAN_CURSES_LIBRARY_H
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#define NCURSES_OPAQUE 1
#include <stdbool.h>
#include <stdio.h>
#if __has_include(<ncursesw/curses.h>)
#include <ncursesw/curses.h>
#else
#include <curses.h>
#endif

struct curses_library {
    // The window as large as the terminal; valid after newterm.
    WINDOW **standard;
    __typeof__(newterm) *newterm;
    __typeof__(delscreen) *delscreen;
    __typeof__(endwin) *endwin;
    __typeof__(raw) *raw;
    __typeof__(noecho) *noecho;
    __typeof__(nonl) *nonl;
    __typeof__(keypad) *keypad;
    __typeof__(typeahead) *typeahead;
    __typeof__(curs_set) *curs_set;
    __typeof__(start_color) *start_color;
    __typeof__(use_default_colors) *use_default_colors;
    __typeof__(has_colors) *has_colors;
    __typeof__(init_pair) *init_pair;
    __typeof__(resize_term) *resize_term;
    __typeof__(werase) *werase;
    __typeof__(wmove) *wmove;
    __typeof__(wattr_set) *wattr_set;
    __typeof__(waddnwstr) *waddnwstr;
    __typeof__(wnoutrefresh) *wnoutrefresh;
    __typeof__(doupdate) *doupdate;
    __typeof__(clearok) *clearok;
    __typeof__(tigetstr) *tigetstr;
    __typeof__(tigetflag) *tigetflag;
    __typeof__(tparm) *tparm;
};

// False where the library is not installed, or lacks one of them.
bool curses_load(struct curses_library *library);
#endif
