// The door to libcurl: fixed-arity shims for its variadic setters and getters.
#pragma once
#include <curl/curl.h>
