/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* JPEG by the interface of libjpeg 8. */
#define RENDER_JPEG_VERSION 80
#define JPEG_FILE IMAGE_JPEG_80_FILE
#define JPEG_IS_THERE jpeg_80_is_there
#define ENCODE_JPEG jpeg_80_encode
#include "jpeg_encode.h"
