/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/text_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/transform.h"
#include "font/font.h"
#include "svg/draw/text_faces.h"
#include "svg/draw/visit.h"

#define KEPT_LAYOUTS 16u /* layouts that are kept when no walk frame uses them */

typedef struct placer {
    svg_walk *walk;
    const svg_instance *instance;
    svg_text_layout *layout;
} placer;

static svg_text_character *character_of(const placer *placer, uint32_t index)
{
    return &placer->layout->characters.items[index];
}

static double *line_of(const placer *placer, svg_text_character *character)
{
    return placer->layout->vertical ? &character->py : &character->px;
}

/* ---- Places on the line ---- */

/* Places the clusters of a run behind the pen, from left to right. */
static void place_run(const placer *placer, const text_run *run, double *pen)
{
    const svg_text_layout *layout = placer->layout;
    const bool backward = run->level % 2 && !run->upright;
    for (uint32_t k = 0; k < run->end - run->begin; k++) {
        const uint32_t unit = backward ? run->end - 1 - k : run->begin + k;
        const uint32_t index = layout->unit_characters.items[unit];
        if (index == SVG_NO_INDEX || layout->characters.items[index].unit != unit ||
            !layout->characters.items[index].starts_cluster)
            continue;
        svg_text_character *character = &layout->characters.items[index];
        *line_of(placer, character) = *pen;
        *pen += character->advance;
    }
}

/* Places all chunks behind one another. Runs do not reach beyond their chunks. */
static bool place_runs(const placer *placer)
{
    const svg_text_layout *layout = placer->layout;
    const size_t count = layout->shaped.runs.count;
    uint8_t *levels = malloc(count + 1);
    uint32_t *order = malloc((count + 1) * sizeof *order);
    double pen = 0;
    for (size_t begin = 0, end; levels && order && begin < count; begin = end) {
        for (end = begin; end < count; end++) {
            const text_run *run = &layout->shaped.runs.items[end];
            const uint32_t first = svg_text_character_at(layout, run->begin, run->end);
            if (end > begin && first != SVG_NO_INDEX && layout->characters.items[first].starts_chunk)
                break;
            levels[end - begin] = run->level;
        }
        bidi_order(levels, end - begin, order);
        for (size_t i = 0; i < end - begin; i++)
            place_run(placer, &layout->shaped.runs.items[begin + order[i]], &pen);
    }
    const bool whole = levels && order;
    free(levels);
    free(order);
    return whole;
}

/* Shifts by dx and dy add up. Characters inside a cluster stand where it begins. */
static void shift_characters(const placer *placer)
{
    const svg_text_layout *layout = placer->layout;
    double x = 0, y = 0;
    for (uint32_t i = 0; i < layout->characters.count; i++) {
        svg_text_character *character = &layout->characters.items[i];
        const svg_text_place *place = svg_text_place_of(layout, character);
        x += isnan(place->dx) ? 0 : place->dx;
        y += isnan(place->dy) ? 0 : place->dy;
        character->px += x;
        character->py += y;
        if (!character->starts_cluster && i > 0) {
            character->px = character[-1].px;
            character->py = character[-1].py;
        }
    }
}

/* ---- textLength ---- */

/* Finds from where to where a range of characters reaches along the line. False: it has none. */
static bool find_reach(const placer *placer, uint32_t begin, uint32_t end, double *least, double *most, uint32_t *count)
{
    *least = INFINITY;
    *most = -INFINITY;
    *count = 0;
    for (uint32_t i = begin; i < end; i++) {
        svg_text_character *character = character_of(placer, i);
        if (!character->starts_cluster)
            continue;
        const double from = *line_of(placer, character);
        *least = fmin(*least, from);
        *most = fmax(*most, from + character->advance);
        ++*count;
    }
    return *count > 0;
}

