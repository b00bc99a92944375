/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The index: installed fonts in a file of the cache directory. The same machine writes and reads it, so numbers are in
 * that machine's order. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/private_file.h"
#include "font/installed.h"

#define INDEX_MAGIC UINT64_C(0x317865646e69ff50) /* its last digit counts the versions */
#define INDEX_MOST_BYTES ((size_t)256 << 20)

typedef struct index_head {
    uint64_t magic;
    uint64_t bytes;    /* behind the head */
    uint64_t checksum; /* checksum of these bytes; it finds accidents, not forgeries */
} index_head;

void installed_free(installed_fonts *installed)
{
    array_free(&installed->watched);
    array_free(&installed->character_sets);
    array_free(&installed->faces);
    array_free(&installed->orders);
    arena_free(&installed->memory);
    free(installed->file);
    *installed = (installed_fonts){0};
}

/* ---- Reading ---- */

/* Every entry takes a multiple of eight bytes, so that all are aligned. What is cut off makes the reader wrong. */
typedef struct index_reader {
    const uint8_t *at, *end;
    bool wrong;
} index_reader;

static const void *take(index_reader *reader, size_t count)
{
    const size_t padded = (count + 7) & ~(size_t)7;
    const uint8_t *taken = reader->at;
    if (reader->wrong || padded < count || padded > (size_t)(reader->end - reader->at)) {
        reader->wrong = true;
        return NULL;
    }
    reader->at += padded;
    return taken;
}

static uint64_t take_number(index_reader *reader)
{
    uint64_t number = 0;
    const void *taken = take(reader, sizeof number);
    if (taken)
        memcpy(&number, taken, sizeof number);
    return number;
}

/* Returns bytes of which the last is a NUL. */
static const char *take_text(index_reader *reader, size_t *count)
{
    *count = (size_t)take_number(reader);
    const char *text = *count > 0 ? take(reader, *count) : NULL;
    if (!text || text[*count - 1] != '\0') {
        reader->wrong = true;
        return "";
    }
    return text;
}

/* The lists below are refused before memory is taken for more entries than the file could have. */
static bool can_have(index_reader *reader, uint64_t count, size_t least_bytes)
{
    reader->wrong |= count > (uint64_t)(reader->end - reader->at) / least_bytes;
    return !reader->wrong;
}

static bool read_watched(index_reader *reader, installed_fonts *installed)
{
    const uint64_t count = take_number(reader);
    size_t bytes;
    if (!can_have(reader, count, 16) || !array_reserve(&installed->watched, count))
        return false;
    for (uint64_t i = 0; i < count && !reader->wrong; i++) {
        const char *path = take_text(reader, &bytes);
        installed->watched.items[installed->watched.count++] = (watched_path){path, (int64_t)take_number(reader)};
    }
    return !reader->wrong;
}

static bool read_character_sets(index_reader *reader, installed_fonts *installed)
{
    const uint64_t count = take_number(reader);
    if (!can_have(reader, count, 8) || !array_reserve(&installed->character_sets, count))
        return false;
    for (uint64_t i = 0; i < count && !reader->wrong; i++) {
        const uint64_t pages = take_number(reader);
        if (!can_have(reader, pages, sizeof(font_page)))
            return false;
        installed->character_sets.items[installed->character_sets.count++] =
            (font_characters){take(reader, (size_t)pages * sizeof(font_page)), (size_t)pages};
    }
    return !reader->wrong;
}

static bool read_faces(index_reader *reader, installed_fonts *installed)
{
    const uint64_t count = take_number(reader);
    size_t bytes;
    if (!can_have(reader, count, sizeof(font_traits)) || !array_reserve(&installed->faces, count))
        return false;
    for (uint64_t i = 0; i < count && !reader->wrong; i++) {
        installed_face *face = &installed->faces.items[installed->faces.count++];
        const void *traits = take(reader, sizeof face->traits);
        if (traits)
            memcpy(&face->traits, traits, sizeof face->traits);
        face->families = take_text(reader, &face->families_bytes);
        face->path = take_text(reader, &bytes);
        face->index = (uint32_t)take_number(reader);
        face->characters = (uint32_t)take_number(reader);
        reader->wrong |= face->characters >= installed->character_sets.count;
    }
    return !reader->wrong;
}

static bool read_orders(index_reader *reader, installed_fonts *installed)
{
    const uint64_t count = take_number(reader);
    size_t bytes;
    if (!can_have(reader, count, 16) || !array_reserve(&installed->orders, count))
        return false;
    for (uint64_t i = 0; i < count && !reader->wrong; i++) {
        installed_order *order = &installed->orders.items[installed->orders.count++];
        order->language = take_text(reader, &bytes);
        order->face_count = (size_t)take_number(reader);
        if (!can_have(reader, order->face_count, sizeof *order->faces))
            return false;
        order->faces = take(reader, order->face_count * sizeof *order->faces);
        for (size_t k = 0; k < order->face_count && !reader->wrong; k++)
            reader->wrong |= order->faces[k] >= installed->faces.count;
    }
    return !reader->wrong;
}

