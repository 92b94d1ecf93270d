#include "ctag_m4a.h"

#include <taglib/attachedpictureframe.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/mp4coverart.h>
#include <taglib/mp4file.h>
#include <taglib/mp4item.h>
#include <taglib/mp4tag.h>
#include <taglib/mpegfile.h>
#include <taglib/tbytevectorstream.h>
#include <taglib/tpropertymap.h>

#include <cstdlib>
#include <cstring>

using namespace TagLib;

namespace {

/// Where values stand that MP4 has no atom of its own for.
const char *const free_form = "----:com.apple.iTunes:";

MP4::CoverArtList covers(const ID3v2::Tag &tag) {
    MP4::CoverArtList list;
    for (auto *frame : tag.frameList("APIC")) {
        auto *picture = dynamic_cast<ID3v2::AttachedPictureFrame *>(frame);
        if (!picture) continue;
        const auto format = picture->mimeType() == "image/png" ? MP4::CoverArt::PNG : MP4::CoverArt::JPEG;
        list.append(MP4::CoverArt(format, picture->picture()));
    }
    return list;
}

}  // namespace

// No exception may cross into Swift: all entries catch whatever the C++ side throws (out of memory).

unsigned char *ctag_m4a_render(
    const void *head, size_t head_bytes, const void *id3, size_t id3_bytes, size_t *bytes) try {
    ByteVectorStream source(ByteVector(static_cast<const char *>(id3), id3_bytes));
    MPEG::File tagged(&source, ID3v2::FrameFactory::instance(), false);
    ByteVectorStream target(ByteVector(static_cast<const char *>(head), head_bytes));
    {
        MP4::File file(&target, false);
        if (!tagged.hasID3v2Tag() || !file.isValid() || !file.tag()) return nullptr;
        const ID3v2::Tag &tag = *tagged.ID3v2Tag();
        for (const auto &rest : file.tag()->setProperties(tag.properties()))
            file.tag()->setItem(free_form + rest.first, MP4::Item(rest.second));
        const auto pictures = covers(tag);
        if (!pictures.isEmpty()) file.tag()->setItem("covr", MP4::Item(pictures));
        if (!file.save()) return nullptr;
    }
    const ByteVector &rendered = *target.data();
    auto *copy = static_cast<unsigned char *>(std::malloc(rendered.size() ? rendered.size() : 1));
    if (!copy) return nullptr;
    std::memcpy(copy, rendered.data(), rendered.size());
    *bytes = rendered.size();
    return copy;
} catch (...) {
    return nullptr;
}
