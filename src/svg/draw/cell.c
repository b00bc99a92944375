/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/cell.h"

#include <math.h>

#include "base/transform.h"
#include "svg/draw/frame_cost.h"
#include "svg/draw/visit.h"

#define TOUCHING 1e-6 /* in parts of a cell: content that is closer to the border touches it */

/* ---- Drawing a cell ---- */

static svg_cell_key key_of(const svg_cell_grid *grid)
{
    svg_cell_key key;
    memset(&key, 0, sizeof key);
    key.content = grid->content;
    key.space = grid->space;
    key.space.e = key.space.f = 0;
    key.local = grid->local;
    key.width = grid->cell.width;
    key.height = grid->cell.height;
    key.inner_width = grid->inner_width;
    key.inner_height = grid->inner_height;
    key.clipped = grid->clipped;
    return key;
}

/* How much of a key must be equal to find a cell, from the strictest. */
typedef enum cell_match {
    MATCH_SPACE, /* the whole key */
    MATCH_SCALE, /* for cells in cells: all but the space, whose scale counts to a factor of 2 */
    MATCH_ANY,   /* all but the space */
} cell_match;

/* The size of a cell, as exponents of 2. */
typedef struct cell_scale {
    int across, down;
} cell_scale;

static double size_across(const svg_cell_key *key)
{
    return hypot(key->space.a, key->space.b) * key->width;
}

static double size_down(const svg_cell_key *key)
{
    return hypot(key->space.c, key->space.d) * key->height;
}

static cell_scale scale_of(const svg_cell_key *key)
{
    return (cell_scale){ilogb(size_across(key)), ilogb(size_down(key))};
}

static uint64_t hash_key(const svg_cell_key *key, cell_match match)
{
    svg_cell_key part = *key;
    cell_scale scale = scale_of(key);
    if (match != MATCH_SPACE)
        memset(&part.space, 0, sizeof part.space);
    uint64_t hash = hash_bytes(&part, sizeof part) + (uint64_t)match;
    return match == MATCH_SCALE ? hash ^ hash_bytes(&scale, sizeof scale) : hash;
}

static bool keys_match(const svg_cell_key *a, const svg_cell_key *b, cell_match match)
{
    cell_scale scale_a = scale_of(a), scale_b = scale_of(b);
    svg_cell_key moved = *b;
    if (match != MATCH_SPACE)
        moved.space = a->space;
    return memcmp(a, &moved, sizeof moved) == 0 &&
           (match != MATCH_SCALE || (scale_a.across == scale_b.across && scale_a.down == scale_b.down));
}

/* Says how a cell that has been drawn may be found again. A cell of the picture itself that shows other cells is only
 * found by its whole key, so that these are drawn in their exact sizes. */
static cell_match match_of(const svg_walk *walk, const svg_cell_drawing *drawing)
{
    if (drawing->outer || drawing->shows & SVG_CELL_EXACT ||
        (drawing->shows & SVG_CELL_SCALED && walk->pattern_depth == 0))
        return MATCH_SPACE;
    return drawing->shows & SVG_CELL_SCALED ? MATCH_SCALE : MATCH_ANY;
}

static svg_cell_drawing *find_match(const svg_walk *walk, const svg_cell_key *key, cell_match match)
{
    hash_walk probe = hash_find(&walk->cell_table, hash_key(key, match));
    for (; hash_found(&probe); hash_next(&probe)) {
        svg_cell_drawing *drawing = &walk->cells.items[probe.value];
        if (match_of(walk, drawing) >= match && keys_match(key, &drawing->key, match))
            return drawing;
    }
    return NULL;
}

svg_cell_drawing *svg_cell_find(const svg_walk *walk, const svg_cell_grid *grid)
{
    svg_cell_key key = key_of(grid);
    svg_cell_drawing *drawing = find_match(walk, &key, MATCH_SPACE);
    if (!drawing && walk->pattern_depth > 0)
        drawing = find_match(walk, &key, MATCH_SCALE);
    return drawing ? drawing : find_match(walk, &key, MATCH_ANY);
}

/* Returns the map to the scene from the cell in column 0 and row 0, with the cell's corner at the origin. */
static pietra_transform scene_of_cell(const svg_cell_grid *grid)
{
    return transform_multiply(grid->space, transform_translate(grid->cell.x, grid->cell.y));
}

