/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The scenes of the folder scenes/, in the order of their names. */
#ifndef TESTS_GOLDEN_SCENE_FILES_H
#define TESTS_GOLDEN_SCENE_FILES_H

#include <pietra/pietra.h>

typedef struct scene_files {
    char **names; /* "group/case", sorted */
    size_t count;
} scene_files;

/* Abort if the folder cannot be read. */
scene_files scene_files_find(void);
void scene_files_free(scene_files *files);

/* Reads and encodes a scene, whose resources may lie in its folder. Gives width and height in whole pixels. Aborts on
 * errors of the file system; returns those of the document. */
pietra_result scene_files_load(const char *name, pietra_error *error, pietra_stream **stream, uint32_t *width,
                               uint32_t *height);

#endif
