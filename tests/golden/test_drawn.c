/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pictures that no document can show, because they are drawn by calls alone. They are the same bytes on every device,
 * and those of their goldens.
 *
 *   test_drawn [--update] [PART]
 *
 * The arguments are those of test_golden. */
#include <math.h>
#include <string.h>

#include "golden/gallery.h"
#include "scene/blend.h"
#include "scene/scene_fixture.h"

#define CELL 40 /* pixels of a side of what one case shows */

typedef struct drawing {
    const char *name;
    uint32_t columns, rows; /* of cells */
    bool is_judged;         /* the exact renderer knows what is drawn */
    void (*draw)(pietra_scene *scene);
} drawing;

static void fill_under(pietra_scene *scene, const char *data, pietra_transform transform, const pietra_paint *paint)
{
    pietra_path *path = path_from(data);
    ASSERT_OK(pietra_scene_fill(scene, path, &transform, PIETRA_FILL_NONZERO, paint, error));
    pietra_path_destroy(path);
}

static void push_cell(pietra_scene *scene, uint32_t column, uint32_t row)
{
    const pietra_transform place = pietra_translate(CELL * column, CELL * row);
    ASSERT_OK(pietra_scene_push_transform(scene, &place, error));
}

static void pop_cell(pietra_scene *scene)
{
    ASSERT_OK(pietra_scene_pop_transform(scene, error));
}

/* Draws cases in rows of eight cells. */
static void draw_cells(pietra_scene *scene, uint32_t count, void (*draw_one)(pietra_scene *scene, uint32_t index))
{
    for (uint32_t index = 0; index < count; index++) {
        push_cell(scene, index % 8, index / 8);
        draw_one(scene, index);
        pop_cell(scene);
    }
}

static void stroke_bend(pietra_scene *scene, const pietra_paint *paint)
{
    pietra_path *path = path_from("M 6 32 C 6 -10 34 50 34 8");
    ASSERT_OK(pietra_scene_stroke(scene, path, NULL, &(pietra_stroke){.width = 9}, paint, error));
    pietra_path_destroy(path);
}

/* Begins a group in a clip. */
static void begin_clipped_group(pietra_scene *scene, float opacity)
{
    begin_clip(scene, "M 20 1 L 39 38 L 1 38 Z");
    begin_group(scene, opacity);
}

static void end_clipped_group(pietra_scene *scene)
{
    end_group(scene);
    end_clip(scene);
}

/* ---- Sweep gradients ---- */

static const pietra_stop rainbow[] = {{0, {0.9f, 0.1f, 0.1f, 1}},
                                      {0.3f, {0.95f, 0.8f, 0.1f, 1}},
                                      {0.6f, {0.1f, 0.6f, 0.3f, 1}},
                                      {1, {0.2f, 0.2f, 0.8f, 1}}};
static const pietra_stop fading[] = {
    {0.2f, {0.1f, 0.1f, 0.5f, 1}}, {0.5f, {0.1f, 0.1f, 0.5f, 0}}, {0.5f, {1, 0.5f, 0, 1}}};

/* Shows angles in the columns and spreads in the rows. */
static void draw_sweep_spreads(pietra_scene *scene)
{
    static const double angles[][2] = {{0, 360},   {30, 330}, {90, 135},   {200, 80},  {-60, 30},
                                       {300, 500}, {45, 45},  {-900, 900}, {400, 700}, {0, 5}};
    for (uint32_t row = 0; row < 3; row++) {
        for (uint32_t column = 0; column < 10; column++) {
            pietra_paint paint = pietra_sweep(20.3, 19.6, angles[column][0], angles[column][1], rainbow, 4);
            paint.spread = (pietra_spread)row;
            push_cell(scene, column, row);
            fill(scene, "R 1 1 38 38", &paint);
            pop_cell(scene);
        }
    }
}

