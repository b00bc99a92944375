/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <string.h>

#include "scene/encode/encode.h"

/* Writes one step behind those before it. */
static bool encode_step(encoder *encoder, const stream_effect_step *step)
{
    stream_effect_step *made = array_push(&encoder->effect_steps);
    if (!made || !array_reserve(&encoder->effect_values, step->value_count))
        return false;
    *made = *step;
    made->first_value = (uint32_t)encoder->effect_values.count;
    if (step->value_count > 0) {
        memcpy(encoder->effect_values.items + made->first_value,
               encoder->scene->effect_values.items + step->first_value, step->value_count * sizeof(uint32_t));
        encoder->effect_values.count += step->value_count;
    }
    return encoder->effect_values.count <= STREAM_MAX_COUNT;
}

bool encode_effect(encoder *encoder, const scene_element *element, uint32_t *index)
{
    const pietra_scene *scene = encoder->scene;
    stream_effect effect = scene->effects.items[element->paint].effect;
    const stream_effect_step *steps = scene->effect_steps.items + effect.first_step;
    effect.first_step = (uint32_t)encoder->effect_steps.count;
    for (uint32_t i = 0; i < effect.step_count; i++)
        if (!encode_step(encoder, &steps[i]))
            return false;
    stream_effect *made = array_push(&encoder->effects);
    if (!made || encoder->effect_steps.count > STREAM_MAX_COUNT)
        return false;
    *made = effect;
    *index = (uint32_t)(encoder->effects.count - 1);
    return true;
}
