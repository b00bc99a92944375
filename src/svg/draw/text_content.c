/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The elements and characters of a text, with white space collapsed. */
#include <string.h>

#include "base/utf8.h"
#include "font/font.h"
#include "svg/draw/text_layout.h"
#include "svg/tree/conditions.h"
#include "text/letter_case.h"

/* Controls of bidirectional text (UAX 9). They say unicode-bidi to the algorithm (CSS Writing Modes 3, 2.4.2). */
#define EMBED_LEFT_TO_RIGHT 0x202a
#define EMBED_RIGHT_TO_LEFT 0x202b
#define POP_EMBEDDING 0x202c
#define OVERRIDE_LEFT_TO_RIGHT 0x202d
#define OVERRIDE_RIGHT_TO_LEFT 0x202e
#define ISOLATE_LEFT_TO_RIGHT 0x2066
#define ISOLATE_RIGHT_TO_LEFT 0x2067
#define ISOLATE_BY_CONTENT 0x2068
#define POP_ISOLATE 0x2069

typedef struct collector {
    svg_walk *walk;
    const svg_instance *instance;
    svg_text_layout *layout;
    uint32_t current;         /* the open element */
    bool after_space;         /* a space that follows is dropped */
    bool ends_in_collapsible; /* the last character is a space that may be dropped */
    bool in_word;             /* the last character goes on into a word */
    kept_style_recent inherited, noninherited;
} collector;

static bool add_unit(collector *collector, uint16_t unit, uint32_t character)
{
    svg_text_layout *layout = collector->layout;
    if (!array_reserve(&layout->units, 1) || !array_reserve(&layout->unit_characters, 1))
        return false;
    *array_push(&layout->units) = unit;
    *array_push(&layout->unit_characters) = character;
    return true;
}

/* ---- Characters ---- */

static bool add_character(collector *collector, uint32_t code)
{
    svg_text_layout *layout = collector->layout;
    const uint32_t index = (uint32_t)layout->characters.count;
    svg_text_character *character = array_push(&layout->characters);
    if (!character)
        return false;
    *character = (svg_text_character){.unit = (uint32_t)layout->units.count,
                                      .element = collector->current,
                                      .is_space = code == ' ' || code == 0xa0,
                                      .stretch = 1,
                                      .turn_x = 1};
    if (code < 0x10000)
        return add_unit(collector, (uint16_t)code, index);
    return add_unit(collector, (uint16_t)(0xd7c0 + (code >> 10)), index) &&
           add_unit(collector, (uint16_t)(0xdc00 | (code & 0x3ff)), index);
}

/* ---- text-transform ---- */

/* An apostrophe inside of a word does not begin another one. */
static bool is_apostrophe(uint32_t code)
{
    return code == '\'' || code == 0x2019;
}

static const char *find_case(collector *collector, uint32_t code, uint8_t transform, letter_case *wanted, bool *changes)
{
    bool is_letter = false;
    const bool begins_word = !collector->in_word;
    const char *wrong = transform == SVG_CASE_CAPITALS ? letter_is_of_word(code, &is_letter) : NULL;
    const bool mark = code >= 0x300 && code < 0x370;
    collector->in_word = is_letter || (collector->in_word && (mark || is_apostrophe(code)));
    *wanted = transform == SVG_CASE_UPPER ? LETTER_UPPER : transform == SVG_CASE_LOWER ? LETTER_LOWER : LETTER_TITLE;
    *changes = transform != SVG_CASE_CAPITALS || (is_letter && begins_word);
    return wrong;
}

/* Replaces a capital sigma that ends a word. Only characters of the same node count, as in browsers. */
static const char *replace_sigma(text whole, const char *next, uint32_t *code)
{
    const char *const sigma = next - 2;
    bool is_final = false;
    const char *wrong =
        letter_sigma_is_final(text_from(whole.bytes, sigma), text_from(next, whole.bytes + whole.count), &is_final);
    if (is_final)
        *code = LETTER_FINAL_SIGMA;
    return wrong;
}

