/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The parsed command line. */
#ifndef RENDER_OPTIONS_H
#define RENDER_OPTIONS_H

#include "format.h"
#include "pietra/pietra_explain.h"
#include "pietra/pietra_pyramid.h"
#include "pietra/pietra_text.h"
#include "report.h"

/* Where --use-font-file and --use-fonts-dir look for fonts. */
typedef struct font_place {
    const char *path;
    bool folder;
} font_place;

/* The size of a picture. */
typedef struct picture_size {
    uint32_t width, height; /* pixels; 0: not given */
    double zoom;            /* 0: not given */
} picture_size;

typedef struct number_list {
    double *numbers;
    size_t count;
} number_list;

typedef struct options {
    bool help, version, list_devices, list_limits, list_fonts, quiet, verbose, no_sandbox;
    const char *completions;         /* a shell; NULL: not wanted */
    number_list width, height, zoom; /* as they were given */
    picture_size *sizes;             /* at least one, when all is parsed */
    size_t size_count;
    double dpi; /* 0: not given */
    pietra_color background;
    const char *stylesheet; /* a path; NULL: none */
    bool allow_external;
    const char *resources_dir; /* NULL: the folder of each input */
    const char *export_id;     /* NULL: the whole document */
    const char *export_ids;    /* a glob; NULL: not given */
    bool export_area_page, export_area_drawing, query_all;
    bool query_json; /* query_all prints JSON, not CSV */
    bool info, info_json;
    bool explain; /* explain the pixel explain_x, explain_y */
    uint32_t explain_x, explain_y;
    bool heatmap; /* draw one of heatmap_kind in place of the picture */
    pietra_heatmap_kind heatmap_kind;
    const char *font_family, *languages;                       /* NULL: not given */
    double font_size;                                          /* 0: not given */
    const char *generic_families[PIETRA_FAMILY_MONOSPACE + 1]; /* NULL: not given */
    font_place *font_places;                                   /* in their order */
    size_t font_place_count;
    bool skip_system_fonts, snap_baselines;
    pietra_svg_limits limits;     /* for each input */
    pietra_device_options device; /* complete but for the log */
    png_compression compression;
    picture_format format;    /* with output_dir or tiles never FORMAT_BY_ENDING: that of all pictures */
    uint32_t quality;         /* 0: not given */
    uint32_t repeat;          /* 0: not given */
    const char *timing;       /* a path; NULL: none */
    const char *trace;        /* a path; NULL: none */
    const char *output_dir;   /* NULL: one input and one output */
    const char *output_name;  /* a pattern; NULL: not given */
    const char *keep_folders; /* NULL: not given */
    bool skip_existing;
    const char *tiles;      /* a folder; NULL: no pyramid of tiles is wanted */
    bool levels;            /* they were given */
    const char *tile_shape; /* the first option given that says what tiles are like; NULL: none */
    pietra_pyramid pyramid; /* what the options say of it; the document's size is not known yet */
    const char **inputs;    /* point into the command line, or into `inputs_text` */
    size_t input_count;
    char *inputs_text;
    /* for each input of --output-dir, bytes of the folder in which it was found; 0: it was named itself. Those that
     * were found are the options' own */
    size_t *base_lengths;
    const char *output; /* NULL with output_dir */
} options;

/* Parses the arguments. Failures are reported. The options keep pointers into `arguments`. */
status options_parse(options *options, int count, char **arguments);
void options_destroy(options *options);

void options_print_help(void);
/* Prints each limit on a line: name, default, what it counts. */
status options_print_limits(void);

#endif
