// A small C face over TagLib, whose own C API cannot write covers. All strings are UTF-8. Safe from any thread.
// What is particular to MP4 files is in `ctag_m4a.h`, what foreign files need in `ctag_import.h`.
#pragma once
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/// A line of a song, and when it begins, in milliseconds.
typedef struct {
    int begin;
    const char *text;
} ctag_line;

/// What a tag says. NULL = nothing. Strings and cover belong to whoever filled it.
typedef struct {
    const char *title, *artist, *album;
    /// Text of the TXXX frame NYAND_TRACK_ID.
    const char *track_id;
    /// `image/jpeg` or `image/png`.
    const char *cover_mime;
    const void *cover;
    size_t cover_bytes;
    /// Only written, never read: the words, their language in three letters, and where each line begins (none = untimed).
    const char *lyrics, *lyrics_language;
    const ctag_line *lines;
    size_t line_count;
    /// Only written: the sound's length in milliseconds; 0 = unknown.
    int milliseconds;
} ctag_fields;

/// Renders an ID3v2.4 tag, padding included. ReplayGain values of the file `keep_from` (NULL = none) are taken over.
/// Returns bytes for `ctag_free`, NULL on failure.
unsigned char *ctag_render(const ctag_fields *fields, const char *keep_from, size_t *bytes);

/// Reads what a file of any format TagLib knows says about itself: title, artist, album, and its length in whole seconds
/// (0 = unknown). 0 = read, -1 = nothing to be read. `ctag_clear` frees the fields.
int ctag_describe(const char *path, ctag_fields *fields, int *seconds);

void ctag_free(unsigned char *bytes);
void ctag_clear(ctag_fields *fields);

#ifdef __cplusplus
}
#endif
