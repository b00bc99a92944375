/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fonts for Pietra: their outlines and metrics, as paths and numbers. The conventions of pietra.h hold.
 *
 * HarfBuzz reads outlines and metrics. It is opened by the first function here that needs it; a program that uses no
 * font opens no library of text.
 *
 * Fonts have units of their own, units_per_em of which make the font's size. Outlines and metrics are given in these
 * units, x to the right and y down. Outlines are not hinted, and their coordinates are multiples of 1/64 unit. So the
 * same font gives the same outlines at every size and on every machine. */
#ifndef PIETRA_TEXT_H
#define PIETRA_TEXT_H

#include <pietra/pietra.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The four bytes by which a font names an axis or a table. */
#define PIETRA_FONT_TAG(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))

/* Where a variable font stands on one of its axes. An axis that the font lacks is ignored. A value outside the axis is
 * clamped to it. */
typedef struct pietra_font_variation {
    uint32_t axis; /* PIETRA_FONT_TAG('w', 'g', 'h', 't') */
    float value;
} pietra_font_variation;

/* A face of a font file at chosen variations. A font never changes, and any number of threads may use it at once. */
typedef struct pietra_font pietra_font;

/* ---- Fonts to choose from ---- */

/* A pietra_fonts (pietra.h) has fonts in the order in which they were added. Any number of threads may use the same
 * object at once. Nothing is read from the system unless pietra_fonts_add_system is called. */
PIETRA_API pietra_fonts *pietra_fonts_create(void); /* NULL: out of memory */
/* Fonts that were opened from it live on. */
PIETRA_API void pietra_fonts_destroy(pietra_fonts *fonts);

/* Sets what receives a line for each font file that is passed over because it is bad, on the thread that found so. The
 * line of the document is 0. The function must not call back into `fonts`. NULL: warnings are dropped. */
PIETRA_API void pietra_fonts_set_warning(pietra_fonts *fonts, pietra_warning_function *warning, void *user);

/* Adds all faces of a file: OpenType or TrueType, a collection of these, WOFF or WOFF2. The file is opened again when
 * one of its faces is used. PIETRA_ERROR_INPUT: it is no font; PIETRA_ERROR_IO: it cannot be read. */
PIETRA_API pietra_result pietra_fonts_add_file(pietra_fonts *fonts, const char *path, pietra_error *error);
/* Adds the files of a folder, and of all folders in it, whose names end in ttf, otf, ttc, otc, woff or woff2, in the
 * order of their names. Links are followed. A bad file is passed over with a warning. The folder must be there, but is
 * read when a font is first needed or listed. */
PIETRA_API pietra_result pietra_fonts_add_directory(pietra_fonts *fonts, const char *path, pietra_error *error);
/* Adds all faces of a copy of the bytes of a file, which may come from anywhere. */
PIETRA_API pietra_result pietra_fonts_add_bytes(pietra_fonts *fonts, const void *bytes, size_t byte_count,
                                                pietra_error *error);

/* Adds the fonts that are installed, behind those that are named one by one. They are listed when something first needs
 * them: by an index below cache_directory if nothing was installed since it was written, else by fontconfig, which is
 * opened at run time. The index is written by pietra_fonts_destroy; one that is missing, broken or cannot be written
 * costs time and nothing else. A NULL cache_directory means the user's cache directory, "" none. */
PIETRA_API pietra_result pietra_fonts_add_system(pietra_fonts *fonts, const char *cache_directory, pietra_error *error);

typedef enum pietra_generic_family {
    PIETRA_FAMILY_SERIF = 0,
    PIETRA_FAMILY_SANS_SERIF,
    PIETRA_FAMILY_CURSIVE,
    PIETRA_FAMILY_FANTASY,
    PIETRA_FAMILY_MONOSPACE,
} pietra_generic_family;

/* Says which family a generic name stands for. Without this the system says so, if its fonts were added. */
PIETRA_API pietra_result pietra_fonts_set_family(pietra_fonts *fonts, pietra_generic_family generic, const char *family,
                                                 pietra_error *error);

