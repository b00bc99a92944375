/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/style.h"

#include <math.h>

#include "svg/tree/document.h"
#include "svg/style/variable.h"

#define BLACK \
    { \
        0, 0, 0, 1 \
    }
#define BLACK_PAINT \
    { \
        .form = SVG_PAINT_COLOR, .fallback = SVG_PAINT_ABSENT, .color = BLACK \
    }
#define WHITE_PAINT \
    { \
        .form = SVG_PAINT_COLOR, .fallback = SVG_PAINT_ABSENT, .color = { 1, 1, 1, 1 } \
    }
#define NO_PAINT \
    { \
        .form = SVG_PAINT_NONE, .fallback = SVG_PAINT_ABSENT \
    }
/* It is not given. */
#define NO_LENGTH \
    { \
        NAN, SVG_UNIT_PX \
    }
#define NORMAL_LINE_HEIGHT \
    { \
        NO_LENGTH, NAN \
    }
#define ONE_PIXEL \
    { \
        1, SVG_UNIT_PX \
    }

const svg_inherited svg_inherited_initial = {
#define INITIAL_inherited(field, ...) .field = __VA_ARGS__,
#define INITIAL_noninherited(field, ...)
#define PROPERTY(id, name, kind, inheritance, parser, field, initial, state, note) INITIAL_##inheritance(field, initial)
#include "svg/tree/property.def"
#undef INITIAL_inherited
#undef INITIAL_noninherited
};

const svg_noninherited svg_noninherited_initial = {
#define INITIAL_inherited(field, ...)
#define INITIAL_noninherited(field, ...) .field = __VA_ARGS__,
#define PROPERTY(id, name, kind, inheritance, parser, field, initial, state, note) INITIAL_##inheritance(field, initial)
#include "svg/tree/property.def"
#undef INITIAL_inherited
#undef INITIAL_noninherited
};

/* ---- From declarations to values ---- */

/* A style while it is computed. */
typedef struct computation {
    svg_document *document;
    double root_font_size;
    const svg_inherited *parent_inherited;
    const svg_noninherited *parent_noninherited;
    svg_inherited *inherited;
    svg_noninherited *noninherited;
} computation;

static uint8_t compute_keyword(const svg_declaration *declaration, const computation *style)
{
    (void)style;
    return declaration->keyword;
}

static double compute_number(const svg_declaration *declaration, const computation *style)
{
    (void)style;
    return declaration->number;
}

/* Units such as em, ex and ch refer to the element on which the property was set. */
static svg_length compute_length(const svg_declaration *declaration, const computation *style)
{
    return svg_length_with_font((svg_length){declaration->number, (svg_unit)declaration->keyword},
                                style->inherited->font_size);
}

static svg_style_dashes compute_dashes(const svg_declaration *declaration, const computation *style)
{
    return (svg_style_dashes){style->inherited->font_size, declaration->reference, declaration->count};
}

static pietra_color compute_color(const svg_declaration *declaration, const computation *style)
{
    uint16_t words[4];
    if (!declaration->count || style->inherited->color_scheme != SVG_SCHEME_DARK)
        return declaration->color;
    memcpy(words, &declaration->number, sizeof words);
    return (pietra_color){(float)(words[0] / 65535.0), (float)(words[1] / 65535.0), (float)(words[2] / 65535.0),
                          (float)(words[3] / 65535.0)};
}

static svg_style_paint compute_paint(const svg_declaration *declaration, const computation *style)
{
    return (svg_style_paint){declaration->keyword, (uint8_t)declaration->fallback, declaration->reference,
                             compute_color(declaration, style)};
}

static double compute_font_size(const svg_declaration *declaration, const computation *style)
{
    const double step = 1.2, parent = style->parent_inherited->font_size;
    if (declaration->form == SVG_FORM_KEYWORD)
        return declaration->keyword == SVG_FONT_LARGER ? parent * step : parent / step;
    /* A percentage refers to the parent's size. Viewport units are rare here, and refer to nothing that is known
     * yet. */
    svg_metrics metrics = {.font_size = parent,
                           .root_font_size = style->root_font_size,
                           .width = parent,
                           .units = &style->document->units};
    return svg_length_resolve((svg_length){declaration->number, (svg_unit)declaration->keyword}, SVG_AXIS_X, &metrics);
}