static pietra_result push_content(svg_walk *walk, const svg_cell_grid *grid, pietra_transform transform, uint32_t index)
{
    const svg_style_in_place *placed = svg_walk_style_in_place(walk, grid->content);
    if (!placed)
        return PIETRA_ERROR_MEMORY;
    svg_walk_frame frame = {
        .instance =
            {
                .node = grid->content,
                .mode = SVG_MODE_DRAW,
                .transform = transform,
                .width = grid->inner_width,
                .height = grid->inner_height,
                .opacity = 1,
                .noninherited = svg_noninherited_initial,
            },
        .kind = SVG_WALK_FRAME_CELL,
        .phase = SVG_PHASE_BODY,
        .cell =
            {
                .children =
                    {
                        .next = grid->content + 1,
                        .end = walk->document->nodes.items[grid->content].end,
                        .shown_by = SVG_NO_NODE,
                        .local = grid->local,
                        .width = grid->inner_width,
                        .height = grid->inner_height,
                        .handed_opacity = 1,
                    },
                .pattern = grid->pattern,
                .drawing = index,
            },
    };
    walk->flags[grid->pattern] |= SVG_NODE_REPEATING;
    pietra_result result = svg_walk_spend(walk, grid->content, SVG_STEP_cell, 1);
    return result == PIETRA_OK ? svg_walk_push(walk, &frame, &placed->inherited) : result;
}

/* Returns whether content that is drawn in this space is precise enough to be shown in another. */
static bool is_sound(const svg_cell_key *key)
{
    const pietra_transform *t = &key->space;
    double across = hypot(t->a, t->b), down = hypot(t->c, t->d), area = fabs(transform_determinant(*t));
    return fmin(across, down) > 1e-6 && fmax(across, down) < 1e6 && area > 1e-3 * across * down;
}

static bool add_cell(svg_walk *walk, const svg_cell_drawing *drawing, uint32_t index)
{
    cell_match match = match_of(walk, drawing);
    return hash_insert(&walk->cell_table, hash_key(&drawing->key, MATCH_SPACE), index) &&
           (match == MATCH_SPACE || hash_insert(&walk->cell_table, hash_key(&drawing->key, match), index));
}

static void free_cell(svg_cell_drawing *drawing)
{
    pietra_scene_destroy(drawing->scene);
    pietra_image_destroy(drawing->image);
}

/* Forgets all cells but those that are being drawn, to which walk frames refer by index. False: out of memory. */
static bool forget_cells(svg_walk *walk)
{
    size_t kept = 0;
    for (size_t i = 0; i < walk->cells.count; i++) {
        svg_cell_drawing *drawing = &walk->cells.items[i];
        if (!drawing->outer) {
            free_cell(drawing);
            continue;
        }
        for (size_t k = 0; k < walk->frames.count; k++)
            if (walk->frames.items[k].kind == SVG_WALK_FRAME_CELL && walk->frames.items[k].cell.drawing == i)
                walk->frames.items[k].cell.drawing = (uint32_t)kept;
        walk->cells.items[kept++] = *drawing;
    }
    walk->cells.count = kept;
    walk->kept_segments = 0;
    hash_free(&walk->cell_table);
    for (size_t i = 0; i < kept; i++)
        if (!add_cell(walk, &walk->cells.items[i], (uint32_t)i))
            return false;
    return true;
}

/* Content is drawn at the scale of the place that asks for it, because strokes that do not scale depend on it. The
 * place itself does not matter. */
