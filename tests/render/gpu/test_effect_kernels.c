/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of stage 11 write the reference's bytes: each function with all kinds of parameters, images that are
 * parts of larger ones, several jobs a dispatch, and kernels that see little at once. */
#include "all_sizes.h"
#include "render/effect/effect_cases.h"

#include "render/effect/prepare.h"
#include "render/gpu/effects.h"
#include "render/reference/effect_reference.h"
#include "vulkan/context.h"
#include "vulkan/gpu_fixture.h"

#define COPIES 3u /* of a call, side by side */
#define TEXEL_BYTES (4 * sizeof(uint16_t))
#define NOT_WRITTEN 0x5a

static struct {
    gpu_fixture fixture;
    gpu_recorder *recorder;
    gpu_effects effects;
    gpu_buffer texels, pixels; /* on the host */
    gpu_buffer atlas, results;
    bool sees_little; /* no more than the largest image */
    uint32_t dispatches, most_jobs;
} gpu;

static void check(pietra_result result, const pietra_error *error)
{
    if (result != PIETRA_OK)
        fail_msg("%s", error->message);
}

static void ensure(uint64_t bytes, gpu_memory_kind kind, gpu_buffer *buffer)
{
    pietra_error error = {0};
    check(gpu_buffer_ensure(gpu.fixture.device, bytes, kind, &error, buffer), &error);
}

static void copy(const gpu_buffer *from, const gpu_buffer *to, uint64_t bytes)
{
    pietra_error error = {0};
    check(gpu_recorder_begin(gpu.recorder, &error), &error);
    gpu_copy(gpu.recorder, (gpu_range){.buffer = from, .bytes = bytes}, (gpu_range){.buffer = to});
    check(gpu_recorder_submit(gpu.recorder, &error), &error);
    check(gpu_recorder_wait(gpu.recorder, &error), &error);
}

/* ---- Images in the buffer of work ---- */

/* One copy of a call: its images lie within larger ones. */
typedef struct placed_call {
    work_image in, in2, out;
} placed_call;

static work_image place(const effect_image *image, int margin)
{
    work_image around;
    if (!image || effect_box_is_empty(image->box))
        return (work_image){.box = {0, 0, 0, 0}};
    assert_true(effect_jobs_make_image(&gpu.effects.jobs, effect_box_grow(image->box, margin, 2 * margin), &around));
    around.first += (uint64_t)(2 * margin) * around.stride + (uint64_t)margin;
    around.box = image->box;
    return around;
}

static uint16_t *host_row(const work_image *image, int y)
{
    return (uint16_t *)gpu.texels.mapped + 4 * (image->first + (uint64_t)(y - image->box.top) * image->stride);
}

static void write_image(const effect_image *image, const work_image *to)
{
    for (int y = to->box.top; y < to->box.bottom; y++)
        memcpy(host_row(to, y), at(image, to->box.left, y), box_width(to->box) * TEXEL_BYTES);
}

static void read_image(const work_image *from, const effect_image *image)
{
    for (int y = from->box.top; y < from->box.bottom; y++)
        memcpy(at(image, from->box.left, y), host_row(from, y), box_width(from->box) * TEXEL_BYTES);
}

static void expect_image(const work_image *found, const effect_image *expected)
{
    for (int y = found->box.top; y < found->box.bottom; y++)
        assert_memory_equal(host_row(found, y), at(expected, found->box.left, y), box_width(found->box) * TEXEL_BYTES);
}

/* What lies around a result stays as it was. */
static void expect_margin(const work_image *image)
{
    const uint16_t *row = host_row(image, image->box.top) - 4;
    for (int i = 0; image->stride > box_width(image->box) && i < 4; i++)
        assert_int_equal(row[i], NOT_WRITTEN << 8 | NOT_WRITTEN);
}

/* ---- Calls ---- */

static bool add_call(const effect_graph *graph, const effect_call *call, const effect_noise *noise, const uint *words,
                     const placed_call *placed)
{
    if (noise)
        return effect_jobs_add_noise(&gpu.effects.jobs, noise, words, &placed->out);
    return effect_jobs_add_call(&gpu.effects.jobs, graph, call, &placed->in, &placed->in2, &placed->out);
}

