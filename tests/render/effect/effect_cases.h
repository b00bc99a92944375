/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Cases for every function of stage 11, with parameters of all kinds. */
#ifndef PIETRA_TESTS_EFFECT_CASES_H
#define PIETRA_TESTS_EFFECT_CASES_H

#include "render/effect/effect_fixture.h"

/* What a case runs on. The inputs have boxes of their own. */
typedef struct effect_case {
    effect_image in, in2;
    effect_box region;
    uint64_t seed; /* of the parameters */
} effect_case;

typedef void run_function(const effect_functions *f, parallel_pool *pool, const effect_case *given,
                          const effect_image *out);

typedef struct effect_case_kind {
    const char *name;
    run_function *run;
    uint32_t count; /* of cases */
    bool blurs;
} effect_case_kind;

extern const effect_case_kind effect_case_kinds[];
extern const size_t effect_case_kind_count;

/* Makes a small case of a kind, and a box for what it makes, which may be empty. effect_case_free frees it. */
effect_case effect_case_small(size_t kind, uint32_t number, effect_box *box);
/* Makes the case of a kind whose image is worked on in several blocks: those of odd numbers are tall, and a level of
 * theirs has tiles on no edge. */
effect_case effect_case_large(uint32_t number, effect_box *box);
void effect_case_free(effect_case *given);

/* Returns a part of a box that is not empty. */
effect_box effect_case_piece(effect_box box, uint64_t *seed);

#endif