pietra_result svg_cell_begin(svg_walk *walk, const svg_cell_grid *grid)
{
    const pietra_box cell = {0, 0, grid->cell.width, grid->cell.height};
    const pietra_box everything = {-INFINITY, -INFINITY, INFINITY, INFINITY};
    svg_budget *budget = walk->document->budget;
    if (!svg_budget_take(budget, SVG_LIMIT_cells, 1))
        return svg_budget_error(budget, budget->refused, walk->error, walk->document->nodes.items[grid->pattern].line);
    const bool full = walk->cells.count >= SVG_MOST_CELLS_KEPT || walk->kept_segments >= SVG_MOST_SEGMENTS_KEPT;
    if (full && !forget_cells(walk))
        return PIETRA_ERROR_MEMORY;
    svg_cell_drawing drawing = {
        .key = key_of(grid),
        .weight = walk->common->met,
        .segments = walk->segments,
        .pixels = walk->pixels,
        .outer = walk->scene,
        .outer_shows = walk->shows,
        .outer_effects = walk->effects,
        .outer_visible = walk->visible,
        .outer_is_aliased = walk->is_aliased,
        .outer_boxes = walk->boxes,
    };
    uint32_t index = (uint32_t)walk->cells.count;
    drawing.scene = pietra_scene_create();
    if (!drawing.scene)
        return PIETRA_ERROR_MEMORY;
    if (!array_reserve(&walk->cells, 1) || !add_cell(walk, &drawing, index)) {
        pietra_scene_destroy(drawing.scene);
        return PIETRA_ERROR_MEMORY;
    }
    *array_push(&walk->cells) = drawing;
    walk->scene = drawing.scene;
    walk->visible = grid->clipped ? transform_box(drawing.key.space, cell) : everything;
    walk->is_aliased = false;
    walk->boxes = NULL;
    walk->shows = is_sound(&drawing.key) ? 0 : SVG_CELL_EXACT;
    walk->effects.some = false;
    walk->pattern_depth++;
    return push_content(walk, grid, drawing.key.space, index);
}

static void leave(svg_walk *walk, svg_cell_drawing *drawing)
{
    walk->scene = drawing->outer;
    walk->visible = drawing->outer_visible;
    walk->is_aliased = drawing->outer_is_aliased;
    walk->boxes = drawing->outer_boxes;
    walk->pattern_depth--;
    drawing->shows = walk->shows;
    walk->effects = drawing->outer_effects;
    walk->shows |= drawing->outer_shows; /* the cell around this one shows all that this one shows */
    drawing->outer = NULL;
}

pietra_result svg_cell_end(svg_walk *walk, uint32_t index)
{
    svg_cell_drawing *drawing = &walk->cells.items[index];
    const svg_extent effects = walk->effects;
    pietra_scene *drawn = drawing->scene;
    pietra_transform to_cell = TRANSFORM_IDENTITY;
    leave(walk, drawing);
    drawing->scene = pietra_scene_create();
    drawing->weight = walk->common->met - drawing->weight;
    pietra_result result = drawing->scene ? PIETRA_OK : PIETRA_ERROR_MEMORY;
    if (result == PIETRA_OK && transform_invert(drawing->key.space, &to_cell))
        result = pietra_scene_append(drawing->scene, drawn, &to_cell, walk->error);
    drawing->segments = walk->segments - drawing->segments;
    walk->kept_segments += drawing->segments;
    drawing->pixels = walk->pixels - drawing->pixels;
    if (result == PIETRA_OK && match_of(walk, drawing) != MATCH_SPACE &&
        !hash_insert(&walk->cell_table, hash_key(&drawing->key, match_of(walk, drawing)), index))
        result = PIETRA_ERROR_MEMORY;
    svg_extent painted = {.some = result == PIETRA_OK && pietra_scene_bounds(drawing->scene, &painted.box)};
    if (result == PIETRA_OK && effects.some)
        svg_extent_join(&painted, transform_box(to_cell, effects.box), transform_box(to_cell, effects.box));
    drawing->some = painted.some;
    drawing->box = painted.box;
    pietra_scene_destroy(drawn);
    return result;
}

void svg_cell_free_all(svg_walk *walk)
{
    for (size_t i = walk->cells.count; i > 0; i--) {
        svg_cell_drawing *drawing = &walk->cells.items[i - 1];
        if (drawing->outer)
            leave(walk, drawing);
        free_cell(drawing);
    }
    array_free(&walk->cells);
    hash_free(&walk->cell_table);
}

/* ---- One by one ---- */

/* Returns the box of what a cell shows of itself. */
static pietra_box shown_box(const svg_cell_drawing *drawing)
{
    const pietra_box *box = &drawing->box;
    if (!drawing->key.clipped)
        return *box;
    return (pietra_box){fmax(box->x0, 0), fmax(box->y0, 0), fmin(box->x1, drawing->key.width),
                        fmin(box->y1, drawing->key.height)};
}

