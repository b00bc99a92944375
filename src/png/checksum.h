/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The checksums of a PNG: CRC-32 of its chunks, and Adler-32 of its rows (RFC 1950). */
#ifndef PIETRA_PNG_CHECKSUM_H
#define PIETRA_PNG_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Continues the checksum of what stands before; of nothing it is 0. */
uint32_t checksum_crc32(uint32_t before, const uint8_t *bytes, size_t count);
uint32_t checksum_adler32(const uint8_t *bytes, size_t count);

/* The same as any processor can. */
uint32_t checksum_crc32_plain(uint32_t before, const uint8_t *bytes, size_t count);
uint32_t checksum_adler32_plain(const uint8_t *bytes, size_t count);

#endif
