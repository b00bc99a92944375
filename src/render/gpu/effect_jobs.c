/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/effect_jobs.h"

#include <stdlib.h>
#include <string.h>

#include "render/effect/cost.h"
#include "render/effect/wrapped_blur.h"

#define TEXEL_BYTES (4 * sizeof(uint16_t))
#define WORDS_OF(value) ((sizeof(value) + sizeof(uint32_t) - 1) / sizeof(uint32_t))

static const work_image nothing = {.box = {0, 0, 0, 0}};

void effect_jobs_free(effect_jobs *jobs)
{
    array_free(&jobs->jobs);
    array_free(&jobs->words);
    array_free(&jobs->blocks);
    effect_calls_free(&jobs->calls);
}

void effect_jobs_begin(effect_jobs *jobs, uint64_t base)
{
    jobs->base = jobs->end = base;
    jobs->step = 0;
    jobs->blocks.count = 0;
}

uint64_t effect_jobs_bytes(const effect_jobs *jobs)
{
    return TEXEL_BYTES * jobs->end + sizeof(effect_job) * jobs->jobs.count + sizeof(uint32_t) * jobs->words.count;
}

/* ---- Images ---- */

static uint32_t width_of(effect_box box)
{
    return effect_box_is_empty(box) ? 0 : (uint32_t)(box.right - box.left);
}

static uint32_t height_of(effect_box box)
{
    return effect_box_is_empty(box) ? 0 : (uint32_t)(box.bottom - box.top);
}

/* Takes the first place that is wide enough. */
static bool take_block(effect_jobs *jobs, uint64_t count, uint64_t *first)
{
    size_t at = 0;
    uint64_t from = jobs->base;
    while (at < jobs->blocks.count && jobs->blocks.items[at].first - from < count) {
        from = jobs->blocks.items[at].first + jobs->blocks.items[at].count;
        at++;
    }
    if (!array_reserve(&jobs->blocks, 1))
        return false;
    memmove(jobs->blocks.items + at + 1, jobs->blocks.items + at,
            (jobs->blocks.count - at) * sizeof *jobs->blocks.items);
    jobs->blocks.items[at] = (work_block){from, count};
    jobs->blocks.count++;
    jobs->end = from + count > jobs->end ? from + count : jobs->end;
    jobs->largest = count > jobs->largest ? count : jobs->largest;
    *first = from;
    return true;
}

static bool make_image(effect_jobs *jobs, effect_box box, bool has_sums, work_image *image)
{
    const uint32_t stride = (has_sums ? 2 : 1) * width_of(box);
    *image = nothing;
    if (stride == 0 || effect_box_is_empty(box))
        return true;
    *image = (work_image){.stride = stride, .has_sums = has_sums, .box = box};
    return take_block(jobs, (uint64_t)stride * height_of(box), &image->first);
}

bool effect_jobs_make_image(effect_jobs *jobs, effect_box box, work_image *image)
{
    return make_image(jobs, box, false, image);
}

void effect_jobs_free_image(effect_jobs *jobs, const work_image *image)
{
    size_t low = 0, end = jobs->blocks.count;
    if (effect_box_is_empty(image->box))
        return;
    while (end - low > 1) {
        const size_t middle = low + (end - low) / 2;
        *(jobs->blocks.items[middle].first <= image->first ? &low : &end) = middle;
    }
    jobs->blocks.count--;
    memmove(jobs->blocks.items + low, jobs->blocks.items + low + 1,
            (jobs->blocks.count - low) * sizeof *jobs->blocks.items);
}

/* ---- Jobs ---- */

static bool put_words(effect_jobs *jobs, const void *words, size_t count)
{
    uint32_t *put = count > 0 ? array_push_many(&jobs->words, count) : NULL;
    if (put)
        memcpy(put, words, count * sizeof *put);
    return put || count == 0;
}

/* What a workgroup makes, and how many texels one of these reads. */
typedef struct job_shape {
    uint32_t columns, rows;
    uint64_t taps;
} job_shape;

static const job_shape tiles = {EFFECT_TILE_COLUMNS, EFFECT_TILE_ROWS, 1};

