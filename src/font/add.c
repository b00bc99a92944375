/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Adds fonts. A folder may hold thousands, so it is read when a font is first needed: a document without text opens
 * none. What is added behind a folder waits with it, since the order counts. */
#include "base/error.h"
#include "font/folder.h"
#include "font/fonts.h"
#include "font/unpack.h"

/* ---- What waits ---- */

static const char *await(pietra_fonts *fonts, font_source *source, const char *path, bool is_folder)
{
    waiting_place place = {.is_folder = is_folder};
    if (path)
        place.path = arena_copy(&fonts->database.texts, path, strlen(path));
    if ((path && !place.path) || !array_reserve(&fonts->waiting, 1))
        return font_out_of_memory;
    place.source = path ? NULL : font_source_retain(source);
    *array_push(&fonts->waiting) = place;
    return NULL;
}

/* Returns what is wrong with the faces of a source that has to wait. */
static const char *check(font_source *source)
{
    font_database none = {0};
    const char *wrong = database_add_source(&none, source, NULL);
    database_free(&none);
    return wrong;
}

static const char *add_in_order(pietra_fonts *fonts, font_source *source, const char *path)
{
    if (fonts->waiting.count == 0)
        return database_add_source(&fonts->database, source, path);
    const char *wrong = check(source);
    return wrong ? wrong : await(fonts, source, path, false);
}

/* ---- What is needed ---- */

static const char *pass_over(pietra_fonts *fonts, const char *path, const char *wrong)
{
    pietra_error line;
    if (!wrong || wrong == font_out_of_memory)
        return wrong;
    error_set(&line, PIETRA_ERROR_INPUT, 0, "%s: %s; it is passed over", path, wrong);
    if (fonts->warning)
        fonts->warning(fonts->warning_user, 0, line.message);
    return NULL;
}

static const char *add_file_of_folder(void *user, const char *path)
{
    pietra_fonts *fonts = user;
    return pass_over(fonts, path, database_add_file(&fonts->database, path));
}

static const char *read_place(pietra_fonts *fonts, const waiting_place *place)
{
    if (place->source)
        return database_add_source(&fonts->database, place->source, NULL);
    return place->is_folder ? pass_over(fonts, place->path, folder_walk(place->path, add_file_of_folder, fonts))
                            : add_file_of_folder(fonts, place->path);
}

/* If memory runs out, all wait again, and what was read so far is not used. */
const char *fonts_read_waiting(pietra_fonts *fonts)
{
    const size_t first_face = fonts->database.faces.count;
    const char *wrong = NULL;
    for (size_t i = 0; i < fonts->waiting.count && !wrong; i++)
        wrong = read_place(fonts, &fonts->waiting.items[i]);
    for (size_t i = first_face; i < fonts->database.faces.count && wrong; i++)
        fonts->database.faces.items[i].bad = true;
    for (size_t i = 0; i < fonts->waiting.count && !wrong; i++)
        font_source_release(fonts->waiting.items[i].source);
    if (!wrong)
        array_free(&fonts->waiting);
    return wrong;
}

/* ---- The calls ---- */

pietra_result pietra_fonts_add_file(pietra_fonts *fonts, const char *path, pietra_error *error)
{
    font_source *source;
    if (!fonts)
        return error_set_null(error, "fonts");
    if (!path)
        return error_set_null(error, "path");
    const char *wrong = font_source_open(path, &source);
    if (wrong)
        return font_error(error, path, wrong);
    pthread_mutex_lock(&fonts->lock);
    wrong = add_in_order(fonts, source, path);
    pthread_mutex_unlock(&fonts->lock);
    font_source_release(source);
    return wrong ? font_error(error, path, wrong) : PIETRA_OK;
}

pietra_result pietra_fonts_add_directory(pietra_fonts *fonts, const char *path, pietra_error *error)
{
    if (!fonts)
        return error_set_null(error, "fonts");
    if (!path)
        return error_set_null(error, "path");
    const char *wrong = folder_check(path);
    if (wrong)
        return font_error(error, path, wrong);
    pthread_mutex_lock(&fonts->lock);
    wrong = await(fonts, NULL, path, true);
    pthread_mutex_unlock(&fonts->lock);
    return wrong ? font_error(error, path, wrong) : PIETRA_OK;
}

pietra_result pietra_fonts_add_bytes(pietra_fonts *fonts, const void *bytes, size_t byte_count, pietra_error *error)
{
    font_source *source;
    if (!fonts)
        return error_set_null(error, "fonts");
    if (!bytes)
        return error_set_null(error, "bytes");
    const char *wrong =
        byte_count > FONT_MOST_UNPACKED_BYTES ? font_too_large : font_source_copy(bytes, byte_count, &source);
    if (wrong)
        return font_error(error, "", wrong);
    pthread_mutex_lock(&fonts->lock);
    wrong = add_in_order(fonts, source, NULL);
    pthread_mutex_unlock(&fonts->lock);
    font_source_release(source);
    return wrong ? font_error(error, "", wrong) : PIETRA_OK;
}