/* Receives a face. The texts are valid during the call. Variable faces have ranges of weight and stretch. */
typedef struct pietra_face {
    const char *family; /* the first of its names */
    const char *path;   /* NULL: the face is one of bytes */
    uint32_t index;     /* the face's index in its file */
    double weight_least, weight_most;
    double stretch_least, stretch_most; /* percent */
    bool slanted;
} pietra_face;
typedef void pietra_face_function(void *user, const pietra_face *face);

/* Calls the function for all faces, in their order. It must not call back into `fonts`. */
PIETRA_API pietra_result pietra_fonts_list(pietra_fonts *fonts, pietra_face_function *function, void *user,
                                           pietra_error *error);

/* ---- Opening ---- */

typedef enum pietra_font_slope {
    PIETRA_SLOPE_NORMAL = 0,
    PIETRA_SLOPE_ITALIC,
    PIETRA_SLOPE_OBLIQUE,
} pietra_font_slope;

/* What text asks of a font, as in CSS Fonts 4. */
typedef struct pietra_font_query {
    const char *const *families; /* names in the order of preference; serif, sans-serif, cursive, fantasy and monospace
                                  * are generic. May be NULL only if family_count is 0 */
    size_t family_count;
    double weight;  /* 1 to 1000; 0: 400 */
    double stretch; /* percent, above 0; 0: 100 */
    pietra_font_slope slope;
    double angle;                            /* degrees, clockwise, -90 to 90, of PIETRA_SLOPE_OBLIQUE; 0: 14 */
    double optical_size;                     /* for the axis opsz, which is in CSS pixels; 0: the font's default */
    const pietra_font_variation *variations; /* besides weight and so on, over which they prevail */
    size_t variation_count;
    const char *text; /* UTF-8, ended by a NUL: the characters that the font must have; NULL: any font will do */
    /* the text's, as in BCP 47: Han characters look different in ja, ko, zh-Hans, zh-Hant; NULL: unknown */
    const char *language;
    bool emoji; /* prefers fonts with colours */
} pietra_font_query;

/* Opens the font that matches best. Each family is asked in turn: the face of it that comes closest by stretch, slope
 * and weight is taken, of those that have all characters of the text. (White space and characters that are mostly not
 * shown need no glyph.) A family that is missing is replaced by one of the same advances, if there is one. Then all
 * other families are asked. Equal queries give the same font object, for some while. PIETRA_ERROR_INPUT: there is no
 * such font. */
PIETRA_API pietra_result pietra_font_open(pietra_fonts *fonts, const pietra_font_query *query, pietra_error *error,
                                          pietra_font **font);
/* Says what the query asked for and the font's face does not have: a weight of 600 or more, and a slant. A caller may
 * imitate them. False: neither is lacking. Either pointer may be NULL. */
PIETRA_API bool pietra_font_lacks(const pietra_font *font, bool *weight, bool *slant);

/* Opens a font from a copy of the bytes of a file: OpenType or TrueType, a collection of these, WOFF or WOFF2. `index`
 * is the number of the face in a collection, else 0. variations may be NULL only if variation_count is 0; the axes that
 * it does not name have their default values. The bytes may come from anywhere. PIETRA_ERROR_INPUT: they are no font,
 * they have no such face, or they would unpack to more than 64 MiB. PIETRA_ERROR_IO: a library is not installed. */
PIETRA_API pietra_result pietra_font_from_bytes(const void *bytes, size_t byte_count, uint32_t index,
                                                const pietra_font_variation *variations, size_t variation_count,
                                                pietra_error *error, pietra_font **font);
PIETRA_API void pietra_font_destroy(pietra_font *font);

/* ---- Measures and outlines ---- */

