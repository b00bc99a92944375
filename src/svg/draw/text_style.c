/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The fonts of a text: from computed styles to queries, features and measures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "font/fonts.h"
#include "font/aliases.h"
#include "svg/css/css_family.h"
#include "svg/css/css_token.h"
#include "svg/draw/text_layout.h"
#include "svg/style/font_alternates.h"
#include "svg/style/font_palette.h"
#include "svg/style/font_variant.h"

#define MOST_FAMILIES 64u
#define MOST_SETTINGS 64u
#define MOST_FONT_SIZE 1e6f /* largest value of the axis opsz */

/* All that a font and its features depend on. Keys are compared as bytes. */
typedef struct style_key {
    double size;
    float weight, stretch, angle, aspect_size;
    uint32_t family, features, variations, variant, alternates, language, language_system, palette;
    uint8_t slope, orientation, optical, features_off; /* TURNED_OFF_... */
    uint8_t aspect, emoji, not_imitated, unused;       /* NO_IMITATED_... */
} style_key;

enum { TURNED_OFF_KERNING = 1, TURNED_OFF_LIGATURES = 2 };
enum { NO_IMITATED_WEIGHT = 1, NO_IMITATED_SLANT = 2, NO_IMITATED_CAPITALS = 4 };

_Static_assert(sizeof(style_key) == sizeof((svg_text_font){0}).key, "keys are compared as bytes");

static style_key key_of(const svg_inherited *style)
{
    return (style_key){
        .size = style->font_size,
        .weight = style->font_weight,
        .stretch = style->font_stretch,
        .angle = style->font_style.angle,
        .aspect_size = style->font_size_adjust.part,
        .family = style->font_family,
        .features = style->font_features,
        .variations = style->font_variations,
        .variant = style->font_variant | style->font_variant_east_asian | style->font_variant_ligatures |
                   style->font_variant_numeric | style->font_variant_position,
        .language = style->language,
        .language_system = style->font_language_override,
        .slope = style->font_style.slope,
        .orientation = style->text_orientation,
        .optical = style->font_optical_sizing == SVG_AUTO,
        .alternates = style->font_alternates,
        .palette = style->font_palette,
        .aspect = (uint8_t)style->font_size_adjust.aspect,
        .emoji = style->font_variant_emoji,
        .not_imitated = (uint8_t)((style->font_synthesis_weight == SVG_NONE ? NO_IMITATED_WEIGHT : 0) |
                                  (style->font_synthesis_style == SVG_NONE ? NO_IMITATED_SLANT : 0) |
                                  (style->font_synthesis_small_caps == SVG_NONE ? NO_IMITATED_CAPITALS : 0)),
        .features_off =
            (uint8_t)((style->font_kerning == SVG_NONE || style->kerning == SVG_NONE ? TURNED_OFF_KERNING : 0) |
                      (style->letter_spacing.number != 0 ? TURNED_OFF_LIGATURES : 0)),
    };
}

static text stored_text(const svg_document *document, uint32_t index)
{
    return index ? document->texts.items[index - 1].value : TEXT("");
}

/* ---- Families ---- */

typedef struct families {
    const char *names[MOST_FAMILIES + 2];
    size_t count;
} families;

static bool list_families(const svg_walk *walk, arena *arena, uint32_t index, families *families)
{
    const char *usual = walk->document->settings.family;
    const text whole = stored_text(walk->document, index);
    text value = whole;
    while (value.count && families->count < MOST_FAMILIES) {
        text rest = value;
        css_token token;
        do
            token = css_token_next(&rest);
        while (token.kind != CSS_COMMA && token.kind != CSS_END);
        const size_t count = (size_t)(token.kind == CSS_END ? value.count : (size_t)(token.raw.bytes - value.bytes));
        const char *name = css_family_read((text){value.bytes, count}, arena);
        if (!name)
            return false;
        if (name[0])
            families->names[families->count++] = name;
        value = rest;
    }
    svg_budget_spend(walk->document->budget, SVG_STEP_value_byte, whole.count - value.count);
    /* Behind all that are asked for comes one of the same kind as the first that is well known. */
    const char *kind = NULL;
    for (size_t i = 0; i < families->count && !kind; i++)
        kind = font_find_kind(text_of_string(families->names[i]));
    if (kind)
        families->names[families->count++] = kind;
    families->names[families->count++] = usual ? usual : "serif";
    return true;
}

