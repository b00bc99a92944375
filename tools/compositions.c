/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* compositions: measures what it costs to show encoded icons in new places, as a composition and as a scene.
 *
 *     compositions [--count N] [--icons N] [--frames N]
 *
 * Makes streams of icons of two to four small paths, and shows them N times, in a window of 3840 x 2160 pixels. Prints
 * milliseconds of one thread, half of the frames take no longer: pietra_composition_set of the icons,
 * pietra_composition_damage, and what is summed and multiplied to bound the frame's counts, which a view on a GPU does
 * for what differs. A row for each case:
 *
 *     moved    all icons move
 *     turned   all turn, so that no matrix is as it was
 *     one      one moves
 *     caret    a box over them comes and goes
 *     more     there is one icon more or less each time
 *     faded, clipped, colours
 *              they move and fade, are clipped, or get colours in place of slots
 *
 * Beside that stand pietra_scene_append of the icons' scenes, and its encoding. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <pietra/pietra_instance.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "render/bounds/bounds.h"
#include "render/frame/config.h"

#define WINDOW_WIDTH 3840u
#define WINDOW_HEIGHT 2160u

typedef struct icons {
    pietra_scene **scenes;
    pietra_stream **streams;
    size_t count;
} icons;

typedef struct setting {
    const char *name;
    bool turns, stays, blinks, grows, fades, clips, colors;
} setting;

/* What a frame took, in milliseconds: one array for each column. */
typedef enum column { COLUMN_SET, COLUMN_DAMAGE, COLUMN_BOUNDS, COLUMNS } column;

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void stop_if(bool failed, const char *what)
{
    if (failed) {
        fprintf(stderr, "compositions: %s failed\n", what);
        exit(1);
    }
}

static double between(uint32_t *state, double low, double high)
{
    *state = *state * 1664525u + 1013904223u;
    return low + (high - low) * (*state >> 8) / 16777216.0;
}

/* Adds a ring, a leaf or a cross. */
static void add_part(pietra_scene *scene, pietra_path *path, uint32_t *state)
{
    const pietra_stroke stroke = {.width = 2, .cap = PIETRA_CAP_ROUND};
    const double x = between(state, 6, 18), y = between(state, 6, 18), r = between(state, 2, 8);
    const uint32_t kind = (uint32_t)between(state, 0, 3);
    pietra_paint ink = pietra_solid(0.2f, 0.3f, 0.4f, 1);
    ink.slot = 1;
    pietra_path_reset(path);
    if (kind == 0) {
        pietra_path_ellipse(path, x, y, r, r);
    } else if (kind == 1) {
        pietra_path_move_to(path, x - r, y);
        pietra_path_quad_to(path, x, y - r, x + r, y);
        pietra_path_line_to(path, x, y + r);
        pietra_path_close(path);
    } else {
        pietra_path_move_to(path, x - r, y - r);
        pietra_path_line_to(path, x + r, y + r);
        pietra_path_move_to(path, x + r, y - r);
        pietra_path_line_to(path, x - r, y + r);
    }
    if (kind == 1)
        stop_if(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &ink, NULL) != PIETRA_OK, "a fill");
    else
        stop_if(pietra_scene_stroke(scene, path, NULL, &stroke, &ink, NULL) != PIETRA_OK, "a stroke");
}

static icons make_icons(size_t count)
{
    icons made = {calloc(count, sizeof *made.scenes), calloc(count, sizeof *made.streams), count};
    uint32_t state = 1;
    pietra_path *path = pietra_path_create();
    stop_if(!made.scenes || !made.streams || !path, "memory");
    for (size_t i = 0; i < count; i++) {
        made.scenes[i] = pietra_scene_create();
        stop_if(!made.scenes[i], "a scene");
        for (int parts = (int)between(&state, 2, 5); parts > 0; parts--)
            add_part(made.scenes[i], path, &state);
        stop_if(pietra_stream_encode(made.scenes[i], NULL, &made.streams[i]) != PIETRA_OK, "encoding");
    }
    pietra_path_destroy(path);
    return made;
}