static void run_jobs(void)
{
    const gpu_effect_places places = {.atlas = {.buffer = &gpu.atlas, .bytes = gpu.atlas.bytes},
                                      .results = {.buffer = &gpu.results, .bytes = gpu.results.bytes}};
    gpu_limits *limits = &gpu.fixture.device->limits;
    const uint64_t before = limits->max_binding_bytes, lists = sizeof(effect_job) * gpu.effects.jobs.jobs.count +
                                                               sizeof(uint32_t) * gpu.effects.jobs.words.count + 512;
    const uint64_t image = TEXEL_BYTES * gpu.effects.jobs.largest + EFFECT_ALIGNMENT;
    pietra_stats stats = {.parts = 0};
    pietra_error error = {0};
    if (gpu.sees_little)
        limits->max_binding_bytes = image > lists ? image : lists;
    pietra_result result = gpu_effects_run_jobs(&gpu.effects, &places, NULL, &error, &stats);
    limits->max_binding_bytes = before;
    check(result, &error);
    for (size_t i = 0; i < gpu.effects.dispatches.dispatches.count; i++) {
        const uint32_t jobs = gpu.effects.dispatches.dispatches.items[i].job_count;
        gpu.most_jobs = jobs > gpu.most_jobs ? jobs : gpu.most_jobs;
    }
    gpu.dispatches += (uint32_t)gpu.effects.dispatches.dispatches.count;
}

/* Runs a call several times side by side, from and to images in the buffer of work. */
static void run(const effect_graph *graph, const effect_call *call, const effect_noise *noise, const uint *words,
                const effect_image *in, const effect_image *in2, const effect_image *out)
{
    placed_call placed[COPIES];
    gpu.effects.jobs.largest = 0;
    for (uint32_t i = 0; i < COPIES; i++) {
        effect_jobs_begin(&gpu.effects.jobs, gpu.effects.jobs.end);
        placed[i] = (placed_call){place(in, (int)i), place(in2, (int)(2 * i)), place(out, (int)i)};
        if (in2 == out)
            placed[i].in2 = placed[i].out;
        assert_true(add_call(graph, call, noise, words, &placed[i]));
    }
    const uint64_t bytes = TEXEL_BYTES * (gpu.effects.jobs.end + 1);
    ensure(bytes, GPU_MEMORY_READBACK, &gpu.texels);
    ensure(bytes, GPU_MEMORY_DEVICE, &gpu.effects.work);
    memset(gpu.texels.mapped, NOT_WRITTEN, bytes);
    for (uint32_t i = 0; i < COPIES; i++) {
        write_image(in, &placed[i].in);
        write_image(in2, &placed[i].in2);
    }
    copy(&gpu.texels, &gpu.effects.work, bytes);
    run_jobs();
    copy(&gpu.effects.work, &gpu.texels, bytes);
    read_image(&placed[0].out, out);
    for (uint32_t i = 1; i < COPIES; i++) {
        expect_image(&placed[i].out, out);
        if (!effect_box_is_empty(placed[i].out.box))
            expect_margin(&placed[i].out);
    }
}

static void run_kind(effect_call_kind kind, const effect_image *in, const effect_image *in2, const effect_image *out)
{
    const effect_call call = {.kind = kind};
    run(NULL, &call, NULL, NULL, in, in2, out);
}

static void run_step(uint32_t kind, const effect_parameters *parameters, effect_box region, const effect_image *in,
                     const effect_image *in2, const effect_image *out)
{
    const stream_effect_step step = {.kind = kind};
    const effect_node node = {.step = &step, .parameters = *parameters};
    const effect_call call = {.kind = EFFECT_CALL_STEP, .node = &node, .region = region};
    run(NULL, &call, NULL, NULL, in, in2, out);
}

#define STEP(kind, member, value, in, in2, out) \
    run_step(kind, &(effect_parameters){.member = value}, (effect_box){0}, in, in2, out)

/* ---- Pixels ---- */

static void write_atlas(const uint32_t *pixels, size_t count)
{
    ensure((count + 7) * sizeof *pixels, GPU_MEMORY_UPLOAD, &gpu.pixels);
    ensure((count + 7) * sizeof *pixels, GPU_MEMORY_DEVICE, &gpu.atlas);
    memcpy((uint32_t *)gpu.pixels.mapped + 7, pixels, count * sizeof *pixels);
    copy(&gpu.pixels, &gpu.atlas, (count + 7) * sizeof *pixels);
}

