/* A pietra_fonts inside the library. */
#ifndef PIETRA_FONT_FONTS_H
#define PIETRA_FONT_FONTS_H

#include <pthread.h>

#include "font/database.h"
#include "font/font.h"
#include "font/system.h"

#define FONTS_GENERICS 5u
#define FONTS_KEPT 64u /* fonts that are kept open, for the next equal query */

/* A font that was opened, and for what. */
typedef struct kept_font {
    uint32_t face;
    uint64_t variations; /* their hash */
    bool lacks_weight, lacks_slant;
    pietra_font *font;
} kept_font;

struct pietra_fonts {
    pthread_mutex_t lock; /* of all that follows */
    font_database database;
    font_system system;
    const char *generics[FONTS_GENERICS]; /* the database's texts; NULL: not set */
    pietra_warning_function *warning;
    void *warning_user;
    kept_font kept[FONTS_KEPT];
    uint32_t kept_next; /* the one that is replaced next */
    bool system_warned; /* that the system's fonts cannot be listed */
};

/* What is asked of a font, with defaults filled in. */
typedef struct font_request {
    const char *const *families;
    size_t family_count;
    font_style style;
    float optical_size;
    const pietra_font_variation *variations;
    size_t variation_count;
    const uint32_t *characters; /* those that need a glyph */
    size_t character_count;
    const char *language; /* NULL: none */
    bool emoji;
} font_request;

/* Opens the font that matches best and has all the characters; the query's own text and emoji are not read. *font is
 * NULL if there is none. Takes the lock. NULL, or why that failed. */
const char *fonts_open_for(pietra_fonts *fonts, const pietra_font_query *query, const uint32_t *characters,
                           size_t character_count, bool emoji, pietra_font **font);

/* The lock must be held for the following. */

/* Chooses a face; DATABASE_NONE: there is none. Memory that runs out sets *wrong. */
uint32_t fonts_choose(pietra_fonts *fonts, const font_request *request, const char **wrong);
/* Lists the fonts of the system, if they are wanted. A system without fontconfig gets a warning. NULL, or that memory
 * ran out. */
const char *fonts_list_system(pietra_fonts *fonts);
/* Passes a face over from now on, and says why. */
void fonts_drop_face(pietra_fonts *fonts, uint32_t face, const char *wrong);

/* Whether a character needs a glyph: white space and default-ignorable characters do not. */
bool font_needs_glyph(uint32_t character);

#endif
