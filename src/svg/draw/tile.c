#include "svg/draw/tile.h"

#include <math.h>

#include "base/transform.h"

#define TOUCHING 1e-6 /* parts of a tile: nearer than that content touches its border */

/* ---- Drawing a tile ---- */

static svg_tile_key key_of(const svg_tiling *tiling)
{
    svg_tile_key key;
    memset(&key, 0, sizeof key);
    key.content = tiling->content;
    key.space = tiling->space;
    key.space.e = key.space.f = 0;
    key.local = tiling->local;
    key.width = tiling->cell.width;
    key.height = tiling->cell.height;
    key.inner_width = tiling->inner_width;
    key.inner_height = tiling->inner_height;
    key.clipped = tiling->clipped;
    return key;
}

/* Keys by which a tile is found, from the one that tells most. */
typedef enum tile_match {
    MATCH_SPACE,              /* the whole key */
    MATCH_SCALE,              /* of a tile in tiles: all but its space, of which sizes count to a factor of 2 */
    MATCH_ANY,                /* all but its space */
} tile_match;

/* How large a tile is: exponents of 2. */
typedef struct tile_scale {
    int across, down;
} tile_scale;

static double size_across(const svg_tile_key *key)
{
    return hypot(key->space.a, key->space.b) * key->width;
}

static double size_down(const svg_tile_key *key)
{
    return hypot(key->space.c, key->space.d) * key->height;
}

static tile_scale scale_of(const svg_tile_key *key)
{
    return (tile_scale){ ilogb(size_across(key)), ilogb(size_down(key)) };
}

static uint64_t hash_key(const svg_tile_key *key, tile_match match)
{
    svg_tile_key part = *key;
    tile_scale scale = scale_of(key);
    if (match != MATCH_SPACE)
        memset(&part.space, 0, sizeof part.space);
    uint64_t hash = hash_bytes(&part, sizeof part) + (uint64_t)match;
    return match == MATCH_SCALE ? hash ^ hash_bytes(&scale, sizeof scale) : hash;
}

static bool keys_match(const svg_tile_key *a, const svg_tile_key *b, tile_match match)
{
    tile_scale scale_a = scale_of(a), scale_b = scale_of(b);
    svg_tile_key moved = *b;
    if (match != MATCH_SPACE)
        moved.space = a->space;
    return memcmp(a, &moved, sizeof moved) == 0 && (match != MATCH_SCALE || (scale_a.across == scale_b.across && scale_a.down == scale_b.down));
}

/* How a tile that has been drawn may be found. Tiles in the picture itself have other tiles in them drawn by their exact sizes. */
static tile_match match_of(const svg_walk *walk, const svg_tile *tile)
{
    if (tile->outer || tile->shows & SVG_TILE_EXACT || (tile->shows & SVG_TILE_SCALED && walk->tile_depth == 0))
        return MATCH_SPACE;
    return tile->shows & SVG_TILE_SCALED ? MATCH_SCALE : MATCH_ANY;
}

static svg_tile *find_match(const svg_walk *walk, const svg_tile_key *key, tile_match match)
{
    hash_walk probe = hash_find(&walk->tile_table, hash_key(key, match));
    for (; hash_found(&probe); hash_next(&probe)) {
        svg_tile *tile = &walk->tiles.items[probe.value];
        if (match_of(walk, tile) >= match && keys_match(key, &tile->key, match))
            return tile;
    }
    return NULL;
}

svg_tile *svg_tile_find(const svg_walk *walk, const svg_tiling *tiling)
{
    svg_tile_key key = key_of(tiling);
    svg_tile *tile = find_match(walk, &key, MATCH_SPACE);
    if (!tile && walk->tile_depth > 0)
        tile = find_match(walk, &key, MATCH_SCALE);
    return tile ? tile : find_match(walk, &key, MATCH_ANY);
}

/* Of the tile in column 0, row 0, with its corner at the origin, to the scene. */
static pietra_transform scene_of_tile(const svg_tiling *tiling)
{
    return transform_multiply(tiling->space, transform_translate(tiling->cell.x, tiling->cell.y));
}

static pietra_result push_content(svg_walk *walk, const svg_tiling *tiling, pietra_transform transform, uint32_t index)
{
    const svg_style_in_place *placed = svg_walk_style_in_place(walk, tiling->content);
    if (!placed)
        return PIETRA_ERROR_MEMORY;
    svg_frame frame = {
        .instance = {
            .node = tiling->content,
            .mode = SVG_MODE_DRAW,
            .transform = transform,
            .width = tiling->inner_width,
            .height = tiling->inner_height,
            .opacity = 1,
            .noninherited = svg_noninherited_initial,
        },
        .kind = SVG_FRAME_TILE,
        .phase = SVG_PHASE_BODY,
        .tile = {
            .children = {
                .next = tiling->content + 1,
                .end = walk->document->nodes.items[tiling->content].end,
                .shown_by = SVG_NO_NODE,
                .local = tiling->local,
                .width = tiling->inner_width,
                .height = tiling->inner_height,
                .handed_opacity = 1,
            },
            .pattern = tiling->pattern,
            .tile = index,
        },
    };
    walk->flags[tiling->pattern] |= SVG_NODE_TILING;
    pietra_result result = svg_walk_count(walk, tiling->content, 1);
    return result == PIETRA_OK ? svg_walk_push(walk, &frame, &placed->inherited) : result;
}

