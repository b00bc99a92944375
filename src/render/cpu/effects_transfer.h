/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* feComponentTransfer. Part of effects_body.h. */

#define VALUES_IN_LANES 32768u /* of a table at most, so that products of its places fit lanes */

typedef struct transfer_job {
    const effect_transfer *transfer;
    const float *values;
} transfer_job;

/* Does log2_of (shaders/lib/power.h). */
INLINE wide_float logarithms_of(wide_float x)
{
    wide_uint bits = (wide_uint)x - 0x3f3504f3u;
    wide_float exponent = __builtin_convertvector((wide_int)bits >> 23, wide_float);
    wide_float m = (wide_float)((bits & 0x7fffffu) + 0x3f3504f3u);
    wide_float t = (m - 1.0f) * reciprocals_of(m + 1.0f), square = t * t;
    wide_float series = 0.3205989f * square + 0.41219859f;
    series = series * square + 0.57707802f;
    series = series * square + 0.96179669f;
    series = series * square * t + 2.885390082f * t;
    return series + exponent;
}

/* Does exp2_of. */
INLINE wide_float exponentials_of(wide_float x)
{
    wide_float kept = held(x, splat_float(-100.0f), splat_float(60.0f)), biased = kept + 0.5f;
    wide_int whole = __builtin_convertvector(biased, wide_int);
    whole += __builtin_convertvector(whole, wide_float) > biased;
    wide_float f = kept - __builtin_convertvector(whole, wide_float);
    wide_float series = EXP2_6 * f + EXP2_5;
    series = series * f + EXP2_4;
    series = series * f + EXP2_3;
    series = series * f + EXP2_2;
    series = series * f + EXP2_1;
    series = series * f + 1.0f;
    return series * (wide_float)((wide_uint)(whole + 127) << 23);
}

/* Does power. */
INLINE wide_float powers_of(wide_float base, wide_float exponent)
{
    wide_float power = exponentials_of(exponent * logarithms_of(base));
    wide_float of_zero = choose_floats(exponent > 0.0f, (wide_float){0}, splat_float(0x1p60f));
    power = choose_floats(base < 1.2e-38f, of_zero, power);
    return choose_floats(exponent == 0.0f, splat_float(1.0f), power);
}

/* Returns the numbers of a table at places. */
INLINE wide_float values_at(const float *values, wide_uint places)
{
#if defined(__AVX512BW__)
    return (wide_float)_mm512_i32gather_ps((__m512i)places, values, 4);
#elif defined(__AVX2__)
    return (wide_float)_mm256_i32gather_ps(values, (__m256i)places, 4);
#else
    wide_float found = {0};
    for (uint i = 0; i < WIDE; i++)
        found[i] = values[places[i]];
    return found;
#endif
}

/* Channels with what they are divided by to become straight, and its inverse. */
typedef struct straight_channels {
    wide_uint channel, whole;
    wide_float inverse;
} straight_channels;

/* Does effect_table_value. */
INLINE wide_float table_values(effect_function function, const float *values, straight_channels c)
{
    wide_uint last = splat(function.count - 1), scaled = product_of(c.channel, last);
    wide_uint k = least_of(quotients_of(scaled, c.whole, c.inverse), last);
    wide_float value = values_at(values, function.first + k);
    wide_float next = values_at(values, function.first + least_of(k + 1, last));
    wide_float fraction = to_floats(scaled - product_of(k, c.whole)) * c.inverse;
    return choose_floats(k < last, value + fraction * (next - value), value);
}

INLINE wide_float discrete_values(effect_function function, const float *values, straight_channels c)
{
    wide_uint scaled = product_of(c.channel, splat(function.count - 1)) + c.channel;
    wide_uint k = least_of(quotients_of(scaled, c.whole, c.inverse), splat(function.count - 1));
    return values_at(values, function.first + k);
}

/* Does effect_function_value. */
INLINE wide_float function_values(effect_function function, const float *values, straight_channels c)
{
    wide_float value = to_floats(c.channel) * c.inverse;
    switch (function.type) {
    case EFFECT_TABLE:
        value = table_values(function, values, c);
        break;
    case EFFECT_DISCRETE:
        value = discrete_values(function, values, c);
        break;
    case EFFECT_LINEAR:
        value = function.slope * value + function.intercept;
        break;
    case EFFECT_GAMMA:
        value = function.amplitude * powers_of(value, splat_float(function.exponent)) + function.offset;
        break;
    default:
        break;
    }
    return held(value, splat_float(0), splat_float(1));
}

static void transfer_block(const void *parameters, const uint16_t *in, const uint16_t *in2, uint16_t *out, uint count)
{
    const transfer_job *job = parameters;
    const effect_transfer transfer = *job->transfer;
    const wide_float inverse_one = reciprocals_of(splat_float((float)EFFECT_ONE));

    (void)in2;
    for (uint x = 0; x < count; x += WIDE) {
        planes texels = load_planes(in + 4 * x);
        wide_uint whole = texels.a - (wide_uint)(texels.a == 0);
        wide_float inverse = reciprocals_of(to_floats(whole));
        float_planes made = {
            function_values(transfer.r, job->values, (straight_channels){texels.r, whole, inverse}),
            function_values(transfer.g, job->values, (straight_channels){texels.g, whole, inverse}),
            function_values(transfer.b, job->values, (straight_channels){texels.b, whole, inverse}),
            function_values(transfer.a, job->values, (straight_channels){texels.a, splat(EFFECT_ONE), inverse_one})};
        store_planes(out + 4 * x, premultiplied_planes(made));
    }
}

static void long_transfer_block(const void *parameters, const uint16_t *in, const uint16_t *in2, uint16_t *out,
                                uint count)
{
    const transfer_job *job = parameters;

    (void)in2;
    for (uint x = 0; x < count; x++)
        texel_to(out + 4 * x, effect_texel_transfer(job->values, *job->transfer, texel_from(in + 4 * x)));
}

static void effects_transfer(parallel_pool *pool, const effect_transfer *transfer, const float *values,
                             const effect_image *in, const effect_image *out)
{
    uint longest =
        uint_max(uint_max(transfer->r.count, transfer->g.count), uint_max(transfer->b.count, transfer->a.count));
    transfer_job job = {transfer, values};

    run_blocks(pool, longest < VALUES_IN_LANES ? transfer_block : long_transfer_block, &job, in, NULL, out);
}