/* Adds a job whose words begin at `words`. One that makes nothing is left out. */
static bool add_job(effect_jobs *jobs, effect_stem stem, uint32_t operation, job_shape shape, uint32_t words,
                    const work_image *input1, const work_image *input2, const work_image *result)
{
    const uint32_t width = width_of(result->box), height = height_of(result->box);
    if (width == 0 || height == 0)
        return true;
    work_job *job = array_push(&jobs->jobs);
    if (!job)
        return false;
    const uint32_t across = (width + shape.columns - 1) / shape.columns;
    *job = (work_job){.stem = stem,
                      .operation = operation,
                      .step = jobs->step++,
                      .groups = across * ((height + shape.rows - 1) / shape.rows),
                      .result = *result,
                      .input1 = *input1,
                      .input2 = *input2,
                      .texels_read = shape.taps * width * height};
    job->job = (effect_job){.groups_across = across, .words = words};
    return true;
}

/* Adds a job of 11_point. */
static bool add_point(effect_jobs *jobs, uint32_t operation, const void *words, size_t count, const work_image *input1,
                      const work_image *input2, const work_image *result)
{
    const uint32_t first = (uint32_t)jobs->words.count;
    return put_words(jobs, words, count) &&
           add_job(jobs, EFFECT_STEM_POINT, operation, tiles, first, input1, input2, result);
}

bool effect_jobs_add_carry(effect_jobs *jobs, const work_image *in, const work_image *out)
{
    return add_point(jobs, EFFECT_JOB_CARRY, NULL, 0, in, &nothing, out);
}

static bool add_flood(effect_jobs *jobs, const effect_texel *color, const work_image *out)
{
    return add_point(jobs, EFFECT_JOB_FLOOD, color, WORDS_OF(*color), &nothing, &nothing, out);
}

static bool add_store(effect_jobs *jobs, uint32_t linear, const work_image *in, const work_image *out)
{
    return add_point(jobs, EFFECT_JOB_STORE, &linear, 1, in, &nothing, out);
}

static bool add_clear(effect_jobs *jobs, const work_image *out)
{
    return add_flood(jobs, &(effect_texel){0, 0, 0, 0}, out);
}

static bool add_offset(effect_jobs *jobs, const effect_offset *offset, const work_image *in, const work_image *out)
{
    return add_point(jobs, EFFECT_JOB_OFFSET, offset, WORDS_OF(*offset), in, &nothing, out);
}

static bool add_copy(effect_jobs *jobs, const work_image *in, const work_image *out)
{
    return add_offset(jobs, &(effect_offset){0}, in, out);
}

static bool add_tile(effect_jobs *jobs, const effect_box *tile, const work_image *in, const work_image *out)
{
    return add_point(jobs, EFFECT_JOB_TILE, tile, WORDS_OF(*tile), in, &nothing, out);
}

/* `count` words of values follow the functions. */
static bool add_transfer(effect_jobs *jobs, const effect_transfer *transfer, const uint32_t *values, size_t count,
                         const work_image *in, const work_image *out)
{
    const uint32_t first = (uint32_t)jobs->words.count;
    return put_words(jobs, transfer, WORDS_OF(*transfer)) && put_words(jobs, values, count) &&
           add_job(jobs, EFFECT_STEM_POINT, EFFECT_JOB_TRANSFER, tiles, first, in, &nothing, out);
}

/* ---- Blurs ---- */

/* What lies outside the input of a band. */
typedef struct band_edge {
    uint32_t edge; /* EFFECT_EDGE_*, of */
    effect_box box;
} band_edge;

static uint32_t mask_of(const work_image *in)
{
    return in->content == EFFECT_CONTENT_ALPHA ? 0xff000000u : 0xffffffffu;
}

/* Returns what 11_band does to a band. */
static uint32_t operation_of_band(const work_image *in, const work_image *out)
{
    const bool reads = in->content != EFFECT_CONTENT_TEXELS, writes = out->content != EFFECT_CONTENT_TEXELS;
    return reads    ? writes ? EFFECT_JOB_BAND_OF_PIXELS_STORED : EFFECT_JOB_BAND_OF_PIXELS
           : writes ? EFFECT_JOB_BAND_STORED
                    : EFFECT_JOB_BAND;
}