/* Whether what is drawn in this space is as good in another. */
static bool is_sound(const svg_tile_key *key)
{
    const pietra_transform *t = &key->space;
    double across = hypot(t->a, t->b), down = hypot(t->c, t->d), area = fabs(transform_determinant(*t));
    return fmin(across, down) > 1e-6 && fmax(across, down) < 1e6 && area > 1e-3 * across * down;
}

static bool add_tile(svg_walk *walk, const svg_tile *tile, uint32_t index)
{
    tile_match match = match_of(walk, tile);
    return hash_insert(&walk->tile_table, hash_key(&tile->key, MATCH_SPACE), index) &&
           (match == MATCH_SPACE || hash_insert(&walk->tile_table, hash_key(&tile->key, match), index));
}

static void free_tile(svg_tile *tile)
{
    pietra_scene_destroy(tile->scene);
    pietra_image_destroy(tile->image);
}

/* All but those that are being drawn, whose frames know them by their numbers. False: out of memory. */
static bool forget_tiles(svg_walk *walk)
{
    size_t kept = 0;
    for (size_t i = 0; i < walk->tiles.count; i++) {
        svg_tile *tile = &walk->tiles.items[i];
        if (!tile->outer) {
            free_tile(tile);
            continue;
        }
        for (size_t k = 0; k < walk->frames.count; k++)
            if (walk->frames.items[k].kind == SVG_FRAME_TILE && walk->frames.items[k].tile.tile == i)
                walk->frames.items[k].tile.tile = (uint32_t)kept;
        walk->tiles.items[kept++] = *tile;
    }
    walk->tiles.count = kept;
    hash_free(&walk->tile_table);
    for (size_t i = 0; i < kept; i++)
        if (!add_tile(walk, &walk->tiles.items[i], (uint32_t)i))
            return false;
    return true;
}

/* What is drawn keeps the scale of where it is asked for: strokes that do not scale go by it. Its place there does not matter. */
pietra_result svg_tile_begin(svg_walk *walk, const svg_tiling *tiling)
{
    const pietra_box cell = { 0, 0, tiling->cell.width, tiling->cell.height };
    const pietra_box everything = { -INFINITY, -INFINITY, INFINITY, INFINITY };
    svg_budget *budget = walk->document->budget;
    if (!svg_budget_take(budget, SVG_LIMIT_tiles, 1))
        return svg_budget_error(budget, SVG_LIMIT_tiles, walk->error, walk->document->nodes.items[tiling->pattern].line);
    if (walk->tiles.count >= SVG_MOST_TILES_KEPT && !forget_tiles(walk))
        return PIETRA_ERROR_MEMORY;
    svg_tile tile = {
        .key = key_of(tiling),
        .weight = budget->taken[SVG_LIMIT_steps],
        .segments = walk->segments,
        .pixels = walk->pixels,
        .outer = walk->scene,
        .outer_shows = walk->shows,
        .outer_visible = walk->visible,
        .outer_is_aliased = walk->is_aliased,
        .outer_boxes = walk->boxes,
    };
    uint32_t index = (uint32_t)walk->tiles.count;
    tile.scene = pietra_scene_create();
    if (!tile.scene)
        return PIETRA_ERROR_MEMORY;
    if (!array_reserve(&walk->tiles, 1) || !add_tile(walk, &tile, index)) {
        pietra_scene_destroy(tile.scene);
        return PIETRA_ERROR_MEMORY;
    }
    *array_push(&walk->tiles) = tile;
    walk->scene = tile.scene;
    walk->visible = tiling->clipped ? transform_box(tile.key.space, cell) : everything;
    walk->is_aliased = false;
    walk->boxes = NULL;
    walk->shows = is_sound(&tile.key) ? 0 : SVG_TILE_EXACT;
    walk->tile_depth++;
    return push_content(walk, tiling, tile.key.space, index);
}

static void leave(svg_walk *walk, svg_tile *tile)
{
    walk->scene = tile->outer;
    walk->visible = tile->outer_visible;
    walk->is_aliased = tile->outer_is_aliased;
    walk->boxes = tile->outer_boxes;
    walk->tile_depth--;
    tile->shows = walk->shows;
    walk->shows |= tile->outer_shows; /* what this one shows, the one around it does too */
    tile->outer = NULL;
}

