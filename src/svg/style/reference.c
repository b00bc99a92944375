/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/reference.h"

#include "svg/css/css_token.h"
#include "svg/tree/document.h"

/* Returns whether the target may stand in url( ) without quotes (CSS Syntax 3, 4.3.6). */
static bool is_bare_url(text target)
{
    for (size_t i = 0; i < target.count; i++)
        if (target.bytes[i] == '\\')
            i++;
        else if (text_is_space(target.bytes[i]) || target.bytes[i] == '"' || target.bytes[i] == '\'' ||
                 target.bytes[i] == '(')
            return false;
    return true;
}

static text without_escapes(svg_document *document, text id)
{
    if (!memchr(id.bytes, '\\', id.count))
        return id;
    char *out = arena_alloc(&document->scratch, CSS_DECODED_MOST(id.count), 1);
    if (!out)
        svg_budget_lack_memory(document->budget);
    return out ? (text){out, css_decode(id, out)} : TEXT("");
}

/* Takes url(...) and gives what stands in it, escapes and all. */
static bool scan_target(text *rest, text *target)
{
    if (rest->count < 4 || !text_equal_ignoring_case((text){rest->bytes, 4}, TEXT("url(")))
        return false;
    const char *at = rest->bytes + 4, *end = rest->bytes + rest->count;
    at = text_skip_space(at, end);
    char quote = at < end && (*at == '"' || *at == '\'') ? *at : 0;
    if (quote)
        at++;
    *target = text_from(at, end);
    target->count = text_find(*target, quote ? quote : ')');
    at += target->count;
    if (at < end && quote)
        at++;
    at = text_skip_space(at, end);
    if (at == end || *at != ')')
        return false;
    *target = text_trim(*target);
    *rest = text_from(at + 1, end);
    return quote || is_bare_url(*target);
}

bool svg_reference_scan(svg_document *document, text *rest, text *id)
{
    text target, behind = *rest;
    if (!scan_target(&behind, &target))
        return false;
    bool local = target.count && target.bytes[0] == '#';
    *id = local ? without_escapes(document, text_from(target.bytes + 1, target.bytes + target.count)) : TEXT("");
    *rest = behind;
    return true;
}

bool svg_reference_address(svg_document *document, text value, text *address)
{
    const bool good = scan_target(&value, address);
    if (good)
        *address = without_escapes(document, *address);
    return good;
}

bool svg_reference_leads_elsewhere(text value)
{
    if (value.count < 4 || !text_equal_ignoring_case((text){value.bytes, 4}, TEXT("url(")))
        return false;
    const char *end = value.bytes + value.count, *at = text_skip_space(value.bytes + 4, end);
    if (at < end && (*at == '"' || *at == '\''))
        at = text_skip_space(at + 1, end);
    return at < end && *at != '#' && *at != ')' && *at != '"' && *at != '\'';
}

svg_parsed svg_parse_reference(svg_document *document, text value, svg_declaration *declaration)
{
    text id;
    declaration->form = SVG_FORM_KEYWORD;
    declaration->keyword = SVG_REFERENCE_OTHER;
    if (text_equal_ignoring_case(value, TEXT("none"))) {
        declaration->keyword = SVG_REFERENCE_NONE;
    } else if (svg_reference_scan(document, &value, &id) && text_trim(value).count == 0) {
        declaration->keyword = SVG_REFERENCE_LINK;
        if (!svg_document_add_link(document, id, &declaration->reference))
            return SVG_PARSED_OUT_OF_MEMORY;
    }
    return SVG_PARSED_GOOD;
}
