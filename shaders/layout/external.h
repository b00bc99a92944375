/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* External images: pixels of the caller that become texels of a stream. C and GLSL share this text. */
#ifndef PIETRA_LAYOUT_EXTERNAL_H
#define PIETRA_LAYOUT_EXTERNAL_H

#include "glue.h"

CONSTANT(EXTERNAL_INVOCATIONS, 256u)

/* One mip level. Places count words from where the kernel sees the texels begin. */
STRUCT(external_push)
{
    uint to, width, height;
    uint from, from_width, from_height; /* the finer level; width 0: there is none, and the image is read */
    uint straight;                      /* 1: the image's colours are not multiplied by alpha */
};

#endif
