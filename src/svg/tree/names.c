#include "svg/tree/names.h"

typedef struct svg_name_entry {
    const char *bytes;
    uint8_t count;
    uint8_t kind;
} svg_name_entry;

static const svg_name_entry entries[SVG_NAME_COUNT] = {
#define SVG_NAME_ENTRY(id, string, kind) { string, sizeof(string) - 1, SVG_KIND_##kind },
    SVG_NAMES(SVG_NAME_ENTRY)
#undef SVG_NAME_ENTRY
};

static int compare(text name, const svg_name_entry *entry)
{
    size_t common = name.count < entry->count ? name.count : entry->count;
    int order = common ? memcmp(name.bytes, entry->bytes, common) : 0;
    return order ? order : (name.count > entry->count) - (name.count < entry->count);
}

svg_name svg_name_find(text name)
{
    unsigned low = 0, high = SVG_NAME_COUNT;
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

text svg_name_text(svg_name name)
{
    return (text){ entries[name].bytes, entries[name].count };
}

svg_kind svg_name_kind(svg_name name)
{
    return (svg_kind)entries[name].kind;
}
