#include "primitive/tuning.h"

#include <string.h>

/* The defaults by kind of device. NVIDIA's are measured on an H200 (docs/performance.md); the others follow from limits, and
 * `bench --set` tells on the device at hand whether they are any good. */
primitive_tuning tuning_of(const gpu_limits *limits)
{
    /* Software, and the limits that every device keeps: 256 invocations, 32 KiB. A workgroup runs on one core, subgroups one after
     * the other: small workgroups spread over the cores. */
    primitive_tuning tuning = {
        .sort_block_invocations = 256,
        .sort_block_items = 8,
        .sort_small_invocations = 256,
        .sort_small_items = 4,
        .sort_large_invocations = 256,
        .sort_large_items = 10,
        .sort_large_from = 1u << 19,
        .sort_ahead = 4,
        .sort_partitioned = 0,
        .stack_invocations = 256,
        .stack_rounds = 4,
        .scan_invocations = 256,
        .scan_rounds = 4,
    };
    if (!limits->hardware || limits->max_workgroup_invocations < 512u)
        return tuning;
    /* Memory is far away: what is on its way counts, so items are many; look-back reads eight predecessors a round trip. Subgroups of
     * 8 to 16 (Intel) keep 256 invocations, since their counts would fill the shared memory. */
    tuning.scan_rounds = 6;
    tuning.sort_ahead = 8;
    if (limits->subgroup_size < 32u)
        return tuning;
    tuning.sort_small_invocations = 512;
    tuning.scan_invocations = 512;
    /* Desktop parts: one workgroup of 1,024 invocations has room for 8,192 keys. Apple's and ARM's have 32 KiB and stay above. */
    if (limits->max_workgroup_invocations >= 1024u && limits->shared_bytes >= 49152u) {
        tuning.sort_block_invocations = 1024;
        tuning.sort_large_items = 16;
    }
    return tuning;
}

bool tuning_set(primitive_tuning *tuning, const char *name, uint32_t value)
{
#define PRIMITIVE_TUNING_SET(entry, least, most) \
    if (strcmp(name, #entry) == 0 && value + 1u > (least) && value <= (most)) { \
        tuning->entry = value; \
        return true; \
    }
    PRIMITIVE_TUNING(PRIMITIVE_TUNING_SET)
#undef PRIMITIVE_TUNING_SET
    return false;
}
