#pragma once

#include <algorithm>
#include <stdexcept>
#include <sys/stat.h>
#include <taglib/tfilestream.h>

/// A file that is only looked at. By itself TagLib opens for writing too, and closing such a file tells everybody who
/// watches the folder (IN_CLOSE_WRITE) of a change that was none. Has to outlive the TagLib file that reads from it.
///
/// It ends, and `is_spent()`, once more was read than any tag has: a tag that says it has hundreds of megabytes would be
/// held twice in memory, and in a file that is mostly a hole TagLib looks for the last frame piece by piece, for minutes. The
/// same where an ID3v2 tag, wherever it stands, has more frames than any. What was read of such a file is not to be believed.
/// No exception says it: TagLib's constructors would lose all they hold by then, up to megabytes of frames.
class ReadOnlyStream : public TagLib::FileStream {
public:
    explicit ReadOnlyStream(const char *path) : TagLib::FileStream(ordinary(path), true) {}

    TagLib::ByteVector readBlock(unsigned long length) override {
        if (is_spent_) return end();
        // What looks for something reads a kilobyte at a time; what has found it reads it whole.
        unsigned long &left = length <= 4096 ? left_to_search_ : left_to_read_;
        if (length > left && std::min<unsigned long>(length, this->length()) > left) return end();
        TagLib::ByteVector block = FileStream::readBlock(length);
        left -= std::min<unsigned long>(block.size(), left);
        // TagLib reads the ten bytes of a tag's head, and then all of its frames at once.
        if (head_.size() == 10 && head_.startsWith("ID3") && is_crowded(block)) return end();
        head_ = block.size() == 10 ? block : TagLib::ByteVector();
        return block;
    }

    void seek(long offset, Position place = Beginning) override {
        if (!is_spent_) FileStream::seek(offset, place);
    }

    bool is_spent() const { return is_spent_; }

private:
    /// Nothing more. TagLib goes on looking through 4 GiB, the largest file that is taken, a kilobyte at a time, in half a
    /// second; what does not end by itself is stopped.
    TagLib::ByteVector end() {
        is_spent_ = true;
        if (++reads_behind_ > 5000000) throw std::length_error("more than any tag has");
        return TagLib::ByteVector();
    }

    static unsigned long number(const TagLib::ByteVector &bytes, unsigned long from, unsigned count, int bits) {
        unsigned long value = 0;
        for (unsigned long at = from; at < from + count; at++)
            value = value << bits | static_cast<unsigned char>(bytes[static_cast<int>(at)]);
        return value;
    }

    /// Whether an ID3v2 tag whose head was read before has more frames than any: TagLib takes a kilobyte of memory for
    /// each, so that ten megabytes of tag would be a thousand.
    bool is_crowded(const TagLib::ByteVector &tag) const {
        const int version = head_[3];
        const unsigned name = version < 3 ? 3 : 4, length = version < 3 ? 6 : 10;
        // An extended header stands before them, of a length as TagLib reads it.
        unsigned long at = (head_[5] & 0x40) && tag.size() >= 4 ? number(tag, 0, 4, 7) : 0, frames = 0;
        while (at + length <= tag.size() && tag[static_cast<int>(at)] != 0) {
            if (++frames > 5000) return true;
            at += length + number(tag, at + name, name, version == 4 ? 7 : 8);
        }
        return false;
    }

    /// Opening a pipe for reading would wait for somebody who writes.
    static const char *ordinary(const char *path) {
        struct stat facts;
        return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) ? path : "";
    }

    bool is_spent_ = false;
    unsigned reads_behind_ = 0;
    unsigned long left_to_search_ = 32 << 20, left_to_read_ = 64 << 20;
    /// The last ten bytes read, where they were read as ten.
    TagLib::ByteVector head_;
};
