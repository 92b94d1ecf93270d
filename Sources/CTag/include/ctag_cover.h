// Pictures inside sound files. Safe from any thread.
#pragma once
#include "ctag_import.h"
#ifdef __cplusplus
extern "C" {
#endif

/// The front cover of a file, else the first picture it has, if that is a JPEG or PNG of at most `limit` bytes. Returns
/// bytes for `ctag_free`, NULL where there is none.
unsigned char *ctag_cover(const char *path, ctag_kind kind, size_t limit, size_t *bytes);

#ifdef __cplusplus
}
#endif