static work_image in_atlas(const effect_image *image)
{
    write_atlas(image->pixels, image->stride * box_height(image->box));
    return (work_image){.first = 7,
                        .stride = (uint32_t)image->stride,
                        .content = image->has_alpha_alone ? EFFECT_CONTENT_ALPHA : EFFECT_CONTENT_SOURCE,
                        .box = image->box};
}

static work_image in_results(const effect_image *image)
{
    ensure((image->stride * box_height(image->box) + 100) * sizeof *image->pixels, GPU_MEMORY_READBACK, &gpu.results);
    return (work_image){
        .first = 100, .stride = (uint32_t)image->stride, .content = EFFECT_CONTENT_RESULT, .box = image->box};
}

static void read_results(const effect_image *image)
{
    for (size_t y = 0; y < box_height(image->box); y++)
        memcpy(image->pixels + y * image->stride, (uint32_t *)gpu.results.mapped + 100 + y * image->stride,
               box_width(image->box) * sizeof *image->pixels);
}

/* Runs a call that reads pixels, writes them, or both. */
static void run_on_pixels(const effect_call *call, const effect_image *in, const effect_image *out)
{
    const work_image nothing = {.box = {0, 0, 0, 0}};
    if (effect_box_is_empty(out->box))
        return;
    effect_jobs_begin(&gpu.effects.jobs, 0);
    const work_image from = in->pixels ? in_atlas(in) : place(in, 1);
    const work_image to = out->pixels ? in_results(out) : place(out, 2);
    assert_true(effect_jobs_add_call(&gpu.effects.jobs, NULL, call, &from, &nothing, &to));
    const uint64_t bytes = TEXEL_BYTES * (gpu.effects.jobs.end + 1);
    ensure(bytes, GPU_MEMORY_READBACK, &gpu.texels);
    ensure(bytes, GPU_MEMORY_DEVICE, &gpu.effects.work);
    if (!in->pixels)
        write_image(in, &from);
    copy(&gpu.texels, &gpu.effects.work, bytes);
    run_jobs();
    copy(&gpu.effects.work, &gpu.texels, bytes);
    if (out->pixels)
        read_results(out);
    else
        read_image(&to, out);
}

/* ---- Functions, as those of the other devices ---- */

static void gpu_flood(parallel_pool *pool, effect_texel color, const effect_image *out)
{
    (void)pool;
    STEP(EFFECT_STEP_FLOOD, flood, color, NULL, NULL, out);
}

static void gpu_offset(parallel_pool *pool, effect_offset offset, const effect_image *in, const effect_image *out)
{
    (void)pool;
    STEP(EFFECT_STEP_OFFSET, offset, offset, in, NULL, out);
}

static void gpu_merge(parallel_pool *pool, const effect_image *over, const effect_image *out)
{
    (void)pool;
    run_kind(EFFECT_CALL_MERGE, over, out, out);
}

static void gpu_composite(parallel_pool *pool, const effect_composite *composite, const effect_image *in,
                          const effect_image *in2, const effect_image *out)
{
    (void)pool;
    STEP(EFFECT_STEP_COMPOSITE, composite, *composite, in, in2, out);
}

static void gpu_blend(parallel_pool *pool, uint mode, const effect_image *in, const effect_image *in2,
                      const effect_image *out)
{
    (void)pool;
    STEP(EFFECT_STEP_BLEND, mode, mode, in, in2, out);
}

static void gpu_color_matrix(parallel_pool *pool, const effect_color_matrix *matrix, const effect_image *in,
                             const effect_image *out)
{
    (void)pool;
    STEP(EFFECT_STEP_COLOR_MATRIX, matrix, *matrix, in, NULL, out);
}

static void gpu_transfer(parallel_pool *pool, const effect_transfer *transfer, const float *values,
                         const effect_image *in, const effect_image *out)
{
    const stream_effect_step step = {.kind = EFFECT_STEP_COMPONENT_TRANSFER, .value_count = 5};
    uint32_t words[5];
    const effect_node node = {.step = &step, .values = words, .parameters = {.transfer = *transfer}};
    const effect_call call = {.kind = EFFECT_CALL_STEP, .node = &node};
    (void)pool;
    memcpy(words, values, sizeof words);
    run(NULL, &call, NULL, NULL, in, NULL, out);
}

static void gpu_tile(parallel_pool *pool, effect_box tile, const effect_image *in, const effect_image *out)
{
    (void)pool;
    STEP(EFFECT_STEP_TILE, tile, tile, in, NULL, out);
}

