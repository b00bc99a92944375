/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/font_language.h"

#include <stdlib.h>
#include <string.h>

#include "svg/css/css_token.h"
#include "svg/style/value.h"

#define TAG_BYTES 4u
#define LONGEST_ESCAPE 8u /* as in `\00053 ` */

/* A tag without the spaces behind it, and with zero bytes in their place. */
typedef struct language_tag {
    char bytes[TAG_BYTES + 1];
} language_tag;

/* Reads a string of one to four characters, which are case-sensitive. */
static bool read_tag(text value, language_tag *tag)
{
    char decoded[CSS_DECODED_MOST(TAG_BYTES * LONGEST_ESCAPE)];
    const css_token token = css_token_next(&value);
    if (token.kind != CSS_STRING || value.count > 0 || token.value.count > TAG_BYTES * LONGEST_ESCAPE)
        return false;
    size_t count = css_decode(token.value, decoded);
    if (count == 0 || count > TAG_BYTES)
        return false;
    for (size_t i = 0; i < count; i++)
        if (decoded[i] < ' ' || decoded[i] > '~')
            return false;
    while (count > 0 && decoded[count - 1] == ' ')
        count--;
    *tag = (language_tag){{0}};
    memcpy(tag->bytes, decoded, count);
    return true;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const language_tag *)a)->bytes, ((const language_tag *)b)->bytes);
}

static bool is_registered(const language_tag *tag)
{
    static const language_tag tags[] = {
#define TAG(letters) {#letters},
#include "svg/style/language_tags.def"
#undef TAG
    };
    return bsearch(tag, tags, sizeof tags / sizeof tags[0], sizeof tags[0], compare) != NULL;
}

/* HarfBuzz keeps every tag that it meets for ever, in a list that it searches one by one, so only those that are
 * registered may come to it. */
svg_parsed svg_parse_font_language(svg_document *document, text value, svg_declaration *declaration)
{
    language_tag tag;
    (void)document;
    declaration->form = SVG_FORM_KEYWORD;
    if (text_equal_ignoring_case(value, TEXT("normal")))
        return SVG_PARSED_GOOD;
    if (!read_tag(value, &tag))
        return SVG_PARSED_BAD;
    for (size_t i = 0; i < TAG_BYTES && is_registered(&tag); i++)
        declaration->reference = declaration->reference << 8 | (uint8_t)(tag.bytes[i] ? tag.bytes[i] : ' ');
    return SVG_PARSED_GOOD;
}

bool svg_font_language_is_unknown(text value)
{
    language_tag tag;
    return read_tag(value, &tag) && !is_registered(&tag);
}
