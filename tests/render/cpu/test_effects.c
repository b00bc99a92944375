/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Every function of stage 11 writes the reference's bytes with each instruction set of this machine, with one thread
 * and with several, whole and in pieces. */
#include "render/effect/effect_cases.h"

#include "render/cpu/effects.h"
#include "render/reference/effect_reference.h"

static void check_case(run_function *run, const char *name, const effect_case *given, effect_box box,
                       parallel_pool *const pools[2])
{
    uint64_t seed = given->seed + 1;
    effect_image right = new_image(box);
    bool end = false;

    run(effect_reference(), NULL, given, &right);
    assert_premultiplied(&right, name);
    for (uint32_t set = 0; !end; set++) {
        const effect_functions *f = effect_cpu_at(set, &end);
        for (int i = 0; f && i < 4; i++) {
            char what[80];
            effect_image out =
                random_image(i == 0 || effect_box_is_empty(box) ? box : effect_case_piece(box, &seed), 1);
            snprintf(what, sizeof what, "%s, %s, seed %llu", name, f->name, (unsigned long long)given->seed);
            run(f, pools[i % 2], given, &out);
            assert_same_texels(&out, &right, out.box, what);
            free_image(&out);
        }
    }
    free_image(&right);
}

static void test_small(void **state)
{
    parallel_pool *const pools[] = {NULL, parallel_pool_create(3)};

    (void)state;
    assert_non_null(pools[1]);
    for (size_t i = 0; i < effect_case_kind_count; i++)
        for (uint32_t k = 0; k < effect_case_kinds[i].count; k++) {
            effect_box box;
            effect_case given = effect_case_small(i, k, &box);
            check_case(effect_case_kinds[i].run, effect_case_kinds[i].name, &given, box, pools);
            effect_case_free(&given);
        }
    parallel_pool_destroy(pools[1]);
}

/* Images that are worked on in several blocks, strips and pieces. */
static void test_large(void **state)
{
    parallel_pool *const pools[] = {NULL, parallel_pool_create(3)};

    (void)state;
    assert_non_null(pools[1]);
    for (size_t i = 0; i < effect_case_kind_count; i++)
        for (uint32_t k = 0; k < (effect_case_kinds[i].blurs ? 8 : 1); k++) {
            effect_box box;
            effect_case given = effect_case_large(k, &box);
            check_case(effect_case_kinds[i].run, effect_case_kinds[i].name, &given, box, pools);
            effect_case_free(&given);
        }
    parallel_pool_destroy(pools[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_large)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
