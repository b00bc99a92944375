/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/fonts.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/utf8.h"

#define BOLD_WEIGHT 600.0f /* from here on a lighter face lacks weight */
#define SLANTED_ANGLE 1.0f /* degrees */

/* ---- The object ---- */

pietra_fonts *pietra_fonts_create(void)
{
    pietra_fonts *fonts = calloc(1, sizeof *fonts);
    if (!fonts)
        return NULL;
    fonts->faces = living_table_create();
    fonts->fonts = living_table_create();
    if (fonts->faces && fonts->fonts && pthread_mutex_init(&fonts->lock, NULL) == 0)
        return fonts;
    living_table_release(fonts->faces);
    living_table_release(fonts->fonts);
    free(fonts);
    return NULL;
}

void pietra_fonts_destroy(pietra_fonts *fonts)
{
    if (!fonts)
        return;
    for (size_t i = 0; i < FONTS_KEPT; i++)
        pietra_font_destroy(fonts->kept[i]);
    for (size_t i = 0; i < fonts->waiting.count; i++)
        font_source_release(fonts->waiting.items[i].source);
    array_free(&fonts->waiting);
    for (size_t i = 0; i < fonts->passed.count; i++)
        font_face_release(fonts->passed.items[i]);
    array_free(&fonts->passed);
    living_table_release(fonts->faces);
    living_table_release(fonts->fonts);
    database_free(&fonts->database);
    system_free(&fonts->system);
    pthread_mutex_destroy(&fonts->lock);
    free(fonts);
}

void pietra_fonts_set_warning(pietra_fonts *fonts, pietra_warning_function *warning, void *user)
{
    if (!fonts)
        return;
    pthread_mutex_lock(&fonts->lock);
    fonts->warning = warning;
    fonts->warning_user = user;
    pthread_mutex_unlock(&fonts->lock);
}

/* ---- Fonts over others ---- */

pietra_fonts *fonts_create_over(pietra_fonts *base, pietra_warning_function *warning, void *user)
{
    pietra_fonts *fonts = pietra_fonts_create();
    if (!fonts)
        return NULL;
    fonts->base = base;
    pietra_fonts_set_warning(fonts, warning, user);
    return fonts;
}

bool fonts_add_document_face(pietra_fonts *fonts, const char *family, font_traits traits, const document_face *face)
{
    const database_face added = {
        .traits = traits, .families = family, .families_bytes = strlen(family) + 1, .document = face};
    fonts->ranged |= face->range_count > 0;
    return database_add(&fonts->database, &added) != DATABASE_NONE;
}

bool fonts_are_ranged(const pietra_fonts *fonts)
{
    return fonts->ranged;
}

/* ---- The system, and families ---- */

pietra_result pietra_fonts_add_system(pietra_fonts *fonts, const char *cache_directory, pietra_error *error)
{
    if (!fonts)
        return error_set_null(error, "fonts");
    pthread_mutex_lock(&fonts->lock);
    const char *wrong = system_want(&fonts->system, cache_directory);
    database_forget_characters(&fonts->database);
    pthread_mutex_unlock(&fonts->lock);
    return wrong ? font_error(error, "", wrong) : PIETRA_OK;
}

pietra_result pietra_fonts_set_family(pietra_fonts *fonts, pietra_generic_family generic, const char *family,
                                      pietra_error *error)
{
    if (!fonts)
        return error_set_null(error, "fonts");
    if (!family)
        return error_set_null(error, "family");
    if ((unsigned)generic >= INSTALLED_GENERICS)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "generic is %u, which names no generic family",
                         (unsigned)generic);
    pthread_mutex_lock(&fonts->lock);
    const char *copy = arena_copy(&fonts->database.texts, family, strlen(family));
    if (copy)
        fonts->generics[generic] = copy;
    pthread_mutex_unlock(&fonts->lock);
    return copy ? PIETRA_OK : error_set_memory(error);
}

pietra_result pietra_fonts_list(pietra_fonts *fonts, pietra_face_function *function, void *user, pietra_error *error)
{
    if (!fonts)
        return error_set_null(error, "fonts");
    if (!function)
        return error_set_null(error, "function");
    pthread_mutex_lock(&fonts->lock);
    const char *wrong = fonts_read_waiting(fonts);
    if (!wrong)
        wrong = fonts_list_system(fonts);
    for (size_t i = 0; !wrong && i < fonts->database.faces.count; i++) {
        const database_face *face = &fonts->database.faces.items[i];
        const font_traits *traits = &face->traits;
        const pietra_face described = {
            .family = face->families_bytes ? face->families : "",
            .path = face->path,
            .index = face->index,
            .weight_least = (double)traits->weight.least,
            .weight_most = (double)traits->weight.most,
            .stretch_least = (double)traits->stretch.least,
            .stretch_most = (double)traits->stretch.most,
            .slanted = traits->slope != FONT_UPRIGHT,
        };
        if (!face->bad)
            function(user, &described);
    }
    pthread_mutex_unlock(&fonts->lock);
    return wrong ? font_error(error, "", wrong) : PIETRA_OK;
}

