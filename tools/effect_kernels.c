/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* effect_kernels: measures the kernels of stage 11 on a GPU, by its timestamps.
 *
 *     effect_kernels [--sides N,N,...] [--only WORD] [--runs N] [--bandwidth GB/S] [--gpu NAME]
 *     effect_kernels --registers [--gpu NAME]
 *
 * Each primitive makes an image of N x N * 9 / 16 texels from others of that size, which hold opaque, transparent and
 * translucent runs. Prints the median of several runs in microseconds, the bytes that its jobs read and write at least,
 * the time which that takes at the bandwidth (--bandwidth, else that of the copy of the same side), and for band and
 * matrix the time without shared memory, in which every band is a pass. --registers prints what the driver says of each
 * program. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "effect_inputs.h"
#include "layout/blend.h"
#include "render/gpu/effects.h"

#define TEXEL_BYTES 8.0
#define RUNS_MOST 101u

/* Images of one side in the buffer of work, and the devices' two sets of kernels. */
typedef struct measurement {
    gpu_device *device;
    gpu_recorder *recorder;
    gpu_effects staged, unstaged;
    gpu_effects *at; /* of the two */
    gpu_buffer atlas, results;
    effect_box box;
    work_image in, in2, out;
    effect_graph graph; /* numbers of kernels */
    uint32_t runs;
    double bandwidth; /* bytes a microsecond; 0: not known */
} measurement;

static void stop(const char *why)
{
    fprintf(stderr, "effect_kernels: %s\n", why);
    exit(1);
}

static void must(pietra_result result, const pietra_error *error)
{
    if (result != PIETRA_OK)
        stop(error->message);
}

static void stop_unless(bool done)
{
    if (!done)
        stop("out of memory");
}

/* ---- Calls ---- */

static void add_call(measurement *m, const effect_call *call)
{
    stop_unless(effect_jobs_add_call(&m->at->jobs, &m->graph, call, &m->in, &m->in2, &m->out));
}

static void add_kind(measurement *m, effect_call_kind kind)
{
    add_call(m, &(effect_call){.kind = kind});
}

static void add_step(measurement *m, uint32_t kind, const effect_parameters *parameters)
{
    const stream_effect_step step = {.kind = kind};
    const effect_node node = {.step = &step, .parameters = *parameters};
    add_call(m, &(effect_call){.kind = EFFECT_CALL_STEP, .node = &node, .region = m->box});
}

/* Pixels of the atlas and of the results lie in rows as long as images are wide. */
static void add_pixels(measurement *m, effect_call_kind kind, bool linear)
{
    const effect_call call = {.kind = kind, .linear = linear};
    const bool stores = kind == EFFECT_CALL_STORE;
    const work_image pixels = {.stride = (uint32_t)m->box.right,
                               .content = stores ? EFFECT_CONTENT_RESULT : EFFECT_CONTENT_SOURCE,
                               .box = m->box};
    stop_unless(effect_jobs_add_call(&m->at->jobs, NULL, &call, stores ? &m->out : &pixels, &m->in2,
                                     stores ? &pixels : &m->in));
}

static void add_load(measurement *m, double linear)
{
    add_pixels(m, EFFECT_CALL_LOAD, linear > 0.0);
}

static void add_store(measurement *m, double number)
{
    (void)number;
    add_pixels(m, EFFECT_CALL_STORE, false);
}

static void add_copy(measurement *m, double number)
{
    (void)number;
    add_kind(m, EFFECT_CALL_COPY);
}

static void add_to_linear(measurement *m, double number)
{
    (void)number;
    add_kind(m, EFFECT_CALL_TO_LINEAR);
}

static void add_blur(measurement *m, double sigma)
{
    effect_blur blur;
    effect_blur_of(sigma, sigma, EFFECT_EDGE_NONE, &blur);
    add_call(m, &(effect_call){.kind = EFFECT_CALL_BLUR, .blur = &blur, .region = m->box});
}

