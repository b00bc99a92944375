#include "svg/style/style.h"

#include "svg/tree/document.h"
#include "svg/style/variable.h"

#define BLACK { 0, 0, 0, 1 }
#define MEDIUM_FONT_SIZE 16

const svg_inherited svg_inherited_initial = {
    .color = BLACK,
    .fill = { .form = SVG_PAINT_COLOR, .fallback = SVG_PAINT_ABSENT, .color = BLACK },
    .stroke = { .form = SVG_PAINT_NONE, .fallback = SVG_PAINT_ABSENT },
    .fill_opacity = 1,
    .stroke_opacity = 1,
    .font_size = MEDIUM_FONT_SIZE,
    .stroke_width = { 1, SVG_UNIT_PX },
    .stroke_miterlimit = 4,
    .paint_order = SVG_ORDER_NORMAL,
};

const svg_other svg_other_initial = {
    .opacity = 1,
    .stop_opacity = 1,
    .stop_color = { .form = SVG_PAINT_COLOR, .fallback = SVG_PAINT_ABSENT, .color = BLACK },
};

static pietra_color color_of(const svg_declaration *declaration, uint8_t scheme)
{
    uint16_t words[4];
    if (!declaration->count || scheme != SVG_SCHEME_DARK)
        return declaration->color;
    memcpy(words, &declaration->number, sizeof words);
    return (pietra_color){ (float)(words[0] / 65535.0), (float)(words[1] / 65535.0), (float)(words[2] / 65535.0), (float)(words[3] / 65535.0) };
}

static svg_style_paint paint_of(const svg_declaration *declaration, uint8_t scheme)
{
    return (svg_style_paint){ declaration->keyword, declaration->fallback, declaration->reference, color_of(declaration, scheme) };
}

/* em, ex and ch refer to the element that the property was set on. */
static svg_length length_of(const svg_declaration *declaration, double font_size)
{
    return svg_length_with_font((svg_length){ declaration->number, (svg_unit)declaration->keyword }, font_size);
}

static double font_size_of(const svg_units *units, const svg_declaration *declaration, double parent, double root)
{
    const double step = 1.2;
    if (declaration->form == SVG_FORM_KEYWORD)
        return declaration->keyword == SVG_FONT_LARGER ? parent * step : parent / step;
    /* A percentage refers to the parent's size; viewport units, which hardly occur here, to nothing known yet. */
    svg_metrics metrics = { .font_size = parent, .root_font_size = root, .width = parent, .units = units };
    return svg_length_resolve((svg_length){ declaration->number, (svg_unit)declaration->keyword }, SVG_AXIS_X, &metrics);
}

static svg_style_reference reference_of(const svg_declaration *declaration)
{
    return (svg_style_reference){ declaration->keyword, declaration->reference };
}

