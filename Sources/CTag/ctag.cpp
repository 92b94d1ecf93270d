#include "ctag.h"
#include "ctag_open.h"

#include <taglib/attachedpictureframe.h>
#include <taglib/audioproperties.h>
#include <taglib/fileref.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/mpegfile.h>
#include <taglib/relativevolumeframe.h>
#include <taglib/synchronizedlyricsframe.h>
#include <taglib/tag.h>
#include <taglib/textidentificationframe.h>
#include <taglib/unsynchronizedlyricsframe.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace TagLib;

namespace {

const char *const id_description = "NYAND_TRACK_ID";

String text(const char *utf8) { return String(utf8, String::UTF8); }

/// A text frame; nothing for a missing or empty text.
void add(ID3v2::Tag &tag, const char *frame_id, const char *utf8) {
    if (!utf8 || !*utf8) return;
    auto *frame = new ID3v2::TextIdentificationFrame(frame_id, String::UTF8);
    frame->setText(text(utf8));
    tag.addFrame(frame);
}

void add_cover(ID3v2::Tag &tag, const ctag_fields *fields) {
    if (!fields->cover || !fields->cover_bytes || !fields->cover_mime) return;
    auto *frame = new ID3v2::AttachedPictureFrame;
    frame->setMimeType(fields->cover_mime);
    frame->setType(ID3v2::AttachedPictureFrame::FrontCover);
    frame->setPicture(ByteVector(static_cast<const char *>(fields->cover), fields->cover_bytes));
    tag.addFrame(frame);
}

/// The words as a text for every player, and line by line with their moments for those that show them so.
void add_lyrics(ID3v2::Tag &tag, const ctag_fields *fields) {
    if (!fields->lyrics || !*fields->lyrics) return;
    auto *words = new ID3v2::UnsynchronizedLyricsFrame(String::UTF8);
    words->setLanguage(fields->lyrics_language);
    words->setText(text(fields->lyrics));
    tag.addFrame(words);
    if (!fields->line_count) return;
    auto *timed = new ID3v2::SynchronizedLyricsFrame(String::UTF8);
    timed->setLanguage(fields->lyrics_language);
    timed->setTimestampFormat(ID3v2::SynchronizedLyricsFrame::AbsoluteMilliseconds);
    timed->setType(ID3v2::SynchronizedLyricsFrame::Lyrics);
    ID3v2::SynchronizedLyricsFrame::SynchedTextList lines;
    for (size_t index = 0; index < fields->line_count; ++index) {
        const ctag_line &line = fields->lines[index];
        lines.append(ID3v2::SynchronizedLyricsFrame::SynchedText(line.begin, text(line.text)));
    }
    timed->setSynchedText(lines);
    tag.addFrame(timed);
}

/// ReplayGain lives in TXXX frames REPLAYGAIN_… or in RVA2.
void keep_replay_gain(ID3v2::Tag &tag, const char *path) {
    ReadOnlyStream stream(path);
    MPEG::File file(&stream, ID3v2::FrameFactory::instance(), false);
    // Tags larger than any are no reason to write none.
    if (!file.isValid() || stream.is_spent() || !file.hasID3v2Tag()) return;
    for (auto *frame : file.ID3v2Tag()->frameList()) {
        if (auto *user = dynamic_cast<ID3v2::UserTextIdentificationFrame *>(frame)) {
            if (!user->description().upper().startsWith("REPLAYGAIN_")) continue;
            StringList values = user->fieldList();
            if (!values.isEmpty()) values.erase(values.begin());
            tag.addFrame(new ID3v2::UserTextIdentificationFrame(user->description(), values, String::UTF8));
        } else if (auto *volume = dynamic_cast<ID3v2::RelativeVolumeFrame *>(frame)) {
            tag.addFrame(new ID3v2::RelativeVolumeFrame(volume->render()));
        }
    }
}

const char *duplicate(const String &string) {
    return string.isEmpty() ? nullptr : strdup(string.toCString(true));
}

}  // namespace

// No exception may cross into Swift: all entries catch whatever the C++ side throws (out of memory).

unsigned char *ctag_render(const ctag_fields *fields, const char *keep_from, size_t *bytes) try {
    ID3v2::Tag tag;
    add(tag, "TIT2", fields->title);
    add(tag, "TPE1", fields->artist);
    add(tag, "TALB", fields->album);
    if (fields->milliseconds > 0) add(tag, "TLEN", std::to_string(fields->milliseconds).c_str());
    if (fields->track_id) {
        StringList values(text(fields->track_id));
        tag.addFrame(new ID3v2::UserTextIdentificationFrame(id_description, values, String::UTF8));
    }
    if (keep_from) {
        try {
            keep_replay_gain(tag, keep_from);
        } catch (const std::length_error &) {
        }
    }
    add_lyrics(tag, fields);
    add_cover(tag, fields);
    const ByteVector rendered = tag.render(ID3v2::v4);
    auto *copy = static_cast<unsigned char *>(std::malloc(rendered.size() ? rendered.size() : 1));
    if (!copy) return nullptr;
    std::memcpy(copy, rendered.data(), rendered.size());
    *bytes = rendered.size();
    return copy;
} catch (...) {
    return nullptr;
}

int ctag_describe(const char *path, ctag_fields *fields, int *seconds) try {
    std::memset(fields, 0, sizeof *fields);
    *seconds = 0;
    ReadOnlyStream stream(path);
    if (!stream.isOpen()) return -1;
    FileRef file(&stream, true, AudioProperties::Average);
    if (file.isNull() || !file.file()->isValid() || stream.is_spent()) return -1;
    if (const Tag *tag = file.tag()) {
        fields->title = duplicate(tag->title());
        fields->artist = duplicate(tag->artist());
        fields->album = duplicate(tag->album());
    }
    if (const AudioProperties *sound = file.audioProperties()) *seconds = std::max(0, sound->lengthInSeconds());
    return 0;
} catch (...) {
    return -1;
}

void ctag_free(unsigned char *bytes) { std::free(bytes); }

void ctag_clear(ctag_fields *fields) {
    for (const void *pointer : {static_cast<const void *>(fields->title), static_cast<const void *>(fields->artist),
                                static_cast<const void *>(fields->album), static_cast<const void *>(fields->track_id),
                                static_cast<const void *>(fields->cover_mime), fields->cover})
        std::free(const_cast<void *>(pointer));
    std::memset(fields, 0, sizeof *fields);
}
