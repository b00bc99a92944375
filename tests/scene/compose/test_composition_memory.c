/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A composition that lacks memory says so, and has the stream that it had. The linker puts the allocations of this
 * program in place of the C library's (cmake/tests.cmake); each of them fails once. */
#include "pietra/pietra_instance.h"
#include "scene/scene_fixture.h"

#define INSTANCES 300u /* some arrays grow more than once */

static uint32_t allocations, failing; /* number of the allocation that fails; 0: none */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    return ++allocations == failing ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return ++allocations == failing ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return ++allocations == failing ? NULL : __real_realloc(block, size);
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    return ++allocations == failing ? 12 : __real_posix_memalign(block, alignment, size);
}

/* Shows a rectangle, and then many streams, while an allocation fails. Returns whether there was no such allocation. */
static bool try_set(pietra_stream *const *streams, uint32_t number)
{
    pietra_composition *composition = pietra_composition_create();
    pietra_instance instances[INSTANCES] = {{.stream = streams[0], .id = 7}};
    const pietra_stream *had, *made = NULL;
    assert_non_null(composition);
    ASSERT_OK(pietra_composition_set(composition, instances, 1, error, &had));
    const uint64_t id = stream_id(had);
    pietra_color colors[INSTANCES];
    for (uint32_t i = 0; i < INSTANCES; i++) {
        colors[i] = (pietra_color){(float)(i % 256) / 255, i < 256, 0, 1};
        instances[i] = (pietra_instance){
            .stream = streams[i], .transparency = 0.5f, .slots = &colors[i], .slot_count = 1, .id = 8};
    }
    allocations = 0;
    failing = number;
    const pietra_result result = pietra_composition_set(composition, instances, INSTANCES, NULL, &made);
    const bool is_done = allocations < number;
    failing = 0;
    pietra_composed composed;
    assert_true(pietra_composition_find(composition, 0, &composed));
    if (is_done) {
        assert_int_equal(result, PIETRA_OK);
        assert_int_equal(composed.id, 8);
    } else {
        assert_int_equal(result, PIETRA_ERROR_MEMORY);
        assert_int_equal(stream_id(had), id);
        assert_int_equal(composed.id, 7);
        ASSERT_OK(pietra_composition_set(composition, instances, INSTANCES, error, &made));
    }
    assert_int_equal(view_of(made).header->element_count, 3 * INSTANCES);
    pietra_composition_destroy(composition);
    return is_done;
}

static void test_each_allocation(void **state)
{
    (void)state;
    pietra_stream *streams[INSTANCES];
    pietra_paint ink = RED;
    ink.slot = 1;
    for (uint32_t i = 0; i < INSTANCES; i++) {
        pietra_scene *scene = new_scene();
        fill(scene, "R 1 1 3 3", &ink);
        streams[i] = encode_and_destroy(scene);
    }
    uint32_t number = 1;
    while (!try_set(streams, number))
        number++;
    assert_in_range(number, 10, 200);
    failing = 1;
    allocations = 0;
    assert_null(pietra_composition_create());
    failing = 0;
    for (uint32_t i = 0; i < INSTANCES; i++)
        pietra_stream_destroy(streams[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
