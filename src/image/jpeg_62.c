/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* JPEG by the interface of libjpeg 6.2. */
#define PIETRA_JPEG_VERSION 62
#define JPEG_FILE IMAGE_JPEG_62_FILE
#define DECODE_JPEG image_decode_jpeg_62
#include "image/jpeg_decode.h"
