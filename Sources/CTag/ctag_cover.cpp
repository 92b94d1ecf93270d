#include "ctag_cover.h"
#include "ctag_open.h"

#include <taglib/attachedpictureframe.h>
#include <taglib/flacfile.h>
#include <taglib/flacpicture.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/mp4coverart.h>
#include <taglib/mp4file.h>
#include <taglib/mpegfile.h>
#include <taglib/oggflacfile.h>
#include <taglib/opusfile.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavfile.h>
#include <taglib/xiphcomment.h>

#include <cstdlib>
#include <cstring>
#include <memory>

using namespace TagLib;

namespace {

const int front_cover = 3;

/// Keeps the best of the pictures it is shown.
class Choice {
public:
    Choice(size_t limit, ctag_judge judge) : limit(limit), judge(judge) {}

    void look(const ByteVector &data, int type) {
        if (data.isEmpty() || data.size() > limit || !is_picture(data)) return;
        if (!best.isEmpty() && (type != front_cover || is_front)) return;
        if (!judge(reinterpret_cast<const unsigned char *>(data.data()), data.size())) return;
        best = data;
        is_front = type == front_cover;
    }

    ByteVector best;

private:
    static bool is_picture(const ByteVector &data) {
        return data.startsWith(ByteVector("\xFF\xD8\xFF", 3)) || data.startsWith(ByteVector("\x89PNG\r\n\x1A\n", 8));
    }

    size_t limit;
    ctag_judge judge;
    bool is_front = false;
};

void look(ID3v2::Tag *tag, Choice &choice) {
    if (!tag) return;
    for (auto *frame : tag->frameList("APIC"))
        if (auto *picture = dynamic_cast<ID3v2::AttachedPictureFrame *>(frame))
            choice.look(picture->picture(), picture->type());
}

void look(const List<FLAC::Picture *> &pictures, Choice &choice) {
    for (auto *picture : pictures) choice.look(picture->data(), picture->type());
}

void look(Ogg::XiphComment *comment, Choice &choice) {
    if (comment) look(comment->pictureList(), choice);
}

void look_ogg(IOStream *stream, Choice &choice) {
    Ogg::Vorbis::File vorbis(stream, false);
    if (vorbis.isValid()) return look(vorbis.tag(), choice);
    Ogg::Opus::File opus(stream, false);
    if (opus.isValid()) return look(opus.tag(), choice);
    Ogg::FLAC::File flac(stream, false);
    if (flac.isValid()) look(flac.tag(), choice);
}

void look_flac(IOStream *stream, Choice &choice) {
    FLAC::File file(stream, ID3v2::FrameFactory::instance(), false);
    if (!file.isValid()) return;
    look(file.pictureList(), choice);
    // Some writers put them into the comment, or an ID3v2 tag before everything.
    if (file.hasXiphComment()) look(file.xiphComment(), choice);
    if (file.hasID3v2Tag()) look(file.ID3v2Tag(), choice);
}

void look_mp4(IOStream *stream, Choice &choice) {
    MP4::File file(stream, false);
    if (!file.isValid() || !file.tag() || !file.tag()->contains("covr")) return;
    // These have no types.
    for (const auto &picture : file.tag()->item("covr").toCoverArtList()) choice.look(picture.data(), front_cover);
}

}  // namespace

// No exception may cross into Swift: whatever the C++ side throws (out of memory) is no picture.
unsigned char *ctag_cover(const char *path, ctag_kind kind, size_t limit, ctag_judge judge,
                          size_t *bytes) try {
    Choice choice(limit, judge);
    ReadOnlyStream stream(path);
    if (!stream.isOpen()) return nullptr;
    switch (kind) {
    case CTAG_MPEG: {
        MPEG::File file(&stream, ID3v2::FrameFactory::instance(), false);
        if (file.isValid() && file.hasID3v2Tag()) look(file.ID3v2Tag(), choice);
        break;
    }
    case CTAG_WAV: {
        RIFF::WAV::File file(&stream, false);
        if (file.isValid() && file.hasID3v2Tag()) look(file.ID3v2Tag(), choice);
        break;
    }
    case CTAG_FLAC: look_flac(&stream, choice); break;
    case CTAG_OGG: look_ogg(&stream, choice); break;
    case CTAG_MP4: look_mp4(&stream, choice); break;
    }
    if (stream.is_spent() || choice.best.isEmpty()) return nullptr;
    auto *copy = static_cast<unsigned char *>(std::malloc(choice.best.size()));
    if (!copy) return nullptr;
    std::memcpy(copy, choice.best.data(), choice.best.size());
    *bytes = choice.best.size();
    return copy;
} catch (...) {
    return nullptr;
}
