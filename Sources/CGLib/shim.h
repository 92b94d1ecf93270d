// The door to GLib: its key-file reader, checksums and Unicode folding. Also the two Linux file calls that the Glibc
// module hides because they need _GNU_SOURCE.
#pragma once
#include <glib.h>
#include <sys/syscall.h>
#include <unistd.h>

// renameat2 with RENAME_NOREPLACE: -1 and EEXIST when `to` is there, EINVAL where the file system cannot do it.
static inline int nyan_rename_new(const char *from, const char *to) {
    return (int)syscall(SYS_renameat2, -100 /* AT_FDCWD */, from, -100, to, 1 /* RENAME_NOREPLACE */);
}

// renameat2 with RENAME_EXCHANGE: each gets the other's name; -1 and ENOENT when either is not there.
static inline int nyan_rename_exchange(const char *one, const char *other) {
    return (int)syscall(SYS_renameat2, -100 /* AT_FDCWD */, one, -100, other, 2 /* RENAME_EXCHANGE */);
}

/// Takes room on the disk behind a file's end and leaves its length (fallocate(2); glibc's header hides it from Swift).
static inline int nyan_reserve(int descriptor, long long offset, long long bytes) {
    return (int)syscall(SYS_fallocate, descriptor, 1 /* FALLOC_FL_KEEP_SIZE */, (long)offset, (long)bytes);
}

// Copies inside the kernel at the files' own positions; the number of bytes, 0 at the end, -1 and errno.
static inline long nyan_copy_file_range(int from, int to, unsigned long bytes) {
    return syscall(SYS_copy_file_range, from, (void *)0, to, (void *)0, bytes, 0);
}