/* Distances in the font's units. Where the font does not state one, a usual part of the em stands in for it. */
typedef struct pietra_font_metrics {
    double units_per_em;
    double ascent;               /* from the baseline up */
    double descent;              /* from the baseline down; mostly positive */
    double line_gap;             /* between lines, besides ascent and descent */
    double x_height, cap_height; /* from the baseline up */
    double underline_offset;     /* from the baseline down to the upper edge of the underline */
    double underline_thickness;
    double strikeout_offset; /* from the baseline up to the upper edge of the strikeout */
    double strikeout_thickness;
    double vertical_ascent;  /* in vertical lines: from the middle of the line to the right */
    double vertical_descent; /* to the left */
    double vertical_line_gap;
} pietra_font_metrics;

/* Returns false if an argument is NULL. */
PIETRA_API bool pietra_font_measure(const pietra_font *font, pietra_font_metrics *metrics);

/* Returns the number of the glyph for a character, a Unicode code point; 0: the font has none, or is NULL. */
PIETRA_API uint32_t pietra_font_glyph(const pietra_font *font, uint32_t character);
/* Returns how far a glyph moves the pen: to the right, or down in vertical lines. 0 for a glyph that the font does not
 * have, and for a NULL font. */
PIETRA_API double pietra_font_advance(const pietra_font *font, uint32_t glyph, bool vertical);

/* Appends the outline of a glyph to a path, with the glyph's origin at (0, 0). It is filled by PIETRA_FILL_NONZERO. A
 * glyph that is empty, or that the font does not have, appends nothing. PIETRA_ERROR_INPUT: the glyph has more than
 * 10,000 points or 1,024 components, or is broken; PIETRA_ERROR_IO: the font's file can no longer be read. The path is
 * unchanged then. */
PIETRA_API pietra_result pietra_font_outline(const pietra_font *font, uint32_t glyph, pietra_path *path,
                                             pietra_error *error);

/* ---- Runs of glyphs ---- */

/* A glyph and where its origin stands on the page, in the scene's units before `transform`, y down. */
typedef struct pietra_glyph {
    uint32_t id;
    double x, y;
} pietra_glyph;

/* Paints a run of glyphs of a font, whose em is `size` units: for those who shape text by themselves. A stroke, and
 * a fill by anything but an opaque colour without a slot, takes the outlines of all glyphs as one path: overlaps are
 * painted once, and a gradient spans the run. Paint and stroke are in the units in which the glyphs stand. In an
 * opaque colour each glyph is an element, or neighbours together whose boxes meet. Equal ones share one path, so
 * that a run costs its places and not its outlines. Pictures of colour fonts are not drawn, their outlines are. A
 * run without outlines adds nothing. PIETRA_ERROR_INPUT: size is not above 0, a place or a coordinate is not finite,
 * or a glyph is one that pietra_font_outline refuses. */
PIETRA_API pietra_result pietra_scene_fill_glyphs(pietra_scene *scene, const pietra_font *font, double size,
                                                  const pietra_glyph *glyphs, size_t glyph_count,
                                                  const pietra_transform *transform, const pietra_paint *paint,
                                                  pietra_error *error);
PIETRA_API pietra_result pietra_scene_stroke_glyphs(pietra_scene *scene, const pietra_font *font, double size,
                                                    const pietra_glyph *glyphs, size_t glyph_count,
                                                    const pietra_transform *transform, const pietra_stroke *stroke,
                                                    const pietra_paint *paint, pietra_error *error);

/* ---- Laying out text ---- */

/* A feature of OpenType. */
typedef struct pietra_font_feature {
    uint32_t tag; /* PIETRA_FONT_TAG('s', 'm', 'c', 'p') */
    uint32_t value;
} pietra_font_feature;

