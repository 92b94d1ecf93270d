#include "ctag_import.h"
#include "ctag_open.h"

#include <taglib/apetag.h>
#include <taglib/audioproperties.h>
#include <taglib/commentsframe.h>
#include <taglib/flacfile.h>
#include <taglib/id3v1tag.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/infotag.h>
#include <taglib/mp4file.h>
#include <taglib/mpegfile.h>
#include <taglib/oggflacfile.h>
#include <taglib/opusfile.h>
#include <taglib/textidentificationframe.h>
#include <taglib/unsynchronizedlyricsframe.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavfile.h>
#include <taglib/xiphcomment.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

using namespace TagLib;

namespace {

const char *const id_description = "NYAND_TRACK_ID";
const char *const id_atom = "----:com.apple.iTunes:NYAND_TRACK_ID";

String text(const char *utf8) { return utf8 ? String(utf8, String::UTF8) : String(); }

char *duplicate(const String &string) { return string.isEmpty() ? nullptr : strdup(string.toCString(true)); }

std::unique_ptr<File> open_ogg(IOStream *stream) {
    std::unique_ptr<File> file(new Ogg::Vorbis::File(stream));
    if (!file->isValid()) file.reset(new Ogg::Opus::File(stream));
    if (!file->isValid()) file.reset(new Ogg::FLAC::File(stream));
    return file;
}

/// NULL where the file is not what `kind` says. It does not own the stream.
std::unique_ptr<File> open_file(IOStream *stream, ctag_kind kind) {
    std::unique_ptr<File> file;
    switch (kind) {
    case CTAG_MPEG: file.reset(new MPEG::File(stream, ID3v2::FrameFactory::instance())); break;
    case CTAG_FLAC: file.reset(new FLAC::File(stream, ID3v2::FrameFactory::instance())); break;
    case CTAG_OGG: file = open_ogg(stream); break;
    case CTAG_MP4: file.reset(new MP4::File(stream)); break;
    case CTAG_WAV: file.reset(new RIFF::WAV::File(stream)); break;
    }
    if (!file || !file->isValid()) file.reset();
    return file;
}

Ogg::XiphComment *comment(File *file) {
    if (auto *flac = dynamic_cast<FLAC::File *>(file)) return flac->xiphComment(true);
    return dynamic_cast<Ogg::XiphComment *>(file->tag());
}

/// The ID3v2 tag of the two kinds that have one.
ID3v2::Tag *id3(File *file, bool create) {
    if (auto *mpeg = dynamic_cast<MPEG::File *>(file)) return mpeg->ID3v2Tag(create);
    if (auto *wave = dynamic_cast<RIFF::WAV::File *>(file)) return wave->ID3v2Tag();
    return nullptr;
}

/// The second tag of a WAV, which most writers know alone; NULL where there is none.
Tag *info(File *file) {
    auto *wave = dynamic_cast<RIFF::WAV::File *>(file);
    return wave && wave->hasInfoTag() ? wave->InfoTag() : nullptr;
}

String track_id(File *file) {
    if (auto *tag = id3(file, false)) {
        auto *frame = ID3v2::UserTextIdentificationFrame::find(tag, id_description);
        return frame && frame->fieldList().size() > 1 ? frame->fieldList()[1] : String();
    }
    if (auto *mp4 = dynamic_cast<MP4::File *>(file)) {
        if (!mp4->tag() || !mp4->tag()->contains(id_atom)) return String();
        const StringList values = mp4->tag()->item(id_atom).toStringList();
        return values.isEmpty() ? String() : values.front();
    }
    if (auto *xiph = comment(file)) {
        const StringList values = xiph->fieldListMap()[id_description];
        return values.isEmpty() ? String() : values.front();
    }
    return String();
}

/// A TXXX frame; players write the names of ReplayGain's in small letters too.
ID3v2::Frame *user_text(ID3v2::Tag *tag, const String &description) {
    for (auto *frame : tag->frameList("TXXX")) {
        const auto *user = dynamic_cast<ID3v2::UserTextIdentificationFrame *>(frame);
        if (user && user->description().upper() == description.upper()) return frame;
    }
    return nullptr;
}

/// Replaces a TXXX frame.
void set_user_text(ID3v2::Tag *tag, const char *description, const String &value) {
    while (auto *old = user_text(tag, description)) tag->removeFrame(old);
    tag->addFrame(new ID3v2::UserTextIdentificationFrame(description, StringList(value), String::UTF8));
}

void set_track_id(File *file, const String &id) {
    if (auto *tag = id3(file, true)) {
        set_user_text(tag, id_description, id);
    } else if (auto *mp4 = dynamic_cast<MP4::File *>(file)) {
        if (mp4->tag()) mp4->tag()->setItem(id_atom, MP4::Item(StringList(id)));
    } else if (auto *xiph = comment(file)) {
        xiph->addField(id_description, id, true);
    }
}

void set_fields(Tag *tag, const ctag_fields *fields) {
    if (fields->title) tag->setTitle(text(fields->title));
    if (fields->artist) tag->setArtist(text(fields->artist));
    if (fields->album) tag->setAlbum(text(fields->album));
}

/// How all texts of a file are to be read.
struct Repair {
    ctag_repair repair;
    int is_cyrillic;

    String operator()(const String &string) const {
        char *fixed = repair ? repair(string.toCString(true), is_cyrillic) : nullptr;
        if (!fixed) return string;
        const String result(fixed, String::UTF8);
        std::free(fixed);
        return result;
    }

