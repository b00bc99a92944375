/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The tuning table as text, and the table that was measured on a device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "primitive/tuning.h"

#define TABLE_HEAD "pietra tuning 1"
#define TABLE_END "end"
#define LINE_BYTES 64u

/* Reads the next line without its end, cut to what an entry can take. Returns false if there is none. */
static bool next_line(const char **text, char line[LINE_BYTES])
{
    const char *end = strchr(*text, '\n');
    if (!end)
        return false;
    snprintf(line, LINE_BYTES, "%.*s", (int)(end - *text < (int)LINE_BYTES ? end - *text : (int)LINE_BYTES), *text);
    *text = end + 1;
    return true;
}

static bool set_entry(const char *line, primitive_tuning *tuning)
{
    char name[LINE_BYTES];
    unsigned value;
    int used = 0;
    return sscanf(line, "%63s %9u%n", name, &value, &used) == 2 && line[used] == '\0' &&
           tuning_set(tuning, name, value);
}

bool tuning_parse(const char *text, primitive_tuning *tuning)
{
    primitive_tuning read = *tuning;
    char line[LINE_BYTES];
    if (!next_line(&text, line) || strcmp(line, TABLE_HEAD) != 0)
        return false;
    while (next_line(&text, line)) {
        if (strcmp(line, TABLE_END) == 0) {
            *tuning = read;
            return true;
        }
        if (!set_entry(line, &read))
            return false;
    }
    return false;
}

void tuning_print(const primitive_tuning *tuning, char text[TUNING_TEXT_BYTES])
{
    size_t used = (size_t)snprintf(text, TUNING_TEXT_BYTES, TABLE_HEAD "\n");
#define TUNING_PRINT(name, least, most) \
    used += (size_t)snprintf(text + used, TUNING_TEXT_BYTES - used, #name " %u\n", tuning->name);
    PRIMITIVE_TUNING(TUNING_PRINT)
#undef TUNING_PRINT
    snprintf(text + used, TUNING_TEXT_BYTES - used, TABLE_END "\n");
}

primitive_tuning tuning_for(const gpu_device *device)
{
    const gpu_limits *limits = gpu_get_limits(device);
    primitive_tuning tuning = tuning_of(limits), measured = tuning;
    char *text = gpu_read_tuning(device);
    if (text && tuning_parse(text, &measured) && tuning_fits(limits, &measured))
        tuning = measured;
    free(text);
    return tuning;
}
