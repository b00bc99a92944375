/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text/emoji_runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "text/icu.h"
#include "text/run_glyphs.h"

#define PIECES 4096u /* a new piece takes the place of one whose hash has the same remainder */

struct emoji_pieces {
    text_run items[PIECES]; /* parts of runs, with glyphs; `begin` and `end` are equal where nothing is kept */
};

emoji_pieces *emoji_pieces_create(void)
{
    return calloc(1, sizeof(emoji_pieces));
}

void emoji_pieces_destroy(emoji_pieces *pieces)
{
    free(pieces);
}

static bool has_same_glyphs(const text_paragraph *paragraph, const text_run *a, const text_run *b)
{
    const size_t count = a->end - a->begin;
    return a->font == b->font && a->style == b->style && a->script == b->script && a->level == b->level &&
           a->upright == b->upright && count == b->end - b->begin &&
           memcmp(paragraph->units + a->begin, paragraph->units + b->begin, count * sizeof *paragraph->units) == 0;
}

static bool repeat_glyphs(const text_run *kept, uint32_t begin, shaped_text *shaped)
{
    if (!array_reserve(&shaped->glyphs, kept->glyph_count))
        return false;
    for (uint32_t i = 0; i < kept->glyph_count; i++) {
        text_glyph glyph = shaped->glyphs.items[kept->first_glyph + i];
        glyph.unit += begin - kept->begin;
        shaped->glyphs.items[shaped->glyphs.count++] = glyph;
    }
    return true;
}

static const char *shape_piece(const text_paragraph *paragraph, text_run *piece, size_t begin, size_t end,
                               shaped_text *shaped)
{
    const harfbuzz_functions *harfbuzz = piece->font->harfbuzz;
    hb_buffer_t *buffer = harfbuzz->hb_buffer_create();
    const char *wrong = run_shape(paragraph, buffer, piece, begin, end, shaped);
    harfbuzz->hb_buffer_destroy(buffer);
    return wrong;
}

static const char *add_piece(emoji_pieces *pieces, const text_paragraph *paragraph, text_run piece, size_t begin,
                             size_t end, shaped_text *shaped)
{
    const size_t byte_count = (piece.end - piece.begin) * sizeof *paragraph->units;
    text_run *kept = &pieces->items[hash_bytes(paragraph->units + piece.begin, byte_count) % PIECES];
    if (has_same_glyphs(paragraph, kept, &piece))
        return repeat_glyphs(kept, piece.begin, shaped) ? NULL : text_out_of_memory;
    const char *wrong = shape_piece(paragraph, &piece, begin, end, shaped);
    if (!wrong)
        *kept = piece;
    return wrong;
}

static size_t find_piece_end(const text_run *run, const uint8_t *starts, size_t begin)
{
    size_t end = begin + 1;
    while (end < run->end && !starts[end])
        end++;
    return end;
}

static size_t find_piece_begin(const text_run *run, const uint8_t *starts, size_t end)
{
    size_t begin = end - 1;
    while (begin > run->begin && !starts[begin])
        begin--;
    return begin;
}

/* Glyphs stand from left to right, so the pieces of text from right to left come from its end. */
const char *emoji_run_shape(emoji_pieces *pieces, const text_paragraph *paragraph, const uint8_t *starts, text_run *run,
                            size_t begin, size_t end, shaped_text *shaped)
{
    const bool backward = run->level % 2 && !run->upright;
    const size_t first_glyph = shaped->glyphs.count;
    const char *wrong = NULL;
    text_run piece = *run;
    for (size_t done = 0; done < run->end - run->begin && !wrong; done += piece.end - piece.begin) {
        if (backward) {
            piece.end = (uint32_t)(run->end - done);
            piece.begin = (uint32_t)find_piece_begin(run, starts, piece.end);
        } else {
            piece.begin = (uint32_t)(run->begin + done);
            piece.end = (uint32_t)find_piece_end(run, starts, piece.begin);
        }
        wrong = add_piece(pieces, paragraph, piece, begin, end, shaped);
    }
    run->first_glyph = (uint32_t)first_glyph;
    run->glyph_count = (uint32_t)(shaped->glyphs.count - first_glyph);
    return wrong;
}
