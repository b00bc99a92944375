/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text/shape.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "font/font.h"
#include "font/fonts.h"
#include "text/clusters.h"
#include "text/emoji_runs.h"
#include "text/icu.h"
#include "text/letter_case.h"
#include "text/run_glyphs.h"
#include "text/runs.h"
#include "text/utf16.h"

#define VARIATION_TEXT 0xfe0eu      /* asks for a character without colours */
#define VARIATION_EMOJI 0xfe0fu     /* asks for one with them */
#define LEAST_FULL 128u             /* shorter runs are never full */
#define ANSWERS 512u                /* remembered answers, one for each remainder of a hash */
#define MOST_CLUSTER_CHARACTERS 32u /* the fonts of so many are compared; the others of a longer cluster follow them */

const char text_refused[] = "the fonts of the text take too long";

typedef struct character_list {
    uint32_t items[MOST_CLUSTER_CHARACTERS];
    size_t count;
} character_list;

/* The font of a cluster that the first font lacks. */
typedef struct answer {
    bool known, emoji;
    uint32_t style;
    character_list characters;
    pietra_font *font; /* owned; NULL: none has it */
} answer;

/* What is known of each unit. */
typedef struct shaping {
    pietra_fonts *fonts;
    const text_paragraph *paragraph;
    const text_style *style; /* the style of the cluster at hand */
    uint32_t style_index;
    const harfbuzz_functions *harfbuzz;
    const uint16_t *units;
    size_t count;
    uint8_t *levels, *cluster_starts, *ends, *upright;
    uint32_t *styles; /* each unit's */
    hb_script_t *scripts;
    pietra_font *first;   /* the style's font for text without demands; NULL: there is none */
    pietra_font **firsts; /* each style's, owned */
    uint8_t *firsts_known;
    bool ranged; /* the first font is not that of all characters that it has */
    struct {
        const pietra_font *font;
        uint32_t style;
        hb_script_t script;
        capitals_plan plan;
    } capitals;      /* the plan of the last cluster whose style has small capitals */
    answer *answers; /* NULL: nothing was asked so far */
    emoji_pieces *pieces;
    const pietra_font *faulty; /* the font of the run that could not be shaped */
    shaped_text *shaped;
} shaping;

/* ---- Fonts ---- */

/* A cluster's characters for which fonts are asked, as they are, and composed and decomposed: HarfBuzz draws a letter
 * and its mark by one glyph, or one character by two, if the font has these. */
typedef struct cluster {
    character_list characters, composed, decomposed;
    bool emoji;
    bool prefers; /* some of them are not missed where no font has them */
} cluster;

static void add_character(character_list *list, uint32_t character)
{
    if (list->count < MOST_CLUSTER_CHARACTERS)
        list->items[list->count++] = character;
}

static bool are_equal(const character_list *a, const character_list *b)
{
    return a->count == b->count && memcmp(a->items, b->items, a->count * sizeof a->items[0]) == 0;
}

/* Decompositions of Unicode have a character and at most one mark, and are those of that character in turn. */
static void add_parts(const harfbuzz_functions *harfbuzz, character_list *list, hb_codepoint_t character)
{
    hb_unicode_funcs_t *unicode = harfbuzz->hb_unicode_funcs_get_default();
    hb_codepoint_t marks[MOST_CLUSTER_CHARACTERS], mark;
    size_t count = 0;
    while (count < MOST_CLUSTER_CHARACTERS && harfbuzz->hb_unicode_decompose(unicode, character, &character, &mark))
        if (mark != 0)
            marks[count++] = mark;
    add_character(list, character);
    while (count > 0)
        add_character(list, marks[--count]);
}

