/* Goldens: the pictures that have been looked at, as files below tests/golden/images. */
#ifndef TESTS_GOLDEN_GALLERY_H
#define TESTS_GOLDEN_GALLERY_H

#include "golden/panel.h"

/* How far a picture may be from the exact renderer's to become or stay a golden. Flattening to 0.1 px moves an edge by 25 levels at
 * most and snapping to 1/256 px by one or two more; what adds up over several layers, or crosses inside a pixel, is beyond. */
typedef struct gallery_tolerance {
    double limit;             /* levels that a pixel may be off */
    double mean;              /* levels, over the painted pixels */
    double above;             /* part of all pixels that may be off by more */
} gallery_tolerance;

extern const gallery_tolerance gallery_usual;

/* Compares with the exact renderer. A failure is counted and told, unless the panel is NULL. The exact picture lies beside ours in
 * the build directory when it fails. */
bool gallery_judge(panel *p, const char *name, const pietra_stream *stream, const pietra_frame *frame, const picture *image,
                   gallery_tolerance tolerance);

/* Compares with the golden of that name ("group/case"), or, when updating, writes it if it is new or changed. */
void gallery_check(panel *p, const char *name, const picture *image, bool update);

#endif
