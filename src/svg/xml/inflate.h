/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Unpacks gzip. */
#ifndef PIETRA_SVG_XML_INFLATE_H
#define PIETRA_SVG_XML_INFLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "svg/tree/budget.h"

bool svg_is_gzip(const void *bytes, size_t byte_count);
/* Unpacks all members of a gzip file. *unpacked comes from malloc; the caller frees it. */
pietra_result svg_inflate(const void *bytes, size_t byte_count, svg_budget *budget, pietra_error *error,
                          char **unpacked, size_t *unpacked_count);

#endif
