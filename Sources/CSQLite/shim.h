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

// Whether closing the last connection leaves the log as it is. sqlite3_db_config takes any number of arguments.
static inline void nyan_keep_log(sqlite3 *handle, int keeps) {
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}
