/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Turns filter primitives into steps of effects, each with the result that Filter Effects 1 names for values in error.
 * Readers return false if that result is transparent black. */
#include <math.h>

#include "svg/draw/filter_parts.h"
#include "svg/style/value.h"

/* A primitive while its step is made. */
typedef struct primitive {
    svg_filter_build *build;
    const svg_document *document;
    uint32_t node;
    pietra_color flood, light;
} primitive;

/* The result is the input. */
static bool pass_through(pietra_effect_step *step)
{
    step->kind = PIETRA_EFFECT_OFFSET;
    step->offset.x = step->offset.y = 0;
    return true;
}

static double scaled(const primitive *p, double value, svg_axis axis)
{
    return svg_filter_hold(value * svg_filter_unit(p->build, axis));
}

static double scaled_number(const primitive *p, svg_name name, double missing, svg_axis axis)
{
    return scaled(p, svg_filter_number(p->document, p->node, name, missing), axis);
}

static bool read_flood(const primitive *p, pietra_effect_step *step)
{
    step->kind = PIETRA_EFFECT_FLOOD;
    step->flood.color = p->flood;
    return true;
}

static bool read_offset(const primitive *p, pietra_effect_step *step)
{
    step->kind = PIETRA_EFFECT_OFFSET;
    step->offset.x = scaled_number(p, SVG_DX, 0, SVG_AXIS_X);
    step->offset.y = scaled_number(p, SVG_DY, 0, SVG_AXIS_Y);
    return true;
}

static bool read_merge(const primitive *p, pietra_effect_step *step)
{
    const svg_node *nodes = p->document->nodes.items;
    const uint32_t end = nodes[p->node].end;
    size_t count = 0;
    for (uint32_t child = p->node + 1; child < end; child = nodes[child].end)
        count += nodes[child].element == SVG_FE_MERGE_NODE;
    step->kind = PIETRA_EFFECT_MERGE;
    svg_budget_spend(p->document->budget, SVG_STEP_primitive, count);
    if (count == 0)
        return false;
    pietra_effect_input *inputs = ARENA_NEW_ARRAY(&p->build->arena, pietra_effect_input, count);
    if (!inputs) {
        svg_budget_lack_memory(p->document->budget);
        return false;
    }
    step->merge.inputs = inputs;
    for (uint32_t child = p->node + 1; child < end; child = nodes[child].end)
        if (nodes[child].element == SVG_FE_MERGE_NODE)
            inputs[step->merge.input_count++] = svg_filter_find_input(p->build, child, SVG_IN);
    return true;
}

/* Returns the place of the attribute's value in a list of words, or that of the first word. */
static size_t word_of(const primitive *p, svg_name name, const text *words, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (svg_filter_says(p->document, p->node, name, words[i]))
            return i;
    return 0;
}

static bool read_composite(const primitive *p, pietra_effect_step *step)
{
    static const text words[] = {
        [PIETRA_EFFECT_OVER] = TEXT_LITERAL("over"),
        [PIETRA_EFFECT_IN] = TEXT_LITERAL("in"),
        [PIETRA_EFFECT_OUT] = TEXT_LITERAL("out"),
        [PIETRA_EFFECT_ATOP] = TEXT_LITERAL("atop"),
        [PIETRA_EFFECT_XOR] = TEXT_LITERAL("xor"),
        [PIETRA_EFFECT_LIGHTER] = TEXT_LITERAL("lighter"),
        [PIETRA_EFFECT_ARITHMETIC] = TEXT_LITERAL("arithmetic"),
    };
    step->kind = PIETRA_EFFECT_COMPOSITE;
    step->composite.operation = (pietra_effect_operator)word_of(p, SVG_OPERATOR, words, sizeof words / sizeof words[0]);
    step->composite.k1 = (float)svg_filter_number(p->document, p->node, SVG_K1, 0);
    step->composite.k2 = (float)svg_filter_number(p->document, p->node, SVG_K2, 0);
    step->composite.k3 = (float)svg_filter_number(p->document, p->node, SVG_K3, 0);
    step->composite.k4 = (float)svg_filter_number(p->document, p->node, SVG_K4, 0);
    return true;
}

/* The words are those of mix-blend-mode. */
static bool read_blend(const primitive *p, pietra_effect_step *step)
{
    svg_declaration mode = {.property = SVG_MIX_BLEND_MODE};
    const text word = text_trim(svg_attribute_text(p->document, p->node, SVG_MODE));
    step->kind = PIETRA_EFFECT_BLEND;
    step->blend.mode = svg_parse_keyword(p->build->walk->document, word, &mode) == SVG_PARSED_GOOD
                           ? (pietra_blend)mode.keyword
                           : PIETRA_BLEND_NORMAL;
    return true;
}