static void compose(const harfbuzz_functions *harfbuzz, cluster *cluster)
{
    hb_unicode_funcs_t *unicode = harfbuzz->hb_unicode_funcs_get_default();
    cluster->composed.count = cluster->decomposed.count = 0;
    for (size_t i = 0; i < cluster->characters.count; i++) {
        hb_codepoint_t joined;
        uint32_t *last = cluster->composed.count ? &cluster->composed.items[cluster->composed.count - 1] : NULL;
        const uint32_t character = cluster->characters.items[i];
        if (last && harfbuzz->hb_unicode_compose(unicode, *last, character, &joined))
            *last = joined;
        else
            add_character(&cluster->composed, character);
        add_parts(harfbuzz, &cluster->decomposed, character);
    }
}

/* Characters below U+231A have colours only where the style asks for them, and digits never by that alone. */
static bool can_be_emoji(uint32_t character, text_emoji asked)
{
    const uint32_t first = asked == TEXT_EMOJI_COLORED ? 0xa9 : 0x231a;
    return character >= first && (character <= 0x3299 || (character >= 0x1f000 && character <= 0x1ffff));
}

/* Fonts that were cut down may have no blank. It is as wide as that of another font then. */
static bool lacks_blank(const shaping *shaping)
{
    return shaping->first && pietra_font_glyph(shaping->first, ' ') == 0;
}

/* `least`: fonts are asked only for what cannot do without a glyph. */
static const char *read_cluster(const shaping *shaping, size_t begin, size_t end, bool least, cluster *cluster)
{
    const icu_functions *icu;
    bool colors = false, plain = false;
    cluster->characters.count = 0;
    cluster->prefers = false;
    for (size_t at = begin; at < end;) {
        uint32_t character;
        at += utf16_decode(shaping->units, shaping->count, at, &character);
        colors |= character == VARIATION_EMOJI;
        plain |= character == VARIATION_TEXT;
        const font_need need = font_need_of(character);
        cluster->prefers |= need == FONT_PREFERS_GLYPH;
        if (need == FONT_NEEDS_GLYPH || (need == FONT_PREFERS_GLYPH && !least) ||
            (need == FONT_NEEDS_BLANK && lacks_blank(shaping)))
            add_character(&cluster->characters, character);
    }
    if (!colors && !plain && cluster->characters.count > 0 &&
        can_be_emoji(cluster->characters.items[0], shaping->style->emoji)) {
        const char *wrong = icu_open(&icu);
        if (wrong)
            return wrong;
        const UChar32 first = (UChar32)cluster->characters.items[0];
        colors = icu->u_hasBinaryProperty(first, UCHAR_EMOJI_PRESENTATION);
        if (shaping->style->emoji != TEXT_EMOJI_NORMAL && (colors || icu->u_hasBinaryProperty(first, UCHAR_EMOJI)))
            colors = shaping->style->emoji == TEXT_EMOJI_COLORED;
    }
    cluster->emoji = colors && !plain && cluster->characters.count > 0; /* a blank has no colours */
    return NULL;
}

/* Returns whether the cluster is a picture by itself. Letters and digits that ask for colours are not: what they look
 * like may depend on their neighbours. */
static bool is_picture(const cluster *cluster)
{
    if (!cluster->emoji)
        return false;
    const uint32_t first = cluster->characters.items[0];
    return first >= 0x203c && (first <= 0x3299 || (first >= 0x1f000 && first <= 0x1ffff));
}

static bool has_all(const pietra_font *font, const character_list *characters)
{
    for (size_t i = 0; i < characters->count; i++)
        if (pietra_font_glyph(font, characters->items[i]) == 0)
            return false;
    return true;
}

/* Asks all fonts for a cluster, in its three forms. */
static const char *ask_fonts(const shaping *shaping, cluster *cluster, pietra_font **font)
{
    const character_list *forms[] = {&cluster->characters, &cluster->composed, &cluster->decomposed};
    const char *wrong = NULL;
    *font = NULL;
    compose(shaping->harfbuzz, cluster);
    for (size_t i = 0; i < 3 && !wrong && !*font; i++) {
        if (i > 0 && are_equal(forms[i], forms[0]))
            continue;
        if (shaping->first && !shaping->ranged && !cluster->emoji && has_all(shaping->first, forms[i]))
            *font = font_retain(shaping->first);
        else
            wrong = fonts_open_for(shaping->fonts, &shaping->style->font, forms[i]->items, forms[i]->count,
                                   cluster->emoji, font);
    }
    return wrong;
}