/* ---- Queries ---- */

pietra_result fonts_check_query(const pietra_font_query *query, pietra_error *error)
{
    if (!query->families && query->family_count > 0)
        return error_set_null(error, "families");
    if (!query->variations && query->variation_count > 0)
        return error_set_null(error, "variations");
    for (size_t i = 0; i < query->family_count; i++)
        if (!query->families[i])
            return error_set_null(error, "a family");
    if (!(query->weight == 0 || (query->weight >= 1 && query->weight <= 1000)))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "weight is not between 1 and 1000");
    if (!(query->stretch >= 0 && query->stretch <= 10000))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "stretch is not between 0 and 10000 percent");
    if ((unsigned)query->slope > PIETRA_SLOPE_OBLIQUE)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "slope is %u, which is none", (unsigned)query->slope);
    if (!(fabs(query->angle) <= 90))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "angle is not between -90 and 90 degrees");
    if (!(query->optical_size >= 0 && query->optical_size <= 1e6))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "optical_size is not between 0 and 1000000");
    if (!font_are_finite(query->variations, query->variation_count))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a variation is not finite");
    return PIETRA_OK;
}

static font_request make_request(const pietra_font_query *query, const uint32_t *characters, size_t character_count)
{
    static const font_slope slopes[] = {FONT_UPRIGHT, FONT_ITALIC, FONT_OBLIQUE};
    return (font_request){
        .families = query->families,
        .family_count = query->family_count,
        .style = {.weight = query->weight != 0 ? (float)query->weight : 400,
                  .stretch = query->stretch != 0 ? (float)query->stretch : 100,
                  .slope = slopes[query->slope],
                  .angle = query->angle != 0 ? (float)query->angle : FONT_USUAL_ANGLE},
        .optical_size = (float)query->optical_size,
        .variations = query->variations,
        .variation_count = query->variation_count,
        .characters = characters,
        .character_count = character_count,
        .language = query->language,
        .emoji = query->emoji,
    };
}

typedef ARRAY(uint32_t) character_list;

static bool list_characters(const char *text, character_list *characters)
{
    const char *at = text, *end = text ? text + strlen(text) : NULL;
    while (at < end) {
        const uint32_t character = utf8_decode(&at, end);
        if (!font_needs_glyph(character))
            continue;
        uint32_t *added = array_push(characters);
        if (!added)
            return false;
        *added = character;
    }
    return true;
}

/* ---- Opening ---- */

typedef ARRAY(pietra_font_variation) variation_list;

static float clamp(float value, font_range range)
{
    return value < range.least ? range.least : value > range.most ? range.most : value;
}

/* Returns the traits of a face with the ranges within which its axes may be set. */
static font_traits find_axes(const database_face *face)
{
    font_traits traits = face->traits;
    if (!face->document)
        return traits;
    traits.variable = face->inner.variable;
    traits.has_italic_axis = face->inner.has_italic_axis;
    if (face->document->free_weight)
        traits.weight = face->inner.weight;
    if (face->document->free_stretch)
        traits.stretch = face->inner.stretch;
    if (face->document->free_angle)
        traits.angle = face->inner.angle;
    return traits;
}

/* Lists where a face stands on its axes. HarfBuzz takes the last of several values, and ignores axes that are not
 * there. The angle of slnt counts counter-clockwise. */
