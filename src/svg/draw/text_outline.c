/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The shapes of what is drawn of a text: outlines of glyphs, lines, boxes for characters that no font has. */
#include <math.h>

#include "base/memory.h"
#include "base/transform.h"
#include "font/embolden.h"
#include "svg/draw/text_layout.h"
#include "text/missing.h"
#include "text/utf16.h"

#define LARGE_TEXT 32768u /* characters; less is not worth another layout */
#define GIVEN_BACK 2048u  /* characters at a time, which take 200 KB */
#define PAGE_BYTES ((size_t)4096)
#define BOXED_GLYPHS 10u  /* what a character without a glyph costs */
#define MOST_DASHES 2000  /* a straight piece of a line has at most so many */
#define DASH_SEGMENTS 25u /* what a dash or half a wave costs, as segments: they take memory */

/* How much of a layout was given back. */
typedef struct given_back {
    uint32_t characters, units, glyphs;
} given_back;

typedef struct outliner {
    svg_walk *walk;
    const svg_text_layout *layout;
    const pietra_transform *transform; /* NULL: none */
    font_outline outline;
    given_back given_back;
} outliner;

static pietra_transform space_of(const outliner *outliner, const svg_text_character *character)
{
    const pietra_transform space = svg_text_cluster_space(outliner->layout, character);
    return outliner->transform ? transform_multiply(*outliner->transform, space) : space;
}

/* ---- Glyphs ---- */

const char *svg_text_add_outline(svg_walk *walk, const svg_glyph *glyph, pietra_transform space, font_outline *outline)
{
    outline->verbs.count = outline->coordinates.count = 0;
    const char *wrong = font_find_outline(glyph->font, glyph->id, outline);
    if (wrong == font_out_of_memory)
        return wrong;
    if (wrong) { /* the rest is drawn */
        svg_warn(walk->warnings, 0, "a glyph of a font is left out: it %s", wrong);
        return NULL;
    }
    if (glyph->weight > 0)
        font_embolden(outline, glyph->weight);
    bool finite = true; /* what lies beyond all numbers is not seen */
    for (size_t i = 0; i + 1 < outline->coordinates.count; i += 2) {
        double *x = &outline->coordinates.items[i], *y = x + 1;
        transform_point(space, x, y);
        finite = finite && isfinite(*x) && isfinite(*y);
    }
    if (!finite)
        return NULL;
    svg_budget_spend(walk->document->budget, SVG_STEP_segment, outline->verbs.count);
    svg_budget_spend(walk->document->budget, SVG_STEP_glyph_point, outline->coordinates.count / 2);
    walk->segments += outline->verbs.count;
    pietra_path_append(walk->path, outline->verbs.items, outline->verbs.count, outline->coordinates.items);
    return NULL;
}

bool svg_text_walk_glyphs(const svg_text_layout *layout, const svg_text_character *character,
                          svg_glyph_function *function, void *user)
{
    const text_run *run = &layout->shaped.runs.items[character->run];
    const double scale = text_run_scale(run);
    const double subunit = scale / FONT_SUBUNITS, stretch = (double)character->stretch;
    const pietra_transform space = svg_text_cluster_space(layout, character);
    double pen = 0;
    bool go_on = true, light, upright_only;
    const text_style *style = &layout->styles.items[run->style];
    pietra_font_lacks(run->font, &light, &upright_only);
    const double em = font_em(run->font);
    const double weight = light && !style->no_imitated_weight ? font_imitated_weight(run->size) * em : 0;
    for (uint32_t i = character->glyph; go_on && i < character->glyph + character->glyph_count; i++) {
        const text_glyph *glyph = &layout->shaped.glyphs.items[i];
        const double x = glyph->x_offset * subunit, y = -glyph->y_offset * subunit;
        pietra_transform place = run->upright ? (pietra_transform){scale, 0, 0, scale * stretch, x, pen + y * stretch}
                                              : (pietra_transform){scale * stretch, 0, 0, scale, pen + x * stretch, y};
        if (upright_only && !style->no_imitated_slant)
            place = transform_multiply(place, (pietra_transform){1, 0, -FONT_IMITATED_SLANT, 1, 0, 0});
        const svg_glyph shown = {run->font, glyph->id, weight, transform_multiply(space, place)};
        go_on = function(user, &shown);
        pen += (run->upright ? -glyph->y_advance : glyph->x_advance) * subunit * stretch;
    }
    return go_on;
}

