/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Any bytes, as an SVG document. Half of what the fuzzer tries is changed as a tree: see mutate_svg.h. */
#include "fuzz/document.h"
#include "fuzz/mutate_svg.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return seed % 2 ? LLVMFuzzerMutate(data, size, max_size) : mutate_svg(data, size, max_size, seed / 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    load_document(data, size, NULL);
    return 0;
}
