/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stage 11 on the GPU. A job makes one image of others. One dispatch runs all jobs of one stem that wait for nothing in
 * one another; a workgroup finds its job by the numbers of workgroups before it. C and GLSL share this text. */
#ifndef PIETRA_LAYOUT_EFFECT_JOB_H
#define PIETRA_LAYOUT_EFFECT_JOB_H

#include "effect.h"

/* What 11_point does. Each operation is a program of its own. Parameters are words: the members of a struct of effect.h
 * in their order, unless another comment stands here. */
CONSTANT(EFFECT_JOB_LOAD, 0u)  /* from pixels; parameter: EFFECT_LOAD_* */
CONSTANT(EFFECT_JOB_STORE, 1u) /* to pixels; parameter: not 0 if the texels are in linearRGB */
CONSTANT(EFFECT_JOB_TO_LINEAR, 2u)
CONSTANT(EFFECT_JOB_TO_SRGB, 3u)
CONSTANT(EFFECT_JOB_FLOOD, 4u)     /* effect_texel */
CONSTANT(EFFECT_JOB_OFFSET, 5u)    /* effect_offset */
CONSTANT(EFFECT_JOB_MERGE, 6u)     /* the first input on top of the second one */
CONSTANT(EFFECT_JOB_COMPOSITE, 7u) /* effect_composite */
CONSTANT(EFFECT_JOB_BLEND, 8u)     /* the mode */
CONSTANT(EFFECT_JOB_MATRIX, 9u)    /* effect_color_matrix */
CONSTANT(EFFECT_JOB_TRANSFER, 10u) /* effect_transfer, and behind it the values */
CONSTANT(EFFECT_JOB_TILE, 11u)     /* effect_box */
CONSTANT(EFFECT_JOB_DISPLACE, 12u) /* effect_displacement */
CONSTANT(EFFECT_JOB_SHADOW, 13u)   /* effect_shadow */
CONSTANT(EFFECT_JOB_CARRY, 14u)    /* from pixels to pixels */

CONSTANT(EFFECT_LOAD_SRGB, 0u)
CONSTANT(EFFECT_LOAD_LINEAR, 1u)
CONSTANT(EFFECT_LOAD_ALPHA, 2u)

CONSTANT(EFFECT_POINT_JOBS, 15u)

/* What 11_band does. */
CONSTANT(EFFECT_JOB_BAND, 0u)   /* effect_band_job */
CONSTANT(EFFECT_JOB_HALVE, 1u)  /* effect_level_job */
CONSTANT(EFFECT_JOB_DOUBLE, 2u) /* effect_level_job */
/* The same of pixels, and to pixels. A load or a store would read or write four times as many bytes as that at 4K. */
CONSTANT(EFFECT_JOB_HALVE_PIXELS, 3u)
CONSTANT(EFFECT_JOB_BAND_OF_PIXELS, 4u)
CONSTANT(EFFECT_JOB_BAND_OF_PIXELS_STORED, 5u)
CONSTANT(EFFECT_JOB_BAND_STORED, 6u)
CONSTANT(EFFECT_JOB_DOUBLE_STORED, 7u)
CONSTANT(EFFECT_BAND_JOBS, 8u)

SHARED_FUNCTION bool effect_band_job_reads_pixels(uint operation)
{
    return operation >= EFFECT_JOB_HALVE_PIXELS && operation <= EFFECT_JOB_BAND_OF_PIXELS_STORED;
}

SHARED_FUNCTION bool effect_band_job_writes_pixels(uint operation)
{
    return operation >= EFFECT_JOB_BAND_OF_PIXELS_STORED && operation <= EFFECT_JOB_DOUBLE_STORED;
}

/* What 11_extreme does. */
CONSTANT(EFFECT_JOB_WINDOW, 0u) /* effect_window */
CONSTANT(EFFECT_JOB_PAIR, 1u)   /* effect_pair */
CONSTANT(EFFECT_EXTREME_JOBS, 2u)

/* A dispatch has workgroups of EFFECT_INVOCATIONS. Those of 11_point, 11_light and 11_noise make a tile of
 * EFFECT_TILE_COLUMNS by EFFECT_TILE_ROWS texels. */
