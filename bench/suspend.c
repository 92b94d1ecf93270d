/* Laid over nyand while valgrind counts it: valgrind 3.19 writes into the mask that sigsuspend is given, and libdispatch's
 * stands in memory that is only read. Here the mask is a copy.
 *
 *   cc -O2 -shared -fPIC suspend.c -o suspend.so */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
    sigset_t own = *mask;
    return (int)syscall(SYS_rt_sigsuspend, &own, _NSIG / 8);
}
