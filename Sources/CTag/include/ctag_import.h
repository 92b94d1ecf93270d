// Files that others made: what they are, and their tags on the way into My Music. As in ctag.h: UTF-8, any thread.
#pragma once
#include "ctag.h"
#ifdef __cplusplus
extern "C" {
#endif

/// What a file is, which the caller found out from its bytes.
typedef enum { CTAG_MPEG, CTAG_FLAC, CTAG_OGG, CTAG_MP4, CTAG_WAV } ctag_kind;

/// Reads title, artist, album, nyand's id and the length in milliseconds (0 = unknown) of a file.
/// 0 = read, -1 = no readable file of this kind. `ctag_clear` frees the fields.
int ctag_identify(const char *path, ctag_kind kind, ctag_fields *fields, int *milliseconds);

/// Gives a text back as it was meant, in memory of malloc; NULL = it is right as it is.
typedef char *(*ctag_repair)(const char *text, int is_cyrillic);

/// Renders the ID3v2.4 tag a copy of an MPEG file shall have: all frames of the file in UTF-8, each text as `repair`
/// gives it back; title, artist, album and id are `fields`'. What only ID3v1 or APE say is taken over.
/// Returns bytes for `ctag_free`, NULL on failure.
unsigned char *ctag_carry(
    const char *path, const ctag_fields *fields, ctag_repair repair, int is_cyrillic, size_t *bytes);

/// Writes title, artist, album and id into a file that is no MPEG. 0 = written.
int ctag_rewrite(const char *path, ctag_kind kind, const ctag_fields *fields);

/// Writes ReplayGain's track gain (dB) and peak (1 = full scale) into an MPEG file's own tag as text frames of ID3v2.4 and
/// renders that tag. Returns bytes for `ctag_free`, NULL on failure.
unsigned char *ctag_with_gain(const char *path, const char *gain, const char *peak, size_t *bytes);

#ifdef __cplusplus
}
#endif
