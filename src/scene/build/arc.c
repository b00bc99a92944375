/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Turns an elliptical arc given by its end points, as in SVG, into cubics of at most a quarter turn each.
 *
 * The ellipse is first mapped to the unit circle. There the problem depends on one number, half the length of the
 * chord, and neither huge nor tiny radii overflow. Source: SVG 2, appendix B.2.4 (end points to centre) and B.2.5
 * (radii out of range). */
#include <math.h>

#include "scene/build/path.h"

#define PI 3.14159265358979323846
#define FLATTEST_HALF_CHORD 1e-12 /* in radii */
#define LARGEST_RADIUS 1e300

/* Leads from the unit circle's space to the path's. */
typedef struct arc_frame {
    double rx, ry, cosine, sine;
    path_point middle; /* midpoint of the chord: origin of the unit space */
} arc_frame;

static path_point arc_from_unit(const arc_frame *frame, double x, double y)
{
    double scaled_x = frame->rx * x;
    double scaled_y = frame->ry * y;
    return (path_point){frame->middle.x + frame->cosine * scaled_x - frame->sine * scaled_y,
                        frame->middle.y + frame->sine * scaled_x + frame->cosine * scaled_y};
}

/* Adds the arc around a centre in unit space, in equal pieces. The last one ends exactly in `end`. */
static void arc_add_pieces(pietra_path *path, const arc_frame *frame, path_point centre, double first_angle,
                           double turn, path_point end)
{
    int pieces = (int)ceil(fabs(turn) / (0.5 * PI) - 1e-9);
    pieces = pieces < 1 ? 1 : pieces;
    double step = turn / pieces;
    double handle = 4.0 / 3.0 * tan(0.25 * step);
    for (int i = 0; i < pieces; i++) {
        double from = first_angle + step * i;
        double to = first_angle + step * (i + 1);
        double x0 = cos(from), y0 = sin(from);
        double x1 = cos(to), y1 = sin(to);
        path_point first = arc_from_unit(frame, centre.x + x0 - handle * y0, centre.y + y0 + handle * x0);
        path_point second = arc_from_unit(frame, centre.x + x1 + handle * y1, centre.y + y1 - handle * x1);
        path_point last = i + 1 == pieces ? end : arc_from_unit(frame, centre.x + x1, centre.y + y1);
        path_add_cubic(path, first, second, last);
    }
}

void pietra_path_arc_to(pietra_path *path, double rx, double ry, double rotation, bool large, bool sweep, double x,
                        double y)
{
    if (!path || !isfinite(rx) || !isfinite(ry) || !isfinite(rotation)) {
        pietra_path_line_to(path, NAN, NAN);
        return;
    }
    path_point from = path->current;
    rx = fabs(rx);
    ry = fabs(ry);
    if (from.x == x && from.y == y)
        return;
    double angle = fmod(rotation, 360.0) * (PI / 180.0);
    arc_frame frame = {rx, ry, cos(angle), sin(angle), {0.5 * (from.x + x), 0.5 * (from.y + y)}};
    double half_x = 0.5 * (from.x - x);
    double half_y = 0.5 * (from.y - y);
    /* This is the start point in unit space. The end point lies opposite. */
    double unit_x = (frame.cosine * half_x + frame.sine * half_y) / rx;
    double unit_y = (frame.cosine * half_y - frame.sine * half_x) / ry;
    double half_chord = hypot(unit_x, unit_y);
    double growth = fmax(half_chord, 1.0);
    if (!(half_chord > FLATTEST_HALF_CHORD && growth * rx < LARGEST_RADIUS && growth * ry < LARGEST_RADIUS)) {
        /* A radius is 0 (half_chord is infinite or NaN), or the arc is flat to the last digit. */
        pietra_path_line_to(path, x, y);
        return;
    }
    path_point centre = {0.0, 0.0};
    double turn = PI;
    if (half_chord >= 1.0) {
        frame.rx *= half_chord;
        frame.ry *= half_chord;
        unit_x /= half_chord;
        unit_y /= half_chord;
    } else {
        double distance = sqrt((1.0 - half_chord) * (1.0 + half_chord)) / half_chord;
        double side = large != sweep ? distance : -distance;
        centre = (path_point){side * unit_y, -side * unit_x};
        turn = 2.0 * asin(half_chord);
        turn = large ? 2.0 * PI - turn : turn;
    }
    double first_angle = atan2(unit_y - centre.y, unit_x - centre.x);
    arc_add_pieces(path, &frame, centre, first_angle, sweep ? turn : -turn, (path_point){x, y});
}
