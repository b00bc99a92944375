/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/css_selector_parts.h"

static bool scan_integer(const char **at, const char *end, int32_t *value)
{
    const char *begin = *at;
    bool negative = *at < end && **at == '-';
    if (*at < end && (**at == '-' || **at == '+'))
        ++*at;
    const char *digits = *at;
    int64_t number = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        number = number < 1000000000 ? number * 10 + (**at - '0') : number;
    if (*at == digits) {
        *at = begin;
        return false;
    }
    *value = (int32_t)(negative ? -number : number);
    return true;
}

bool css_nth_scan(const char **at, const char *end, css_simple *simple)
{
    static const struct {
        text name;
        int32_t a, b;
    } words[] = {{TEXT_LITERAL("odd"), 2, 1}, {TEXT_LITERAL("even"), 2, 0}};
    *at = text_skip_space(*at, end);
    for (int i = 0; i < 2; i++)
        if ((size_t)(end - *at) >= words[i].name.count &&
            text_equal_ignoring_case((text){*at, words[i].name.count}, words[i].name)) {
            simple->a = words[i].a;
            simple->b = words[i].b;
            *at += words[i].name.count;
            return true;
        }
    int32_t number = 1;
    bool some = scan_integer(at, end, &number);
    if (!some && *at < end && (**at == '-' || **at == '+'))
        number = *(*at)++ == '-' ? -1 : 1;
    if (*at == end || text_lower(**at) != 'n') {
        simple->b = number;
        return some;
    }
    ++*at;
    simple->a = number;
    simple->b = 0;
    const char *after = text_skip_space(*at, end);
    if (after == end || (*after != '+' && *after != '-'))
        return true;
    bool negative = *after == '-';
    after = text_skip_space(after + 1, end);
    if (after == end || *after < '0' || *after > '9' || !scan_integer(&after, end, &simple->b))
        return false;
    simple->b = negative ? -simple->b : simple->b;
    *at = after;
    return true;
}