/* Copies one property from another style: inherit and initial. */
static void copy_property(svg_name property, const svg_inherited *from, const svg_other *from_other, svg_inherited *to, svg_other *to_other)
{
    switch (property) {
    case SVG_COLOR:
        to->color = from->color;
        break;
    case SVG_FILL:
        to->fill = from->fill;
        break;
    case SVG_STROKE:
        to->stroke = from->stroke;
        break;
    case SVG_FILL_OPACITY:
        to->fill_opacity = from->fill_opacity;
        break;
    case SVG_STROKE_OPACITY:
        to->stroke_opacity = from->stroke_opacity;
        break;
    case SVG_FONT_SIZE:
        to->font_size = from->font_size;
        break;
    case SVG_STROKE_WIDTH:
        to->stroke_width = from->stroke_width;
        break;
    case SVG_STROKE_DASHOFFSET:
        to->stroke_dashoffset = from->stroke_dashoffset;
        break;
    case SVG_STROKE_MITERLIMIT:
        to->stroke_miterlimit = from->stroke_miterlimit;
        break;
    case SVG_STROKE_DASHARRAY:
        to->stroke_dasharray = from->stroke_dasharray;
        break;
    case SVG_FILL_RULE:
        to->fill_rule = from->fill_rule;
        break;
    case SVG_CLIP_RULE:
        to->clip_rule = from->clip_rule;
        break;
    case SVG_STROKE_LINECAP:
        to->stroke_linecap = from->stroke_linecap;
        break;
    case SVG_STROKE_LINEJOIN:
        to->stroke_linejoin = from->stroke_linejoin;
        break;
    case SVG_VISIBILITY:
        to->visibility = from->visibility;
        break;
    case SVG_PAINT_ORDER:
        to->paint_order = from->paint_order;
        break;
    case SVG_OPACITY:
        to_other->opacity = from_other->opacity;
        break;
    case SVG_STOP_OPACITY:
        to_other->stop_opacity = from_other->stop_opacity;
        break;
    case SVG_STOP_COLOR:
        to_other->stop_color = from_other->stop_color;
        break;
    case SVG_BACKGROUND_COLOR:
        to_other->background_color = from_other->background_color;
        break;
    case SVG_CLIP_PATH:
        to_other->clip_path = from_other->clip_path;
        break;
    case SVG_DISPLAY:
        to_other->display = from_other->display;
        break;
    case SVG_OVERFLOW: /* visible is the initial value, and that of what is no viewport */
        to_other->overflow = from_other->overflow == SVG_OVERFLOW_UNSAID ? SVG_OVERFLOW_VISIBLE : from_other->overflow;
        break;
    case SVG_MASK_TYPE:
        to_other->mask_type = from_other->mask_type;
        break;
    case SVG_MIX_BLEND_MODE:
        to_other->mix_blend_mode = from_other->mix_blend_mode;
        break;
    case SVG_ISOLATION:
        to_other->isolation = from_other->isolation;
        break;
    case SVG_VECTOR_EFFECT:
        to_other->vector_effect = from_other->vector_effect;
        break;
    case SVG_TRANSFORM_BOX:
        to_other->transform_box = from_other->transform_box;
        break;
    case SVG_SHAPE_RENDERING:
        to->shape_rendering = from->shape_rendering;
        break;
    case SVG_COLOR_INTERPOLATION:
        to->color_interpolation = from->color_interpolation;
        break;
    case SVG_IMAGE_RENDERING:
        to->image_rendering = from->image_rendering;
        break;
    case SVG_MASK:
        to_other->mask = from_other->mask;
        break;
    case SVG_MASK_COMPOSITE:
        to_other->mask_composite = from_other->mask_composite;
        break;
    case SVG_MASK_MODE:
        to_other->mask_mode = from_other->mask_mode;
        break;
    case SVG_FILTER:
        to_other->filter = from_other->filter;
        break;
    case SVG_MARKER_START:
        to->marker_start = from->marker_start;
        break;
    case SVG_MARKER_MID:
        to->marker_mid = from->marker_mid;
        break;
    case SVG_MARKER_END:
        to->marker_end = from->marker_end;
        break;
    default:
        break;
    }
}

static void set_property(const svg_declaration *declaration, svg_inherited *inherited, svg_other *other)
{
    switch ((svg_name)declaration->property) {
    case SVG_COLOR:
        inherited->color = color_of(declaration, inherited->color_scheme);
        break;
    case SVG_FILL:
        inherited->fill = paint_of(declaration, inherited->color_scheme);
        break;
    case SVG_STROKE:
        inherited->stroke = paint_of(declaration, inherited->color_scheme);
        break;
    case SVG_FILL_OPACITY:
        inherited->fill_opacity = declaration->number;
        break;
    case SVG_STROKE_OPACITY:
        inherited->stroke_opacity = declaration->number;
        break;
    case SVG_STROKE_WIDTH:
        inherited->stroke_width = length_of(declaration, inherited->font_size);
        break;
    case SVG_STROKE_DASHOFFSET:
        inherited->stroke_dashoffset = length_of(declaration, inherited->font_size);
        break;
    case SVG_STROKE_MITERLIMIT:
        inherited->stroke_miterlimit = declaration->number;
        break;
    case SVG_STROKE_DASHARRAY:
        inherited->stroke_dasharray = (svg_style_dashes){ inherited->font_size, declaration->reference, declaration->count };
        break;
    case SVG_FILL_RULE:
        inherited->fill_rule = declaration->keyword;
        break;
    case SVG_CLIP_RULE:
        inherited->clip_rule = declaration->keyword;
        break;
    case SVG_STROKE_LINECAP:
        inherited->stroke_linecap = declaration->keyword;
        break;
    case SVG_STROKE_LINEJOIN:
        inherited->stroke_linejoin = declaration->keyword;
        break;
    case SVG_VISIBILITY:
        inherited->visibility = declaration->keyword;
        break;
    case SVG_PAINT_ORDER:
        inherited->paint_order = declaration->keyword;
        break;
    case SVG_OPACITY:
        other->opacity = declaration->number;
        break;
    case SVG_STOP_OPACITY:
        other->stop_opacity = declaration->number;
        break;
    case SVG_STOP_COLOR:
        other->stop_color = paint_of(declaration, inherited->color_scheme);
        break;
    case SVG_BACKGROUND_COLOR:
        other->background_color = paint_of(declaration, inherited->color_scheme);
        break;
    case SVG_CLIP_PATH:
        other->clip_path = reference_of(declaration);
        break;
    case SVG_MASK:
        other->mask = (svg_style_mask){ declaration->keyword, declaration->reference, declaration->count };
        break;
    case SVG_MASK_COMPOSITE:
        other->mask_composite = declaration->keyword;
        break;
    case SVG_MASK_MODE:
        other->mask_mode = (svg_style_mask_mode){ (uint16_t)declaration->count, declaration->keyword };
        break;
    case SVG_FILTER:
        other->filter = declaration->keyword;
        break;
    case SVG_MARKER_START:
        inherited->marker_start = reference_of(declaration);
        break;
    case SVG_MARKER_MID:
        inherited->marker_mid = reference_of(declaration);
        break;
    case SVG_MARKER_END:
        inherited->marker_end = reference_of(declaration);
        break;
    case SVG_MASK_TYPE:
        other->mask_type = declaration->keyword;
        break;
    case SVG_MIX_BLEND_MODE:
        other->mix_blend_mode = declaration->keyword;
        break;
    case SVG_ISOLATION:
        other->isolation = declaration->keyword;
        break;
    case SVG_VECTOR_EFFECT:
        other->vector_effect = declaration->keyword;
        break;
    case SVG_TRANSFORM_BOX:
        other->transform_box = declaration->keyword;
        break;
    case SVG_SHAPE_RENDERING:
        inherited->shape_rendering = declaration->keyword;
        break;
    case SVG_COLOR_INTERPOLATION:
        inherited->color_interpolation = declaration->keyword;
        break;
    case SVG_IMAGE_RENDERING:
        inherited->image_rendering = declaration->keyword;
        break;
    case SVG_DISPLAY:
        other->display = declaration->keyword;
        break;
    case SVG_OVERFLOW:
        other->overflow = declaration->keyword;
        break;
    default:
        break;
    }
}

