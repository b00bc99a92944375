/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/effect_programs.h"

/* Includes static const uint32_t spv_<stem>[] for every entry point of shaders/stages. */
#include "spv/pipeline_arrays.inc"

static const struct {
    const char *stem, *mark;
    const uint32_t *spirv;
    size_t word_count;
    uint32_t bindings, operations;
} stages[] = {
#define EFFECT_STAGE(stem, name, mark, bindings, operations) \
    {#stem, mark, spv_##stem, sizeof spv_##stem / sizeof spv_##stem[0], bindings, operations},
#include "render/frame/effect_stages.def"
};

pietra_result effect_program_make(gpu_device *device, const primitive_options *options, effect_stem stem,
                                  uint32_t operation, pietra_error *error, effect_programs *programs)
{
    const uint32_t constants[] = {!programs->reads_memory, operation};
    const gpu_program_info info = {.name = stages[stem].stem,
                                   .spirv = stages[stem].spirv,
                                   .word_count = stages[stem].word_count,
                                   .buffer_count = stages[stem].bindings,
                                   .push_bytes = sizeof(effect_push),
                                   .constants = constants,
                                   .constant_count = sizeof constants / sizeof constants[0]};
    if (programs->programs[stem][operation])
        return PIETRA_OK;
    if (options && options->observe)
        options->observe(options->observe_user, &info);
    return gpu_program_create(device, &info, error, &programs->programs[stem][operation]);
}

void effect_programs_destroy(effect_programs *programs)
{
    for (uint32_t stem = 0; stem < EFFECT_STEM_COUNT; stem++)
        for (uint32_t i = 0; i < stages[stem].operations; i++) {
            gpu_program_destroy(programs->programs[stem][i]);
            programs->programs[stem][i] = NULL;
        }
}

uint32_t effect_stem_operations(effect_stem stem)
{
    return stages[stem].operations;
}

const char *effect_stem_mark(effect_stem stem)
{
    return stages[stem].mark;
}
