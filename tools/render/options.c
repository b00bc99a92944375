/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "file.h"
#include "folders.h"
#include "option_table.h"
#include "option_value.h"
#include "output_name.h"
#include "sources.h"

static void print_option(const option *option)
{
    char left[40];

    if (option->group)
        printf("%s%s:\n", option == option_table ? "" : "\n", option->group);
    if (!option->help)
        return;
    int length = snprintf(left, sizeof left, "%c%c%c --%s", option->letter ? '-' : ' ',
                          option->letter ? option->letter : ' ', option->letter ? ',' : ' ', option->name);
    if (option_value_is_optional(option))
        snprintf(left + length, sizeof left - (size_t)length, "[=%s", option->value + 1);
    else if (option->value)
        snprintf(left + length, sizeof left - (size_t)length, " %s", option->value);
    printf("  %-28s %s\n", left, option->help);
}

void options_print_help(void)
{
    puts(
        "Usage: render [options] INPUT.svg OUTPUT.png\n"
        "       render [options] --output-dir DIR INPUT.svg|FOLDER...\n"
        "       render [options] --tiles DIR --levels A-B INPUT.svg\n"
        "       render [options] --query-all INPUT.svg\n"
        "       render [options] --info INPUT.svg\n"
        "       render [options] --explain X,Y INPUT.svg\n"
        "       render [options] --heatmap KIND INPUT.svg OUTPUT.png\n"
        "\n"
        "Draws SVG files as PNG and other pictures. \"-\" stands for standard input or output; with --output-dir, for a list of files on standard input,\n"
        "one a line, or with a NUL byte after each. Gzipped files are read too. INPUT.svg#ID draws a view of the document.\n");
    for (size_t i = 0; i < option_table_count; i++)
        print_option(&option_table[i]);
    puts(
        "\nStatus: 0 drawn; 1 bad input or arguments; 2 the device failed; 3 over the budget or out of memory; 4 devices differ (--explain).");
}

status options_print_limits(void)
{
    size_t count;
    const pietra_svg_limit *limits = pietra_svg_limit_list(&count);

    for (size_t i = 0; i < count; i++)
        printf("%-18s %12llu  %s\n", limits[i].name, (unsigned long long)limits[i].standard, limits[i].text);
    return fflush(stdout) == 0 ? STATUS_DRAWN : report_errno("-", "write");
}

