// The door to libcrypto: AES-128-CBC only.
#pragma once
#include <openssl/evp.h>
