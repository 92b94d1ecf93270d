#pragma once

#include <algorithm>
#include <stdexcept>
#include <sys/stat.h>
#include <taglib/tfilestream.h>

/// A file that is only looked at. By itself TagLib opens for writing too, and closing such a file tells everybody who
/// watches the folder (IN_CLOSE_WRITE) of a change that was none. Has to outlive the TagLib file that reads from it.
///
/// It throws once more was read than any tag has: a tag that says it has hundreds of megabytes would be held twice in
/// memory, and in a file that is mostly a hole TagLib looks for the last frame byte by byte, for minutes.
class ReadOnlyStream : public TagLib::FileStream {
public:
    explicit ReadOnlyStream(const char *path) : TagLib::FileStream(ordinary(path), true) {}

    /// Whether its ID3v2 tag has more frames than any: TagLib takes a kilobyte for each, so that ten megabytes of tag
    /// would be a thousand in memory.
    bool has_too_many_frames() {
        seek(0);
        const TagLib::ByteVector head = FileStream::readBlock(10);
        // TagLib takes it for granted that nobody has read before.
        seek(0);
        if (head.size() < 10 || !head.startsWith("ID3")) return false;
        const auto number = [](const TagLib::ByteVector &bytes, unsigned from, unsigned count, int bits) {
            unsigned long value = 0;
            for (unsigned at = from; at < from + count; at++) value = value << bits | static_cast<unsigned char>(bytes[at]);
            return value;
        };
        const unsigned long end = 10 + number(head, 6, 4, 7);
        const int version = head[3];
        const unsigned name = version < 3 ? 3 : 4, length = version < 3 ? 6 : 10;
        unsigned long at = 10, frames = 0;
        while (at + length <= end && frames <= 5000) {
            seek(static_cast<long>(at));
            const TagLib::ByteVector frame = FileStream::readBlock(length);
            if (frame.size() < length || frame[0] == 0) break;
            at += length + number(frame, name, name, version == 4 ? 7 : 8);
            frames++;
        }
        seek(0);
        return frames > 5000;
    }

    TagLib::ByteVector readBlock(unsigned long length) override {
        if (length > left_ && std::min<unsigned long>(length, this->length()) > left_)
            throw std::length_error("more than any tag has");
        TagLib::ByteVector block = FileStream::readBlock(length);
        left_ -= std::min<unsigned long>(block.size(), left_);
        return block;
    }

private:
    /// Opening a pipe for reading would wait for somebody who writes.
    static const char *ordinary(const char *path) {
        struct stat facts;
        return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) ? path : "";
    }

    unsigned long left_ = 32 << 20;
};