/* Finds the cells, `side` apart, whose content from `low` to `high` lies partly between `from` and `to`. Cells that
 * only touch do not count. */
static void find_cells(double low, double high, double side, double from, double to, double *first, double *count)
{
    *first = floor((from - high) / side + TOUCHING) + 1;
    *count = fmax(ceil((to - low) / side - TOUCHING) - *first, 0);
}

bool svg_cell_find_range(const svg_cell_drawing *drawing, const svg_cell_grid *grid, svg_cell_range *range)
{
    pietra_transform to_cell;
    pietra_box shown = shown_box(drawing);
    if (!drawing->some || !transform_invert(scene_of_cell(grid), &to_cell))
        return false;
    pietra_box box = transform_box(to_cell, grid->region);
    find_cells(shown.x0, shown.x1, drawing->key.width, box.x0, box.x1, &range->first_column, &range->columns);
    find_cells(shown.y0, shown.y1, drawing->key.height, box.y0, box.y1, &range->first_row, &range->rows);
    return range->columns > 0 && range->rows > 0;
}

static bool content_overflows(double low, double high, double side)
{
    return low < -TOUCHING * side || high > side + TOUCHING * side;
}

static bool cell_overflows(const svg_cell_drawing *drawing)
{
    return content_overflows(drawing->box.x0, drawing->box.x1, drawing->key.width) ||
           content_overflows(drawing->box.y0, drawing->box.y1, drawing->key.height);
}

static bool content_touches_both(double low, double high, double side)
{
    return low < TOUCHING * side && high > side - TOUCHING * side;
}

/* Content that is cut off at the border, or reaches from border to border, may meet that of the next cell. */
static bool cell_meets_others(const svg_cell_drawing *drawing)
{
    if (cell_overflows(drawing))
        return drawing->key.clipped;
    return content_touches_both(drawing->box.x0, drawing->box.x1, drawing->key.width) ||
           content_touches_both(drawing->box.y0, drawing->box.y1, drawing->key.height);
}

bool svg_cell_range_is_exact(const svg_walk *walk, const svg_cell_drawing *drawing, const svg_cell_grid *grid,
                             const svg_cell_range *range)
{
    const svg_cell_key here = key_of(grid);
    double count = range->columns * range->rows;
    double area = fabs(transform_determinant(here.space)) * here.width * here.height;
    if (count > 1 && fmin(size_across(&here), size_down(&here)) < SVG_THIN_CELL)
        return false;
    double most = area < SVG_SMALL_CELL ? SVG_FEW_INSTANCES : SVG_MOST_INSTANCES;
    return count * (double)drawing->weight <= most && fabs(range->first_column) < 1e15 &&
           fabs(range->first_row) < 1e15 &&
           count * (double)drawing->segments <= (double)(SVG_MOST_SEGMENTS - walk->common->cell_segments) &&
           (count <= 1 || !cell_meets_others(drawing));
}

static pietra_result spend_copies(svg_walk *walk, const svg_cell_drawing *drawing, uint64_t count)
{
    walk->common->met += count * drawing->weight;
    pietra_result result = svg_walk_spend(walk, drawing->key.content, SVG_STEP_copy, count * drawing->weight);
    return result == PIETRA_OK ? svg_walk_spend(walk, drawing->key.content, SVG_STEP_segment, count * drawing->segments)
                               : result;
}

static pietra_result draw_instance(svg_walk *walk, const svg_cell_drawing *drawing, pietra_transform place)
{
    bool cut = drawing->key.clipped && cell_overflows(drawing);
    pietra_result result = PIETRA_OK;
    if (cut) {
        pietra_path_reset(walk->path);
        pietra_path_rect(walk->path, 0, 0, drawing->key.width, drawing->key.height);
        svg_walk_set_edges(walk, false);
        result = pietra_scene_begin_clip(walk->scene, walk->path, &place, PIETRA_FILL_NONZERO, walk->error);
    }
    if (result == PIETRA_OK)
        result = pietra_scene_append(walk->scene, drawing->scene, &place, walk->error);
    return result == PIETRA_OK && cut ? pietra_scene_end_clip(walk->scene, walk->error) : result;
}

