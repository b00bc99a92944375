/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The data that the parts of the CPU device share. */
#ifndef PIETRA_RENDER_CPU_FRAME_H
#define PIETRA_RENDER_CPU_FRAME_H

#include "render/cpu/memory.h"
#include "render/frame/cancel.h"
#include "lib/element.h"
#include "pietra/pietra.h"
#include "scene/stream.h"

#define BAND_ROWS TILE_SIDE

/* An element that this part draws. */
typedef struct cpu_element {
    uint element;    /* the stream's */
    uint kind;       /* kind_in_frame (lib/element.h) */
    pixel_box clip;  /* the element paints only inside; cut to the part and the frame */
    uint layer;      /* element of the layer it is painted into, or NONE */
    uint end;        /* a begin: element that ends it */
    uint source_end; /* a begin: element that ends its source, or NONE */
    uint merged;     /* 1: a begin that shares its parent's layer */
    uint open;       /* layers open behind it: lists of elements can be cut where this is 0 */
    uint color;      /* a solid paint's colour; an image's footprint; a group's opacity */
    uint paint;      /* a gradient's or image's index in the stream, or NONE */
    affine matrix;   /* path space to pixels */
    affine gradient; /* pixels to gradient space, or to texels */
} cpu_element;

/* A part of a frame while it is drawn. */
typedef struct cpu_frame {
    stream_view stream;
    const frame_config *config;
    const struct cpu_kernels *kernels;
    cpu_memory *memory;
    cancel_watch *watch;   /* NULL: nothing cancels the frame */
    cpu_element *elements; /* those of a batch, in paint order */
    uint element_count;
    uint begin;                 /* the stream's first element that is not painted yet */
    uint next;                  /* the stream's element behind those of the batch */
    uint open_depth;            /* begins that are open there */
    uint elements_most;         /* how many end a batch where no layer is open; 0: any number */
    uint lists_count;           /* lists of lines; 1: one thread fills them */
    uint strip_tiles;           /* columns of tiles that are painted at once */
    uint64_t layer_bytes;       /* bytes of the pixels of all layers that may be open at once in one band */
    uint layer_count;           /* count of those layers */
    uint64_t batch_most;        /* bytes of lines that wait, if they can be painted then */
    uint64_t hidden_dash_tasks; /* tasks of strokes that are not drawn, but count against the limit */
    uint64_t flattened;         /* segments of the batches so far, dashes included */
    uint64_t chunk_bytes;       /* bytes of the chunks that the lines of these segments took */
} cpu_frame;

/* Give the length of a row of a layer, and the number of words that hold one bit for each eight of its pixels. */
static inline uint32_t layer_pitch_of(pixel_box clip)
{
    return (uint32_t)(clip.x1 - clip.x0 + 31) & ~15u;
}
static inline uint32_t layer_words_of(pixel_box clip)
{
    return (layer_pitch_of(clip) + 511) / 512;
}

/* Returns the box of which a layer has pixels, if a strip is so wide. Its place says nothing. */
static inline pixel_box layer_box_of(pixel_box clip, uint strip_tiles)
{
    clip.x1 = int_min(clip.x1, clip.x0 + (int)(strip_tiles * TILE_SIDE));
    return clip;
}

/* Returns the bytes of a layer in one band: the bits of what is cut, the destination and the levels. */
static inline uint64_t layer_bytes_of(pixel_box clip)
{
    uint64_t row = layer_words_of(clip) * sizeof(uint64_t) + (uint64_t)layer_pitch_of(clip) * (sizeof(uint32_t) + 1);
    return row * BAND_ROWS;
}

#endif
