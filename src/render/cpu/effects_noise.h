/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 noise: feTurbulence. A lane is a channel. What rows of the lattice share is found once a row. Part of
 * effects_body.h. */

typedef float channels_float __attribute__((vector_size(16)));
typedef int32_t channels_int __attribute__((vector_size(16)));

typedef struct noise_job {
    const effect_noise *noise;
    const uint *words;
    const effect_image *out;
} noise_job;

/* Returns the products of a place, as seen from a neighbour, with that neighbour's gradients. */
INLINE channels_float gradients_at(const uint *words, uint neighbour, float x, float y)
{
    channels_float across, down;
    memcpy(&across, words + 2 * EFFECT_LATTICE + 8 * neighbour, sizeof across);
    memcpy(&down, words + 2 * EFFECT_LATTICE + 8 * neighbour + 4, sizeof down);
    return x * across + y * down;
}

/* Does effect_noise_at for the four channels. */
INLINE channels_float noise_at(const uint *words, const effect_lattice *x, const effect_lattice *y)
{
    uint before = words[x->before], after = words[x->after];
    channels_float upper = gradients_at(words, words[before + y->before], x->from_before, y->from_before);
    channels_float upper_after = gradients_at(words, words[after + y->before], x->from_after, y->from_before);
    channels_float lower = gradients_at(words, words[before + y->after], x->from_before, y->from_after);
    channels_float lower_after = gradients_at(words, words[after + y->after], x->from_after, y->from_after);
    upper = upper + x->blend * (upper_after - upper);
    lower = lower + x->blend * (lower_after - lower);
    return upper + y->blend * (lower - upper);
}

/* Returns the sum of the octaves at a column, of which rows has the octaves of the row. */
INLINE channels_float octaves_at(const noise_job *job, const effect_lattice *rows, int x)
{
    const effect_noise *noise = job->noise;
    effect_place place =
        effect_place_of(noise->start_x_high, noise->start_x_low, noise->step_x_high, noise->step_x_low, x);
    channels_float sum = {0};
    float weight = 1;

    for (uint octave = 0; octave < noise->octaves; octave++, weight *= 0.5f) {
        effect_lattice column =
            effect_lattice_of(place, octave, noise->stitches, noise->stitch_right, noise->stitch_width);
        channels_float found = noise_at(job->words, &column, &rows[octave]);
        if (!noise->fractal)
            found = (channels_float)((channels_int)found & 0x7fffffff);
        sum = sum + found * weight;
    }
    return sum;
}

/* Does effect_noise_channel. */
INLINE wide_float noise_channels(wide_float sum, uint fractal)
{
    return held(fractal ? sum * 0.5f + 0.5f : sum, splat_float(0), splat_float(1));
}

/* Makes WIDE texels from x on. */
static void noise_texels(const noise_job *job, const effect_lattice *rows, int x, uint16_t *to)
{
    uint fractal = job->noise->fractal;
    float sums[4][WIDE];
    float_planes found;

    for (uint i = 0; i < WIDE; i++) {
        channels_float sum = octaves_at(job, rows, x + (int)i);
        for (uint channel = 0; channel < 4; channel++)
            sums[channel][i] = sum[channel];
    }
    found.r = noise_channels(in_planes(load_floats(sums[0])), fractal);
    found.g = noise_channels(in_planes(load_floats(sums[1])), fractal);
    found.b = noise_channels(in_planes(load_floats(sums[2])), fractal);
    found.a = noise_channels(in_planes(load_floats(sums[3])), fractal);
    store_planes(to, premultiplied_planes(found));
}

static void noise_row(const noise_job *job, int y)
{
    const effect_noise *noise = job->noise;
    effect_box box = job->out->box;
    effect_place place =
        effect_place_of(noise->start_y_high, noise->start_y_low, noise->step_y_high, noise->step_y_low, y);
    effect_lattice rows[EFFECT_OCTAVES_MOST];

    for (uint octave = 0; octave < noise->octaves; octave++)
        rows[octave] = effect_lattice_of(place, octave, noise->stitches, noise->stitch_bottom, noise->stitch_height);
    for (int x = box.left; x < box.right; x += WIDE) {
        uint16_t made[4 * WIDE];
        noise_texels(job, rows, x, made);
        memcpy(texel_at(job->out, x, y), made, 4 * (size_t)int_min(WIDE, box.right - x) * sizeof *made);
    }
}

static void noise_rows(void *user, size_t begin, size_t end)
{
    const noise_job *job = user;

    for (int y = job->out->box.top + (int)begin; y < job->out->box.top + (int)end; y++)
        noise_row(job, y);
}

static void effects_noise(parallel_pool *pool, const effect_noise *noise, const uint *words, const effect_image *out)
{
    noise_job job = {noise, words, out};
    share_rows(pool, out->box, noise_rows, &job);
}
