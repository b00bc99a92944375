#include <stdlib.h>
#include <string.h>

#include "svg/css/css_token.h"
#include "svg/style/declaration.h"

#define LONGEST_NAME 64u

/* Returns the end of what begins at `at`: a declaration, which a semicolon outside strings and brackets ends, or a
 * nested rule. */
static const char *find_end(const char *at, const char *end)
{
    char quote = 0;
    unsigned depth = 0;
    bool custom = end - at > 2 && at[0] == '-' && at[1] == '-';
    for (; at < end; at++) {
        if (*at == '\\' && at + 1 < end) {
            at++;
        } else if (quote) {
            if (*at == quote)
                quote = 0;
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (*at == '(' || *at == '{' || *at == '[') {
            depth++;
        } else if ((*at == ')' || *at == '}' || *at == ']') && depth) {
            depth--;
            if (depth == 0 && *at == '}' && !custom)
                break;
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

static bool walk(text list, svg_declaration_function *function, void *user)
{
    if (list.count == 0)
        return true; /* an empty list may have NULL bytes, from which nothing can be counted */
    const char *at = list.bytes, *end = at + list.count;
    while (at < end) {
        at = text_skip_space(at, end);
        const char *stop = find_end(at, end);
        text declaration = text_from(at, stop);
        size_t colon = text_find(declaration, ':');
        text name = text_trim((text){at, colon});
        char lower[CSS_DECODED_MOST(LONGEST_NAME)], decoded[CSS_DECODED_MOST(LONGEST_NAME)];
        bool rule = stop < end && *stop == '}';
        if (!rule && colon < declaration.count && name.count && name.count <= LONGEST_NAME) {
            if (memchr(name.bytes, '\\', name.count))
                name = (text){decoded, css_decode(name, decoded)};
            bool custom = text_starts_with(name, TEXT("--"));
            text value = text_trim(text_from(at + colon + 1, stop));
            bool important = take_important(&value);
            for (size_t i = 0; i < name.count; i++)
                lower[i] = custom ? name.bytes[i] : text_lower(name.bytes[i]);
            if (!function(user, (text){lower, name.count}, value, important))
                return false;
        } else if (rule && !function(user, TEXT(""), TEXT(""), false)) {
            return false;
        }
        at = stop < end ? stop + 1 : end;
    }
    return true;
}

/* Returns a copy in which a blank replaces every comment. */
static char *without_comments(text list, size_t *count)
{
    char *copy = malloc(list.count ? list.count : 1);
    if (!copy)
        return NULL;
    size_t length = 0;
    for (size_t i = 0; i < list.count; i++) {
        if (list.bytes[i] != '/' || i + 1 == list.count || list.bytes[i + 1] != '*') {
            copy[length++] = list.bytes[i];
            continue;
        }
        for (i += 3; i < list.count && !(list.bytes[i] == '/' && list.bytes[i - 1] == '*');)
            i++;
        copy[length++] = ' ';
    }
    *count = length;
    return copy;
}

bool svg_declaration_list_walk(text list, svg_declaration_function *function, void *user)
{
    size_t i = 0;
    while (i + 1 < list.count && !(list.bytes[i] == '/' && list.bytes[i + 1] == '*'))
        i++;
    if (i + 1 >= list.count)
        return walk(list, function, user);
    size_t count;
    char *copy = without_comments(list, &count);
    bool good = copy && walk((text){copy, count}, function, user);
    free(copy);
    return good;
}
