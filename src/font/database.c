/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/database.h"

#include <stdlib.h>

#include "font/unpack.h"

#define MOST_NAME_BYTES FONT_MOST_FAMILY_BYTES

void database_free(font_database *database)
{
    for (size_t i = 0; i < database->faces.count; i++) {
        font_source_release(database->faces.items[i].source);
        array_free(&database->faces.items[i].pages);
    }
    for (size_t i = 0; i < database->families.count; i++)
        array_free(&database->families.items[i].faces);
    array_free(&database->faces);
    database_forget_characters(database);
    array_free(&database->families);
    hash_free(&database->family_names);
    arena_free(&database->texts);
}

/* ---- Families ---- */

static text make_lower(text name, char room[MOST_NAME_BYTES])
{
    const size_t count = name.count < MOST_NAME_BYTES ? name.count : MOST_NAME_BYTES;
    for (size_t i = 0; i < count; i++)
        room[i] = text_lower(name.bytes[i]);
    return (text){room, count};
}

static uint32_t find_lower(const font_database *database, text lower)
{
    hash_walk walk = hash_find(&database->family_names, hash_bytes(lower.bytes, lower.count));
    for (; hash_found(&walk); hash_next(&walk))
        if (text_equal(database->families.items[walk.value].name, lower))
            return walk.value;
    return DATABASE_NONE;
}

uint32_t database_find_family(const font_database *database, text name)
{
    char room[MOST_NAME_BYTES];
    return find_lower(database, make_lower(name, room));
}

static bool add_family(font_database *database, text lower)
{
    const uint32_t number = (uint32_t)database->families.count;
    char *copy = arena_copy(&database->texts, lower.bytes, lower.count);
    if (!copy || !array_reserve(&database->families, 1) ||
        !hash_insert(&database->family_names, hash_bytes(lower.bytes, lower.count), number))
        return false;
    database->families.items[database->families.count++] = (database_family){.name = {copy, lower.count}};
    return true;
}

static bool add_to_family(font_database *database, text name, uint32_t face)
{
    char room[MOST_NAME_BYTES];
    const text lower = make_lower(name, room);
    uint32_t number = find_lower(database, lower);
    if (number == DATABASE_NONE) {
        number = (uint32_t)database->families.count;
        if (!add_family(database, lower))
            return false;
    }
    database_family *family = &database->families.items[number];
    /* Two names of a face may differ in case alone. */
    if (family->faces.count > 0 && *array_last(&family->faces) == face)
        return true;
    uint32_t *added = array_push(&family->faces);
    if (!added)
        return false;
    *added = face;
    family->added |= !database->faces.items[face].from_system;
    return true;
}

/* ---- Faces ---- */

uint32_t database_add(font_database *database, const database_face *face)
{
    const uint32_t number = (uint32_t)database->faces.count;
    database_face *added = array_push(&database->faces);
    if (!added)
        return DATABASE_NONE;
    *added = *face;
    added->source = face->source ? font_source_retain(face->source) : NULL;
    for (size_t at = 0; at < face->families_bytes; at += strlen(face->families + at) + 1) {
        if (!add_to_family(database, text_of_string(face->families + at), number)) {
            added->bad = true; /* families may name it already */
            return DATABASE_NONE;
        }
    }
    return number;
}

/* A packed source has no face number but the packed one's, so it stays packed. */
const char *database_read_facts(font_source *source, uint32_t index, font_facts *facts)
{
    sfnt font;
    font_source *unpacked = font_source_retain(source);
    const char *wrong = font_unpack(&unpacked, &index);
    if (!wrong) {
        wrong = sfnt_open(unpacked, index, &font);
        if (!wrong)
            wrong = font_facts_read(&font, facts);
        sfnt_close(&font);
    }
    font_source_release(unpacked);
    return wrong;
}

static const char *add_face(font_database *database, font_source *source, const char *path, uint32_t index)
{
    font_facts facts = {0};
    const char *wrong = database_read_facts(source, index, &facts);
    if (!wrong && database->faces.count >= DATABASE_MOST_FACES)
        wrong = "there are more than a million faces";
    if (wrong)
        return wrong;
    const database_face face = {
        .traits = facts.traits,
        .families = facts.families_bytes ? arena_copy(&database->texts, facts.families, facts.families_bytes) : "",
        .families_bytes = facts.families_bytes,
        .path = path,
        .source = source->file < 0 ? source : NULL,
        .index = index,
    };
    if (!face.families || database_add(database, &face) == DATABASE_NONE)
        wrong = font_out_of_memory;
    font_facts_free(&facts);
    return wrong;
}

