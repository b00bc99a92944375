/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/resources.h"

#include <stdlib.h>
#include <string.h>

#include "font/facts.h"
#include "svg/xml/resource.h"

/* Returns the line of the outermost document where the node, or what leads to it, stands. */
static uint32_t find_line(const svg_walk *walk, uint32_t node)
{
    const uint32_t outer = walk->warnings->outer_line;
    return outer ? outer : svg_document_warning_line(walk->document, node);
}

/* Returns false if the font was there, or memory is short; the budget then records it. */
static bool add_font(svg_walk *walk, pietra_font *font)
{
    svg_resources *resources = walk->common->resources;
    const uint64_t hash = hash_bytes(&font, sizeof font);
    for (hash_walk probe = hash_find(&resources->table, hash); hash_found(&probe); hash_next(&probe))
        if (resources->fonts.items[probe.value] == font)
            return false;
    if (!array_reserve(&resources->fonts, 1) ||
        !hash_insert(&resources->table, hash, (uint32_t)resources->fonts.count)) {
        svg_budget_lack_memory(walk->document->budget);
        return false;
    }
    *array_push(&resources->fonts) = font_retain(font);
    return true;
}

void svg_resource_report_font(svg_walk *walk, uint32_t node, pietra_font *font)
{
    svg_resources *resources = walk->common->resources;
    font_facts facts;
    if (!resources || !add_font(walk, font) || font_facts_read(&font->face->sfnt, &facts))
        return;
    const pietra_svg_resource resource = {
        .kind = PIETRA_SVG_FONT,
        .line = find_line(walk, node),
        .name = facts.families_bytes ? facts.families : "",
        .weight_least = facts.traits.weight.least,
        .weight_most = facts.traits.weight.most,
        .slanted = facts.traits.slope != FONT_UPRIGHT,
    };
    resources->function(resources->user, &resource);
    font_facts_free(&facts);
}

/* Returns an address, or what stands before the data of a data URL. NULL: out of memory. */
static char *name_of(text reference)
{
    if (svg_resource_is_data(reference)) {
        const char *comma = memchr(reference.bytes, ',', reference.count);
        const char *semicolon = memchr(reference.bytes, ';', comma ? (size_t)(comma - reference.bytes) : 0);
        const char *end = semicolon ? semicolon : comma;
        reference.count = end ? (size_t)(end - reference.bytes) : reference.count;
    }
    char *name = malloc(reference.count + 1);
    if (name) {
        memcpy(name, reference.bytes, reference.count);
        name[reference.count] = '\0';
    }
    return name;
}

void svg_resource_report_content(const svg_walk *walk, uint32_t node, const svg_image_content *content,
                                 const char *format)
{
    const svg_resources *resources = walk->common->resources;
    if (!resources || (!content->image && !content->document))
        return;
    char *name = name_of(content->reference);
    if (!name) {
        svg_budget_lack_memory(walk->document->budget);
        return;
    }
    const pietra_svg_resource resource = {
        .kind = format ? PIETRA_SVG_IMAGE : PIETRA_SVG_DOCUMENT,
        .line = find_line(walk, node),
        .name = name,
        .format = format,
        .width = content->width,
        .height = content->height,
    };
    resources->function(resources->user, &resource);
    free(name);
}

void svg_resources_free(svg_resources *resources)
{
    for (size_t i = 0; i < resources->fonts.count; i++)
        pietra_font_destroy(resources->fonts.items[i]);
    array_free(&resources->fonts);
    hash_free(&resources->table);
}
