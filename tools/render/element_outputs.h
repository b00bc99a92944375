/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The files of one element of --export-ids, whose names are known only when the ids of the document are. */
#ifndef RENDER_ELEMENT_OUTPUTS_H
#define RENDER_ELEMENT_OUTPUTS_H

#include "picture.h"

typedef struct element_outputs {
    picture_output *outputs; /* with paths of their own */
    size_t count;
} element_outputs;

/* Puts the id into the names of the outputs, and keeps those that are to be drawn: with --skip-existing not those that
 * are there. A name that would replace a source or another picture is reported, and left out; the result is then a
 * failure. The outputs are to be destroyed in any case. Any thread, once sources_keep was called. */
status element_outputs_make(const options *options, const char *input, const char *id, const picture_output *outputs,
                            size_t count, element_outputs *made);
void element_outputs_destroy(element_outputs *outputs);

#endif
