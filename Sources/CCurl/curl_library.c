// libcurl's functions under their own names, each handed on to the library, which is loaded at the first call: its 26 libraries
// take the dynamic loader as long as all others together, and nyand answers without them (decision 0043).
#define _GNU_SOURCE
#define CURL_DISABLE_TYPECHECK
#include "shim.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
// Where the compiler's checks are off these are macros of the same names.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

// What they answer with where the library is missing, their names, parameters and arguments.
#define FUNCTIONS(X)                                                                                                  \
    X(NULL, CURL *, curl_easy_init, (void), ())                                                                       \
    X(, void, curl_easy_cleanup, (CURL * easy), (easy))                                                               \
    X(, void, curl_easy_reset, (CURL * easy), (easy))                                                                 \
    X(NULL, CURLM *, curl_multi_init, (void), ())                                                                     \
    X(CURLM_BAD_HANDLE, CURLMcode, curl_multi_cleanup, (CURLM * multi), (multi))                                      \
    X(CURLM_BAD_HANDLE, CURLMcode, curl_multi_add_handle, (CURLM * multi, CURL * easy), (multi, easy))                \
    X(CURLM_BAD_HANDLE, CURLMcode, curl_multi_remove_handle, (CURLM * multi, CURL * easy), (multi, easy))             \
    X(CURLM_BAD_HANDLE, CURLMcode, curl_multi_socket_action,                                                          \
      (CURLM * multi, curl_socket_t socket, int events, int *running), (multi, socket, events, running))              \
    X(NULL, CURLMsg *, curl_multi_info_read, (CURLM * multi, int *left), (multi, left))                               \
    X(NULL, struct curl_slist *, curl_slist_append, (struct curl_slist * list, const char *text), (list, text))       \
    X(, void, curl_slist_free_all, (struct curl_slist * list), (list))                                                \
    X(NULL, CURLU *, curl_url, (void), ())                                                                            \
    X(, void, curl_url_cleanup, (CURLU * url), (url))                                                                 \
    X(CURLUE_BAD_HANDLE, CURLUcode, curl_url_set, (CURLU * url, CURLUPart part, const char *text, unsigned int flags), \
      (url, part, text, flags))                                                                                       \
    X(, void, curl_free, (void *memory), (memory))                                                                    \
    X(-1, time_t, curl_getdate, (const char *text, const time_t *unused), (text, unused))

static struct {
    bool is_there;
    CURLcode (*curl_global_init)(long);
    CURLcode (*curl_easy_setopt)(CURL *, CURLoption, ...);
    CURLcode (*curl_easy_getinfo)(CURL *, CURLINFO, ...);
    CURLMcode (*curl_multi_setopt)(CURLM *, CURLMoption, ...);
    CURLUcode (*curl_url_get)(CURLU *, CURLUPart, char **, unsigned int);
#define FIELD(none, answer, name, parameters, arguments) answer(*name) parameters;
    FUNCTIONS(FIELD)
} library;

static void load(void) {
    // The number is that of libcurl's binary interface, which has not changed since 2006.
    void *handle = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
    if (!handle) return;
#define FIND(name)                                                         \
    library.name = (__typeof__(library.name))dlsym(handle, #name);         \
    if (!library.name) return;
#define FIND_EACH(none, answer, name, parameters, arguments) FIND(name)
    FIND(curl_global_init)
    FIND(curl_easy_setopt)
    FIND(curl_easy_getinfo)
    FIND(curl_multi_setopt)
    FIND(curl_url_get)
    FUNCTIONS(FIND_EACH)
    library.is_there = library.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

bool nyan_curl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return library.is_there;
}

#define FORWARD(none, answer, name, parameters, arguments) \
    answer name parameters {                               \
        if (!nyan_curl_load()) return none;                \
        return library.name arguments;                     \
    }
FUNCTIONS(FORWARD)

CURLUcode nyan_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
    return nyan_curl_load() ? library.curl_url_get(url, part, text, flags) : CURLUE_BAD_HANDLE;
}

// The variadic three take one value each, a pointer or a number as wide as one; it is handed on as what it is in a register.
_Static_assert(sizeof(void *) == sizeof(curl_off_t) && sizeof(void *) == sizeof(long), "one register for each value");
#define FORWARD_VALUE(none, answer, name, Handle, Option)  \
    answer name(Handle *handle, Option option, ...) {      \
        if (!nyan_curl_load()) return none;                \
        va_list values;                                    \
        va_start(values, option);                          \
        void *value = va_arg(values, void *);              \
        va_end(values);                                    \
        return library.name(handle, option, value);        \
    }
FORWARD_VALUE(CURLE_FAILED_INIT, CURLcode, curl_easy_setopt, CURL, CURLoption)
FORWARD_VALUE(CURLE_FAILED_INIT, CURLcode, curl_easy_getinfo, CURL, CURLINFO)
FORWARD_VALUE(CURLM_BAD_HANDLE, CURLMcode, curl_multi_setopt, CURLM, CURLMoption)
