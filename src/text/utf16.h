/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Characters of UTF-16. */
#ifndef PIETRA_TEXT_UTF16_H
#define PIETRA_TEXT_UTF16_H

#include <stddef.h>
#include <stdint.h>

/* Gives the character at a unit, and returns how many units it has. Half of a pair stands for itself. */
static inline size_t utf16_decode(const uint16_t *units, size_t count, size_t at, uint32_t *character)
{
    *character = units[at];
    if ((units[at] & 0xfc00) != 0xd800 || at + 1 >= count || (units[at + 1] & 0xfc00) != 0xdc00)
        return 1;
    *character = 0x10000 + (((uint32_t)units[at] & 0x3ff) << 10) + (units[at + 1] & 0x3ffu);
    return 2;
}

#endif