static bool list_variations(const database_face *face, const font_request *request, variation_list *list)
{
    const font_traits traits_of_axes = find_axes(face), *traits = &traits_of_axes;
    const font_style style = request->style;
    const float angle = style.slope == FONT_UPRIGHT ? 0 : style.slope == FONT_ITALIC ? FONT_USUAL_ANGLE : style.angle;
    const pietra_font_variation usual[] = {
        {PIETRA_FONT_TAG('w', 'g', 'h', 't'), clamp(style.weight, traits->weight)},
        {PIETRA_FONT_TAG('w', 'd', 't', 'h'), clamp(style.stretch, traits->stretch)},
        {PIETRA_FONT_TAG('i', 't', 'a', 'l'), style.slope == FONT_ITALIC && traits->has_italic_axis ? 1 : 0},
        {PIETRA_FONT_TAG('s', 'l', 'n', 't'), -clamp(angle, traits->angle)},
        {PIETRA_FONT_TAG('o', 'p', 's', 'z'), request->optical_size},
    };
    if (!traits->variable)
        return true;
    const size_t usual_count = sizeof usual / sizeof usual[0] - (request->optical_size == 0 ? 1 : 0);
    if (!array_reserve(list, usual_count + request->variation_count))
        return false;
    memcpy(list->items, usual, usual_count * sizeof usual[0]);
    if (request->variation_count)
        memcpy(list->items + usual_count, request->variations, request->variation_count * sizeof usual[0]);
    list->count = usual_count + request->variation_count;
    return true;
}

static bool lacks_slant(const font_traits *traits, font_style style)
{
    return style.slope != FONT_UPRIGHT && fabsf(style.angle) >= SLANTED_ANGLE && traits->slope == FONT_UPRIGHT &&
           !traits->has_italic_axis && traits->angle.least == traits->angle.most;
}

/* What tells fonts of a pietra_fonts apart. */
typedef struct font_key {
    const font_face *face;
    int coordinates[FONT_MOST_AXES]; /* where it stands on the face's axes, as HarfBuzz computes with them */
    bool lacks_weight, lacks_slant;
} font_key;

static bool is_face(const living *entry, const void *key)
{
    const font_face *face = (const font_face *)entry;
    return face->number == *(const uint32_t *)key && !face->is_spoiled;
}

/* The hash stands for the rest: nobody knows its key, so nobody can make two of them equal. */
static bool is_font(const living *entry, const void *key)
{
    return ((const pietra_font *)entry)->face == ((const font_key *)key)->face;
}

static uint64_t hash_key(const font_key *key)
{
    const uint64_t parts[] = {key->face->number, key->lacks_weight, key->lacks_slant,
                              hash_bytes(key->coordinates, key->face->axis_count * sizeof key->coordinates[0])};
    return hash_bytes(parts, sizeof parts);
}

/* Finds a face that some font has, or opens it. The caller releases it. */
static const char *find_face(pietra_fonts *fonts, uint32_t number, font_face **face)
{
    font_source *source;
    uint32_t index;
    const uint64_t hash = hash_bytes(&number, sizeof number);
    *face = (font_face *)living_find(fonts->faces, hash, is_face, &number);
    if (*face)
        return NULL;
    const char *wrong = database_open(&fonts->database.faces.items[number], &source, &index);
    if (wrong)
        return wrong;
    wrong = font_face_open(source, index, face);
    font_source_release(source);
    if (wrong)
        return wrong;
    (*face)->number = number;
    if ((*face)->lookups.comparisons > FONT_MOST_COMPARISONS)
        return "its rules for glyphs take too long";
    return living_add(fonts->faces, &(*face)->living, hash) ? NULL : font_out_of_memory;
}

/* Keeps a font open, in place of the one that was opened longest ago. */
static void keep(pietra_fonts *fonts, pietra_font *font)
{
    pietra_font_destroy(fonts->kept[fonts->kept_next]);
    fonts->kept[fonts->kept_next] = font_retain(font);
    fonts->kept_next = (fonts->kept_next + 1) % FONTS_KEPT;
}

/* Finds a font that somebody has, or makes it. */
static const char *find_font(pietra_fonts *fonts, font_face *face, const variation_list *variations, font_key *key,
                             pietra_font **font)
{
    if (variations->count > 0 && face->axis_count > 0)
        face->harfbuzz->hb_ot_var_normalize_variations(face->shared, (const hb_variation_t *)variations->items,
                                                       (unsigned)variations->count, key->coordinates, face->axis_count);
    const uint64_t hash = hash_key(key);
    pietra_font *found = (pietra_font *)living_find(fonts->fonts, hash, is_font, key);
    const char *wrong = found ? NULL : font_of_face(face, variations->items, variations->count, &found);
    if (wrong)
        return wrong;
    if (!found->living.table) { /* it is new */
        found->lacks_weight = key->lacks_weight;
        found->lacks_slant = key->lacks_slant;
        if (!living_add(fonts->fonts, &found->living, hash)) {
            pietra_font_destroy(found);
            return font_out_of_memory;
        }
        keep(fonts, found);
    }
    *font = found;
    return NULL;
}

