/* Goldens: the pictures that have been looked at, as files below tests/golden/images. */
#ifndef TESTS_GOLDEN_GALLERY_H
#define TESTS_GOLDEN_GALLERY_H

#include "golden/panel.h"

/* How far a picture may be from the exact renderer's to become or stay a golden. Flattening to 0.1 px moves an edge by 26 levels at
 * most and snapping to 1/256 px by a few more; a small circle, whose every chord lies inside, differs by 3 in the mean. Where
 * parts of a stroke overlap inside one pixel, at the inner side of a join, a sum of areas counts them twice: such pixels are few. */
typedef struct gallery_tolerance {
    double limit;             /* levels that a pixel may be off */
    double mean;              /* levels, over the painted pixels */
    double above;             /* part of all pixels that may be off by more; four may always */
    double greatest;          /* levels that no pixel may be off by; 0: GALLERY_WRONG */
} gallery_tolerance;

/* Levels beyond which a pixel is wrong, not inexact. */
#define GALLERY_WRONG 120

extern const gallery_tolerance gallery_usual;

/* Compares with the exact renderer. A failure is counted and told, unless the panel is NULL. The exact picture lies beside ours in
 * the build directory when it fails. */
bool gallery_judge(panel *p, const char *name, const pietra_stream *stream, const pietra_frame *frame, const picture *image,
                   gallery_tolerance tolerance);

/* Compares with the golden of that name ("group/case"), or, when updating, writes it if it is new or changed. */
void gallery_check(panel *p, const char *name, const picture *image, bool update);

#endif
