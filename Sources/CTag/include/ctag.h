// A small C face over TagLib, whose own C API cannot write covers. All strings are UTF-8. Safe from any thread.
// What is particular to MP4 files is in `ctag_m4a.h`.
#pragma once
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/// What a tag says. NULL = nothing. Strings and cover belong to whoever filled it.
typedef struct {
    const char *title, *artist, *album;
    /// Text of the TXXX frame NYAND_TRACK_ID.
    const char *track_id;
    /// `image/jpeg` or `image/png`.
    const char *cover_mime;
    const void *cover;
    size_t cover_bytes;
} ctag_fields;

/// Renders an ID3v2.4 tag, padding included. ReplayGain values of the file `keep_from` (NULL = none) are taken over.
/// Returns bytes for `ctag_free`, NULL on failure.
unsigned char *ctag_render(const ctag_fields *fields, const char *keep_from, size_t *bytes);

/// Reads a file's ID3v2 tag. 0 = read (fields may all be NULL), -1 = no readable MP3 file. `ctag_clear` frees the fields.
int ctag_read(const char *path, ctag_fields *fields);

/// Reads what a file of any format TagLib knows says about itself: title, artist, album, and its length in whole seconds
/// (0 = unknown). 0 = read, -1 = nothing to be read. `ctag_clear` frees the fields.
int ctag_describe(const char *path, ctag_fields *fields, int *seconds);

void ctag_free(unsigned char *bytes);
void ctag_clear(ctag_fields *fields);

#ifdef __cplusplus
}
#endif
