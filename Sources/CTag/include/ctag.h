// A small C face over TagLib, whose own C API cannot write covers. All strings are UTF-8.
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
/// TagLib's version as MAJOR * 100 + MINOR.
int ctag_version(void);
#ifdef __cplusplus
}
#endif