/* Finds the font of a cluster; NULL: none has it. The caller owns it. */
static const char *find_font(shaping *shaping, cluster *cluster, pietra_font **font)
{
    const character_list *characters = &cluster->characters;
    if (shaping->first && !shaping->ranged && !cluster->emoji && has_all(shaping->first, characters)) {
        *font = font_retain(shaping->first);
        return NULL;
    }
    /* Most texts are short and need none. */
    if (!shaping->answers && !(shaping->answers = calloc(ANSWERS, sizeof *shaping->answers)))
        return text_out_of_memory;
    answer *answer =
        &shaping->answers[hash_bytes(characters->items, characters->count * sizeof characters->items[0]) % ANSWERS];
    if (answer->known && answer->emoji == cluster->emoji && answer->style == shaping->style_index &&
        are_equal(&answer->characters, characters)) {
        *font = answer->font ? font_retain(answer->font) : NULL;
        return NULL;
    }
    const char *wrong = ask_fonts(shaping, cluster, font);
    if (wrong)
        return wrong;
    pietra_font_destroy(answer->font);
    *answer = (struct answer){.known = true,
                              .emoji = cluster->emoji,
                              .style = shaping->style_index,
                              .characters = *characters,
                              .font = *font ? font_retain(*font) : NULL};
    return NULL;
}

/* ---- Runs ---- */

/* Finds out whether a cluster is shown by smaller capitals. Its first character decides. */
static const char *find_capitals(shaping *shaping, size_t begin, const pietra_font *font, bool *imitated)
{
    uint16_t units[LETTER_MOST_UNITS];
    size_t count;
    uint32_t character;
    const text_style *style = shaping->style;
    *imitated = false;
    if (style->capitals == TEXT_CAPITALS_AS_IS || style->no_imitated_capitals || !font)
        return NULL;
    if (shaping->capitals.font != font || shaping->capitals.style != shaping->style_index ||
        shaping->capitals.script != shaping->scripts[begin]) {
        shaping->capitals.font = font;
        shaping->capitals.style = shaping->style_index;
        shaping->capitals.script = shaping->scripts[begin];
        shaping->capitals.plan = capitals_find(font, shaping->scripts[begin], style->capitals);
    }
    utf16_decode(shaping->units, shaping->count, begin, &character);
    const char *wrong = capitals_replace(&shaping->capitals.plan, font, character, style->font.language, units, &count);
    *imitated = !wrong && count > 0;
    return wrong;
}

/* Returns after how many units a run is to end. */
static size_t find_most_units(const font_face *face)
{
    const double units = TEXT_MOST_RUN_COMPARISONS / (RUN_MOST_GROWTH * (face->lookups.comparisons + 1));
    return face->lookups.grow && units < TEXT_MOST_RUN ? (size_t)units : TEXT_MOST_RUN;
}

/* Returns whether a run is to end before a unit. */
static bool is_full(const shaping *shaping, const text_run *run, size_t at)
{
    const size_t count = at - run->begin;
    if (count < LEAST_FULL || !run->font)
        return false;
    const size_t most = find_most_units(run->font->face);
    return count >= most && (shaping->units[at - 1] == ' ' || count >= most + most / 4);
}

static bool fits(const shaping *shaping, const text_run *run, const pietra_font *font, size_t at, bool capitals)
{
    return run->font == font && run->level == shaping->levels[at] && run->script == shaping->scripts[at] &&
           run->style == shaping->styles[at] && run->upright == shaping->upright[at] &&
           run->capitals_imitated == capitals && !shaping->ends[at] && !is_full(shaping, run, at);
}