static status set_option(options *options, const option *option, const char *value)
{
    switch (option->id) {
    case OPTION_WIDTH:
        return option_set_integers(option->name, value, 1, PIETRA_MAX_SIDE, &options->width);
    case OPTION_HEIGHT:
        return option_set_integers(option->name, value, 1, PIETRA_MAX_SIDE, &options->height);
    case OPTION_ZOOM:
        return option_set_positives(option->name, value, &options->zoom);
    case OPTION_DPI:
        return option_set_positive(option->name, value, &options->dpi);
    case OPTION_BACKGROUND:
        return option_set_background(option->name, value, &options->background);
    case OPTION_STYLESHEET:
        return option_set_path(option->name, value, &options->stylesheet);
    case OPTION_ALLOW_EXTERNAL:
        options->allow_external = true;
        break;
    case OPTION_RESOURCES_DIR:
        return option_set_path(option->name, value, &options->resources_dir);
    case OPTION_FONT_FAMILY:
        return option_set_path(option->name, value, &options->font_family);
    case OPTION_FONT_SIZE:
        return option_set_positive(option->name, value, &options->font_size);
    case OPTION_SERIF_FAMILY:
        return option_set_path(option->name, value, &options->generic_families[PIETRA_FAMILY_SERIF]);
    case OPTION_SANS_SERIF_FAMILY:
        return option_set_path(option->name, value, &options->generic_families[PIETRA_FAMILY_SANS_SERIF]);
    case OPTION_CURSIVE_FAMILY:
        return option_set_path(option->name, value, &options->generic_families[PIETRA_FAMILY_CURSIVE]);
    case OPTION_FANTASY_FAMILY:
        return option_set_path(option->name, value, &options->generic_families[PIETRA_FAMILY_FANTASY]);
    case OPTION_MONOSPACE_FAMILY:
        return option_set_path(option->name, value, &options->generic_families[PIETRA_FAMILY_MONOSPACE]);
    case OPTION_USE_FONT_FILE:
        return option_add_font_place(option->name, value, false, options);
    case OPTION_USE_FONTS_DIR:
        return option_add_font_place(option->name, value, true, options);
    case OPTION_SKIP_SYSTEM_FONTS:
        options->skip_system_fonts = true;
        break;
    case OPTION_LIST_FONTS:
        options->list_fonts = true;
        break;
    case OPTION_SNAP_BASELINES:
        options->snap_baselines = true;
        break;
    case OPTION_LANGUAGES:
        return option_set_path(option->name, value, &options->languages);
    case OPTION_EXPORT_ID:
        return option_set_path(option->name, value, &options->export_id);
    case OPTION_EXPORT_IDS:
        return option_set_path(option->name, value, &options->export_ids);
    case OPTION_EXPORT_AREA_PAGE:
        options->export_area_page = true;
        break;
    case OPTION_EXPORT_AREA_DRAWING:
        options->export_area_drawing = true;
        break;
    case OPTION_QUERY_ALL:
        return option_set_query(option->name, value, options);
    case OPTION_INFO:
        return option_set_info(option->name, value, options);
    case OPTION_EXPLAIN:
        return option_set_pixel(option->name, value, options);
    case OPTION_HEATMAP:
        return option_set_heatmap(option->name, value, options);
    case OPTION_DEVICE:
        return option_set_device(option->name, value, &options->device);
    case OPTION_LIST_DEVICES:
        options->list_devices = true;
        break;
    case OPTION_THREADS:
        return option_set_integer(option->name, value, 0, UINT16_MAX, &options->device.threads);
    case OPTION_MEMORY_BUDGET:
        return option_set_size(option->name, value, &options->device.memory_budget_bytes);
    case OPTION_LIMIT: {
        status set = option_set_limit(option->name, value, &options->limits);
        options->device.effect_steps = options->limits.steps;
        return set;
    }
    case OPTION_LIST_LIMITS:
        options->list_limits = true;
        break;
    case OPTION_COMPRESSION:
        return option_set_compression(option->name, value, &options->compression);
    case OPTION_FORMAT:
        return option_set_format(option->name, value, &options->format);
    case OPTION_QUALITY:
        return option_set_integer(option->name, value, 1, FORMAT_MOST_QUALITY, &options->quality);
    case OPTION_OUTPUT:
        return option_set_path(option->name, value, &options->output);
    case OPTION_OUTPUT_DIR:
        return option_set_path(option->name, value, &options->output_dir);
    case OPTION_OUTPUT_NAME:
        return option_set_path(option->name, value, &options->output_name);
    case OPTION_SKIP_EXISTING:
        options->skip_existing = true;
        break;
    case OPTION_TILES:
        return option_set_path(option->name, value, &options->tiles);
    case OPTION_LEVELS:
        return option_set_levels(option->name, value, options);
    case OPTION_TILE_SIZE:
        return option_set_tile_size(option->name, value, options);
    case OPTION_TILE_LAYOUT:
        return option_set_tile_layout(option->name, value, options);
    case OPTION_KEEP_FOLDERS:
        return option_set_path(option->name, value, &options->keep_folders);
    case OPTION_REPEAT:
        return option_set_integer(option->name, value, 1, 100000, &options->repeat);
    case OPTION_TIMING:
        return option_set_path(option->name, value, &options->timing);
    case OPTION_TRACE:
        return option_set_path(option->name, value, &options->trace);
    case OPTION_NO_SANDBOX:
        options->no_sandbox = true;
        break;
    case OPTION_QUIET:
        options->quiet = true;
        break;
    case OPTION_VERBOSE:
        options->verbose = true;
        break;
    case OPTION_VALIDATION:
        options->device.validation = true;
        break;
    case OPTION_COMPLETIONS:
        return option_set_completions(option->name, value, options);
    case OPTION_VERSION:
        options->version = true;
        break;
    case OPTION_HELP:
        options->help = true;
        break;
    }
    return STATUS_DRAWN;
}