pietra_result svg_tile_end(svg_walk *walk, uint32_t index)
{
    svg_tile *tile = &walk->tiles.items[index];
    pietra_scene *drawn = tile->scene;
    pietra_transform to_tile = TRANSFORM_IDENTITY;
    leave(walk, tile);
    tile->scene = pietra_scene_create();
    tile->weight = walk->document->budget->taken[SVG_LIMIT_steps] - tile->weight;
    pietra_result result = tile->scene ? PIETRA_OK : PIETRA_ERROR_MEMORY;
    if (result == PIETRA_OK && transform_invert(tile->key.space, &to_tile))
        result = pietra_scene_append(tile->scene, drawn, &to_tile, walk->error);
    tile->segments = walk->segments - tile->segments;
    tile->pixels = walk->pixels - tile->pixels;
    if (result == PIETRA_OK && match_of(walk, tile) != MATCH_SPACE &&
        !hash_insert(&walk->tile_table, hash_key(&tile->key, match_of(walk, tile)), index))
        result = PIETRA_ERROR_MEMORY;
    tile->some = result == PIETRA_OK && pietra_scene_bounds(tile->scene, &tile->box);
    pietra_scene_destroy(drawn);
    return result;
}

void svg_tile_free_all(svg_walk *walk)
{
    for (size_t i = walk->tiles.count; i > 0; i--) {
        svg_tile *tile = &walk->tiles.items[i - 1];
        if (tile->outer)
            leave(walk, tile);
        free_tile(tile);
    }
    array_free(&walk->tiles);
    hash_free(&walk->tile_table);
}

/* ---- One by one ---- */

/* What a tile shows of itself. */
static pietra_box shown_box(const svg_tile *tile)
{
    const pietra_box *box = &tile->box;
    if (!tile->key.clipped)
        return *box;
    return (pietra_box){ fmax(box->x0, 0), fmax(box->y0, 0), fmin(box->x1, tile->key.width), fmin(box->y1, tile->key.height) };
}

/* The tiles, `side` apart, of which content from `low` to `high` reaches between `from` and `to`, and does more than touch. */
static void find_tiles(double low, double high, double side, double from, double to, double *first, double *count)
{
    *first = floor((from - high) / side + TOUCHING) + 1;
    *count = fmax(ceil((to - low) / side - TOUCHING) - *first, 0);
}

bool svg_tile_find_range(const svg_tile *tile, const svg_tiling *tiling, svg_tile_range *range)
{
    pietra_transform to_tile;
    pietra_box shown = shown_box(tile);
    if (!tile->some || !transform_invert(scene_of_tile(tiling), &to_tile))
        return false;
    pietra_box box = transform_box(to_tile, tiling->region);
    find_tiles(shown.x0, shown.x1, tile->key.width, box.x0, box.x1, &range->first_column, &range->columns);
    find_tiles(shown.y0, shown.y1, tile->key.height, box.y0, box.y1, &range->first_row, &range->rows);
    return range->columns > 0 && range->rows > 0;
}

static bool content_overflows(double low, double high, double side)
{
    return low < -TOUCHING * side || high > side + TOUCHING * side;
}

static bool tile_overflows(const svg_tile *tile)
{
    return content_overflows(tile->box.x0, tile->box.x1, tile->key.width) || content_overflows(tile->box.y0, tile->box.y1, tile->key.height);
}

static bool content_touches_both(double low, double high, double side)
{
    return low < TOUCHING * side && high > side - TOUCHING * side;
}

/* Where content is cut off at the border, or reaches from border to border, it may meet the next tile's. */
static bool tile_meets_others(const svg_tile *tile)
{
    if (tile_overflows(tile))
        return tile->key.clipped;
    return content_touches_both(tile->box.x0, tile->box.x1, tile->key.width) || content_touches_both(tile->box.y0, tile->box.y1, tile->key.height);
}

bool svg_tile_range_is_exact(const svg_walk *walk, const svg_tile *tile, const svg_tiling *tiling, const svg_tile_range *range)
{
    const svg_tile_key here = key_of(tiling);
    double count = range->columns * range->rows;
    double area = fabs(transform_determinant(here.space)) * here.width * here.height;
    if (count > 1 && fmin(size_across(&here), size_down(&here)) < SVG_THIN_TILE)
        return false;
    double most = area < SVG_SMALL_TILE ? SVG_FEW_INSTANCES : SVG_MOST_INSTANCES;
    return count * (double)tile->weight <= most && fabs(range->first_column) < 1e15 && fabs(range->first_row) < 1e15 &&
           count * (double)tile->segments <= (double)(SVG_MOST_SEGMENTS - walk->common->tile_segments) &&
           (count <= 1 || !tile_meets_others(tile));
}