static bool add_glyph(void *user, const svg_glyph *glyph)
{
    outliner *outliner = user;
    const pietra_transform space =
        outliner->transform ? transform_multiply(*outliner->transform, glyph->place) : glyph->place;
    return !svg_text_add_outline(outliner->walk, glyph, space, &outliner->outline);
}

/* ---- Characters ---- */

/* A box with digits has some thirty outlines. */
static uint64_t count_glyphs(const svg_text_layout *layout, const svg_text_piece *piece)
{
    uint64_t count = 0;
    for (uint32_t i = piece->begin; i < piece->end; i++) {
        const svg_text_character *character = &layout->characters.items[i];
        const bool boxed = character->starts_cluster && !layout->shaped.runs.items[character->run].font;
        count += boxed ? BOXED_GLYPHS : character->starts_cluster ? character->glyph_count : 0;
        count += (uint64_t)BOXED_GLYPHS * character->boxed_count;
    }
    return count;
}

static void add_missing(const outliner *outliner, const svg_text_character *character)
{
    const svg_text_layout *layout = outliner->layout;
    const text_run *run = &layout->shaped.runs.items[character->run];
    uint32_t code;
    utf16_decode(layout->units.items, layout->units.count, character->unit, &code);
    missing_append(outliner->walk->path, code, run->size, layout->vertical && run->upright,
                   space_of(outliner, character));
}

/* Adds the boxes that stand behind a character's glyphs. */
static void add_boxed(const outliner *outliner, const svg_text_character *character)
{
    const svg_text_layout *layout = outliner->layout;
    const text_run *run = &layout->shaped.runs.items[character->run];
    const bool upright = layout->vertical && run->upright;
    double along = character->advance - (double)character->spacing - svg_text_boxes_advance(layout, character);
    uint32_t at = character->unit + character->boxed_from, code;
    for (uint32_t i = 0; i < character->boxed_count; i++) {
        at += (uint32_t)utf16_decode(layout->units.items, layout->units.count, at, &code);
        const pietra_transform place = transform_translate(upright ? 0 : along, upright ? along : 0);
        missing_append(outliner->walk->path, code, run->size, upright,
                       transform_multiply(space_of(outliner, character), place));
        along += run->size * missing_advance(code, run->upright);
    }
}

void svg_text_give_back(svg_text_layout *layout)
{
    layout->gives_back = layout->characters.count >= LARGE_TEXT;
    if (!layout->gives_back)
        return;
    layout->node = SVG_NO_NODE; /* so it is not found again */
    array_free(&layout->unit_characters);
}

/* Gives back items from `begin` to `end`, and what is left before them in a page that began earlier. */
static void give_back_items(const void *items, size_t item_bytes, uint32_t begin, uint32_t end)
{
    const size_t from = begin * item_bytes, to = end * item_bytes, before = from < PAGE_BYTES ? from : PAGE_BYTES;
    if (from < to)
        memory_discard((const char *)items + from - before, to - from + before);
}

/* Gives back what is not needed from a character on, which begins a cluster: outlines take more, and grow meanwhile.
 * Glyphs of a run from right to left are needed until its end. */
