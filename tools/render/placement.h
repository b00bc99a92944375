/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where a document lies in its picture, and how large the picture is. */
#ifndef RENDER_PLACEMENT_H
#define RENDER_PLACEMENT_H

#include "options.h"

typedef struct placement {
    const options *options;
    const picture_size *size;               /* that is asked for */
    const char *input;                      /* for messages */
    const char *element_id;                 /* NULL: the whole document is drawn */
    double document_width, document_height; /* in CSS pixels */
    pietra_box box;                         /* to which --export-... cuts the picture */
    bool boxed;
    pietra_transform transform; /* from the document to pixels */
    uint32_t width, height;     /* of the picture, in pixels */
} placement;

/* Returns whether the picture is cut to a box, which placement_take_box then takes from the document. */
bool placement_is_cut(const placement *placement);
/* A receiver of boxes for pietra_svg_options. */
void placement_take_box(void *placement, const char *id, const pietra_box *box);

/* Sets the transform and the size of the picture, once the document's size and the box are known. Failures are
 * reported. */
status placement_find(placement *placement);

#endif
