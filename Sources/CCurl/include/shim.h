// The door to libcurl: fixed-arity shims for its variadic setters and getters. No logic. The functions of <curl/curl.h> that
// are called here and in Swift are those of curl_library.c, which loads libcurl at the first call (decision 0043).
#pragma once
#include <curl/curl.h>
#include <stdbool.h>

// Loads libcurl and readies it for use, some milliseconds' work the first time; from any thread. False where it is not
// installed: then no handle is made and nothing can be read.
bool nyan_curl_load(void);

// curl_url_get; the type of its first parameter differs between versions.
CURLUcode nyan_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags);

// Options of an easy handle, by the kind of value.
static inline CURLcode nyan_easy_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode nyan_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
// libcurl copies the text, except for CURLOPT_POSTFIELDS.
static inline CURLcode nyan_easy_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
// Copies the body; CURLOPT_POSTFIELDSIZE_LARGE must be set before.
static inline CURLcode nyan_easy_set_body(CURL *easy, const void *bytes) {
    return curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, (const char *)bytes);
}
// The list must live as long as the handle uses it.
static inline CURLcode nyan_easy_set_headers(CURL *easy, struct curl_slist *list) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
}
static inline CURLcode nyan_easy_on_body(CURL *easy, curl_write_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callback);
    return code ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}
static inline CURLcode nyan_easy_on_header(CURL *easy, curl_write_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callback);
    return code ? code : curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

// Who makes and closes the sockets of connections; both are called from inside libcurl's calls only.
static inline CURLcode nyan_easy_on_sockets(
    CURL *easy, curl_opensocket_callback open, curl_closesocket_callback close) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
    return code ? code : curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close);
}

// What an easy handle knows after a transfer; NULL or 0 when it does not.
static inline const char *nyan_easy_text(CURL *easy, CURLINFO info) {
    char *text = 0;
    return curl_easy_getinfo(easy, info, &text) == CURLE_OK ? text : 0;
}
static inline long nyan_easy_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

// Options of a multi handle.
static inline CURLMcode nyan_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode nyan_multi_on_socket(CURLM *multi, curl_socket_callback callback, void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
    return code ? code : curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
}
static inline CURLMcode nyan_multi_on_timer(CURLM *multi, curl_multi_timer_callback callback, void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
    return code ? code : curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}
