/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* render: draws SVG files to PNG files. See docs/render.1. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch.h"
#include "completions.h"
#include "file.h"
#include "fonts.h"
#include "info.h"
#include "picture.h"
#include "progress.h"
#include "sandbox.h"
#include "tiles.h"
#include "tracing.h"

/* The files of one picture: OUTPUT, and those of --timing and --trace. */
enum { FILE_PICTURE, FILE_TIMING, FILE_TRACE, FILE_COUNT };

typedef struct files {
    const char *paths[FILE_COUNT]; /* NULL: it is not wanted */
    file_output outputs[FILE_COUNT];
} files;

static void abandon(files *files, unsigned file)
{
    if (files->paths[file])
        file_output_abandon(&files->outputs[file]);
}

/* A terminal would show a picture's bytes as text, and obey some of them. */
static status refuse_terminal(file_output *output)
{
    if (!isatty(output->temporary.descriptor))
        return STATUS_DRAWN;
    file_output_abandon(output);
    return report(STATUS_INPUT, output->path, 0, "%s is a terminal, which cannot show a picture",
                  strcmp(output->path, "-") == 0 ? "standard output" : "this");
}

/* Files to be written are opened first. Then their names are known to be good, and the process can give up reading what
 * lies beside them. */
static status open_outputs(files *files)
{
    status result = STATUS_DRAWN;

    for (unsigned i = 0; i < FILE_COUNT && result == STATUS_DRAWN; i++) {
        if (files->paths[i])
            result = file_output_open(&files->outputs[i], files->paths[i]);
        if (files->paths[i] && i == FILE_PICTURE && result == STATUS_DRAWN)
            result = refuse_terminal(&files->outputs[i]);
        for (unsigned j = 0; result != STATUS_DRAWN && j < i; j++)
            abandon(files, j);
    }
    return result;
}

static void enter_sandbox(const device *device, const files *files)
{
    const options *options = device->options;
    const char *outputs[FILE_COUNT];
    size_t count = 0;

    for (unsigned i = 0; i < FILE_COUNT; i++)
        if (files->paths[i])
            outputs[count++] = files->paths[i];
    sandbox_enter(options, &(sandbox_needs){.inputs = options->inputs,
                                            .input_count = 1,
                                            .outputs = outputs,
                                            .output_count = count,
                                            .gpu = device->on_gpu});
}

/* Writes what was measured of a picture, or leaves no file of it. */
static status write_figures(files *files, const timing *timing, status result)
{
    if (files->paths[FILE_TIMING] && result == STATUS_DRAWN)
        result = timing_write(timing, &files->outputs[FILE_TIMING]);
    else
        abandon(files, FILE_TIMING);
    if (files->paths[FILE_TRACE] && result == STATUS_DRAWN)
        result = tracing_write(&files->outputs[FILE_TRACE]);
    else
        abandon(files, FILE_TRACE);
    return result;
}

static status open_fonts(device *device)
{
    double start = timing_now();
    status result = fonts_open(device->options, &device->fonts);

    tracing_step("fonts", start);
    return result;
}

static status draw_one(device *device, double start)
{
    const options *options = device->options;
    files files = {.paths = {options->output, options->timing, options->trace}};
    timing timing = {.start = start};
    status result = open_outputs(&files);

    if (result != STATUS_DRAWN)
        return result;
    if (options->trace)
        tracing_start();
    result = device_open_gpu(device);
    if (result == STATUS_DRAWN) {
        enter_sandbox(device, &files);
        result = open_fonts(device);
    }
    if (result == STATUS_DRAWN) {
        progress_start(!options->quiet, picture_steps(options));
        result = picture_draw(device, options->inputs[0], &files.outputs[FILE_PICTURE], &timing);
        progress_stop();
    } else {
        abandon(&files, FILE_PICTURE);
    }
    device_close(device); /* its threads tell no more */
    result = write_figures(&files, &timing, result);
    timing_destroy(&timing);
    tracing_stop();
    return result;
}

/* The library of a format is opened before any work. */
static status prepare_format(const options *options)
{
    const picture_format format = options->output ? format_of(options->format, options->output) : options->format;
    const char *missing = format_prepare(format, options->compression);

    return missing ? report(STATUS_INPUT, NULL, 0, "%s", missing) : STATUS_DRAWN;
}

static status draw(const options *options, double start)
{
    device device = {.options = options, .threads = options->device.threads};
    status result;

    if (options->skip_existing && options->output && file_is_there(options->output))
        return STATUS_DRAWN;
    result = prepare_format(options);
    if (result == STATUS_DRAWN)
        result = options->tiles        ? tiles_draw(&device)
                 : options->output_dir ? batch_draw(&device)
                                       : draw_one(&device, start);

    device_close(&device);
    pietra_fonts_destroy(device.fonts);
    return result == STATUS_DRAWN && device.complained ? STATUS_DEVICE : result;
}

static status query(const options *options, status (*print)(const device *device, const char *input))
{
    device device = {.options = options, .threads = options->device.threads};

    sandbox_enter(options, &(sandbox_needs){.inputs = options->inputs, .input_count = 1});
    status result = fonts_open(options, &device.fonts);
    if (result == STATUS_DRAWN)
        result = print(&device, options->inputs[0]);
    pietra_fonts_destroy(device.fonts);
    return result;
}

static status explain(const options *options)
{
    device device = {.options = options, .threads = options->device.threads};
    status result = device_open_explained(&device);

    if (result == STATUS_DRAWN) {
        sandbox_enter(options, &(sandbox_needs){.inputs = options->inputs, .input_count = 1, .gpu = device.on_gpu});
        result = fonts_open(options, &device.fonts);
    }
    if (result == STATUS_DRAWN)
        result = picture_explain(&device, options->inputs[0]);
    device_close(&device);
    pietra_fonts_destroy(device.fonts);
    return result == STATUS_DRAWN && device.complained ? STATUS_DEVICE : result;
}

static status flush_output(void)
{
    return fflush(stdout) == 0 ? STATUS_DRAWN : report_errno("-", "write");
}

/* True: it is an absolute path. A relative one counts as none, as the XDG Base Directory Specification says. */
static bool keep_absolute(const char *variable)
{
    const char *path = getenv(variable);

    if (path && path[0] != '/')
        unsetenv(variable);
    return path && path[0] == '/';
}

/* Without a place for them, drivers keep no compiled kernels: Mesa would make its cache in the working directory. */
static void prepare_caches(void)
{
    bool cache_home = keep_absolute("XDG_CACHE_HOME"), home = keep_absolute("HOME");

    if (cache_home || home)
        return;
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    setenv("__GL_SHADER_DISK_CACHE", "0", 1);
}

int main(int count, char **arguments)
{
    double start = timing_now();
    options options;
    status result;

    file_prepare();
    prepare_caches();
    result = options_parse(&options, count, arguments);

    if (result == STATUS_DRAWN) {
        if (options.help) {
            options_print_help();
            result = flush_output();
        } else if (options.completions) {
            result = completions_print(options.completions);
        } else if (options.version) {
            printf("render %s\n", pietra_version());
            result = flush_output();
        } else if (options.list_devices) {
            result = device_print_list();
        } else if (options.list_limits) {
            result = options_print_limits();
        } else if (options.list_fonts) {
            result = fonts_print_list(&options);
        } else if (options.query_all) {
            result = query(&options, picture_query);
        } else if (options.info) {
            result = query(&options, info_print);
        } else if (options.explain) {
            result = explain(&options);
        } else {
            result = draw(&options, start);
        }
    }
    options_destroy(&options);
    return (int)result;
}
