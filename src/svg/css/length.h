/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Lengths as SVG writes them: a number and a unit. They stay so until the viewport and the font of an instance are
 * known. */
#ifndef PIETRA_SVG_CSS_LENGTH_H
#define PIETRA_SVG_CSS_LENGTH_H

#include "base/text.h"
#include "svg/css/css_names.h"

/* Absolute units become pixels when they are read. */
typedef enum svg_unit {
    SVG_UNIT_PX, /* also user units, which have no unit */
    SVG_UNIT_PERCENT,
    SVG_UNIT_EM,
    SVG_UNIT_EX,
    SVG_UNIT_CH,
    SVG_UNIT_REM,
    SVG_UNIT_VW,
    SVG_UNIT_VH,
    SVG_UNIT_VMIN,
    SVG_UNIT_VMAX,
    SVG_UNIT_EXPRESSION, /* unresolved calc() and the like; `number` is the index of its text in svg_units */
} svg_unit;

/* The context in which lengths are read. It stores expressions of up to SVG_LONGEST_EXPRESSION bytes. Equal expressions
 * are stored once. */
typedef struct svg_units {
    double dpi;
    css_names expressions;
    bool *lacks_memory; /* set if an expression cannot be stored */
} svg_units;

#define SVG_LONGEST_EXPRESSION 1000u

/* A length in one unit, or a sum of two lengths in different units (calc()). Of a sum, the bytes of `number` are two
 * floats, and `unit` holds both units in one byte: the first below SVG_UNIT_SECOND_SHIFT and the second, plus 1, above
 * it. */
typedef struct svg_length {
    double number;
    svg_unit unit;
} svg_length;

#define SVG_UNIT_SECOND_SHIFT 4

/* The size to which a percentage refers: the width or the height of the viewport, or sqrt((width^2 + height^2) / 2). */
typedef enum svg_axis { SVG_AXIS_X, SVG_AXIS_Y, SVG_AXIS_DIAGONAL } svg_axis;

typedef struct svg_metrics {
    double font_size, root_font_size;
    double width, height;           /* size of the nearest viewport, in its user units */
    double root_width, root_height; /* size of the outermost viewport, in CSS pixels */
    const svg_units *units;         /* the document's; NULL: no expressions are resolved */
} svg_metrics;

/* Evaluates calc() at *at (CSS Values 4, section 10): sums, differences, products and quotients of numbers and lengths.
 * Absolute units become pixels. The result then has at most two units; a sum of more units is bad. Also evaluates
 * min(), max() and clamp() of arguments in one unit. *plain: whether the result is a number. */
bool svg_calc_scan(const char **at, const char *end, double dpi, svg_length *length, bool *plain);
/* Evaluates the same to pixels. The metrics give the size of every unit, so lengths of all units can be added and
 * compared. */
bool svg_calc_resolve(const char **at, const char *end, double dpi, svg_axis axis, const svg_metrics *metrics,
                      double *pixels);

/* Evaluates the same where no length is allowed: to a number, a percentage or an angle in degrees. */
typedef enum svg_calc_kind { SVG_CALC_NUMBER, SVG_CALC_PERCENT, SVG_CALC_ANGLE } svg_calc_kind;
bool svg_calc_scan_value(const char **at, const char *end, double *value, svg_calc_kind *kind);

/* Returns the degrees of a unit of angle; 0 if the name is not such a unit. */
double svg_angle_unit(text name);

/* Returns whether only a function can begin with this character. */
bool svg_length_begins_function(char c);

/* Reads a length at *at, before end. dpi is for absolute units. Returns false, and leaves *at, if there is none. A
 * number that is not finite is no length. A length may be calc(). */
bool svg_length_scan(const char **at, const char *end, double dpi, svg_length *length);
/* Reads a whole text, except the blanks around it, as a length. */
bool svg_length_parse(text value, double dpi, svg_length *length);
/* Do the same with expressions of any kind, which `units` stores. Also return false if memory is short, which `units`
 * records. */
bool svg_length_scan_any(const char **at, const char *end, svg_units *units, svg_length *length);
bool svg_length_parse_any(text value, svg_units *units, svg_length *length);
/* Do the same with expressions of any kind, which are evaluated at once to pixels. */
bool svg_length_scan_pixels(const char **at, const char *end, double dpi, svg_axis axis, const svg_metrics *metrics,
                            double *pixels);
bool svg_length_parse_pixels(text value, double dpi, svg_axis axis, const svg_metrics *metrics, double *pixels);
double svg_length_resolve(svg_length length, svg_axis axis, const svg_metrics *metrics);
/* Resolves a length in units of a box: 100% is 1, and a number stays as it is. */
double svg_length_resolve_fraction(svg_length length, svg_axis axis, const svg_metrics *metrics);

svg_length svg_length_sum(svg_length first, svg_length second);
/* Returns whether a length is negative. Returns false for a sum, whose sign is known only when it is resolved. */
bool svg_length_is_negative(svg_length length);
bool svg_length_has_percentage(svg_length length);
/* Returns the length with em, ex and ch converted to pixels. */
svg_length svg_length_with_font(svg_length length, double font_size);

#endif
