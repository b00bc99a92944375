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
 * order of their names. Links are followed. A bad file is passed over with a warning. */
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

/* Paints a run of glyphs of a font, whose em is `size` units: for those who shape text by themselves. The outlines of
 * all glyphs are one path, so overlaps are painted once, and a gradient spans the run: paint and stroke are in the
 * units in which the glyphs stand. Pictures of colour fonts are not drawn, their outlines are. A run without outlines
 * adds nothing. PIETRA_ERROR_INPUT: size is not above 0, a place is not finite, or a glyph is one that
 * pietra_font_outline refuses. */
PIETRA_API pietra_result pietra_scene_fill_glyphs(pietra_scene *scene, const pietra_font *font, double size,
                                                  const pietra_glyph *glyphs, size_t glyph_count,
                                                  const pietra_transform *transform, const pietra_paint *paint,
                                                  pietra_error *error);
PIETRA_API pietra_result pietra_scene_stroke_glyphs(pietra_scene *scene, const pietra_font *font, double size,
                                                    const pietra_glyph *glyphs, size_t glyph_count,
                                                    const pietra_transform *transform, const pietra_stroke *stroke,
                                                    const pietra_paint *paint, pietra_error *error);

#ifdef __cplusplus
}
#endif

#endif
