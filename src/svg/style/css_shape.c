/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/css_shape.h"

#include <math.h>

#include "svg/css/css_token.h"

typedef struct shape_parser {
    text rest;
    css_token token; /* the next one that is not space */
    const css_shape_space *space;
    svg_rectangle box;
    pietra_path *path;
    pietra_fill_rule rule;
    bool out_of_memory;
} shape_parser;

static void advance(shape_parser *parser)
{
    parser->token = css_token_next_part(&parser->rest);
}

static bool at_word(const shape_parser *parser, text word)
{
    return parser->token.kind == CSS_IDENT && text_equal_ignoring_case(parser->token.value, word);
}

static bool at_end(const shape_parser *parser)
{
    return css_token_is(&parser->token, ')') || parser->token.kind == CSS_END;
}

static bool find_box(text name, const css_shape_space *space, svg_rectangle *box)
{
    static const struct {
        text name;
        int which; /* 0 is fill, 1 stroke, 2 view */
    } boxes[] = {
        {TEXT_LITERAL("fill-box"), 0},   {TEXT_LITERAL("content-box"), 0}, {TEXT_LITERAL("padding-box"), 0},
        {TEXT_LITERAL("stroke-box"), 1}, {TEXT_LITERAL("border-box"), 1},  {TEXT_LITERAL("margin-box"), 1},
        {TEXT_LITERAL("view-box"), 2},
    };
    for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++)
        if (text_equal_ignoring_case(name, boxes[i].name)) {
            if (space)
                *box = boxes[i].which == 0   ? space->fill_box
                       : boxes[i].which == 1 ? space->stroke_box
                                             : space->view_box;
            return true;
        }
    return false;
}

typedef bool shape_function(shape_parser *parser);

/* Takes a length. A percentage refers to `base`. */
static bool take_length(shape_parser *parser, double base, double *value)
{
    svg_metrics metrics = parser->space->metrics;
    metrics.width = base;
    if (parser->token.kind != CSS_NUMBER ||
        !svg_length_parse_pixels(parser->token.value, parser->space->dpi, SVG_AXIS_X, &metrics, value))
        return false;
    char last = parser->token.value.bytes[parser->token.value.count - 1];
    if ((last == '.' || (last >= '0' && last <= '9')) && *value != 0)
        return false; /* a number without a unit is no length */
    advance(parser);
    return true;
}

static bool take_word(shape_parser *parser, text word)
{
    if (!at_word(parser, word))
        return false;
    advance(parser);
    return true;
}

/* A part of a position: a word or a length. A length behind a word is the distance from that side. */
typedef struct place_part {
    char side; /* l, r, t, b; c for center; 0 for a length */
    css_token length;
} place_part;

static bool take_part(shape_parser *parser, place_part *part)
{
    static const struct {
        text name;
        char side;
    } sides[] = {
        {TEXT_LITERAL("left"), 'l'},   {TEXT_LITERAL("right"), 'r'},  {TEXT_LITERAL("top"), 't'},
        {TEXT_LITERAL("bottom"), 'b'}, {TEXT_LITERAL("center"), 'c'},
    };
    *part = (place_part){.length = parser->token};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0] && !part->side; i++)
        if (take_word(parser, sides[i].name))
            part->side = sides[i].side;
    double ignored;
    return part->side || take_length(parser, 0, &ignored);
}

/* Returns where a part lies along an axis that begins at `low`. `offset` is a length from the part's side, or NULL. */
static double place_along(const shape_parser *parser, const place_part *part, const place_part *offset, double low,
                          double size)
{
    shape_parser at = *parser; /* reads the length once more, with its base */
    double distance = 0;
    const place_part *length = part->side ? offset : part;
    if (length) {
        at.token = length->length;
        take_length(&at, size, &distance);
    }
    switch (part->side) {
    case 'c':
        return low + size / 2;
    case 'r':
    case 'b':
        return low + size - distance;
    default:
        return low + distance;
    }
}

static bool is_across(char side)
{
    return side == 'l' || side == 'r';
}

static bool is_down(char side)
{
    return side == 't' || side == 'b';
}

