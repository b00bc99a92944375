/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include "svg/css/css_token.h"
#include "svg/style/declaration.h"

#define LONGEST_NAME 64u

/* Returns the end of what begins at `at`: a declaration, which a semicolon outside strings and brackets ends, or a
 * rule, which ends behind its block. */
static const char *find_end(const char *at, const char *end, bool *is_rule)
{
    char quote = 0;
    unsigned depth = 0;
    bool custom = end - at > 2 && at[0] == '-' && at[1] == '-';
    *is_rule = false;
    for (; at < end; at++) {
        if (*at == '\\' && at + 1 < end) {
            at++;
        } else if (quote) {
            if (*at == quote)
                quote = 0;
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (*at == '(' || *at == '{' || *at == '[') {
            *is_rule = *is_rule || (*at == '{' && depth == 0 && !custom);
            depth++;
        } else if ((*at == ')' || *at == '}' || *at == ']') && depth) {
            depth--;
            if (depth == 0 && *at == '}' && !custom)
                return at + 1;
        } else if (*at == ';' && depth == 0) {
            break;
        }
    }
    return at;
}

static bool take_important(text *value)
{
    const text word = TEXT("important");
    if (value->count <= word.count ||
        !text_equal_ignoring_case((text){value->bytes + value->count - word.count, word.count}, word))
        return false;
    text before = text_trim((text){value->bytes, value->count - word.count});
    if (before.count == 0 || before.bytes[before.count - 1] != '!')
        return false;
    before.count--;
    *value = text_trim(before);
    return true;
}

static bool walk_declaration(text declaration, svg_declaration_function *function, void *user)
{
    const size_t colon = text_find(declaration, ':');
    text name = text_trim((text){declaration.bytes, colon});
    char lower[CSS_DECODED_MOST(LONGEST_NAME)], decoded[CSS_DECODED_MOST(LONGEST_NAME)];
    if (colon == declaration.count || name.count == 0 || name.count > LONGEST_NAME)
        return true;
    if (memchr(name.bytes, '\\', name.count))
        name = (text){decoded, css_decode(name, decoded)};
    bool custom = text_starts_with(name, TEXT("--"));
    text value = text_trim(text_from(declaration.bytes + colon + 1, declaration.bytes + declaration.count));
    bool important = take_important(&value);
    for (size_t i = 0; i < name.count; i++)
        lower[i] = custom ? name.bytes[i] : text_lower(name.bytes[i]);
    return name.count == 0 || function(user, (text){lower, name.count}, value, important);
}

/* Walks a list without comments, which is otherwise as `written`. */
static bool walk(text list, const char *written, svg_declaration_function *function, void *user)
{
    if (list.count == 0)
        return true; /* an empty list may have NULL bytes, from which nothing can be counted */
    const char *at = list.bytes, *end = at + list.count;
    while (at < end) {
        bool is_rule;
        at = text_skip_space(at, end);
        const char *stop = find_end(at, end, &is_rule);
        text whole = {written + (at - list.bytes), (size_t)(stop - at)};
        if (is_rule ? !function(user, TEXT(""), whole, false) : !walk_declaration(text_from(at, stop), function, user))
            return false;
        at = is_rule || stop == end ? stop : stop + 1;
    }
    return true;
}

/* Returns a copy in which blanks replace the bytes of comments. */
static char *without_comments(text list)
{
    char *copy = malloc(list.count ? list.count : 1);
    if (!copy)
        return NULL;
    for (size_t i = 0; i < list.count; i++) {
        copy[i] = list.bytes[i];
        if (list.bytes[i] != '/' || i + 1 == list.count || list.bytes[i + 1] != '*')
            continue;
        const size_t begin = i;
        for (i += 3; i < list.count && !(list.bytes[i] == '/' && list.bytes[i - 1] == '*');)
            i++;
        memset(copy + begin, ' ', (i < list.count ? i + 1 : list.count) - begin);
    }
    return copy;
}

bool svg_declaration_list_walk(text list, svg_declaration_function *function, void *user)
{
    size_t i = 0;
    while (i + 1 < list.count && !(list.bytes[i] == '/' && list.bytes[i + 1] == '*'))
        i++;
    if (i + 1 >= list.count)
        return walk(list, list.bytes, function, user);
    char *copy = without_comments(list);
    bool good = copy && walk((text){copy, list.count}, list.bytes, function, user);
    free(copy);
    return good;
}
