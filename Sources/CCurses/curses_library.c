#define _GNU_SOURCE
#include "curses_library.h"
#include <dlfcn.h>

bool curses_load(struct curses_library *library) {
    // The number is that of the headers' binary interface, which has not changed since 2015.
    void *handle = dlopen("libncursesw.so.6", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return false;
#define FIND(name)                                                          \
    do {                                                                    \
        library->name = (__typeof__(library->name))dlsym(handle, #name);    \
        if (!library->name) return false;                                   \
    } while (0)
    library->standard = (WINDOW **)dlsym(handle, "stdscr");
    if (!library->standard) return false;
    FIND(newterm);
    FIND(delscreen);
    FIND(endwin);
    FIND(raw);
    FIND(noecho);
    FIND(nonl);
    FIND(keypad);
    FIND(typeahead);
    FIND(curs_set);
    FIND(start_color);
    FIND(use_default_colors);
    FIND(has_colors);
    FIND(init_pair);
    FIND(resize_term);
    FIND(werase);
    FIND(wmove);
    FIND(wattr_set);
    FIND(waddnwstr);
    FIND(wnoutrefresh);
    FIND(doupdate);
    FIND(clearok);
    FIND(tigetstr);
    FIND(tigetflag);
    FIND(tparm);
#undef FIND
    return true;
}
