/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* WOFF 2.0 (W3C, 2022) by FreeType, which gives a whole unpacked font as if it were a table. */
#include "font/unpack.h"

#include <pthread.h>
#include <stdlib.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_MODULE_H
#include FT_TRUETYPE_TABLES_H

#include "base/lacked_memory.h"
#include "base/library.h"
#include "font/sfnt.h"

#define HEADER_BYTES 48u
/* FreeType holds the packed font, what Brotli makes of it, and the result, which may double while it grows. */
#define MOST_MEMORY (4 * FONT_MOST_UNPACKED_BYTES)

static const char broken[] = "its WOFF2 is broken";

/* ---- What the header says ---- */

#define OTHER_TAG 63u /* the tag follows */
#define TAG_GLYF 10u
#define TAG_LOCA 11u

typedef struct header_reader {
    font_bytes file;
    size_t at;
    bool wrong;
} header_reader;

static uint8_t read_byte(header_reader *reader)
{
    reader->wrong |= !font_has(reader->file, reader->at, 1);
    return font_u8(reader->file, reader->at++);
}

/* Reads a UIntBase128: seven bits a byte, the highest first, five bytes at most. */
static uint32_t read_base128(header_reader *reader)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < 5; i++) {
        const uint8_t byte = read_byte(reader);
        reader->wrong |= (i == 0 && byte == 0x80) || (value & 0xfe000000) != 0;
        value = value << 7 | (byte & 0x7f);
        if (!(byte & 0x80))
            return value;
    }
    reader->wrong = true;
    return 0;
}

/* Reads a 255UInt16. */
static uint32_t read_255(header_reader *reader)
{
    const uint8_t code = read_byte(reader);
    if (code == 253) {
        const uint32_t high = read_byte(reader);
        return high << 8 | read_byte(reader);
    }
    if (code == 254 || code == 255)
        return read_byte(reader) + (code == 254 ? 506u : 253u);
    return code;
}

/* Returns the bytes of a table, packed or unpacked, whichever are more. */
static size_t read_table_bytes(header_reader *reader)
{
    const uint8_t flags = read_byte(reader), tag = flags & 0x3f, version = flags >> 6;
    if (tag == OTHER_TAG)
        reader->at += 4;
    const size_t plain = read_base128(reader);
    const bool transformed = (tag == TAG_GLYF || tag == TAG_LOCA) ? version != 3 : version != 0;
    const size_t packed = transformed ? read_base128(reader) : 0;
    return plain > packed ? plain : packed;
}

/* Leaves the reader behind the tables. */
static const char *check_header(header_reader *reader)
{
    const uint32_t table_count = font_u16(reader->file, 12);
    size_t total = font_u32(reader->file, 16);
    if (reader->file.count < HEADER_BYTES)
        return font_cut_off;
    if (total > FONT_MOST_UNPACKED_BYTES)
        return font_too_large;
    total = 0;
    for (uint32_t i = 0; i < table_count && !reader->wrong; i++) {
        total += read_table_bytes(reader);
        if (total > FONT_MOST_UNPACKED_BYTES)
            return font_too_large;
    }
    return reader->wrong ? broken : NULL;
}

uint32_t woff2_count_faces(font_bytes file)
{
    header_reader reader = {.file = file, .at = HEADER_BYTES};
    if (check_header(&reader) || font_u32(file, 4) != FONT_TAG('t', 't', 'c', 'f'))
        return 1;
    reader.at += 4; /* the version */
    const uint32_t count = read_255(&reader);
    return reader.wrong ? 1 : count;
}

/* ---- FreeType ---- */

/* clang-format off */
#define FUNCTIONS(X) \
    X(FT_Add_Default_Modules) X(FT_Done_Face) X(FT_Done_Library) X(FT_Load_Sfnt_Table) X(FT_New_Library) \
    X(FT_Open_Face)
/* clang-format on */
#define POINTER(name) __typeof__(name) *name;
#define PLACE(name) {#name, &freetype.name},

static struct {
    FUNCTIONS(POINTER)
} freetype;
static library_state freetype_state;
static pthread_mutex_t freetype_lock = PTHREAD_MUTEX_INITIALIZER;

static const char *open_freetype(void)
{
    const library_function functions[] = {FUNCTIONS(PLACE)};
    pthread_mutex_lock(&freetype_lock);
    if (freetype_state == LIBRARY_CLOSED)
        freetype_state = library_open(FONT_FREETYPE_LIBRARY, functions, sizeof functions / sizeof functions[0]);
    const library_state state = freetype_state;
    pthread_mutex_unlock(&freetype_lock);
    if (state == LIBRARY_OPEN)
        return NULL;
    return state == LIBRARY_CLOSED ? font_out_of_memory : font_no_freetype;
}

/* FreeType's blocks begin with their sizes. What they take together is in the size_t of FT_Memory.user. */
typedef union memory_head {
    size_t byte_count;
    max_align_t alignment;
} memory_head;

