// The door to GLib: its key-file reader.
#pragma once
#include <glib.h>