/* From pixels to pixels. */
static void add_8_bit_blur(measurement *m, double sigma)
{
    const uint32_t stride = (uint32_t)m->box.right;
    const work_image in = {.stride = stride, .content = EFFECT_CONTENT_SOURCE, .box = m->box};
    const work_image out = {.stride = stride, .content = EFFECT_CONTENT_RESULT, .box = m->box};
    effect_blur blur;
    effect_blur_of(sigma, sigma, EFFECT_EDGE_NONE, &blur);
    const effect_call call = {.kind = EFFECT_CALL_BLUR, .blur = &blur, .region = m->box};
    stop_unless(effect_jobs_add_call(&m->at->jobs, NULL, &call, &in, &m->in2, &out));
}

static void add_flood(measurement *m, double number)
{
    (void)number;
    add_step(m, EFFECT_STEP_FLOOD, &(effect_parameters){.flood = effect_color_of(1, 2, 3, 0.5, false)});
}

static void add_offset(measurement *m, double distance)
{
    effect_parameters parameters;
    effect_offset_of(distance, distance, &parameters.offset);
    add_step(m, EFFECT_STEP_OFFSET, &parameters);
}

static void add_merge(measurement *m, double number)
{
    (void)number;
    add_kind(m, EFFECT_CALL_MERGE);
}

static void add_composite(measurement *m, double operation)
{
    effect_parameters parameters;
    effect_composite_of((uint32_t)operation, 0.2, 0.3, 0.4, 0.1, &parameters.composite);
    add_step(m, EFFECT_STEP_COMPOSITE, &parameters);
}

static void add_blend(measurement *m, double mode)
{
    add_step(m, EFFECT_STEP_BLEND, &(effect_parameters){.mode = (uint32_t)mode});
}

static void add_color_matrix(measurement *m, double degrees)
{
    effect_parameters parameters;
    effect_hue_rotate_of(degrees, &parameters.matrix);
    add_step(m, EFFECT_STEP_COLOR_MATRIX, &parameters);
}

static void add_transfer(measurement *m, double exponent)
{
    const effect_function function = effect_gamma_function(1, exponent, 0);
    add_step(m, EFFECT_STEP_COMPONENT_TRANSFER,
             &(effect_parameters){.transfer = {function, function, function, effect_identity_function()}});
}

static void add_tile(measurement *m, double side)
{
    add_step(m, EFFECT_STEP_TILE, &(effect_parameters){.tile = {0, 0, (int)side, (int)side}});
}

static void add_displace(measurement *m, double scale)
{
    effect_parameters parameters;
    effect_displacement_of(scale, scale, 0, 1, &parameters.displacement);
    add_step(m, EFFECT_STEP_DISPLACEMENT_MAP, &parameters);
}

static void add_shadow(measurement *m, double distance)
{
    effect_node node = {.parameters = {.shadow = {.shadow = {.color = effect_color_of(1, 2, 3, 0.5, false)}}}};
    effect_offset_of(distance, distance, &node.parameters.shadow.shadow.offset);
    add_call(m, &(effect_call){.kind = EFFECT_CALL_SHADOW, .node = &node});
}

static void add_convolution(measurement *m, double side)
{
    float turned[KERNEL_MOST];
    effect_parameters parameters = {.convolve = {.first_number = 0}};
    const size_t count = make_convolution(side, &parameters.convolve.convolution, turned);
    m->graph.numbers.count = 0;
    float *kept = array_push_many(&m->graph.numbers, count);
    stop_unless(kept);
    memcpy(kept, turned, count * sizeof *kept);
    add_step(m, EFFECT_STEP_CONVOLVE_MATRIX, &parameters);
}

static void add_extreme(measurement *m, double radius)
{
    effect_parameters parameters;
    effect_extreme_of(radius, radius, true, &parameters.extreme);
    add_step(m, EFFECT_STEP_MORPHOLOGY, &parameters);
}

static void add_light(measurement *m, double exponent)
{
    effect_parameters parameters;
    make_light(exponent, &parameters.light);
    add_step(m, EFFECT_STEP_DIFFUSE_LIGHTING, &parameters);
}

static void add_noise(measurement *m, double octaves)
{
    uint words[EFFECT_NOISE_WORDS];
    effect_noise noise;
    make_noise(octaves, &noise, words);
    stop_unless(effect_jobs_add_noise(&m->at->jobs, &noise, words, &m->out));
}

typedef struct effect_case {
    const char *name;
    double number; /* its parameter */
    void (*add)(measurement *measured, double number);
    bool stages; /* it is also measured without shared memory */
} effect_case;