/* Takes `at` and a position (CSS Values 4, 8.3; with three parts CSS Backgrounds 3, 3.6). The default is the centre. */
static bool take_position(shape_parser *parser, double *x, double *y)
{
    const svg_rectangle *box = &parser->box;
    place_part parts[4], center = {.side = 'c'};
    const place_part *across = &center, *down = &center, *offset_across = NULL, *offset_down = NULL;
    int count = 0;
    if (take_word(parser, TEXT("at"))) {
        while (count < 4 && !at_end(parser))
            if (!take_part(parser, &parts[count++]))
                return false;
        if (count == 0 || !at_end(parser))
            return false;
    }
    if (count == 1) {
        *(is_down(parts[0].side) ? &down : &across) = &parts[0];
    } else if (count == 2) {
        bool swapped = is_down(parts[0].side) || is_across(parts[1].side);
        across = &parts[swapped];
        down = &parts[!swapped];
    } else if (count > 2) {
        /* There are two words. A length may follow each of them but center; with three parts, only one has a length. */
        int second = parts[1].side ? 1 : 2;
        bool one_offset = second == 2, other_offset = count == second + 2;
        bool swapped = is_down(parts[0].side) || is_across(parts[second].side);
        if (!parts[0].side || !parts[second].side || (other_offset && parts[second + 1].side) ||
            count != second + 1 + other_offset || (one_offset && parts[0].side == 'c') ||
            (other_offset && parts[second].side == 'c'))
            return false;
        across = swapped ? &parts[second] : &parts[0];
        down = swapped ? &parts[0] : &parts[second];
        const place_part *first_offset = one_offset ? &parts[1] : NULL,
                         *second_offset = other_offset ? &parts[second + 1] : NULL;
        offset_across = swapped ? second_offset : first_offset;
        offset_down = swapped ? first_offset : second_offset;
    }
    if (is_down(across->side) || is_across(down->side) ||
        (count == 2 && across != &parts[0] && (!parts[0].side || !parts[1].side)))
        return false;
    *x = place_along(parser, across, offset_across, box->x, box->width);
    *y = place_along(parser, down, offset_down, box->y, box->height);
    return true;
}

/* Takes a radius: a length, or a word for the distance to a side. *kind says which. */
static bool take_radius(shape_parser *parser, double base, double *radius, char *kind)
{
    *kind = take_word(parser, TEXT("closest-side")) ? 'c' : take_word(parser, TEXT("farthest-side")) ? 'f' : 0;
    if (*kind)
        return true;
    *kind = 'l';
    return take_length(parser, base, radius) && *radius >= 0;
}

static double side_radius(char kind, double from, double size, double at)
{
    double low = fabs(at - from), high = fabs(from + size - at);
    return kind == 'f' ? fmax(low, high) : fmin(low, high);
}

static void add_ellipse(shape_parser *parser, double x, double y, double rx, double ry)
{
    if (rx > 0 && ry > 0)
        pietra_path_ellipse(parser->path, x, y, rx, ry);
}

static bool parse_circle(shape_parser *parser)
{
    const svg_rectangle *box = &parser->box;
    double radius = 0, x, y;
    char kind = 'c';
    if (!at_word(parser, TEXT("at")) && !at_end(parser) &&
        !take_radius(parser, sqrt((box->width * box->width + box->height * box->height) / 2), &radius, &kind))
        return false;
    if (!take_position(parser, &x, &y))
        return false;
    if (kind != 'l') {
        double across = side_radius(kind, box->x, box->width, x), down = side_radius(kind, box->y, box->height, y);
        radius = kind == 'f' ? fmax(across, down) : fmin(across, down);
    }
    add_ellipse(parser, x, y, radius, radius);
    return at_end(parser);
}

static bool parse_ellipse(shape_parser *parser)
{
    const svg_rectangle *box = &parser->box;
    double rx = 0, ry = 0, x, y;
    char kind_x = 'c', kind_y = 'c';
    if (!at_word(parser, TEXT("at")) && !at_end(parser) &&
        (!take_radius(parser, box->width, &rx, &kind_x) || !take_radius(parser, box->height, &ry, &kind_y)))
        return false;
    if (!take_position(parser, &x, &y))
        return false;
    rx = kind_x == 'l' ? rx : side_radius(kind_x, box->x, box->width, x);
    ry = kind_y == 'l' ? ry : side_radius(kind_y, box->y, box->height, y);
    add_ellipse(parser, x, y, rx, ry);
    return at_end(parser);
}

