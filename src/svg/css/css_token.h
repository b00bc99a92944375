/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Tokens of CSS (CSS Syntax 3, section 4). Nothing is copied: a token is a stretch of its text, escapes still in it. */
#ifndef PIETRA_SVG_CSS_CSS_TOKEN_H
#define PIETRA_SVG_CSS_CSS_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

#define CSS_DEEPEST_NEST 256u

typedef enum css_kind {
    CSS_END,   /* the end of the text */
    CSS_SPACE, /* white space and comments */
    CSS_IDENT,
    CSS_FUNCTION, /* value: its name, without the parenthesis */
    CSS_AT,       /* value: without the @ */
    CSS_HASH,     /* value: without the # */
    CSS_STRING,   /* value: without the quotes */
    CSS_URL,      /* unquoted; value: what stands in the parentheses, without blanks around it */
    CSS_BAD,      /* a string or a url that went wrong */
    CSS_NUMBER,   /* a number with its unit or %, if there is one */
    CSS_COLON,
    CSS_SEMICOLON,
    CSS_COMMA,
    CSS_OPEN,         /* one of ( [ { */
    CSS_CLOSE,        /* one of ) ] } */
    CSS_COMMENT_MARK, /* <!-- or --> */
    CSS_DELIMITER,    /* any other character */
} css_kind;

typedef struct css_token {
    css_kind kind;
    text raw; /* the whole token */
    text value;
    bool escaped; /* value has escapes, which css_decode replaces */
    bool names;   /* a CSS_HASH: its value could be an identifier (a hash of type id) */
} css_token;

/* Takes the next token off *rest. */
css_token css_token_next(text *rest);
/* Takes the next token that is not CSS_SPACE, with the space before it. */
css_token css_token_next_part(text *rest);
/* Replaces the escapes of a token's value. A value with escapes becomes a copy in the arena. Returns false if memory is
 * short. */
bool css_token_decode(const css_token *token, arena *arena, text *decoded);
/* The most bytes of a text of `count` bytes after its escapes are replaced. A text can grow: the two bytes `\0` stand
 * for U+FFFD, which takes three, and so does a backslash alone at the end. From one byte on some text takes as many. */
#define CSS_DECODED_MOST(count) ((count) + ((count) + 1u) / 2u + 1u)
/* Writes a text to `out` with its escapes replaced. `out` has room for CSS_DECODED_MOST(escaped.count) bytes. Returns
 * the number of bytes. */
size_t css_decode(text escaped, char *out);
/* Makes a plain copy of a value in the arena. Names lose their escapes if they remain names without them, and what is
 * open at the end of the text is closed (CSS Syntax 3, 5.4.8 and 5.4.9). Returns false if memory is short. */
bool css_plain(text value, arena *arena, text *plain);
/* Skips the block that the CSS_OPEN or CSS_FUNCTION token just taken has opened, with its closing bracket. Brackets of
 * other kinds may nest in the block. Beyond CSS_DEEPEST_NEST of them the rest of the text counts as inside. Returns
 * false if the text ends before the closing bracket. */
bool css_token_skip_block(text *rest, char open);
/* Takes the text before the first blank outside parentheses off *rest, and the blanks behind it. *rest begins and ends
 * without blanks. */
text css_take_word(text *rest);
/* Takes the text up to the next comma outside brackets, and the comma too. */
text css_take_part(text *rest);
/* Returns whether a name may have this character, escapes apart. */
static inline bool css_token_is_name(char c)
{
    return text_is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || (uint8_t)c >= 0x80;
}

/* Returns whether a CSS_DELIMITER, CSS_OPEN or CSS_CLOSE token is this character. */
static inline bool css_token_is(const css_token *token, char character)
{
    return token->raw.count == 1 && token->raw.bytes[0] == character && token->kind >= CSS_OPEN;
}

/* Returns whether a value contains var() outside strings and unquoted urls. */
bool css_has_variable(text value);

#endif