static status fail_option(const char *argument)
{
    const char *name = argument + 2;
    const char *meant = argument[1] == '-' ? option_suggest((text){name, strcspn(name, "=")}) : NULL;

    if (meant)
        return report(STATUS_INPUT, NULL, 0, "there is no option \"%s\"; is --%s meant? see render --help", argument,
                      meant);
    return report(STATUS_INPUT, NULL, 0, "there is no option \"%s\"; see render --help", argument);
}

/* Sets an option to the value behind it in its own argument or, if that is NULL, to the next argument, which may be
 * NULL too. Sets `used` to how many arguments this takes. */
static status take_value(options *options, const option *option, const char *own, const char *next, int *used)
{
    if (own)
        return set_option(options, option, own);
    if (!next)
        return report(STATUS_INPUT, NULL, 0, "--%s wants a value: %s", option->name, option->value);
    *used = 2;
    return set_option(options, option, next);
}

/* Reads "--name", "--name=value" or "--name" and the next argument. */
static status parse_long(options *options, char **arguments, int *used)
{
    const char *name = arguments[0] + 2, *equals = strchr(name, '='), *value = equals ? equals + 1 : NULL;
    const option *option = option_find(0, (text){name, strcspn(name, "=")});

    *used = 1;
    if (!option)
        return fail_option(arguments[0]);
    if (!option->value && value)
        return report(STATUS_INPUT, NULL, 0, "--%s takes no value", option->name);
    if (!option->value || option_value_is_optional(option))
        return set_option(options, option, value);
    return take_value(options, option, value, arguments[1], used);
}

/* Reads letters. What follows the first one that wants a value, or else the next argument, is its value. */
static status parse_letters(options *options, char **arguments, int *used)
{
    status result = STATUS_DRAWN;

    *used = 1;
    for (const char *at = arguments[0] + 1; *at && result == STATUS_DRAWN; at++) {
        const option *option = option_find(*at, (text){0});
        if (!option)
            return fail_option(arguments[0]);
        if (option->value)
            return take_value(options, option, at[1] ? at + 1 : NULL, arguments[1], used);
        result = set_option(options, option, NULL);
    }
    return result;
}

/* Returns a number of a list that has one number for all sizes, or one for each. 0: the list is empty. */
static double pick(const number_list *list, size_t size)
{
    return list->count == 0 ? 0 : list->numbers[list->count == 1 ? 0 : size];
}

static status make_sizes(options *options)
{
    const number_list *width = &options->width, *height = &options->height, *zoom = &options->zoom;
    size_t count = 1;

    if (zoom->count > 0 && width->count + height->count > 0)
        return report(STATUS_INPUT, NULL, 0, "--zoom and a width or height exclude each other");
    if (width->count > 1 && height->count > 1)
        return report(STATUS_INPUT, NULL, 0, "only one of --width and --height may be a list");
    count = width->count > count ? width->count : count;
    count = height->count > count ? height->count : count;
    count = zoom->count > count ? zoom->count : count;
    if (count > 1 && !options->output_name)
        return report(STATUS_INPUT, NULL, 0, "several sizes need --output-name, such as {stem}-{%s}.png",
                      zoom->count         ? "zoom"
                      : height->count > 1 ? "height"
                                          : "width");
    if (count > 1 && options->snap_baselines)
        return report(STATUS_INPUT, NULL, 0, "--snap-baselines is for one size, to whose pixels text is moved");
    options->sizes = calloc(count, sizeof *options->sizes);
    if (!options->sizes)
        return report_memory(NULL);
    options->size_count = count;
    for (size_t i = 0; i < count; i++)
        options->sizes[i] = (picture_size){(uint32_t)pick(width, i), (uint32_t)pick(height, i), pick(zoom, i)};
    return STATUS_DRAWN;
}

/* Returns the option that is asked for instead of a picture. NULL: a picture is. */
static const char *find_inquiry(const options *options)
{
    return options->query_all ? "query-all" : options->info ? "info" : options->explain ? "explain" : NULL;
}

