/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The layout of a text element: where its characters stand, by which glyphs (SVG 2, chapter 11).
 *
 * The steps stand in files of their own: the elements and characters (text_content.c), their fonts (text_style.c), the
 * lists x, y, dx, dy and rotate (text_position.c), lines (text_lines.c), the glyphs (text_shaping.c) and their places
 * (text_layout.c), text on a path (text_on_path.c), what is drawn (text_piece.c), outlines (text_outline.c). All take
 * time in proportion to the characters. A layout does not change once it is made. */
#ifndef PIETRA_SVG_DRAW_TEXT_LAYOUT_H
#define PIETRA_SVG_DRAW_TEXT_LAYOUT_H

#include "svg/draw/kept_style.h"
#include "svg/draw/walk.h"
#include "text/shape.h"

#define SVG_NO_INDEX UINT32_MAX

/* The font of a style, and what is measured in it, in user units. */
typedef struct svg_text_font {
    pietra_font *font; /* owned; NULL: there is none */
    double size;       /* size of the em */
    double ascent, descent, line_gap, x_height, underline, underline_thickness, strikeout, strikeout_thickness;
    double sub, super;
    svg_palette palette; /* of its glyphs that are pictures */
    uint8_t key[64];     /* a key that text_style.c makes */
} svg_text_font;

/* An element of the text that shows characters. */
typedef struct svg_text_element {
    uint32_t node;
    uint32_t parent;     /* index of the element around it; SVG_NO_INDEX: it is the text itself */
    uint32_t begin, end; /* characters, those of elements inside it included */
    uint32_t style;      /* index of its font */
    uint32_t rotated;    /* the nearest element, from this one outwards, with a list of rotations; SVG_NO_INDEX: none */
    uint32_t rotations;  /* index of its first rotation; */
    uint32_t rotation_count;
    uint32_t decorated; /* the nearest element, from this one outwards, with lines; SVG_NO_INDEX: none */
    uint32_t path;      /* the textPath that it is or lies in; SVG_NO_INDEX: none */
    uint32_t opened_by; /* the nearest element, from this one outwards, that has effects or whose box is asked for;
                         * SVG_NO_INDEX: none */
    double shift;       /* shift of the baseline, down, by baseline-shift of the element and of what is around it */
    double baseline;    /* shift of the alphabetic baseline, down, by dominant-baseline and alignment-baseline */
    kept_style inherited, noninherited; /* against those of the text; the arena owns them */
} svg_text_element;

/* A character as SVG counts them: a code point that is not dropped with other white space. */
typedef struct svg_text_character {
    uint32_t unit, element;
    uint32_t run, glyph, glyph_count; /* if it begins a cluster */
    bool starts_cluster;              /* else it belongs to the one before it */
    bool starts_chunk;
    bool hidden; /* beyond the ends of a path */
    bool is_space;
    bool hangs; /* a blank at the end of a line, or what ends the line; it is not seen */
    /* Units that text-transform made of it beside the first, and that no font has: so many, from unit + boxed_from on.
     * Their boxes stand behind its glyphs. */
    uint8_t boxed_from, boxed_count;
    double px, py;        /* where the cluster begins, on the line */
    double advance;       /* advance of the cluster along the line, with its spacing */
    float spacing;        /* the part of it that is letter and word spacing */
    float stretch;        /* stretch of its glyphs along the line */
    float rotation;       /* degrees */
    uint32_t place;       /* the place where it asks to be */
    float turn_x, turn_y; /* on a path: the direction of the line, else 1, 0 */
} svg_text_character;

/* Where a character asks to be; NAN: it does not. */
typedef struct svg_text_place {
    double x, y, dx, dy;
} svg_text_place;