static void set_matrix(pietra_effect_step *step, const float *values)
{
    static const float identity[20] = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0};
    memcpy(step->color_matrix.values, values ? values : identity, sizeof identity);
}

static bool read_color_matrix(const primitive *p, pietra_effect_step *step)
{
    static const text words[] = {TEXT_LITERAL("matrix"), TEXT_LITERAL("saturate"), TEXT_LITERAL("hueRotate"),
                                 TEXT_LITERAL("luminanceToAlpha")};
    size_t count;
    const float *values = svg_filter_numbers(p->build, p->node, SVG_VALUES, &count);
    pietra_effect_step made;
    step->kind = PIETRA_EFFECT_COLOR_MATRIX;
    switch (word_of(p, SVG_TYPE, words, sizeof words / sizeof words[0])) {
    case 0:
        set_matrix(step, count == 20 ? values : NULL);
        return true;
    case 1:
        made = pietra_effect_saturate(count == 1 ? values[0] : 1);
        break;
    case 2:
        made = pietra_effect_hue_rotate(count == 1 ? (double)values[0] : 0);
        break;
    default:
        made = pietra_effect_luminance_to_alpha();
        break;
    }
    set_matrix(step, made.color_matrix.values);
    return true;
}

static pietra_effect_function read_function(const primitive *p, uint32_t node)
{
    static const text words[] = {
        [PIETRA_EFFECT_IDENTITY] = TEXT_LITERAL("identity"), [PIETRA_EFFECT_TABLE] = TEXT_LITERAL("table"),
        [PIETRA_EFFECT_DISCRETE] = TEXT_LITERAL("discrete"), [PIETRA_EFFECT_LINEAR] = TEXT_LITERAL("linear"),
        [PIETRA_EFFECT_GAMMA] = TEXT_LITERAL("gamma"),
    };
    const size_t most = 65536;
    const primitive function = {p->build, p->document, node, p->flood, p->light};
    pietra_effect_function made = {
        .type = (pietra_effect_function_type)word_of(&function, SVG_TYPE, words, sizeof words / sizeof words[0]),
        .slope = (float)svg_filter_number(p->document, node, SVG_SLOPE, 1),
        .intercept = (float)svg_filter_number(p->document, node, SVG_INTERCEPT, 0),
        .amplitude = (float)svg_filter_number(p->document, node, SVG_AMPLITUDE, 1),
        .exponent = (float)svg_filter_number(p->document, node, SVG_EXPONENT, 1),
        .offset = (float)svg_filter_number(p->document, node, SVG_OFFSET, 0),
    };
    if (made.type == PIETRA_EFFECT_TABLE || made.type == PIETRA_EFFECT_DISCRETE)
        made.values = svg_filter_numbers(p->build, node, SVG_TABLE_VALUES, &made.value_count);
    made.value_count = made.value_count < most ? made.value_count : most;
    return made;
}

/* The last function of a channel counts. */
static bool read_component_transfer(const primitive *p, pietra_effect_step *step)
{
    const svg_node *nodes = p->document->nodes.items;
    uint32_t r = SVG_NO_NODE, g = SVG_NO_NODE, b = SVG_NO_NODE, a = SVG_NO_NODE;
    for (uint32_t child = p->node + 1; child < nodes[p->node].end; child = nodes[child].end) {
        const uint16_t element = nodes[child].element;
        svg_budget_spend(p->document->budget, SVG_STEP_node, 1);
        r = element == SVG_FE_FUNC_R ? child : r;
        g = element == SVG_FE_FUNC_G ? child : g;
        b = element == SVG_FE_FUNC_B ? child : b;
        a = element == SVG_FE_FUNC_A ? child : a;
    }
    step->kind = PIETRA_EFFECT_COMPONENT_TRANSFER;
    if (r != SVG_NO_NODE)
        step->component_transfer.r = read_function(p, r);
    if (g != SVG_NO_NODE)
        step->component_transfer.g = read_function(p, g);
    if (b != SVG_NO_NODE)
        step->component_transfer.b = read_function(p, b);
    if (a != SVG_NO_NODE)
        step->component_transfer.a = read_function(p, a);
    return true;
}

