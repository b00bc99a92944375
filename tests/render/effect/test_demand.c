/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pieces of results have the bytes of the whole, from no more of the input than their demand; what lies outside it is
 * other texels. (For blurs: test_blur.c.) */
#include "render/effect/effect_fixture.h"

#include "render/effect/prepare.h"
#include "render/reference/effect_reference.h"

static const effect_box BOX = {-19, -13, 24, 31};

/* A primitive with its parameters. */
typedef struct primitive {
    const char *name;
    effect_offset offset;
    effect_extreme extreme;
    effect_convolution convolution;
    const float *kernel;
    effect_displacement displacement;
    effect_light light;
    effect_box region;
    effect_image map;
    effect_box (*demand)(const struct primitive *primitive, effect_box out);
    void (*run)(const struct primitive *primitive, const effect_image *in, const effect_image *out);
} primitive;

static effect_box demand_of_offset(const primitive *p, effect_box out)
{
    return effect_demand_of_offset(p->offset, out);
}

static void run_offset(const primitive *p, const effect_image *in, const effect_image *out)
{
    effect_reference()->offset(NULL, p->offset, in, out);
}

static effect_box demand_of_extreme(const primitive *p, effect_box out)
{
    return effect_demand_of_extreme(&p->extreme, out);
}

static void run_extreme(const primitive *p, const effect_image *in, const effect_image *out)
{
    assert_true(effect_reference()->extreme(NULL, &p->extreme, in, out));
}

static effect_box demand_of_convolution(const primitive *p, effect_box out)
{
    return effect_demand_of_convolution(&p->convolution, p->region, out);
}

static void run_convolution(const primitive *p, const effect_image *in, const effect_image *out)
{
    assert_true(effect_reference()->convolve(NULL, &p->convolution, p->kernel, p->region, in, out));
}

static effect_box demand_of_displacement(const primitive *p, effect_box out)
{
    return effect_demand_of_displacement(&p->displacement, out);
}

static void run_displacement(const primitive *p, const effect_image *in, const effect_image *out)
{
    effect_reference()->displace(NULL, &p->displacement, in, &p->map, out);
}

static effect_box demand_of_light(const primitive *p, effect_box out)
{
    return effect_demand_of_light(p->region, out);
}

static void run_light(const primitive *p, const effect_image *in, const effect_image *out)
{
    effect_reference()->light(NULL, &p->light, p->region, in, out);
}

static effect_box piece_of(effect_box box, uint64_t *seed)
{
    effect_box piece = box;
    piece.left += (int)random_below(seed, (uint32_t)box_width(box));
    piece.top += (int)random_below(seed, (uint32_t)box_height(box));
    piece.right = piece.left + 1 + (int)random_below(seed, (uint32_t)(box.right - piece.left));
    piece.bottom = piece.top + 1 + (int)random_below(seed, (uint32_t)(box.bottom - piece.top));
    return piece;
}

static void check(const primitive *p, const effect_image *in, uint64_t *seed)
{
    effect_image whole = new_image(effect_box_grow(BOX, 5, 5));

    p->run(p, in, &whole);
    for (int i = 0; i < 12; i++) {
        effect_image out = new_image(piece_of(whole.box, seed));
        effect_image cut = poisoned_image(in, p->demand(p, out.box), *seed);
        p->run(p, &cut, &out);
        assert_same_texels(&out, &whole, out.box, p->name);
        free_image(&out);
        free_image(&cut);
    }
    free_image(&whole);
}

static void test_demands(void **state)
{
    static const double numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, last = 3, none = 0;
    effect_image in = random_image(BOX, 1);
    uint64_t seed = 2;

    (void)state;
    for (uint32_t kind = 0; kind < 24; kind++) {
        primitive p = {.region = kind % 2 ? BOX : effect_box_grow(BOX, -4, 3), .map = random_image(BOX, kind)};
        float turned[12];
        if (kind < 4) {
            p.name = "offset";
            p.demand = demand_of_offset;
            p.run = run_offset;
            effect_offset_of(kind * 2.5 - 7, 4 - kind * 1.25, &p.offset);
        } else if (kind < 8) {
            p.name = "extreme";
            p.demand = demand_of_extreme;
            p.run = run_extreme;
            effect_extreme_of(kind - 3, 2 * kind - 8, kind % 2, &p.extreme);
        } else if (kind < 16) {
            effect_kernel kernel = {.columns = 4, .rows = 3, .numbers = numbers, .count = 12, .edge = kind % 3};
            kernel.target_x = kind < 12 ? NULL : kind % 2 ? &last : &none;
            p.name = "convolution";
            p.demand = demand_of_convolution;
            p.run = run_convolution;
            p.kernel = turned;
            kernel.preserves_alpha = kind % 4 == 1;
            kernel.bias = 0.25;
            assert_int_equal(effect_convolution_of(&kernel, &p.convolution, turned), EFFECT_RUNS);
        } else if (kind < 20) {
            p.name = "displacement";
            p.demand = demand_of_displacement;
            p.run = run_displacement;
            effect_displacement_of(7.5 * kind - 140, 3, kind % 4, 3, &p.displacement);
        } else {
            effect_lamp lamp = {.kind = EFFECT_LIGHT_POINT, .constant = 1, .surface_scale = 3, .r = 255, .z = 20};
            p.name = "light";
            p.demand = demand_of_light;
            p.run = run_light;
            effect_light_of(&lamp, &p.light);
        }
        check(&p, &in, &seed);
        free_image(&p.map);
    }
    free_image(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_demands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
