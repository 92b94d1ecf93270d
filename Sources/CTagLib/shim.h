// TagLib is C++: this system module only carries its compiler flags to CTag, which has the shim.
#pragma once