static bool add_band(effect_jobs *jobs, const effect_band *band, const int16_t *weights, band_edge edge,
                     const work_image *in, const work_image *out)
{
    effect_band_job parameters = {.band = *band,
                                  .outputs = band->multiply > 1 ? EFFECT_BAND_OUTPUTS_WIDE : EFFECT_BAND_OUTPUTS,
                                  .pixel_mask = mask_of(in),
                                  .edge = edge.edge,
                                  .box = edge.box};
    const job_shape shape = {.columns = band->vertical ? EFFECT_LINES : parameters.outputs,
                             .rows = band->vertical ? parameters.outputs : EFFECT_LINES,
                             .taps = band->taps};
    const size_t count = band->taps * (band->phase_mask + 1);
    const uint32_t first = (uint32_t)jobs->words.count;
    int32_t wide[EFFECT_BAND_TAPS_MOST];
    for (size_t i = 0; i < count; i++)
        wide[i] = weights[band->first + i];
    parameters.band.first = 0;
    return put_words(jobs, &parameters, WORDS_OF(parameters)) && put_words(jobs, wide, count) &&
           add_job(jobs, EFFECT_STEM_BAND, operation_of_band(in, out), shape, first, in, &nothing, out);
}

/* Returns whether a job makes two bands at once: they halve or double along both axes. */
static bool make_a_level(const effect_bands *bands, uint32_t index)
{
    const effect_band *rows = &bands->bands[index], *columns = rows + 1;
    return index + 1 < bands->count && effect_band_changes_level(rows) && effect_band_changes_level(columns) &&
           !rows->vertical && columns->vertical && rows->multiply == columns->multiply;
}

/* Returns what 11_band does to make a level. */
static uint32_t operation_of_level(bool halves, const work_image *in, const work_image *out)
{
    if (halves)
        return in->content != EFFECT_CONTENT_TEXELS ? EFFECT_JOB_HALVE_PIXELS : EFFECT_JOB_HALVE;
    return out->content != EFFECT_CONTENT_TEXELS ? EFFECT_JOB_DOUBLE_STORED : EFFECT_JOB_DOUBLE;
}

static bool add_level(effect_jobs *jobs, const effect_band *bands, band_edge edge, band_edge between,
                      const work_image *in, const work_image *out)
{
    const effect_level_job parameters = {.pixel_mask = mask_of(in),
                                         .edge = edge.edge,
                                         .box = edge.box,
                                         .edge_between = between.edge,
                                         .box_between = between.box};
    const bool halves = bands[0].multiply > 1;
    const job_shape shape = {EFFECT_LEVEL_COLUMNS, halves ? EFFECT_HALVED_ROWS : EFFECT_DOUBLED_ROWS,
                             bands[0].taps + bands[1].taps};
    const uint32_t first = (uint32_t)jobs->words.count;
    return put_words(jobs, &parameters, WORDS_OF(parameters)) &&
           add_job(jobs, EFFECT_STEM_BAND, operation_of_level(halves, in, out), shape, first, in, &nothing, out);
}

/* Adds a job for each band, or for two. The first one reads `in` beyond `edge`; the edges of later images repeat if
 * `repeats`. */
static bool add_bands(effect_jobs *jobs, const effect_bands *bands, const effect_box *boxes, band_edge edge,
                      bool repeats, const work_image *in, const work_image *out)
{
    const uint32_t edge_of_images = repeats ? EFFECT_EDGE_DUPLICATE : EFFECT_EDGE_NONE;
    work_image from = *in, to;
    for (uint32_t i = 0, next; i < bands->count; i = next) {
        next = i + (!jobs->parts_bands && make_a_level(bands, i) ? 2 : 1);
        to = *out;
        if (next < bands->count && !effect_jobs_make_image(jobs, boxes[next - 1], &to))
            return false;
        const band_edge between = {edge_of_images, boxes[i]};
        if (!(next == i + 1 ? add_band(jobs, &bands->bands[i], bands->weights, edge, &from, &to)
                            : add_level(jobs, &bands->bands[i], edge, between, &from, &to)))
            return false;
        if (i > 0)
            effect_jobs_free_image(jobs, &from);
        from = to;
        edge = (band_edge){edge_of_images, to.box};
    }
    return true;
}

