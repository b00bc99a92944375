/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* libdeflate, which unpacks gzip and WOFF and makes the smallest PNG. It is opened at run time. Its functions are
 * called through a table: packing->libdeflate_alloc_decompressor(). */
#ifndef PIETRA_BASE_PACKING_H
#define PIETRA_BASE_PACKING_H

#include <libdeflate.h>

#include "base/library.h"

/* clang-format off */
#define PACKING_FUNCTIONS(X) \
    X(libdeflate_alloc_compressor) X(libdeflate_alloc_decompressor) X(libdeflate_free_compressor) \
    X(libdeflate_free_decompressor) X(libdeflate_gzip_decompress_ex) X(libdeflate_zlib_compress) \
    X(libdeflate_zlib_compress_bound) X(libdeflate_zlib_decompress)
/* clang-format on */

#define PACKING_POINTER(name) __typeof__(name) *name;

typedef struct packing_functions {
    PACKING_FUNCTIONS(PACKING_POINTER)
} packing_functions;

/* Opens the library once. Any thread. */
library_state packing_open(const packing_functions **packing);

#endif
