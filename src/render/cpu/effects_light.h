/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 light: feDiffuseLighting and feSpecularLighting, of many texels at a time. Names are those of
 * shaders/lib/effect_light.h. Part of effects_body.h. */

typedef struct light_job {
    const effect_light *light;
    effect_box region;
    const effect_image *in, *out;
} light_job;

typedef struct vectors {
    wide_float x, y, z;
} vectors;

/* Alphas of three rows of a block, from the texel on its left on. */
typedef struct light_rows {
    int32_t above[BLOCK + 2 * BLOCK_STEP], here[BLOCK + 2 * BLOCK_STEP], below[BLOCK + 2 * BLOCK_STEP];
    bool has_above, has_below;
} light_rows;

static void copy_alphas(const effect_image *in, int x, int y, uint count, int32_t *to)
{
    uint16_t copies[4 * (BLOCK + 2 * BLOCK_STEP)];
    const uint16_t *row = row_texels(in, x, y, count, copies);

    for (uint i = 0; i < count; i++)
        to[i] = row[4 * i + 3];
}

INLINE wide_float dots_of(vectors a, vectors b)
{
    wide_float sum = a.x * b.x + a.y * b.y;
    return sum + a.z * b.z;
}

INLINE vectors units_of(vectors v)
{
    wide_float square = dots_of(v, v);
    wide_float inverse = choose_floats(square < 1.0e-12f, splat_float(0), reciprocal_roots_of(square));
    return (vectors){v.x * inverse, v.y * inverse, v.z * inverse};
}

/* Does effect_normal for the texels from i of a block on that have neighbours on both sides. */
INLINE vectors normals_of(const effect_light *light, const light_rows *rows, uint i)
{
    bool has_above = rows->has_above, has_below = rows->has_below;
    wide_int left = load_words((const uint32_t *)rows->here + i),
             right = load_words((const uint32_t *)rows->here + i + 2);
    wide_int here = load_words((const uint32_t *)rows->here + i + 1), above = here, below = here;
    wide_int above_left = left, above_right = right, below_left = left, below_right = right;
    wide_int across = 2 * (right - left);
    if (has_above) {
        above_left = load_words((const uint32_t *)rows->above + i);
        above = load_words((const uint32_t *)rows->above + i + 1);
        above_right = load_words((const uint32_t *)rows->above + i + 2);
        across += above_right - above_left;
    }
    if (has_below) {
        below_left = load_words((const uint32_t *)rows->below + i);
        below = load_words((const uint32_t *)rows->below + i + 1);
        below_right = load_words((const uint32_t *)rows->below + i + 2);
        across += below_right - below_left;
    }
    across *= has_above && has_below ? 15 : has_above || has_below ? 20 : 30;
    wide_int down = (below_left - above_left) + 2 * (below - above) + (below_right - above_right);
    down *= has_above && has_below ? 15 : 30;
    float scale = light->surface_scale * (-1.0f / (60.0f * 32640.0f));
    return units_of((vectors){in_planes(to_floats((wide_uint)across) * scale),
                              in_planes(to_floats((wide_uint)down) * scale), splat_float(1)});
}

INLINE vectors towards_light_of(const effect_light *light, wide_float x, float y, wide_float height)
{
    if (light->kind == EFFECT_LIGHT_DISTANT)
        return (vectors){splat_float(light->x), splat_float(light->y), splat_float(light->z)};
    return units_of((vectors){light->x - (x + 0.5f), splat_float(light->y - (y + 0.5f)),
                              light->z - light->surface_scale * (height * (1.0f / 32640.0f))});
}

INLINE wide_float spots_of(const effect_light *light, vectors towards_light)
{
    vectors axis = {splat_float(light->spot_x), splat_float(light->spot_y), splat_float(light->spot_z)};
    if (light->kind != EFFECT_LIGHT_SPOT)
        return splat_float(1);
    wide_float cosine = -dots_of(towards_light, axis);
    wide_int dark = (cosine <= 0.0f) | (cosine < light->spot_cosine);
    return choose_floats(dark, splat_float(0), powers_of(cosine, splat_float(light->spot_exponent)));
}

