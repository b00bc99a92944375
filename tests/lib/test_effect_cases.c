/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What stage 11 computes with gives the same words as C and as GLSL on a Vulkan device. */
#include "vulkan/gpu_fixture.h"

#include "lib/effect_band.h"
#include "lib/effect_blend.h"
#include "lib/effect_extreme.h"
#include "lib/effect_light.h"
#include "lib/effect_matrix.h"
#include "lib/effect_noise.h"
#include "lib/effect_point.h"
#include "lib/effect_cases.h"
#include "vulkan/recorder.h"

static const uint32_t cases_spv[] = {
#include "spv/effect_cases.inc"
};

#define COUNT 20000u
#define BYTES (4u * COUNT * sizeof(uint32_t))

static void check(pietra_result result, const pietra_error *error)
{
    if (result != PIETRA_OK)
        fail_msg("%s", error->message);
}

static void check_kind(gpu_recorder *recorder, const gpu_program *program, const gpu_buffer *results, uint32_t kind)
{
    const uint32_t push[] = {kind, COUNT}, *words = results->mapped;
    uint32_t lattice[EFFECT_NOISE_WORDS];
    float values[EFFECT_CASE_VALUES];
    pietra_error error = {0};

    for (uint32_t i = 0; i < EFFECT_CASE_VALUES; i++)
        values[i] = case_float(12345, i);
    for (uint32_t i = 0; i < EFFECT_NOISE_WORDS; i++)
        lattice[i] = case_word(i);
    check(gpu_recorder_begin(recorder, &error), &error);
    gpu_dispatch(recorder, program, &(gpu_range){results, 0, 0}, push, (COUNT + 63) / 64, 1, 1);
    check(gpu_recorder_submit(recorder, &error), &error);
    check(gpu_recorder_wait(recorder, &error), &error);
    for (uint32_t i = 0; i < COUNT; i++, words += 4) {
        effect_texel right = effect_case(values, lattice, kind, i);
        if (words[0] != right.r || words[1] != right.g || words[2] != right.b || words[3] != right.a)
            fail_msg("kind %u, case %u: %08x %08x %08x %08x, not %08x %08x %08x %08x", kind, i, words[0], words[1],
                     words[2], words[3], right.r, right.g, right.b, right.a);
    }
}

static void test_cases(void **state)
{
    gpu_fixture fixture;
    pietra_device_options options = gpu_fixture_options(&fixture);
    pietra_error error = {0};
    const gpu_program_info info = {.name = "cases",
                                   .spirv = cases_spv,
                                   .word_count = sizeof cases_spv / 4,
                                   .buffer_count = 1,
                                   .push_bytes = 2 * sizeof(uint32_t)};
    gpu_program *program;
    gpu_recorder *recorder;
    gpu_buffer results;

    (void)state;
    gpu_fixture_open(&fixture, &options);
    check(gpu_program_create(fixture.device, &info, &error, &program), &error);
    check(gpu_recorder_create(fixture.device, &error, &recorder), &error);
    check(gpu_buffer_create(fixture.device, BYTES, GPU_MEMORY_READBACK, &error, &results), &error);
    for (uint32_t kind = 0; kind < EFFECT_CASE_KINDS; kind++)
        check_kind(recorder, program, &results, kind);
    gpu_buffer_destroy(fixture.device, &results);
    gpu_recorder_destroy(recorder);
    gpu_program_destroy(program);
    gpu_fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