/* Adds a cluster to the last run, or begins another. Takes over the font. */
static const char *add_cluster(shaping *shaping, size_t begin, size_t end, bool emoji, pietra_font *font)
{
    bool capitals;
    const char *wrong = find_capitals(shaping, begin, font, &capitals);
    if (wrong) {
        pietra_font_destroy(font);
        return wrong;
    }
    text_run *last = shaping->shaped->runs.count ? array_last(&shaping->shaped->runs) : NULL;
    if (last && fits(shaping, last, font, begin, capitals)) {
        last->end = (uint32_t)end;
        last->emoji &= emoji;
        pietra_font_destroy(font);
        return NULL;
    }
    text_run *run = array_push(&shaping->shaped->runs);
    if (!run) {
        pietra_font_destroy(font);
        return text_out_of_memory;
    }
    *run = (text_run){.font = font,
                      .begin = (uint32_t)begin,
                      .end = (uint32_t)end,
                      .style = shaping->styles[begin],
                      .size = text_size_in(shaping->style, font) * (capitals ? CAPITALS_IMITATED_SIZE : 1),
                      .script = shaping->scripts[begin],
                      .level = shaping->levels[begin],
                      .upright = shaping->upright[begin],
                      .emoji = emoji,
                      .capitals_imitated = capitals};
    return NULL;
}

/* Where the level changes, or the marks are too many, a cluster is cut. */
static size_t find_cluster_end(const shaping *shaping, size_t begin)
{
    size_t end = begin + 1;
    while (end < shaping->count && !shaping->cluster_starts[end] && !shaping->ends[end] &&
           shaping->levels[end] == shaping->levels[begin])
        end++;
    return end;
}

/* Makes the style of a unit the one at hand. */
static const char *enter_style(shaping *shaping, size_t at)
{
    const uint32_t index = shaping->styles[at];
    const char *wrong = NULL;
    shaping->style = &shaping->paragraph->styles[index];
    shaping->style_index = index;
    pietra_font *opened = shaping->style->opened;
    if (!shaping->firsts_known[index] && opened && !fonts_are_passed_over(shaping->fonts, opened))
        shaping->firsts[index] = font_retain(opened);
    else if (!shaping->firsts_known[index])
        wrong = fonts_open_for(shaping->fonts, &shaping->style->font, NULL, 0, false, &shaping->firsts[index]);
    shaping->firsts_known[index] = 1;
    shaping->first = shaping->firsts[index];
    return wrong;
}

/* Adds some characters in the font that has all of them. Without one, *torn says that some font may have a part. */
static const char *add_characters(shaping *shaping, size_t begin, size_t end, bool *torn)
{
    cluster cluster;
    pietra_font *font = NULL;
    const char *wrong = read_cluster(shaping, begin, end, false, &cluster);
    if (!wrong)
        wrong = find_font(shaping, &cluster, &font);
    if (!wrong && !font && cluster.prefers)
        wrong = read_cluster(shaping, begin, end, true, &cluster);
    if (!wrong && !font && cluster.prefers)
        wrong = find_font(shaping, &cluster, &font);
    *torn = !wrong && !font && cluster.characters.count > 1;
    return wrong || *torn ? wrong : add_cluster(shaping, begin, end, is_picture(&cluster), font);
}

/* Returns the end of a character with what follows it and needs no glyph. */
static size_t find_character_end(const shaping *shaping, size_t begin, size_t end)
{
    uint32_t character;
    size_t at = begin + utf16_decode(shaping->units, end, begin, &character);
    while (at < end) {
        const size_t next = at + utf16_decode(shaping->units, end, at, &character);
        if (font_needs_glyph(character))
            break;
        at = next;
    }
    return at;
}

