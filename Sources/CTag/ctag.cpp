#include "ctag.h"
#include <taglib/taglib.h>
int ctag_version(void) { return TAGLIB_MAJOR_VERSION * 100 + TAGLIB_MINOR_VERSION; }
