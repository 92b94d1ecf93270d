// libFuzzer's own entry for programs with a main of their own (LLVM, "Using libFuzzer as a library").
#ifndef CFUZZ_SHIM_H
#define CFUZZ_SHIM_H
#include <stddef.h>
#include <stdint.h>
/// Hidden from Swift by glibc behind _GNU_SOURCE.
int memfd_create(const char *name, unsigned int flags);
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
#endif