static void draw_one_sweep(pietra_scene *scene, uint32_t index)
{
    static const pietra_transform transforms[] = {
        {1, 0, 0, 0.5, 0, 10}, {0.7, 0.7, -0.7, 0.7, 20, -8}, {1, 0, 0.6, 1, -12, 0}, {-1, 0, 0, 1, 40, 0}};
    pietra_paint paint = pietra_sweep(20.3, 19.6, 30, 390, index & 4 ? fading : rainbow, index & 4 ? 3 : 4);
    paint.interpolation = index & 8 ? PIETRA_INTERPOLATION_LINEAR_RGB : PIETRA_INTERPOLATION_SRGB;
    if (index < 8) {
        paint.transform = transforms[index % 4]; /* of the paint alone */
        fill(scene, "R 1 1 38 38", &paint);
    } else if (index < 16) {
        paint.transparency = index & 4 ? 0.5f : 0;
        fill_under(scene, "M 2 20 Q 2 2 20 2 Q 38 2 38 20 Q 38 38 20 38 Q 2 38 2 20 Z", transforms[index % 4], &paint);
    } else if (index < 20) {
        paint.x0 = 8 * (index - 15);
        paint.y0 = 30;
        stroke_bend(scene, &paint);
    } else {
        begin_clipped_group(scene, index & 1 ? 0.6f : 1.0f);
        fill(scene, "R 0 0 40 40", &paint);
        paint.x0 = 40;
        fill(scene, "M 0 10 L 40 15 L 40 30 Z", &paint);
        end_clipped_group(scene);
    }
}

/* Shows what surrounds sweep gradients: transforms, transparency, strokes, clips and groups. */
static void draw_sweep_places(pietra_scene *scene)
{
    draw_cells(scene, 24, draw_one_sweep);
}

/* ---- Box shadows ---- */

static pietra_shadow shadow_of_box(double sigma, double spread)
{
    return (pietra_shadow){
        .box = {12.25, 11.5, 28.25, 29}, .sigma = sigma, .spread = spread, .color = {0.1f, 0.1f, 0.4f, 1}};
}

/* Shows sigmas in the columns. In the rows: square and round corners, a spread either way, the same in shadows that are
 * inset, and a box whose corners differ. */
static void draw_shadow_shapes(pietra_scene *scene)
{
    static const double sigmas[] = {0, 0.3, 0.7, 1, 2, 4, 8, 20}, spreads[] = {0, 0, 4, -5, 0, 3, -3, 2};
    for (uint32_t row = 0; row < 8; row++) {
        for (uint32_t column = 0; column < 8; column++) {
            pietra_shadow shadow = shadow_of_box(sigmas[column], spreads[row]);
            shadow.inset = row >= 4 && row < 7;
            for (int i = 0; i < 4; i++)
                shadow.radii[i] = row == 0 ? 0 : row == 7 ? 3 * i : row == 1 ? 9 : 4;
            const pietra_paint paint = pietra_box_shadow(&shadow);
            push_cell(scene, column, row);
            fill(scene, "R 0 0 40 40", &paint);
            pop_cell(scene);
        }
    }
}

static void draw_one_shadow(pietra_scene *scene, uint32_t index)
{
    static const pietra_transform transforms[] = {
        {1, 0, 0, 0.5, 0, 10}, {0.7, 0.7, -0.7, 0.7, 20, -8}, {1, 0, 0.6, 1, -12, 0}, {-1, 0, 0, 1, 40, 0}};
    pietra_shadow shadow = shadow_of_box(index % 2 ? 3 : 1.5, 0);
    shadow.radii[0] = shadow.radii[2] = 6;
    shadow.color.a = 0.8f;
    pietra_paint paint = pietra_box_shadow(&shadow);
    if (index < 4) {
        paint.transform = transforms[index]; /* of the paint alone */
        fill(scene, "R 1 1 38 38", &paint);
    } else if (index < 8) {
        fill_under(scene, "R 0 0 40 40", transforms[index % 4], &paint);
    } else if (index < 12) {
        shadow.x = index % 2 ? 5 : -4;
        shadow.y = 6;
        shadow.inset = index >= 10;
        shadow.spread = 1;
        ASSERT_OK(pietra_scene_draw_box_shadow(scene, &shadow, &transforms[index % 4], error));
    } else if (index < 14) {
        paint.transparency = index % 2 ? 0.5f : 0;
        stroke_bend(scene, &paint);
    } else {
        begin_clipped_group(scene, index & 1 ? 0.6f : 1.0f);
        fill(scene, "R 0 0 40 40", &paint);
        end_clipped_group(scene);
    }
}