static pietra_result draw_instance(svg_walk *walk, const svg_tile *tile, pietra_transform place)
{
    bool cut = tile->key.clipped && tile_overflows(tile);
    pietra_result result = PIETRA_OK;
    if (cut) {
        pietra_path_reset(walk->path);
        pietra_path_rect(walk->path, 0, 0, tile->key.width, tile->key.height);
        svg_walk_set_edges(walk, false);
        result = pietra_scene_begin_clip(walk->scene, walk->path, &place, PIETRA_FILL_NONZERO, walk->error);
    }
    if (result == PIETRA_OK)
        result = pietra_scene_append(walk->scene, tile->scene, &place, walk->error);
    return result == PIETRA_OK && cut ? pietra_scene_end_clip(walk->scene, walk->error) : result;
}

pietra_result svg_tile_draw_range(svg_walk *walk, const svg_tile *tile, const svg_tiling *tiling, const svg_tile_range *range)
{
    pietra_transform to_scene = scene_of_tile(tiling);
    uint64_t count = (uint64_t)(range->columns * range->rows);
    pietra_result result = svg_walk_count(walk, tiling->content, count * tile->weight);
    walk->segments += count * tile->segments;
    walk->common->tile_segments += count * tile->segments;
    for (double row = 0; result == PIETRA_OK && row < range->rows; row++) {
        for (double column = 0; result == PIETRA_OK && column < range->columns; column++) {
            double x = (range->first_column + column) * tile->key.width, y = (range->first_row + row) * tile->key.height;
            result = draw_instance(walk, tile, transform_multiply(to_scene, transform_translate(x, y)));
        }
    }
    return result;
}

/* ---- As an image ---- */

/* What the image shows: where tiles overlap, its neighbours' share too. */
static pietra_result draw_overlaps(svg_walk *walk, const svg_tile *tile, pietra_scene *all, bool *some)
{
    const svg_tile_key *key = &tile->key;
    pietra_box shown = shown_box(tile);
    svg_tile_range range;
    find_tiles(shown.x0, shown.x1, key->width, 0, key->width, &range.first_column, &range.columns);
    find_tiles(shown.y0, shown.y1, key->height, 0, key->height, &range.first_row, &range.rows);
    double count = range.columns * range.rows;
    *some = count <= SVG_MOST_OVERLAPS && (count <= 1 || count * (double)tile->segments <= SVG_MOST_OVERLAPPING_SEGMENTS);
    if (!*some)
        svg_warn(walk->warnings, walk->document->nodes.items[key->content].line, "patterns of which more than %d tiles overlap, or so many long paths, are left out",
                 SVG_MOST_OVERLAPS);
    pietra_result result = *some ? svg_walk_count(walk, key->content, (uint64_t)count * tile->weight) : PIETRA_OK;
    for (double row = 0; *some && result == PIETRA_OK && row < range.rows; row++) {
        for (double column = 0; result == PIETRA_OK && column < range.columns; column++) {
            const pietra_transform place = transform_translate((range.first_column + column) * key->width, (range.first_row + row) * key->height);
            result = pietra_scene_append(all, tile->scene, &place, walk->error);
        }
    }
    return result;
}

static pietra_result make_image(svg_walk *walk, svg_tile *tile)
{
    bool some;
    /* A picture holds the pixels of images that it shows once more. */
    if (!svg_budget_take(walk->document->budget, SVG_LIMIT_image_pixels, tile->pixels)) {
        svg_warn(walk->warnings, walk->document->nodes.items[tile->key.content].line, "a pattern of images is left out (limit \"image_pixels\")");
        return PIETRA_OK;
    }
    pietra_scene *all = pietra_scene_create();
    if (!all)
        return PIETRA_ERROR_MEMORY;
    pietra_result result = draw_overlaps(walk, tile, all, &some);
    if (result == PIETRA_OK && some)
        result = pietra_image_create_from_scene(all, tile->key.width, tile->key.height, walk->error, &tile->image);
    pietra_scene_destroy(all);
    return result;
}

pietra_result svg_tile_make_paint(svg_walk *walk, svg_tile *tile, const svg_tiling *tiling, pietra_transform path_space, pietra_paint *paint)
{
    pietra_transform to_path = TRANSFORM_IDENTITY;
    pietra_result result = tile->image ? PIETRA_OK : make_image(walk, tile);
    transform_invert(path_space, &to_path); /* it has an inverse: else nothing of the element is drawn */
    *paint = (pietra_paint){ .kind = PIETRA_PAINT_IMAGE, .image = tile->image, .spread = PIETRA_SPREAD_REPEAT };
    paint->transform = transform_multiply(to_path, scene_of_tile(tiling));
    return result;
}
