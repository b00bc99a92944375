/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Text to glyphs: cut into runs of one style, font, script and direction, and shaped by HarfBuzz.
 *
 * Text is in UTF-16. Each cluster gets the first font that has all its characters; its neighbours keep theirs. Where no
 * font has all of them, each character gets the first font that has it.
 * Distances are in subunits of each run's font, of which `text_run_scale` gives the size. */
#ifndef PIETRA_TEXT_SHAPE_H
#define PIETRA_TEXT_SHAPE_H

#include "base/array.h"
#include "font/font.h"
#include "text/bidi.h"
#include "text/capitals.h"

#define TEXT_MOST_UNITS ((size_t)16 << 20)

/* HarfBuzz 6.0 takes time in proportion to the square of the marks that follow one another (CVE-2023-25193). A run ends
 * behind so many. */
#define TEXT_MOST_MARKS 256u

/* Neither do characters that are joined into one cluster, such as emoji. A run ends behind so many; the longest emoji
 * that Unicode recommends has ten. */
#define TEXT_MOST_JOINED 16u

/* Nor do letters that stand on one another, as in Khmer, with fonts that replace them. A run ends behind so many. */
#define TEXT_MOST_STACKED 64u

/* A run ends behind so many units, at the next blank. HarfBuzz takes time by the square of the glyphs that a font
 * declares to be marks: 0.8 s for 32,000. */
#define TEXT_MOST_RUN ((size_t)1 << 14)

/* A run of a font that makes several glyphs of one ends before HarfBuzz could compare more than that. It allows 64
 * glyphs a unit. */
#define TEXT_MOST_RUN_COMPARISONS 4e8

/* What the lookups of a font may do at each unit of a text without being counted. Ten of 942 faces go beyond it. */
#define TEXT_FREE_COMPARISONS 5000.0

/* How characters stand in vertical lines. */
typedef enum text_orientation {
    TEXT_MIXED, /* as UAX 50 says: Han upright, Latin on its side */
    TEXT_UPRIGHT,
    TEXT_SIDEWAYS,
} text_orientation;

/* How characters are shown that may be pictures, unless a selector behind them says so. */
typedef enum text_emoji {
    TEXT_EMOJI_NORMAL, /* as Unicode has it for each */
    TEXT_EMOJI_PLAIN,
    TEXT_EMOJI_COLORED,
} text_emoji;

typedef struct text_style {
    pietra_font_query font; /* its text and emoji are not read */
    pietra_font *opened;    /* what that gives for no characters; the caller's. NULL: it is asked for */
    double size;            /* size of the em, in the caller's units */
    /* In all fonts the aspect is this part of `size`, so their own sizes may be others. */
    font_aspect aspect;
    double aspect_size;
    bidi_direction direction;
    const hb_feature_t *features;
    size_t feature_count;
    uint32_t language_system; /* a tag that OpenType registers, in place of the language's; 0: none */
    text_orientation orientation;
    text_capitals capitals;
    text_emoji emoji;
    /* What is not imitated where a font lacks it. Weight and slant concern those who draw. */
    bool no_imitated_weight, no_imitated_slant, no_imitated_capitals;
} text_style;

/* A piece of text in one style; it begins where the one before it ends. */
typedef struct text_span {
    uint32_t end; /* unit */
    uint32_t style;
} text_span;

typedef struct text_paragraph {
    const uint16_t *units;
    size_t count;
    bidi_direction direction;
    const text_style *styles; /* their directions are not read */
    size_t style_count;
    const text_span *spans; /* they cover the text */
    size_t span_count;
    const uint8_t *breaks; /* 1 where a run must end before a unit; NULL: nowhere */
    bool vertical;         /* lines run from top to bottom */
    /* Is asked before runs are shaped whose fonts have heavy lookups. False: they must not be. NULL: they are. */
    bool (*spend)(void *user, double comparisons);
    void *user;
} text_paragraph;

/* Why a paragraph fails for which `spend` returned false. */
extern const char text_refused[];

typedef struct text_glyph {
    uint32_t id;
    uint32_t unit;                /* where its cluster begins, as HarfBuzz forms them */
    int32_t x_advance, y_advance; /* y up */
    int32_t x_offset, y_offset;
} text_glyph;

typedef struct text_run {
    pietra_font *font;                 /* owned; NULL: no font has the characters, and there are no glyphs */
    uint32_t begin, end;               /* units */
    uint32_t first_glyph, glyph_count; /* from left to right */
    uint32_t style;
    double size; /* size of the em, in the styles' units */
    hb_script_t script;
    uint8_t level;
    bool upright;           /* in vertical lines: the glyphs stand below one another; else they lie on their side */
    bool emoji;             /* all of its clusters are pictures by themselves */
    bool capitals_imitated; /* letters are replaced by smaller capitals, in whose size they are */
} text_run;

typedef struct shaped_text {
    ARRAY(text_run) runs; /* in the order of the text */
    ARRAY(text_glyph) glyphs;
    ARRAY(uint32_t) order; /* runs from left to right, if all stand in one line */
    uint8_t level;         /* the first paragraph's */
} shaped_text;

/* Shapes a paragraph. Several may follow one another, of which only the first need not end with a line feed. Letters
 * join across spans, and spans whose fonts and features are equal share ligatures. Takes time in proportion to the
 * text. `shaped` must be zero bytes. After a failure it is to be freed too. Any thread. NULL, or why it failed. */
const char *text_shape_paragraph(pietra_fonts *fonts, const text_paragraph *paragraph, shaped_text *shaped);
void shaped_text_free(shaped_text *shaped);

/* Returns the size that a style's font has. */
double text_size_in(const text_style *style, const pietra_font *font);
/* Returns the size of a unit of a run's font, in the style's units. The run must have a font. */
double text_run_scale(const text_run *run);

#endif