/* Blurs along one axis an image that repeats a region. */
static bool add_wrapped_axis(effect_jobs *jobs, const effect_blur *blur, effect_box region, const work_image *in,
                             const work_image *out)
{
    effect_bands bands;
    effect_box boxes[EFFECT_BANDS_MOST];
    effect_bands_of(blur, &bands);
    if (bands.count == 0)
        return add_tile(jobs, &region, in, out);
    effect_band_boxes(&bands, EFFECT_EDGE_NONE, effect_demand_of_blur(blur, region, out->box), out->box, boxes);
    return add_bands(jobs, &bands, boxes, (band_edge){EFFECT_EDGE_WRAP, region}, false, in, out);
}

static bool add_wrapped_blur(effect_jobs *jobs, const effect_blur *blur, effect_box region, const work_image *in,
                             const work_image *out)
{
    const effect_blur along_x = effect_wrapped_axis(&blur->x, false, region.right - region.left);
    const effect_blur along_y = effect_wrapped_axis(&blur->y, true, region.bottom - region.top);
    work_image rows;
    bool done =
        effect_jobs_make_image(jobs, (effect_box){out->box.left, region.top, out->box.right, region.bottom}, &rows) &&
        add_wrapped_axis(jobs, &along_x, region, in, &rows) && add_wrapped_axis(jobs, &along_y, rows.box, &rows, out);
    if (done)
        effect_jobs_free_image(jobs, &rows);
    return done;
}

static bool add_blur(effect_jobs *jobs, const effect_blur *blur, effect_box region, const work_image *in,
                     const work_image *out)
{
    const bool repeats = blur->edge == EFFECT_EDGE_DUPLICATE;
    effect_bands bands;
    effect_box boxes[EFFECT_BANDS_MOST];
    if (effect_box_is_empty(out->box))
        return true;
    if (blur->edge == EFFECT_EDGE_WRAP)
        return add_wrapped_blur(jobs, blur, region, in, out);
    effect_bands_of(blur, &bands);
    if (bands.count == 0)
        return add_copy(jobs, in, out);
    const effect_box edge = repeats ? region : in->box;
    effect_band_boxes(&bands, blur->edge, edge, out->box, boxes);
    return add_bands(jobs, &bands, boxes, (band_edge){blur->edge, edge}, repeats, in, out);
}

/* ---- Convolutions ---- */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Sets the pieces of a kernel, for which a workgroup has room. */
static void set_pieces(effect_matrix_job *parameters)
{
    const uint32_t columns = (uint32_t)parameters->convolution.columns, rows = (uint32_t)parameters->convolution.rows;
    parameters->piece_columns = least(columns, EFFECT_PIECE_COLUMNS);
    parameters->piece_rows = 1;
    if (columns <= EFFECT_PIECE_COLUMNS) {
        const uint32_t staged = EFFECT_MATRIX_STAGED / (EFFECT_MATRIX_COLUMNS + columns - 1) - EFFECT_MATRIX_ROWS + 1;
        parameters->piece_rows = least(rows, least(staged, EFFECT_PIECE_TAPS_MOST / columns));
    }
    parameters->piece_count = (columns + parameters->piece_columns - 1) / parameters->piece_columns *
                              ((rows + parameters->piece_rows - 1) / parameters->piece_rows);
}

static bool add_pieces(effect_jobs *jobs, const effect_matrix_job *parameters, const work_image *in,
                       const work_image *sums, const work_image *out)
{
    const job_shape shape = {EFFECT_MATRIX_COLUMNS, EFFECT_MATRIX_ROWS,
                             (uint64_t)(parameters->end_piece - parameters->first_piece) * parameters->piece_columns *
                                 parameters->piece_rows};
    const uint32_t first = (uint32_t)jobs->words.count;
    return put_words(jobs, parameters, WORDS_OF(*parameters)) &&
           add_job(jobs, EFFECT_STEM_MATRIX, 0, shape, first, in, sums, out);
}