static void gpu_displace(parallel_pool *pool, const effect_displacement *displacement, const effect_image *in,
                         const effect_image *map, const effect_image *out)
{
    (void)pool;
    STEP(EFFECT_STEP_DISPLACEMENT_MAP, displacement, *displacement, in, map, out);
}

static void gpu_shadow(parallel_pool *pool, const effect_shadow *shadow, const effect_image *in,
                       const effect_image *blurred, const effect_image *out)
{
    const effect_node node = {.parameters = {.shadow = {.shadow = *shadow}}};
    const effect_call call = {.kind = EFFECT_CALL_SHADOW, .node = &node};
    (void)pool;
    run(NULL, &call, NULL, NULL, in, blurred, out);
}

/* Kernels convert from one image to another one. */
static void convert(effect_call_kind kind, const effect_image *in, const effect_image *out)
{
    effect_image made = new_image(out->box);
    run_kind(kind, in, NULL, &made);
    effect_reference()->offset(NULL, (effect_offset){0}, &made, out);
    free_image(&made);
}

static void gpu_to_linear(parallel_pool *pool, const effect_image *in, const effect_image *out)
{
    (void)pool;
    convert(EFFECT_CALL_TO_LINEAR, in, out);
}

static void gpu_to_srgb(parallel_pool *pool, const effect_image *in, const effect_image *out)
{
    const effect_call call = {.kind = EFFECT_CALL_TO_SRGB};
    (void)pool;
    if (out->pixels)
        run_on_pixels(&call, in, out);
    else
        convert(EFFECT_CALL_TO_SRGB, in, out);
}

static bool gpu_blur(parallel_pool *pool, const effect_blur *blur, effect_box region, const effect_image *in,
                     const effect_image *out)
{
    const effect_call call = {.kind = EFFECT_CALL_BLUR, .blur = blur, .region = region};
    (void)pool;
    if (in->pixels || out->pixels)
        run_on_pixels(&call, in, out);
    else
        run(NULL, &call, NULL, NULL, in, NULL, out);
    return true;
}

static bool gpu_convolve(parallel_pool *pool, const effect_convolution *convolution, const float *kernel,
                         effect_box region, const effect_image *in, const effect_image *out)
{
    const size_t count = (size_t)convolution->columns * (size_t)convolution->rows;
    const stream_effect_step step = {.kind = EFFECT_STEP_CONVOLVE_MATRIX};
    const effect_node node = {.step = &step, .parameters = {.convolve = {.convolution = *convolution}}};
    const effect_call call = {.kind = EFFECT_CALL_STEP, .node = &node, .region = region};
    effect_graph graph = {.nodes = {.items = NULL}};
    float *numbers = array_push_many(&graph.numbers, count);
    (void)pool;
    assert_non_null(numbers);
    memcpy(numbers, kernel, count * sizeof *kernel);
    run(&graph, &call, NULL, NULL, in, NULL, out);
    array_free(&graph.numbers);
    return true;
}

static bool gpu_extreme(parallel_pool *pool, const effect_extreme *extreme, const effect_image *in,
                        const effect_image *out)
{
    (void)pool;
    STEP(EFFECT_STEP_MORPHOLOGY, extreme, *extreme, in, NULL, out);
    return true;
}

static void gpu_light(parallel_pool *pool, const effect_light *light, effect_box region, const effect_image *in,
                      const effect_image *out)
{
    (void)pool;
    run_step(EFFECT_STEP_DIFFUSE_LIGHTING, &(effect_parameters){.light = *light}, region, in, NULL, out);
}

static void gpu_noise(parallel_pool *pool, const effect_noise *noise, const uint *words, const effect_image *out)
{
    (void)pool;
    run(NULL, NULL, noise, words, NULL, NULL, out);
}

/* ---- Loads and stores ---- */

static void run_pixels(effect_call_kind kind, bool linear, const work_image *in, const work_image *out)
{
    const effect_call call = {.kind = kind, .linear = linear};
    const work_image nothing = {.box = {0, 0, 0, 0}};
    assert_true(effect_jobs_add_call(&gpu.effects.jobs, NULL, &call, in, &nothing, out));
}

