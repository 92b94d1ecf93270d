// The door to what Linux has and the Glibc module leaves out.
#pragma once
#include <sys/prctl.h>

/// No core dump of this process, and no other process of this user may read its memory (prctl(2) PR_SET_DUMPABLE).
static inline int nyan_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
