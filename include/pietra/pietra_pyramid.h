/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pyramids: one drawing in many sizes, each cut into square tiles, as maps and viewers of large pictures want them.
 * This says how large the levels are, which frames they are drawn by, and what files of tiles are called. It draws and
 * writes nothing. The conventions of pietra.h hold. Any thread may call these functions.
 *
 * The drawing's upper left corner is that of every level. A level is drawn in blocks, one a frame, which any number of
 * machines may share, and each block is cut into tiles. A level whose sides have at most PIETRA_MAX_SIDE pixels is one
 * picture: its tiles have the bytes of the whole picture cut apart. A larger level is made of pictures of
 * PIETRA_MAX_SIDE pixels, each with a transform of its own, and every block lies within one of them. Where these
 * pictures meet, places are rounded anew, to a 256th of a pixel, so that an edge may cover up to two levels of 255 more
 * or less of a pixel than in one picture, if there were one so large. What several edges in a pixel change adds up. */
#ifndef PIETRA_PYRAMID_H
#define PIETRA_PYRAMID_H

#include "pietra/pietra.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PIETRA_PYRAMID_BLOCK 4096u           /* pixels in the longest side of a block */
#define PIETRA_PYRAMID_LEAST_TILE 64u        /* pixels in the side of a tile, which is a power of two ... */
#define PIETRA_PYRAMID_MOST_TILE 4096u       /* ... and so are all blocks whole numbers of tiles */
#define PIETRA_PYRAMID_USUAL_TILE 256u       /* 0 stands for it */
#define PIETRA_PYRAMID_MOST_SIDE 2147483648u /* pixels in the longer side of the last level */
#define PIETRA_PYRAMID_MOST_TILES 100000000u /* in all levels */

/* What sizes levels have, and what files are called. */
typedef enum pietra_pyramid_layout {
    /* Of maps: the longer side of level n has tile * 2^n pixels. A file is LEVEL/COLUMN/ROW.ENDING. Every tile is a
     * whole square; what lies beyond the picture is transparent in it. */
    PIETRA_PYRAMID_XYZ = 0,
    /* Deep Zoom Image of Microsoft, 2008, without overlap: the longer side of the last level n has 2^n pixels, and each
     * level before has half of the next one's, rounded up. A file is tiles_files/LEVEL/COLUMN_ROW.ENDING, and tiles.dzi
     * describes them all. The last tile of a row or column ends with the picture. Most viewers want levels from 0. */
    PIETRA_PYRAMID_DZI,
} pietra_pyramid_layout;

typedef struct pietra_pyramid {
    double width, height; /* size of the drawing, user units */
    pietra_pyramid_layout layout;
    uint32_t tile; /* pixels in the side of a tile; 0: PIETRA_PYRAMID_USUAL_TILE */
    uint32_t first_level, last_level;
} pietra_pyramid;

/* Counts the tiles of all levels. It is PIETRA_ERROR_INPUT if there are more than PIETRA_PYRAMID_MOST_TILES, and the
 * message has their number. */
PIETRA_API pietra_result pietra_pyramid_count(const pietra_pyramid *pyramid, pietra_error *error, uint64_t *tiles);

typedef struct pietra_pyramid_level {
    double scale;                       /* pixels of a user unit */
    uint32_t width, height;             /* size of the level's picture, pixels */
    uint32_t columns, rows;             /* numbers of tiles */
    uint32_t block_columns, block_rows; /* numbers of blocks */
} pietra_pyramid_level;

PIETRA_API pietra_result pietra_pyramid_find_level(const pietra_pyramid *pyramid, uint32_t level, pietra_error *error,
                                                   pietra_pyramid_level *found);

/* A frame, and the tiles that it is cut into. */
typedef struct pietra_pyramid_block {
    pietra_transform transform; /* the frame's */
    pietra_region region;       /* the frame's */
    uint32_t width, height;     /* size of the frame's target, pixels */
    uint32_t column, row;       /* place of its upper left tile in the level */
    uint32_t columns, rows;     /* numbers of tiles */
    /* What the tiles together take. It is more than the target where tiles of PIETRA_PYRAMID_XYZ go beyond the picture;
     * the target is then the upper left part of it. */
    uint32_t full_width, full_height;
} pietra_pyramid_block;

/* Finds a block by its number, row by row from 0. */
PIETRA_API pietra_result pietra_pyramid_find_block(const pietra_pyramid *pyramid, uint32_t level, uint64_t block,
                                                   pietra_error *error, pietra_pyramid_block *found);

/* Text that is long enough for every name of a tile with an ending of at most 15 bytes, and for every description. */
#define PIETRA_PYRAMID_TEXT_BYTES 320u

/* Writes the name of a tile's file, relative to the folder of the pyramid, with slashes. The ending ("png") has 1 to 15
 * bytes, letters and digits alone. */
PIETRA_API pietra_result pietra_pyramid_name_tile(const pietra_pyramid *pyramid, uint32_t level, uint32_t column,
                                                  uint32_t row, const char *ending, pietra_error *error,
                                                  char text[PIETRA_PYRAMID_TEXT_BYTES]);

/* The file of PIETRA_PYRAMID_DZI that describes the pyramid. */
#define PIETRA_PYRAMID_DESCRIPTION "tiles.dzi"
/* Writes its content, in UTF-8. PIETRA_PYRAMID_XYZ has none, which is PIETRA_ERROR_INPUT. */
PIETRA_API pietra_result pietra_pyramid_describe(const pietra_pyramid *pyramid, const char *ending, pietra_error *error,
                                                 char text[PIETRA_PYRAMID_TEXT_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