/* ---- Features and variations ---- */

static uint32_t tag_of(const char *four)
{
    return PIETRA_FONT_TAG((uint8_t)four[0], (uint8_t)four[1], (uint8_t)four[2], (uint8_t)four[3]);
}

typedef struct feature_list {
    hb_feature_t items[MOST_SETTINGS + 48];
    size_t count;
} feature_list;

static void add_features(feature_list *list, const char *tags, uint32_t value)
{
    for (; *tags && list->count < sizeof list->items / sizeof list->items[0]; tags += 4)
        list->items[list->count++] = (hb_feature_t){tag_of(tags), value, 0, (unsigned)-1};
}

/* Takes the next `"tag" value` off a list. False: the list ends, or is bad. */
static bool take_setting(text *rest, uint32_t *tag, double *value)
{
    css_token token = css_token_next_part(rest);
    *value = 1;
    if (token.kind != CSS_STRING || token.value.count != 4)
        return false;
    *tag = tag_of(token.value.bytes);
    token = css_token_next_part(rest);
    if (token.kind == CSS_IDENT) {
        *value = !text_equal_ignoring_case(token.value, TEXT("off"));
        token = css_token_next_part(rest);
    } else if (token.kind == CSS_NUMBER) {
        const char *at = token.raw.bytes, *end = at + token.raw.count;
        if (!number_scan(&at, end, value) || !isfinite(*value))
            return false;
        token = css_token_next_part(rest);
    }
    return token.kind == CSS_COMMA || token.kind == CSS_END;
}

static void add_alternate(void *user, uint32_t tag, uint32_t value)
{
    feature_list *list = user;
    if (list->count < sizeof list->items / sizeof list->items[0])
        list->items[list->count++] = (hb_feature_t){tag, value, 0, (unsigned)-1};
}

static void list_features(const svg_document *document, const style_key *key, const families *families,
                          feature_list *list)
{
    const text alternates = stored_text(document, key->alternates);
    text rest = stored_text(document, key->features);
    uint32_t tag;
    double value;
    if (key->features_off & TURNED_OFF_KERNING)
        add_features(list, "kernvkrn", 0);
    if (key->features_off & TURNED_OFF_LIGATURES)
        add_features(list, "ligacligdlighlig", 0);
    for (size_t i = 0; i < FONT_VARIANT_COUNT; i++)
        if (key->variant >> i & 1)
            add_features(list, font_variants[i].features, font_variants[i].value);
    svg_font_alternates_list(document, alternates, families->names, families->count, add_alternate, list);
    svg_budget_spend(document->budget, SVG_STEP_value_byte, alternates.count);
    for (unsigned i = 0; i < MOST_SETTINGS && take_setting(&rest, &tag, &value); i++)
        if (value >= 0 && value <= UINT16_MAX && list->count < sizeof list->items / sizeof list->items[0])
            list->items[list->count++] = (hb_feature_t){tag, (uint32_t)value, 0, (unsigned)-1};
}

static size_t list_variations(const svg_document *document, const style_key *key, pietra_font_variation *list)
{
    text rest = stored_text(document, key->variations);
    uint32_t tag;
    double value;
    size_t count = 0;
    while (count < MOST_SETTINGS && take_setting(&rest, &tag, &value))
        list[count++] = (pietra_font_variation){tag, (float)value};
    return count;
}

