/* render: SVG files to PNG files. See docs/render.1. */

#include <stdio.h>

#include "batch.h"
#include "file.h"
#include "picture.h"
#include "progress.h"

static status draw_one(device *device, double start)
{
    const options *options = device->options;
    timing timing = { .start = start };
    status result = picture_draw(device, options->inputs[0], options->output, &timing);

    if (result == STATUS_DRAWN && options->timing) {
        result = timing_write(&timing, options->timing);
    }
    timing_destroy(&timing);
    return result;
}

static status draw(const options *options, double start)
{
    device device = { .options = options, .threads = options->device.threads };
    status result;

    progress_start(!options->quiet, options->output_dir ? options->input_count : picture_steps(options));
    result = options->output_dir ? batch_draw(&device) : draw_one(&device, start);
    progress_stop();
    device_close(&device);
    return result == STATUS_DRAWN && device.complained ? STATUS_DEVICE : result;
}

static status query(const options *options)
{
    device device = { .options = options, .threads = options->device.threads };

    return picture_query(&device, options->inputs[0]);
}

static status flush_output(void)
{
    return fflush(stdout) == 0 ? STATUS_DRAWN : report_errno("-", "write");
}

int main(int count, char **arguments)
{
    double start = timing_now();
    options options;
    status result;

    file_prepare();
    result = options_parse(&options, count, arguments);

    if (result == STATUS_DRAWN) {
        if (options.help) {
            options_print_help();
            result = flush_output();
        } else if (options.version) {
            printf("render %s\n", pietra_version());
            result = flush_output();
        } else if (options.list_devices) {
            result = device_print_list();
        } else if (options.list_limits) {
            result = options_print_limits();
        } else if (options.query_all) {
            result = query(&options);
        } else {
            result = draw(&options, start);
        }
    }
    options_destroy(&options);
    return (int)result;
}