static const effect_case CASES[] = {
    {"copy", 0, add_copy, false},
    {"load", 0, add_load, false},
    {"load, linear", 1, add_load, false},
    {"store", 0, add_store, false},
    {"to linear", 0, add_to_linear, false},
    {"8 bit blur, sigma 2", 2, add_8_bit_blur, false},
    {"8 bit blur, sigma 5", 5, add_8_bit_blur, false},
    {"8 bit blur, sigma 20", 20, add_8_bit_blur, false},
    {"8 bit blur, sigma 100", 100, add_8_bit_blur, false},
    {"blur, sigma 1", 1, add_blur, true},
    {"blur, sigma 2", 2, add_blur, true},
    {"blur, sigma 3.9", 3.9, add_blur, true},
    {"blur, sigma 5", 5, add_blur, true},
    {"blur, sigma 20", 20, add_blur, true},
    {"blur, sigma 100", 100, add_blur, true},
    {"flood", 0, add_flood, false},
    {"offset 3", 3, add_offset, false},
    {"offset 3.5", 3.5, add_offset, false},
    {"merge", 0, add_merge, false},
    {"composite, in", EFFECT_IN, add_composite, false},
    {"composite, arithmetic", EFFECT_ARITHMETIC, add_composite, false},
    {"blend, multiply", BLEND_MULTIPLY, add_blend, false},
    {"blend, soft-light", BLEND_SOFT_LIGHT, add_blend, false},
    {"blend, hue", BLEND_HUE, add_blend, false},
    {"color matrix, hueRotate 40", 40, add_color_matrix, false},
    {"transfer, gamma 2.2", 2.2, add_transfer, false},
    {"tile, side 50", 50, add_tile, false},
    {"displacement, scale 20", 20, add_displace, false},
    {"shadow, offset 2.5", 2.5, add_shadow, false},
    {"convolution, side 3", 3, add_convolution, true},
    {"convolution, side 5", 5, add_convolution, true},
    {"convolution, side 9", 9, add_convolution, true},
    {"convolution, side 15", 15, add_convolution, true},
    {"extreme, radius 1", 1, add_extreme, false},
    {"extreme, radius 10", 10, add_extreme, false},
    {"extreme, radius 100", 100, add_extreme, false},
    {"diffuse light", 0, add_light, false},
    {"specular light, exponent 20", 20, add_light, false},
    {"noise, octaves 1", 1, add_noise, false},
    {"noise, octaves 4", 4, add_noise, false},
};

/* ---- Measurements ---- */

static double texels_of(const work_image *image)
{
    const effect_box box = image->box;
    return effect_box_is_empty(box) ? 0.0 : (double)(box.right - box.left) * (box.bottom - box.top);
}

static double bytes_of_image(const work_image *image)
{
    return (image->content == EFFECT_CONTENT_TEXELS ? TEXEL_BYTES : 4.0) * texels_of(image);
}

/* Returns what the jobs that are listed read and write, if each texel is read once. */
static double bytes_of(const effect_jobs *jobs)
{
    double bytes = 0;
    for (size_t i = 0; i < jobs->jobs.count; i++) {
        const work_job *job = &jobs->jobs.items[i];
        bytes += bytes_of_image(&job->input1) + bytes_of_image(&job->input2) + bytes_of_image(&job->result);
    }
    return bytes;
}

static int compare_doubles(const void *first, const void *second)
{
    const double *a = first, *b = second;
    return *a < *b ? -1 : *a > *b;
}

static void list_jobs(measurement *m, const effect_case *given)
{
    effect_jobs *jobs = &m->at->jobs;
    effect_jobs_begin(jobs, 0);
    stop_unless(effect_jobs_make_image(jobs, m->box, &m->in) && effect_jobs_make_image(jobs, m->box, &m->in2) &&
                effect_jobs_make_image(jobs, m->box, &m->out));
    given->add(m, given->number);
}

