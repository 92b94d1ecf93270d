// The door to SQLite.
#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast macro, which Swift cannot import: SQLite copies the bytes before these return.
static inline int nyan_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
    return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}
static inline int nyan_bind_blob(sqlite3_stmt *statement, int index, const void *blob, int bytes) {
    if (bytes == 0) return sqlite3_bind_zeroblob(statement, index, 0);
    return sqlite3_bind_blob(statement, index, blob, bytes, SQLITE_TRANSIENT);
}
