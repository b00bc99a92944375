#include "primitive/tuning.h"

#include <string.h>

primitive_tuning tuning_of(const gpu_limits *limits)
{
    (void)limits;
    return (primitive_tuning){
        .sort_small_invocations = 256,
        .sort_small_items = 4,
        .sort_large_invocations = 256,
        .sort_large_items = 16,
        .sort_large_from = 1u << 19,
        .sort_ahead = 4,
        .sort_partitioned = 0,
        .scan_invocations = 256,
        .scan_rounds = 4,
    };
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
