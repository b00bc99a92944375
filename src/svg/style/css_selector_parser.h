/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The state that the files share which read selectors. */
#ifndef PIETRA_SVG_STYLE_CSS_SELECTOR_PARSER_H
#define PIETRA_SVG_STYLE_CSS_SELECTOR_PARSER_H

#include "svg/style/css_selector_parts.h"

typedef enum css_state { STATE_GOOD, STATE_BAD, STATE_MEMORY } css_state;

typedef struct css_selector_parser {
    css_names *names;
    const css_spaces *spaces;
    const css_nest *nest;
    text rest;
    css_token token; /* the next one */
    unsigned depth;
    bool nest_named; /* & occurs in the current selector */
    bool in_has;     /* inside of :has(), which does not nest */
    bool of_has;     /* the list is that of :has(): its selectors are relative */
} css_selector_parser;

static inline void css_selector_advance(css_selector_parser *parser)
{
    parser->token = css_token_next(&parser->rest);
}

static inline void css_selector_skip_space(css_selector_parser *parser)
{
    while (parser->token.kind == CSS_SPACE)
        css_selector_advance(parser);
}

/* Adds a simple selector before the others of a compound. Returns NULL if memory is short. */
css_simple *css_selector_add_simple(css_selector_parser *parser, css_simple **first, simple_kind kind);
/* Parses a pseudo-class or a pseudo-element, from the colon on. */
css_state css_selector_parse_pseudo(css_selector_parser *parser, css_simple **first);
/* Parses a list, up to the end of the text. */
css_state css_selector_parse_list(css_selector_parser *parser, css_selector **list);

#endif
