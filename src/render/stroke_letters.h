/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Letters made of strokes, for captions in pictures: they need no font. There are small letters, digits, the
 * underline, the comma, the full stop and the blank. */
#ifndef PIETRA_RENDER_STROKE_LETTERS_H
#define PIETRA_RENDER_STROKE_LETTERS_H

#include "pietra/pietra.h"

/* Returns the width of a text whose digits are `height` high. */
double stroke_letters_width(const char *text, double height);
/* Adds the middles of the strokes, which look best an eighth of the height wide, with round caps and joins. (x, y) is
 * where the base line begins. */
void stroke_letters_add(pietra_path *path, const char *text, double height, double x, double y);

#endif
