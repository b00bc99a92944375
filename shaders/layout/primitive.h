/* Constants of the device-wide primitives that the host and the kernels share. */
#ifndef PIETRA_LAYOUT_PRIMITIVE_H
#define PIETRA_LAYOUT_PRIMITIVE_H

#include "glue.h"

/* Look-back (primitive/look_back.glsl). A table is a ticket counter, then the words of each tile. */
#define LOOK_BACK_TABLE_WORDS(tiles, components) (1u + (tiles) * (components))
#define LOOK_BACK_MAX 0x3fffffffu      /* largest sum that a table can hold; also "that or more" */
#define LOOK_BACK_NO_TILE 0xffffffffu

/* Specialisation constants of every kernel that looks back. The first two are for tests alone. */
#define LOOK_BACK_CONSTANT_ORDER 0u    /* tile order over tickets: LOOK_BACK_ORDER_* */
#define LOOK_BACK_CONSTANT_SILENCE 1u  /* p > 0: tiles p - 1, 2 p - 1, ... publish nothing, so that others must fall back */
#define LOOK_BACK_CONSTANT_POLLS 2u    /* polls of one workgroup in all */
#define LOOK_BACK_CONSTANT_COUNT 3u

#define LOOK_BACK_ORDER_ASCENDING 0u
#define LOOK_BACK_ORDER_REVERSED 1u
#define LOOK_BACK_ORDER_SHUFFLED 2u

/* A poll takes about 1 us on a discrete GPU and a tile some 5 us, so these polls cover a predecessor that is running. */
#define LOOK_BACK_POLLS_A_TILE 64u
#define LOOK_BACK_POLLS 1024u

#endif