static void give_back(outliner *outliner, const svg_text_character *next)
{
    const svg_text_layout *layout = outliner->layout;
    const text_run *run = &layout->shaped.runs.items[next->run];
    const uint32_t glyph = run->level % 2 == 0 ? next->glyph : run->first_glyph;
    const given_back from = outliner->given_back;
    const given_back to = {(uint32_t)(next - layout->characters.items), next->unit,
                           glyph > from.glyphs ? glyph : from.glyphs /* a run without a font has none */};
    give_back_items(layout->characters.items, sizeof *layout->characters.items, from.characters, to.characters);
    give_back_items(layout->units.items, sizeof *layout->units.items, from.units, to.units);
    give_back_items(layout->shaped.glyphs.items, sizeof *layout->shaped.glyphs.items, from.glyphs, to.glyphs);
    outliner->given_back = to;
}

static bool add_glyphs(outliner *outliner, const svg_text_piece *piece)
{
    const svg_text_layout *layout = outliner->layout;
    bool whole = true;
    svg_budget *budget = outliner->walk->document->budget;
    svg_budget_spend(budget, SVG_STEP_glyph, count_glyphs(layout, piece)); /* before any takes memory */
    for (uint32_t i = piece->begin; i < piece->end && whole && !budget->is_exceeded; i++) {
        const svg_text_character *character = &layout->characters.items[i];
        if (!character->starts_cluster || character->hidden)
            continue;
        if (layout->gives_back && i >= outliner->given_back.characters + GIVEN_BACK)
            give_back(outliner, character);
        if (layout->shaped.runs.items[character->run].font)
            whole = svg_text_walk_glyphs(layout, character, add_glyph, outliner);
        else
            add_missing(outliner, character);
        if (whole && character->boxed_count > 0)
            add_boxed(outliner, character);
    }
    return whole;
}

/* ---- Lines ---- */

/* Returns whether the line of one cluster goes on straight in the next. */
static bool goes_on(const svg_text_layout *layout, const svg_text_character *a, double end, const svg_text_character *b)
{
    const double slack = 1e-6 * (fabs(end) + fabs(a->py) + 1);
    return layout->elements.items[a->element].baseline == layout->elements.items[b->element].baseline &&
           !layout->vertical && a->rotation == 0 && b->rotation == 0 && a->turn_x == 1 && b->turn_x == 1 &&
           fabs(a->py - b->py) <= slack && fabs(end - b->px) <= slack;
}

/* What a line looks like, in its own units. */
typedef struct line_look {
    const svg_text_element *declaring;
    double y, thickness;
    double other;  /* how far apart the two lines of a double line are */
    uint8_t style; /* SVG_LINE_... */
} line_look;

/* Returns whether parts of a line may be added. Their segments take memory, so they count before they are made. */
static bool spend_on_lines(const outliner *outliner, double segments)
{
    return svg_budget_spend(outliner->walk->document->budget, SVG_STEP_segment, (uint64_t)segments);
}

/* Adds the dots or dashes of a line. Where there would be too many, they run together. */
static void add_dashes(const outliner *outliner, pietra_transform space, double length, const line_look *look)
{
    const double dash = look->style == SVG_LINE_DOTTED ? look->thickness : 3 * look->thickness;
    const double gap = look->style == SVG_LINE_DOTTED ? look->thickness : 2 * look->thickness;
    const double count = floor((length + gap) / (dash + gap) + 1e-6);
    if (!(count <= MOST_DASHES)) {
        text_append_rect(outliner->walk->path, space, 0, look->y, length, look->thickness, false);
        return;
    }
    if (!spend_on_lines(outliner, DASH_SEGMENTS * fmax(count, 1)))
        return;
    const double step = count > 1 ? (length - dash) / (count - 1) : 0;
    for (double i = 0; i < fmax(count, 1); i++)
        text_append_rect(outliner->walk->path, space, i * step, look->y, fmin(dash, length), look->thickness, false);
}

static void add_points(const outliner *outliner, pietra_transform space, pietra_verb verb, const double *points)
{
    double mapped[4];
    const size_t count = 2 * (verb == PIETRA_VERB_QUAD ? 2u : verb == PIETRA_VERB_CLOSE ? 0u : 1u);
    for (size_t i = 0; i < count; i += 2) {
        mapped[i] = points[i];
        mapped[i + 1] = points[i + 1];
        transform_point(space, &mapped[i], &mapped[i + 1]);
    }
    pietra_path_append(outliner->walk->path, &(uint8_t){(uint8_t)verb}, 1, mapped);
}