/* Where no font has a whole cluster, each of its characters gets a font of its own, so that only those are missing that
 * no font has. */
static const char *find_runs(shaping *shaping)
{
    const char *wrong = NULL;
    for (size_t begin = 0, end; begin < shaping->count && !wrong; begin = end) {
        bool torn = false;
        end = find_cluster_end(shaping, begin);
        wrong = enter_style(shaping, begin);
        if (!wrong)
            wrong = add_characters(shaping, begin, end, &torn);
        for (size_t at = begin, next; torn && at < end && !wrong; at = next) {
            bool missing;
            next = find_character_end(shaping, at, end);
            wrong = add_characters(shaping, at, next, &missing);
        }
    }
    return wrong;
}

/* ---- Shaping ---- */

static size_t find_break(const shaping *shaping, size_t begin)
{
    const uint8_t *breaks = shaping->paragraph->breaks;
    size_t end = begin + 1;
    while (end < shaping->count && !(breaks && breaks[end]))
        end++;
    return end;
}

/* `begin` to `end` is what lies between two breaks. */
static const char *shape_run(shaping *shaping, text_run *run, size_t begin, size_t end)
{
    const text_paragraph *paragraph = shaping->paragraph;
    if (!run->emoji || run->capitals_imitated) {
        hb_buffer_t *buffer = shaping->harfbuzz->hb_buffer_create();
        const char *wrong = run_shape(paragraph, buffer, run, begin, end, shaping->shaped);
        shaping->harfbuzz->hb_buffer_destroy(buffer);
        return wrong;
    }
    if (!shaping->pieces)
        shaping->pieces = emoji_pieces_create();
    if (!shaping->pieces)
        return text_out_of_memory;
    return emoji_run_shape(shaping->pieces, paragraph, shaping->cluster_starts, run, begin, end, shaping->shaped);
}

static const char *shape_runs(shaping *shaping)
{
    const char *wrong = NULL;
    size_t begin = 0, end = 0;
    for (size_t i = 0; i < shaping->shaped->runs.count && !wrong; i++) {
        text_run *run = &shaping->shaped->runs.items[i];
        if (run->begin >= end) {
            begin = run->begin;
            end = find_break(shaping, begin);
        }
        if (run->font)
            wrong = shape_run(shaping, run, begin, end);
        shaping->faulty = run->font;
    }
    return wrong;
}

static bool spend(const shaping *shaping)
{
    double comparisons = 0;
    for (size_t i = 0; i < shaping->shaped->runs.count; i++) {
        const text_run *run = &shaping->shaped->runs.items[i];
        if (run->font && run->font->face->lookups.comparisons > TEXT_FREE_COMPARISONS)
            comparisons += (run->end - run->begin) * (run->font->face->lookups.comparisons - TEXT_FREE_COMPARISONS);
    }
    return comparisons == 0 || !shaping->paragraph->spend ||
           shaping->paragraph->spend(shaping->paragraph->user, comparisons);
}

/* Forgets which font is whose. */
static void forget_fonts(shaping *shaping)
{
    for (size_t i = 0; shaping->answers && i < ANSWERS; i++)
        pietra_font_destroy(shaping->answers[i].font);
    for (size_t i = 0; shaping->firsts_known && i < shaping->paragraph->style_count; i++) {
        pietra_font_destroy(shaping->firsts[i]);
        shaping->firsts[i] = NULL;
        shaping->firsts_known[i] = 0;
    }
    emoji_pieces_destroy(shaping->pieces);
    free(shaping->answers);
    shaping->answers = NULL;
    shaping->pieces = NULL;
    shaping->capitals.font = NULL;
}

static bool is_fault_of_font(const pietra_font *font, const char *wrong)
{
    return wrong == run_too_many_glyphs || (wrong == font->face->wrong && wrong != text_out_of_memory);
}

