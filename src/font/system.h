/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The fonts of the system, which are listed when text first needs them. The list comes from the index of an earlier run
 * if nothing has changed since, and fontconfig stays closed; else from fontconfig, and the index is written anew. */
#ifndef PIETRA_FONT_SYSTEM_H
#define PIETRA_FONT_SYSTEM_H

#include "font/database.h"
#include "font/fontconfig.h"

typedef struct font_system {
    bool wanted; /* text may use the fonts of the system */
    bool listed;
    char *index_path; /* owned; NULL: no index is kept */
    installed_fonts installed;
    uint32_t first_face; /* in the database, of the faces that are installed */
    fontconfig *config;  /* NULL: closed */
    bool changed;        /* the index lacks something that is known now */
} font_system;

/* Keywords of pietra_generic_family. */
extern const char *const font_generic_names[INSTALLED_GENERICS];

/* Lets text use the fonts of the system. The index is kept below the directory (cache_directory.h). */
const char *system_want(font_system *system, const char *cache_directory);
/* Adds the installed faces to the database, the first time. NULL, or why that failed. If it was for want of memory,
 * the next call tries again, else they are no longer wanted. */
const char *system_list(font_system *system, font_database *database);
/* Gives the family for a generic name. The faces must be listed. */
const char *system_find_generic(font_system *system, uint32_t generic, const char **family);
/* Gives the order in which to ask faces for characters. Only languages that write the same characters differently
 * count; the others have one order together. */
const char *system_find_order(font_system *system, const char *language, const installed_order **order);
/* Writes the index if there is something new, and frees all. */
void system_free(font_system *system);

#endif