/* A large kernel takes several jobs, and sums wait from one to the next. */
static bool add_convolution(effect_jobs *jobs, const effect_convolution *convolution, const float *kernel,
                            effect_box region, const work_image *in, const work_image *out)
{
    effect_matrix_job parameters = {
        .convolution = *convolution, .region = region, .kernel = (uint32_t)jobs->words.count};
    work_image sums = nothing;
    set_pieces(&parameters);
    const bool is_large = parameters.piece_count > EFFECT_PIECES_MOST;
    bool done = put_words(jobs, kernel, (size_t)convolution->columns * (size_t)convolution->rows) &&
                (!is_large || make_image(jobs, out->box, true, &sums));
    for (uint32_t i = 0; done && i < parameters.piece_count; i = parameters.end_piece) {
        parameters.first_piece = i;
        parameters.end_piece = least(parameters.piece_count, i + EFFECT_PIECES_MOST);
        done = add_pieces(jobs, &parameters, in, i > 0 ? &sums : &nothing,
                          parameters.end_piece < parameters.piece_count ? &sums : out);
    }
    if (done)
        effect_jobs_free_image(jobs, &sums);
    return done;
}

/* ---- Extremes ---- */

/* A range along the axis of windows. */
typedef struct axis_range {
    int from, end;
} axis_range;

static axis_range range_of(effect_box box, bool vertical)
{
    return vertical ? (axis_range){box.top, box.bottom} : (axis_range){box.left, box.right};
}

static effect_box with_range(effect_box box, bool vertical, axis_range range)
{
    *(vertical ? &box.top : &box.left) = range.from;
    *(vertical ? &box.bottom : &box.right) = range.end;
    return box;
}

static bool add_window(effect_jobs *jobs, effect_window window, const work_image *in, const work_image *out)
{
    const job_shape shape = {window.vertical ? EFFECT_LINES : EFFECT_WINDOW_OUTPUTS,
                             window.vertical ? EFFECT_WINDOW_OUTPUTS : EFFECT_LINES, 8};
    const uint32_t first = (uint32_t)jobs->words.count;
    return put_words(jobs, &window, WORDS_OF(window)) &&
           add_job(jobs, EFFECT_STEM_EXTREME, EFFECT_JOB_WINDOW, shape, first, in, &nothing, out);
}

static bool add_pair(effect_jobs *jobs, effect_pair pair, const work_image *in, const work_image *out)
{
    const uint32_t first = (uint32_t)jobs->words.count;
    return put_words(jobs, &pair, WORDS_OF(pair)) &&
           add_job(jobs, EFFECT_STEM_EXTREME, EFFECT_JOB_PAIR, tiles, first, in, &nothing, out);
}

/* Makes the image of windows of `length` texels that begin where a texel lies: those that are needed, and that meet the
 * input; the others are transparent. */
static bool make_windows(effect_jobs *jobs, bool vertical, int radius, int length, const work_image *in,
                         const work_image *out, work_image *image)
{
    const axis_range input = range_of(in->box, vertical), result = range_of(out->box, vertical);
    axis_range range = {result.from - radius, result.end + radius + 1 - length};
    range.from = range.from < input.from - length + 1 ? input.from - length + 1 : range.from;
    range.end = range.end > input.end ? input.end : range.end;
    return effect_jobs_make_image(jobs, with_range(out->box, vertical, range), image);
}

/* The extreme along one axis. Windows are doubled, the first ones within a workgroup, until two of them cover one that
 * is as long as it is to be. */
static bool add_extreme_along(effect_jobs *jobs, bool vertical, uint32_t dilates, int radius, const work_image *in,
                              const work_image *out)
{
    const int length = 2 * radius + 1;
    int have = EFFECT_WINDOW_MOST;
    work_image from, to;
    if (length <= have)
        return add_window(jobs, (effect_window){vertical, dilates, -radius, (uint32_t)length}, in, out);
    if (!make_windows(jobs, vertical, radius, have, in, out, &from) ||
        !add_window(jobs, (effect_window){vertical, dilates, 0, EFFECT_WINDOW_MOST}, in, &from))
        return false;
    for (; 2 * have < length; have *= 2, from = to) {
        if (!make_windows(jobs, vertical, radius, 2 * have, in, out, &to) ||
            !add_pair(jobs, (effect_pair){vertical, dilates, 0, have}, &from, &to))
            return false;
        effect_jobs_free_image(jobs, &from);
    }
    bool done = add_pair(jobs, (effect_pair){vertical, dilates, -radius, radius + 1 - have}, &from, out);
    effect_jobs_free_image(jobs, &from);
    return done;
}

