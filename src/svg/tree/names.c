/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/tree/names.h"

typedef struct svg_name_entry {
    const char *bytes;
    uint8_t count;
    uint8_t kind;
} svg_name_entry;

static const svg_name_entry entries[SVG_NAME_COUNT] = {
#define PROPERTY(id, string, kind, inheritance, parser, field, initial, state, note) SVG_NAME_ENTRY(id, string, kind)
#define ALIAS(id, string, kind, of, state, note) SVG_NAME_ENTRY(id, string, kind)
#define SHORTHAND(id, string, kind, state, note) SVG_NAME_ENTRY(id, string, kind)
#define NODE_PROPERTY(id, string, kind, reader, state, note) SVG_NAME_ENTRY(id, string, kind)
#define GEOMETRY(id, string, elements, automatic, negative) SVG_NAME_ENTRY(id, string, LENGTH)
#define SVG_NAME_ENTRY(id, string, kind) {string, sizeof(string) - 1, SVG_KIND_##kind},
#include "svg/tree/property.def"
    SVG_NAMES(SVG_NAME_ENTRY)
#undef SVG_NAME_ENTRY
};

static int compare(text name, const svg_name_entry *entry)
{
    if (name.count == 0)
        return -1;
    size_t common = name.count < entry->count ? name.count : entry->count;
    int order = (uint8_t)name.bytes[0] - (uint8_t)entry->bytes[0]; /* nearly always decides */
    if (order == 0)
        order = memcmp(name.bytes, entry->bytes, common);
    return order ? order : (name.count > entry->count) - (name.count < entry->count);
}

/* Finds a name among the entries from low up to but not including high. */
static svg_name find(text name, unsigned low, unsigned high)
{
    while (low < high) {
        unsigned middle = (low + high) / 2;
        int order = compare(name, &entries[middle]);
        if (order == 0)
            return (svg_name)middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return SVG_UNKNOWN;
}

svg_name svg_name_find_property(text name)
{
    return find(name, 0, SVG_PROPERTY_COUNT);
}

svg_name svg_name_find(text name)
{
    svg_name found = svg_name_find_property(name);
    return found != SVG_UNKNOWN ? found : find(name, SVG_PROPERTY_COUNT, SVG_NAME_COUNT);
}

text svg_name_text(svg_name name)
{
    return (text){entries[name].bytes, entries[name].count};
}

svg_kind svg_name_kind(svg_name name)
{
    return (svg_kind)entries[name].kind;
}
