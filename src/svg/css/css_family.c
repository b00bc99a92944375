/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/css/css_family.h"

#include <string.h>

#include "svg/css/css_token.h"

static const char *join_words(css_token token, text rest, arena *arena)
{
    char *joined = arena_alloc(arena, rest.count + token.raw.count + 2, 1);
    size_t count = 0;
    if (!joined)
        return NULL;
    for (; token.kind == CSS_IDENT || token.kind == CSS_NUMBER || token.kind == CSS_HASH;
         token = css_token_next_part(&rest)) {
        if (count)
            joined[count++] = ' ';
        memcpy(joined + count, token.raw.bytes, token.raw.count);
        count += token.raw.count;
    }
    joined[count] = '\0';
    return joined;
}

const char *css_family_read(text value, arena *arena)
{
    css_token token = css_token_next_part(&value);
    text name;
    if (token.kind != CSS_STRING)
        return join_words(token, value, arena);
    if (!css_token_decode(&token, arena, &name))
        return NULL;
    return arena_copy(arena, name.bytes, name.count);
}
