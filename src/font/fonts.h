/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A pietra_fonts inside the library. */
#ifndef PIETRA_FONT_FONTS_H
#define PIETRA_FONT_FONTS_H

#include <pthread.h>

#include "font/database.h"
#include "font/font.h"
#include "font/system.h"

#define FONTS_KEPT 64u /* fonts that are kept open, for the next query */

/* What was added and is not read yet. */
typedef struct waiting_place {
    const char *path;    /* the database's text; NULL: the source has the bytes */
    font_source *source; /* owned; NULL: there is a path */
    bool is_folder;
} waiting_place;

struct pietra_fonts {
    pthread_mutex_t lock;      /* guards all that follows */
    pietra_fonts *base;        /* the fonts to which a document's faces are added; else NULL */
    ARRAY(font_face *) passed; /* owned: faces of these fonts, or of the base, that spoiled a text of the document */
    bool ranged;               /* a document's face may be chosen for some characters only */
    font_database database;
    ARRAY(waiting_place) waiting; /* a folder, and what was added behind it, until a font is first needed */
    font_system system;
    const char *generics[INSTALLED_GENERICS]; /* the database's texts; NULL: not set */
    pietra_warning_function *warning;
    void *warning_user;
    living_table *faces, *fonts;   /* those that are open; they may outlive this object */
    pietra_font *kept[FONTS_KEPT]; /* owned; NULL: none */
    uint32_t kept_next;            /* the one that is replaced next */
    bool system_warned;            /* the caller knows that the system's fonts cannot be listed */
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

/* Makes fonts that have all of `base`, which must outlive them, and faces of a document besides. A document's face
 * comes before one of `base` of the same family, and is never taken for another family. The function receives what is
 * wrong with the document's faces, and with others in its texts; NULL: that of `base` does. One thread at a time. NULL:
 * out of memory. */
pietra_fonts *fonts_create_over(pietra_fonts *base, pietra_warning_function *warning, void *user);
/* Adds a face of a document. `face`, and the traits that the document states, must live as long as the fonts. Of equal
 * faces the last one counts, so add them from the last to the first. False: out of memory. */
bool fonts_add_document_face(pietra_fonts *fonts, const char *family, font_traits traits, const document_face *face);
/* Passes the face of a font over from now on, since a text cannot be set in it, and says why. The base does not change,
 * so no document depends on what others show. Takes the lock. False: out of memory. */
bool fonts_pass_over(pietra_fonts *fonts, const pietra_font *font, const char *wrong);
bool fonts_are_passed_over(const pietra_fonts *fonts, const pietra_font *font);
/* Returns whether the first family that has a character need not be its font. */
bool fonts_are_ranged(const pietra_fonts *fonts);

/* Returns PIETRA_OK, or what is wrong with a query. */
pietra_result fonts_check_query(const pietra_font_query *query, pietra_error *error);
/* Opens the font that matches best and has all the characters; the query's own text and emoji are not read. *font is
 * NULL if there is none. Takes the lock. NULL, or why that failed. */
const char *fonts_open_for(pietra_fonts *fonts, const pietra_font_query *query, const uint32_t *characters,
                           size_t character_count, bool emoji, pietra_font **font);

/* The lock must be held for the following, and that of the base, too. */

/* A face, and whose it is: that of a document or of what it is added to. */
typedef struct font_choice {
    pietra_fonts *fonts;
    uint32_t face; /* DATABASE_NONE: there is none */
} font_choice;

/* Reads what waits. What is bad is passed over with a warning. NULL, or that memory ran out. */
const char *fonts_read_waiting(pietra_fonts *fonts);
/* Chooses a face. Memory that runs out sets *wrong. */
font_choice fonts_choose(pietra_fonts *fonts, const font_request *request, const char **wrong);
/* Finds a face by its full name or its PostScript name: a family with the words of its style. *source
 * is NULL if there is none, else the caller's, and unpacked. NULL, or that memory ran out. */
const char *fonts_find_local(pietra_fonts *fonts, text name, font_source **source, uint32_t *index);
/* Lists the fonts of the system, if they are wanted. A system without fontconfig gets a warning. NULL, or that memory
 * ran out. */
const char *fonts_list_system(pietra_fonts *fonts);
/* Warns of a face that is passed over. */
void fonts_warn_of_face(const pietra_fonts *fonts, const database_face *face, const char *wrong);
/* Passes a face over from now on, and says why. */
void fonts_drop_face(pietra_fonts *fonts, uint32_t face, const char *wrong);

/* What a character needs of a font. */
typedef enum font_need {
    FONT_NEEDS_GLYPH,   /* a glyph of its own; where none has it, it is a box with its number */
    FONT_PREFERS_GLYPH, /* a glyph of its own if some font has it; else it is not seen */
    FONT_NEEDS_BLANK,   /* the glyph of U+0020, from which HarfBuzz makes a blank of another width */
    FONT_NEEDS_NOTHING, /* HarfBuzz hides it by itself, or those who lay text out do */
    FONT_NEEDS_HIDING,  /* HarfBuzz would show the glyph for what a font lacks */
} font_need;

font_need font_need_of(uint32_t character);
static inline bool font_needs_glyph(uint32_t character)
{
    return font_need_of(character) == FONT_NEEDS_GLYPH;
}

#endif
