/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Inputs of filter primitives, and the names of their results. */
#include "svg/draw/filter_parts.h"

/* Inputs that are not drawn, and what stands for them. */
typedef struct left_out_input {
    text name;
    pietra_effect_input instead;
} left_out_input;

static const left_out_input left_out[] = {
    {TEXT_LITERAL("BackgroundImage"), PIETRA_EFFECT_SOURCE},
    {TEXT_LITERAL("BackgroundAlpha"), PIETRA_EFFECT_SOURCE_ALPHA},
    {TEXT_LITERAL("FillPaint"), PIETRA_EFFECT_SOURCE},
    {TEXT_LITERAL("StrokePaint"), PIETRA_EFFECT_SOURCE},
};

static svg_filter_result *find_result(const svg_filter_build *build, text name)
{
    hash_walk probe = hash_find(&build->result_table, hash_bytes(name.bytes, name.count));
    for (; hash_found(&probe); hash_next(&probe))
        if (text_equal(build->results.items[probe.value].name, name))
            return &build->results.items[probe.value];
    return NULL;
}

/* A name that is not known means the same as none. */
pietra_effect_input svg_filter_find_input(const svg_filter_build *build, uint32_t node, svg_name attribute)
{
    const svg_document *document = build->walk->document;
    const text name = text_trim(svg_attribute_text(document, node, attribute));
    if (name.count == 0)
        return PIETRA_EFFECT_PREVIOUS;
    if (text_equal(name, TEXT("SourceGraphic")))
        return PIETRA_EFFECT_SOURCE;
    if (text_equal(name, TEXT("SourceAlpha")))
        return PIETRA_EFFECT_SOURCE_ALPHA;
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
        if (text_equal(name, left_out[i].name)) {
            svg_warn(build->walk->warnings, svg_document_warning_line(document, node),
                     "%.*s as the input of a filter is left out", TEXT_PRINT(name));
            return left_out[i].instead;
        }
    const svg_filter_result *result = find_result(build, name);
    return result ? PIETRA_EFFECT_RESULT(result->step) : PIETRA_EFFECT_PREVIOUS;
}

/* The last of several results of one name counts. */
bool svg_filter_name_result(svg_filter_build *build, uint32_t node)
{
    const text name = text_trim(svg_attribute_text(build->walk->document, node, SVG_RESULT));
    const uint32_t step = (uint32_t)build->steps.count - 1;
    svg_filter_result *known = name.count ? find_result(build, name) : NULL;
    if (known)
        known->step = step;
    if (name.count == 0 || known)
        return true;
    if (!array_reserve(&build->results, 1) ||
        !hash_insert(&build->result_table, hash_bytes(name.bytes, name.count), (uint32_t)build->results.count))
        return false;
    *array_push(&build->results) = (svg_filter_result){name, step};
    return true;
}
