#include "svg/style/css_sheet_parser.h"
#include "svg/style/font_face.h"

static bool intern_decoded(css_names *names, const css_token *token, uint32_t *name)
{
    text decoded;
    *name = css_token_decode(token, &names->arena, &decoded) ? css_name_intern(names, decoded) : 0;
    return *name != 0;
}

/* Reads @namespace (CSS Namespaces 3). An invalid one declares nothing. False: out of memory. */
static bool declare_space(css_sheet_parser *parser, text prelude)
{
    css_names *names = &parser->sheets->tree->names;
    css_token prefix = {.kind = CSS_END}, address = css_token_next_part(&prelude);
    if (address.kind == CSS_IDENT) {
        prefix = address;
        address = css_token_next_part(&prelude);
    }
    if (address.kind == CSS_FUNCTION && text_equal_ignoring_case(address.value, TEXT("url"))) {
        address = css_token_next_part(&prelude);
        css_token close = css_token_next_part(&prelude);
        if (!css_token_is(&close, ')'))
            return true;
    }
    if ((address.kind != CSS_STRING && address.kind != CSS_URL) || text_trim(prelude).count)
        return true;
    css_prefix declared = {0, CSS_NO_SPACE};
    if (text_equal(address.value, TEXT(SVG_NAMESPACE)))
        declared.space = CSS_SVG_SPACE;
    else if (address.value.count && !intern_decoded(names, &address, &declared.space))
        return false;
    if (prefix.kind != CSS_IDENT) {
        parser->spaces.standard = declared.space;
        return true;
    }
    css_prefix *added = intern_decoded(names, &prefix, &declared.name) ? array_push(&parser->spaces.prefixes) : NULL;
    if (added)
        *added = declared;
    return added != NULL;
}

/* Warns of a rule that may change a picture that stands still. Pages and animations do not, and the words of
 * vendors are not meant for us. */
static void warn_of_at_rule(const css_sheet_parser *parser, text name)
{
    static const text silent[] = {
        TEXT_LITERAL("media"),         TEXT_LITERAL("namespace"),           TEXT_LITERAL("import"),
        TEXT_LITERAL("charset"),       TEXT_LITERAL("font-face"),           TEXT_LITERAL("font-feature-values"),
        TEXT_LITERAL("keyframes"),     TEXT_LITERAL("font-palette-values"), TEXT_LITERAL("page"),
        TEXT_LITERAL("counter-style"), TEXT_LITERAL("starting-style"),      TEXT_LITERAL("view-transition"),
    };
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; i++)
        if (name.count == 0 || name.bytes[0] == '-' || text_equal_ignoring_case(name, silent[i]))
            return;
    svg_warn(parser->sheets->warnings, parser->line, "the rules of @%.*s are left out", TEXT_PRINT(name));
}

bool css_sheet_parse_at_rule(css_sheet_parser *parser, text name, text *rest)
{
    text body, prelude = css_sheet_take_prelude(parser, rest, true, &body);
    if (body.bytes)
        warn_of_at_rule(parser, name);
    if (text_equal_ignoring_case(name, TEXT("import")))
        svg_warn(parser->sheets->warnings, parser->line, "style sheets that @import names are left out");
    bool import = text_equal_ignoring_case(name, TEXT("import")) || text_equal_ignoring_case(name, TEXT("charset"));
    if (text_equal_ignoring_case(name, TEXT("namespace")))
        return parser->begun || body.bytes || declare_space(parser, prelude);
    parser->begun = parser->begun || !import;
    if (body.bytes && text_equal_ignoring_case(name, TEXT("font-face")))
        return !svg_budget_charge(parser->sheets->document->budget, SVG_LIMIT_rules, 1 + body.count / 100) ||
               svg_font_face_read(parser->sheets->document, parser->sheets->warnings, parser->line, body);
    if (!body.bytes || !text_equal_ignoring_case(name, TEXT("media")) || parser->depth == CSS_DEEPEST_RULE ||
        !css_media_hold(prelude, &parser->sheets->medium))
        return true;
    parser->depth++;
    bool good = css_sheet_parse_rules(parser, body);
    parser->depth--;
    return good;
}
