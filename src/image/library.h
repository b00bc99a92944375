/* The libraries of image formats. Few pictures contain images, and loading all five libraries takes longer than drawing
 * an icon. So each library is opened when the first image needs it, and stays open. A source file lists the functions
 * that it calls as FUNCTIONS(X). */
#ifndef PIETRA_IMAGE_LIBRARY_H
#define PIETRA_IMAGE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

extern const char image_no_library[];

/* The name of a function, and where to store its address. */
typedef struct image_function {
    const char *name;
    void *place; /* a pointer to a function */
} image_function;

typedef enum image_library_state {
    IMAGE_LIBRARY_CLOSED,
    IMAGE_LIBRARY_OPEN,
    IMAGE_LIBRARY_MISSING
} image_library_state;

/* Opens a library by the name that it had when this was built, and finds its functions. MISSING: it, or one of its
 * functions, is not there. CLOSED: out of memory; errno says so. */
image_library_state image_library_open(const char *name, const image_function *functions, size_t count);

/* Defines pointers for FUNCTIONS, and bool library_is_open(void), which opens the library once. Any thread. */
#define IMAGE_LIBRARY_POINTER(name) __typeof__(name) *name;
#define IMAGE_LIBRARY_PLACE(name) {#name, &library.name},
#define IMAGE_LIBRARY(file_name) \
    static struct { \
        FUNCTIONS(IMAGE_LIBRARY_POINTER) \
    } library; \
    static image_library_state library_state; \
    static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER; \
    static bool library_is_open(void) \
    { \
        const image_function functions[] = {FUNCTIONS(IMAGE_LIBRARY_PLACE)}; \
        pthread_mutex_lock(&library_lock); \
        if (library_state == IMAGE_LIBRARY_CLOSED) \
            library_state = image_library_open(file_name, functions, sizeof functions / sizeof functions[0]); \
        bool open = library_state == IMAGE_LIBRARY_OPEN; \
        pthread_mutex_unlock(&library_lock); \
        return open; \
    }

#endif