typedef enum svg_text_piece_kind {
    SVG_TEXT_OPEN,  /* effects of an element begin; */
    SVG_TEXT_CLOSE, /* they end */
    SVG_TEXT_UNDERLINE,
    SVG_TEXT_OVERLINE,
    SVG_TEXT_GLYPHS,
    SVG_TEXT_PICTURES, /* glyphs that are pictures (text_picture.h) */
    SVG_TEXT_LINE_THROUGH,
} svg_text_piece_kind;

/* What is drawn, in paint order. */
typedef struct svg_text_piece {
    uint8_t kind;        /* svg_text_piece_kind */
    uint32_t element;    /* the element whose style paints it */
    uint32_t begin, end; /* characters; of OPEN: `end` is the piece that closes it */
} svg_text_piece;

typedef struct svg_text_layout {
    /* What it depends on. */
    uint32_t node, shown_by;
    double width, height;
    pietra_transform snap; /* the map from the text to pixels on which baselines lie; all zeros: they stay */
    svg_inherited style;
    svg_noninherited noninherited; /* of the text, with the lines of what is around it */
    uint32_t users;                /* walk frames */
    bool gives_back;               /* what its last piece draws is lost on the way */

    arena arena;
    bool vertical;
    bool has_lines; /* some character ends a line */
    bool wraps;     /* lines end where inline-size is full */
    ARRAY(svg_text_element) elements;
    ARRAY(svg_text_character) characters;
    ARRAY(svg_text_place) places; /* place 0 asks for nothing */
    ARRAY(uint16_t) units;
    ARRAY(uint32_t) unit_characters; /* each unit's character; SVG_NO_INDEX: it is a control of ours */
    ARRAY(double) rotations;
    ARRAY(text_style) styles;
    ARRAY(svg_text_font) fonts; /* fonts of styles */
    hash_table style_table;
    shaped_text shaped;
    ARRAY(svg_text_piece) pieces;
    svg_extent extent;           /* box of all cells */
    const char *missing_library; /* what it needs and is not installed, so that it has no pieces; NULL: nothing */
} svg_text_layout;

_Static_assert(sizeof(svg_inherited) <= KEPT_STYLE_MOST_WORDS * sizeof(uint64_t) &&
                   sizeof(svg_noninherited) <= KEPT_STYLE_MOST_WORDS * sizeof(uint64_t) &&
                   sizeof(svg_inherited) % sizeof(uint64_t) == 0 && sizeof(svg_noninherited) % sizeof(uint64_t) == 0,
               "styles can be kept");

/* Return the styles of an element, which may be in `room`. */
static inline const svg_inherited *svg_text_inherited(const svg_text_layout *layout, const svg_text_element *element,
                                                      svg_inherited *room)
{
    return kept_style_read(&layout->style, element->inherited, sizeof *room, room);
}
static inline const svg_noninherited *svg_text_noninherited(const svg_text_layout *layout,
                                                            const svg_text_element *element, svg_noninherited *room)
{
    return kept_style_read(&layout->noninherited, element->noninherited, sizeof *room, room);
}
static inline double svg_text_font_size(const svg_text_layout *layout, const svg_text_element *element)
{
    svg_inherited room;
    return svg_text_inherited(layout, element, &room)->font_size;
}

/* Finds or makes the layout of a text element in its place. */
pietra_result svg_text_lay_out(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                               uint32_t shown_by, svg_text_layout **layout);
void svg_text_layout_free(svg_text_layout *layout);
/* Makes the error for a reason of src/font. If it is that a library is not installed, it is only remembered. */
pietra_result svg_text_fail(svg_walk *walk, svg_text_layout *layout, const char *wrong);