/* A part of a text in one style, which begins where the one before it ends. */
typedef struct pietra_text_span {
    size_t byte_count;      /* bytes of the text; the last span also has what the spans leave over */
    pietra_font_query font; /* its text and emoji are not read; the language also decides where lines may end */
    double size;            /* size of the em, above 0 */
    const pietra_font_feature *features; /* may be NULL only if feature_count is 0 */
    size_t feature_count;
    double letter_spacing; /* distance between characters, besides their advances; not 0: no ligatures are made */
    double word_spacing;   /* distance behind each blank, besides its advance */
    double line_height;    /* height of a line in sizes of the em; 0: the font's own */
    double rise;           /* how far the baseline lies above that of the line */
} pietra_text_span;

typedef enum pietra_text_wrap {
    PIETRA_WRAP_WORDS = 0, /* lines end between words (UAX 14); a word that is too long sticks out */
    PIETRA_WRAP_ANYWHERE,  /* a word that is too long is broken between characters */
    PIETRA_WRAP_NEVER,     /* lines end where the text says so: at line feeds and the like */
} pietra_text_wrap;

typedef enum pietra_text_align {
    PIETRA_ALIGN_START = 0, /* left, or right in a paragraph that runs from right to left */
    PIETRA_ALIGN_END,
    PIETRA_ALIGN_LEFT, /* in vertical lines: the top */
    PIETRA_ALIGN_RIGHT,
    PIETRA_ALIGN_CENTER,
    PIETRA_ALIGN_JUSTIFY, /* blanks widen, or what is between Chinese characters; lines that end where they must stay */
} pietra_text_align;

typedef enum pietra_text_direction {
    PIETRA_DIRECTION_AUTO = 0, /* each paragraph runs as its first letter does */
    PIETRA_DIRECTION_LEFT_TO_RIGHT,
    PIETRA_DIRECTION_RIGHT_TO_LEFT,
} pietra_text_direction;

/* How a text is laid out. Zero bytes: one line for each paragraph, as wide as it is. */
typedef struct pietra_text_options {
    double width; /* width of lines; 0: lines do not wrap, and are aligned within the widest one */
    pietra_text_wrap wrap;
    pietra_text_align align;
    pietra_text_direction direction;
    bool vertical;     /* lines run from top to bottom, the first one at the right (UAX 50); `width` is their height */
    double tab_width;  /* distance between tab stops; 0: four sizes of the first span's em */
    size_t most_lines; /* the text behind them is left out; 0: there is no limit */
    /* Shown where text is left out, in UTF-8; with PIETRA_WRAP_NEVER also where a line is wider than `width`. NULL:
     * nothing is shown, and wide lines stick out. */
    const char *ellipsis;
    bool snap_baselines; /* baselines lie on whole units, for small text that is drawn without a scale */
} pietra_text_options;

/* A text that was laid out. It never changes, and any number of threads may use it at once. Its upper left corner is
 * (0, 0); x goes to the right and y down, in the units of `size`. Places in the text are bytes; one in the middle of a
 * character stands for the character's beginning. */
typedef struct pietra_text pietra_text;

/* Lays out a text of UTF-8, in which ill-formed bytes stand for U+FFFD. There must be a span, even for an empty text.
 * options may be NULL. Takes time in proportion to the text. A font that makes too many glyphs of it is passed over in
 * this text, which the warning function receives. PIETRA_ERROR_INPUT: a number is not finite or out of range, or the
 * text has more than 16,777,216 characters of UTF-16. PIETRA_ERROR_IO: a library is not installed. */
PIETRA_API pietra_result pietra_text_shape(pietra_fonts *fonts, const char *utf8, size_t byte_count,
                                           const pietra_text_span *spans, size_t span_count,
                                           const pietra_text_options *options, pietra_error *error, pietra_text **text);
PIETRA_API void pietra_text_destroy(pietra_text *text);

/* A line of text. Blanks at its end belong to it, but hang: its width is that without them. */
typedef struct pietra_text_line {
    size_t begin, end; /* bytes, with what ends the line */
    double x, y;       /* beginning of its baseline: the left end, or the top */
    double width;
    double ascent,
        descent; /* from the baseline to where the next lines' begin; in vertical lines to the right and left */
    size_t first_run, run_count;
    bool right_to_left; /* the paragraph runs so */
    bool elided;        /* text is left out behind it, or at its end */
} pietra_text_line;

