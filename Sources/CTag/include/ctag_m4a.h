// Tags of MP4 files ("M4A"), where they are no ID3 but atoms. Safe from any thread.
#pragma once
#include "ctag.h"
#ifdef __cplusplus
extern "C" {
#endif

/// Puts what the ID3v2 tag `id3` says, the cover included, into the `moov` atom at the end of `head`, the beginning of an
/// MP4 file. Chunk offsets are not adjusted. Returns bytes for `ctag_free`, NULL on failure.
unsigned char *ctag_m4a_render(const void *head, size_t head_bytes, const void *id3, size_t id3_bytes, size_t *bytes);

#ifdef __cplusplus
}
#endif
