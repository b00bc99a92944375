/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/effect_programs.h"

/* Includes static const uint32_t spv_<stem>[] for every entry point of shaders/stages. */
#include "spv/pipeline_arrays.inc"

static const struct {
    const char *stem, *mark;
    const uint32_t *spirv;
    size_t word_count;
    uint32_t bindings;
} stages[] = {
#define EFFECT_STAGE(stem, name, mark, bindings) \
    {#stem, mark, spv_##stem, sizeof spv_##stem / sizeof spv_##stem[0], bindings},
#include "render/frame/effect_stages.def"
};

pietra_result effect_programs_make(gpu_device *device, const primitive_options *options, bool stages_taps,
                                   pietra_error *error, effect_programs *programs)
{
    const uint32_t constants[] = {stages_taps};
    for (uint32_t i = 0; i < EFFECT_STEM_COUNT; i++) {
        const gpu_program_info info = {.name = stages[i].stem,
                                       .spirv = stages[i].spirv,
                                       .word_count = stages[i].word_count,
                                       .buffer_count = stages[i].bindings,
                                       .push_bytes = sizeof(effect_push),
                                       .constants = constants,
                                       .constant_count = 1};
        if (programs->programs[i])
            continue;
        if (options && options->observe)
            options->observe(options->observe_user, &info);
        pietra_result result = gpu_program_create(device, &info, error, &programs->programs[i]);
        if (result != PIETRA_OK)
            return result;
    }
    return PIETRA_OK;
}

void effect_programs_destroy(effect_programs *programs)
{
    for (uint32_t i = 0; i < EFFECT_STEM_COUNT; i++)
        gpu_program_destroy(programs->programs[i]);
    *programs = (effect_programs){.programs = {NULL}};
}

const char *effect_stem_mark(effect_stem stem)
{
    return stages[stem].mark;
}
