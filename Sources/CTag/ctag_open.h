#pragma once

#include <sys/stat.h>
#include <taglib/tfilestream.h>

/// A file that is only looked at. By itself TagLib opens for writing too, and closing such a file tells everybody who
/// watches the folder (IN_CLOSE_WRITE) of a change that was none. Has to outlive the TagLib file that reads from it.
class ReadOnlyStream : public TagLib::FileStream {
public:
    explicit ReadOnlyStream(const char *path) : TagLib::FileStream(ordinary(path), true) {}

private:
    /// Opening a pipe for reading would wait for somebody who writes.
    static const char *ordinary(const char *path) {
        struct stat facts;
        return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) ? path : "";
    }
};
