/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "option_table.h"

#include <stdint.h>

#include "format.h"
#include "heatmap.h"
#include "spelling.h"

const option option_table[] = {
    {OPTION_WIDTH, 'w', "Size", "width", "N[,N...]", NULL,
     "width in pixels; alone it keeps the aspect, with --height the picture fits inside both"},
    {OPTION_HEIGHT, 'h', NULL, "height", "N[,N...]", NULL, "height in pixels; -h alone is --help"},
    {OPTION_ZOOM, 'z', NULL, "zoom", "F[,F...]", NULL, "size as a multiple of the document's own"},
    {OPTION_DPI, 0, NULL, "dpi", "N", NULL, "pixels in an inch, for lengths in physical units; default 96"},
    {OPTION_EXPORT_ID, 0, "Part of the document", "export-id", "ID", NULL,
     "draws the element with this id alone; the picture is its box"},
    {OPTION_EXPORT_IDS, 0, NULL, "export-ids", "GLOB", NULL,
     "draws each element whose id is like this, as icon-*, to a file of its own"},
    {OPTION_EXPORT_AREA_PAGE, 0, NULL, "export-area-page", NULL, NULL,
     "with --export-id or --export-ids: in its place on the whole page instead"},
    {OPTION_EXPORT_AREA_DRAWING, 0, NULL, "export-area-drawing", NULL, NULL,
     "cuts the picture to the box of all that is drawn, on the page or beside it"},
    {OPTION_OUTPUT, 'o', "Output", "output", "FILE", NULL, "is OUTPUT, wherever it stands"},
    {OPTION_OUTPUT_DIR, 0, NULL, "output-dir", "DIR", NULL,
     "draws many files, each to DIR/NAME.png, and folders of them"},
    {OPTION_OUTPUT_NAME, 0, NULL, "output-name", "PATTERN", NULL,
     "names files in --output-dir, default the current folder, by {stem}, {width}, {height}, {zoom}, {id}"},
    {OPTION_KEEP_FOLDERS, 0, NULL, "keep-folders", "BASE", NULL,
     "with --output-dir: keeps the folders of inputs below BASE"},
    {OPTION_SKIP_EXISTING, 0, NULL, "skip-existing", NULL, NULL, "draws no picture whose file is there"},
    {OPTION_TILES, 0, NULL, "tiles", "DIR", NULL,
     "draws the document in many sizes, cut into tiles, as maps want them"},
    {OPTION_LEVELS, 0, NULL, "levels", "A-B", NULL,
     "of --tiles: the longer side of level N has 2^N tiles, in dzi 2^N pixels; A alone is one level"},
    {OPTION_TILE_SIZE, 0, NULL, "tile-size", "N", NULL, "pixels in a side of a tile, a power of two; default 256"},
    {OPTION_TILE_LAYOUT, 0, NULL, "tile-layout", "LAYOUT", "xyz dzi",
     "xyz, the default, names files N/COLUMN/ROW.png; dzi is a Deep Zoom Image"},
    {OPTION_FORMAT, 0, NULL, "format", "NAME", FORMAT_WORDS, FORMAT_NAMES "; default: as OUTPUT ends, else png"},
    {OPTION_QUALITY, 0, NULL, "quality", "N", NULL, "of a JPEG, 1 to 100, default 90; makes a WebP lossy"},
    {OPTION_COMPRESSION, 0, NULL, "compression", "HOW", "fast default best",
     "of a PNG or a lossless WebP: fast, default or best"},
    {OPTION_BACKGROUND, 0, NULL, "background", "COLOR", NULL, "a CSS colour, or none; default: transparent"},
    {OPTION_STYLESHEET, 0, "What is read", "stylesheet", "FILE", NULL,
     "CSS that comes before the document's own style sheets"},
    {OPTION_ALLOW_EXTERNAL, 0, NULL, "allow-external", NULL, NULL,
     "reads images, style sheets and what is used from files below the document's folder"},
    {OPTION_RESOURCES_DIR, 0, NULL, "resources-dir", "DIR", NULL, "with --allow-external: below this folder instead"},
    {OPTION_LANGUAGES, 0, NULL, "languages", "LIST", NULL,
     "the reader's, separated by commas, for systemLanguage; default: en"},
    {OPTION_LIMIT, 0, NULL, "limit", "NAME=N", NULL,
     "what a document may ask for at most; --list-limits has the names"},
    {OPTION_FONT_FAMILY, 0, "Text", "font-family", "NAME", NULL, "of text that names no family; default: serif"},
    {OPTION_FONT_SIZE, 0, NULL, "font-size", "N", NULL, "of text that names no size, in pixels; default 16"},
    {OPTION_SERIF_FAMILY, 0, NULL, "serif-family", "NAME", NULL, "what serif stands for; default: as the system says"},
    {OPTION_SANS_SERIF_FAMILY, 0, NULL, "sans-serif-family", "NAME", NULL, "what sans-serif stands for"},
    {OPTION_CURSIVE_FAMILY, 0, NULL, "cursive-family", "NAME", NULL, "what cursive stands for"},
    {OPTION_FANTASY_FAMILY, 0, NULL, "fantasy-family", "NAME", NULL, "what fantasy stands for"},
    {OPTION_MONOSPACE_FAMILY, 0, NULL, "monospace-family", "NAME", NULL, "what monospace stands for"},
    {OPTION_USE_FONT_FILE, 0, NULL, "use-font-file", "FILE", NULL,
     "adds the fonts of a file before those of the system"},
    {OPTION_USE_FONTS_DIR, 0, NULL, "use-fonts-dir", "DIR", NULL, "adds the fonts of a folder and all below"},
    {OPTION_SKIP_SYSTEM_FONTS, 0, NULL, "skip-system-fonts", NULL, NULL, "uses none of the fonts that are installed"},
    {OPTION_SNAP_BASELINES, 0, NULL, "snap-baselines", NULL, NULL, "moves baselines of text to whole pixels"},
    {OPTION_DEVICE, 0, "Device", "device", "DEVICE", "auto cpu gpu reference",
     "auto, cpu, gpu, gpu:INDEX, gpu:NAME or reference; default: auto"},
    {OPTION_THREADS, 0, NULL, "threads", "N", NULL, "threads of the CPU device; 0, the default: one for each core"},
    {OPTION_MEMORY_BUDGET, 0, NULL, "memory-budget", "SIZE", NULL,
     "bytes, or with K, M or G, that a frame's buffers may take on the device"},
    {OPTION_QUERY_ALL, 0, "Instead of a picture", "query-all", "[csv|json]", "csv json",
     "prints the boxes of elements with ids, as id,x,y,width,height; no OUTPUT"},
    {OPTION_INFO, 0, NULL, "info", "[text|json]", "text json",
     "prints size, elements, fonts, images and what is not drawn; no OUTPUT"},
    {OPTION_EXPLAIN, 0, NULL, "explain", "X,Y", NULL,
     "prints what happens at a pixel of the picture, and where devices differ on it; no OUTPUT"},
    {OPTION_HEATMAP, 0, NULL, "heatmap", "KIND", "lines tile_lines tile_commands layers",
     "draws how many there are in each tile: " HEATMAP_NAMES},
    {OPTION_LIST_DEVICES, 0, NULL, "list-devices", NULL, NULL, "lists the devices and ends"},
    {OPTION_LIST_FONTS, 0, NULL, "list-fonts", NULL, NULL, "lists the fonts that text may use and ends"},
    {OPTION_LIST_LIMITS, 0, NULL, "list-limits", NULL, NULL, "lists the limits with their defaults and ends"},
    {OPTION_REPEAT, 0, "Measurement", "repeat", "N", NULL,
     "draws N times more on the warm device, for --timing and --trace"},
    {OPTION_TIMING, 0, NULL, "timing", "FILE", NULL, "writes what was measured as JSON"},
    {OPTION_TRACE, 0, NULL, "trace", "FILE", NULL,
     "writes when steps, threads and stages of the GPU were at work, for Perfetto"},
    {OPTION_NO_SANDBOX, 0, "General", "no-sandbox", NULL, NULL,
     "keeps the right to read and write other files, to start processes and so on"},
    {OPTION_QUIET, 'q', NULL, "quiet", NULL, NULL,
     "no progress bar, and no warnings of what is left out of the picture"},
    {OPTION_VERBOSE, 'v', NULL, "verbose", NULL, NULL,
     "tells which device draws, and what the sandbox cannot hold back"},
    {OPTION_VALIDATION, 0, NULL, "validation", NULL, NULL, NULL},
    {OPTION_COMPLETIONS, 0, NULL, "completions", "SHELL", "bash zsh fish",
     "prints the completions of the command for bash, zsh or fish and ends"},
    {OPTION_VERSION, 'V', NULL, "version", NULL, NULL, "prints the version and ends"},
    {OPTION_HELP, 0, NULL, "help", NULL, NULL, "prints this and ends"},
};
const size_t option_table_count = sizeof option_table / sizeof option_table[0];

const option *option_find(char letter, text name)
{
    for (size_t i = 0; i < option_table_count; i++)
        if (letter ? option_table[i].letter == letter : text_equal(text_of_string(option_table[i].name), name))
            return &option_table[i];
    return NULL;
}

bool option_value_is_optional(const option *option)
{
    return option->value && option->value[0] == '[';
}

/* ---- Mistyped names ---- */

static const char *find_nearest(text name)
{
    spelling spelling = spelling_of(name);

    for (size_t i = 0; i < option_table_count; i++)
        if (option_table[i].help)
            spelling_try(&spelling, option_table[i].name);
    return spelling.nearest;
}

/* Returns the first option whose name goes on after this one. */
static const char *find_longer(text name)
{
    for (size_t i = 0; i < option_table_count; i++)
        if (option_table[i].help && strncmp(option_table[i].name, name.bytes, name.count) == 0)
            return option_table[i].name;
    return NULL;
}

const char *option_suggest(text name)
{
    const char *longer = name.count > 1 ? find_longer(name) : NULL;

    return longer ? longer : find_nearest(name);
}