/* Checks options that go only with others, or only without them. */
static status check_pairs(const options *options)
{
    if (options->resources_dir && !options->allow_external)
        return report(STATUS_INPUT, NULL, 0, "--resources-dir is for --allow-external");
    if (options->repeat && !options->timing && !options->trace && !options->explain)
        return report(STATUS_INPUT, NULL, 0, "--repeat is for --timing and --trace");
    if (options->keep_folders && !options->output_dir)
        return report(STATUS_INPUT, NULL, 0, "--keep-folders is for --output-dir");
    if (options->output && (options->output_dir || find_inquiry(options)))
        return report(STATUS_INPUT, NULL, 0,
                      "--output is for one picture, without --output-dir, --output-name, --export-ids, --query-all, "
                      "--info and --explain");
    if (options->trace && (options->output_dir || find_inquiry(options)))
        return report(STATUS_INPUT, NULL, 0, "--trace is for one picture");
    if (options->skip_existing && (options->timing || options->trace || find_inquiry(options)))
        return report(STATUS_INPUT, NULL, 0,
                      "--skip-existing goes with no --timing, --trace, --query-all, --info or --explain");
    return options->output_name ? output_name_check(options) : STATUS_DRAWN;
}

/* Checks the options for pyramids of tiles. */
static status check_tiles(const options *options)
{
    if (!options->tiles && options->levels)
        return report(STATUS_INPUT, NULL, 0, "--levels is for --tiles");
    if (!options->tiles && options->tile_shape)
        return report(STATUS_INPUT, NULL, 0, "--%s is for --tiles", options->tile_shape);
    if (!options->tiles)
        return STATUS_DRAWN;
    if (!options->levels)
        return report(STATUS_INPUT, NULL, 0, "--tiles wants --levels A-B");
    if (options->width.count || options->height.count || options->zoom.count || options->snap_baselines)
        return report(STATUS_INPUT, NULL, 0,
                      "--levels says how large pictures are: --tiles goes with no --width, --height, --zoom or "
                      "--snap-baselines");
    if (options->output || options->output_dir || options->export_id || options->export_area_page ||
        options->export_area_drawing || find_inquiry(options)) {
        return report(STATUS_INPUT, NULL, 0,
                      "--tiles draws a whole document: it goes with no --output, --output-dir, --output-name, "
                      "--export, --query-all, --info or --explain");
    }
    if (options->timing || options->trace)
        return report(STATUS_INPUT, NULL, 0, "--timing and --trace are for one picture, without --tiles");
    return STATUS_DRAWN;
}

static status check_explain(const options *options)
{
    if (options->explain &&
        (options->query_all || options->info || options->output_dir || options->repeat || options->timing)) {
        return report(
            STATUS_INPUT, NULL, 0,
            "--explain writes no picture: it goes with no --query-all, --info, --output-dir, --repeat or --timing");
    }
    return STATUS_DRAWN;
}

static status check_heatmap(const options *options)
{
    if (options->heatmap && (options->output_dir || options->tiles || find_inquiry(options) || options->repeat ||
                             options->timing || options->trace)) {
        return report(STATUS_INPUT, NULL, 0,
                      "--heatmap is drawn in place of one picture: it goes with no --output-dir, --output-name, "
                      "--export-ids, --tiles, --query-all, --info, --explain, --repeat, --timing or --trace");
    }
    return STATUS_DRAWN;
}

/* Checks the options for parts of a document. */
static status check_export(const options *options)
{
    if (options->info && (options->query_all || options->export_id || options->export_area_drawing ||
                          options->output_dir || options->timing)) {
        return report(STATUS_INPUT, NULL, 0,
                      "--info draws nothing: it goes with no --query-all, --export, --output-dir or --timing");
    }
    if (options->query_all &&
        (options->export_id || options->export_area_drawing || options->output_dir || options->timing)) {
        return report(STATUS_INPUT, NULL, 0,
                      "--query-all draws nothing: it goes with no --export, --output-dir or --timing");
    }
    if (options->export_ids && options->export_id)
        return report(STATUS_INPUT, NULL, 0, "--export-id and --export-ids exclude each other");
    if (options->export_area_page && !options->export_id && !options->export_ids)
        return report(STATUS_INPUT, NULL, 0, "--export-area-page is for --export-id and --export-ids");
    if (options->export_area_drawing && (options->export_id || options->export_ids))
        return report(STATUS_INPUT, NULL, 0, "--export-id and --export-area-drawing exclude each other");
    return STATUS_DRAWN;
}

