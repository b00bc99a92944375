/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finding `use` elements that would show themselves. */
#ifndef PIETRA_SVG_TREE_LOOPS_H
#define PIETRA_SVG_TREE_LOOPS_H

#include "svg/tree/document.h"

/* Sets `flag` in flags[n] of every `use` n whose target leads back to it, by children and further uses. Such a
 * reference is in error and shows nothing (SVG 2, 5.6). Returns false if memory is short. The time is linear in the
 * size of the document: the function finds strongly connected components (R. Tarjan, Depth-first search and linear
 * graph algorithms, 1972) with a stack of its own. */
bool svg_loops_find(const svg_document *document, uint8_t *flags, uint8_t flag);

#endif
