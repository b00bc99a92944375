/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The part of cmocka that the tests of the CPU device's kernels and the fixture of scenes need, for processors without
 * cmocka: see .ci/cross. The first failure ends the program. */
#ifndef PIETRA_TESTS_CROSS_CMOCKA_H
#define PIETRA_TESTS_CROSS_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};

#define cmocka_unit_test(function) \
    { \
        #function, function \
    }

#define fail_msg(...) \
    do { \
        printf(__VA_ARGS__); \
        printf("\n"); \
        exit(1); \
    } while (0)

#define assert_true(condition) \
    do { \
        if (!(condition)) { \
            fail_msg("%s:%d: %s", __FILE__, __LINE__, #condition); \
        } \
    } while (0)

#define assert_non_null(pointer) assert_true((pointer) != NULL)
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_int_equal(a, b) assert_true((long long)(a) == (long long)(b))

static inline int cross_run_tests(const struct CMUnitTest *tests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *state = NULL;
        tests[i].run(&state);
        printf("passed: %s\n", tests[i].name);
    }
    return 0;
}

#define cmocka_run_group_tests(tests, setup, teardown) cross_run_tests(tests, sizeof(tests) / sizeof *(tests))

#endif
