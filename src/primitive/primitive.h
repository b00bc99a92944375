/* What the device-wide primitives have in common.
 *
 * A primitive is a few programs made once for a device, and a function that records one run of them. The number of items lies in a
 * buffer on the device; the host knows an upper limit alone. Recording allocates nothing and waits for nothing.
 *
 * Barriers: what a run reads must have been made visible (gpu_barrier) before it is recorded; what it writes is visible after the
 * next gpu_barrier, which is the caller's. Scratch need not be cleared. Ranges of one run do not overlap unless a header says so.
 *
 * Threads: as the device. Errors of *_create are those of gpu_program_create. */
#ifndef PIETRA_PRIMITIVE_PRIMITIVE_H
#define PIETRA_PRIMITIVE_PRIMITIVE_H

#include "device/program.h"
#include "device/recorder.h"

/* How workgroups wait for one another: for tests, and for devices whose tuning differs. Zero or NULL: the defaults. */
typedef struct primitive_options {
    uint32_t order;           /* LOOK_BACK_ORDER_*: which tile a ticket stands for */
    uint32_t silence;         /* p > 0: tiles p - 1, 2 p - 1, ... publish nothing, so that every wait for them times out */
    uint32_t polls;           /* of one workgroup, in all; 0: what suits the device */
    uint32_t sort_large_from; /* sort: max_count from which its tiles are large, at most SORT_LARGE_FROM; 0: that */
} primitive_options;

typedef struct primitive_grid {
    uint32_t x, y;
} primitive_grid;

typedef struct primitive_program_info {
    const char *name;
    const uint32_t *spirv;
    size_t word_count;
    uint32_t buffer_count;
    size_t push_bytes;
} primitive_program_info;

/* A program whose subgroups are full, with the specialisation constants that every kernel of this folder has. */
pietra_result primitive_program_create(gpu_device *device, const primitive_program_info *info, const primitive_options *options, pietra_error *error,
                                       gpu_program **program);

/* A dispatch of at least `groups` workgroups, and fewer than twice as many, within what every device allows. */
primitive_grid primitive_grid_of(uint32_t groups);

/* Tiles of scan, compact and split. */
uint32_t primitive_scan_tiles(uint32_t max_count);

/* Workgroups for a kernel that shares its items between however many there are: enough to fill a large device. */
uint32_t primitive_shared_groups(uint32_t max_count);

#endif
