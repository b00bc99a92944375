/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/tree/budget.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"

#define THOUSANDTHS 1000u

/* Fuzzers look for documents that take too much. Lower limits let such a document be small. Limits up to 1,000 stay as
 * they are, because otherwise features would never be reached. */
#ifdef PIETRA_FUZZ
#define STANDARD(value) ((value) > 1000 ? (uint64_t)(value) / 10 : (uint64_t)(value))
#else
#define STANDARD(value) ((uint64_t)(value))
#endif

static const pietra_svg_limit list[SVG_LIMIT_COUNT] = {
#define LIMIT(name, value, thousandths, text) {#name, STANDARD(value), text},
#include "svg/tree/limits.def"
#undef LIMIT
};

static const uint16_t costs[SVG_LIMIT_COUNT] = {
#define LIMIT(name, value, thousandths, text) thousandths,
#include "svg/tree/limits.def"
#undef LIMIT
};

#define LIMIT(name, value, thousandths, text) \
    _Static_assert(offsetof(pietra_svg_limits, name) == SVG_LIMIT_##name * sizeof(uint64_t), \
                   "fields stand in the order of the list");
#include "svg/tree/limits.def"
#undef LIMIT
_Static_assert(sizeof(pietra_svg_limits) == SVG_LIMIT_COUNT * sizeof(uint64_t), "each field stands in the list");

const pietra_svg_limit *pietra_svg_limit_list(size_t *count)
{
    if (count)
        *count = SVG_LIMIT_COUNT;
    return list;
}

bool pietra_svg_limits_set(pietra_svg_limits *limits, const char *name, uint64_t value)
{
    for (size_t i = 0; limits && name && i < SVG_LIMIT_COUNT; i++)
        if (strcmp(list[i].name, name) == 0) {
            memcpy((char *)limits + i * sizeof value, &value, sizeof value);
            return true;
        }
    return false;
}

void svg_budget_init(svg_budget *budget, const pietra_svg_limits *limits)
{
    *budget = (svg_budget){.most = {0}};
    memcpy(budget->most, limits, sizeof budget->most);
    for (int i = 0; i < SVG_LIMIT_COUNT; i++) {
        if (budget->most[i] == 0)
            budget->most[i] = list[i].standard;
        if (budget->most[i] > UINT64_MAX / 2) /* leaves room for what is granted on top */
            budget->most[i] = UINT64_MAX / 2;
    }
    const uint64_t most = budget->most[SVG_LIMIT_steps];
    budget->most_spent = most < UINT64_MAX / THOUSANDTHS ? most * THOUSANDTHS : UINT64_MAX;
}

uint64_t svg_budget_left(const svg_budget *budget, svg_limit which)
{
    const uint64_t whole = budget->most[which] + budget->granted[which];
    return whole - budget->taken[which];
}

uint64_t svg_budget_affordable(const svg_budget *budget, svg_limit which)
{
    const uint64_t left = svg_budget_left(budget, which), unspent = budget->most_spent - budget->spent;
    return costs[which] > 0 && unspent / costs[which] < left ? unspent / costs[which] : left;
}

static bool refuse(svg_budget *budget, svg_limit which)
{
    budget->is_refused = true;
    budget->refused = which;
    return false;
}

bool svg_budget_spend(svg_budget *budget, uint64_t thousandths, uint64_t count)
{
    if (thousandths > 0 && count > (budget->most_spent - budget->spent) / thousandths) {
        svg_budget_exceed(budget, SVG_LIMIT_steps);
        return refuse(budget, SVG_LIMIT_steps);
    }
    budget->spent += thousandths * count;
    return true;
}

bool svg_budget_take(svg_budget *budget, svg_limit which, uint64_t amount)
{
    if (amount > svg_budget_left(budget, which))
        return refuse(budget, which);
    if (!svg_budget_spend(budget, costs[which], amount))
        return false;
    budget->taken[which] += amount;
    return true;
}

void svg_budget_lack_memory(svg_budget *budget)
{
    budget->lacks_memory = true;
}

void svg_budget_exceed(svg_budget *budget, svg_limit which)
{
    if (!budget->is_exceeded)
        budget->exceeded = which;
    budget->is_exceeded = true;
}

bool svg_budget_charge(svg_budget *budget, svg_limit which, uint64_t amount)
{
    bool good = svg_budget_take(budget, which, amount);
    if (!good)
        svg_budget_exceed(budget, budget->refused);
    return good;
}

pietra_result svg_budget_error(const svg_budget *budget, svg_limit which, pietra_error *error, uint32_t line)
{
    return error_set(error, PIETRA_ERROR_INPUT, line, "more than %llu %s (limit \"%s\")",
                     (unsigned long long)budget->most[which], list[which].text, list[which].name);
}

pietra_result svg_budget_check(const svg_budget *budget, pietra_error *error, uint32_t line)
{
    if (budget->lacks_memory)
        return error_set_memory(error);
    return budget->is_exceeded ? svg_budget_error(budget, budget->exceeded, error, line) : PIETRA_OK;
}