static bool read_body(index_reader *reader, installed_fonts *installed)
{
    size_t bytes;
    installed->environment = take_text(reader, &bytes);
    if (!read_watched(reader, installed) || !read_character_sets(reader, installed) || !read_faces(reader, installed) ||
        !read_orders(reader, installed))
        return false;
    for (size_t i = 0; i < INSTALLED_GENERICS; i++) {
        const char *family = take_text(reader, &bytes);
        installed->generics[i] = family[0] ? family : NULL;
    }
    return !reader->wrong && reader->at == reader->end;
}

bool index_read(const char *path, installed_fonts *installed)
{
    index_head head;
    size_t bytes;
    *installed = (installed_fonts){.file = private_file_read(path, INDEX_MOST_BYTES, &bytes)};
    if (!installed->file)
        return false;
    memcpy(&head, installed->file, bytes < sizeof head ? 0 : sizeof head);
    const uint8_t *body = installed->file + sizeof head;
    if (bytes >= sizeof head && head.magic == INDEX_MAGIC && head.bytes == bytes - sizeof head &&
        hash_checksum(body, bytes - sizeof head) == head.checksum) {
        index_reader reader = {.at = body, .end = installed->file + bytes};
        if (read_body(&reader, installed))
            return true;
    }
    installed_free(installed);
    return false;
}

/* ---- Writing ---- */

typedef struct index_writer {
    ARRAY(uint8_t) bytes;
    bool out_of_memory;
} index_writer;

static void put(index_writer *writer, const void *from, size_t count)
{
    const size_t padded = (count + 7) & ~(size_t)7;
    if (writer->out_of_memory || count == 0)
        return;
    uint8_t *to = array_push_many(&writer->bytes, padded);
    if (!to) {
        writer->out_of_memory = true;
        return;
    }
    memcpy(to, from, count);
    memset(to + count, 0, padded - count);
}

static void put_number(index_writer *writer, uint64_t number)
{
    put(writer, &number, sizeof number);
}

static void put_text(index_writer *writer, const char *text, size_t bytes)
{
    put_number(writer, bytes);
    put(writer, text, bytes);
}

static void put_string(index_writer *writer, const char *text)
{
    put_text(writer, text, strlen(text) + 1);
}

static void write_body(index_writer *writer, const installed_fonts *installed)
{
    put_string(writer, installed->environment);
    put_number(writer, installed->watched.count);
    for (size_t i = 0; i < installed->watched.count; i++) {
        put_string(writer, installed->watched.items[i].path);
        put_number(writer, (uint64_t)installed->watched.items[i].changed_ns);
    }
    put_number(writer, installed->character_sets.count);
    for (size_t i = 0; i < installed->character_sets.count; i++) {
        const font_characters set = installed->character_sets.items[i];
        put_number(writer, set.page_count);
        put(writer, set.pages, set.page_count * sizeof *set.pages);
    }
    put_number(writer, installed->faces.count);
    for (size_t i = 0; i < installed->faces.count; i++) {
        const installed_face *face = &installed->faces.items[i];
        put(writer, &face->traits, sizeof face->traits);
        put_text(writer, face->families, face->families_bytes);
        put_string(writer, face->path);
        put_number(writer, face->index);
        put_number(writer, face->characters);
    }
    put_number(writer, installed->orders.count);
    for (size_t i = 0; i < installed->orders.count; i++) {
        const installed_order *order = &installed->orders.items[i];
        put_string(writer, order->language);
        put_number(writer, order->face_count);
        put(writer, order->faces, order->face_count * sizeof *order->faces);
    }
    for (size_t i = 0; i < INSTALLED_GENERICS; i++)
        put_string(writer, installed->generics[i] ? installed->generics[i] : "");
}

bool index_write(const char *path, const installed_fonts *installed)
{
    index_writer writer = {0};
    write_body(&writer, installed);
    const index_head head = {.magic = INDEX_MAGIC,
                             .bytes = writer.bytes.count,
                             .checksum = hash_checksum(writer.bytes.items, writer.bytes.count)};
    const bool written = !writer.out_of_memory && writer.bytes.count <= INDEX_MOST_BYTES - sizeof head &&
                         private_file_write(path, &head, sizeof head, writer.bytes.items, writer.bytes.count);
    array_free(&writer.bytes);
    return written;
}