static void place(const icons *icons, const setting *setting, size_t frame, pietra_instance *instances, size_t count)
{
    static const pietra_color inks[] = {{0.2f, 0.2f, 0.3f, 1}, {0.1f, 0.4f, 0.9f, 1}, {0, 0.6f, 0.4f, 1}};
    const double columns = ceil(sqrt(16.0 / 9 * (double)count)), step = floor((WINDOW_WIDTH - 40) / columns);
    for (size_t i = 0; i < count; i++) {
        const double turn = setting->turns ? 0.01 * (double)(frame + i) : 0;
        const double aside = setting->blinks || (setting->stays && i != count / 2) ? 0 : (double)(frame % 8);
        const double x = 20 + step * fmod((double)i, columns) + aside,
                     y = 20 + step * floor((double)i / columns) + aside;
        instances[i] = (pietra_instance){.stream = icons->streams[i * 7 % icons->count], .id = (uint32_t)i};
        instances[i].transform = (pietra_transform){cos(turn), sin(turn), -sin(turn), cos(turn), x, y};
        if (setting->fades)
            instances[i].transparency = 0.5f;
        if (setting->clips)
            instances[i].clip = (pietra_box){x, y, x + 24, y + 24};
        if (setting->colors) {
            instances[i].slots = &inks[(i + frame) % 3];
            instances[i].slot_count = 1;
        }
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, size_t count)
{
    qsort(times, count, sizeof *times, compare);
    return times[count / 2];
}

/* Bounds what the frame counts in the box around what differs. */
static void bound(const pietra_stream *stream, const pietra_pixel_box *boxes, size_t count, stream_sums *sums)
{
    pietra_pixel_box all = {WINDOW_WIDTH, WINDOW_HEIGHT, 0, 0};
    pietra_error error = {.message = "out of memory"};
    frame_config config;
    for (size_t i = 0; i < count; i++) {
        const pietra_pixel_box box = boxes[i];
        all = (pietra_pixel_box){box.x0 < all.x0 ? box.x0 : all.x0, box.y0 < all.y0 ? box.y0 : all.y0,
                                 box.x1 > all.x1 ? box.x1 : all.x1, box.y1 > all.y1 ? box.y1 : all.y1};
    }
    all.x0 -= all.x0 % PIETRA_REGION_STEP;
    all.y0 -= all.y0 % PIETRA_REGION_STEP;
    all.x1 = all.x1 < WINDOW_WIDTH ? all.x1 + PIETRA_REGION_STEP - all.x1 % PIETRA_REGION_STEP : WINDOW_WIDTH;
    all.y1 = all.y1 < WINDOW_HEIGHT ? all.y1 + PIETRA_REGION_STEP - all.y1 % PIETRA_REGION_STEP : WINDOW_HEIGHT;
    const pietra_frame frame = {.region = {all.x0, all.y0, WINDOW_WIDTH, WINDOW_HEIGHT}};
    const pietra_target target = {.width = all.x1 - all.x0, .height = all.y1 - all.y0};
    stop_if(config_of_frame(&frame, &target, &error, &config) != PIETRA_OK, error.message);
    stop_if(!stream->composed->are_made && !stream_sums_make(stream, sums), "memory");
    if (stream->composed->are_made)
        sums = &stream->composed->sums;
    atomic_store(&stream->composed->are_wanted, true);
    stop_if(frame_bounds_of(sums, &config).lines < 0, "a bound");
}

static void measure_frame(pietra_composition *composition, const pietra_instance *instances, size_t count,
                          stream_sums *sums, double *times[COLUMNS], size_t frame)
{
    const pietra_stream *stream;
    pietra_pixel_box boxes[8];
    pietra_error error;
    const double start = now_ms();
    stop_if(pietra_composition_set(composition, instances, count, &error, &stream) != PIETRA_OK, error.message);
    const double set = now_ms();
    const size_t found = pietra_composition_damage(composition, NULL, 8, boxes);
    const double damaged = now_ms();
    bound(stream, boxes, found, sums);
    times[COLUMN_BOUNDS][frame] = now_ms() - damaged;
    times[COLUMN_DAMAGE][frame] = damaged - set;
    times[COLUMN_SET][frame] = set - start;
}

static void measure_composition(const icons *icons, pietra_stream *caret, const setting *setting, size_t count,
                                double *times[COLUMNS], size_t frames)
{
    pietra_composition *composition = pietra_composition_create();
    pietra_instance *instances = malloc((count + 1) * sizeof *instances);
    stream_sums sums = {.id = 0};
    stop_if(!composition || !instances, "memory");
    instances[count] = (pietra_instance){.stream = caret, .transform = {1, 0, 0, 1, 100, 100}};
    for (size_t frame = 0; frame < frames; frame++) {
        place(icons, setting, frame, instances, count);
        const size_t shown = setting->blinks ? count + frame % 2 : count - (setting->grows ? frame % 2 : 0);
        measure_frame(composition, instances, shown, &sums, times, frame);
    }
    printf("| %s |", setting->name);
    for (int i = 0; i < COLUMNS; i++)
        printf(" %.3f |", median(times[i], frames));
    puts("");
    stream_sums_free(&sums);
    free(instances);
    pietra_composition_destroy(composition);
}

static void measure_scene(const icons *icons, size_t count, double *times[COLUMNS], size_t frames)
{
    const setting moved = {.name = "moved"};
    pietra_scene *scene = pietra_scene_create();
    pietra_instance *instances = malloc(count * sizeof *instances);
    stop_if(!scene || !instances, "memory");
    for (size_t frame = 0; frame < frames; frame++) {
        pietra_stream *stream;
        place(icons, &moved, frame, instances, count);
        const double start = now_ms();
        pietra_scene_reset(scene);
        for (size_t i = 0; i < count; i++)
            stop_if(pietra_scene_append(scene, icons->scenes[i * 7 % icons->count], &instances[i].transform, NULL) !=
                        PIETRA_OK,
                    "appending");
        const double appended = now_ms();
        stop_if(pietra_stream_encode(scene, NULL, &stream) != PIETRA_OK, "encoding");
        times[0][frame] = appended - start;
        times[1][frame] = now_ms() - appended;
        pietra_stream_destroy(stream);
    }
    printf("\nappended %.3f, encoded %.3f\n", median(times[0], frames), median(times[1], frames));
    free(instances);
    pietra_scene_destroy(scene);
}

static pietra_stream *make_caret(void)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    const pietra_paint ink = pietra_solid(0, 0, 0, 1);
    pietra_stream *stream = NULL;
    pietra_path_rect(path, 0, 0, 2, 20);
    stop_if(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &ink, NULL) != PIETRA_OK ||
                pietra_stream_encode(scene, NULL, &stream) != PIETRA_OK,
            "a caret");
    pietra_path_destroy(path);
    pietra_scene_destroy(scene);
    return stream;
}

