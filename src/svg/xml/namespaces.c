/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/xml/namespaces.h"

svg_qualified svg_qualified_split(text name)
{
    size_t colon = text_find(name, ':');
    if (colon == 0 || colon + 1 >= name.count)
        return (svg_qualified){.local = name};
    return (svg_qualified){{name.bytes, colon}, text_from(name.bytes + colon + 1, name.bytes + name.count)};
}

/* Finds where the address of a prefix is stored. NULL: out of memory. The empty prefix has the number 0, which no name
 * has. */
static uint32_t *find_bound(svg_namespaces *namespaces, text prefix, uint32_t *number)
{
    *number = prefix.count ? css_name_intern(&namespaces->names, prefix) : 0;
    if (prefix.count && !*number)
        return NULL;
    if (*number >= namespaces->bound.count) {
        size_t more = *number + 1 - namespaces->bound.count;
        uint32_t *added = array_push_many(&namespaces->bound, more);
        if (!added)
            return NULL;
        memset(added, 0, more * sizeof *added);
    }
    return &namespaces->bound.items[*number];
}

bool svg_namespaces_declare(svg_namespaces *namespaces, uint32_t node, svg_qualified name, text address)
{
    text prefix = name.prefix.count ? name.local : TEXT("");
    uint32_t number;
    if (prefix.count && !address.count)
        return true; /* XML 1.0 cannot undeclare a prefix, so this is ignored */
    uint32_t address_number = address.count ? css_name_intern(&namespaces->names, address) : 0;
    if (address.count && !address_number)
        return false;
    uint32_t *bound = find_bound(namespaces, prefix, &number);
    svg_namespace_change *change = bound ? array_push(&namespaces->changes) : NULL;
    if (!change)
        return false;
    *change = (svg_namespace_change){node, number, *bound};
    *bound = address_number;
    return true;
}

void svg_namespaces_end(svg_namespaces *namespaces, uint32_t node)
{
    while (namespaces->changes.count && array_last(&namespaces->changes)->node == node) {
        const svg_namespace_change *change = array_last(&namespaces->changes);
        namespaces->bound.items[change->prefix] = change->previous;
        namespaces->changes.count--;
    }
}

bool svg_namespaces_find(svg_namespaces *namespaces, text prefix, text *address)
{
    uint32_t number;
    const uint32_t *bound = find_bound(namespaces, prefix, &number);
    if (!bound)
        return false;
    *address = *bound ? namespaces->names.items.items[*bound - 1] : TEXT("");
    return true;
}

void svg_namespaces_free(svg_namespaces *namespaces)
{
    css_names_free(&namespaces->names);
    array_free(&namespaces->bound);
    array_free(&namespaces->changes);
}