/* Takes one to four lengths for the sides or corners. Missing ones repeat others, as in CSS's shorthands. */
static bool take_four(shape_parser *parser, const double bases[4], double values[4])
{
    int count = 0;
    while (count < 4 && parser->token.kind == CSS_NUMBER) {
        if (!take_length(parser, bases[count], &values[count]))
            return false;
        count++;
    }
    if (count == 0)
        return false;
    for (int i = count; i < 4; i++)
        values[i] = values[i == 1 ? 0 : i - 2];
    return true;
}

/* Takes `round`, the radii across and, after a slash, those down. They are scaled down until none overlap. */
static bool take_corners(shape_parser *parser, double width, double height, double rx[4], double ry[4])
{
    const double across[4] = {width, width, width, width}, down[4] = {height, height, height, height};
    memset(rx, 0, 4 * sizeof *rx);
    memset(ry, 0, 4 * sizeof *ry);
    if (!take_word(parser, TEXT("round")))
        return true;
    text before = parser->rest;
    css_token token = parser->token;
    if (!take_four(parser, across, rx))
        return false;
    if (!css_token_is(&parser->token, '/')) {
        parser->rest = before;
        parser->token = token;
    } else {
        advance(parser);
    }
    if (!take_four(parser, down, ry))
        return false;
    double scale = 1;
    for (int i = 0; i < 4; i++) {
        int next = (i + 1) % 4;
        double sum = i % 2 == 0 ? rx[i] + rx[next] : ry[i] + ry[next], side = i % 2 == 0 ? width : height;
        if (rx[i] < 0 || ry[i] < 0)
            return false;
        scale = sum > side ? fmin(scale, side / sum) : scale;
    }
    for (int i = 0; i < 4; i++) {
        rx[i] *= scale;
        ry[i] *= scale;
    }
    return true;
}

static bool add_rounded(shape_parser *parser, double x, double y, double width, double height)
{
    double rx[4], ry[4];
    pietra_path *path = parser->path;
    width = fmax(width, 0);
    height = fmax(height, 0);
    if (!take_corners(parser, width, height, rx, ry))
        return false;
    double right = x + width, bottom = y + height;
    pietra_path_move_to(path, x + rx[0], y);
    pietra_path_line_to(path, right - rx[1], y);
    pietra_path_arc_to(path, rx[1], ry[1], 0, false, true, right, y + ry[1]);
    pietra_path_line_to(path, right, bottom - ry[2]);
    pietra_path_arc_to(path, rx[2], ry[2], 0, false, true, right - rx[2], bottom);
    pietra_path_line_to(path, x + rx[3], bottom);
    pietra_path_arc_to(path, rx[3], ry[3], 0, false, true, x, bottom - ry[3]);
    pietra_path_line_to(path, x, y + ry[0]);
    pietra_path_arc_to(path, rx[0], ry[0], 0, false, true, x + rx[0], y);
    pietra_path_close(path);
    return at_end(parser);
}

static bool parse_inset(shape_parser *parser)
{
    const svg_rectangle *box = &parser->box;
    const double bases[4] = {box->height, box->width, box->height, box->width};
    double v[4];
    if (!take_four(parser, bases, v))
        return false;
    return add_rounded(parser, box->x + v[3], box->y + v[0], box->width - v[1] - v[3], box->height - v[0] - v[2]);
}

/* Parses distances from the left and the top of the box. */
static bool parse_rect(shape_parser *parser)
{
    const svg_rectangle *box = &parser->box;
    const double bases[4] = {box->height, box->width, box->height, box->width},
                 standard[4] = {0, box->width, box->height, 0};
    double v[4];
    for (int i = 0; i < 4; i++) {
        v[i] = standard[i];
        if (!take_word(parser, TEXT("auto")) && !take_length(parser, bases[i], &v[i]))
            return false;
    }
    return add_rounded(parser, box->x + v[3], box->y + v[0], v[1] - v[3], v[2] - v[0]);
}

static bool parse_xywh(shape_parser *parser)
{
    const svg_rectangle *box = &parser->box;
    const double bases[4] = {box->width, box->height, box->width, box->height};
    double v[4];
    for (int i = 0; i < 4; i++)
        if (!take_length(parser, bases[i], &v[i]))
            return false;
    return v[2] >= 0 && v[3] >= 0 && add_rounded(parser, box->x + v[0], box->y + v[1], v[2], v[3]);
}