/* The declaration, its var() replaced; into *room, if it has any. One that has become invalid counts as unset. */
/* current: what currentColor is. */
static const svg_declaration *settled(svg_document *document, const svg_declaration *declaration, uint32_t scope, const pietra_color *current,
                                      svg_declaration *room)
{
    if (declaration->form != SVG_FORM_VARIABLE)
        return declaration;
    svg_declaration deferred = *declaration; /* resolving may move it */
    document->current_color = current;
    bool good = svg_variable_resolve(document, scope, &deferred, room);
    document->current_color = NULL;
    if (!good) {
        bool inherited = svg_property_is_inherited((svg_name)deferred.property);
        *room = (svg_declaration){ .property = deferred.property, .form = inherited ? SVG_FORM_INHERIT : SVG_FORM_INITIAL };
    }
    return room;
}

void svg_style_compute(svg_document *document, uint32_t set_index, const svg_inherited *parent, const svg_other *parent_other,
                       double root_font_size, svg_inherited *inherited, svg_other *other)
{
    svg_declaration_set set = document->sets.items[set_index];
    *inherited = *parent;
    *other = svg_other_initial;
    if (set.count == 0)
        return;
    inherited->scope = svg_variable_scope_of(document, parent->scope, set_index);
    svg_declaration room;
    /* Other lengths need the font size, colours the scheme. */
    for (uint32_t i = 0; i < set.count; i++) {
        if (document->declarations.items[set.begin + i].property == SVG_COLOR_SCHEME) {
            const svg_declaration *scheme = settled(document, &document->declarations.items[set.begin + i], inherited->scope, &parent->color, &room);
            if (scheme->form != SVG_FORM_INHERIT)
                inherited->color_scheme = scheme->form == SVG_FORM_INITIAL ? SVG_SCHEME_LIGHT : scheme->keyword;
        }
        if (document->declarations.items[set.begin + i].property == SVG_FONT_SIZE) {
            const svg_declaration *size = settled(document, &document->declarations.items[set.begin + i], inherited->scope, &parent->color, &room);
            if (size->form > SVG_FORM_INITIAL)
                inherited->font_size = font_size_of(&document->units, size, parent->font_size, root_font_size);
        }
    }
    for (uint32_t i = 0; i < set.count; i++) {
        if (document->declarations.items[set.begin + i].property == SVG_CUSTOM)
            break;
        /* `color` itself comes before what refers to it, and refers to the parent's. */
        const pietra_color current = inherited->color;
        const svg_declaration *declaration = settled(document, &document->declarations.items[set.begin + i], inherited->scope, &current, &room);
        svg_name property = (svg_name)declaration->property;
        if (declaration->form == SVG_FORM_INHERIT)
            copy_property(property, parent, parent_other, inherited, other);
        else if (declaration->form == SVG_FORM_INITIAL)
            copy_property(property, &svg_inherited_initial, &svg_other_initial, inherited, other);
        else
            set_property(declaration, inherited, other);
    }
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