/* A font in which a run cannot be shaped is passed over, and the runs are found anew. */
static const char *find_glyphs(shaping *shaping)
{
    for (;;) {
        const char *wrong = find_runs(shaping);
        if (wrong)
            return wrong;
        if (!spend(shaping))
            return text_refused;
        wrong = shape_runs(shaping);
        if (!wrong || !is_fault_of_font(shaping->faulty, wrong))
            return wrong;
        if (!fonts_pass_over(shaping->fonts, shaping->faulty, wrong))
            return text_out_of_memory;
        forget_fonts(shaping);
        shaped_text_free(shaping->shaped);
    }
}

static const char *order_runs(shaped_text *shaped)
{
    const size_t count = shaped->runs.count;
    uint8_t *levels = malloc(count + 1);
    if (!levels || !array_reserve(&shaped->order, count)) {
        free(levels);
        return text_out_of_memory;
    }
    for (size_t i = 0; i < count; i++)
        levels[i] = shaped->runs.items[i].level;
    bidi_order(levels, count, shaped->order.items);
    shaped->order.count = count;
    free(levels);
    return NULL;
}

/* ---- The whole ---- */

/* Lines of Han, Kana and the like keep these upright in vertical lines; other characters lie on their side (UAX 50). */
static const char *find_upright(const shaping *shaping)
{
    const icu_functions *icu;
    memset(shaping->upright, 0, shaping->count);
    if (!shaping->paragraph->vertical)
        return NULL;
    const char *wrong = icu_open(&icu);
    for (size_t at = 0, next; at < shaping->count && !wrong; at = next) {
        uint32_t character;
        next = at + utf16_decode(shaping->units, shaping->count, at, &character);
        const text_orientation wanted = shaping->paragraph->styles[shaping->styles[at]].orientation;
        const bool upright =
            wanted != TEXT_MIXED ? wanted == TEXT_UPRIGHT
            : shaping->cluster_starts[at] || at == 0
                ? icu->u_getIntPropertyValue((UChar32)character, UCHAR_VERTICAL_ORIENTATION) != U_VO_ROTATED
                : shaping->upright[at - 1];
        memset(shaping->upright + at, upright, next - at);
        /* Upright letters stand below one another in their order (CSS Writing Modes 4, 5.1). */
        for (size_t i = at; i < next && wanted == TEXT_UPRIGHT; i++)
            shaping->levels[i] &= 0xfe;
    }
    return wrong;
}

/* A style ends in the middle of a cluster nowhere: the cluster has the style of its beginning. */
static void spread_styles(const shaping *shaping)
{
    const text_paragraph *paragraph = shaping->paragraph;
    size_t span = 0;
    for (size_t at = 0; at < shaping->count; at++) {
        while (span + 1 < paragraph->span_count && at >= paragraph->spans[span].end)
            span++;
        shaping->styles[at] =
            shaping->cluster_starts[at] || at == 0 ? paragraph->spans[span].style : shaping->styles[at - 1];
    }
}

static bool ends_paragraph(uint16_t unit)
{
    return unit == '\n' || unit == '\r' || unit == 0x85 || unit == 0x2029 || (unit >= 0x1c && unit <= 0x1e);
}

/* What lies between two breaks is a line: blanks at its end have the level of the paragraph (UAX 9, rule L1), which is
 * also that of what ends the paragraph. */
static void level_ends_of_lines(const shaping *shaping)
{
    const uint8_t *breaks = shaping->paragraph->breaks;
    uint8_t level = shaping->shaped->level;
    bool at_end = false;
    for (size_t i = shaping->count; breaks && i > 0; i--) {
        const uint16_t unit = shaping->units[i - 1];
        if (ends_paragraph(unit))
            level = shaping->levels[i - 1];
        at_end = (at_end || (i < shaping->count && breaks[i])) &&
                 (unit == ' ' || (unit >= 0x202a && unit <= 0x202e) || (unit >= 0x2066 && unit <= 0x2069));
        if (at_end)
            shaping->levels[i - 1] = level;
    }
}

