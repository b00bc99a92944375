/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The transfer curve of sRGB (IEC 61966-2-1): values and light from 0 to 1. It is an odd function, so it also holds for
 * negative values. */
#ifndef PIETRA_BASE_SRGB_H
#define PIETRA_BASE_SRGB_H

double srgb_to_linear(double value);
double srgb_from_linear(double light);

#endif
