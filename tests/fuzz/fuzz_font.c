/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Any bytes, as a font file, packed or not: what matching reads of each face, then outlines and metrics. */
#include <stdlib.h>

#include "font/characters.h"
#include "font/facts.h"
#include "font/unpack.h"
#include "pietra/pietra_text.h"

#define MOST_FACES 3u
#define MOST_GLYPHS 16u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_facts(const uint8_t *data, size_t size, uint32_t index)
{
    uint8_t *copy = malloc(size + 1);
    font_source *source;
    sfnt font = {0};
    font_facts facts = {0};
    font_piece cmap = {0};
    font_pages pages = {0};
    for (size_t i = 0; copy && i < size; i++)
        copy[i] = data[i];
    if (!copy || font_source_take(copy, size, &source))
        return;
    if (!font_unpack(&source, &index) && !sfnt_open(source, index, &font) && !font_facts_read(&font, &facts) &&
        !sfnt_read(&font, FONT_TAG('c', 'm', 'a', 'p'), &cmap)) {
        if (facts.families_bytes > 0 && facts.families[facts.families_bytes - 1] != '\0')
            abort();
        font_characters_read(cmap.bytes, &pages);
        for (size_t i = 1; i < pages.count; i++)
            if (pages.items[i].number <= pages.items[i - 1].number)
                abort();
    }
    array_free(&pages);
    font_piece_free(&cmap);
    font_facts_free(&facts);
    sfnt_close(&font);
    font_source_release(source);
}

static void draw(const uint8_t *data, size_t size, uint32_t index)
{
    const pietra_font_variation variations[] = {{PIETRA_FONT_TAG('w', 'g', 'h', 't'), 640},
                                                {PIETRA_FONT_TAG('w', 'd', 't', 'h'), 110}};
    pietra_font *font;
    pietra_font_metrics metrics;
    pietra_error error = {0};
    if (pietra_font_from_bytes(data, size, index, variations, 2, &error, &font) != PIETRA_OK) {
        if (error.message[0] == 0)
            abort();
        return;
    }
    pietra_path *path = pietra_path_create();
    pietra_font_measure(font, &metrics);
    for (uint32_t i = 0; path && i < MOST_GLYPHS; i++) {
        pietra_font_glyph(font, 'A' + i);
        pietra_font_advance(font, i, i % 2);
        if (pietra_font_outline(font, i, path, &error) == PIETRA_OK && pietra_path_check(path) != PIETRA_OK)
            abort();
        pietra_path_reset(path);
    }
    pietra_path_destroy(path);
    pietra_font_destroy(font);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (uint32_t i = 0; i < MOST_FACES; i++) {
        read_facts(data, size, i);
        draw(data, size, i);
    }
    return 0;
}
