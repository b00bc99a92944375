/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* pietra-view: shows SVG files in a window. */
#include "files.h"
#include "say.h"
#include "viewer.h"

/* The user's ending, and that of a signal, is a success. */
enum { STATUS_ENDED = 0, STATUS_INPUT = 1, STATUS_DEVICE = 2 };

static int view(const options *options, files *files)
{
    for (size_t i = 0; i < options->path_count; i++) {
        if (!files_add(files, options->paths[i])) {
            say(options->paths[i], 0, "out of memory");
            return STATUS_INPUT;
        }
    }
    if (!files->paths.count)
        return STATUS_INPUT;
    return viewer_run(options, files) ? STATUS_ENDED : STATUS_DEVICE;
}

int main(int count, char **arguments)
{
    options options;
    files files = {.paths = {.count = 0}};
    const options_result read = options_read(count, arguments, &options);
    const int status = read == OPTIONS_RUN ? view(&options, &files) : read == OPTIONS_END ? STATUS_ENDED : STATUS_INPUT;

    files_destroy(&files);
    options_destroy(&options);
    return status;
}