static pietra_effect_channel read_channel(const primitive *p, svg_name name)
{
    static const text words[] = {TEXT_LITERAL("A"), TEXT_LITERAL("R"), TEXT_LITERAL("G"), TEXT_LITERAL("B")};
    static const pietra_effect_channel channels[] = {PIETRA_EFFECT_ALPHA, PIETRA_EFFECT_RED, PIETRA_EFFECT_GREEN,
                                                     PIETRA_EFFECT_BLUE};
    return channels[word_of(p, name, words, sizeof words / sizeof words[0])];
}

static bool read_displacement_map(const primitive *p, pietra_effect_step *step)
{
    step->kind = PIETRA_EFFECT_DISPLACEMENT_MAP;
    step->displacement_map.x = scaled_number(p, SVG_SCALE_NUMBER, 0, SVG_AXIS_X);
    step->displacement_map.y = scaled_number(p, SVG_SCALE_NUMBER, 0, SVG_AXIS_Y);
    step->displacement_map.x_channel = read_channel(p, SVG_X_CHANNEL_SELECTOR);
    step->displacement_map.y_channel = read_channel(p, SVG_Y_CHANNEL_SELECTOR);
    return true;
}

/* Reads standard deviations. Those in error are 0. */
static void read_deviation(const primitive *p, double missing, double *x, double *y)
{
    double pair[2] = {missing, missing};
    if (svg_attribute_find(p->document, p->node, SVG_STD_DEVIATION) &&
        !svg_filter_pair(p->document, p->node, SVG_STD_DEVIATION, pair))
        pair[0] = pair[1] = 0;
    *x = scaled(p, pair[0], SVG_AXIS_X);
    *y = scaled(p, pair[1], SVG_AXIS_Y);
}

static bool read_drop_shadow(const primitive *p, pietra_effect_step *step)
{
    step->kind = PIETRA_EFFECT_DROP_SHADOW;
    read_deviation(p, 2, &step->drop_shadow.sigma_x, &step->drop_shadow.sigma_y);
    step->drop_shadow.x = scaled_number(p, SVG_DX, 2, SVG_AXIS_X);
    step->drop_shadow.y = scaled_number(p, SVG_DY, 2, SVG_AXIS_Y);
    step->drop_shadow.color = p->flood;
    return true;
}

static pietra_effect_edge read_edge(const primitive *p, pietra_effect_edge missing)
{
    static const text words[] = {[PIETRA_EFFECT_EDGE_NONE] = TEXT_LITERAL("none"),
                                 [PIETRA_EFFECT_EDGE_DUPLICATE] = TEXT_LITERAL("duplicate"),
                                 [PIETRA_EFFECT_EDGE_WRAP] = TEXT_LITERAL("wrap")};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (svg_filter_says(p->document, p->node, SVG_EDGE_MODE, words[i]))
            return (pietra_effect_edge)i;
    return missing;
}

static bool read_gaussian_blur(const primitive *p, pietra_effect_step *step)
{
    step->kind = PIETRA_EFFECT_GAUSSIAN_BLUR;
    read_deviation(p, 0, &step->gaussian_blur.sigma_x, &step->gaussian_blur.sigma_y);
    step->gaussian_blur.edge = read_edge(p, PIETRA_EFFECT_EDGE_NONE);
    return true;
}

/* Reads a place in the kernel; without one it is the middle. */
static bool read_target(const primitive *p, svg_name name, double order, uint32_t *target)
{
    const double place = svg_filter_number(p->document, p->node, name, floor(order / 2));
    if (!(place >= 0 && place < order) || place != floor(place))
        return false;
    *target = (uint32_t)place;
    return true;
}

static bool read_convolve_matrix(const primitive *p, pietra_effect_step *step)
{
    double order[2] = {3, 3}, sum = 0;
    size_t count;
    step->kind = PIETRA_EFFECT_CONVOLVE_MATRIX;
    if (svg_attribute_find(p->document, p->node, SVG_ORDER) && !svg_filter_pair(p->document, p->node, SVG_ORDER, order))
        return false;
    const float *kernel = svg_filter_numbers(p->build, p->node, SVG_KERNEL_MATRIX, &count);
    if (order[0] != floor(order[0]) || order[1] != floor(order[1]) || !(order[0] > 0) || !(order[1] > 0) || !kernel ||
        order[0] * order[1] != (double)count ||
        !read_target(p, SVG_TARGET_X, order[0], &step->convolve_matrix.target_x) ||
        !read_target(p, SVG_TARGET_Y, order[1], &step->convolve_matrix.target_y))
        return false;
    for (size_t i = 0; i < count; i++)
        sum += (double)kernel[i];
    if (fabs(sum) < 1e-6) /* numbers that add up to 0 but for their rounding */
        sum = 1;
    step->convolve_matrix.columns = (uint32_t)order[0];
    step->convolve_matrix.rows = (uint32_t)order[1];
    step->convolve_matrix.kernel = kernel;
    step->convolve_matrix.divisor = (float)svg_filter_number(p->document, p->node, SVG_DIVISOR, sum);
    step->convolve_matrix.bias = (float)svg_filter_number(p->document, p->node, SVG_BIAS, 0);
    step->convolve_matrix.edge = read_edge(p, PIETRA_EFFECT_EDGE_DUPLICATE);
    step->convolve_matrix.preserves_alpha = svg_filter_says(p->document, p->node, SVG_PRESERVE_ALPHA, TEXT("true"));
    return true;
}

