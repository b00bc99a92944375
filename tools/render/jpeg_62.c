/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* JPEG by the interface of libjpeg 6.2. */
#define RENDER_JPEG_VERSION 62
#define JPEG_FILE IMAGE_JPEG_62_FILE
#define JPEG_IS_THERE jpeg_62_is_there
#define ENCODE_JPEG jpeg_62_encode
#include "jpeg_encode.h"
