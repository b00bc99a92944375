/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* feComponentTransfer. Each type of function that a channel has is computed for all channels, and each channel takes
 * what its own type gives. Part of effects_body.h. */

#define LANE_VALUES_MOST 32768u /* of a table, so that products of its places fit lanes */

typedef struct transfer_job {
    const effect_transfer *transfer;
    const float *values;
    bool has[EFFECT_GAMMA + 1]; /* types */
    /* For each channel: the mask of each type, and the parameters. */
    wide_int is[EFFECT_GAMMA + 1];
    wide_uint first, last;
    wide_float slope, intercept, amplitude, exponent, offset;
} transfer_job;

#define FUNCTIONS(field) FOR_TEXELS(transfer->r.field, transfer->g.field, transfer->b.field, transfer->a.field)
#define IS_TYPE(function, number) (transfer->function.type == (number) ? -1 : 0)

static void prepare_transfer(const effect_transfer *transfer, const float *values, transfer_job *job)
{
    job->transfer = transfer;
    job->values = values;
    for (uint type = 0; type <= EFFECT_GAMMA; type++) {
        job->is[type] = (wide_int){FOR_TEXELS(IS_TYPE(r, type), IS_TYPE(g, type), IS_TYPE(b, type), IS_TYPE(a, type))};
        job->has[type] = any_lane((wide_uint)job->is[type]);
    }
    job->first = (wide_uint){FUNCTIONS(first)};
    job->last = (wide_uint){FUNCTIONS(count)} - 1;
    job->slope = (wide_float){FUNCTIONS(slope)};
    job->intercept = (wide_float){FUNCTIONS(intercept)};
    job->amplitude = (wide_float){FUNCTIONS(amplitude)};
    job->exponent = (wide_float){FUNCTIONS(exponent)};
    job->offset = (wide_float){FUNCTIONS(offset)};
}

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
    wide_float series = 0.00015403530f * f + 0.00133335581f;
    series = series * f + 0.00961812911f;
    series = series * f + 0.05550410866f;
    series = series * f + 0.24022650696f;
    series = series * f + 0.69314718056f;
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

/* Does effect_table_value. What no table has reads the first number. */
INLINE wide_float table_values(const transfer_job *job, wide_uint channels, wide_uint wholes, wide_float inverse)
{
    wide_uint last = job->last & (wide_uint)job->is[EFFECT_TABLE], scaled = product_of(channels, last);
    wide_uint k = quotients_of(scaled, wholes);
    wide_uint place = choose(job->is[EFFECT_TABLE], job->first + least_of(k, last), (wide_uint){0});
    wide_float value = values_at(job->values, place);
    wide_float next = values_at(job->values, place - (wide_uint)(k < last));
    wide_float fraction = to_floats(scaled - product_of(k, wholes)) * inverse;
    return choose_floats(k < last, value + fraction * (next - value), value);
}

INLINE wide_float discrete_values(const transfer_job *job, wide_uint channels, wide_uint wholes)
{
    wide_uint last = job->last & (wide_uint)job->is[EFFECT_DISCRETE];
    wide_uint k = least_of(quotients_of(product_of(channels, last) + channels, wholes), last);
    return values_at(job->values, choose(job->is[EFFECT_DISCRETE], job->first + k, (wide_uint){0}));
}

/* Does effect_texel_transfer. */
INLINE wide_uint transfer_texels(const transfer_job *job, wide_uint texels)
{
    wide_uint alphas = alphas_of(texels), wholes = alphas - (wide_uint)(alphas == 0);
    wholes = choose((wide_int){FOR_TEXELS(0, 0, 0, -1)}, (wide_uint)splat_word(EFFECT_ONE), wholes);
    wide_float inverse = reciprocals_of(to_floats(wholes)), straight = to_floats(texels) * inverse, value = straight;
    if (job->has[EFFECT_TABLE])
        value = choose_floats(job->is[EFFECT_TABLE], table_values(job, texels, wholes, inverse), value);
    if (job->has[EFFECT_DISCRETE])
        value = choose_floats(job->is[EFFECT_DISCRETE], discrete_values(job, texels, wholes), value);
    if (job->has[EFFECT_LINEAR])
        value = choose_floats(job->is[EFFECT_LINEAR], job->slope * straight + job->intercept, value);
    if (job->has[EFFECT_GAMMA])
        value = choose_floats(job->is[EFFECT_GAMMA], job->amplitude * powers_of(straight, job->exponent) + job->offset,
                              value);
    return premultiplied_texels(held(value, (wide_float){0}, splat_float(1.0f)));
}

static void transfer_block(const void *parameters, const uint16_t *in, const uint16_t *in2, uint16_t *out, uint count)
{
    const transfer_job job = *(const transfer_job *)parameters;

    (void)in2;
    for (uint x = 0; x < count; x += WIDE_TEXELS)
        store_texels(out + 4 * x, transfer_texels(&job, load_texels(in + 4 * x)));
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
    transfer_job job;

    prepare_transfer(transfer, values, &job);
    run_blocks(pool, longest < LANE_VALUES_MOST ? transfer_block : long_transfer_block, &job, in, NULL, out);
}
