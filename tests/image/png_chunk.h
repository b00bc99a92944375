/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Chunks of PNG files, as tests of the decoder write them. */
#ifndef PIETRA_IMAGE_PNG_CHUNK_H
#define PIETRA_IMAGE_PNG_CHUNK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <libdeflate.h>

#define PNG_SIGNATURE 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'
#define PNG_SIGNATURE_BYTES 8u

static inline void put_word(uint8_t *at, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> (24 - 8 * i));
}

/* Puts a chunk that states one length and has `there` bytes. */
static inline size_t put_chunk(uint8_t *at, const char *name, uint32_t told, const uint8_t *bytes, size_t there)
{
    put_word(at, told);
    memcpy(at + 4, name, 4);
    if (there)
        memcpy(at + 8, bytes, there);
    put_word(at + 8 + there, libdeflate_crc32(0, at + 4, 4 + there));
    return 12 + there;
}

#endif