static const char *shape(shaping *shaping)
{
    const text_paragraph *paragraph = shaping->paragraph;
    const char *wrong = bidi_find_levels(shaping->units, shaping->count, paragraph->direction, shaping->levels,
                                         &shaping->shaped->level);
    if (!wrong)
        wrong = clusters_find(shaping->units, shaping->count, shaping->cluster_starts);
    if (wrong)
        return wrong;
    level_ends_of_lines(shaping);
    spread_styles(shaping);
    wrong = find_upright(shaping);
    if (wrong)
        return wrong;
    runs_find_scripts(shaping->harfbuzz, shaping->units, shaping->count, shaping->levels, shaping->scripts);
    runs_limit_clusters(shaping->harfbuzz, shaping->units, shaping->count, shaping->cluster_starts, shaping->ends);
    for (size_t i = 0; i < shaping->count && paragraph->breaks; i++)
        shaping->ends[i] |= paragraph->breaks[i];
    wrong = find_glyphs(shaping);
    return wrong ? wrong : order_runs(shaping->shaped);
}

static bool allocate(shaping *shaping)
{
    const size_t count = shaping->count, styles = shaping->paragraph->style_count;
    uint8_t *bytes = malloc(4 * count + styles + 1);
    shaping->levels = bytes;
    shaping->scripts = malloc((count + 1) * sizeof *shaping->scripts);
    shaping->styles = malloc((count + 1) * sizeof *shaping->styles);
    shaping->firsts = calloc(styles + 1, sizeof(pietra_font *));
    if (!bytes || !shaping->scripts || !shaping->styles || !shaping->firsts)
        return false;
    shaping->cluster_starts = bytes + count;
    shaping->ends = bytes + 2 * count;
    shaping->upright = bytes + 3 * count;
    shaping->firsts_known = bytes + 4 * count;
    memset(shaping->firsts_known, 0, styles);
    return true;
}

static void free_all(shaping *shaping)
{
    forget_fonts(shaping);
    free(shaping->firsts);
    free(shaping->styles);
    free(shaping->scripts);
    free(shaping->levels);
}

/* HarfBuzz's functions of Unicode and languages need memory, too, and cannot say that there was none. But malloc sets
 * errno. */
const char *text_shape_paragraph(pietra_fonts *fonts, const text_paragraph *paragraph, shaped_text *shaped)
{
    shaping shaping = {.fonts = fonts,
                       .paragraph = paragraph,
                       .units = paragraph->units,
                       .count = paragraph->count,
                       .shaped = shaped,
                       .ranged = fonts_are_ranged(fonts)};
    if (paragraph->count > TEXT_MOST_UNITS)
        return "the text has more than 16,777,216 units";
    const char *wrong = harfbuzz_open(&shaping.harfbuzz);
    if (wrong)
        return wrong;
    const int before = errno;
    errno = 0;
    wrong = allocate(&shaping) ? shape(&shaping) : text_out_of_memory;
    if (errno == ENOMEM)
        wrong = text_out_of_memory;
    errno = before;
    free_all(&shaping);
    return wrong;
}

/* An aspect that a font lacks cannot be made equal. */
double text_size_in(const text_style *style, const pietra_font *font)
{
    if (!font || style->aspect == FONT_ASPECT_NONE)
        return style->size;
    const double own = font_find_aspect(font, style->aspect);
    return own > 0 ? style->size * style->aspect_size / own : style->size;
}

double text_run_scale(const text_run *run)
{
    return run->size / font_em(run->font);
}

void shaped_text_free(shaped_text *shaped)
{
    for (size_t i = 0; i < shaped->runs.count; i++)
        pietra_font_destroy(shaped->runs.items[i].font);
    array_free(&shaped->runs);
    array_free(&shaped->glyphs);
    array_free(&shaped->order);
}
