/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A heat map as a scene: an image with a texel a tile, and below it the colour scale with its numbers. */
#include "render/heatmap_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "render/stroke_letters.h"

#define MAP_SIDE 4096u /* pixels of the map at most; beyond, tiles are drawn smaller */

/* The legend, in pixels of a map of up to LEGEND_MAP of width. It grows with larger maps, which are looked at from
 * farther away. */
#define LEGEND_MAP 1024.0
#define LEGEND_WIDTH 360.0
#define LEGEND_HEIGHT 112.0
#define MARGIN 14.0
#define LETTER 11.0 /* height of digits */
#define TITLE_Y 26.0
#define SUM_Y 47.0
#define BAR_Y 60.0
#define BAR_HEIGHT 16.0
#define TICK 6.0
#define LABEL_Y 98.0
#define LABEL_GAP 9.0 /* between numbers below the bar */

#define TEXT_BYTES 96u
#define LABELS_MOST 48u /* three for each of ten digits, those below ten, and the ends of the scale */

typedef struct drawing {
    const pietra_heatmap *map;
    pietra_error *error;
    pietra_scene *scene;
    pietra_path *path;
    uint32_t tile_side;                     /* pixels */
    uint32_t map_width, map_height;         /* pixels */
    double scale;                           /* of the legend */
    double width;                           /* of the legend in its own units */
    uint32_t picture_width, picture_height; /* pixels, with the legend */
    double labels[LABELS_MOST][2];          /* left and right ends of the numbers below the bar */
    size_t label_count;
} drawing;

/* ---- The map ---- */

static void measure(drawing *drawing)
{
    const pietra_heatmap *map = drawing->map;
    uint32_t side = map->columns > map->rows ? map->columns : map->rows, tile = PIETRA_TILE_SIDE;
    while (tile > 1 && side * tile > MAP_SIDE)
        tile /= 2;
    const uint32_t step = PIETRA_TILE_SIDE / tile;
    drawing->tile_side = tile;
    drawing->map_width = (map->width + step - 1) / step;
    drawing->map_height = (map->height + step - 1) / step;
    drawing->scale = fmax(1, drawing->map_width / LEGEND_MAP);
    drawing->width = fmax(LEGEND_WIDTH, drawing->map_width / drawing->scale);
    drawing->picture_width = (uint32_t)ceil(drawing->width * drawing->scale);
    drawing->picture_height = drawing->map_height + (uint32_t)ceil(LEGEND_HEIGHT * drawing->scale);
}

/* Fills the path, which is in units of the legend or of the map, with an image whose pixels are transformed. */
static pietra_result fill_with_image(drawing *drawing, uint32_t columns, uint32_t rows, const uint8_t *colors,
                                     pietra_transform transform, const pietra_transform *place)
{
    pietra_image *image = NULL;
    pietra_result result = pietra_image_create(columns, rows, colors, 0, drawing->error, &image);
    const pietra_paint paint = {
        .kind = PIETRA_PAINT_IMAGE, .image = image, .filter = PIETRA_FILTER_NEAREST, .transform = transform};
    if (result == PIETRA_OK)
        result = pietra_scene_fill(drawing->scene, drawing->path, place, PIETRA_FILL_NONZERO, &paint, drawing->error);
    pietra_image_destroy(image);
    return result;
}

static pietra_result add_map(drawing *drawing)
{
    const pietra_heatmap *map = drawing->map;
    const size_t count = (size_t)map->columns * map->rows;
    uint8_t *colors = malloc(4 * count);
    if (!colors)
        return error_set_memory(drawing->error);
    for (size_t i = 0; i < count; i++)
        pietra_heatmap_color(map->counts[i], map->most, colors + 4 * i);
    pietra_path_reset(drawing->path);
    pietra_path_rect(drawing->path, 0, 0, drawing->map_width, drawing->map_height);
    pietra_result result = fill_with_image(drawing, map->columns, map->rows, colors,
                                           pietra_scale(drawing->tile_side, drawing->tile_side), NULL);
    free(colors);
    return result;
}

