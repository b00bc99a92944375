/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/cascade.h"

#include <string.h>

/* Orders declarations by property, and custom ones also by name. */
static bool comes_before(const svg_declaration *a, const svg_declaration *b)
{
    if (a->property != b->property)
        return a->property < b->property;
    return a->property == SVG_CUSTOM && a->reference < b->reference;
}

/* Returns how many declarations come before this one. */
static size_t find_place(const svg_cascade *cascade, const svg_declaration *declaration)
{
    size_t low = 0, high = cascade->declarations.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (comes_before(&cascade->declarations.items[middle], declaration))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool svg_cascade_add(svg_cascade *cascade, const svg_declaration *declaration)
{
    size_t i = find_place(cascade, declaration);
    if (i < cascade->declarations.count && !comes_before(declaration, &cascade->declarations.items[i])) {
        if (declaration->important || !cascade->declarations.items[i].important)
            cascade->declarations.items[i] = *declaration;
        return true;
    }
    if (cascade->declarations.count >= SVG_MOST_DECLARATIONS)
        return true;
    if (!array_reserve(&cascade->declarations, 1))
        return false;
    cascade->declarations.count++;
    svg_declaration *place = cascade->declarations.items + i;
    cascade->moved += cascade->declarations.count - 1 - i;
    memmove(place + 1, place, (cascade->declarations.count - 1 - i) * sizeof *place);
    *place = *declaration;
    return true;
}