CONSTANT(EFFECT_INVOCATIONS, 256u)
CONSTANT(EFFECT_TILE_COLUMNS, 64u)
CONSTANT(EFFECT_TILE_ROWS, 16u)

/* A workgroup of 11_band and of the windows of 11_extreme takes EFFECT_LINES rows, or columns, side by side. It holds
 * at most EFFECT_STAGED texels of each. */
CONSTANT(EFFECT_LINES, 16u)
CONSTANT(EFFECT_STAGED, 160u)
CONSTANT(EFFECT_BAND_OUTPUTS, 128u)     /* of each line; */
CONSTANT(EFFECT_BAND_OUTPUTS_WIDE, 64u) /* where one reads every second texel */
CONSTANT(EFFECT_BAND_TAPS_MOST, 32u)    /* all phases together */

/* A workgroup that halves or doubles an image along both axes makes a tile of so many columns and rows. Twice the rows
 * take 6 % less time for sigma 20 at 3840 px and 13 % more at 512 px (H200). Two levels in one pass, the one between in
 * registers, saved 9 us for sigma 20 at 3840 px and 16 for sigma 100 (H100): not worth two more kernels. */
CONSTANT(EFFECT_LEVEL_COLUMNS, 32u)
CONSTANT(EFFECT_HALVED_ROWS, 16u)
CONSTANT(EFFECT_DOUBLED_ROWS, 32u)

CONSTANT(EFFECT_WINDOW_OUTPUTS, 96u)
CONSTANT(EFFECT_WINDOW_MOST, 64u) /* texels */

/* A workgroup of 11_matrix makes a tile of these sides. It takes the kernel in pieces: all of its columns and as many
 * rows as there is room for, or where it has more columns than EFFECT_PIECE_COLUMNS, as many of one row. */
CONSTANT(EFFECT_MATRIX_COLUMNS, 32u)
CONSTANT(EFFECT_MATRIX_ROWS, 16u)
CONSTANT(EFFECT_MATRIX_STAGED, 1600u)
CONSTANT(EFFECT_PIECE_COLUMNS, 32u)
CONSTANT(EFFECT_PIECE_TAPS_MOST, 512u)
CONSTANT(EFFECT_PIECES_MOST, 64u) /* of a job: software devices end loops that run too long */

/* Where the texels of a box lie in what a dispatch sees: that of the upper left corner, and how many it is from one
 * row to the next. Outside the box, texels are transparent. */
STRUCT(effect_view)
{
    effect_box box;
    uint first, stride;
};

STRUCT(effect_job)
{
    uint first_group;   /* workgroups of jobs before it in the dispatch */
    uint groups_across; /* workgroups side by side in its result */
    uint words;         /* where its parameters begin */
    effect_view result, input1, input2;
};

/* Parameters of 11_band. The weights lie behind them. */
STRUCT(effect_band_job)
{
    effect_band band;
    uint outputs;    /* of each line */
    uint pixel_mask; /* bits that count of pixels that are read */
    uint edge;       /* EFFECT_EDGE_*, of */
    effect_box box;
};

/* Parameters of two bands that halve or double (render/effect/blur.h), the first one along rows, the other one along
 * columns of what that makes. */
STRUCT(effect_level_job)
{
    uint pixel_mask;
    uint edge; /* EFFECT_EDGE_*, of */
    effect_box box;
    uint edge_between; /* EFFECT_EDGE_NONE or EFFECT_EDGE_DUPLICATE, of what the first one makes: */
    effect_box box_between;
};

/* The extreme of `length` texels along an axis, from `first` texels beside the result on. */
STRUCT(effect_window)
{
    uint vertical, dilates;
    int first;
    uint length; /* at most EFFECT_WINDOW_MOST */
};

/* The extreme of two texels beside the result. */
STRUCT(effect_pair)
{
    uint vertical, dilates;
    int first, second;
};

/* Parameters of 11_matrix. */
STRUCT(effect_matrix_job)
{
    effect_convolution convolution;
    effect_box region;
    uint kernel; /* where its numbers begin among the words */
    uint piece_columns, piece_rows;
    uint first_piece, end_piece; /* that the job adds up, of */
    uint piece_count;            /* Sums of jobs that are not the last one are floats in place of two texels each;
                                    * those of jobs that are not the first one begin with the second input. */
};

#endif