static void load(effect_call_kind kind, bool linear, const uint32_t *pixels, size_t stride, const effect_image *out)
{
    const size_t count = stride * box_height(out->box);
    if (effect_box_is_empty(out->box))
        return;
    write_atlas(pixels, count);
    effect_jobs_begin(&gpu.effects.jobs, 0);
    const work_image from = {.first = 7, .stride = (uint32_t)stride, .box = out->box};
    const work_image to = place(out, 1);
    run_pixels(kind, linear, &from, &to);
    const uint64_t bytes = TEXEL_BYTES * gpu.effects.jobs.end;
    run_jobs();
    ensure(bytes, GPU_MEMORY_READBACK, &gpu.texels);
    copy(&gpu.effects.work, &gpu.texels, bytes);
    read_image(&to, out);
}

static void gpu_load(parallel_pool *pool, const uint32_t *pixels, size_t stride, const effect_image *out)
{
    (void)pool;
    load(EFFECT_CALL_LOAD, false, pixels, stride, out);
}

static void gpu_store(parallel_pool *pool, const effect_image *in, uint32_t *pixels, size_t stride)
{
    const size_t count = stride * box_height(in->box);
    (void)pool;
    if (effect_box_is_empty(in->box))
        return;
    effect_jobs_begin(&gpu.effects.jobs, 0);
    const work_image from = place(in, 2), to = {.first = 100, .stride = (uint32_t)stride, .box = in->box};
    const uint64_t bytes = TEXEL_BYTES * gpu.effects.jobs.end;
    ensure(bytes, GPU_MEMORY_READBACK, &gpu.texels);
    ensure(bytes, GPU_MEMORY_DEVICE, &gpu.effects.work);
    ensure((count + 100) * sizeof *pixels, GPU_MEMORY_READBACK, &gpu.results);
    write_image(in, &from);
    copy(&gpu.texels, &gpu.effects.work, bytes);
    run_pixels(EFFECT_CALL_STORE, false, &from, &to);
    run_jobs();
    for (size_t y = 0; y < box_height(in->box); y++)
        memcpy(pixels + y * stride, (uint32_t *)gpu.results.mapped + 100 + y * stride,
               box_width(in->box) * sizeof *pixels);
}

/* Of the kernels, alpha is taken while pixels are loaded. */
static void gpu_alpha(parallel_pool *pool, const effect_image *in, const effect_image *out)
{
    effect_reference()->alpha(pool, in, out);
}

static const effect_functions functions = {
    .name = "kernels",
    .takes_pixels = true,
    .load = gpu_load,
    .store = gpu_store,
    .flood = gpu_flood,
    .offset = gpu_offset,
    .merge = gpu_merge,
    .composite = gpu_composite,
    .blend = gpu_blend,
    .color_matrix = gpu_color_matrix,
    .transfer = gpu_transfer,
    .tile = gpu_tile,
    .displace = gpu_displace,
    .shadow = gpu_shadow,
    .to_linear = gpu_to_linear,
    .to_srgb = gpu_to_srgb,
    .alpha = gpu_alpha,
    .blur = gpu_blur,
    .convolve = gpu_convolve,
    .extreme = gpu_extreme,
    .light = gpu_light,
    .noise = gpu_noise,
};

/* ---- Tests ---- */

static void check_case(size_t kind, const effect_case *given, effect_box box)
{
    const effect_case_kind *checked = &effect_case_kinds[kind];
    effect_image right = new_image(box), out = random_image(box, 1);
    char what[80];
    checked->run(effect_reference(), NULL, given, &right);
    snprintf(what, sizeof what, "%s, seed %llu", checked->name, (unsigned long long)given->seed);
    checked->run(&functions, NULL, given, &out);
    assert_same_texels(&out, &right, box, what);
    free_image(&out);
    free_image(&right);
}

/* Checks one of that many cases of each kind. */
static void check_small(uint32_t step)
{
    for (size_t i = 0; i < effect_case_kind_count; i++)
        for (uint32_t k = (uint32_t)i % step; k < effect_case_kinds[i].count; k += step) {
            effect_box box;
            effect_case given = effect_case_small(i, k, &box);
            check_case(i, &given, box);
            effect_case_free(&given);
        }
}

/* By day a device that lacks things gets a third of the cases: its kernels differ in the sizes of workgroups alone. */
static uint32_t case_step(void)
{
    return gpu_without() && !all_sizes() ? 3 : 1;
}

/* The copies of a call share its dispatches. */
static void test_small(void **state)
{
    (void)state;
    gpu.most_jobs = gpu.dispatches = 0;
    check_small(case_step());
    assert_int_equal(gpu.most_jobs, COPIES);
}

