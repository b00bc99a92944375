/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The faces among which text chooses: families, their faces, and where the bytes are. One thread at a time.
 *
 * A file is opened when a face is added, for its facts, and again when its characters or outlines are asked for. Faces
 * of the system come with facts and characters, so their files are opened only to draw. */
#ifndef PIETRA_FONT_DATABASE_H
#define PIETRA_FONT_DATABASE_H

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/text.h"
#include "font/characters.h"
#include "font/facts.h"
#include "font/match.h"

#define DATABASE_MOST_FACES 1000000u
#define DATABASE_NONE UINT32_MAX

/* Code points, both ends included. */
typedef struct font_code_range {
    uint32_t first, last;
} font_code_range;

/* What a document says of a face that it brings along (@font-face). The bytes are fetched when the face is chosen. */
typedef struct document_face {
    const font_code_range *ranges;              /* the characters for which it may be chosen; */
    size_t range_count;                         /* 0: all */
    bool free_weight, free_stretch, free_angle; /* its axes are not limited: what is wanted is taken */
    /* Gives an unpacked source, which the caller releases; NULL: nothing that it names is a font. Returns NULL, or that
     * memory ran out. */
    const char *(*load)(void *user, font_source **source, uint32_t *index);
    void *user;
} document_face;

typedef struct database_face {
    font_traits traits;
    const char *families; /* as in font_facts; the arena's, or the index's */
    size_t families_bytes;
    const char *path;    /* NULL: the source has the bytes */
    font_source *source; /* NULL: the file is opened when it is needed */
    uint32_t index;      /* the face's index in the file */
    bool from_system;
    bool rough; /* not all traits are known, only what fontconfig says of a variable face */
    bool bad;   /* it could not be read, and is passed over from now on */
    bool characters_known;
    font_characters characters;
    font_pages pages;              /* owned: the characters, unless they are the index's */
    const document_face *document; /* NULL: no document brings it; else it lives as long as the database */
    font_traits inner;             /* what the font itself says, once a document's face is loaded */
} database_face;

/* The faces of one family, in the order in which they were added. */
typedef struct database_family {
    text name; /* in lower case, as far as it is ASCII */
    ARRAY(uint32_t) faces;
    bool added; /* one of the faces is not the system's */
} database_family;

typedef struct font_database {
    ARRAY(database_face) faces;
    /* Since no face had some character: a bit for each one that any of the first `joined` faces has. */
    uint32_t *characters; /* owned; NULL: that was not needed so far */
    size_t joined;
    ARRAY(database_family) families;
    hash_table family_names;
    arena texts;
} font_database;

void database_free(font_database *database);

/* Adds a face, whose texts must live as long as the database. The source is retained. DATABASE_NONE: out of
 * memory. */
uint32_t database_add(font_database *database, const database_face *face);
/* Add all faces of a file, or of bytes that are retained. `path` may be NULL for bytes. */
const char *database_add_source(font_database *database, font_source *source, const char *path);
const char *database_add_file(font_database *database, const char *path);

/* Returns the number of the family, whose name is compared without regard to the case of ASCII letters; DATABASE_NONE:
 * there is none. */
uint32_t database_find_family(const font_database *database, text name);

/* Opens the source of a face, unpacked, and gives the face's number there. The caller releases it. */
const char *database_open(const database_face *face, font_source **source, uint32_t *index);
/* Loads a face that a document brings, if that was not done yet. It may turn out to be bad. */
const char *database_load(database_face *face);
/* Reads the traits of a face of an unpacked source. */
const char *database_read_facts(font_source *source, uint32_t index, font_facts *facts);
/* Reads the traits of a face from its file, if they are rough. */
const char *database_read_traits(database_face *face);
/* Reads the characters of a face, if they are not known. */
const char *database_read_characters(database_face *face);
/* Joins the characters of all faces, as far as they are known. */
const char *database_join_characters(font_database *database);
/* Forgets them, since faces may be added without being listed here so far. */
void database_forget_characters(font_database *database);
/* Returns whether no face has a character. False is also said where that is not known. */
bool database_lacks(const font_database *database, uint32_t character);

#endif