/* ---- The legend ---- */

static const pietra_paint ink = {.color = {0.93f, 0.93f, 0.95f, 1}};

/* Strokes the path, which holds letters and ticks. */
static pietra_result stroke_ink(drawing *drawing, const pietra_transform *place)
{
    const pietra_stroke pen = {.width = LETTER / 7, .cap = PIETRA_CAP_ROUND, .join = PIETRA_JOIN_ROUND};
    return pietra_scene_stroke(drawing->scene, drawing->path, place, &pen, &ink, drawing->error);
}

static pietra_result add_panel(drawing *drawing)
{
    const pietra_paint paper = pietra_solid(0.09f, 0.09f, 0.12f, 1);
    pietra_path_reset(drawing->path);
    pietra_path_rect(drawing->path, 0, drawing->map_height, drawing->picture_width, drawing->picture_height);
    return pietra_scene_fill(drawing->scene, drawing->path, NULL, PIETRA_FILL_NONZERO, &paper, drawing->error);
}

static pietra_result add_bar(drawing *drawing, const pietra_transform *place)
{
    const double length = drawing->width - 2 * MARGIN;
    uint8_t colors[4 * HEATMAP_COLORS];
    for (uint32_t i = 0; i < HEATMAP_COLORS; i++)
        heatmap_color_at(i, colors + 4 * i);
    pietra_transform transform = pietra_scale(length / HEATMAP_COLORS, BAR_HEIGHT);
    transform.e = MARGIN;
    transform.f = BAR_Y;
    pietra_path_reset(drawing->path);
    pietra_path_rect(drawing->path, MARGIN, BAR_Y, length, BAR_HEIGHT);
    return fill_with_image(drawing, HEATMAP_COLORS, 1, colors, transform, place);
}

/* Writes a number with commas between thousands. */
static void print_number(char text[TEXT_BYTES], uint64_t number)
{
    char digits[TEXT_BYTES];
    int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    for (int i = 0; i < count; i++) {
        *text++ = digits[i];
        if (i + 1 < count && (count - 1 - i) % 3 == 0)
            *text++ = ',';
    }
    *text = '\0';
}

/* Adds a number below its place on the bar with a tick, unless it would touch one that is there. */
static void add_label(drawing *drawing, uint32_t count)
{
    char text[TEXT_BYTES];
    print_number(text, count);
    const double x = MARGIN + (drawing->width - 2 * MARGIN) * heatmap_place(count, drawing->map->most);
    const double width = stroke_letters_width(text, LETTER);
    const double left = fmin(fmax(x - width / 2, MARGIN), drawing->width - MARGIN - width), right = left + width;
    for (size_t i = 0; i < drawing->label_count; i++)
        if (left < drawing->labels[i][1] + LABEL_GAP && right > drawing->labels[i][0] - LABEL_GAP)
            return;
    drawing->labels[drawing->label_count][0] = left;
    drawing->labels[drawing->label_count++][1] = right;
    stroke_letters_add(drawing->path, text, LETTER, left, LABEL_Y);
    pietra_path_move_to(drawing->path, x, BAR_Y + BAR_HEIGHT + 2);
    pietra_path_line_to(drawing->path, x, BAR_Y + BAR_HEIGHT + TICK);
}

/* Adds the ends of the scale, then rounder numbers before others. */
static void add_labels(drawing *drawing)
{
    static const uint8_t rounder[] = {1, 5, 2};
    add_label(drawing, drawing->map->most);
    if (drawing->map->most > 0)
        add_label(drawing, 0);
    for (size_t i = 0; i < sizeof rounder; i++)
        for (uint64_t count = rounder[i]; count < drawing->map->most; count *= 10)
            add_label(drawing, (uint32_t)count);
    for (uint32_t count = 3; count < 10 && count < drawing->map->most; count++)
        add_label(drawing, count);
}

