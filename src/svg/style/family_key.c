/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/family_key.h"

#include <string.h>

size_t family_key_write(char kind, const char *family, text name, char key[FAMILY_KEY_BYTES])
{
    const size_t count = strlen(family);
    if (count + name.count + 2 > FAMILY_KEY_BYTES)
        return 0;
    key[0] = kind;
    for (size_t i = 0; i < count; i++)
        key[1 + i] = text_lower(family[i]);
    key[1 + count] = '\n';
    memcpy(key + count + 2, name.bytes, name.count);
    return count + name.count + 2;
}