static float compute_small_number(const svg_declaration *declaration, const computation *style)
{
    (void)style;
    return (float)declaration->number;
}

static uint32_t compute_index(const svg_declaration *declaration, const computation *style)
{
    (void)style;
    return declaration->reference;
}

static svg_style_slope compute_slope(const svg_declaration *declaration, const computation *style)
{
    (void)style;
    return (svg_style_slope){declaration->keyword, (float)declaration->number};
}

static svg_style_aspect compute_aspect(const svg_declaration *declaration, const computation *style)
{
    (void)style;
    return (svg_style_aspect){(float)declaration->number, declaration->keyword};
}

static svg_style_line_height compute_line_height(const svg_declaration *declaration, const computation *style)
{
    if (declaration->form == SVG_FORM_NUMBER)
        return (svg_style_line_height){.factor = declaration->number};
    return (svg_style_line_height){compute_length(declaration, style), NAN};
}

/* bolder and lighter, as in the table of CSS Fonts 4, section 2.2.1. */
static float compute_font_weight(const svg_declaration *declaration, const computation *style)
{
    const float parent = style->parent_inherited->font_weight;
    if (declaration->form == SVG_FORM_NUMBER)
        return (float)declaration->number;
    if (declaration->keyword == SVG_WEIGHT_BOLDER)
        return parent < 350 ? 400 : parent < 550 ? 700 : parent < 900 ? 900 : parent;
    return parent < 100 ? parent : parent < 550 ? 100 : parent < 750 ? 400 : 700;
}

static svg_style_shift compute_shift(const svg_declaration *declaration, const computation *style)
{
    if (declaration->form == SVG_FORM_KEYWORD)
        return (svg_style_shift){.kind = declaration->keyword};
    return (svg_style_shift){.length = compute_length(declaration, style)};
}

static svg_style_reference compute_reference(const svg_declaration *declaration, const computation *style)
{
    (void)style;
    return (svg_style_reference){declaration->keyword, declaration->reference};
}

static svg_style_filter compute_filter(const svg_declaration *declaration, const computation *style)
{
    (void)style;
    return (svg_style_filter){declaration->keyword, declaration->reference, declaration->count};
}

static svg_style_mask compute_mask(const svg_declaration *declaration, const computation *style)
{
    (void)style;
    return (svg_style_mask){declaration->keyword, declaration->reference, declaration->count};
}

static svg_style_mask_mode compute_mask_mode(const svg_declaration *declaration, const computation *style)
{
    (void)style;
    return (svg_style_mask_mode){(uint16_t)declaration->count, declaration->keyword};
}

static svg_style_places compute_places(const svg_declaration *declaration, const computation *style)
{
    (void)style;
    return (svg_style_places){declaration->reference, declaration->count};
}

#define COMPUTE(parser, type, computed) \
    static inline type compute_value_of_##parser(const svg_declaration *declaration, const computation *style) \
    { \
        return compute_##computed(declaration, style); \
    }
SVG_VALUES(COMPUTE)
#undef COMPUTE

/* Copies a property from another style, for inherit and initial. */
static void copy_property(svg_name property, const svg_inherited *from_inherited,
                          const svg_noninherited *from_noninherited, const computation *style)
{
    switch (property) {
#define PROPERTY(id, name, kind, inheritance, parser, field, initial, state, note) \
    case SVG_##id: \
        style->inheritance->field = from_##inheritance->field; \
        break;
#include "svg/tree/property.def"
    default:
        break;
    }
    /* The initial value is visible. It also holds for what is no viewport. */
    if (property == SVG_OVERFLOW && style->noninherited->overflow == SVG_OVERFLOW_UNSAID)
        style->noninherited->overflow = SVG_OVERFLOW_VISIBLE;
}

