/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/build/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/transform.h"

/* Length of the handles of a cubic that approximates a quarter of a unit circle: 4/3 tan(pi/8). */
#define QUARTER_HANDLE 0.55228474983079339840

pietra_path *pietra_path_create(void)
{
    return calloc(1, sizeof(pietra_path));
}

void pietra_path_destroy(pietra_path *path)
{
    if (!path)
        return;
    array_free(&path->verbs);
    array_free(&path->points);
    free(path);
}

void pietra_path_reset(pietra_path *path)
{
    if (!path)
        return;
    path->verbs.count = 0;
    path->points.count = 0;
    path->referred = (path_view){0};
    path->start = (path_point){0.0, 0.0};
    path->current = path->start;
    path->open = false;
    path->result = PIETRA_OK;
}

static void path_add_view(pietra_path *path, path_view view)
{
    memcpy(path->verbs.items + path->verbs.count, view.verbs, view.verb_count);
    path->verbs.count += view.verb_count;
    if (view.point_count > 0) {
        memcpy(path->points.items + path->points.count, view.points, view.point_count * sizeof *view.points);
        path->points.count += view.point_count;
    }
}

/* Makes room for what is added next. First copies arrays that the path refers to. */
static bool path_reserve(pietra_path *path, size_t verbs, size_t points)
{
    path_view referred = path->referred;
    if (!array_reserve(&path->verbs, referred.verb_count + verbs) ||
        !array_reserve(&path->points, referred.point_count + points)) {
        path->result = PIETRA_ERROR_MEMORY;
        return false;
    }
    if (path_is_referred(path)) {
        path_add_view(path, referred);
        path->referred = (path_view){0};
    }
    return true;
}

static void path_start_subpath(pietra_path *path, path_point point)
{
    path->verbs.items[path->verbs.count++] = PATH_MOVE;
    path->points.items[path->points.count++] = point;
    path->start = point;
    path->open = true;
}

/* Adds a verb with its points, after a move if one is missing. Adds all of it or nothing. */
static void path_add(pietra_path *path, uint8_t verb, const path_point *points)
{
    if (!path || path->result != PIETRA_OK)
        return;
    size_t count = path_verb_points(verb);
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(points[i].x) || !isfinite(points[i].y)) {
            path->result = PIETRA_ERROR_INPUT;
            return;
        }
    }
    if (!path_reserve(path, 2, count + 1))
        return;
    if (!path->open)
        path_start_subpath(path, path->current);
    path->verbs.items[path->verbs.count++] = verb;
    for (size_t i = 0; i < count; i++)
        path->points.items[path->points.count++] = points[i];
    if (count > 0)
        path->current = points[count - 1];
}

void pietra_path_move_to(pietra_path *path, double x, double y)
{
    if (!path || path->result != PIETRA_OK)
        return;
    if (!isfinite(x) || !isfinite(y)) {
        path->result = PIETRA_ERROR_INPUT;
        return;
    }
    if (!path_reserve(path, 1, 1))
        return;
    path_start_subpath(path, (path_point){x, y});
    path->current = path->start;
}

void pietra_path_line_to(pietra_path *path, double x, double y)
{
    path_add(path, PATH_LINE, &(path_point){x, y});
}

void pietra_path_quad_to(pietra_path *path, double x1, double y1, double x, double y)
{
    path_add(path, PATH_QUAD, (path_point[2]){{x1, y1}, {x, y}});
}

void path_add_cubic(pietra_path *path, path_point first, path_point second, path_point end)
{
    path_add(path, PATH_CUBIC, (path_point[3]){first, second, end});
}

void pietra_path_cubic_to(pietra_path *path, double x1, double y1, double x2, double y2, double x, double y)
{
    path_add_cubic(path, (path_point){x1, y1}, (path_point){x2, y2}, (path_point){x, y});
}

void pietra_path_close(pietra_path *path)
{
    if (!path || !path->open)
        return;
    path_add(path, PATH_CLOSE, NULL);
    path->current = path->start;
    path->open = false;
}

/* Returns whether the verbs can follow the path as it is, without a missing move. Counts their points. */
static bool path_verbs_are_whole(const pietra_path *path, const uint8_t *verbs, size_t verb_count, size_t *point_count)
{
    bool open = path->open;
    size_t points = 0;
    for (size_t i = 0; i < verb_count; i++) {
        if (verbs[i] > PATH_MOVE || (!open && verbs[i] != PATH_MOVE))
            return false;
        open = verbs[i] != PATH_CLOSE;
        points += path_verb_points(verbs[i]);
    }
    *point_count = points;
    return true;
}

static bool coordinates_are_finite(const double *coordinates, size_t count)
{
    /* Zero times a number that is not finite is NaN. Four separate sums do not wait for one another. */
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (size_t k = 0; k < 4; k++)
            sums[k] += 0.0 * coordinates[i + k];
    for (; i < count; i++)
        sums[0] += 0.0 * coordinates[i];
    return sums[0] + sums[1] + sums[2] + sums[3] == 0.0;
}

/* The general way adds one verb at a time. */
static void path_append_verbs(pietra_path *path, const uint8_t *verbs, size_t verb_count, const double *coordinates)
{
    for (size_t i = 0; i < verb_count; i++) {
        path_point points[3];
        if (verbs[i] > PATH_MOVE) {
            path->result = path->result != PIETRA_OK ? path->result : PIETRA_ERROR_INPUT;
            return;
        }
        size_t count = path_verb_points(verbs[i]);
        for (size_t k = 0; k < count; k++)
            points[k] = (path_point){coordinates[2 * k], coordinates[2 * k + 1]};
        coordinates += 2 * count;
        if (verbs[i] == PATH_MOVE)
            pietra_path_move_to(path, points[0].x, points[0].y);
        else if (verbs[i] == PATH_CLOSE)
            pietra_path_close(path);
        else
            path_add(path, verbs[i], points);
    }
}