/* Returns the microseconds of the jobs of a case. */
static double run_once(measurement *m, const effect_case *given)
{
    const gpu_effect_places places = {.atlas = {.buffer = &m->atlas, .bytes = m->atlas.bytes},
                                      .results = {.buffer = &m->results, .bytes = m->results.bytes}};
    pietra_stats stats = {.parts = 0};
    pietra_error error = {0};
    double sum = 0;
    list_jobs(m, given);
    must(gpu_effects_run_jobs(m->at, &places, NULL, &error, &stats), &error);
    for (uint32_t i = 0; i < stats.stage_count; i++)
        sum += 1e3 * stats.stages[i].milliseconds;
    return sum;
}

static double median(measurement *m, gpu_effects *effects, const effect_case *given)
{
    double times[RUNS_MOST];
    m->at = effects;
    (void)run_once(m, given);
    (void)run_once(m, given);
    for (uint32_t i = 0; i < m->runs; i++)
        times[i] = run_once(m, given);
    qsort(times, m->runs, sizeof *times, compare_doubles);
    return times[m->runs / 2];
}

static void measure_case(measurement *m, const effect_case *given, double *copy_rate)
{
    m->at = &m->staged;
    list_jobs(m, given);
    const double bytes = bytes_of(&m->staged.jobs);
    const size_t jobs = m->staged.jobs.jobs.count;
    m->staged.jobs.jobs.count = m->staged.jobs.words.count = 0;
    const double time = median(m, &m->staged, given);
    if (given->add == add_copy)
        *copy_rate = bytes / time;
    const double rate = m->bandwidth > 0.0 ? m->bandwidth : *copy_rate;
    printf("%5d x %-5d %-28s %4zu jobs %9.1f us %8.1f MB", m->box.right, m->box.bottom, given->name, jobs, time,
           bytes * 1e-6);
    if (rate > 0.0)
        printf(" %9.1f us bound", bytes / rate);
    if (given->stages) {
        const double unstaged = median(m, &m->unstaged, given);
        printf(" %9.1f us unstaged %5.2fx", unstaged, unstaged / time);
    }
    printf("\n");
    fflush(stdout);
}

/* Runs of up to 64 pixels that are opaque, transparent or anything. */
static void fill_pixels(uint32_t *pixels, size_t count, uint64_t state)
{
    for (size_t i = 0, kind = 0, left = 0; i < count; i++, left--) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        if (left == 0) {
            kind = state >> 40 & 3;
            left = 1 + (state >> 50 & 63);
        }
        const uint32_t a = kind == 0 ? 0 : kind == 1 ? (uint32_t)(state >> 60) | 0xc0 : 255;
        pixels[i] = a << 24 | (uint32_t)(state >> 32) % (a + 1) << 16 | (uint32_t)(state >> 36) % (a + 1) << 8 |
                    (uint32_t)(state >> 44) % (a + 1);
    }
}

/* Fills the atlas with pixels, and all images of the work of both sets of kernels from it. */
static void fill_images(measurement *m)
{
    const effect_case load = {"load", 0, add_load, false};
    const uint64_t bytes = m->atlas.bytes;
    gpu_buffer upload = {.bytes = 0};
    pietra_error error = {0};
    must(gpu_buffer_create(m->device, bytes, GPU_MEMORY_UPLOAD, &error, &upload), &error);
    fill_pixels(upload.mapped, bytes / sizeof(uint32_t), 1);
    must(gpu_recorder_begin(m->recorder, &error), &error);
    gpu_copy(m->recorder, (gpu_range){.buffer = &upload, .bytes = bytes}, (gpu_range){.buffer = &m->atlas});
    must(gpu_recorder_submit(m->recorder, &error), &error);
    must(gpu_recorder_wait(m->recorder, &error), &error);
    gpu_buffer_destroy(m->device, &upload);
    gpu_effects *both[] = {&m->staged, &m->unstaged};
    for (int i = 0; i < 2; i++) {
        /* Room for the images that a case makes, so that the buffer does not move any more. */
        must(gpu_buffer_ensure(m->device, 12 * 2 * bytes, GPU_MEMORY_DEVICE, &error, &both[i]->work), &error);
        m->at = both[i];
        (void)run_once(m, &load);
    }
}

