/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A band of 16 rows of pixels, painted in paint order. */
#ifndef PIETRA_RENDER_CPU_BAND_H
#define PIETRA_RENDER_CPU_BAND_H

#include "render/cpu/cpu.h"
#include "render/cpu/frame.h"
#include "render/cpu/image_row.h"
#include "render/cpu/kernels.h"

/* A layer that is open in a band. */
typedef struct cpu_layer {
    uint element; /* the begin whose content is being drawn */
    uint kind;    /* kind of the begin that opened it, with flags */
    uint end;
    uint source_end;  /* NONE after the source has become the level */
    bool is_saved;    /* whether its destination is saved, because something may have been painted */
    int x, y;         /* in the band */
    pixel_box bounds; /* box of its ranges, in the band */
    uint64_t bytes;
    cpu_layer_pixels pixels;
} cpu_layer;

/* What one thread needs to paint bands. Zero bytes are an empty painter. */
typedef struct cpu_painter {
    cpu_buffer canvas;                  /* colours of the band, rows of `pitch` */
    cpu_buffer rows, touched, meetings; /* cpu_coverage */
    cpu_buffer touches, met_pixels;     /* an element's, while it is sampled */
    cpu_buffer levels;                  /* levels of an element that is not painted directly, and one more row */
    cpu_buffer colors;                  /* colours of a row of a gradient */
    cpu_buffer i64_sums;           /* rows of 64-bit sums, for elements with more lines than 32 bits are sure to hold */
    cpu_buffer steps;              /* windings of the columns of tiles */
    cpu_buffer occluders, columns; /* band_occluders */
    cpu_buffer pieces;             /* heads of the band's runs */
    cpu_buffer layers;             /* cpu_layer */
    cpu_buffer layer_pixels;
    uint64_t layer_at; /* bytes of it in use */
    uint depth;        /* layers open */
    cpu_sampling sampling;
    uint64_t painted_pixels, shaded_pixels; /* those of boxes; those that are no plain colour */
    uint64_t visited_lines, visited_runs;   /* those of all strips, again in each */
    uint64_t visited_clips;                 /* runs of clips by paths likewise */
    image_memo memo;
} cpu_painter;

/* The state that all bands share. */
typedef struct cpu_bands {
    const cpu_frame *frame;
    const cpu_kernels *kernels;
    const cpu_target *target;
    const cpu_edge_lists *lists; /* one for each piece of the flattening, in the order of elements */
    uint lists_count;
    uint most_runs; /* a band's most */
    bool heavy;     /* some element has more lines than 32 bits are sure to hold */
    uint32_t pitch; /* pitch of the canvas: a strip's, which is the whole part if there is a canvas of the part */
    /* colours of the whole part, if its elements come in several batches; NULL: there is one batch, or the target holds
     * them */
    uint32_t *canvas;
    bool first, last; /* the first batch starts from the background, the last ends in the target */
} cpu_bands;

/* Returns how many touches a painter has room for, of strips of that pitch: at once, or in parts within a budget. */
uint cpu_touches_at_once(uint pitch);
uint cpu_touches_within(uint64_t budget_bytes, uint pitch);
/* Returns how many it has. */
uint cpu_touch_capacity(const cpu_bands *bands);
/* Returns for how many pixels in which lines meet. */
uint cpu_met_capacity(const cpu_bands *bands);

/* Returns the bytes that suffice for any band. */
uint64_t cpu_painter_bytes(const cpu_bands *bands);

/* Reserves memory that suffices for any band. */
pietra_result cpu_painter_reserve(cpu_painter *painter, const cpu_bands *bands, pietra_error *error);
void cpu_painter_begin(cpu_painter *painter);
void cpu_painter_free(cpu_painter *painter);

/* Paints a band and stores it in the target. Bands count from the part's first. */
void cpu_band_paint(cpu_painter *painter, const cpu_bands *bands, uint band);

#endif
