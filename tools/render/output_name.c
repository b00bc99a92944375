/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "output_name.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text that is written twice: first without a place, to count its bytes. */
typedef struct writer {
    char *bytes; /* NULL: they are only counted */
    size_t count;
} writer;

static void put(writer *writer, const char *bytes, size_t count)
{
    if (writer->bytes)
        memcpy(writer->bytes + writer->count, bytes, count);
    writer->count += count;
}

/* Gives the writer a place for what it counted, and begins anew. False: out of memory. */
static bool begin(writer *writer)
{
    writer->bytes = malloc(writer->count + 1);
    if (writer->bytes)
        writer->bytes[writer->count] = '\0';
    writer->count = 0;
    return writer->bytes != NULL;
}

/* ---- A pattern's parts ---- */

typedef enum part_kind { PART_TEXT, PART_STEM, PART_WIDTH, PART_HEIGHT, PART_ZOOM, PART_ID, PART_WRONG } part_kind;

static const char *const part_names[] = {
    [PART_STEM] = "{stem}", [PART_WIDTH] = "{width}", [PART_HEIGHT] = "{height}",
    [PART_ZOOM] = "{zoom}", [PART_ID] = "{id}",
};

/* Returns what stands at the beginning of a pattern, and how long it is. A part of text is one byte, or two braces, and
 * a wrong brace is one byte. */
static part_kind find_part(const char *at, size_t *length)
{
    *length = (at[0] == '{' || at[0] == '}') && at[1] == at[0] ? 2 : 1;
    if (*length == 2 || (at[0] != '{' && at[0] != '}'))
        return PART_TEXT;
    for (part_kind kind = PART_STEM; kind < PART_WRONG; kind++) {
        *length = strlen(part_names[kind]);
        if (strncmp(at, part_names[kind], *length) == 0)
            return kind;
    }
    *length = 1;
    return PART_WRONG;
}

static unsigned count_part(const char *pattern, part_kind wanted)
{
    unsigned count = 0;

    for (size_t length; *pattern; pattern += length)
        count += find_part(pattern, &length) == wanted;
    return count;
}

static void write_number(writer *writer, double number)
{
    char digits[32];

    put(writer, digits, (size_t)snprintf(digits, sizeof digits, "%.12g", number));
}

static void write_expanded(writer *writer, const char *pattern, const char *stem, size_t stem_length,
                           const picture_size *size, size_t *id_at)
{
    for (size_t length; *pattern; pattern += length) {
        switch (find_part(pattern, &length)) {
        case PART_STEM:
            put(writer, stem, stem_length);
            break;
        case PART_WIDTH:
            write_number(writer, size->width);
            break;
        case PART_HEIGHT:
            write_number(writer, size->height);
            break;
        case PART_ZOOM:
            write_number(writer, size->zoom > 0 ? size->zoom : 1);
            break;
        case PART_ID:
            *id_at = writer->count;
            break;
        default:
            put(writer, pattern, 1); /* of two braces, too */
        }
    }
}

char *output_name_expand(const char *pattern, const char *stem, size_t stem_length, const picture_size *size,
                         size_t *id_at)
{
    writer writer = {0};

    *id_at = SIZE_MAX;
    write_expanded(&writer, pattern, stem, stem_length, size, id_at);
    if (begin(&writer))
        write_expanded(&writer, pattern, stem, stem_length, size, id_at);
    return writer.bytes;
}

static void write_id(writer *writer, const char *id)
{
    for (const char *at = id; *at; at++) {
        bool strange = (unsigned char)*at < ' ' || *at == 0x7f || *at == '/' || *at == '%' || (*at == '.' && at == id);
        char code[4];
        if (strange)
            put(writer, code, (size_t)snprintf(code, sizeof code, "%%%02X", (unsigned char)*at));
        else
            put(writer, at, 1);
    }
}

static void write_inserted(writer *writer, const char *path, size_t id_at, const char *id)
{
    put(writer, path, id_at);
    write_id(writer, id);
    put(writer, path + id_at, strlen(path + id_at));
}

char *output_name_insert(const char *path, size_t id_at, const char *id)
{
    writer writer = {0};

    write_inserted(&writer, path, id_at, id);
    if (begin(&writer))
        write_inserted(&writer, path, id_at, id);
    return writer.bytes;
}

/* ---- Checks ---- */

static status fail(const options *options, const char *why)
{
    return report(STATUS_INPUT, NULL, 0, "--output-name: \"%s\" %s", options->output_name, why);
}

/* The folder of a picture is made before its document is read. */
static bool has_id_in_folder(const char *pattern)
{
    bool found = false;

    for (size_t length; *pattern; pattern += length) {
        found = find_part(pattern, &length) == PART_ID || found;
        if (*pattern == '/' && found)
            return true;
    }
    return false;
}

static status check_form(const options *options)
{
    const char *pattern = options->output_name;

    if (count_part(pattern, PART_WRONG))
        return fail(options, "has a brace that is none of {stem}, {width}, {height}, {zoom}, {id}, {{ and }}");
    if (pattern[0] == '/')
        return fail(options, "must be below --output-dir, not an absolute path");
    if (pattern[strlen(pattern) - 1] == '/')
        return fail(options, "is not the name of a file");
    return STATUS_DRAWN;
}

static status check_parts(const options *options)
{
    const char *pattern = options->output_name;
    const picture_size *size = options->sizes;

    if (count_part(pattern, PART_WIDTH) && !size->width)
        return fail(options, "has {width}, but there is no --width");
    if (count_part(pattern, PART_HEIGHT) && !size->height)
        return fail(options, "has {height}, but there is no --height");
    if (count_part(pattern, PART_ZOOM) && (size->width || size->height))
        return fail(options, "has {zoom}, but the size is a width or height");
    if (count_part(pattern, PART_ID) > 1)
        return fail(options, "has {id} more than once");
    if (count_part(pattern, PART_ID) != (options->export_ids != NULL))
        return fail(options, options->export_ids ? "lacks {id}, by which the pictures of --export-ids differ"
                                                 : "has {id}, but there is no --export-ids");
    if (has_id_in_folder(pattern))
        return fail(options, "has {id} in the name of a folder");
    return STATUS_DRAWN;
}

status output_name_check(const options *options)
{
    status result = check_form(options);

    return result == STATUS_DRAWN ? check_parts(options) : result;
}
