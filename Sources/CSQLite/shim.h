// The door to SQLite.
#pragma once
#include <sqlite3.h>
