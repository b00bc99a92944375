/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/tree/document.h"

#include "svg/css/transform_list.h"
#include "svg/css/css_token.h"

void svg_document_free(svg_document *document)
{
    arena_free(&document->arena);
    array_free(&document->nodes);
    array_free(&document->attributes);
    array_free(&document->characters);
    array_free(&document->character_bytes);
    array_free(&document->transforms);
    array_free(&document->deferred);
    svg_path_pool_free(&document->paths);
    array_free(&document->lengths);
    array_free(&document->mask_layers);
    array_free(&document->mask_places);
    array_free(&document->filter_functions);
    css_names_free(&document->units.expressions);
    array_free(&document->declarations);
    array_free(&document->sets);
    hash_free(&document->set_table);
    array_free(&document->links);
    hash_free(&document->link_table);
    hash_free(&document->id_table);
    arena_free(&document->scratch);
    array_free(&document->texts);
    hash_free(&document->text_table);
    css_names_free(&document->custom_names);
    array_free(&document->scopes);
    array_free(&document->scope_entries);
    array_free(&document->scope_keys);
    hash_free(&document->scope_table);
    array_free(&document->resolutions);
    hash_free(&document->resolution_table);
    array_free(&document->files);
    array_free(&document->external_uses);
    array_free(&document->font_faces);
    array_free(&document->family_names);
    hash_free(&document->family_name_table);
}

