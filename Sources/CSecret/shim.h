// The door to libsecret.
#pragma once
#include <libsecret/secret.h>
