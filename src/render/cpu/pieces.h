/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Cuts the elements of a batch into pieces, which threads take in turn and flatten into lists of their own. */
#ifndef PIETRA_RENDER_CPU_PIECES_H
#define PIETRA_RENDER_CPU_PIECES_H

#include <pthread.h>
#include <stdbool.h>

#include "base/trace.h"
#include "render/cpu/edge_lists.h"
#include "render/cpu/path_walk.h"

/* Several threads take the pieces of a batch in turn. Large pieces come first, so that the threads end together. Each
 * piece fills its own lists. */
#define PIECES_PER_THREAD 16u

/* When the lists hold this many bytes of chunks, the bands are painted, and the lists are filled anew. So the lists
 * stay near the cache. */
#define BATCH_BYTES ((uint64_t)20 << 20)

/* A place between elements behind which a batch can end. */
typedef struct batch_cut {
    uint next;                  /* element */
    uint64_t lines, band_lines; /* of the one list, likewise dash_tasks and heavy */
    uint dash_tasks;
    bool heavy;
} batch_cut;

/* The state of filling lists. Threads take elements piece by piece, in order, until the lists hold enough. */
typedef struct flatten_job {
    const cpu_frame *frame;
    const trace *trace;
    cpu_edge_lists *lists; /* one for each piece, or one for all */
    uint part_segments;
    uint64_t left;  /* segments that the batch may still take, if there is room for their lines */
    uint first;     /* element with which the batch begins */
    uint next;      /* element */
    path_walk rest; /* the rest of the next element, if its first segments have been taken: rest.segment < rest.end */
    uint taken;     /* pieces */
    bool failed;    /* a piece has lost lines, so no more pieces are taken */
    uint64_t work;  /* segments that were taken */
    uint64_t done;  /* segments of pieces that are done */
    uint64_t bytes; /* bytes of the chunks of these pieces */
    uint64_t dash_tasks; /* tasks of the part so far, in pieces that are done */
    batch_cut cut;       /* the last of the batch if memory is short; its `next` is `first` if there is none */
    pthread_mutex_t lock;
} flatten_job;

/* Decides how the elements from job->next on are shared among threads. Returns the work, in segments; 0: one thread
 * does it. */
uint64_t pieces_share(flatten_job *job, uint threads);

/* Takes pieces and flattens them until none is left, or until the lists hold enough: a step of a pool, whose user is
 * the job. */
void pieces_flatten(void *user, uint32_t worker, uint32_t count);

/* If the one list of a batch had no room for its last elements, takes their lines out of it, so that the next batch
 * begins with them. Leaves the list as it is if there would be no element left. */
void pieces_cut(flatten_job *job);

#endif
