// What every program of `make asan` and `make tsan` is linked with: the options and suppressions of the sanitiser, which thus
// hold wherever a test starts a program, whatever environment it gives it. Never part of the product; see decision 0045.
//
// REPORTS is where reports go, one file for each process: scripts/sanitize looks there when the tests are over. SYMBOLIZER is
// the program that gives addresses their names: without it no suppression holds, and a test may give a program no PATH.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#define COMMON "log_path=" REPORTS ":log_exe_name=1:strip_path_prefix=" TOP "/:external_symbolizer_path=" SYMBOLIZER ":"

#if SANITIZE_THREAD

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

// Goes on after a report: one race must not hide the others. The report is what fails the run.
const char *__tsan_default_options(void) { return COMMON "halt_on_error=0:exitcode=66:history_size=4:second_deadlock_stack=1"; }

// Synchronization.Mutex takes a contended lock in the kernel (FUTEX_LOCK_PI), where ThreadSanitizer does not see it. Its quick
// way is compiled into its users and seen. These stand before the library's own: told is the same lock, at the same address.
typedef __attribute__((swiftcall)) void (*LockSlow)(uint32_t thread, __attribute__((swift_context)) void *handle);
typedef __attribute__((swiftcall)) void (*UnlockSlow)(__attribute__((swift_context)) void *handle);

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((swiftcall, visibility("default"))) void lock_slow(
    uint32_t thread, __attribute__((swift_context)) void *handle) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
__attribute__((swiftcall)) void lock_slow(uint32_t thread, __attribute__((swift_context)) void *handle) {
    static _Atomic(LockSlow) found;
    if (!found) found = (LockSlow)real("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    found(thread, handle);
    __tsan_acquire(handle);
}

__attribute__((swiftcall, visibility("default"))) void unlock_slow(
    __attribute__((swift_context)) void *handle) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *handle) {
    static _Atomic(UnlockSlow) found;
    if (!found) found = (UnlockSlow)real("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    __tsan_release(handle);
    found(handle);
}

// GLib's locks are its own (futexes), too, and GStreamer's threads hand buffers to each other under them. What GLib does inside
// itself goes past these: they are for those that call it.
#define FIND(name) \
    static __typeof__(&name) found; \
    if (!found) found = (__typeof__(&name))real(#name)

void g_mutex_lock(void *mutex) {
    FIND(g_mutex_lock);
    found(mutex);
    __tsan_acquire(mutex);
}

int g_mutex_trylock(void *mutex) {
    FIND(g_mutex_trylock);
    int got = found(mutex);
    if (got) __tsan_acquire(mutex);
    return got;
}

void g_mutex_unlock(void *mutex) {
    FIND(g_mutex_unlock);
    __tsan_release(mutex);
    found(mutex);
}

void g_rec_mutex_lock(void *mutex) {
    FIND(g_rec_mutex_lock);
    found(mutex);
    __tsan_acquire(mutex);
}

int g_rec_mutex_trylock(void *mutex) {
    FIND(g_rec_mutex_trylock);
    int got = found(mutex);
    if (got) __tsan_acquire(mutex);
    return got;
}

void g_rec_mutex_unlock(void *mutex) {
    FIND(g_rec_mutex_unlock);
    __tsan_release(mutex);
    found(mutex);
}

void g_cond_wait(void *condition, void *mutex) {
    FIND(g_cond_wait);
    __tsan_release(mutex);
    found(condition, mutex);
    __tsan_acquire(mutex);
}

int g_cond_wait_until(void *condition, void *mutex, int64_t end) {
    FIND(g_cond_wait_until);
    __tsan_release(mutex);
    int woken = found(condition, mutex, end);
    __tsan_acquire(mutex);
    return woken;
}

#else

// The first error ends the program, as nothing holds after it. Leaks are looked for at an orderly end.
const char *__asan_default_options(void) {
    return COMMON "detect_leaks=1:halt_on_error=1:exitcode=86:strict_string_checks=1:check_initialization_order=1";
}

const char *__ubsan_default_options(void) { return "print_stacktrace=1:halt_on_error=1"; }

const char *__lsan_default_options(void) { return "exitcode=86:print_suppressions=0"; }

// Swift hides pointers where LeakSanitizer looks for plain ones. A global's value may be an enum with its tag in the top bits
// (globals are made once); an object with weak references has its count in a side table, whose address is kept shifted.
// What main holds when Dispatch takes its thread (dispatchMain) is left for ever: the client's one command, and not its loop.
#define EVERYWHERE \
    "leak:once_slow\n" \
    "leak:formWeakReference\n" \
    "leak:nyanctl_main\n" \
    /* A structure's type in a signature: an enum in an array, which is still held (by what a call answered at the very end). */ \
    "leak:SignatureParser\n" \
    /* What ncurses keeps of a terminal it cannot use: once. */ \
    "leak:libtinfo.so\n"

// In the tests' own process a world ends in the middle of its services' life: they hold each other, and wait for what comes no
// more, as they do in nyand and in the ui to their end. (nyand itself is looked at there, with all of them; that it does not grow
// is held by Tests/soak/changes.py.) And Foundation loses 4 KiB each time it reads an empty file, which tests do; the daemon
// must not.
#define RUNNER \
    "leak:swift_task_create\n" \
    "leak:NyanService\n" \
    "leak:NyanTestKit\n" \
    "leak:UIWork\n" \
    "leak:UIQueueWork\n" \
    "leak:readBytesFromFile\n"

const char *__lsan_default_suppressions(void) {
    return strncmp(program_invocation_short_name, "nyandPackageTests", 17) ? EVERYWHERE : EVERYWHERE RUNNER;
}

// nyand forbids others to read its memory, and LeakSanitizer is another: a process of its own that traces it. What is done at
// exit is done in reverse order, and LeakSanitizer came first: this runs just before it, when all is over.
static void allow_tracing(void) { prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); }

// OpenSSL clears up at exit while threads are still there: one that ends behind it no longer frees what it had of errors.
extern int OPENSSL_init_crypto(uint64_t options, const void *settings) __attribute__((weak));
enum { NO_CLEARING_UP = 0x00080000 };

__attribute__((constructor)) static void begin(void) {
    atexit(allow_tracing);
    if (OPENSSL_init_crypto) OPENSSL_init_crypto(NO_CLEARING_UP, 0);
}

#endif