/* Small capitals are the lower five words of font-variant-caps. */
static text_capitals find_capitals(uint32_t variant)
{
    static const text_capitals capitals[] = {TEXT_SMALL_CAPITALS, TEXT_ALL_SMALL_CAPITALS, TEXT_PETITE_CAPITALS,
                                             TEXT_ALL_PETITE_CAPITALS, TEXT_UNICASE};
    for (size_t i = 0; i < sizeof capitals / sizeof capitals[0]; i++)
        if (variant >> (FONT_VARIANT_FIRST_CAPS + i) & 1)
            return capitals[i];
    return TEXT_CAPITALS_AS_IS;
}

/* ---- Styles ---- */

static const void *copy_items(arena *arena, const void *items, size_t count, size_t bytes)
{
    static const max_align_t none = {0};
    if (count == 0)
        return &none;
    void *copy = arena_alloc(arena, count * bytes, _Alignof(max_align_t));
    return copy ? memcpy(copy, items, count * bytes) : NULL;
}

static bool make_style(svg_walk *walk, svg_text_layout *layout, const style_key *key, text_style *style)
{
    static const text_orientation orientations[] = {
        [SVG_ORIENTATION_MIXED] = TEXT_MIXED,
        [SVG_ORIENTATION_UPRIGHT] = TEXT_UPRIGHT,
        [SVG_ORIENTATION_SIDEWAYS] = TEXT_SIDEWAYS,
    };
    static const font_aspect aspects[] = {
        [SVG_ASPECT_NONE] = FONT_ASPECT_NONE,
        [SVG_ASPECT_EX_HEIGHT] = FONT_ASPECT_EX_HEIGHT,
        [SVG_ASPECT_CAP_HEIGHT] = FONT_ASPECT_CAP_HEIGHT,
        [SVG_ASPECT_CH_WIDTH] = FONT_ASPECT_CH_WIDTH,
        [SVG_ASPECT_IC_WIDTH] = FONT_ASPECT_IC_WIDTH,
        [SVG_ASPECT_IC_HEIGHT] = FONT_ASPECT_IC_HEIGHT,
    };
    static const text_emoji emoji[] = {
        [SVG_EMOJI_NORMAL] = TEXT_EMOJI_NORMAL,
        [SVG_EMOJI_PLAIN] = TEXT_EMOJI_PLAIN,
        [SVG_EMOJI_COLORED] = TEXT_EMOJI_COLORED,
    };
    static const pietra_font_slope slopes[] = {PIETRA_SLOPE_NORMAL, PIETRA_SLOPE_ITALIC, PIETRA_SLOPE_OBLIQUE};
    families families = {.count = 0};
    feature_list features = {.count = 0};
    pietra_font_variation variations[MOST_SETTINGS];
    const text language = stored_text(walk->document, key->language);
    if (!list_families(walk, &layout->arena, key->family, &families))
        return false;
    list_features(walk->document, key, &families, &features);
    const size_t variation_count = list_variations(walk->document, key, variations);
    *style = (text_style){
        .font =
            {
                .families = copy_items(&layout->arena, families.names, families.count, sizeof(char *)),
                .family_count = families.count,
                .weight = (double)key->weight,
                .stretch = (double)key->stretch,
                .slope = slopes[key->slope],
                .angle = (double)key->angle,
                .optical_size = key->optical ? fmin(key->size, (double)MOST_FONT_SIZE) : 0,
                .variations = copy_items(&layout->arena, variations, variation_count, sizeof variations[0]),
                .variation_count = variation_count,
                .language = language.count ? language.bytes : NULL,
            },
        .size = key->size,
        .aspect = aspects[key->aspect],
        .aspect_size = (double)key->aspect_size,
        .features = copy_items(&layout->arena, features.items, features.count, sizeof features.items[0]),
        .feature_count = features.count,
        .orientation = orientations[key->orientation],
        .language_system = key->language_system,
        .capitals = find_capitals(key->variant),
        .emoji = emoji[key->emoji],
        .no_imitated_weight = key->not_imitated & NO_IMITATED_WEIGHT,
        .no_imitated_slant = key->not_imitated & NO_IMITATED_SLANT,
        .no_imitated_capitals = key->not_imitated & NO_IMITATED_CAPITALS,
    };
    return style->font.families && style->font.variations && style->features;
}