/* Returns whether the file is that of INPUT, whose name may have a fragment. */
static bool is_input(const options *options, const char *file)
{
    const char *fragment;
    char *path = source_path(options->inputs[0], &fragment);
    bool same = path && strcmp(path, "-") != 0 && file_is_same(path, file);

    free(path);
    return same;
}

static status check_figures(const options *options, const char *file, const char *name)
{
    if (file && is_input(options, file))
        return report(STATUS_INPUT, file, 0, "--%s is INPUT", name);
    if (file && options->stylesheet && strcmp(file, "-") != 0 && file_is_same(options->stylesheet, file))
        return report(STATUS_INPUT, file, 0, "--%s is the style sheet", name);
    if (file && file_is_same(options->output, file))
        return report(STATUS_INPUT, file, 0, "OUTPUT and --%s are the same", name);
    return STATUS_DRAWN;
}

/* One name must not mean two files. "-" is both an input and an output. */
static status check_overwriting(const options *options)
{
    status result = sources_spare(options, &options->output, 1);

    if (result == STATUS_DRAWN)
        result = check_figures(options, options->timing, "timing");
    if (result == STATUS_DRAWN)
        result = check_figures(options, options->trace, "trace");
    if (result == STATUS_DRAWN && options->timing && options->trace && file_is_same(options->timing, options->trace))
        result = report(STATUS_INPUT, options->trace, 0, "--timing and --trace are the same");
    return result;
}

/* The last name is the output, unless there is a folder for outputs. */
static status take_names(options *options)
{
    if (options->output_dir) {
        if (options->timing)
            return report(STATUS_INPUT, NULL, 0, "--timing is for one picture, without --output-dir");
        if (options->input_count == 0)
            return report(STATUS_INPUT, NULL, 0, "no INPUT; \"-\" reads a list of files from standard input");
        return STATUS_DRAWN;
    }
    const char *alone = options->tiles ? "tiles" : find_inquiry(options);
    if (alone) {
        return options->input_count == 1 ? STATUS_DRAWN
                                         : report(STATUS_INPUT, NULL, 0, "--%s wants one INPUT and no OUTPUT", alone);
    }
    size_t wanted = options->output ? 1 : 2;
    if (options->input_count < wanted) {
        return report(STATUS_INPUT, NULL, 0, "no %s; see render --help",
                      options->input_count == 0 ? "INPUT" : "OUTPUT");
    }
    if (options->input_count > wanted)
        return report(STATUS_INPUT, NULL, 0, "more than one INPUT; many files need --output-dir DIR");
    if (!options->output)
        options->output = options->inputs[--options->input_count];
    return check_overwriting(options);
}

/* The format is known once the names are. */
static status check_encoding(const options *options)
{
    const picture_format format = format_of(options->format, options->output ? options->output : "");
    if (options->quality && !format_has_quality(format))
        return report(STATUS_INPUT, NULL, 0, "--quality is for JPEG and WebP");
    if (options->compression != PNG_COMPRESSION_DEFAULT && (options->quality || !format_has_compression(format)))
        return report(STATUS_INPUT, NULL, 0, "--compression is for PNG and lossless WebP");
    return STATUS_DRAWN;
}

/* Splits a list of names, one a line, which may end in CR LF. If the list holds a byte of 0, as from find -print0, such
 * bytes end the names instead, and names may hold ends of lines. If `names` is NULL it only counts. One more byte of 0
 * follows the list. */