/* Takes a fill rule and a comma. */
static bool take_rule(shape_parser *parser)
{
    bool even_odd = at_word(parser, TEXT("evenodd"));
    if (!even_odd && !at_word(parser, TEXT("nonzero")))
        return true;
    parser->rule = even_odd ? PIETRA_FILL_EVEN_ODD : PIETRA_FILL_NONZERO;
    advance(parser);
    if (parser->token.kind != CSS_COMMA)
        return false;
    advance(parser);
    return true;
}

static bool parse_polygon(shape_parser *parser)
{
    if (!take_rule(parser))
        return false;
    for (bool first = true;; first = false) {
        double x, y;
        if (!take_length(parser, parser->box.width, &x) || !take_length(parser, parser->box.height, &y))
            return false;
        (first ? pietra_path_move_to : pietra_path_line_to)(parser->path, parser->box.x + x, parser->box.y + y);
        if (at_end(parser))
            break;
        if (parser->token.kind != CSS_COMMA)
            return false;
        advance(parser);
    }
    pietra_path_close(parser->path);
    return true;
}

static bool parse_path(shape_parser *parser)
{
    if (!take_rule(parser) || parser->token.kind != CSS_STRING)
        return false;
    svg_path_pool pool = {0};
    svg_path read = {.cut = true};
    uint32_t index = SVG_NO_PATH;
    parser->out_of_memory = !svg_path_read(&pool, parser->token.value, SVG_PATH_DATA, &read) ||
                            !svg_path_pool_add_read(&pool, &read, &index);
    bool good = !parser->out_of_memory && !read.cut;
    pietra_transform to_box = {1, 0, 0, 1, parser->box.x, parser->box.y};
    if (good && index != SVG_NO_PATH)
        svg_path_emit(&pool, index, &to_box, parser->path);
    svg_path_pool_free(&pool);
    advance(parser);
    return good && at_end(parser);
}

static const struct {
    text name;
    shape_function *parse;
} functions[] = {
    {TEXT_LITERAL("circle"), parse_circle}, {TEXT_LITERAL("ellipse"), parse_ellipse},
    {TEXT_LITERAL("inset"), parse_inset},   {TEXT_LITERAL("rect"), parse_rect},
    {TEXT_LITERAL("xywh"), parse_xywh},     {TEXT_LITERAL("polygon"), parse_polygon},
    {TEXT_LITERAL("path"), parse_path},
};

static shape_function *find_function(text name)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (text_equal_ignoring_case(name, functions[i].name))
            return functions[i].parse;
    return NULL;
}

bool css_shape_looks_like(text value)
{
    css_token token = css_token_next(&value);
    return token.kind == CSS_FUNCTION ? find_function(token.value) != NULL
                                      : token.kind == CSS_IDENT && find_box(token.value, NULL, NULL);
}

pietra_result css_shape_build(text value, const css_shape_space *space, pietra_path *path, pietra_fill_rule *rule,
                              bool *good)
{
    shape_parser parser = {.space = space, .path = path, .box = space->stroke_box, .rule = PIETRA_FILL_NONZERO};
    text function = {NULL, 0};
    shape_function *parse = NULL;
    *good = false;
    pietra_path_reset(path);
    parser.rest = value;
    for (advance(&parser); parser.token.kind != CSS_END; advance(&parser)) {
        if (parser.token.kind == CSS_FUNCTION && !parse && (parse = find_function(parser.token.value))) {
            const char *begin = parser.rest.bytes;
            css_token_skip_block(&parser.rest, '(');
            function = text_from(begin, parser.rest.bytes);
        } else if (parser.token.kind != CSS_IDENT || !find_box(parser.token.value, space, &parser.box)) {
            return PIETRA_OK;
        }
    }
    if (!parse) {
        pietra_path_rect(path, parser.box.x, parser.box.y, parser.box.width, parser.box.height);
        *good = true;
        return PIETRA_OK;
    }
    parser.rest = function;
    advance(&parser);
    *good = parse(&parser);
    *rule = parser.rule;
    return parser.out_of_memory ? PIETRA_ERROR_MEMORY : PIETRA_OK;
}