static void measure_side(measurement *m, int side, const char *only)
{
    const uint64_t bytes = sizeof(uint32_t) * (uint64_t)side * (uint64_t)(side * 9 / 16);
    double copy_rate = 0;
    pietra_error error = {0};
    m->box = (effect_box){0, 0, side, side * 9 / 16};
    must(gpu_buffer_create(m->device, bytes, GPU_MEMORY_DEVICE, &error, &m->atlas), &error);
    must(gpu_buffer_create(m->device, bytes, GPU_MEMORY_DEVICE, &error, &m->results), &error);
    fill_images(m);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        if (!only || CASES[i].add == add_copy || strstr(CASES[i].name, only))
            measure_case(m, &CASES[i], &copy_rate);
    gpu_buffer_destroy(m->device, &m->atlas);
    gpu_buffer_destroy(m->device, &m->results);
    gpu_buffer_destroy(m->device, &m->staged.work);
    gpu_buffer_destroy(m->device, &m->unstaged.work);
}

/* ---- Registers ---- */

static void print_statistic(void *user, const char *name, double value)
{
    (void)user;
    printf("    %-40s %g\n", name, value);
}

static void print_program(void *user, const gpu_program_info *info)
{
    pietra_error error = {0};
    printf("%s, operation %u\n", info->name, info->constants[1]);
    must(gpu_program_statistics(user, info, print_statistic, NULL, &error), &error);
}

static void print_registers(gpu_device *device)
{
    const primitive_options options = {.observe = print_program, .observe_user = device};
    effect_programs programs = {.reads_memory = false};
    pietra_error error = {0};
    for (effect_stem stem = 0; stem < EFFECT_STEM_COUNT; stem++)
        for (uint32_t i = 0; i < effect_stem_operations(stem); i++)
            must(effect_program_make(device, &options, stem, i, &error, &programs), &error);
    effect_programs_destroy(&programs);
}

/* ---- Options ---- */

typedef struct options {
    pietra_device_options device;
    const char *sides, *only;
    double bandwidth;
    uint32_t runs;
    bool registers;
} options;

static options read_options(int count, char **arguments)
{
    options o = {.device = {.kind = PIETRA_DEVICE_GPU}, .sides = "1024,2048,3840,8192", .runs = 21};
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : NULL;
        if (strcmp(name, "--registers") == 0) {
            o.registers = true;
            continue;
        }
        if (!value)
            stop("unknown option, or one without its value");
        i++;
        if (strcmp(name, "--sides") == 0)
            o.sides = value;
        else if (strcmp(name, "--only") == 0)
            o.only = value;
        else if (strcmp(name, "--runs") == 0)
            o.runs = (uint32_t)strtoul(value, NULL, 10);
        else if (strcmp(name, "--bandwidth") == 0)
            o.bandwidth = 1e3 * strtod(value, NULL);
        else if (strcmp(name, "--gpu") == 0)
            o.device.gpu_name = value;
        else
            stop("unknown option");
    }
    if (o.runs == 0 || o.runs > RUNS_MOST)
        stop("--runs lies outside 1 to 101");
    return o;
}

static void measure_sides(measurement *m, const options *o)
{
    for (const char *at = o->sides; *at != '\0';) {
        char *end;
        const long side = strtol(at, &end, 10);
        if (side < 16 || side > 16384)
            stop("a side lies outside 16 to 16384");
        measure_side(m, (int)side, o->only);
        at = end + (*end == ',');
    }
}

int main(int count, char **arguments)
{
    const options o = read_options(count, arguments);
    measurement m = {.runs = o.runs, .bandwidth = o.bandwidth};
    pietra_device_info info;
    pietra_error error = {0};
    must(gpu_open(&o.device, &error, &m.device), &error);
    gpu_get_info(m.device, &info);
    printf("%s\n", info.name);
    if (o.registers) {
        print_registers(m.device);
    } else {
        must(gpu_recorder_create(m.device, &error, &m.recorder), &error);
        m.staged = (gpu_effects){.device = m.device, .recorder = m.recorder};
        m.unstaged = (gpu_effects){.device = m.device,
                                   .recorder = m.recorder,
                                   .jobs = {.parts_bands = true},
                                   .programs = {.reads_memory = true}};
        measure_sides(&m, &o);
        gpu_effects_free(&m.staged);
        gpu_effects_free(&m.unstaged);
        array_free(&m.graph.numbers);
        gpu_recorder_destroy(m.recorder);
    }
    gpu_close(m.device);
    return 0;
}
