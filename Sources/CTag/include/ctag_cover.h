// Pictures inside sound files. Safe from any thread.
#pragma once
#include "ctag_import.h"
#ifdef __cplusplus
extern "C" {
#endif

/// Whether a picture may be shown: 0 = not, then another one of the file is looked for. Called on the same thread.
typedef int (*ctag_judge)(const unsigned char *bytes, size_t count);

/// The front cover of a file, else the first picture it has, of those JPEGs and PNGs of at most `limit` bytes that `judge`
/// lets pass. Returns bytes for `ctag_free`, NULL where there is none.
unsigned char *ctag_cover(const char *path, ctag_kind kind, size_t limit, ctag_judge judge, size_t *bytes);

#ifdef __cplusplus
}
#endif
