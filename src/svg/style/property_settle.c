/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Attributes whose values contained var(). */
#include <stdlib.h>

#include "svg/style/property_parts.h"
#include "svg/style/variable.h"

/* What became of a deferred value in a scope. */
typedef struct settled_value {
    uint32_t scope;
    uint16_t property;
    const char *raw; /* equal texts have one address */
    bool some;       /* if false, the value is invalid and so counts as unset */
    svg_property_value value;
} settled_value;

typedef struct settler {
    svg_document *document;
    ARRAY(settled_value) known;
    hash_table table;
    uint32_t *scopes; /* the scope of each node */
} settler;

/* The memory of a path counts like that of the text from which it was made. */
static bool settle_value(svg_document *document, const svg_deferred *deferred, settled_value *settled)
{
    bool good = false;
    size_t before = document->paths.arena.total_bytes;
    settled->value =
        (svg_property_value){.declaration = {.property = deferred->property}, .attribute = true, .path = SVG_NO_PATH};
    if (!svg_variable_replace(document, settled->scope, deferred->value, &settled->value.value))
        return true;
    if (!svg_property_read_attribute(document, &settled->value, &good))
        return false;
    svg_budget_charge(document->budget, SVG_LIMIT_replaced_bytes, document->paths.arena.total_bytes - before);
    settled->some = good;
    return true;
}

/* Finds or makes what becomes of a value. NULL: out of memory. */
static const settled_value *find_settled(settler *settler, const svg_deferred *deferred)
{
    settled_value made = {
        .scope = settler->scopes[deferred->node], .property = deferred->property, .raw = deferred->value.bytes};
    const uintptr_t key[3] = {made.scope, made.property, (uintptr_t)made.raw};
    uint64_t hash = hash_bytes(key, sizeof key);
    hash_walk walk = hash_find(&settler->table, hash);
    for (; hash_found(&walk); hash_next(&walk)) {
        const settled_value *known = &settler->known.items[walk.value];
        if (known->scope == made.scope && known->property == made.property && known->raw == made.raw)
            return known;
    }
    svg_budget_charge(settler->document->budget, SVG_LIMIT_replaced_bytes, sizeof made);
    if (!settle_value(settler->document, deferred, &made) || !array_reserve(&settler->known, 1) ||
        !hash_insert(&settler->table, hash, (uint32_t)settler->known.count))
        return NULL;
    *array_push(&settler->known) = made;
    return array_last(&settler->known);
}

/* Applies a deferred value. If it turns out invalid, the property is unset. False: out of memory. */
static bool settle(settler *settler, const svg_deferred *deferred)
{
    svg_document *document = settler->document;
    const settled_value *settled = find_settled(settler, deferred);
    svg_name property = (svg_name)deferred->property;
    if (!settled)
        return false;
    svg_property_drop_overruled(document, deferred->node, property);
    return (!settled->some && property != SVG_D) ||
           svg_property_apply_attribute(document, deferred->node, &settled->value);
}

static pietra_result settle_nodes(settler *settler, uint32_t count, pietra_error *error)
{
    svg_document *document = settler->document;
    size_t next = 0;
    for (uint32_t node = 0; node < count; node++) {
        uint32_t parent = document->nodes.items[node].parent, set = document->nodes.items[node].declarations;
        settler->scopes[node] =
            svg_variable_scope_of(document, parent == SVG_NO_NODE ? 0 : settler->scopes[parent], set);
        for (; next < document->deferred.count && document->deferred.items[next].node == node; next++) {
            const svg_deferred deferred = document->deferred.items[next];
            if (deferred.property != SVG_UNKNOWN && !settle(settler, &deferred))
                return PIETRA_ERROR_MEMORY;
        }
        pietra_result result = svg_budget_check(document->budget, error, document->nodes.items[node].line);
        if (result != PIETRA_OK)
            return result;
    }
    return PIETRA_OK;
}

pietra_result svg_property_settle(svg_document *document, pietra_error *error)
{
    settler settler = {.document = document};
    if (document->deferred.count == 0)
        return PIETRA_OK;
    uint32_t count = array_last(&document->deferred)->node + 1;
    settler.scopes = malloc(count * sizeof *settler.scopes);
    pietra_result result = settler.scopes ? settle_nodes(&settler, count, error) : PIETRA_ERROR_MEMORY;
    document->deferred.count = 0;
    array_free(&settler.known);
    hash_free(&settler.table);
    free(settler.scopes);
    return result;
}
