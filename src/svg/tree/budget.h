/* What a document may ask for, and what it has taken of it: the list in limits.def. What its work costs, which the
 * limit `steps` bounds: the list in steps.def.
 *
 * The outermost document owns the budget; documents in its images and files that it uses share it. Only the thread that
 * loads takes from it. */
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

/* In thousandths of a step. */
enum {
#define STEP(name, thousandths, text) SVG_STEP_##name = (thousandths),
#include "svg/tree/steps.def"
#undef STEP
};

typedef struct svg_budget {
    uint64_t most[SVG_LIMIT_COUNT];
    uint64_t granted[SVG_LIMIT_COUNT]; /* on top of that, for what the document itself pays for */
    uint64_t taken[SVG_LIMIT_COUNT];   /* of those that are counted in sum, but for steps: */
    uint64_t spent, most_spent;        /* thousandths of a step */
    bool is_refused;                   /* something could not be taken, */
    svg_limit refused;                 /* of this in the end */
    /* Found where no error can be returned: who reads or walks the document asks for it by svg_budget_check, at every
     * node and before the result is used. */
    bool lacks_memory;
    bool is_exceeded;
    svg_limit exceeded; /* the first of them */
} svg_budget;

/* A field that is 0 means the default. */
void svg_budget_init(svg_budget *budget, const pietra_svg_limits *limits);
/* Counts `amount` more, and spends its cost in steps. Returns false if this exceeds the limit or the limit of steps;
 * nothing is taken then, and `refused` is the limit that was exceeded. */
bool svg_budget_take(svg_budget *budget, svg_limit which, uint64_t amount);
/* Notes that memory has run out, for svg_budget_check. */
void svg_budget_lack_memory(svg_budget *budget);
/* Notes that a limit is exceeded, for svg_budget_check. */
void svg_budget_exceed(svg_budget *budget, svg_limit which);
/* Counts `amount` more. Returns false and records it if a limit is exceeded. */
bool svg_budget_charge(svg_budget *budget, svg_limit which, uint64_t amount);
uint64_t svg_budget_left(const svg_budget *budget, svg_limit which);
/* No more than the steps that are left can pay. */
uint64_t svg_budget_affordable(const svg_budget *budget, svg_limit which);
/* Spends `count` times so many thousandths of a step. Returns false and records it if there are too few steps left;
 * `refused` is then the limit of steps. */
bool svg_budget_spend(svg_budget *budget, uint64_t thousandths, uint64_t count);
/* PIETRA_ERROR_INPUT with a line that names the limit, its value and the option that changes it. */
pietra_result svg_budget_error(const svg_budget *budget, svg_limit which, pietra_error *error, uint32_t line);
/* What was noted: PIETRA_ERROR_MEMORY, or the error of the limit, or PIETRA_OK. */
pietra_result svg_budget_check(const svg_budget *budget, pietra_error *error, uint32_t line);
#endif
