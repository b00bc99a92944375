/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* By day tests take the sizes at which something changes, and at night all of them. Under sanitizers, which make a test
 * five times as slow and more, the longest tests take fewer still: the release runs the others. */
#ifndef PIETRA_TESTS_ALL_SIZES_H
#define PIETRA_TESTS_ALL_SIZES_H

#include <stdbool.h>
#include <stdlib.h>

/* PIETRA_TEST_ALL_SIZES is set for the tests that end in _all_sizes (cmake/tests.cmake). */
static inline bool all_sizes(void)
{
    return getenv("PIETRA_TEST_ALL_SIZES") != NULL;
}

/* PIETRA_SANITIZED is set for tests under sanitizers. */
static inline bool few_cases(void)
{
    return !all_sizes() && getenv("PIETRA_SANITIZED") != NULL;
}

#endif
