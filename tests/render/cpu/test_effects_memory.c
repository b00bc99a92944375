/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Functions of stage 11 that allocate take no more than they say, report it when there is no memory, and keep none
 * (the sanitizers tell). The linker puts the allocations of this program in place of the C library's
 * (cmake/tests.cmake); each of them fails once. */
#include "render/effect/effect_fixture.h"

#include "render/cpu/effects.h"
#include "render/effect/prepare.h"
#include "render/reference/effect_reference.h"

static uint32_t allocations, failing; /* number of the allocation that fails; 0: none */
static size_t allocated;              /* bytes */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    allocated += size;
    return ++allocations == failing ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocated += count * size;
    return ++allocations == failing ? NULL : __real_calloc(count, size);
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    allocated += size;
    return ++allocations == failing ? 12 : __real_posix_memalign(block, alignment, size);
}

typedef bool run_function(const effect_functions *f, uint32_t edge, effect_box region, const effect_image *in,
                          const effect_image *out);

static bool run_blur(const effect_functions *f, uint32_t edge, effect_box region, const effect_image *in,
                     const effect_image *out)
{
    effect_blur blur;
    effect_blur_of(13, 70, edge, &blur);
    return f->blur(NULL, &blur, region, in, out);
}

static bool run_extreme(const effect_functions *f, uint32_t edge, effect_box region, const effect_image *in,
                        const effect_image *out)
{
    effect_extreme extreme = {3, edge == EFFECT_EDGE_NONE ? 0 : 2, 1};
    (void)region;
    return f->extreme(NULL, &extreme, in, out);
}

/* Returns how many allocations the function makes. */
static uint32_t check(run_function *run, const effect_functions *f, uint32_t edge)
{
    effect_box box = {-30, -20, 60, 50};
    effect_image in = random_image(box, 1), out = new_image(box);
    uint32_t needed;

    allocations = failing = 0;
    assert_true(run(f, edge, box, &in, &out));
    needed = allocations;
    for (uint32_t i = 1; i <= needed; i++) {
        allocations = 0;
        failing = i;
        assert_false(run(f, edge, box, &in, &out));
        failing = 0;
    }
    free_image(&in);
    free_image(&out);
    return needed;
}

static void test_no_memory(void **state)
{
    const effect_functions *devices[] = {effect_reference(), effect_cpu()};

    (void)state;
    for (int i = 0; i < 2; i++)
        for (uint32_t edge = EFFECT_EDGE_NONE; edge <= EFFECT_EDGE_WRAP; edge++) {
            assert_true(check(run_blur, devices[i], edge) > 2);
            assert_true(check(run_extreme, devices[i], edge) > 0);
        }
}

/* What a call frees is not subtracted. */
static void test_bytes(void **state)
{
    static const double sigmas[][2] = {{2, 2}, {5, 5}, {9, 0}, {0, 30}, {40, 6}, {300, 300}};
    effect_box box = {-30, -20, 700, 500};
    effect_image in = random_image(box, 1), out = new_image(box);
    size_t most = 3 * 2 * 4 * sizeof(uint16_t) * box_width(box) * box_height(box) + (1 << 20);

    (void)state;
    for (size_t i = 0; i < sizeof sigmas / sizeof sigmas[0]; i++)
        for (uint32_t edge = EFFECT_EDGE_NONE; edge <= EFFECT_EDGE_DUPLICATE; edge++) {
            effect_blur blur;
            effect_blur_of(sigmas[i][0], sigmas[i][1], edge, &blur);
            allocated = 0;
            assert_true(effect_cpu()->blur(NULL, &blur, box, &in, &out));
            assert_true(allocated <= most);
        }
    for (int radius = 1; radius < 2000; radius *= 3) {
        effect_extreme extreme = {radius, radius, 1};
        allocated = 0;
        assert_true(effect_cpu()->extreme(NULL, &extreme, &in, &out));
        assert_true(allocated <= most);
    }
    free_image(&in);
    free_image(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_memory), cmocka_unit_test(test_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
