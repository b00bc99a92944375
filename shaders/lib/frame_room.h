/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Whether a frame that nobody counted before found room for everything. The host and the device ask the same. */
#ifndef PIETRA_LIB_FRAME_ROOM_H
#define PIETRA_LIB_FRAME_ROOM_H

#include "../layout/frame.h"

SHARED_FUNCTION bool frame_had_room(frame_counters counted, frame_room room)
{
    return counted.overflow == 0u && counted.fine_work <= room.fine_work && counted.key_bits <= room.key_bits;
}

#endif
