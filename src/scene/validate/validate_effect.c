/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Checks the steps of effects and their values. */
#include "scene/validate/validator.h"

#define KERNEL_MOST 1048576u
#define TABLE_MOST 65536u

static const struct {
    uint32_t inputs;
    const char *values;
} kinds[] = {
#define EFFECT_STEP(name, number, inputs, values) [EFFECT_STEP_##name] = {inputs, values},
#include "layout/effects.def"
};

/* The values of a step that have not been looked at. */
typedef struct effect_values {
    const uint32_t *words;
    uint32_t count;
} effect_values;

static bool take_count(effect_values *values, uint32_t most, uint32_t *count)
{
    if (values->count == 0 || values->words[0] > most)
        return false;
    *count = *values->words++;
    values->count--;
    return true;
}

static bool take_floats(effect_values *values, uint32_t count)
{
    if (count > values->count || !are_sane((const float *)values->words, count, STREAM_LIMIT))
        return false;
    values->words += count;
    values->count -= count;
    return true;
}

static uint32_t most_of(char letter)
{
    return (uint32_t)(letter <= '9' ? letter - '0' : letter - 'a' + 10);
}

/* Takes values as a line of effects.def describes them. */
static bool take_described(effect_values *values, const char *letters)
{
    uint32_t number;
    for (const char *letter = letters; *letter != '\0'; letter++)
        if (*letter == '.' ? !take_floats(values, 1) : !take_count(values, most_of(*letter), &number))
            return false;
    return true;
}

static bool take_tables(effect_values *values)
{
    uint32_t count;
    for (int i = 0; i < 4; i++)
        if (!take_count(values, TABLE_MOST, &count) || !take_floats(values, count))
            return false;
    return true;
}

static bool take_kernel(effect_values *values)
{
    uint32_t columns, rows, x, y;
    if (!take_count(values, KERNEL_MOST, &columns) || !take_count(values, KERNEL_MOST, &rows) ||
        !take_count(values, KERNEL_MOST, &x) || !take_count(values, KERNEL_MOST, &y)) {
        return false;
    }
    bool is_none = columns == 0 && rows == 0 && x == 0 && y == 0;
    bool is_kernel = x < columns && y < rows && (uint64_t)columns * rows <= KERNEL_MOST;
    return is_none || (is_kernel && take_floats(values, columns * rows));
}

static bool take_inputs(effect_values *values, uint32_t step)
{
    uint32_t input;
    while (values->count > 0)
        if (!take_count(values, EFFECT_INPUT_RESULT(step) - 1u, &input))
            return false;
    return true;
}

static bool take_rest(effect_values *values, uint32_t kind, uint32_t step)
{
    switch (kind) {
    case EFFECT_STEP_MERGE:
        return take_inputs(values, step);
    case EFFECT_STEP_COMPONENT_TRANSFER:
        return take_tables(values);
    case EFFECT_STEP_CONVOLVE_MATRIX:
        return take_kernel(values);
    default:
        return true;
    }
}

/* Checks a step, which is number `step` of its effect. */
static bool step_is_sane(const validator *v, const stream_effect_step *made, uint32_t step)
{
    if (made->kind >= sizeof kinds / sizeof kinds[0] || made->linear > 1u)
        return false;
    uint32_t inputs = kinds[made->kind].inputs, inputs_end = EFFECT_INPUT_RESULT(step);
    if ((inputs > 0 ? made->in1 >= inputs_end : made->in1 != 0) ||
        (inputs > 1 ? made->in2 >= inputs_end : made->in2 != 0))
        return false;
    effect_values values = {v->view.effect_values + made->first_value, made->value_count};
    return are_sane(&made->x0, 4, STREAM_BOX_LIMIT) && take_described(&values, kinds[made->kind].values) &&
           take_rest(&values, made->kind, step) && values.count == 0;
}

pietra_result validate_effects(validator *v)
{
    const stream_header *header = v->view.header;
    uint32_t used_steps = 0, used_values = 0;
    for (uint32_t i = 0; i < header->effect_count; i++) {
        const stream_effect *effect = &v->view.effects[i];
        uint32_t pictures = 0;
        if (effect->first_step != used_steps || effect->step_count > header->effect_step_count - used_steps)
            return REJECT(v, "effect %u: its steps do not follow those before them, or are not there", i);
        for (uint32_t k = 0; k < effect->step_count; k++) {
            const stream_effect_step *step = &v->view.effect_steps[used_steps + k];
            if (step->first_value != used_values || step->value_count > header->effect_value_count - used_values)
                return REJECT(v, "effect %u: the values of step %u are not there", i, k);
            if (!step_is_sane(v, step, k))
                return REJECT(v, "effect %u: step %u makes no sense", i, k);
            used_values += step->value_count;
            pictures += step->kind == EFFECT_STEP_IMAGE;
        }
        if (pictures != effect->picture_count)
            return REJECT(v, "effect %u: its pictures are not those of its steps", i);
        used_steps += effect->step_count;
    }
    if (used_steps != header->effect_step_count || used_values != header->effect_value_count)
        return REJECT(v, "steps or values belong to no effect");
    return PIETRA_OK;
}