/* Glyphs of one font that stand side by side. Runs are listed as they are seen, from left to right in each line. */
typedef struct pietra_text_run {
    size_t begin, end; /* bytes */
    size_t span, line;
    /* Lives as long as the text. NULL: no font has the characters, and the ids of the glyphs are their code points. */
    const pietra_font *font;
    double size; /* size of the em; with this font's small capitals it is less than the span's */
    double width;
    bool right_to_left;
    pietra_transform transform; /* leads from the space of the glyphs, whose baseline is y = 0, to the text's; it turns
                                 * runs that lie on their side in vertical lines, and imitates a slant */
    const pietra_glyph *glyphs; /* from left to right, or from top to bottom */
    const size_t *glyph_bytes;  /* for each glyph the byte where its cluster begins */
    size_t glyph_count;
} pietra_text_run;

/* Give the lines and runs, and return how many there are. The arrays live as long as the text. A NULL text has none. */
PIETRA_API size_t pietra_text_lines(const pietra_text *text, const pietra_text_line **lines);
PIETRA_API size_t pietra_text_runs(const pietra_text *text, const pietra_text_run **runs);

/* Gives the box of all lines. Glyphs may reach beyond it. False: an argument is NULL. */
PIETRA_API bool pietra_text_bounds(const pietra_text *text, pietra_box *box);

/* Appends the outlines of what bytes from `begin` up to but not including `end` show, to be filled by
 * PIETRA_FILL_NONZERO. A weight and a slant that a font lacks are imitated, and a character that no font has is a box
 * with its number. Pictures of colour fonts are not drawn, their outlines are. The ellipsis stands for the
 * bytes that are left out. PIETRA_ERROR_INPUT: as pietra_font_outline; the path is
 * unchanged then. */
PIETRA_API pietra_result pietra_text_outline(const pietra_text *text, size_t begin, size_t end, pietra_path *path,
                                             pietra_error *error);

/* A caret: a line from (x0, y0), at the top or the right, to (x1, y1). */
typedef struct pietra_text_caret {
    double x0, y0, x1, y1;
    size_t line;
    bool right_to_left; /* it stands at text that runs so */
} pietra_text_caret;

/* Gives the caret before a byte. Where two lines or directions meet there are two: `behind` gives the one that stands
 * behind the character before it. Within a ligature carets stand at equal distances. False: an argument is NULL. */
PIETRA_API bool pietra_text_find_caret(const pietra_text *text, size_t byte, bool behind, pietra_text_caret *caret);
/* Returns where the next character begins, or, backward, the one before: what a reader takes for one. It returns the
 * end of the text, or 0, if there is none. */
PIETRA_API size_t pietra_text_next(const pietra_text *text, size_t byte, bool backward);

typedef void pietra_text_box_function(void *user, const pietra_box *box);
/* Calls the function for boxes that cover the bytes from `begin` up to but not including `end`, as a selection is
 * shown: as high as the lines, and one for each piece of a line that runs in one direction. */
PIETRA_API void pietra_text_boxes(const pietra_text *text, size_t begin, size_t end, pietra_text_box_function *function,
                                  void *user);

/* What is at a point. */
typedef struct pietra_text_hit {
    size_t begin, end; /* bytes of the character that is nearest; both are the same in an empty line */
    size_t caret;      /* the byte at whose caret the point is nearest */
    bool behind;       /* as pietra_text_find_caret takes it */
    bool inside;       /* the point lies on the character, not beside it */
    size_t line;
} pietra_text_hit;

/* Finds the character at a point, or the nearest one of the nearest line. False: an argument is NULL or not finite. */
PIETRA_API bool pietra_text_find(const pietra_text *text, double x, double y, pietra_text_hit *hit);

#ifdef __cplusplus
}
#endif

#endif
