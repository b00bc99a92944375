/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The table of options. What is parsed, --help, the completions of shells and the suggestion for a mistyped name come
 * from it. */
#ifndef RENDER_OPTION_TABLE_H
#define RENDER_OPTION_TABLE_H

#include <stddef.h>

#include "base/text.h"

typedef enum option_id {
    OPTION_WIDTH,
    OPTION_HEIGHT,
    OPTION_ZOOM,
    OPTION_DPI,
    OPTION_EXPORT_ID,
    OPTION_EXPORT_IDS,
    OPTION_EXPORT_AREA_PAGE,
    OPTION_EXPORT_AREA_DRAWING,
    OPTION_OUTPUT,
    OPTION_OUTPUT_DIR,
    OPTION_OUTPUT_NAME,
    OPTION_KEEP_FOLDERS,
    OPTION_SKIP_EXISTING,
    OPTION_TILES,
    OPTION_LEVELS,
    OPTION_TILE_SIZE,
    OPTION_TILE_LAYOUT,
    OPTION_FORMAT,
    OPTION_QUALITY,
    OPTION_COMPRESSION,
    OPTION_BACKGROUND,
    OPTION_STYLESHEET,
    OPTION_ALLOW_EXTERNAL,
    OPTION_RESOURCES_DIR,
    OPTION_LANGUAGES,
    OPTION_LIMIT,
    OPTION_FONT_FAMILY,
    OPTION_FONT_SIZE,
    OPTION_SERIF_FAMILY,
    OPTION_SANS_SERIF_FAMILY,
    OPTION_CURSIVE_FAMILY,
    OPTION_FANTASY_FAMILY,
    OPTION_MONOSPACE_FAMILY,
    OPTION_USE_FONT_FILE,
    OPTION_USE_FONTS_DIR,
    OPTION_SKIP_SYSTEM_FONTS,
    OPTION_SNAP_BASELINES,
    OPTION_DEVICE,
    OPTION_THREADS,
    OPTION_MEMORY_BUDGET,
    OPTION_QUERY_ALL,
    OPTION_INFO,
    OPTION_EXPLAIN,
    OPTION_HEATMAP,
    OPTION_LIST_DEVICES,
    OPTION_LIST_FONTS,
    OPTION_LIST_LIMITS,
    OPTION_REPEAT,
    OPTION_TIMING,
    OPTION_TRACE,
    OPTION_NO_SANDBOX,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_VALIDATION,
    OPTION_COMPLETIONS,
    OPTION_VERSION,
    OPTION_HELP,
} option_id;

typedef struct option {
    option_id id;
    char letter;       /* 0: it has none */
    const char *group; /* the heading in --help; NULL: that of the option before */
    const char *name;
    /* What stands for the value in --help; NULL: it takes none. One in brackets may be left out, and then follows "=".
     * FILE is the name of a file, DIR and BASE are those of folders. */
    const char *value;
    const char *words; /* all values that there are, separated by blanks; NULL: these, or others */
    const char *help;  /* NULL: the option is for tests, and is not listed */
} option;

extern const option option_table[];
extern const size_t option_table_count;

/* Returns the option with a letter or, if that is 0, with a name. NULL: there is none. */
const option *option_find(char letter, text name);
/* Returns the name of an option that is most like one that does not exist. NULL: none is like it. */
const char *option_suggest(text name);
/* Returns whether the value may be left out. */
bool option_value_is_optional(const option *option);

#endif
