/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/text_faces.h"

#include <string.h>

#include "font/fonts.h"
#include "font/unpack.h"
#include "svg/css/css_family.h"
#include "svg/css/css_token.h"
#include "svg/xml/resource.h"

/* A face of a document. */
typedef struct text_face {
    document_face face;
    svg_walk *walk;
    const svg_font_face *rule;
} text_face;

static void warn(const text_face *face, const char *wrong)
{
    svg_warn(face->walk->warnings, face->rule->line, "a font of \"%s\" is passed over: %s", face->rule->family, wrong);
}

/* ---- One source ---- */

/* One entry of the list `src`. */
typedef struct face_source {
    text address; /* address of url() */
    const char *local;
    bool known; /* its format and technology are; else it is not even fetched */
} face_source;

static bool is_one_of(text word, const text *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (text_equal_ignoring_case(word, words[i]))
            return true;
    return false;
}

static bool is_known_format(text format)
{
    static const text formats[] = {
        TEXT_LITERAL("woff"),
        TEXT_LITERAL("woff2"),
        TEXT_LITERAL("truetype"),
        TEXT_LITERAL("opentype"),
        TEXT_LITERAL("collection"),
        TEXT_LITERAL("woff-variations"),
        TEXT_LITERAL("woff2-variations"),
        TEXT_LITERAL("truetype-variations"),
        TEXT_LITERAL("opentype-variations"),
    };
    return is_one_of(format, formats, sizeof formats / sizeof formats[0]);
}

static bool is_known_technology(text technology)
{
    static const text technologies[] = {
        TEXT_LITERAL("variations"),   TEXT_LITERAL("features-opentype"), TEXT_LITERAL("features-aat"),
        TEXT_LITERAL("color-colrv0"), TEXT_LITERAL("color-colrv1"),      TEXT_LITERAL("color-svg"),
        TEXT_LITERAL("color-sbix"),   TEXT_LITERAL("color-cbdt"),
    };
    return is_one_of(technology, technologies, sizeof technologies / sizeof technologies[0]);
}

/* Reads what stands in the parentheses of format() or tech(): some words, all of which must be known. */
static bool are_known(text *rest, bool (*is_known)(text))
{
    bool known = true;
    for (;;) {
        const css_token token = css_token_next_part(rest);
        if (token.kind == CSS_END || css_token_is(&token, ')'))
            return known;
        if (token.kind == CSS_STRING || token.kind == CSS_IDENT)
            known = known && is_known(token.value);
        else if (token.kind != CSS_COMMA)
            known = false;
    }
}

/* Reads one entry. False: it is in error, or memory is short, which *wrong says. */
static bool read_source(text entry, arena *arena, face_source *source, const char **wrong)
{
    css_token token = css_token_next_part(&entry);
    const bool function = token.kind == CSS_FUNCTION;
    *source = (face_source){.known = true};
    if (function && text_equal_ignoring_case(token.value, TEXT("local"))) {
        source->local = css_family_read(entry, arena);
        *wrong = source->local ? NULL : font_out_of_memory;
        return !*wrong && source->local[0];
    }
    if (function && text_equal_ignoring_case(token.value, TEXT("url"))) {
        token = css_token_next_part(&entry);
        if (token.kind != CSS_STRING)
            return false;
        const css_token close = css_token_next_part(&entry);
        if (!css_token_is(&close, ')'))
            return false;
    } else if (token.kind != CSS_URL) {
        return false;
    }
    if (!css_token_decode(&token, arena, &source->address))
        *wrong = font_out_of_memory;
    for (token = css_token_next_part(&entry); !*wrong && token.kind == CSS_FUNCTION;
         token = css_token_next_part(&entry)) {
        const bool format = text_equal_ignoring_case(token.value, TEXT("format"));
        if (!are_known(&entry, format ? is_known_format : is_known_technology))
            source->known = false;
    }
    return !*wrong;
}

/* ---- Fetching ---- */

static const char *folder_of(const text_face *face)
{
    const svg_document *document = face->walk->document;
    return document->files.count ? document->files.items[face->rule->file].folder : NULL;
}

/* Fetches the bytes of a font. A file that is too large for one is not read. */
static svg_fetched fetch_bytes(const text_face *face, text address, svg_bytes *bytes, bool *too_large)
{
    const svg_folder *resources = face->walk->document->resources;
    svg_folder_file file;
    if (svg_resource_is_data(address))
        return svg_resource_fetch(address, resources, folder_of(face), bytes);
    svg_fetched result = svg_resource_find(address, resources, folder_of(face), &file);
    if (result != SVG_FETCHED)
        return result;
    *too_large = svg_folder_file_bytes(&file) > FONT_MOST_UNPACKED_BYTES;
    if (!*too_large)
        result = svg_folder_read(&file, bytes);
    svg_folder_close_file(&file);
    return result;
}

