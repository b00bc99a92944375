/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "element_outputs.h"

#include <stdlib.h>

#include "claims.h"
#include "file.h"
#include "output_name.h"
#include "sources.h"

/* Checks a path that is known only now. */
static status take_path(const options *options, const char *input, const char *path)
{
    status result = sources_spare(options, &path, 1);

    return result == STATUS_DRAWN ? claims_add(input, path) : result;
}

status element_outputs_make(const options *options, const char *input, const char *id, const picture_output *outputs,
                            size_t count, element_outputs *made)
{
    status result = STATUS_DRAWN;

    *made = (element_outputs){.outputs = calloc(count, sizeof *made->outputs)};
    if (!made->outputs)
        return report_memory(input);
    for (size_t i = 0; i < count; i++) {
        char *path = output_name_insert(outputs[i].path, outputs[i].id_at, id);
        status taken = path ? take_path(options, input, path) : report_memory(input);
        if (taken == STATUS_DRAWN && !(options->skip_existing && file_is_there(path)))
            made->outputs[made->count++] = (picture_output){.path = path, .size = outputs[i].size};
        else
            free(path);
        result = taken == STATUS_DRAWN ? result : taken;
    }
    return result;
}

void element_outputs_destroy(element_outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++)
        free(outputs->outputs[i].path);
    free(outputs->outputs);
}