/* Finds the current point and the start of its subpath after verbs were added. */
static void path_find_state(pietra_path *path, path_view added)
{
    const uint8_t *verb = added.verbs + added.verb_count;
    const path_point *point = added.points + added.point_count;
    bool moved = false;
    while (verb > added.verbs && !moved) {
        moved = *--verb == PATH_MOVE;
        point -= path_verb_points(*verb);
    }
    if (moved)
        path->start = *point;
    path->open = added.verbs[added.verb_count - 1] != PATH_CLOSE;
    path->current = path->open ? added.points[added.point_count - 1] : path->start;
}

static void path_append(pietra_path *path, const uint8_t *verbs, size_t verb_count, const double *coordinates,
                        bool refer)
{
    path_view added = {verbs, verb_count, (const path_point *)coordinates, 0, 0};
    if (!path || path->result != PIETRA_OK || verb_count == 0)
        return;
    if (!verbs || !coordinates) {
        path->result = PIETRA_ERROR_INPUT;
        return;
    }
    if (!path_verbs_are_whole(path, verbs, verb_count, &added.point_count) ||
        !coordinates_are_finite(coordinates, 2 * added.point_count)) {
        path_append_verbs(path, verbs, verb_count, coordinates);
        return;
    }
    if (refer && path_view_of(path).verb_count == 0)
        path->referred = added;
    else if (path_reserve(path, verb_count, added.point_count))
        path_add_view(path, added);
    else
        return;
    path_find_state(path, added);
}

void pietra_path_append(pietra_path *path, const uint8_t *verbs, size_t verb_count, const double *coordinates)
{
    path_append(path, verbs, verb_count, coordinates, false);
}

void pietra_path_refer(pietra_path *path, const uint8_t *verbs, size_t verb_count, const double *coordinates)
{
    path_append(path, verbs, verb_count, coordinates, true);
}

void pietra_path_rect(pietra_path *path, double x, double y, double width, double height)
{
    pietra_path_move_to(path, x, y);
    pietra_path_line_to(path, x + width, y);
    pietra_path_line_to(path, x + width, y + height);
    pietra_path_line_to(path, x, y + height);
    pietra_path_close(path);
}

/* Adds a quarter of an ellipse from the current point. It leaves in the direction of (ax, ay) and arrives in that of
 * (bx, by), which are the two half axes. */
static void path_quarter(pietra_path *path, double ax, double ay, double bx, double by)
{
    path_point from = path->current;
    double rest = 1.0 - QUARTER_HANDLE;
    path_add_cubic(path, (path_point){from.x + QUARTER_HANDLE * ax, from.y + QUARTER_HANDLE * ay},
                   (path_point){from.x + ax + rest * bx, from.y + ay + rest * by},
                   (path_point){from.x + (ax + bx), from.y + (ay + by)});
}

void pietra_path_rounded_rect(pietra_path *path, double x, double y, double width, double height, double rx, double ry)
{
    /* The limits below would hide values that are not finite. */
    if (!path || !isfinite(rx) || !isfinite(ry)) {
        pietra_path_line_to(path, NAN, NAN);
        return;
    }
    if (width < 0.0) {
        x += width;
        width = -width;
    }
    if (height < 0.0) {
        y += height;
        height = -height;
    }
    rx = fmin(fabs(rx), 0.5 * width);
    ry = fmin(fabs(ry), 0.5 * height);
    if (rx == 0.0 || ry == 0.0) {
        pietra_path_rect(path, x, y, width, height);
        return;
    }
    pietra_path_move_to(path, x + rx, y);
    pietra_path_line_to(path, x + width - rx, y);
    path_quarter(path, rx, 0.0, 0.0, ry);
    pietra_path_line_to(path, x + width, y + height - ry);
    path_quarter(path, 0.0, ry, -rx, 0.0);
    pietra_path_line_to(path, x + rx, y + height);
    path_quarter(path, -rx, 0.0, 0.0, -ry);
    pietra_path_line_to(path, x, y + ry);
    path_quarter(path, 0.0, -ry, rx, 0.0);
    pietra_path_close(path);
}

void pietra_path_ellipse(pietra_path *path, double cx, double cy, double rx, double ry)
{
    if (!path || !isfinite(cx) || !isfinite(cy) || !isfinite(rx) || !isfinite(ry)) {
        pietra_path_line_to(path, NAN, NAN);
        return;
    }
    if (rx <= 0.0 || ry <= 0.0)
        return;
    pietra_path_move_to(path, cx + rx, cy);
    path_quarter(path, 0.0, ry, -rx, 0.0);
    path_quarter(path, -rx, 0.0, 0.0, -ry);
    path_quarter(path, 0.0, -ry, rx, 0.0);
    path_quarter(path, rx, 0.0, 0.0, ry);
    pietra_path_close(path);
}

bool pietra_path_bounds(const pietra_path *path, pietra_box *box)
{
    return path && box && path->result == PIETRA_OK && path_bounds(path_view_of(path), TRANSFORM_IDENTITY, box);
}

pietra_result pietra_path_check(const pietra_path *path)
{
    return path ? path->result : PIETRA_ERROR_INPUT;
}