/* Returns a radius held to where windows reach beyond all that there is. */
static int held_radius(int radius, axis_range a, axis_range b)
{
    const int from = a.from < b.from ? a.from : b.from, end = a.end > b.end ? a.end : b.end;
    return radius < end - from + 1 ? radius : end - from + 1;
}

static bool add_extreme(effect_jobs *jobs, const effect_extreme *extreme, const work_image *in, const work_image *out)
{
    if (effect_box_is_empty(out->box))
        return true;
    if (effect_box_is_empty(in->box))
        return add_clear(jobs, out);
    const int radius_x = held_radius(extreme->radius_x, range_of(in->box, false), range_of(out->box, false));
    const int radius_y = held_radius(extreme->radius_y, range_of(in->box, true), range_of(out->box, true));
    work_image rows;
    if (radius_y == 0)
        return add_extreme_along(jobs, false, extreme->dilates, radius_x, in, out);
    if (radius_x == 0)
        return add_extreme_along(jobs, true, extreme->dilates, radius_y, in, out);
    if (!effect_jobs_make_image(jobs, with_range(out->box, true, range_of(in->box, true)), &rows) ||
        !add_extreme_along(jobs, false, extreme->dilates, radius_x, in, &rows) ||
        !add_extreme_along(jobs, true, extreme->dilates, radius_y, &rows, out))
        return false;
    effect_jobs_free_image(jobs, &rows);
    return true;
}

/* ---- Light and noise ---- */

static bool add_light(effect_jobs *jobs, const effect_light *light, effect_box region, const work_image *in,
                      const work_image *out)
{
    const job_shape shape = {EFFECT_TILE_COLUMNS, EFFECT_TILE_ROWS, 9};
    const uint32_t first = (uint32_t)jobs->words.count;
    return put_words(jobs, light, WORDS_OF(*light)) && put_words(jobs, &region, WORDS_OF(region)) &&
           add_job(jobs, EFFECT_STEM_LIGHT, 0, shape, first, in, &nothing, out);
}

bool effect_jobs_add_noise(effect_jobs *jobs, const effect_noise *noise, const uint *words, const work_image *out)
{
    const job_shape shape = {EFFECT_TILE_COLUMNS, EFFECT_TILE_ROWS, 16 * (uint64_t)noise->octaves};
    const uint32_t first = (uint32_t)jobs->words.count;
    return put_words(jobs, noise, WORDS_OF(*noise)) && put_words(jobs, words, EFFECT_NOISE_WORDS) &&
           add_job(jobs, EFFECT_STEM_NOISE, 0, shape, first, &nothing, &nothing, out);
}

static bool add_noise(effect_jobs *jobs, const effect_graph *graph, const effect_node *node, const work_image *out)
{
    uint words[EFFECT_NOISE_WORDS] = {0};
    effect_noise noise = {.octaves = 0};
    if (jobs->measures || effect_graph_noise(graph, node, &noise, words) == EFFECT_RUNS)
        return effect_jobs_add_noise(jobs, &noise, words, out);
    return add_clear(jobs, out);
}

/* ---- Calls ---- */