/* Shows what surrounds box shadows: transforms, boxes that cut them, strokes, clips and groups. */
static void draw_shadow_places(pietra_scene *scene)
{
    draw_cells(scene, 16, draw_one_shadow);
}

/* ---- Operators ---- */

#define OPERATORS (BLEND_COUNT - BLEND_CLEAR)
#define SOURCE_SHAPE "M 39 8 L 39 39 L 8 39 Z"
#define CLIP_SHAPE "M 20 1 Q 39 1 39 20 Q 39 39 20 39 Q 1 39 1 20 Q 1 1 20 1 Z"

static void paint_destination(pietra_scene *scene)
{
    const pietra_paint disc = pietra_linear(0, 0, 0, 40, rainbow, 4), bar = pietra_solid(0.2f, 0.2f, 0.2f, 0.5f);
    fill(scene, "M 15 3 Q 27 3 27 15 Q 27 27 15 27 Q 3 27 3 15 Q 3 3 15 3 Z", &disc);
    fill(scene, "R 2.5 24.5 20 9", &bar);
}

/* Composites a triangle, half of which is translucent. */
static void composite(pietra_scene *scene, pietra_blend blend, float opacity)
{
    const pietra_paint solid = pietra_solid(0.1f, 0.3f, 0.9f, 1), glass = pietra_solid(0.9f, 0.1f, 0.6f, 0.6f);
    ASSERT_OK(pietra_scene_begin_blended_group(scene, opacity, blend, error));
    fill(scene, SOURCE_SHAPE, &glass);
    fill(scene, "R 20 20 10 19", &solid);
    end_group(scene);
}

static void draw_in_group(pietra_scene *scene, pietra_blend blend)
{
    paint_destination(scene);
    composite(scene, blend, 1);
}

static void draw_with_opacity(pietra_scene *scene, pietra_blend blend)
{
    paint_destination(scene);
    composite(scene, blend, 0.4f);
}

/* The clips bound what unbounded operators do. The first one is folded, the second has soft edges. */
static void draw_in_clips(pietra_scene *scene, pietra_blend blend)
{
    paint_destination(scene);
    begin_clip(scene, "R 6 5 30 31");
    begin_clip(scene, CLIP_SHAPE);
    composite(scene, blend, 1);
    end_clip(scene);
    end_clip(scene);
}

static void draw_in_clip_by_source(pietra_scene *scene, pietra_blend blend)
{
    paint_destination(scene);
    begin_source(scene);
    fill(scene, "R 8 8 12.5 24.5", &RED);
    fill(scene, "M 20 38 L 38 38 L 38 10 Z", &RED);
    end_source(scene);
    composite(scene, blend, 1);
    end_clip(scene);
}

static void draw_in_mask(pietra_scene *scene, pietra_blend blend)
{
    const pietra_paint fade = pietra_linear(0, 0, 40, 0, fading, 3);
    ASSERT_OK(pietra_scene_begin_mask_source(scene, PIETRA_MASK_ALPHA, error));
    fill(scene, "R 0 0 40 40", &fade);
    ASSERT_OK(pietra_scene_end_mask_source(scene, error));
    paint_destination(scene);
    composite(scene, blend, 1);
    ASSERT_OK(pietra_scene_end_mask(scene, error));
}

static void draw_in_mask_source(pietra_scene *scene, pietra_blend blend)
{
    ASSERT_OK(pietra_scene_begin_mask_source(scene, PIETRA_MASK_ALPHA, error));
    paint_destination(scene);
    composite(scene, blend, 1);
    ASSERT_OK(pietra_scene_end_mask_source(scene, error));
    fill(scene, "R 0 0 40 40", &RED);
    ASSERT_OK(pietra_scene_end_mask(scene, error));
}