/* A character in another case may be several, which count as one. */
static const char *add_changed(collector *collector, uint32_t code, const svg_inherited *style)
{
    const svg_document *document = collector->walk->document;
    uint16_t units[LETTER_MOST_UNITS];
    size_t count = 0;
    letter_case wanted;
    bool changes;
    if (style->text_transform == SVG_CASE_WIDE)
        return add_character(collector, code > ' ' && code < 0x7f ? code + 0xfee0
                                        : code == ' '             ? 0x3000
                                                                  : code)
                   ? NULL
                   : font_out_of_memory;
    const char *wrong = find_case(collector, code, style->text_transform, &wanted, &changes);
    if (!wrong && changes)
        wrong =
            letter_change(code, wanted, style->language ? document->texts.items[style->language - 1].value.bytes : NULL,
                          units, &count);
    if (wrong)
        return wrong;
    if (count < 2)
        return add_character(collector, count ? units[0] : code) ? NULL : font_out_of_memory;
    if (!add_character(collector, units[0]))
        return font_out_of_memory;
    for (size_t i = 1; i < count; i++)
        if (!add_unit(collector, units[i], (uint32_t)collector->layout->characters.count - 1))
            return font_out_of_memory;
    return NULL;
}

/* ---- White space ---- */

static bool is_collapsed(uint8_t white_space)
{
    return white_space == SVG_SPACE_COLLAPSED || white_space == SVG_SPACE_ON_ONE_LINE ||
           white_space == SVG_SPACE_BETWEEN_LINES;
}

static bool line_feeds_end_lines(uint8_t white_space)
{
    return white_space == SVG_SPACE_BETWEEN_LINES || white_space == SVG_SPACE_WITH_LINES ||
           white_space == SVG_SPACE_TAKEN;
}

/* All white space of XML counts as blanks, but for line feeds that end lines. */
static pietra_result add_characters(collector *collector, const svg_characters *characters)
{
    svg_walk *walk = collector->walk;
    svg_inherited room;
    const svg_inherited *style =
        svg_text_inherited(collector->layout, &collector->layout->elements.items[collector->current], &room);
    const uint8_t white_space = style->white_space, transform = style->text_transform;
    const text whole = {walk->document->character_bytes.items + characters->begin, characters->count};
    const char *at = whole.bytes, *end = at + whole.count;
    const pietra_result result = svg_walk_spend(walk, collector->instance->node, SVG_STEP_character, characters->count);
    if (result != PIETRA_OK)
        return result;
    svg_text_layout *layout = collector->layout;
    if (!array_reserve(&layout->characters, characters->count) || !array_reserve(&layout->units, characters->count) ||
        !array_reserve(&layout->unit_characters, characters->count))
        return PIETRA_ERROR_MEMORY;
    while (at < end) {
        uint32_t code = utf8_decode(&at, end);
        const bool ends_line = code == '\n' && line_feeds_end_lines(white_space);
        const bool space = code == ' ' || code == '\n' || code == '\t' || code == '\r';
        const bool collapsible = space && !ends_line && is_collapsed(white_space);
        if (collapsible && collector->after_space)
            continue;
        collector->after_space = space;
        layout->has_lines |= ends_line;
        collector->ends_in_collapsible = collapsible;
        const char *wrong = NULL;
        if (transform == SVG_CASE_LOWER && code == LETTER_CAPITAL_SIGMA)
            wrong = replace_sigma(whole, at, &code);
        if (!wrong && transform != SVG_CASE_AS_IS)
            wrong = add_changed(collector, space && !ends_line ? ' ' : code, style);
        else if (!wrong && !add_character(collector, space && !ends_line ? ' ' : code))
            return PIETRA_ERROR_MEMORY;
        if (wrong)
            return svg_text_fail(walk, layout, wrong);
        if (transform != SVG_CASE_CAPITALS)
            collector->in_word = !space;
    }
    return PIETRA_OK;
}

/* Drops the blank at the end of the text. Only controls of ours may follow it. */
static void drop_last_space(collector *collector)
{
    svg_text_layout *layout = collector->layout;
    if (!collector->ends_in_collapsible || layout->characters.count == 0)
        return;
    const uint32_t unit = array_last(&layout->characters)->unit;
    layout->characters.count--;
    layout->unit_characters.items[unit] = SVG_NO_INDEX;
    for (size_t i = unit + 1; i < layout->units.count; i++)
        layout->units.items[i - 1] = layout->units.items[i];
    layout->units.count--;
    layout->unit_characters.count--;
    for (size_t i = 0; i < layout->elements.count; i++)
        if (layout->elements.items[i].end > layout->characters.count)
            layout->elements.items[i].end = (uint32_t)layout->characters.count;
}