/* Finds the length that an element's text is to have. False: none is given, or it is no length. */
static bool find_given_length(const placer *placer, const svg_text_element *element, double *wanted)
{
    svg_walk *walk = placer->walk;
    const svg_metrics metrics = svg_walk_metrics(walk, svg_text_font_size(placer->layout, element),
                                                 placer->instance->width, placer->instance->height);
    svg_length length;
    if (!svg_attribute_length(walk->document, element->node, SVG_TEXT_LENGTH, &length))
        return false;
    *wanted = svg_length_resolve(length, SVG_AXIS_X, &metrics);
    return *wanted >= 0 && isfinite(*wanted);
}

/* Finds for each element inside one the outermost element around it whose own length is given, or SVG_NO_INDEX. Gives
 * an array that begins with the element itself. NULL: out of memory. */
static uint32_t *find_groups(const placer *placer, uint32_t index)
{
    const svg_text_layout *layout = placer->layout;
    uint32_t *groups = malloc((layout->elements.count - index) * sizeof *groups);
    for (uint32_t i = index; groups && i < layout->elements.count; i++) {
        const svg_text_element *element = &layout->elements.items[i];
        const bool inside = i > index && element->parent != SVG_NO_INDEX && element->parent >= index;
        const uint32_t around = inside ? groups[element->parent - index] : SVG_NO_INDEX;
        double wanted;
        const bool fitted = inside && find_given_length(placer, element, &wanted);
        groups[i - index] = around != SVG_NO_INDEX ? around : fitted ? i : SVG_NO_INDEX;
    }
    return groups;
}

/* A cluster of an element whose length is fitted. */
typedef struct fitted_cluster {
    double place; /* on the line */
    uint32_t character;
    uint32_t group; /* element inside whose own length is given; SVG_NO_INDEX: none */
} fitted_cluster;

