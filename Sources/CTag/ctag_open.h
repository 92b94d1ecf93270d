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
