#define _GNU_SOURCE
#include "ccurses.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int pipe_to_reader = -1;
// Seconds in which somebody must read that the end was asked for.
enum { PATIENCE = 3 };

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT};
enum { CAUGHT = sizeof caught / sizeof caught[0] };
static struct sigaction before[CAUGHT];

static void note(int number) {
    int saved = errno;
    if (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT) alarm(PATIENCE);
    unsigned char byte = (unsigned char)number;
    // A full pipe has enough to wake its reader with.
    if (write(pipe_to_reader, &byte, 1) < 0) { }
    errno = saved;
}

static void install(int number) {
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void nyan_screen_catch(int pipe_end) {
    if (pipe_end >= 0) {
        pipe_to_reader = pipe_end;
        for (int index = 0; index < CAUGHT; index++) {
            sigaction(caught[index], NULL, &before[index]);
            // nohup has asked for it.
            if (caught[index] == SIGHUP && before[index].sa_handler == SIG_IGN) continue;
            install(caught[index]);
        }
    } else if (pipe_to_reader >= 0) {
        for (int index = 0; index < CAUGHT; index++) sigaction(caught[index], &before[index], NULL);
        pipe_to_reader = -1;
        alarm(0);
    }
}

void nyan_screen_stop(int number) {
    // The rest of the job first, which we must not hear ourselves: setting a signal to be ignored forgets a pending one.
    signal(number, SIG_IGN);
    kill(0, number);
    signal(number, SIG_IGN);
    // The system's own stop: it knows when nobody is there who could wake us, and does nothing then.
    signal(number, SIG_DFL);
    sigset_t one, mask;
    sigemptyset(&one);
    sigaddset(&one, number);
    pthread_sigmask(SIG_UNBLOCK, &one, &mask);
    raise(number);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    if (number == SIGTSTP && pipe_to_reader >= 0) install(number);
}

bool nyan_screen_in_background(void) {
    pid_t foreground = tcgetpgrp(STDIN_FILENO);
    return foreground > 0 && foreground != getpgrp();
}