static int compare_places(const void *a, const void *b)
{
    const fitted_cluster *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

/* Returns the clusters of an element in the order in which they are seen. NULL: out of memory. */
static fitted_cluster *order_clusters(const placer *placer, uint32_t index, uint32_t count)
{
    const svg_text_element *element = &placer->layout->elements.items[index];
    fitted_cluster *clusters = malloc(count * sizeof *clusters);
    uint32_t *groups = find_groups(placer, index), found = 0;
    for (uint32_t i = element->begin; clusters && groups && i < element->end; i++) {
        svg_text_character *character = character_of(placer, i);
        if (character->starts_cluster)
            clusters[found++] = (fitted_cluster){*line_of(placer, character), i, groups[character->element - index]};
    }
    if (clusters && groups) {
        qsort(clusters, found, sizeof *clusters, compare_places);
    } else {
        free(clusters);
        clusters = NULL;
    }
    free(groups);
    return clusters;
}

/* Returns whether what follows a cluster is of the same element whose own length is given. */
static bool goes_on(const fitted_cluster *cluster)
{
    return cluster->group != SVG_NO_INDEX && cluster->group == cluster[1].group;
}

/* Puts equal gaps between the clusters of an element. An element inside it whose own length is given counts as one
 * (SVG 2, 11.5). */
static void spread(const placer *placer, const fitted_cluster *clusters, uint32_t count, double missing)
{
    uint32_t gaps = 0;
    double shift = 0;
    for (uint32_t k = 1; k < count; k++)
        gaps += !goes_on(&clusters[k - 1]);
    for (uint32_t k = 0; k < count; k++) {
        if (k > 0 && !goes_on(&clusters[k - 1]))
            shift += missing / (gaps ? gaps : 1);
        *line_of(placer, character_of(placer, clusters[k].character)) += shift;
    }
}

/* Returns how much of the line a cluster takes, up to the next one. */
static double find_step(const fitted_cluster *clusters, uint32_t k, uint32_t count, double most)
{
    return (k + 1 < count ? clusters[k + 1].place : most) - clusters[k].place;
}

/* Stretches the clusters of an element from `least` to `most` on the line until they take `wanted`. Elements inside it
 * whose own lengths are given keep them, unless nothing else can give way. */
static void stretch(const placer *placer, const fitted_cluster *clusters, uint32_t count, double least, double most,
                    double wanted)
{
    double fixed = 0, loose = 0, passed = 0; /* `passed`: what is fixed before a cluster */
    for (uint32_t k = 0; k < count; k++)
        *(clusters[k].group != SVG_NO_INDEX ? &fixed : &loose) += find_step(clusters, k, count, most);
    const bool keeps = fixed > 0 && loose > 0 && wanted > fixed;
    const double factor = keeps ? (wanted - fixed) / loose : wanted / (most - least);
    for (uint32_t k = 0; k < count; k++) {
        svg_text_character *character = character_of(placer, clusters[k].character);
        *line_of(placer, character) = least + (clusters[k].place - least - passed) * factor + passed;
        if (keeps && clusters[k].group != SVG_NO_INDEX) {
            passed += find_step(clusters, k, count, most);
        } else {
            character->advance *= factor;
            character->spacing *= (float)factor;
            character->stretch *= (float)factor;
        }
    }
}

static pietra_result fit_element(const placer *placer, uint32_t index)
{
    svg_walk *walk = placer->walk;
    const svg_text_layout *layout = placer->layout;
    const svg_text_element *element = &layout->elements.items[index];
    double wanted, least, most;
    uint32_t count;
    if (!find_given_length(placer, element, &wanted))
        return PIETRA_OK;
    const pietra_result result =
        svg_walk_spend(walk, element->node, SVG_STEP_character,
                       layout->characters.count - element->begin + layout->elements.count - index);
    if (result != PIETRA_OK || !find_reach(placer, element->begin, element->end, &least, &most, &count))
        return result;
    const double missing = wanted - (most - least);
    const text adjust = text_trim(svg_attribute_text(walk->document, element->node, SVG_LENGTH_ADJUST));
    fitted_cluster *clusters = order_clusters(placer, index, count);
    if (!clusters)
        return PIETRA_ERROR_MEMORY;
    if (!text_equal(adjust, TEXT("spacingAndGlyphs")))
        spread(placer, clusters, count, missing);
    else if (most > least)
        stretch(placer, clusters, count, least, most, wanted);
    free(clusters);
    for (uint32_t i = element->end; i < layout->characters.count; i++)
        *line_of(placer, character_of(placer, i)) += missing;
    return PIETRA_OK;
}

/* ---- Absolute places ---- */

typedef struct chunk {
    uint32_t begin, end;
    double start; /* begin of its line, before it is anchored */
} chunk;

/* Returns where a chunk begins on its line: at its first character, or at the left if that or its line runs from right
 * to left. */
static double find_origin(const placer *placer, uint32_t begin, double least)
{
    svg_text_character *first = character_of(placer, begin);
    const bool backward = first->starts_cluster && placer->layout->shaped.runs.items[first->run].level > 0;
    return backward ? least : *line_of(placer, first);
}

/* Returns whether a chunk begins at the right: so says the direction of its first character's element (SVG 2, 11.5.1).
 * Lines go by that of the text, and letters that stand upright below one another by none. */
static bool begins_at_right(const svg_text_layout *layout, const svg_inherited *style)
{
    const bool lines = layout->has_lines || layout->wraps;
    const bool upright = layout->vertical && style->text_orientation == SVG_ORIENTATION_UPRIGHT;
    if (lines || upright || style->direction == layout->style.direction)
        return layout->shaped.level % 2;
    return style->direction == SVG_RIGHT_TO_LEFT;
}

static void anchor(const placer *placer, const chunk *chunk)
{
    const svg_text_layout *layout = placer->layout;
    svg_inherited room;
    const svg_inherited *style =
        svg_text_inherited(layout, &layout->elements.items[layout->characters.items[chunk->begin].element], &room);
    double least, most;
    uint32_t count;
    if (!find_reach(placer, chunk->begin, chunk->end, &least, &most, &count))
        return;
    const bool left = begins_at_right(layout, style);
    const bool from_right = left ? style->text_anchor == SVG_ANCHOR_START : style->text_anchor == SVG_ANCHOR_END;
    const double shift = chunk->start - (style->text_anchor == SVG_ANCHOR_MIDDLE ? (least + most) / 2
                                         : from_right                            ? most
                                                      : find_origin(placer, chunk->begin, least));
    for (uint32_t i = chunk->begin; i < chunk->end; i++)
        *line_of(placer, character_of(placer, i)) += shift;
}

/* Moves each chunk to where its first character asks to be. */
static void place_chunks(const placer *placer)
{
    const svg_text_layout *layout = placer->layout;
    const bool vertical = layout->vertical;
    double shift_x = 0, shift_y = 0;
    chunk chunk;
    for (chunk.begin = 0; chunk.begin < layout->characters.count; chunk.begin = chunk.end) {
        const svg_text_character first = layout->characters.items[chunk.begin];
        const svg_text_place asked = *svg_text_place_of(layout, &first);
        double least, most;
        uint32_t count;
        chunk.end = chunk.begin + 1;
        while (chunk.end < layout->characters.count && !layout->characters.items[chunk.end].starts_chunk)
            chunk.end++;
        if (!find_reach(placer, chunk.begin, chunk.end, &least, &most, &count))
            least = vertical ? first.py : first.px;
        const double dx = isnan(asked.dx) ? 0 : asked.dx, dy = isnan(asked.dy) ? 0 : asked.dy;
        const double origin = find_origin(placer, chunk.begin, least);
        const double from_x = vertical ? first.px : origin, from_y = vertical ? origin : first.py;
        shift_x = isnan(asked.x) ? shift_x : asked.x + dx - from_x;
        shift_y = isnan(asked.y) ? shift_y : asked.y + dy - from_y;
        for (uint32_t i = chunk.begin; i < chunk.end; i++) {
            layout->characters.items[i].px += shift_x;
            layout->characters.items[i].py += shift_y;
        }
        chunk.start = vertical ? from_y + shift_y : from_x + shift_x;
        anchor(placer, &chunk);
    }
}

/* ---- Whole pixels ---- */

/* Returns the map to pixels on which baselines lie; all zeros: they stay. In cells of patterns and in boxes that are
 * gathered nothing is known of pixels. */
static pietra_transform find_snap(const svg_walk *walk, const svg_instance *instance)
{
    static const pietra_transform none = {0};
    const pietra_transform *pixels = &walk->document->settings.snap;
    const bool wanted = memcmp(pixels, &none, sizeof none) != 0;
    if (!wanted || walk->pattern_depth > 0 || instance->mode == SVG_MODE_BOX)
        return none;
    return transform_multiply(*pixels, instance->transform);
}

/* Returns how far a coordinate of the text moves, so that `scale` times it, plus `offset`, is whole. */
static double find_move(double coordinate, double scale, double offset)
{
    const double pixel = scale * coordinate + offset;
    const double moved = (floor(pixel + 0.5) - pixel) / scale;
    return isfinite(moved) ? moved : 0;
}

/* Moves baselines to whole pixels where they run along rows or columns of them. */
static void snap_baselines(const svg_text_layout *layout)
{
    const pietra_transform snap = layout->snap;
    const bool upright = snap.b == 0 && snap.c == 0, on_side = snap.a == 0 && snap.d == 0;
    if (upright == on_side) /* turned, or not wanted */
        return;
    for (uint32_t i = 0; i < layout->characters.count; i++) {
        svg_text_character *character = &layout->characters.items[i];
        if (character->rotation != 0 || character->turn_x != 1 || !character->starts_cluster)
            continue;
        const pietra_transform space = svg_text_cluster_space(layout, character);
        const bool upright_line = space.b == 0;
        if (layout->vertical && layout->shaped.runs.items[character->run].upright)
            continue; /* it has no baseline that shows */
        if (upright_line)
            character->py += upright ? find_move(space.f, snap.d, snap.f) : find_move(space.f, snap.c, snap.e);
        else
            character->px += upright ? find_move(space.e, snap.a, snap.e) : find_move(space.e, snap.b, snap.f);
    }
}

/* ---- The whole ---- */

/* In vertical lines, letters on their side and upright ones are centred on the line. */
pietra_transform svg_text_cluster_space(const svg_text_layout *layout, const svg_text_character *character)
{
    const svg_text_element *element = &layout->elements.items[character->element];
    const svg_text_font *font = &layout->fonts.items[element->style];
    const text_run *run = &layout->shaped.runs.items[character->run];
    const double across = layout->vertical ? element->shift + (run->upright ? 0 : svg_text_middle(font))
                                           : element->shift + element->baseline;
    pietra_transform space = transform_translate(character->px, character->py);
    const double turn_x = (double)character->turn_x, turn_y = (double)character->turn_y;
    if (turn_x != 1 || turn_y != 0)
        space = transform_multiply(space, (pietra_transform){turn_x, turn_y, -turn_y, turn_x, 0, 0});
    if (layout->vertical && run->upright)
        space = transform_multiply(space, transform_translate(-across, 0));
    else if (layout->vertical)
        space = transform_multiply(space, (pietra_transform){0, 1, -1, 0, 0, 0});
    if (!(layout->vertical && run->upright))
        space = transform_multiply(space, transform_translate(0, across));
    if (character->rotation != 0)
        space = transform_multiply(space, transform_rotate((double)character->rotation));
    return space;
}

/* The box of a text is that of its cells: as wide as an advance, as high as the font (SVG 2, 8.10). */
void svg_text_find_extent(const svg_text_layout *layout, const pietra_transform *transform, svg_extent *extent)
{
    for (size_t i = 0; i < layout->characters.count; i++) {
        const svg_text_character *character = &layout->characters.items[i];
        if (!character->starts_cluster || character->hidden)
            continue;
        const svg_text_font *font = svg_text_font_of(layout, character->element);
        const text_run *run = &layout->shaped.runs.items[character->run];
        const pietra_transform space = transform_multiply(*transform, svg_text_cluster_space(layout, character));
        const double advance = character->advance;
        const bool upright = layout->vertical && run->upright;
        const pietra_box cell = {upright ? -run->size / 2 : fmin(0, advance),
                                 upright ? fmin(0, advance) : -font->ascent, upright ? run->size / 2 : fmax(0, advance),
                                 upright ? fmax(0, advance) : font->descent};
        const pietra_box box = transform_box(space, cell);
        svg_extent_join(extent, box, box);
    }
}

static pietra_result lay_out(svg_walk *walk, const svg_instance *instance, svg_text_layout *layout)
{
    const placer placer = {walk, instance, layout};
    pietra_result result = svg_text_collect(walk, instance, layout);
    if (result == PIETRA_OK && layout->characters.count == 0)
        return PIETRA_OK;
    if (result == PIETRA_OK)
        result = svg_text_read_lists(walk, instance, layout);
    if (result == PIETRA_OK)
        result = svg_text_break_lines(walk, instance, layout);
    if (result == PIETRA_OK)
        result = svg_text_shape(walk, instance, layout);
    if (result != PIETRA_OK)
        return result;
    if (!place_runs(&placer))
        return PIETRA_ERROR_MEMORY;
    shift_characters(&placer);
    for (size_t i = layout->wraps ? 0 : layout->elements.count; i > 0 && result == PIETRA_OK; i--)
        result = fit_element(&placer, (uint32_t)i - 1);
    if (result != PIETRA_OK)
        return result;
    place_chunks(&placer);
    result = svg_text_put_on_paths(walk, instance, layout);
    if (result != PIETRA_OK)
        return result;
    snap_baselines(layout);
    svg_text_find_extent(layout, &TRANSFORM_IDENTITY, &layout->extent);
    return svg_text_list_pieces(walk, layout);
}

static bool is_same(const svg_text_layout *layout, const svg_instance *instance, const svg_inherited *style,
                    uint32_t shown_by, pietra_transform snap)
{
    return memcmp(&layout->snap, &snap, sizeof snap) == 0 && layout->node == instance->node &&
           layout->shown_by == shown_by && layout->width == instance->width && layout->height == instance->height &&
           memcmp(&layout->style, style, sizeof *style) == 0;
}

/* Frees layouts that nothing uses, the oldest first, if there are many. */
static void drop_layouts(svg_walk *walk)
{
    size_t kept = 0, spare = walk->texts.count > KEPT_LAYOUTS ? walk->texts.count - KEPT_LAYOUTS : 0;
    for (size_t i = 0; i < walk->texts.count; i++)
        if (spare > 0 && walk->texts.items[i]->users == 0) {
            svg_text_layout_free(walk->texts.items[i]);
            spare--;
        } else {
            walk->texts.items[kept++] = walk->texts.items[i];
        }
    walk->texts.count = kept;
}

pietra_result svg_text_fail(svg_walk *walk, svg_text_layout *layout, const char *wrong)
{
    if (!font_lacks_library(wrong))
        return font_error(walk->error, "", wrong);
    layout->missing_library = wrong;
    return PIETRA_ERROR_IO;
}

/* A text that needs a library which is not installed is left out. The rest is drawn. */
static pietra_result leave_out(svg_walk *walk, const svg_instance *instance, svg_text_layout *layout)
{
    layout->pieces.count = 0;
    layout->extent = (svg_extent){.some = false};
    svg_warn(walk->warnings, svg_document_warning_line(walk->document, instance->node), "text is left out: %s",
             layout->missing_library);
    return PIETRA_OK;
}

pietra_result svg_text_lay_out(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                               uint32_t shown_by, svg_text_layout **layout)
{
    const pietra_transform snap = find_snap(walk, instance);
    for (size_t i = walk->texts.count; i > 0; i--)
        if (is_same(walk->texts.items[i - 1], instance, style, shown_by, snap)) {
            *layout = walk->texts.items[i - 1];
            return PIETRA_OK;
        }
    const pietra_result opened = svg_text_open_fonts(walk);
    if (opened != PIETRA_OK)
        return opened;
    drop_layouts(walk);
    svg_text_layout *made = calloc(1, sizeof *made);
    if (!made || !array_reserve(&walk->texts, 1)) {
        free(made);
        return PIETRA_ERROR_MEMORY;
    }
    *array_push(&walk->texts) = made;
    made->node = SVG_NO_NODE; /* so it is not found before it is whole */
    made->style = *style;
    made->snap = snap;
    made->vertical = style->writing_mode != SVG_HORIZONTAL;
    pietra_result result = lay_out(walk, instance, made);
    if (result != PIETRA_OK && made->missing_library)
        result = leave_out(walk, instance, made);
    made->node = instance->node;
    made->shown_by = shown_by;
    made->width = instance->width;
    made->height = instance->height;
    *layout = made;
    return svg_walk_check(walk, instance->node, result);
}

void svg_text_layout_free(svg_text_layout *layout)
{
    for (size_t i = 0; i < layout->fonts.count; i++)
        pietra_font_destroy(layout->fonts.items[i].font);
    shaped_text_free(&layout->shaped);
    array_free(&layout->elements);
    array_free(&layout->characters);
    array_free(&layout->places);
    array_free(&layout->units);
    array_free(&layout->unit_characters);
    array_free(&layout->rotations);
    array_free(&layout->styles);
    array_free(&layout->fonts);
    hash_free(&layout->style_table);
    array_free(&layout->pieces);
    arena_free(&layout->arena);
    free(layout);
}