int main(int argument_count, char **arguments)
{
    static const setting settings[] = {
        {.name = "moved"},
        {.name = "turned", .turns = true},
        {.name = "one", .stays = true},
        {.name = "caret", .blinks = true},
        {.name = "more", .grows = true},
        {.name = "faded", .fades = true},
        {.name = "clipped", .clips = true},
        {.name = "colours", .colors = true},
    };
    double *times[COLUMNS];
    size_t count = 2000, icon_count = 50, frames = 200;
    for (int i = 1; i + 1 < argument_count; i += 2)
        if (strcmp(arguments[i], "--count") == 0)
            count = strtoul(arguments[i + 1], NULL, 10);
        else if (strcmp(arguments[i], "--icons") == 0)
            icon_count = strtoul(arguments[i + 1], NULL, 10);
        else if (strcmp(arguments[i], "--frames") == 0)
            frames = strtoul(arguments[i + 1], NULL, 10);
    stop_if(count == 0 || icon_count == 0 || frames == 0, "reading the arguments");
    const icons icons = make_icons(icon_count);
    pietra_stream *caret = make_caret();
    for (int i = 0; i < COLUMNS; i++)
        stop_if(!(times[i] = malloc(frames * sizeof *times[i])), "memory");
    printf("%zu of %zu icons, ms\n\n| case | set | damage | bounds |\n|---|--:|--:|--:|\n", count, icon_count);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        measure_composition(&icons, caret, &settings[i], count, times, frames);
    measure_scene(&icons, count, times, frames);
    pietra_stream_destroy(caret);
    for (size_t i = 0; i < icons.count; i++) {
        pietra_scene_destroy(icons.scenes[i]);
        pietra_stream_destroy(icons.streams[i]);
    }
    free(icons.scenes);
    free(icons.streams);
    for (int i = 0; i < COLUMNS; i++)
        free(times[i]);
    return 0;
}