/* Measures a font. Without one, usual parts of the em are taken. */
static void measure(const text_style *style, svg_text_font *font)
{
    pietra_font_metrics metrics = {.units_per_em = 1,
                                   .ascent = 0.9,
                                   .descent = 0.2,
                                   .line_gap = 0.1,
                                   .x_height = 0.5,
                                   .underline_offset = 0.1,
                                   .underline_thickness = 0.05,
                                   .strikeout_offset = 0.3,
                                   .strikeout_thickness = 0.05};
    pietra_font_measure(font->font, &metrics);
    font->size = text_size_in(style, font->font);
    const double scale = font->size / metrics.units_per_em;
    font->ascent = metrics.ascent * scale;
    font->descent = metrics.descent * scale;
    font->line_gap = metrics.line_gap * scale;
    font->x_height = metrics.x_height * scale;
    font->underline = metrics.underline_offset * scale;
    font->underline_thickness = metrics.underline_thickness * scale;
    font->strikeout = metrics.strikeout_offset * scale;
    font->strikeout_thickness = metrics.strikeout_thickness * scale;
    font->sub = font->font ? font_script_offset(font->font, false) * scale : font->size / 5;
    font->super = font->font ? font_script_offset(font->font, true) * scale : font->size / 3;
}

/* HarfBuzz keeps a plan for each list of features and each language system for as long as the face is open. */
static void note_plan(svg_common *common, const text_style *style)
{
    const char *language = style->font.language ? style->font.language : "";
    const uint64_t plan = hash_checksum(style->features, style->feature_count * sizeof *style->features) ^
                          hash_checksum(language, strlen(language)) ^
                          hash_checksum(&style->language_system, sizeof style->language_system);
    const uint64_t bit = (uint64_t)1 << plan % 64;
    uint64_t *word = &common->plans[plan / 64 % (SVG_PLANS / 64)];
    common->plan_count += !(*word & bit);
    *word |= bit;
}

pietra_result svg_text_find_style(svg_walk *walk, svg_text_layout *layout, const svg_inherited *style, uint32_t *index)
{
    const style_key key = key_of(style);
    const uint64_t hash = hash_bytes(&key, sizeof key);
    for (hash_walk probe = hash_find(&layout->style_table, hash); hash_found(&probe); hash_next(&probe)) {
        if (memcmp(layout->fonts.items[probe.value].key, &key, sizeof key) != 0)
            continue;
        *index = probe.value;
        return PIETRA_OK;
    }
    svg_text_font font = {.font = NULL};
    text_style made;
    svg_budget_spend(walk->document->budget, SVG_STEP_style, 1);
    if (!array_reserve(&layout->styles, 1) || !array_reserve(&layout->fonts, 1) ||
        !make_style(walk, layout, &key, &made))
        return PIETRA_ERROR_MEMORY;
    const char *wrong = fonts_open_for(walk->fonts, &made.font, NULL, 0, false, &font.font);
    if (wrong)
        return svg_text_fail(walk, layout, wrong);
    if (isnan(made.aspect_size) && font.font)
        made.aspect_size = font_find_aspect(font.font, made.aspect);
    made.opened = font.font;
    measure(&made, &font);
    if (key.palette)
        font.palette = svg_font_palette_find(walk->document, stored_text(walk->document, key.palette),
                                             made.font.families, made.font.family_count);
    note_plan(walk->common, &made);
    memcpy(font.key, &key, sizeof key);
    *index = (uint32_t)layout->styles.count;
    *array_push(&layout->styles) = made;
    *array_push(&layout->fonts) = font;
    return hash_insert(&layout->style_table, hash, *index) ? PIETRA_OK : PIETRA_ERROR_MEMORY;
}
