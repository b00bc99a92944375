/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Goldens: pictures that somebody looked at, as files below tests/golden/images. */
#ifndef TESTS_GOLDEN_GALLERY_H
#define TESTS_GOLDEN_GALLERY_H

#include "golden/panel.h"

/* How far a picture may be from the exact renderer's to become or stay a golden. Flattening to 0.1 px moves an edge by
 * at most 26 levels, and snapping to 1/256 px by a few more. A small circle, whose chords all lie inside, differs by 3
 * on average. Where parts of a stroke overlap inside one pixel, at the inner side of a join, a sum of areas counts them
 * twice; such pixels are few. */
typedef struct gallery_tolerance {
    double limit;    /* levels by which a pixel may differ */
    double mean;     /* levels, on average over the painted pixels */
    double above;    /* part of all pixels that may exceed `limit`; four always may */
    double greatest; /* levels that no pixel may exceed; 0: GALLERY_WRONG */
} gallery_tolerance;

/* A pixel that is off by more levels is wrong, not inexact. */
#define GALLERY_WRONG 120

extern const gallery_tolerance gallery_usual;

/* Compares with the exact renderer. A failure is counted and reported, unless the panel is NULL; the exact picture is
 * then written beside ours in the build directory. */
bool gallery_judge(panel *p, const char *name, const pietra_stream *stream, const pietra_frame *frame,
                   const picture *image, gallery_tolerance tolerance);

/* Returns whether these bytes are the golden of that name. */
bool gallery_has(const char *name, const picture *image);

/* Compares with the golden of that name ("group/case"). When updating, writes the golden if it is new or changed. */
void gallery_check(panel *p, const char *name, const picture *image, bool update);

#endif
