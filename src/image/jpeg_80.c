/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* JPEG by the interface of libjpeg 8. */
#define PIETRA_JPEG_VERSION 80
#define JPEG_FILE IMAGE_JPEG_80_FILE
#define DECODE_JPEG image_decode_jpeg_80
#include "image/jpeg_decode.h"
