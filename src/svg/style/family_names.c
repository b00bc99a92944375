/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/family_names.h"

#include <string.h>

#include "svg/css/css_family.h"
#include "svg/css/css_token.h"

#define KEY_BYTES 1000u

/* Writes the key of a name: the kind, the family in lower case, the name. Returns its bytes, 0 if it is too long. */
static size_t write_key(char kind, const char *family, text name, char key[KEY_BYTES])
{
    const size_t count = strlen(family);
    if (count + name.count + 2 > KEY_BYTES)
        return 0;
    key[0] = kind;
    for (size_t i = 0; i < count; i++)
        key[1 + i] = text_lower(family[i]);
    key[1 + count] = '\n';
    memcpy(key + count + 2, name.bytes, name.count);
    return count + name.count + 2;
}

static bool add(svg_document *document, text key, const void *value)
{
    const char *copy = arena_copy(&document->arena, key.bytes, key.count);
    const uint32_t number = (uint32_t)document->family_names.count;
    if (!copy || !array_reserve(&document->family_names, 1) ||
        !hash_insert(&document->family_name_table, hash_bytes(key.bytes, key.count), number))
        return false;
    *array_push(&document->family_names) = (svg_family_name){{copy, key.count}, value};
    return true;
}

bool family_names_add(svg_document *document, char kind, text families, text name, const void *value)
{
    while (families.count) {
        char key[KEY_BYTES];
        const char *family = css_family_read(text_trim(css_take_part(&families)), &document->arena);
        if (!family)
            return false;
        const size_t count = write_key(kind, family, name, key);
        if (count && !svg_budget_charge(document->budget, SVG_LIMIT_rules, 1))
            return true;
        if (count && !add(document, (text){key, count}, value))
            return false;
    }
    return true;
}

static const void *find(const svg_document *document, text key)
{
    const void *found = NULL;
    const uint64_t hash = hash_bytes(key.bytes, key.count);
    for (hash_walk walk = hash_find(&document->family_name_table, hash); hash_found(&walk); hash_next(&walk))
        if (text_equal(document->family_names.items[walk.value].key, key))
            found = document->family_names.items[walk.value].value;
    return found;
}

const void *family_names_find(const svg_document *document, char kind, const char *const *families, size_t family_count,
                              text name)
{
    const void *found = NULL;
    for (size_t i = 0; i < family_count && !found && document->family_names.count > 0; i++) {
        char key[KEY_BYTES];
        const size_t count = write_key(kind, families[i], name, key);
        found = count ? find(document, (text){key, count}) : NULL;
    }
    return found;
}

bool family_number_take(text *rest, uint32_t most, uint32_t *number)
{
    const css_token token = css_token_next_part(rest);
    *number = 0;
    for (size_t i = 0; token.kind == CSS_NUMBER && i < token.raw.count; i++) {
        const char c = token.raw.bytes[i];
        if (c < '0' || c > '9' || *number > most)
            return false;
        *number = 10 * *number + (uint32_t)(c - '0');
    }
    return token.kind == CSS_NUMBER;
}