static size_t split_list(char *list, size_t byte_count, const char **names)
{
    char between = memchr(list, '\0', byte_count) ? '\0' : '\n';
    char *end = list + byte_count;
    size_t count = 0;

    for (char *name = list; name < end;) {
        char *stop = memchr(name, between, (size_t)(end - name));
        char *next = stop ? stop + 1 : end;
        stop = stop ? stop : end;
        stop -= between == '\n' && stop > name && stop[-1] == '\r';
        if (stop > name && names) {
            *stop = '\0';
            names[count] = name;
        }
        count += stop > name;
        name = next;
    }
    return count;
}

/* Puts the names on standard input in the place of "-", at the end of the inputs of --output-dir. */
static status read_list(options *options)
{
    size_t kept = 0, byte_count;

    for (size_t i = 0; i < options->input_count; i++)
        if (strcmp(options->inputs[i], "-") != 0)
            options->inputs[kept++] = options->inputs[i];
    if (kept == options->input_count)
        return STATUS_DRAWN;
    status result = file_read("-", &options->inputs_text, &byte_count);
    if (result != STATUS_DRAWN)
        return result;
    const char **grown =
        realloc(options->inputs, (kept + split_list(options->inputs_text, byte_count, NULL) + 1) * sizeof *grown);
    if (!grown)
        return report_memory(NULL);
    options->inputs = grown;
    options->input_count = kept + split_list(options->inputs_text, byte_count, grown + kept);
    return options->input_count ? STATUS_DRAWN
                                : report(STATUS_INPUT, NULL, 0, "the list of files on standard input is empty");
}

/* The ending of the pattern decides for all pictures. What stems and ids bring into a name, such as icon.webp, asks for
 * no format. */
static void decide_format(options *options)
{
    options->format = format_of(options->format, options->output_name ? options->output_name : "");
}

status options_parse(options *options, int count, char **arguments)
{
    bool only_names = false;

    *options = (struct options){.inputs = calloc((size_t)count + 1, sizeof *options->inputs)};
    if (!options->inputs)
        return report_memory(NULL);
    options->help = count == 2 && strcmp(arguments[1], "-h") == 0;
    for (int i = 1, used = 1; i < count && !options->help; i += used, used = 1) {
        if (only_names || arguments[i][0] != '-' || !arguments[i][1]) {
            options->inputs[options->input_count++] = arguments[i];
        } else if (strcmp(arguments[i], "--") == 0) {
            only_names = true;
        } else {
            status result = (arguments[i][1] == '-' ? parse_long : parse_letters)(options, arguments + i, &used);
            if (result != STATUS_DRAWN)
                return result;
        }
    }
    if (options->help || options->version || options->list_devices || options->list_limits || options->list_fonts ||
        options->completions)
        return STATUS_DRAWN;
    /* Names by a pattern are below the current folder if there is no other. */
    if ((options->output_name || options->export_ids) && !options->output_dir)
        options->output_dir = ".";
    if (options->output_dir || options->tiles)
        decide_format(options);
    status result = make_sizes(options);
    if (result == STATUS_DRAWN)
        result = check_tiles(options);
    if (result == STATUS_DRAWN)
        result = check_heatmap(options);
    if (result == STATUS_DRAWN)
        result = check_pairs(options);
    if (result == STATUS_DRAWN)
        result = check_export(options);
    if (result == STATUS_DRAWN)
        result = check_explain(options);
    if (result == STATUS_DRAWN)
        result = take_names(options);
    if (result == STATUS_DRAWN)
        result = check_encoding(options);
    if (result == STATUS_DRAWN && options->output_dir)
        result = read_list(options);
    return result == STATUS_DRAWN && options->output_dir ? folders_walk(options) : result;
}

void options_destroy(options *options)
{
    for (size_t i = 0; options->base_lengths && i < options->input_count; i++)
        if (options->base_lengths[i] > 0)
            free((char *)(uintptr_t)options->inputs[i]);
    free(options->base_lengths);
    free(options->inputs);
    free(options->inputs_text);
    free(options->font_places);
    free(options->width.numbers);
    free(options->height.numbers);
    free(options->zoom.numbers);
    free(options->sizes);
}
