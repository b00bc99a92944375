/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Oklab (B. Ottosson, A perceptual color space for image processing, 2020). L goes from 0 to 1. Linear colours have the
 * primaries and the white of sRGB. */
#ifndef PIETRA_BASE_OKLAB_H
#define PIETRA_BASE_OKLAB_H

void oklab_to_linear(const double lab[3], double rgb[3]);
void oklab_from_linear(const double rgb[3], double lab[3]);

#endif
