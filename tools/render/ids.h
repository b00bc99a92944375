/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The elements of a document that --export-ids chooses. */
#ifndef RENDER_IDS_H
#define RENDER_IDS_H

#include "base/array.h"
#include "pietra/pietra.h"

typedef struct id_list {
    const char *glob;
    ARRAY(char *) ids;
    bool out_of_memory;
} id_list;

/* A receiver of boxes for pietra_svg_options: takes the ids that the glob matches. */
void ids_take(void *id_list, const char *id, const pietra_box *box);
/* Sorts the ids by their bytes, and keeps one of those that are equal. */
void ids_sort(id_list *list);
void ids_destroy(id_list *list);

#endif
