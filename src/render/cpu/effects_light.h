/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 light: feDiffuseLighting and feSpecularLighting, in rows of alphas. Part of effects_body.h. */

typedef struct light_job {
    const effect_light *light;
    effect_box region;
    const effect_image *in, *out;
} light_job;

/* Alphas of a block of a row, from the texel on its left to that on its right. */
typedef int16_t alpha_row[BLOCK + 2];

static void copy_alphas(const effect_image *in, int x, int y, uint count, alpha_row to)
{
    uint16_t copies[4 * (BLOCK + 2)];
    const uint16_t *row = row_texels(in, x - 1, y, count + 2, copies);

    for (uint i = 0; i < count + 2; i++)
        to[i] = (int16_t)row[4 * i + 3];
}

/* Lights a block inside the region. */
static void light_block(const light_job *job, int x, int y, uint count, uint16_t *to)
{
    effect_box region = job->region;
    alpha_row above, here, below;

    copy_alphas(job->in, x, y - 1, count, above);
    copy_alphas(job->in, x, y, count, here);
    copy_alphas(job->in, x, y + 1, count, below);
    for (uint i = 0; i < count; i++) {
        effect_heights heights = {
            above[i],
            above[i + 1],
            above[i + 2],
            here[i],
            here[i + 1],
            here[i + 2],
            below[i],
            below[i + 1],
            below[i + 2],
            x + (int)i > region.left,
            x + (int)i + 1 < region.right,
            y > region.top,
            y + 1 < region.bottom,
        };
        texel_to(to + 4 * i, effect_lit(*job->light, heights, x + (int)i, y));
    }
}

static void light_rows(void *user, size_t begin, size_t end)
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
    share_rows(pool, out->box, light_rows, &job);
}