static const char *open_font(pietra_fonts *fonts, uint32_t number, const font_request *request, pietra_font **font)
{
    database_face *known = &fonts->database.faces.items[number];
    variation_list variations = {0};
    font_face *face = NULL;
    const char *wrong = database_read_traits(known);
    if (!wrong)
        wrong = find_face(fonts, number, &face);
    if (!wrong && !list_variations(known, request, &variations))
        wrong = font_out_of_memory;
    if (!wrong) {
        const font_traits axes = find_axes(known);
        font_key key = {.face = face,
                        .lacks_weight = request->style.weight >= BOLD_WEIGHT && axes.weight.most < BOLD_WEIGHT,
                        .lacks_slant = lacks_slant(&axes, request->style)};
        wrong = find_font(fonts, face, &variations, &key, font);
    }
    font_face_release(face);
    array_free(&variations);
    return wrong;
}

static bool is_fault_of_face(const char *wrong)
{
    return wrong != font_out_of_memory && wrong != font_no_harfbuzz;
}

static const char no_font[] = "no font has what is asked for";

/* Opens the best face. One that turns out to be bad is passed over, and the next best one is taken. */
static const char *open_best(pietra_fonts *fonts, const font_request *request, pietra_font **font)
{
    const char *wrong = NULL;
    for (;;) {
        const font_choice choice = fonts_choose(fonts, request, &wrong);
        if (wrong)
            return wrong;
        if (choice.face == DATABASE_NONE)
            return no_font;
        wrong = open_font(choice.fonts, choice.face, request, font);
        if (!wrong || !is_fault_of_face(wrong))
            return wrong;
        fonts_drop_face(choice.fonts, choice.face, wrong);
        wrong = NULL;
    }
}

static void lock_all(pietra_fonts *fonts)
{
    pthread_mutex_lock(&fonts->lock);
    if (fonts->base)
        pthread_mutex_lock(&fonts->base->lock);
}

static void unlock_all(pietra_fonts *fonts)
{
    if (fonts->base)
        pthread_mutex_unlock(&fonts->base->lock);
    pthread_mutex_unlock(&fonts->lock);
}

const char *fonts_open_for(pietra_fonts *fonts, const pietra_font_query *query, const uint32_t *characters,
                           size_t character_count, bool emoji, pietra_font **font)
{
    font_request request = make_request(query, characters, character_count);
    request.emoji = emoji;
    *font = NULL;
    lock_all(fonts);
    const char *wrong = open_best(fonts, &request, font);
    unlock_all(fonts);
    return wrong == no_font ? NULL : wrong;
}

static bool owns(const pietra_fonts *fonts, const font_face *face)
{
    return face->living.table == fonts->faces;
}

bool fonts_pass_over(pietra_fonts *fonts, const pietra_font *font, const char *wrong)
{
    font_face **added = array_push(&fonts->passed);
    if (!added)
        return false;
    *added = font_face_retain(font->face);
    lock_all(fonts);
    const pietra_fonts *owner = owns(fonts, font->face) ? fonts : fonts->base;
    fonts_warn_of_face(fonts->warning ? fonts : fonts->base, &owner->database.faces.items[font->face->number], wrong);
    unlock_all(fonts);
    return true;
}

bool fonts_are_passed_over(const pietra_fonts *fonts, const pietra_font *font)
{
    for (size_t i = 0; i < fonts->passed.count; i++)
        if (fonts->passed.items[i] == font->face)
            return true;
    return false;
}

pietra_result pietra_font_open(pietra_fonts *fonts, const pietra_font_query *query, pietra_error *error,
                               pietra_font **font)
{
    static const pietra_font_query usual = {0};
    character_list characters = {0};
    if (!fonts)
        return error_set_null(error, "fonts");
    if (!font)
        return error_set_null(error, "font");
    if (!query)
        query = &usual;
    const pietra_result result = fonts_check_query(query, error);
    if (result != PIETRA_OK)
        return result;
    const char *wrong = font_out_of_memory;
    if (list_characters(query->text, &characters)) {
        const font_request request = make_request(query, characters.items, characters.count);
        pthread_mutex_lock(&fonts->lock);
        wrong = open_best(fonts, &request, font);
        pthread_mutex_unlock(&fonts->lock);
    }
    array_free(&characters);
    return wrong ? font_error(error, "", wrong) : PIETRA_OK;
}

bool pietra_font_lacks(const pietra_font *font, bool *weight, bool *slant)
{
    if (weight)
        *weight = font && font->lacks_weight;
    if (slant)
        *slant = font && font->lacks_slant;
    return font && (font->lacks_weight || font->lacks_slant);
}
