/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text/unicode_file.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

size_t unicode_file_read(const char *name, void (*function)(void *user, const char *line), void *user)
{
    char path[200];
    static char line[1 << 16];
    size_t count = 0;
    snprintf(path, sizeof path, "/usr/share/unicode/%s", name);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "#\n")] = '\0';
        if (line[strspn(line, " \t")] == '\0')
            continue;
        function(user, line);
        count++;
    }
    if (file)
        fclose(file);
    return count;
}

void unicode_put(uint32_t character, uint16_t *units, size_t *count)
{
    assert(*count + 2 <= UNICODE_MOST_UNITS);
    if (character >= 0x10000) {
        units[(*count)++] = (uint16_t)(0xd7c0 + (character >> 10));
        character = 0xdc00 + (character & 0x3ff);
    }
    units[(*count)++] = (uint16_t)character;
}