const char *database_add_source(font_database *database, font_source *source, const char *path)
{
    uint32_t count;
    const char *wrong = font_count_faces(source, &count), *copy = NULL;
    if (!wrong && path) {
        copy = arena_copy(&database->texts, path, strlen(path));
        wrong = copy ? NULL : font_out_of_memory;
    }
    for (uint32_t i = 0; !wrong && i < count; i++)
        wrong = add_face(database, source, copy, i);
    return wrong;
}

const char *database_add_file(font_database *database, const char *path)
{
    font_source *source;
    const char *wrong = font_source_open(path, &source);
    if (wrong)
        return wrong;
    wrong = database_add_source(database, source, path);
    font_source_release(source);
    return wrong;
}

/* ---- Reading again ---- */

const char *database_open(const database_face *face, font_source **source, uint32_t *index)
{
    const char *wrong = NULL;
    if (face->source)
        *source = font_source_retain(face->source);
    else
        wrong = font_source_open(face->path, source);
    if (wrong)
        return wrong;
    *index = face->index;
    wrong = font_unpack(source, index);
    if (wrong)
        font_source_release(*source);
    return wrong;
}

const char *database_load(database_face *face)
{
    font_facts facts = {0};
    if (!face->document || face->source || face->bad)
        return NULL;
    const char *wrong = face->document->load(face->document->user, &face->source, &face->index);
    if (wrong || !face->source) {
        face->bad = !wrong;
        return wrong;
    }
    wrong = database_read_facts(face->source, face->index, &facts);
    face->inner = facts.traits;
    face->traits.colors = facts.traits.colors;
    font_facts_free(&facts);
    return wrong;
}

const char *database_read_traits(database_face *face)
{
    font_source *source;
    font_facts facts = {0};
    uint32_t index;
    if (!face->rough)
        return NULL;
    const char *wrong = database_open(face, &source, &index);
    if (wrong)
        return wrong;
    wrong = database_read_facts(source, index, &facts);
    font_source_release(source);
    if (!wrong) {
        face->traits = facts.traits;
        face->rough = false;
    }
    font_facts_free(&facts);
    return wrong;
}

static const char *read_cmap(const font_source *source, uint32_t index, font_pages *pages)
{
    sfnt font;
    font_piece cmap = {0};
    const char *wrong = sfnt_open(source, index, &font);
    if (!wrong)
        wrong = sfnt_read(&font, FONT_TAG('c', 'm', 'a', 'p'), &cmap);
    if (!wrong && !font_characters_read(cmap.bytes, pages))
        wrong = font_out_of_memory;
    font_piece_free(&cmap);
    sfnt_close(&font);
    return wrong;
}

const char *database_read_characters(database_face *face)
{
    font_source *source;
    uint32_t index;
    if (face->characters_known)
        return NULL;
    const char *wrong = database_open(face, &source, &index);
    if (wrong)
        return wrong;
    wrong = read_cmap(source, index, &face->pages);
    font_source_release(source);
    if (wrong)
        return wrong;
    face->characters = (font_characters){face->pages.items, face->pages.count};
    face->characters_known = true;
    return NULL;
}

/* ---- All characters ---- */

static void join(uint32_t *all, font_characters characters)
{
    for (size_t i = 0; i < characters.page_count; i++)
        for (size_t k = 0; k < 8; k++)
            all[8 * (size_t)characters.pages[i].number + k] |= characters.pages[i].bits[k];
}

/* A face that turns out to be bad later keeps its characters here, which does no harm. */
const char *database_join_characters(font_database *database)
{
    if (!database->characters)
        database->characters = calloc(FONT_LAST_CHARACTER / 32 + 1, sizeof *database->characters);
    if (!database->characters)
        return font_out_of_memory;
    for (; database->joined < database->faces.count; database->joined++) {
        const database_face *face = &database->faces.items[database->joined];
        if (!face->bad && !face->characters_known)
            return NULL;
        if (!face->bad)
            join(database->characters, face->characters);
    }
    return NULL;
}

void database_forget_characters(font_database *database)
{
    free(database->characters);
    database->characters = NULL;
    database->joined = 0;
}

bool database_lacks(const font_database *database, uint32_t character)
{
    return database->characters && database->joined == database->faces.count && character <= FONT_LAST_CHARACTER &&
           (database->characters[character / 32] >> character % 32 & 1) == 0;
}