static bool read_morphology(const primitive *p, pietra_effect_step *step)
{
    double radius[2];
    if (!svg_filter_pair(p->document, p->node, SVG_RADIUS, radius) || radius[0] < 0 || radius[1] < 0 ||
        (radius[0] == 0 && radius[1] == 0))
        return pass_through(step);
    step->kind = PIETRA_EFFECT_MORPHOLOGY;
    step->morphology.radius_x = scaled(p, radius[0], SVG_AXIS_X);
    step->morphology.radius_y = scaled(p, radius[1], SVG_AXIS_Y);
    step->morphology.dilates = svg_filter_says(p->document, p->node, SVG_OPERATOR, TEXT("dilate"));
    return true;
}

static bool read_turbulence(const primitive *p, pietra_effect_step *step)
{
    double frequency[2] = {0, 0};
    if (!svg_filter_pair(p->document, p->node, SVG_BASE_FREQUENCY, frequency))
        frequency[0] = frequency[1] = 0;
    step->kind = PIETRA_EFFECT_TURBULENCE;
    step->turbulence.frequency_x = frequency[0];
    step->turbulence.frequency_y = frequency[1];
    step->turbulence.seed = svg_filter_number(p->document, p->node, SVG_SEED, 0);
    step->turbulence.octaves =
        (uint32_t)fmin(fmax(svg_filter_number(p->document, p->node, SVG_NUM_OCTAVES, 1), 0), INT32_MAX);
    step->turbulence.stitches = svg_filter_says(p->document, p->node, SVG_STITCH_TILES, TEXT("stitch"));
    step->turbulence.fractal_noise = svg_filter_says(p->document, p->node, SVG_TYPE, TEXT("fractalNoise"));
    return true;
}

static bool read_step(const primitive *p, pietra_effect_step *step)
{
    switch ((svg_name)p->document->nodes.items[p->node].element) {
    case SVG_FE_BLEND:
        return read_blend(p, step);
    case SVG_FE_COLOR_MATRIX:
        return read_color_matrix(p, step);
    case SVG_FE_COMPONENT_TRANSFER:
        return read_component_transfer(p, step);
    case SVG_FE_COMPOSITE:
        return read_composite(p, step);
    case SVG_FE_CONVOLVE_MATRIX:
        return read_convolve_matrix(p, step);
    case SVG_FE_DIFFUSE_LIGHTING:
    case SVG_FE_SPECULAR_LIGHTING:
        return svg_filter_read_lighting(p->build, p->node, p->light, step);
    case SVG_FE_DISPLACEMENT_MAP:
        return read_displacement_map(p, step);
    case SVG_FE_DROP_SHADOW:
        return read_drop_shadow(p, step);
    case SVG_FE_FLOOD:
        return read_flood(p, step);
    case SVG_FE_GAUSSIAN_BLUR:
        return read_gaussian_blur(p, step);
    case SVG_FE_IMAGE:
        step->kind = PIETRA_EFFECT_IMAGE;
        return true;
    case SVG_FE_MERGE:
        return read_merge(p, step);
    case SVG_FE_MORPHOLOGY:
        return read_morphology(p, step);
    case SVG_FE_OFFSET:
        return read_offset(p, step);
    case SVG_FE_TILE:
        step->kind = PIETRA_EFFECT_TILE;
        return true;
    default:
        return read_turbulence(p, step);
    }
}

/* ---- Subregions ---- */

static bool has_input(pietra_effect_kind kind)
{
    return kind != PIETRA_EFFECT_FLOOD && kind != PIETRA_EFFECT_TURBULENCE && kind != PIETRA_EFFECT_IMAGE &&
           kind != PIETRA_EFFECT_TILE;
}