    StringList operator()(const StringList &strings) const {
        StringList result;
        for (const auto &string : strings) result.append((*this)(string));
        return result;
    }
};

/// Puts a text frame's text right and into UTF-8; other frames stay.
void repair_frame(ID3v2::Frame *frame, const Repair &repair) {
    if (auto *user = dynamic_cast<ID3v2::UserTextIdentificationFrame *>(frame)) {
        StringList values = user->fieldList();
        if (!values.isEmpty()) values.erase(values.begin());
        user->setTextEncoding(String::UTF8);
        user->setDescription(repair(user->description()));
        user->setText(repair(values));
    } else if (auto *plain = dynamic_cast<ID3v2::TextIdentificationFrame *>(frame)) {
        plain->setTextEncoding(String::UTF8);
        plain->setText(repair(plain->fieldList()));
    } else if (auto *note = dynamic_cast<ID3v2::CommentsFrame *>(frame)) {
        note->setTextEncoding(String::UTF8);
        note->setDescription(repair(note->description()));
        note->setText(repair(note->text()));
    } else if (auto *words = dynamic_cast<ID3v2::UnsynchronizedLyricsFrame *>(frame)) {
        words->setTextEncoding(String::UTF8);
        words->setDescription(repair(words->description()));
        words->setText(repair(words->text()));
    }
}

/// mp3gain and foobar2000 keep ReplayGain there.
void take_ape_gain(ID3v2::Tag *tag, APE::Tag *ape) {
    if (!ape) return;
    for (const auto &item : ape->itemListMap()) {
        const String key = item.first.upper();
        if (!key.startsWith("REPLAYGAIN_") || item.second.type() != APE::Item::Text) continue;
        if (!user_text(tag, key)) set_user_text(tag, key.toCString(true), item.second.toString());
    }
}

unsigned char *rendered(ID3v2::Tag *tag, size_t *bytes) {
    const ByteVector vector = tag->render(ID3v2::v4);
    auto *copy = static_cast<unsigned char *>(std::malloc(vector.size() ? vector.size() : 1));
    if (!copy) return nullptr;
    std::memcpy(copy, vector.data(), vector.size());
    *bytes = vector.size();
    return copy;
}

}  // namespace

// No exception may cross into Swift: all entries catch whatever the C++ side throws (out of memory).

int ctag_identify(const char *path, ctag_kind kind, ctag_fields *fields, int *milliseconds) try {
    std::memset(fields, 0, sizeof *fields);
    *milliseconds = 0;
    ReadOnlyStream stream(path);
    const auto file = open_file(&stream, kind);
    if (!file || stream.is_spent()) return -1;
    if (const Tag *tag = file->tag()) {
        const Tag *other = info(file.get());
        const auto either = [&](String (Tag::*text)() const) {
            const String found = (tag->*text)();
            return duplicate(found.isEmpty() && other ? (other->*text)() : found);
        };
        fields->title = either(&Tag::title);
        fields->artist = either(&Tag::artist);
        fields->album = either(&Tag::album);
    }
    fields->track_id = duplicate(track_id(file.get()));
    if (const AudioProperties *sound = file->audioProperties()) *milliseconds = std::max(0, sound->lengthInMilliseconds());
    return 0;
} catch (...) {
    return -1;
}

unsigned char *ctag_carry(
    const char *path, const ctag_fields *fields, ctag_repair repair, int is_cyrillic, size_t *bytes) try {
    ReadOnlyStream stream(path);
    MPEG::File file(&stream, ID3v2::FrameFactory::instance(), false);
    if (!file.isValid() || stream.is_spent()) return nullptr;
    ID3v2::Tag *tag = file.ID3v2Tag(true);
    // What the others say and this one does not.
    if (file.APETag()) Tag::duplicate(file.APETag(), tag, false);
    if (file.ID3v1Tag()) Tag::duplicate(file.ID3v1Tag(), tag, false);
    take_ape_gain(tag, file.APETag());
    set_fields(tag, fields);
    const Repair repairing{repair, is_cyrillic};
    for (auto *frame : tag->frameList()) repair_frame(frame, repairing);
    if (fields->track_id) set_user_text(tag, id_description, text(fields->track_id));
    return rendered(tag, bytes);
} catch (...) {
    return nullptr;
}

int ctag_rewrite(const char *path, ctag_kind kind, const ctag_fields *fields) try {
    FileStream stream(path);
    const auto file = stream.readOnly() ? nullptr : open_file(&stream, kind);
    if (!file || !file->tag()) return -1;
    set_fields(file->tag(), fields);
    if (Tag *other = info(file.get())) set_fields(other, fields);
    if (fields->track_id) set_track_id(file.get(), text(fields->track_id));
    return file->save() ? 0 : -1;
} catch (...) {
    return -1;
}

unsigned char *ctag_with_gain(const char *path, const char *gain, const char *peak, size_t *bytes) try {
    ReadOnlyStream stream(path);
    MPEG::File file(&stream, ID3v2::FrameFactory::instance(), false);
    if (!file.isValid() || stream.is_spent() || !file.hasID3v2Tag()) return nullptr;
    ID3v2::Tag *tag = file.ID3v2Tag();
    if (gain) set_user_text(tag, "REPLAYGAIN_TRACK_GAIN", text(gain));
    if (peak) set_user_text(tag, "REPLAYGAIN_TRACK_PEAK", text(peak));
    return rendered(tag, bytes);
} catch (...) {
    return nullptr;
}