pietra_result svg_cell_draw_range(svg_walk *walk, const svg_cell_drawing *drawing, const svg_cell_grid *grid,
                                  const svg_cell_range *range)
{
    pietra_transform to_scene = scene_of_cell(grid);
    uint64_t count = (uint64_t)(range->columns * range->rows);
    pietra_result result = spend_copies(walk, drawing, count);
    walk->segments += count * drawing->segments;
    walk->common->cell_segments += count * drawing->segments;
    for (double row = 0; result == PIETRA_OK && row < range->rows; row++) {
        for (double column = 0; result == PIETRA_OK && column < range->columns; column++) {
            double x = (range->first_column + column) * drawing->key.width,
                   y = (range->first_row + row) * drawing->key.height;
            result = draw_instance(walk, drawing, transform_multiply(to_scene, transform_translate(x, y)));
            if (result == PIETRA_OK)
                result = svg_walk_spend_frame(walk, grid->content);
        }
    }
    return result;
}

/* ---- As an image ---- */

/* Draws what the image shows. Where cells overlap, that includes the parts of its neighbours. */
static pietra_result draw_overlaps(svg_walk *walk, const svg_cell_drawing *drawing, pietra_scene *all, bool *some)
{
    const svg_cell_key *key = &drawing->key;
    pietra_box shown = shown_box(drawing);
    svg_cell_range range;
    find_cells(shown.x0, shown.x1, key->width, 0, key->width, &range.first_column, &range.columns);
    find_cells(shown.y0, shown.y1, key->height, 0, key->height, &range.first_row, &range.rows);
    double count = range.columns * range.rows;
    *some = count <= SVG_MOST_OVERLAPS &&
            (count <= 1 || count * (double)drawing->segments <= SVG_MOST_OVERLAPPING_SEGMENTS);
    if (!*some)
        svg_warn(walk->warnings, svg_document_warning_line(walk->document, key->content),
                 "patterns of which more than %d cells overlap, or so many long paths, are left out",
                 SVG_MOST_OVERLAPS);
    pietra_result result = *some ? spend_copies(walk, drawing, (uint64_t)count) : PIETRA_OK;
    for (double row = 0; *some && result == PIETRA_OK && row < range.rows; row++) {
        for (double column = 0; result == PIETRA_OK && column < range.columns; column++) {
            const pietra_transform place =
                transform_translate((range.first_column + column) * key->width, (range.first_row + row) * key->height);
            result = pietra_scene_append(all, drawing->scene, &place, walk->error);
        }
    }
    return result;
}

static pietra_result make_image(svg_walk *walk, svg_cell_drawing *drawing)
{
    bool some;
    /* The cell's image holds another copy of the pixels of the images in it. */
    if (!svg_budget_take(walk->document->budget, SVG_LIMIT_image_pixels, drawing->pixels)) {
        svg_warn(walk->warnings, svg_document_warning_line(walk->document, drawing->key.content),
                 "a pattern of images is left out (limit \"image_pixels\")");
        return PIETRA_OK;
    }
    pietra_scene *all = pietra_scene_create();
    if (!all)
        return PIETRA_ERROR_MEMORY;
    pietra_result result = draw_overlaps(walk, drawing, all, &some);
    if (result == PIETRA_OK && some)
        result =
            pietra_image_create_from_scene(all, drawing->key.width, drawing->key.height, walk->error, &drawing->image);
    if (result == PIETRA_OK && some &&
        !svg_frame_cost_of_image(drawing->image, all, drawing->key.width, drawing->key.height))
        result = PIETRA_ERROR_MEMORY;
    pietra_scene_destroy(all);
    return result;
}

pietra_result svg_cell_make_paint(svg_walk *walk, svg_cell_drawing *drawing, const svg_cell_grid *grid,
                                  pietra_transform path_space, pietra_paint *paint)
{
    pietra_transform to_path = TRANSFORM_IDENTITY;
    pietra_result result = drawing->image ? PIETRA_OK : make_image(walk, drawing);
    transform_invert(path_space, &to_path); /* there is an inverse, since otherwise nothing of the element is drawn */
    *paint = (pietra_paint){.kind = PIETRA_PAINT_IMAGE, .image = drawing->image, .spread = PIETRA_SPREAD_REPEAT};
    paint->transform = transform_multiply(to_path, scene_of_cell(grid));
    return result;
}