uint32_t svg_document_file(const svg_document *document, uint32_t node)
{
    size_t low = 0, high = document->files.count;
    while (high > low + 1) {
        size_t middle = (low + high) / 2;
        if (document->files.items[middle].first_node <= node)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

const char *svg_document_folder(const svg_document *document, uint32_t node)
{
    return document->files.count ? document->files.items[svg_document_file(document, node)].folder : NULL;
}

uint32_t svg_document_warning_line(const svg_document *document, uint32_t node)
{
    const uint32_t file = svg_document_file(document, node);
    return file > 0 ? document->files.items[file].line : document->nodes.items[node].line;
}

/* In file 0 this is the hash of the id alone. */
static uint64_t hash_id(uint32_t file, text id)
{
    return hash_bytes(id.bytes, id.count) ^ file * (uint64_t)0x9e3779b97f4a7c15;
}

static bool has_id(const svg_document *document, uint32_t node, text id)
{
    const svg_attribute *attribute = svg_attribute_find(document, node, SVG_ID);
    return text_equal(attribute ? (text){attribute->bytes, attribute->count} : TEXT(""), id);
}

uint32_t svg_document_find(const svg_document *document, uint32_t file, text id)
{
    hash_walk walk = hash_find(&document->id_table, hash_id(file, id));
    for (; hash_found(&walk); hash_next(&walk))
        if (walk.value < document->nodes.count && has_id(document, walk.value, id) &&
            svg_document_file(document, walk.value) == file)
            return walk.value;
    return SVG_NO_NODE;
}

bool svg_document_add_id(svg_document *document, text id, uint32_t node)
{
    if (id.count == 0 || svg_document_find(document, document->file, id) != SVG_NO_NODE)
        return true;
    svg_budget_spend(document->budget, SVG_STEP_name, 1);
    return hash_insert(&document->id_table, hash_id(document->file, id), node);
}

bool svg_document_add_link(svg_document *document, text id, uint32_t *index)
{
    uint64_t hash = hash_id(document->file, id);
    svg_budget_spend(document->budget, SVG_STEP_name, 1);
    hash_walk walk = hash_find(&document->link_table, hash);
    for (; hash_found(&walk); hash_next(&walk))
        if (document->links.items[walk.value].file == document->file &&
            text_equal(document->links.items[walk.value].id, id)) {
            *index = walk.value;
            return true;
        }
    char *copy = arena_copy(&document->arena, id.bytes, id.count);
    if (!copy || !array_reserve(&document->links, 1) ||
        !hash_insert(&document->link_table, hash, (uint32_t)document->links.count))
        return false;
    *index = (uint32_t)document->links.count;
    uint32_t node = document->resolved ? svg_document_find(document, document->file, id) : SVG_NO_NODE;
    *array_push(&document->links) = (svg_link){{copy, id.count}, document->file, node};
    return true;
}

void svg_document_resolve_links(svg_document *document)
{
    document->resolved = true;
    for (size_t i = 0; i < document->links.count; i++) {
        svg_link *link = &document->links.items[i];
        link->node = svg_document_find(document, link->file, link->id);
    }
}

bool svg_document_add_set(svg_document *document, const svg_declaration *declarations, size_t count, uint32_t *index)
{
    size_t bytes = count * sizeof declarations[0];
    uint64_t hash = hash_bytes(declarations, bytes);
    hash_walk walk = hash_find(&document->set_table, hash);
    for (; hash_found(&walk); hash_next(&walk)) {
        const svg_declaration_set *set = &document->sets.items[walk.value];
        if (set->count == count &&
            (count == 0 || memcmp(document->declarations.items + set->begin, declarations, bytes) == 0)) {
            *index = walk.value;
            return true;
        }
    }
    if (!array_reserve(&document->sets, 1) || !array_reserve(&document->declarations, count) ||
        !hash_insert(&document->set_table, hash, (uint32_t)document->sets.count))
        return false;
    *index = (uint32_t)document->sets.count;
    *array_push(&document->sets) = (svg_declaration_set){(uint32_t)document->declarations.count, (uint32_t)count};
    if (count)
        memcpy(document->declarations.items + document->declarations.count, declarations, bytes);
    document->declarations.count += count;
    return true;
}

bool svg_document_add_text(svg_document *document, text value, uint32_t *index)
{
    uint64_t hash = hash_bytes(value.bytes, value.count);
    hash_walk walk = hash_find(&document->text_table, hash);
    for (; hash_found(&walk); hash_next(&walk))
        if (text_equal(document->texts.items[walk.value].value, value)) {
            *index = walk.value;
            return true;
        }
    char *copy = arena_copy(&document->arena, value.bytes, value.count);
    if (!copy || !array_reserve(&document->texts, 1) ||
        !hash_insert(&document->text_table, hash, (uint32_t)document->texts.count))
        return false;
    *index = (uint32_t)document->texts.count;
    *array_push(&document->texts) = (svg_text){{copy, value.count}, css_has_variable(value)};
    return true;
}

svg_attribute *svg_document_set_attribute(svg_document *document, uint32_t node, svg_name name)
{
    svg_node *owner = &document->nodes.items[node];
    size_t begin = owner->attribute_begin, count = owner->attribute_count;
    for (size_t i = begin; i < begin + count; i++)
        if (document->attributes.items[i].name == name)
            return &document->attributes.items[i];
    if (!array_reserve(&document->attributes, count + 1))
        return NULL;
    if (begin + count != document->attributes.count) {
        owner->attribute_begin = (uint32_t)document->attributes.count;
        for (size_t i = begin; i < begin + count; i++)
            *array_push(&document->attributes) = document->attributes.items[i];
    }
    svg_attribute *added = array_push(&document->attributes);
    *added = (svg_attribute){.name = (uint16_t)name};
    owner->attribute_count++;
    return added;
}

void svg_document_drop_attribute(svg_document *document, uint32_t node, svg_name name)
{
    const svg_node *owner = &document->nodes.items[node];
    for (size_t i = owner->attribute_begin; i < (size_t)owner->attribute_begin + owner->attribute_count; i++)
        if (document->attributes.items[i].name == name)
            document->attributes.items[i].name = SVG_UNKNOWN;
}

void svg_document_count_text(const svg_document *document, text value)
{
    svg_budget_spend(document->budget, SVG_STEP_value_byte, value.count);
}

const svg_attribute *svg_attribute_find(const svg_document *document, uint32_t node, svg_name name)
{
    const svg_node *owner = &document->nodes.items[node];
    for (size_t i = owner->attribute_begin; i < (size_t)owner->attribute_begin + owner->attribute_count; i++)
        if (document->attributes.items[i].name == name)
            return &document->attributes.items[i];
    return NULL;
}

text svg_attribute_text(const svg_document *document, uint32_t node, svg_name name)
{
    const svg_attribute *attribute = svg_attribute_find(document, node, name);
    text value = attribute ? (text){attribute->bytes, attribute->count} : TEXT("");
    svg_document_count_text(document, value);
    return value;
}

bool svg_attribute_length(const svg_document *document, uint32_t node, svg_name name, svg_length *length)
{
    const svg_attribute *attribute = svg_attribute_find(document, node, name);
    if (!attribute)
        return false;
    *length = (svg_length){attribute->number, (svg_unit)attribute->unit};
    return true;
}

double svg_attribute_pixels(const svg_document *document, uint32_t node, svg_name name, svg_axis axis,
                            const svg_metrics *metrics)
{
    svg_length length;
    return svg_attribute_length(document, node, name, &length) ? svg_length_resolve(length, axis, metrics) : 0;
}

pietra_transform svg_attribute_transform(const svg_document *document, uint32_t node, svg_name name,
                                         const svg_metrics *metrics)
{
    const svg_attribute *attribute = svg_attribute_find(document, node, name);
    pietra_transform transform = {1, 0, 0, 1, 0, 0};
    if (attribute && !attribute->unit)
        return document->transforms.items[attribute->transform];
    if (attribute) {
        text value = {attribute->bytes, attribute->count};
        svg_document_count_text(document, value);
        svg_transform_parse(value, true, document->units.dpi, metrics, &transform);
    }
    return transform;
}

text svg_document_reference(const svg_document *document, uint32_t node)
{
    const svg_attribute *href = svg_attribute_find(document, node, SVG_HREF);
    if (!href)
        href = svg_attribute_find(document, node, SVG_XLINK_HREF);
    return href ? (text){href->bytes, href->count} : (text){NULL, 0};
}

static uint32_t find_external_use(const svg_document *document, uint32_t node)
{
    size_t low = 0, high = document->external_uses.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (document->external_uses.items[middle].node < node)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < document->external_uses.count && document->external_uses.items[low].node == node;
    return found ? document->external_uses.items[low].target : SVG_NO_NODE;
}

uint32_t svg_document_href(const svg_document *document, uint32_t node)
{
    text reference = svg_document_reference(document, node);
    text target = reference.bytes ? text_trim(reference) : reference;
    if (target.count < 2)
        return SVG_NO_NODE;
    if (target.bytes[0] != '#')
        return document->external_uses.count ? find_external_use(document, node) : SVG_NO_NODE;
    svg_document_count_text(document, reference);
    return svg_document_find(document, svg_document_file(document, node),
                             text_from(target.bytes + 1, target.bytes + target.count));
}