static void copy_initial(svg_name property, const computation *style)
{
    copy_property(property, &svg_inherited_initial, &svg_noninherited_initial, style);
    if (property == SVG_FONT_SIZE)
        style->inherited->font_size = svg_initial_font_size(style->document);
}

static void set_property(const svg_declaration *declaration, const computation *style)
{
    switch ((svg_name)declaration->property) {
#define PROPERTY(id, name, kind, inheritance, parser, field, initial, state, note) \
    case SVG_##id: \
        style->inheritance->field = compute_value_of_##parser(declaration, style); \
        break;
#include "svg/tree/property.def"
    default:
        break;
    }
}

/* Returns the declaration with its var() replaced, in *room if there was any. If it is invalid then, it counts as
 * unset. currentColor is the color known so far. Since `color` is applied before what refers to it, currentColor in its
 * own value is the parent's color. */
static const svg_declaration *resolve(const svg_declaration *declaration, const computation *style,
                                      svg_declaration *room)
{
    if (declaration->form != SVG_FORM_VARIABLE)
        return declaration;
    const svg_declaration deferred = *declaration; /* resolving may move the original */
    const pietra_color current = style->inherited->color;
    style->document->current_color = &current;
    bool good = svg_variable_resolve(style->document, style->inherited->scope, &deferred, room);
    style->document->current_color = NULL;
    if (!good) {
        bool inherited = svg_property_is_inherited((svg_name)deferred.property);
        *room =
            (svg_declaration){.property = deferred.property, .form = inherited ? SVG_FORM_INHERIT : SVG_FORM_INITIAL};
    }
    return room;
}

static void apply(const svg_declaration *declaration, const computation *style)
{
    svg_declaration room;
    declaration = resolve(declaration, style, &room);
    svg_name property = (svg_name)declaration->property;
    if (declaration->form == SVG_FORM_INHERIT)
        copy_property(property, style->parent_inherited, style->parent_noninherited, style);
    else if (declaration->form == SVG_FORM_INITIAL)
        copy_initial(property, style);
    else
        set_property(declaration, style);
}

/* Returns whether a property comes first: other lengths need the font size, and colours need the color scheme. */
static bool comes_first(uint16_t property)
{
    return property == SVG_FONT_SIZE || property == SVG_COLOR_SCHEME;
}

void svg_style_compute(svg_document *document, uint32_t set_index, const svg_inherited *parent,
                       const svg_noninherited *parent_noninherited, double root_font_size, svg_inherited *inherited,
                       svg_noninherited *noninherited)
{
    const svg_declaration_set set = document->sets.items[set_index];
    const computation style = {document, root_font_size, parent, parent_noninherited, inherited, noninherited};
    *inherited = *parent;
    *noninherited = svg_noninherited_initial;
    if (set.count == 0)
        return;
    inherited->scope = svg_variable_scope_of(document, parent->scope, set_index);
    for (uint32_t i = set.begin; i < set.begin + set.count; i++)
        if (comes_first(document->declarations.items[i].property))
            apply(&document->declarations.items[i], &style);
    for (uint32_t i = set.begin; i < set.begin + set.count && document->declarations.items[i].property != SVG_CUSTOM;
         i++)
        if (!comes_first(document->declarations.items[i].property))
            apply(&document->declarations.items[i], &style);
}

bool svg_style_changes_inherited(const svg_document *document, uint32_t set_index)
{
    const svg_declaration_set *set = &document->sets.items[set_index];
    for (uint32_t i = 0; i < set->count; i++)
        if (svg_property_is_inherited((svg_name)document->declarations.items[set->begin + i].property))
            return true;
    return false;
}

pietra_color svg_style_color(uint8_t form, pietra_color color, const svg_inherited *inherited)
{
    return form == SVG_PAINT_CURRENT_COLOR ? inherited->color : color;
}