/* Returns the index of the first characters that stand behind the beginning of a node. */
static size_t find_characters(const svg_document *document, uint32_t node)
{
    size_t low = 0, high = document->characters.count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (document->characters.items[middle].before > node)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* ---- Elements ---- */

static bool begin_bidi(collector *collector, const svg_text_element *element, const svg_inherited *inherited,
                       const svg_noninherited *noninherited)
{
    const bool left = inherited->direction == SVG_RIGHT_TO_LEFT;
    switch (noninherited->unicode_bidi) {
    case SVG_BIDI_EMBED:
        return element->parent == SVG_NO_INDEX ||
               add_unit(collector, left ? EMBED_RIGHT_TO_LEFT : EMBED_LEFT_TO_RIGHT, SVG_NO_INDEX);
    case SVG_BIDI_OVERRIDE:
        return add_unit(collector, left ? OVERRIDE_RIGHT_TO_LEFT : OVERRIDE_LEFT_TO_RIGHT, SVG_NO_INDEX);
    case SVG_BIDI_ISOLATE:
        return add_unit(collector, left ? ISOLATE_RIGHT_TO_LEFT : ISOLATE_LEFT_TO_RIGHT, SVG_NO_INDEX);
    case SVG_BIDI_ISOLATE_OVERRIDE:
        return add_unit(collector, ISOLATE_BY_CONTENT, SVG_NO_INDEX) &&
               add_unit(collector, left ? OVERRIDE_RIGHT_TO_LEFT : OVERRIDE_LEFT_TO_RIGHT, SVG_NO_INDEX);
    case SVG_BIDI_PLAIN:
        return add_unit(collector, ISOLATE_BY_CONTENT, SVG_NO_INDEX);
    default:
        return true;
    }
}

static bool end_bidi(collector *collector, const svg_text_element *element)
{
    svg_noninherited room;
    switch (svg_text_noninherited(collector->layout, element, &room)->unicode_bidi) {
    case SVG_BIDI_EMBED:
        return element->parent == SVG_NO_INDEX || add_unit(collector, POP_EMBEDDING, SVG_NO_INDEX);
    case SVG_BIDI_OVERRIDE:
        return add_unit(collector, POP_EMBEDDING, SVG_NO_INDEX);
    case SVG_BIDI_ISOLATE_OVERRIDE:
        return add_unit(collector, POP_EMBEDDING, SVG_NO_INDEX) && add_unit(collector, POP_ISOLATE, SVG_NO_INDEX);
    case SVG_BIDI_ISOLATE:
    case SVG_BIDI_PLAIN:
        return add_unit(collector, POP_ISOLATE, SVG_NO_INDEX);
    default:
        return true;
    }
}

static double find_baseline(const svg_text_font *font, uint8_t baseline)
{
    switch (baseline) {
    case SVG_BASELINE_BEFORE_EDGE:
        return font->ascent;
    case SVG_BASELINE_AFTER_EDGE:
        return -font->descent;
    case SVG_BASELINE_MIDDLE:
        return font->x_height / 2;
    case SVG_BASELINE_CENTRAL:
        return svg_text_middle(font);
    case SVG_BASELINE_HANGING: /* these two as in browsers, which ask no font for them */
        return font->ascent * 0.8;
    case SVG_BASELINE_MATHEMATICAL:
        return font->ascent * 0.5;
    default:
        return 0;
    }
}

/* Finds how far the baseline of an element is shifted, down. */
static void shift_baseline(const collector *collector, const svg_inherited *inherited,
                           const svg_noninherited *noninherited, svg_text_element *element)
{
    const svg_text_layout *layout = collector->layout;
    const svg_text_font *font = &layout->fonts.items[element->style];
    const svg_text_element *parent = element->parent == SVG_NO_INDEX ? NULL : &layout->elements.items[element->parent];
    const svg_style_shift *shift = &noninherited->baseline_shift;
    const uint8_t alignment = noninherited->alignment_baseline;
    element->shift = parent ? parent->shift : 0;
    /* It shifts an element against the one around it. */
    if (parent && shift->kind == SVG_SHIFT_LENGTH) {
        const double parent_size = svg_text_font_size(layout, parent);
        const svg_metrics metrics = svg_walk_metrics(collector->walk, inherited->font_size, parent_size, parent_size);
        element->shift -= svg_length_resolve(shift->length, SVG_AXIS_Y, &metrics);
    } else if (parent) {
        element->shift += shift->kind == SVG_SHIFT_SUB ? font->sub : -font->super;
    }
    if (!layout->vertical)
        element->baseline =
            find_baseline(font, alignment != SVG_BASELINE_AUTO ? alignment : inherited->dominant_baseline);
}

static bool keep_styles(collector *collector, const svg_inherited *inherited, const svg_noninherited *noninherited,
                        svg_text_element *element)
{
    svg_text_layout *layout = collector->layout;
    return kept_style_make(&layout->style, inherited, sizeof *inherited, &collector->inherited, &layout->arena,
                           &element->inherited) &&
           kept_style_make(&layout->noninherited, noninherited, sizeof *noninherited, &collector->noninherited,
                           &layout->arena, &element->noninherited);
}

static pietra_result push_element(collector *collector, svg_text_element *element, const svg_inherited *inherited,
                                  const svg_noninherited *noninherited)
{
    svg_text_layout *layout = collector->layout;
    const svg_text_element *parent = element->parent == SVG_NO_INDEX ? NULL : &layout->elements.items[element->parent];
    const uint32_t index = (uint32_t)layout->elements.count;
    const uint16_t kind = collector->walk->document->nodes.items[element->node].element;
    if (!keep_styles(collector, inherited, noninherited, element))
        return PIETRA_ERROR_MEMORY;
    pietra_result result = svg_text_find_style(collector->walk, layout, inherited, &element->style);
    if (result != PIETRA_OK)
        return result;
    element->begin = element->end = (uint32_t)layout->characters.count;
    element->rotated = parent ? parent->rotated : SVG_NO_INDEX;
    element->decorated = noninherited->text_decoration ? index : parent ? parent->decorated : SVG_NO_INDEX;
    element->path = kind == SVG_TEXT_PATH ? index : parent ? parent->path : SVG_NO_INDEX;
    shift_baseline(collector, inherited, noninherited, element);
    svg_text_element *pushed = array_push(&layout->elements);
    if (!pushed)
        return PIETRA_ERROR_MEMORY;
    *pushed = *element;
    collector->current = index;
    return begin_bidi(collector, element, inherited, noninherited) ? PIETRA_OK : PIETRA_ERROR_MEMORY;
}

static pietra_result close_element(collector *collector)
{
    svg_text_element *element = &collector->layout->elements.items[collector->current];
    element->end = (uint32_t)collector->layout->characters.count;
    collector->current = element->parent;
    if (collector->walk->document->nodes.items[element->node].element == SVG_TEXT_PATH)
        collector->after_space = false; /* a path ends a line */
    return end_bidi(collector, element) ? PIETRA_OK : PIETRA_ERROR_MEMORY;
}

static bool may_stand_in_text(const collector *collector, uint16_t element)
{
    return element == SVG_TSPAN || element == SVG_A || element == SVG_TREF ||
           (element == SVG_TEXT_PATH && collector->current == 0);
}

/* Adds all characters inside the element to which a tref refers. */
static pietra_result add_referred(collector *collector, uint32_t node)
{
    const svg_document *document = collector->walk->document;
    const uint32_t target = svg_document_href(document, node);
    pietra_result result = PIETRA_OK;
    if (target == SVG_NO_NODE)
        return PIETRA_OK;
    for (size_t i = find_characters(document, target);
         i < document->characters.count && document->characters.items[i].before <= document->nodes.items[target].end &&
         result == PIETRA_OK;
         i++)
        if (document->characters.items[i].parent >= target)
            result = add_characters(collector, &document->characters.items[i]);
    return result;
}

/* Opens an element if it is shown. */
static pietra_result open_element(collector *collector, uint32_t node, bool *opened)
{
    svg_walk *walk = collector->walk;
    const svg_node *nodes = walk->document->nodes.items;
    const svg_text_element *parent = &collector->layout->elements.items[collector->current];
    svg_text_element element = {.node = node, .parent = collector->current};
    svg_inherited inherited, parent_room;
    svg_noninherited noninherited, parent_own_room;
    *opened = false;
    pietra_result result = svg_walk_meet(walk, node, 1);
    if (result != PIETRA_OK || !may_stand_in_text(collector, nodes[node].element))
        return result;
    const svg_inherited *outer = svg_text_inherited(collector->layout, parent, &parent_room);
    svg_style_compute(walk->document, nodes[node].declarations, outer,
                      svg_text_noninherited(collector->layout, parent, &parent_own_room), walk->root_font_size,
                      &inherited, &noninherited);
    noninherited.filter = svg_noninherited_initial.filter; /* it applies to whole texts alone */
    if (inherited.dominant_baseline == SVG_BASELINE_OF_PARENT)
        inherited.dominant_baseline = outer->dominant_baseline;
    if (nodes[node].element == SVG_TEXT_PATH && svg_text_path_node(walk->document, node) == SVG_NO_NODE) {
        collector->after_space = false;
        return PIETRA_OK;
    }
    if (noninherited.display == SVG_DISPLAY_NONE || !svg_conditions_hold(walk->document, node))
        return PIETRA_OK;
    result = push_element(collector, &element, &inherited, &noninherited);
    *opened = result == PIETRA_OK && nodes[node].element != SVG_TREF;
    if (result == PIETRA_OK && !*opened) {
        result = add_referred(collector, node);
        if (result == PIETRA_OK)
            result = close_element(collector);
    }
    return result;
}

/* Takes the characters that stand before a node. Those whose element is not shown are passed over. */
static pietra_result take_characters(collector *collector, uint32_t node, size_t *next)
{
    const svg_document *document = collector->walk->document;
    const uint32_t text = collector->instance->node;
    pietra_result result = PIETRA_OK;
    for (;
         *next < document->characters.count && document->characters.items[*next].before <= node && result == PIETRA_OK;
         (*next)++) {
        const svg_characters *characters = &document->characters.items[*next];
        if (characters->parent < text)
            continue;
        while (result == PIETRA_OK && collector->layout->elements.items[collector->current].node > characters->parent)
            result = close_element(collector);
        if (result == PIETRA_OK && collector->layout->elements.items[collector->current].node == characters->parent)
            result = add_characters(collector, characters);
    }
    return result;
}

static unsigned lines_of(const svg_document *document, uint32_t node)
{
    const svg_declaration_set *set = &document->sets.items[document->nodes.items[node].declarations];
    unsigned lines = 0;
    for (uint32_t i = set->begin; i < set->begin + set->count; i++)
        if (document->declarations.items[i].property == SVG_TEXT_DECORATION &&
            document->declarations.items[i].form == SVG_FORM_KEYWORD)
            lines = document->declarations.items[i].keyword;
    return lines;
}

/* Adds the lines of all elements around a text. They have its paint and font (CSS Text Decoration 3, 2), and the style
 * of the nearest one, unless the text has lines of its own. */
static void take_outer_lines(svg_walk *walk, uint32_t text, svg_noninherited *style)
{
    const svg_document *document = walk->document;
    uint32_t node = document->nodes.items[text].parent;
    for (; document->decorates && node != SVG_NO_NODE; node = document->nodes.items[node].parent) {
        const unsigned lines = lines_of(document, node);
        svg_budget_spend(document->budget, SVG_STEP_node, 1);
        const svg_style_in_place *around =
            lines && !style->text_decoration ? svg_walk_style_in_place(walk, node) : NULL;
        if (lines && !style->text_decoration && !around)
            svg_budget_lack_memory(document->budget);
        if (around) {
            style->text_decoration_style = around->noninherited.text_decoration_style;
            style->text_decoration_color = around->noninherited.text_decoration_color;
            style->text_decoration_thickness = around->noninherited.text_decoration_thickness;
        }
        style->text_decoration |= (uint8_t)lines;
    }
}

pietra_result svg_text_collect(svg_walk *walk, const svg_instance *instance, svg_text_layout *layout)
{
    const svg_node *nodes = walk->document->nodes.items;
    const uint32_t text = instance->node, end = nodes[text].end;
    collector collector = {.walk = walk, .instance = instance, .layout = layout, .after_space = true};
    svg_text_element root = {.node = text, .parent = SVG_NO_INDEX};
    size_t next = find_characters(walk->document, text);
    layout->noninherited = instance->noninherited;
    take_outer_lines(walk, text, &layout->noninherited);
    pietra_result result = push_element(&collector, &root, &layout->style, &layout->noninherited);
    for (uint32_t node = text + 1; node <= end && result == PIETRA_OK;) {
        bool opened = false;
        result = take_characters(&collector, node, &next);
        while (result == PIETRA_OK && collector.current != 0 &&
               nodes[layout->elements.items[collector.current].node].end <= node)
            result = close_element(&collector);
        if (node == end || result != PIETRA_OK)
            break;
        result = open_element(&collector, node, &opened);
        node = opened ? node + 1 : nodes[node].end;
    }
    if (result == PIETRA_OK)
        result = close_element(&collector);
    if (result == PIETRA_OK)
        drop_last_space(&collector);
    return result;
}
