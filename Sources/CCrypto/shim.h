// The door to libcrypto: AES-128-CBC and SHA-256 only.
#pragma once
#include <openssl/evp.h>
