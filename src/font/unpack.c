/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/unpack.h"

#include "font/sfnt.h"

#define WOFF FONT_TAG('w', 'O', 'F', 'F')
#define WOFF2 FONT_TAG('w', 'O', 'F', '2')

/* Returns the first four bytes; 0: the file has fewer. */
static uint32_t read_signature(const font_source *source)
{
    font_piece piece;
    if (font_source_read(source, 0, 4, &piece))
        return 0;
    const uint32_t signature = font_u32(piece.bytes, 0);
    font_piece_free(&piece);
    return signature;
}

static const char *read_packed(const font_source *source, font_piece *piece)
{
    if (source->byte_count > FONT_MOST_UNPACKED_BYTES)
        return font_too_large;
    return font_source_read(source, 0, source->byte_count, piece);
}

const char *font_unpack(font_source **source, uint32_t *index)
{
    const uint32_t signature = read_signature(*source);
    font_piece piece;
    font_source *unpacked;
    if (signature != WOFF && signature != WOFF2)
        return NULL;
    const char *wrong = read_packed(*source, &piece);
    if (wrong)
        return wrong;
    wrong = signature == WOFF ? woff_unpack(piece.bytes, &unpacked) : woff2_unpack(piece.bytes, *index, &unpacked);
    font_piece_free(&piece);
    if (wrong)
        return wrong;
    font_source_release(*source);
    *source = unpacked;
    *index = signature == WOFF2 ? 0 : *index;
    return NULL;
}

const char *font_count_faces(const font_source *source, uint32_t *count)
{
    const uint32_t signature = read_signature(source);
    font_piece piece;
    sfnt font;
    *count = 1;
    if (signature == FONT_TAG('t', 't', 'c', 'f')) {
        const char *wrong = sfnt_open(source, 0, &font);
        *count = font.face_count;
        sfnt_close(&font);
        return wrong;
    }
    if (signature != WOFF2)
        return NULL;
    const char *wrong = read_packed(source, &piece);
    if (!wrong) {
        *count = woff2_count_faces(piece.bytes);
        font_piece_free(&piece);
    }
    return wrong;
}