/* Adds a wavy band: halves of waves, each a quadratic curve, and back along its lower side. */
static void add_wave(const outliner *outliner, pietra_transform space, double length, const line_look *look)
{
    const double height = 2 * look->thickness, count = fmax(floor(length / (3 * look->thickness) + 0.5), 1);
    if (!(count <= MOST_DASHES)) {
        text_append_rect(outliner->walk->path, space, 0, look->y, length, look->thickness, false);
        return;
    }
    if (!spend_on_lines(outliner, DASH_SEGMENTS * count))
        return;
    const double half = length / count;
    add_points(outliner, space, PIETRA_VERB_MOVE, (double[]){0, look->y});
    for (double i = 0; i < count; i++)
        add_points(
            outliner, space, PIETRA_VERB_QUAD,
            (double[]){(i + 0.5) * half, look->y + (fmod(i, 2) == 0 ? -height : height), (i + 1) * half, look->y});
    const double lower = look->y + look->thickness;
    add_points(outliner, space, PIETRA_VERB_LINE, (double[]){length, lower});
    for (double i = count; i > 0; i--)
        add_points(
            outliner, space, PIETRA_VERB_QUAD,
            (double[]){(i - 0.5) * half, lower + (fmod(i - 1, 2) == 0 ? -height : height), (i - 1) * half, lower});
    add_points(outliner, space, PIETRA_VERB_CLOSE, NULL);
}

/* In a vertical line of text this lies on the line. */
static double middle_of(const svg_text_layout *layout, const svg_text_element *element)
{
    const svg_text_font *font = &layout->fonts.items[element->style];
    return element->shift + svg_text_middle(font);
}

/* The line is shifted as its own element is, but its characters stand on it. In vertical lines it runs down beside
 * upright letters as it does along those on their side, wherever the fonts of these have their baselines. */
static pietra_transform line_space_of(const outliner *outliner, const svg_text_character *first,
                                      const svg_text_element *declaring)
{
    const svg_text_layout *layout = outliner->layout;
    const svg_text_element *element = &layout->elements.items[first->element];
    const pietra_transform space = space_of(outliner, first);
    if (!layout->vertical)
        return transform_multiply(space, transform_translate(0, -element->shift));
    const double baseline = middle_of(layout, declaring);
    if (!layout->shaped.runs.items[first->run].upright)
        return transform_multiply(space, transform_translate(0, baseline - middle_of(layout, element)));
    return transform_multiply(space, (pietra_transform){0, 1, -1, 0, element->shift - baseline, 0});
}

static void add_line_part(const outliner *outliner, const svg_text_character *first, double length,
                          const line_look *look)
{
    const pietra_transform space = line_space_of(outliner, first, look->declaring);
    if (!transform_is_finite(space) || !isfinite(length))
        return;
    if (look->style == SVG_LINE_DOTTED || look->style == SVG_LINE_DASHED)
        add_dashes(outliner, space, length, look);
    else if (look->style == SVG_LINE_WAVY)
        add_wave(outliner, space, length, look);
    else
        text_append_rect(outliner->walk->path, space, 0, look->y, length, look->thickness, false);
    if (look->style == SVG_LINE_DOUBLE)
        text_append_rect(outliner->walk->path, space, 0, look->y + look->other, length, look->thickness, false);
}

/* In vertical lines of Japanese and Korean an underline is on the right, and an overline on the left (the default style
 * sheet of CSS Text Decoration 3). */
static bool changes_sides(const svg_document *document, uint32_t index)
{
    const text language = index ? document->texts.items[index - 1].value : TEXT("");
    const text primary = {language.bytes, text_find(language, '-')};
    return text_equal_ignoring_case(primary, TEXT("ja")) || text_equal_ignoring_case(primary, TEXT("ko"));
}

