/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a document may ask for and what it has taken so far. limits.def lists the limits. The limit `steps` bounds the
 * cost of the work, and steps.def lists the costs.
 *
 * The outermost document owns the budget. Documents in its images and files that it uses share the budget. Only the
 * thread that loads takes from it. */
#ifndef PIETRA_SVG_TREE_BUDGET_H
#define PIETRA_SVG_TREE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "pietra/pietra.h"

typedef enum svg_limit {
#define LIMIT(name, value, thousandths, text) SVG_LIMIT_##name,
#include "svg/tree/limits.def"
#undef LIMIT
    SVG_LIMIT_COUNT,
} svg_limit;

/* The costs, in thousandths of a step. */
enum {
#define STEP(name, thousandths, text) SVG_STEP_##name = (thousandths),
#include "svg/tree/steps.def"
#undef STEP
};

typedef struct svg_budget {
    uint64_t most[SVG_LIMIT_COUNT];
    uint64_t granted[SVG_LIMIT_COUNT]; /* added to `most` for what the document itself pays for */
    uint64_t taken[SVG_LIMIT_COUNT];   /* sums for the limits that are counted, except steps */
    uint64_t spent, most_spent;        /* thousandths of a step */
    bool is_refused;                   /* a limit refused an amount */
    svg_limit refused;                 /* the limit that refused last */
    /* These errors are found where no error can be returned. The code that reads or walks the document asks for them by
     * svg_budget_check at every node and before it uses the result. */
    bool lacks_memory;
    bool is_exceeded;
    svg_limit exceeded; /* the first limit that was exceeded */
} svg_budget;

/* A limit of 0 means the default. */
void svg_budget_init(svg_budget *budget, const pietra_svg_limits *limits);
/* Counts `amount` more, and spends its cost in steps. Returns false if this exceeds the limit or the limit of steps;
 * nothing is taken then, and `refused` is the limit that was exceeded. */
bool svg_budget_take(svg_budget *budget, svg_limit which, uint64_t amount);
/* Notes that memory has run out, for svg_budget_check. */
void svg_budget_lack_memory(svg_budget *budget);
/* Notes that a limit is exceeded, for svg_budget_check. */
void svg_budget_exceed(svg_budget *budget, svg_limit which);
/* Counts `amount` more. If a limit is exceeded, returns false and records it for svg_budget_check. */
bool svg_budget_charge(svg_budget *budget, svg_limit which, uint64_t amount);
uint64_t svg_budget_left(const svg_budget *budget, svg_limit which);
/* Returns what is left, but no more than the remaining steps can pay for. */
uint64_t svg_budget_affordable(const svg_budget *budget, svg_limit which);
/* Spends `count` times `thousandths` of a step. If too few steps are left, returns false and records it for
 * svg_budget_check; `refused` is then the limit of steps. */
bool svg_budget_spend(svg_budget *budget, uint64_t thousandths, uint64_t count);
/* Returns PIETRA_ERROR_INPUT. The message names the limit, its value and the option that changes it. */
pietra_result svg_budget_error(const svg_budget *budget, svg_limit which, pietra_error *error, uint32_t line);
/* Returns what was recorded: PIETRA_ERROR_MEMORY, the error of the limit, or PIETRA_OK. */
pietra_result svg_budget_check(const svg_budget *budget, pietra_error *error, uint32_t line);
#endif
