/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/buffer_use.h"

static void end_quiet(buffer_use *use)
{
    use->quiet = 0;
    use->most = 0;
}

void buffer_use_expect(buffer_use *use, uint64_t bytes, uint64_t held)
{
    if (bytes > held / 2)
        end_quiet(use);
}

void buffer_use_add(buffer_use *use, uint64_t bytes)
{
    use->needed = bytes > use->needed ? bytes : use->needed;
}

void buffer_use_end_frame(buffer_use *use, uint64_t held)
{
    const uint64_t needed = use->needed;
    use->needed = 0;
    if (needed > held / 2) {
        end_quiet(use);
        return;
    }
    use->quiet++;
    use->most = needed > use->most ? needed : use->most;
}

bool buffer_use_is_over(const buffer_use *use, const gpu_buffer *buffer, uint64_t *bytes)
{
    *bytes = use->most + use->most / 2;
    return use->quiet >= QUIET_FRAMES && buffer->bytes > SMALL_BUFFER_BYTES && *bytes < buffer->bytes &&
           !use->retired.handle;
}
