/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What files say about their pixels: colour profiles, which lcms2 converts to sRGB, and the orientation of EXIF. */
#ifndef PIETRA_IMAGE_PROFILE_H
#define PIETRA_IMAGE_PROFILE_H

#include "image/image.h"

/* Converts pixels from the RGB space of an ICC profile. False: the profile is broken, or not for RGB; nothing is
 * changed. */
bool image_apply_profile(const uint8_t *profile, size_t count, image_pixels *pixels);

/* An RGB space: its chromaticities (x, y), and the curve from its values to light. */
typedef enum image_curve { IMAGE_CURVE_SRGB, IMAGE_CURVE_VIDEO, IMAGE_CURVE_POWER } image_curve;
typedef struct image_space {
    double white[2], red[2], green[2], blue[2];
    image_curve curve; /* VIDEO: the curve of BT.709 and BT.2020 */
    double exponent;   /* for POWER */
} image_space;
/* Converts pixels from a space. An invalid space changes nothing. */
void image_apply_space(const image_space *space, image_pixels *pixels);

/* Converts rows from CMYK by a profile, which is opened once for an image. NULL: there is no usable profile. */
typedef struct image_ink image_ink;
image_ink *image_ink_open(const uint8_t *profile, size_t count, bool inverted, image_pixels *pixels);
void image_ink_convert(image_ink *ink, const uint8_t *cmyk, uint8_t *rgba, uint32_t count);
void image_ink_close(image_ink *ink);

/* Returns the orientation in a TIFF structure (EXIF 2.32, 4.6.4), 1 to 8; 1 if it has none. */
unsigned image_find_orientation(const uint8_t *tiff, size_t count);
/* Turns the picture upright. Returns NULL, or what is wrong. */
const char *image_apply_orientation(unsigned orientation, image_pixels *pixels);

#endif