static bool add_step(effect_jobs *jobs, const effect_graph *graph, const effect_call *call, const work_image *in,
                     const work_image *in2, const work_image *out)
{
    const effect_node *node = call->node;
    const effect_parameters *parameters = &node->parameters;
    switch (node->step->kind) {
    case EFFECT_STEP_FLOOD:
        return add_flood(jobs, &parameters->flood, out);
    case EFFECT_STEP_OFFSET:
        return add_offset(jobs, &parameters->offset, in, out);
    case EFFECT_STEP_COMPOSITE:
        return add_point(jobs, EFFECT_JOB_COMPOSITE, &parameters->composite, WORDS_OF(parameters->composite), in, in2,
                         out);
    case EFFECT_STEP_BLEND:
        return add_point(jobs, EFFECT_JOB_BLEND, &parameters->mode, 1, in, in2, out);
    case EFFECT_STEP_COLOR_MATRIX:
        return add_point(jobs, EFFECT_JOB_MATRIX, &parameters->matrix, WORDS_OF(parameters->matrix), in, &nothing, out);
    case EFFECT_STEP_COMPONENT_TRANSFER:
        return add_transfer(jobs, &parameters->transfer, node->values, node->step->value_count, in, out);
    case EFFECT_STEP_TILE:
        return add_tile(jobs, &parameters->tile, in, out);
    case EFFECT_STEP_DISPLACEMENT_MAP:
        return add_point(jobs, EFFECT_JOB_DISPLACE, &parameters->displacement, WORDS_OF(parameters->displacement), in,
                         in2, out);
    case EFFECT_STEP_CONVOLVE_MATRIX:
        return add_convolution(jobs, &parameters->convolve.convolution,
                               graph->numbers.items + parameters->convolve.first_number, call->region, in, out);
    case EFFECT_STEP_MORPHOLOGY:
        return add_extreme(jobs, &parameters->extreme, in, out);
    case EFFECT_STEP_DIFFUSE_LIGHTING:
    case EFFECT_STEP_SPECULAR_LIGHTING:
        return add_light(jobs, &parameters->light, call->region, in, out);
    default:
        return add_noise(jobs, graph, node, out);
    }
}

bool effect_jobs_add_call(effect_jobs *jobs, const effect_graph *graph, const effect_call *call, const work_image *in,
                          const work_image *in2, const work_image *out)
{
    const uint32_t load = call->kind == EFFECT_CALL_LOAD_ALPHA ? EFFECT_LOAD_ALPHA
                          : call->linear                       ? EFFECT_LOAD_LINEAR
                                                               : EFFECT_LOAD_SRGB;
    switch (call->kind) {
    case EFFECT_CALL_LOAD:
    case EFFECT_CALL_LOAD_ALPHA:
        return add_point(jobs, EFFECT_JOB_LOAD, &load, 1, in, &nothing, out);
    case EFFECT_CALL_STORE:
        return add_store(jobs, 0, in, out);
    case EFFECT_CALL_TO_LINEAR:
        return add_point(jobs, EFFECT_JOB_TO_LINEAR, NULL, 0, in, &nothing, out);
    case EFFECT_CALL_TO_SRGB:
        return out->content == EFFECT_CONTENT_RESULT ? add_store(jobs, 1, in, out)
                                                     : add_point(jobs, EFFECT_JOB_TO_SRGB, NULL, 0, in, &nothing, out);
    case EFFECT_CALL_CLEAR:
        return add_clear(jobs, out);
    case EFFECT_CALL_COPY:
        return add_copy(jobs, in, out);
    case EFFECT_CALL_MERGE:
        return add_point(jobs, EFFECT_JOB_MERGE, NULL, 0, in, in2, out);
    case EFFECT_CALL_BLUR:
        return add_blur(jobs, call->blur, call->region, in, out);
    case EFFECT_CALL_SHADOW:
        return add_point(jobs, EFFECT_JOB_SHADOW, &call->node->parameters.shadow.shadow,
                         WORDS_OF(call->node->parameters.shadow.shadow), in, in2, out);
    default:
        return add_step(jobs, graph, call, in, in2, out);
    }
}

/* ---- Measuring ---- */

bool effect_jobs_measure(const effect_graph *graph, effect_needs *needs)
{
    effect_jobs jobs = {.measures = true};
    work_image *sources = calloc(graph->sources.count, sizeof *sources);
    bool done = sources;
    for (size_t i = 0; done && i < graph->sources.count; i++)
        sources[i].box = graph->sources.items[i].out;
    const work_image result = {.box = graph->nodes.count > 0 ? array_last(&graph->nodes)->out : (effect_box){0}};
    done = done && effect_jobs_add_graph(&jobs, graph, sources, &result);
    if (done)
        *needs = (effect_needs){.bytes = effect_jobs_bytes(&jobs),
                                .image_bytes = TEXEL_BYTES * jobs.largest,
                                .cost = effect_cost(graph, &jobs.calls)};
    effect_jobs_free(&jobs);
    free(sources);
    return done;
}
