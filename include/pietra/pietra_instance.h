/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Streams shown again and again, each time in another place: icons, runs of glyphs, widgets. The conventions of
 * pietra.h hold. */
#ifndef PIETRA_INSTANCE_H
#define PIETRA_INSTANCE_H

#include <pietra/pietra.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A stream in a place where it is shown. */
typedef struct pietra_instance {
    const pietra_stream *stream;
    pietra_transform transform; /* from the stream's units to those of the whole; numbers within +-1e17 */
    float transparency; /* 1 - opacity, 0 to 1, clamped. Unless it is 0, the stream is shown as a group, in which what
                         * blends does not see what lies below the group */
    pietra_box clip;    /* what may show of it, in units of the whole; numbers within +-1e17. All zeros: everything;
                         * another empty box: nothing */
    /* Colours in place of the stream's slots (pietra_paint.slot): slots[0] of slot 1. A slot beyond slot_count keeps
     * the colour of its paint, and stays a slot of the whole. Slots in images of scenes keep theirs, too. */
    const pietra_color *slots;
    uint32_t slot_count; /* `slots` may be NULL if it is 0 */
    uint32_t id;         /* the caller's */
} pietra_instance;

/* Instances in paint order, as one stream. It keeps its memory, and what it found out about streams. */
typedef struct pietra_composition pietra_composition;

PIETRA_API pietra_composition *pietra_composition_create(void); /* NULL: out of memory */
PIETRA_API void pietra_composition_destroy(pietra_composition *composition);

/* Makes one stream of the instances, which draws what pietra_scene_append of their scenes would draw, in the time of
 * copying elements: paths, paints and images of a stream stand in it once, however often it is shown. The stream is
 * the composition's, and valid until the next successful call or the composition's end: it must not be destroyed, and
 * nobody may use it during the next call. It can be drawn, tested for hits, saved and shown by instances of other
 * compositions like any other. The streams of the instances may be destroyed as soon as the call has returned.
 *
 * Streams without elements, singular transforms and groups of opacity 0 show nothing. Elements keep their labels. No
 * instances make a stream without elements. Where a call shows the same streams in the same order as the call before
 * it, with the same transparencies and colours, only what moved is written. So what comes and goes costs least if it
 * moves out of sight. Once two calls have shown as much and written all, a call allocates nothing. After a failure the
 * composition has the stream that it had. PIETRA_ERROR_INPUT: a number is not finite or too large, or an instance shows
 * the composition's own stream. PIETRA_ERROR_MEMORY: memory is out, or the whole is too large for a stream. Messages
 * name the instance by its number, from 0. */
PIETRA_API pietra_result pietra_composition_set(pietra_composition *composition, const pietra_instance *instances,
                                                size_t count, pietra_error *error, const pietra_stream **stream);

/* What an element of a composition's stream is. */
typedef struct pietra_composed {
    size_t instance;  /* the instance's number in the array, from 0 */
    uint32_t id;      /* the instance's */
    uint32_t element; /* its number in the instance's stream; PIETRA_NO_ELEMENT: the instance's own clip or group */
} pietra_composed;

#define PIETRA_NO_ELEMENT 0xffffffffu

/* Says which instance an element belongs to, of a hit for example. False: the stream has no such element. */
PIETRA_API bool pietra_composition_find(const pietra_composition *composition, uint32_t element,
                                        pietra_composed *composed);

/* Gives boxes around all pixels in which the stream of the last call differs from that of the call before it, in frames
 * with this transform (NULL: the identity), for pietra_submission.damage. Returns how many, at most `capacity`, which
 * is at least 1; boxes that are too many are joined. After a call that failed, or if something shows all of the frame
 * or a blurred backdrop, a change is one box of everything. If several calls pass from one frame to the next, the boxes
 * of all of them count. */
PIETRA_API size_t pietra_composition_damage(const pietra_composition *composition, const pietra_transform *frame,
                                            size_t capacity, pietra_pixel_box *boxes);

#ifdef __cplusplus
}
#endif

#endif