static const char *fetch(const text_face *face, text address, font_source **source)
{
    svg_bytes bytes = {0};
    bool too_large = false;
    switch (fetch_bytes(face, address, &bytes, &too_large)) {
    case SVG_FETCHED_OUT_OF_MEMORY:
        array_free(&bytes);
        return font_out_of_memory;
    case SVG_FETCHED_FORBIDDEN:
        return "only files below the resources directory are read, if that is asked for";
    case SVG_FETCHED_NOTHING:
        return "there is nothing where its reference leads";
    case SVG_FETCHED:
        break;
    }
    if (too_large || bytes.count > FONT_MOST_UNPACKED_BYTES) {
        array_free(&bytes);
        return font_too_large;
    }
    return font_source_take((uint8_t *)bytes.items, bytes.count, source);
}

/* Returns whether text can be set in a font: its facts and characters can be read. */
static const char *check(font_source *source, uint32_t index)
{
    font_facts facts = {0};
    const char *wrong = database_read_facts(source, index, &facts);
    font_facts_free(&facts);
    return wrong;
}

/* Each rule opens a face of its own, which takes memory as one does that the document brings along. */
static const char *load_local(const text_face *face, const char *name, font_source **source, uint32_t *index)
{
    const svg_document *document = face->walk->document;
    const char *wrong = fonts_find_local(document->settings.fonts, text_of_string(name), source, index);
    if (*source)
        svg_budget_charge(document->budget, SVG_LIMIT_fonts, 1);
    return wrong;
}

/* Loads one source. *source is NULL if it is passed over. NULL, or that memory ran out. */
static const char *load_source(const text_face *face, const face_source *entry, font_source **source, uint32_t *index)
{
    svg_budget *budget = face->walk->document->budget;
    *source = NULL;
    *index = 0;
    if (entry->local)
        return load_local(face, entry->local, source, index);
    if (!svg_budget_charge(budget, SVG_LIMIT_fonts, 1))
        return NULL;
    const char *wrong = fetch(face, entry->address, source);
    if (!wrong)
        wrong = font_unpack(source, index);
    if (!wrong)
        wrong = check(*source, *index);
    if (*source)
        svg_budget_charge(budget, SVG_LIMIT_font_bytes, (*source)->byte_count);
    if (wrong || budget->is_exceeded) {
        font_source_release(*source);
        *source = NULL;
    }
    if (wrong && wrong != font_out_of_memory)
        warn(face, wrong);
    return wrong == font_out_of_memory ? wrong : NULL;
}

static const char *load(void *user, font_source **source, uint32_t *index)
{
    const text_face *face = user;
    const char *wrong = NULL;
    text list = face->rule->sources;
    face_source entry;
    *source = NULL;
    while (list.count && !wrong && !*source && !face->walk->document->budget->is_exceeded) {
        const text value = css_take_part(&list);
        if (read_source(value, &face->walk->arena, &entry, &wrong) && entry.known)
            wrong = load_source(face, &entry, source, index);
    }
    return wrong;
}

/* ---- All faces ---- */

static void take_warning(void *user, unsigned line, const char *message)
{
    svg_walk *walk = user;
    svg_warn(walk->warnings, line, "%s", message);
}

/* For want of a word of its own, a face counts as upright, of normal weight and width. */
static font_traits traits_of(const svg_font_face *rule)
{
    static const font_slope slopes[] = {FONT_UPRIGHT, FONT_ITALIC, FONT_OBLIQUE};
    return (font_traits){.weight = {rule->weight.least, rule->weight.most},
                         .stretch = {rule->stretch.least, rule->stretch.most},
                         .angle = {rule->angle.least, rule->angle.most},
                         .slope = (uint8_t)slopes[rule->slope]};
}

static bool add_face(svg_walk *walk, text_face *face, const svg_font_face *rule)
{
    _Static_assert(sizeof(svg_face_codes) == sizeof(font_code_range), "both are a first and a last code point");
    *face = (text_face){.walk = walk,
                        .rule = rule,
                        .face = {.ranges = (const font_code_range *)rule->codes,
                                 .range_count = rule->code_count,
                                 .free_weight = !rule->weight.given,
                                 .free_stretch = !rule->stretch.given,
                                 .free_angle = !rule->angle.given,
                                 .load = load,
                                 .user = face}};
    return fonts_add_document_face(walk->fonts, rule->family, traits_of(rule), &face->face);
}

pietra_result svg_text_open_fonts(svg_walk *walk)
{
    const svg_document *document = walk->document;
    const size_t count = document->font_faces.count;
    if (walk->fonts)
        return PIETRA_OK;
    text_face *faces = arena_alloc(&walk->arena, (count + 1) * sizeof *faces, _Alignof(text_face));
    walk->fonts = faces ? fonts_create_over(document->settings.fonts, take_warning, walk) : NULL;
    for (size_t i = count; i > 0 && walk->fonts; i--)
        if (!add_face(walk, &faces[i - 1], &document->font_faces.items[i - 1]))
            return PIETRA_ERROR_MEMORY;
    return walk->fonts ? PIETRA_OK : PIETRA_ERROR_MEMORY;
}

void svg_text_close_fonts(svg_walk *walk)
{
    pietra_fonts_destroy(walk->fonts);
}
