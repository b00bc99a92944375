/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The streams of surfaces. An image holds its own stream without those of the images that it shows, so that an image
 * that many others show is encoded once. They are put together when the stream around them is made, to the depth to
 * which surfaces nest: SURFACE_DEPTH_MAX. */
#include <string.h>

#include "scene/encode/encode.h"

static encode_placed *find_placed(const encoder *encoder, const pietra_image *image)
{
    hash_walk probe = hash_find(&encoder->placed_table, hash_bytes(&image, sizeof image));
    for (; hash_found(&probe); hash_next(&probe))
        if (encoder->placed.items[probe.value].image == image)
            return &encoder->placed.items[probe.value];
    return NULL;
}

static bool place_images(encoder *encoder, const pietra_image *const *images, uint32_t count, uint64_t *word_count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t inner = 0;
        if (find_placed(encoder, images[i]))
            continue;
        stream_header header = *stream_get_header(images[i]->drawn);
        if (!place_images(encoder, images[i]->shown, header.surface_count, &inner))
            return false;
        header.surface_word_count = (uint32_t)inner;
        uint64_t words = stream_lay_out(&header);
        *word_count += words;
        encode_placed *placed = *word_count <= STREAM_MAX_COUNT ? array_push(&encoder->placed) : NULL;
        if (!placed)
            return false;
        *placed = (encode_placed){images[i], (uint32_t)words, (uint32_t)inner, NULL};
        if (!hash_insert(&encoder->placed_table, hash_bytes(&images[i], sizeof images[i]),
                         (uint32_t)(encoder->placed.count - 1))) {
            return false;
        }
    }
    return true;
}

bool encode_place_surfaces(encoder *encoder, uint64_t *word_count)
{
    *word_count = 0;
    return encoder->leaves_surfaces ||
           place_images(encoder, encoder->surfaces.items, (uint32_t)encoder->surfaces.count, word_count);
}

static void write_images(encoder *encoder, const pietra_image *const *images, uint32_t count, stream_surface *surfaces,
                         uint32_t *words);

static void write_placed(encoder *encoder, encode_placed *placed, uint32_t *words)
{
    const stream_header *old = stream_get_header(placed->image->drawn);
    const uint32_t *from = stream_words(placed->image->drawn);
    stream_header header = *old;
    header.surface_word_count = placed->surface_word_count;
    (void)stream_lay_out(&header);
    placed->words = words;
    memcpy(words, from, old->surfaces * sizeof *words); /* everything before the surfaces stays where it is */
    memcpy(words, &header, sizeof header);
    write_images(encoder, placed->image->shown, header.surface_count, (stream_surface *)(words + header.surfaces),
                 words + header.surface_words);
    uint32_t end = header.surface_words + header.surface_word_count;
    memset(words + end, 0, (header.texels - end) * sizeof *words);
    memcpy(words + header.texels, from + old->texels, header.texel_count * sizeof *words);
}

static void write_images(encoder *encoder, const pietra_image *const *images, uint32_t count, stream_surface *surfaces,
                         uint32_t *words)
{
    uint32_t *at = words;
    for (uint32_t i = 0; i < count; i++) {
        encode_placed *placed = find_placed(encoder, images[i]);
        if (!placed->words) {
            write_placed(encoder, placed, at);
            at += placed->word_count;
        }
        surfaces[i] = (stream_surface){(uint32_t)(placed->words - words), placed->word_count};
    }
}

void encode_write_surfaces(encoder *encoder, stream_surface *surfaces, uint32_t *words)
{
    if (encoder->leaves_surfaces)
        memset(surfaces, 0, encoder->surfaces.count * sizeof *surfaces);
    else
        write_images(encoder, encoder->surfaces.items, (uint32_t)encoder->surfaces.count, surfaces, words);
}
