// The door to libdbus-1. Nothing here but what Swift cannot import by itself.
#pragma once
#include <dbus/dbus.h>