static void add_texts(drawing *drawing)
{
    static const char *const titles[] = {
        [PIETRA_HEATMAP_LINES] = "lines that begin in each tile",
        [PIETRA_HEATMAP_TILE_LINES] = "tile_lines in each tile",
        [PIETRA_HEATMAP_TILE_COMMANDS] = "tile_commands in each tile",
        [PIETRA_HEATMAP_LAYERS] = "layers open at once in each tile",
    };
    char sum[TEXT_BYTES], in_none[TEXT_BYTES], text[2 * TEXT_BYTES + 32];
    stroke_letters_add(drawing->path, titles[drawing->map->kind], LETTER, MARGIN, TITLE_Y);
    print_number(sum, drawing->map->sum);
    print_number(in_none, drawing->map->in_none);
    if (drawing->map->kind == PIETRA_HEATMAP_LAYERS)
        snprintf(text, sizeof text, "a tile is 16 x 16 pixels");
    else if (drawing->map->in_none == 0)
        snprintf(text, sizeof text, "sum %s", sum);
    else
        snprintf(text, sizeof text, "sum %s, and %s in no tile", sum, in_none);
    stroke_letters_add(drawing->path, text, LETTER, MARGIN, SUM_Y);
}

static pietra_result add_legend(drawing *drawing)
{
    pietra_transform place = pietra_scale(drawing->scale, drawing->scale);
    place.f = drawing->map_height;
    pietra_result result = add_panel(drawing);
    if (result == PIETRA_OK)
        result = add_bar(drawing, &place);
    if (result != PIETRA_OK)
        return result;
    pietra_path_reset(drawing->path);
    add_texts(drawing);
    add_labels(drawing);
    return stroke_ink(drawing, &place);
}

/* ---- All ---- */

static pietra_result make_scene(drawing *drawing)
{
    drawing->scene = pietra_scene_create();
    drawing->path = pietra_path_create();
    if (!drawing->scene || !drawing->path)
        return error_set_memory(drawing->error);
    pietra_result result = add_map(drawing);
    return result == PIETRA_OK ? add_legend(drawing) : result;
}

static pietra_result check_map(const pietra_heatmap *map, pietra_error *error)
{
    if (!map->counts)
        return error_set_null(error, "map.counts");
    if (!pietra_heatmap_name(map->kind))
        return error_check_enumerator(error, "a heat map's kind", map->kind, PIETRA_HEATMAP_LAYERS);
    if (map->width == 0 || map->height == 0 || map->width > PIETRA_MAX_SIDE || map->height > PIETRA_MAX_SIDE ||
        map->columns != (map->width + PIETRA_TILE_SIDE - 1) / PIETRA_TILE_SIDE ||
        map->rows != (map->height + PIETRA_TILE_SIDE - 1) / PIETRA_TILE_SIDE) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a heat map of %u x %u tiles is not of %u x %u pixels",
                         map->columns, map->rows, map->width, map->height);
    }
    return PIETRA_OK;
}

pietra_result pietra_heatmap_scene(const pietra_heatmap *map, pietra_error *error, pietra_scene **scene,
                                   uint32_t *width, uint32_t *height)
{
    if (!map || !scene)
        return error_set_null(error, !map ? "map" : "scene");
    if (!width || !height)
        return error_set_null(error, !width ? "width" : "height");
    pietra_result result = check_map(map, error);
    if (result != PIETRA_OK)
        return result;
    drawing drawing = {.map = map, .error = error};
    measure(&drawing);
    result = make_scene(&drawing);
    pietra_path_destroy(drawing.path);
    if (result != PIETRA_OK) {
        pietra_scene_destroy(drawing.scene);
        return result;
    }
    *scene = drawing.scene;
    *width = drawing.picture_width;
    *height = drawing.picture_height;
    return PIETRA_OK;
}