/* The steps. */
pietra_result svg_text_collect(svg_walk *walk, const svg_instance *instance, svg_text_layout *layout);
pietra_result svg_text_find_style(svg_walk *walk, svg_text_layout *layout, const svg_inherited *style, uint32_t *index);
pietra_result svg_text_read_lists(svg_walk *walk, const svg_instance *instance, svg_text_layout *layout);
/* Finds the glyphs of all characters, and their clusters. Chunks begin where the places say so. */
pietra_result svg_text_shape(svg_walk *walk, const svg_instance *instance, svg_text_layout *layout);
/* Breaks the text into lines if it has several, and says where each begins. */
pietra_result svg_text_break_lines(svg_walk *walk, const svg_instance *instance, svg_text_layout *layout);
/* Returns the node whose shape a textPath follows: itself if it has one, or the shape to which it refers; SVG_NO_NODE:
 * there is none. */
uint32_t svg_text_path_node(const svg_document *document, uint32_t node);
pietra_result svg_text_put_on_paths(svg_walk *walk, const svg_instance *instance, svg_text_layout *layout);
pietra_result svg_text_list_pieces(svg_walk *walk, svg_text_layout *layout);

/* Joins the cells of all characters, under a transform. */
void svg_text_find_extent(const svg_text_layout *layout, const pietra_transform *transform, svg_extent *extent);
/* Returns the map from a cluster's space, in which it begins at (0, 0) on the line and the line runs to the right, to
 * the text's. */
pietra_transform svg_text_cluster_space(const svg_text_layout *layout, const svg_text_character *character);
/* Lets a layout that is drawn for the last time in this place, but for its last piece, give back memory while that is
 * drawn, if it takes much. Another place has to lay the text out anew. */
void svg_text_give_back(svg_text_layout *layout);
/* Makes walk->path the shape of a piece, under a transform unless that is NULL. False: there is nothing to draw. */
bool svg_text_build_piece(svg_walk *walk, const svg_text_layout *layout, uint32_t piece,
                          const pietra_transform *transform);

/* A glyph in its place. */
typedef struct svg_glyph {
    const pietra_font *font;
    uint32_t id;
    double weight;          /* distance by which its edges move to imitate a weight, in the font's units */
    pietra_transform place; /* the map from the font's units to the text's */
} svg_glyph;

struct font_outline;
/* Adds the outline of a glyph to walk->path, by way of `outline`, under a transform from the font's units. A bad
 * outline is left out with a warning. NULL, or that memory ran out. */
const char *svg_text_add_outline(svg_walk *walk, const svg_glyph *glyph, pietra_transform space,
                                 struct font_outline *outline);
/* Returns what the boxes behind a character's glyphs take along the line. */
double svg_text_boxes_advance(const svg_text_layout *layout, const svg_text_character *character);
/* Receives a glyph. False ends the walk. */
typedef bool svg_glyph_function(void *user, const svg_glyph *glyph);
/* Walks the glyphs of a cluster, which has a font. False: the function ended it. */
bool svg_text_walk_glyphs(const svg_text_layout *layout, const svg_text_character *character,
                          svg_glyph_function *function, void *user);

static inline const svg_text_place *svg_text_place_of(const svg_text_layout *layout,
                                                      const svg_text_character *character)
{
    return &layout->places.items[character->place];
}

/* Returns the first character that begins at a unit or behind it. SVG_NO_INDEX: there is none before the end. */
static inline uint32_t svg_text_character_at(const svg_text_layout *layout, uint32_t unit, uint32_t end)
{
    while (unit < end && layout->unit_characters.items[unit] == SVG_NO_INDEX)
        unit++;
    return unit < end ? layout->unit_characters.items[unit] : SVG_NO_INDEX;
}

/* Returns the place of a character alone, which asks for nothing at first. NULL: out of memory. */
svg_text_place *svg_text_own_place(svg_text_layout *layout, uint32_t character);

/* Returns how far the middle between ascent and descent lies above the baseline. */
static inline double svg_text_middle(const svg_text_font *font)
{
    return (font->ascent - font->descent) / 2;
}

static inline const svg_text_font *svg_text_font_of(const svg_text_layout *layout, uint32_t element)
{
    return &layout->fonts.items[layout->elements.items[element].style];
}

#endif