/* They do not where a kernel sees only one of them. */
static void test_small_bindings(void **state)
{
    (void)state;
    const uint32_t before = gpu.dispatches, step = all_sizes() ? 1 : 3;
    gpu.dispatches = 0;
    gpu.sees_little = true;
    check_small(step);
    gpu.sees_little = false;
    assert_true(step * gpu.dispatches > case_step() * (before + before / 2));
}

static void test_large(void **state)
{
    (void)state;
    for (size_t i = 0; i < effect_case_kind_count; i++)
        for (uint32_t k = 0; k < (effect_case_kinds[i].blurs ? 8 : 1); k += case_step()) {
            effect_box box;
            effect_case given = effect_case_large(k, &box);
            check_case(i, &given, box);
            effect_case_free(&given);
        }
}

/* A kernel whose sums wait from job to job. */
static void test_large_kernel(void **state)
{
    enum { COLUMNS = 70, ROWS = 45 };
    static double numbers[COLUMNS * ROWS];
    static float turned[COLUMNS * ROWS];
    (void)state;
    for (size_t i = 0; i < COLUMNS * ROWS; i++)
        numbers[i] = (double)(i * 7919 % 23) - 8;
    for (uint32_t edge = EFFECT_EDGE_NONE; edge <= EFFECT_EDGE_WRAP; edge += case_step()) {
        const effect_kernel kernel = {.columns = COLUMNS,
                                      .rows = ROWS,
                                      .numbers = numbers,
                                      .count = COLUMNS * ROWS,
                                      .edge = edge,
                                      .preserves_alpha = edge == EFFECT_EDGE_WRAP};
        const effect_box box = {-20, 3, 21, 24};
        effect_convolution convolution;
        effect_image in = random_image(box, edge), right = new_image(box), out = new_image(box);
        assert_int_equal(effect_convolution_of(&kernel, &convolution, turned), EFFECT_RUNS);
        effect_reference()->convolve(NULL, &convolution, turned, box, &in, &right);
        gpu_convolve(NULL, &convolution, turned, box, &in, &out);
        assert_same_texels(&out, &right, box, "large kernel");
        free_image(&in);
        free_image(&right);
        free_image(&out);
    }
}

/* Pixels in linearRGB, and their alpha. */
static void test_loads(void **state)
{
    const effect_box box = {-3, 5, 130, 77};
    const size_t stride = box_width(box) + 9;
    uint32_t *pixels = calloc(stride * box_height(box), sizeof *pixels);
    effect_image in = random_image(box, 8), right = new_image(box), out = new_image(box);
    (void)state;
    assert_non_null(pixels);
    effect_reference()->store(NULL, &in, pixels, stride);
    effect_reference()->load(NULL, pixels, stride, &right);
    effect_reference()->to_linear(NULL, &right, &right);
    load(EFFECT_CALL_LOAD, true, pixels, stride, &out);
    assert_same_texels(&out, &right, box, "linear");
    effect_reference()->alpha(NULL, &right, &right);
    load(EFFECT_CALL_LOAD_ALPHA, false, pixels, stride, &out);
    assert_same_texels(&out, &right, box, "alpha");
    free_image(&in);
    free_image(&right);
    free_image(&out);
    free(pixels);
}

static int setup(void **state)
{
    pietra_device_options options = gpu_fixture_options(&gpu.fixture);
    pietra_error error = {0};
    (void)state;
    gpu_fixture_open(&gpu.fixture, &options);
    check(gpu_recorder_create(gpu.fixture.device, &error, &gpu.recorder), &error);
    gpu.effects = (gpu_effects){.device = gpu.fixture.device, .recorder = gpu.recorder};
    ensure(4, GPU_MEMORY_DEVICE, &gpu.atlas);
    ensure(4, GPU_MEMORY_READBACK, &gpu.results);
    return 0;
}

static int teardown(void **state)
{
    gpu_buffer *buffers[] = {&gpu.texels, &gpu.pixels, &gpu.atlas, &gpu.results};
    (void)state;
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        gpu_buffer_destroy(gpu.fixture.device, buffers[i]);
    gpu_effects_free(&gpu.effects);
    gpu_recorder_destroy(gpu.recorder);
    gpu_fixture_close(&gpu.fixture);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),        cmocka_unit_test(test_small_bindings), cmocka_unit_test(test_large),
        cmocka_unit_test(test_large_kernel), cmocka_unit_test(test_loads),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
