/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text/clusters.h"

#include <stdbool.h>
#include <string.h>

#include "text/icu.h"

/* Ranges in which all code points are clusters of their own, whatever of the same ranges is beside them: Latin with IPA
 * and modifiers, Greek and Cyrillic, general punctuation without joiners and controls, currency, letters and arrows,
 * Chinese and Japanese without marks. */
static const uint16_t plain[][2] = {
    {0x0020, 0x007e}, {0x00a0, 0x00a8}, {0x00aa, 0x00ac}, {0x00ae, 0x00ae}, {0x00af, 0x02ff}, {0x0370, 0x0482},
    {0x048a, 0x0590}, {0x2010, 0x2027}, {0x202f, 0x203b}, {0x20a0, 0x20cf}, {0x3000, 0x3029}, {0x3041, 0x3096},
    {0x309b, 0x30ff}, {0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0xff01, 0xff9d},
};

static bool is_plain(uint16_t unit)
{
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (unit <= plain[i][1])
            return unit >= plain[i][0];
    return false;
}

static const char *find_by_icu(const uint16_t *units, size_t count, uint8_t *starts)
{
    const icu_functions *icu;
    UErrorCode code = U_ZERO_ERROR;
    const char *wrong = icu_open(&icu);
    if (wrong)
        return wrong;
    /* Clusters do not depend on the language; this is the root locale. */
    UBreakIterator *breaks = icu->ubrk_open(UBRK_CHARACTER, "", (const UChar *)units, (int32_t)count, &code);
    if (breaks && U_SUCCESS(code)) {
        memset(starts, 0, count);
        starts[0] = 1;
        for (int32_t at = icu->ubrk_next(breaks); at != UBRK_DONE && (size_t)at < count; at = icu->ubrk_next(breaks))
            starts[at] = 1;
    }
    if (breaks)
        icu->ubrk_close(breaks);
    return icu_error(code);
}

const char *clusters_find(const uint16_t *units, size_t count, uint8_t *starts)
{
    size_t i = 0;
    while (i < count && is_plain(units[i]))
        i++;
    if (i < count)
        return find_by_icu(units, count, starts);
    if (count > 0)
        memset(starts, 1, count);
    return NULL;
}