static bool has_two_inputs(pietra_effect_kind kind)
{
    return kind == PIETRA_EFFECT_BLEND || kind == PIETRA_EFFECT_COMPOSITE || kind == PIETRA_EFFECT_DISPLACEMENT_MAP;
}

static svg_rectangle region_of(const svg_filter_build *build, pietra_effect_input input)
{
    if (input == PIETRA_EFFECT_PREVIOUS && build->steps.count)
        return *array_last(&build->regions);
    return input < PIETRA_EFFECT_RESULT(0) ? build->region : build->regions.items[input - PIETRA_EFFECT_RESULT(0)];
}

static svg_rectangle unite(svg_rectangle a, svg_rectangle b)
{
    if (!(a.width > 0) || !(a.height > 0))
        return b;
    if (!(b.width > 0) || !(b.height > 0))
        return a;
    const double x = fmin(a.x, b.x), y = fmin(a.y, b.y);
    return (svg_rectangle){x, y, fmax(a.x + a.width, b.x + b.width) - x, fmax(a.y + a.height, b.y + b.height) - y};
}

/* Returns the subregion of a primitive that does not say one: what its inputs cover together (Filter Effects 1, 9.2).
 * A tile covers the whole region. */
static svg_rectangle whole_of(const svg_filter_build *build, const pietra_effect_step *step)
{
    if (!has_input(step->kind))
        return build->region;
    if (step->kind != PIETRA_EFFECT_MERGE) {
        const svg_rectangle first = region_of(build, step->in);
        return has_two_inputs(step->kind) ? unite(first, region_of(build, step->in2)) : first;
    }
    svg_rectangle all = {0, 0, 0, 0};
    for (size_t i = 0; i < step->merge.input_count; i++)
        all = unite(all, region_of(build, step->merge.inputs[i]));
    return step->merge.input_count ? all : build->region;
}

static bool same(const svg_rectangle *a, const svg_rectangle *b)
{
    return a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height;
}

static bool push_step(svg_filter_build *build, uint32_t node, const pietra_effect_step *step,
                      const svg_rectangle *subregion)
{
    if (!array_reserve(&build->steps, 1) || !array_reserve(&build->regions, 1))
        return false;
    pietra_effect_step *pushed = array_push(&build->steps);
    *pushed = *step;
    *array_push(&build->regions) = *subregion;
    if (!same(subregion, &build->region))
        pushed->region =
            (pietra_box){subregion->x, subregion->y, subregion->x + subregion->width, subregion->y + subregion->height};
    return svg_filter_name_result(build, node);
}

pietra_result svg_filter_add_primitive(svg_filter_build *build, uint32_t node)
{
    svg_walk *walk = build->walk;
    pietra_result result = svg_walk_spend(walk, node, SVG_STEP_primitive, 1);
    const svg_style_in_place *placed = result == PIETRA_OK ? svg_walk_style_in_place(walk, node) : NULL;
    if (!placed)
        return result == PIETRA_OK ? PIETRA_ERROR_MEMORY : result;
    const svg_noninherited *style = &placed->noninherited;
    primitive p = {.build = build, .document = walk->document, .node = node};
    p.flood = svg_style_color(style->flood_color.form, style->flood_color.color, &placed->inherited);
    p.flood.a = (float)((double)p.flood.a * style->flood_opacity);
    p.light = svg_style_color(style->lighting_color.form, style->lighting_color.color, &placed->inherited);
    pietra_effect_step step = {
        .linear_rgb = placed->inherited.color_interpolation_filters == SVG_INTERPOLATE_LINEAR,
        .in = svg_filter_find_input(build, node, SVG_IN),
        .in2 = svg_filter_find_input(build, node, SVG_IN2),
    };
    const pietra_effect_step nothing = {.kind = PIETRA_EFFECT_FLOOD};
    svg_rectangle subregion;
    const bool some = read_step(&p, &step);
    const svg_rectangle whole = whole_of(build, &step);
    if (!svg_filter_find_subregion(build, node, &whole, &subregion)) {
        subregion.width = subregion.height = 0;
        step = nothing;
        return push_step(build, node, &nothing, &build->region) ? PIETRA_OK : PIETRA_ERROR_MEMORY;
    }
    if (!some)
        step = nothing;
    if (step.kind == PIETRA_EFFECT_IMAGE)
        result = svg_filter_make_image(build, node, &subregion, &step);
    if (result == PIETRA_OK && !push_step(build, node, &step, &subregion))
        result = PIETRA_ERROR_MEMORY;
    return result;
}