static void *resize_memory(FT_Memory memory, long before, long byte_count, void *block)
{
    size_t *allocated = memory->user;
    memory_head *head = block ? (memory_head *)block - 1 : NULL;
    const size_t held = head ? head->byte_count : 0, wanted = byte_count > 0 ? (size_t)byte_count : 0;
    (void)before;
    if (wanted > MOST_MEMORY || *allocated - held > MOST_MEMORY - wanted)
        return NULL;
    head = realloc(head, sizeof *head + wanted);
    if (!head)
        return NULL;
    *allocated += wanted - held;
    head->byte_count = wanted;
    return head + 1;
}

static void *take_memory(FT_Memory memory, long byte_count)
{
    return resize_memory(memory, 0, byte_count, NULL);
}

static void give_memory_back(FT_Memory memory, void *block)
{
    size_t *allocated = memory->user;
    if (!block)
        return;
    memory_head *head = (memory_head *)block - 1;
    *allocated -= head->byte_count;
    free(head);
}

static const char *take_font(FT_Face face, uint8_t **bytes, size_t *count)
{
    FT_ULong length = 0;
    if (freetype.FT_Load_Sfnt_Table(face, 0, 0, NULL, &length) != 0)
        return broken;
    if (length > FONT_MOST_UNPACKED_BYTES)
        return font_too_large;
    uint8_t *font = malloc(length + 1);
    if (!font)
        return font_out_of_memory;
    if (freetype.FT_Load_Sfnt_Table(face, 0, 0, font, &length) != 0) {
        free(font);
        return broken;
    }
    *bytes = font;
    *count = length;
    return NULL;
}

static const char *open_face(FT_Library library, font_bytes file, uint32_t index, uint8_t **bytes, size_t *count)
{
    const FT_Open_Args arguments = {
        .flags = FT_OPEN_MEMORY, .memory_base = file.at, .memory_size = (FT_Long)file.count};
    FT_Face face;
    if (freetype.FT_Open_Face(library, &arguments, (FT_Long)index, &face) != 0)
        return broken;
    const char *wrong = take_font(face, bytes, count);
    freetype.FT_Done_Face(face);
    return wrong;
}

/* FreeType 2.12 ends `loca` with the place in the file where `glyf` ends, not with the length of `glyf`. HarfBuzz would
 * leave out the last glyph. */
static const char *repair_loca(const font_source *source)
{
    sfnt font;
    font_piece head;
    const char *wrong = sfnt_open(source, 0, &font);
    if (wrong)
        return wrong;
    const sfnt_table *glyf = sfnt_find(&font, FONT_TAG('g', 'l', 'y', 'f'));
    const sfnt_table *loca = sfnt_find(&font, FONT_TAG('l', 'o', 'c', 'a'));
    wrong = sfnt_read(&font, FONT_TAG('h', 'e', 'a', 'd'), &head);
    if (!wrong && glyf && loca && loca->byte_count >= 4) {
        uint8_t *end = source->bytes + loca->offset + loca->byte_count;
        if (font_u16(head.bytes, 50) != 0)
            font_put_u32(end - 4, glyf->byte_count);
        else
            font_put_u16(end - 2, glyf->byte_count / 2);
    }
    sfnt_close(&font);
    return wrong;
}

/* Brotli allocates by itself, and its errors do not say of what. */
static const char *unpack(font_bytes file, uint32_t index, uint8_t **bytes, size_t *count)
{
    const int before = lacked_memory_begin();
    size_t allocated = 0;
    struct FT_MemoryRec_ memory = {
        .user = &allocated, .alloc = take_memory, .free = give_memory_back, .realloc = resize_memory};
    FT_Library library;
    const char *wrong = broken;
    *bytes = NULL;
    if (freetype.FT_New_Library(&memory, &library) == 0) {
        freetype.FT_Add_Default_Modules(library);
        wrong = open_face(library, file, index, bytes, count);
        freetype.FT_Done_Library(library);
    }
    if (lacked_memory_end(before))
        wrong = font_out_of_memory;
    if (wrong)
        free(*bytes);
    return wrong;
}

const char *woff2_unpack(font_bytes file, uint32_t index, font_source **source)
{
    header_reader reader = {.file = file, .at = HEADER_BYTES};
    uint8_t *bytes = NULL;
    size_t count = 0;
    const char *wrong = check_header(&reader);
    if (!wrong && index >= woff2_count_faces(file))
        wrong = "it has no face of that number";
    if (!wrong)
        wrong = open_freetype();
    if (!wrong)
        wrong = unpack(file, index, &bytes, &count);
    if (!wrong)
        wrong = font_source_take(bytes, count, source);
    if (wrong)
        return wrong;
    wrong = repair_loca(*source);
    if (wrong)
        font_source_release(*source);
    return wrong;
}
