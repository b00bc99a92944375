/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "spelling.h"

#include <limits.h>

#define LONGEST_NAME 31u

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Returns how many letters must be added, left out, replaced or exchanged with the next to make one name of the other:
 * the optimal string alignment distance. Names of more than LONGEST_NAME letters are not like any. */
static unsigned find_distance(text a, text b)
{
    unsigned rows[3][LONGEST_NAME + 1];

    if (a.count > LONGEST_NAME || b.count > LONGEST_NAME)
        return UINT_MAX;
    for (unsigned j = 0; j <= b.count; j++)
        rows[0][j] = j;
    for (unsigned i = 1; i <= a.count; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = i;
        for (unsigned j = 1; j <= b.count; j++) {
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a.bytes[i - 1] != b.bytes[j - 1]));
            if (i > 1 && j > 1 && a.bytes[i - 1] == b.bytes[j - 2] && a.bytes[i - 2] == b.bytes[j - 1])
                row[j] = least(row[j], second[j - 2] + 1);
        }
    }
    return rows[a.count % 3][b.count];
}

spelling spelling_of(text typed)
{
    return (spelling){.typed = typed, .distance = (unsigned)typed.count / 3 + 1};
}

void spelling_try(spelling *spelling, const char *name)
{
    unsigned distance = find_distance(spelling->typed, text_of_string(name));

    if (distance < spelling->distance) {
        spelling->distance = distance;
        spelling->nearest = name;
    }
}