INLINE wide_float reflected_of(const effect_light *light, vectors normal, vectors towards_light)
{
    vectors half_way = towards_light;
    if (light->specular)
        half_way = units_of((vectors){towards_light.x, towards_light.y, towards_light.z + 1.0f});
    wide_float cosine = dots_of(normal, half_way), amount = cosine;
    if (light->specular)
        amount = powers_of(cosine, splat_float(light->exponent));
    return choose_floats(cosine <= 0.0f, splat_float(0), light->constant * amount);
}

/* Does effect_lit for WIDE texels that have neighbours on both sides. */
INLINE planes lit_planes(const effect_light *light, const light_rows *rows, int x, int y, uint i)
{
    wide_float columns = in_planes(to_floats((wide_uint)(lane_numbers() + (x + (int)i))));
    wide_float height = in_planes(to_floats((wide_uint)load_words((const uint32_t *)rows->here + i + 1)));
    vectors towards_light = towards_light_of(light, columns, (float)y, height);
    wide_float amount = reflected_of(light, normals_of(light, rows, i), towards_light);
    amount = amount * spots_of(light, towards_light) * 32640.0f;
    wide_float most = splat_float((float)EFFECT_ONE);
    planes made = {rounded(amount * light->r, most), rounded(amount * light->g, most), rounded(amount * light->b, most),
                   splat(EFFECT_ONE)};
    if (light->specular)
        made.a = most_of(made.r, most_of(made.g, made.b));
    return made;
}

/* Lights one texel, which may lie at an edge of the region. */
static void light_texel(const light_job *job, const light_rows *rows, int x, int y, uint i, uint16_t *to)
{
    effect_heights heights = {rows->above[i],       rows->above[i + 1],        rows->above[i + 2],
                              rows->here[i],        rows->here[i + 1],         rows->here[i + 2],
                              rows->below[i],       rows->below[i + 1],        rows->below[i + 2],
                              x > job->region.left, x + 1 < job->region.right, rows->has_above,
                              rows->has_below};
    texel_to(to, effect_lit(*job->light, heights, x, y));
}

/* Lights a block inside the region. */
static void light_block(const light_job *job, int x, int y, uint count, uint16_t *to)
{
    const effect_light light = *job->light;
    uint whole = (count + BLOCK_STEP - 1) & ~(BLOCK_STEP - 1), reach = whole + BLOCK_STEP;
    texel_block made;
    light_rows rows = {.has_above = y > job->region.top, .has_below = y + 1 < job->region.bottom};

    copy_alphas(job->in, x - 1, y - 1, reach, rows.above);
    copy_alphas(job->in, x - 1, y, reach, rows.here);
    copy_alphas(job->in, x - 1, y + 1, reach, rows.below);
    for (uint i = 0; i < whole; i += WIDE)
        store_planes(made.texels + 4 * i, lit_planes(&light, &rows, x, y, i));
    if (x == job->region.left)
        light_texel(job, &rows, x, y, 0, made.texels);
    if (x + (int)count == job->region.right)
        light_texel(job, &rows, x + (int)count - 1, y, count - 1, made.texels + 4 * (count - 1));
    memcpy(to, made.texels, 4 * count * sizeof *to);
}

static void light_image_rows(void *user, size_t begin, size_t end)
{
    const light_job *job = user;
    effect_box box = job->out->box, lit = effect_box_meet(box, job->region);

    for (int y = box.top + (int)begin; y < box.top + (int)end; y++) {
        memset(texel_at(job->out, box.left, y), 0, 4 * box_width(box) * sizeof(uint16_t));
        for (int x = lit.left; y >= lit.top && y < lit.bottom && x < lit.right; x += (int)BLOCK)
            light_block(job, x, y, uint_min(BLOCK, (uint)(lit.right - x)), texel_at(job->out, x, y));
    }
}

static void effects_light(parallel_pool *pool, const effect_light *light, effect_box region, const effect_image *in,
                          const effect_image *out)
{
    light_job job = {light, region, in, out};
    share_rows(pool, out->box, light_image_rows, &job);
}