/* A group whose clip is all that it holds, and operators in one another. */
static void draw_nested(pietra_scene *scene, pietra_blend blend)
{
    paint_destination(scene);
    begin_blended(scene, PIETRA_BLEND_SOURCE_ATOP);
    begin_clip(scene, CLIP_SHAPE);
    paint_destination(scene);
    composite(scene, blend, 0.8f);
    end_clip(scene);
    end_group(scene);
    ASSERT_OK(pietra_scene_begin_blended_group(scene, 0.7f, blend, error));
    begin_clip(scene, SOURCE_SHAPE);
    composite(scene, PIETRA_BLEND_XOR, 1);
    end_clip(scene);
    end_group(scene);
}

/* Shows operators in the columns and what is around them in the rows. Each cell is a group, so none clears another. */
static void draw_operators(pietra_scene *scene)
{
    static void (*const contexts[])(pietra_scene *, pietra_blend) = {
        draw_in_group, draw_with_opacity,   draw_in_clips, draw_in_clip_by_source,
        draw_in_mask,  draw_in_mask_source, draw_nested,
    };
    for (uint32_t row = 0; row < sizeof contexts / sizeof contexts[0]; row++) {
        for (uint32_t column = 0; column < OPERATORS; column++) {
            push_cell(scene, column, row);
            begin_group(scene, 1);
            contexts[row](scene, (pietra_blend)(BLEND_CLEAR + column));
            end_group(scene);
            pop_cell(scene);
        }
    }
}

/* Composites onto the picture itself: there is no group around. */
static void draw_operators_on_picture(pietra_scene *scene)
{
    const pietra_paint stripes = pietra_linear(0, 0, 7, 9, rainbow, 4);
    for (uint32_t row = 0; row < 2; row++) {
        for (uint32_t column = 0; column < OPERATORS; column++) {
            push_cell(scene, column, row);
            pietra_paint paint = stripes;
            paint.spread = PIETRA_SPREAD_REFLECT;
            fill(scene, row ? CLIP_SHAPE : "R 0 0 40 40", &paint);
            begin_clip(scene, "R 4 3 33 35.5");
            composite(scene, (pietra_blend)(BLEND_CLEAR + column), row ? 0.6f : 1);
            end_clip(scene);
            pop_cell(scene);
        }
    }
}

/* ---- All of them ---- */

static const drawing drawings[] = {
    {"drawn/sweep_spreads", 10, 3, true, draw_sweep_spreads},
    {"drawn/sweep_places", 8, 3, true, draw_sweep_places},
    {"drawn/box_shadow_shapes", 8, 8, true, draw_shadow_shapes},
    {"drawn/box_shadow_places", 8, 2, true, draw_shadow_places},
    {"drawn/operators", OPERATORS, 7, false, draw_operators},
    {"drawn/operators_on_picture", OPERATORS, 2, false, draw_operators_on_picture},
};

static void check(panel *p, const drawing *drawing, bool update)
{
    const uint32_t failures = p->failures;
    pietra_scene *scene = new_scene();
    pietra_stream *stream;
    drawing->draw(scene);
    ASSERT_OK(pietra_stream_encode(scene, error, &stream));
    pietra_scene_destroy(scene);
    picture image = panel_draw_all(p, drawing->name, stream, NULL, CELL * drawing->columns, CELL * drawing->rows);
    if (image.pixels) {
        if (drawing->is_judged)
            gallery_judge(p, drawing->name, stream, NULL, &image, gallery_usual);
        gallery_check(p, drawing->name, &image, update && p->failures == failures);
    }
    picture_destroy(&image);
    pietra_stream_destroy(stream);
}

int main(int argc, char **argv)
{
    const bool update = argc > 1 && strcmp(argv[1], "--update") == 0;
    const char *part = argc > 1 + update ? argv[1 + update] : "";
    panel devices;
    panel_open(&devices, true);
    for (size_t i = 0; i < sizeof drawings / sizeof drawings[0]; i++)
        if (strstr(drawings[i].name, part))
            check(&devices, &drawings[i], update);
    panel_close(&devices);
    printf("%u failures\n", devices.failures);
    return devices.failures != 0;
}