/* Of double lines the second one is farther from the letters; of two through them one is above the other. */
static line_look find_look(const outliner *outliner, const svg_text_piece *piece)
{
    const svg_text_layout *layout = outliner->layout;
    const svg_text_element *element = &layout->elements.items[piece->element];
    const svg_text_font *font = &layout->fonts.items[element->style];
    const double shift = layout->vertical ? 0 : element->shift;
    const bool under = piece->kind == SVG_TEXT_UNDERLINE, through = piece->kind == SVG_TEXT_LINE_THROUGH;
    svg_inherited inherited_room;
    svg_noninherited room;
    const svg_inherited *inherited = svg_text_inherited(layout, element, &inherited_room);
    const svg_noninherited *noninherited = svg_text_noninherited(layout, element, &room);
    const svg_metrics metrics = svg_walk_metrics(outliner->walk, inherited->font_size, layout->width, layout->height);
    const double wanted = svg_length_resolve(noninherited->text_decoration_thickness, SVG_AXIS_Y, &metrics);
    const double offset = svg_length_resolve(inherited->text_underline_offset, SVG_AXIS_Y, &metrics);
    line_look look = {.declaring = element,
                      .style = noninherited->text_decoration_style,
                      .thickness = wanted >= 0 ? wanted
                                   : through   ? font->strikeout_thickness
                                               : font->underline_thickness};
    /* Most makers of fonts state where the middle of a line is, as PostScript did. */
    look.y = shift - look.thickness / 2 + (under ? font->underline : through ? -font->strikeout : -font->ascent);
    if (under && layout->vertical) /* beside all letters, as in Chromium */
        look.y = font->descent + (isfinite(offset) ? offset : 0);
    else if (under && isfinite(offset))
        look.y = shift + offset;
    look.other = 2 * look.thickness * (under ? 1 : -1);
    if (layout->vertical && !through &&
        changes_sides(outliner->walk->document, inherited->language)) { /* beside the em */
        const double middle = -svg_text_middle(font), half = font->size / 2;
        const double gap = under && isfinite(offset) ? offset : 0;
        look.y = under ? middle - half - gap - look.thickness : middle + half;
        look.other = -look.other;
    }
    if (through && look.style == SVG_LINE_DOUBLE)
        look.y += look.thickness;
    return look;
}

static void add_line(const outliner *outliner, const svg_text_piece *piece)
{
    const svg_text_layout *layout = outliner->layout;
    const line_look look = find_look(outliner, piece);
    const svg_text_character *first = NULL;
    double end = 0;
    const svg_budget *budget = outliner->walk->document->budget;
    for (uint32_t i = piece->begin; i < piece->end && look.thickness > 0 && !budget->is_exceeded; i++) {
        const svg_text_character *character = &layout->characters.items[i];
        if (!character->starts_cluster || character->hidden)
            continue;
        if (first && !goes_on(layout, first, end, character)) {
            add_line_part(outliner, first, end - first->px, &look);
            first = NULL;
        }
        if (!first) {
            first = character;
            end = first->px;
        }
        end += character->advance;
    }
    if (first)
        add_line_part(outliner, first, end - first->px, &look);
}

bool svg_text_build_piece(svg_walk *walk, const svg_text_layout *layout, uint32_t index,
                          const pietra_transform *transform)
{
    outliner outliner = {.walk = walk, .layout = layout, .transform = transform};
    const svg_text_piece *piece = &layout->pieces.items[index];
    bool whole = true;
    pietra_path_reset(walk->path);
    if (piece->kind == SVG_TEXT_GLYPHS || piece->kind == SVG_TEXT_PICTURES)
        whole = add_glyphs(&outliner, piece);
    else if (piece->kind != SVG_TEXT_OPEN && piece->kind != SVG_TEXT_CLOSE)
        add_line(&outliner, piece);
    if (!whole)
        svg_budget_lack_memory(walk->document->budget);
    font_outline_free(&outliner.outline);
    return whole;
}
