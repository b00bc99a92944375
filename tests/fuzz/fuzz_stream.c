/* Streams from anywhere: whatever the bytes, opening ends in a stream or in an error, and a stream that opened can be
 * described and drawn.
 *
 * A fuzzer would rarely hit upon the right sizes, so the words that say the same thing twice are put right first: magic, version,
 * offsets, size and totals follow from the counts and the elements. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pietra/pietra.h"
#include "scene/rules.h"
#include "scene/stream.h"

#define MOST_WORDS (1u << 20)

/* The pipeline in plain C, small and with little memory: whatever a kernel could not survive shows here under the sanitizers. */
static pietra_device *open_device(void)
{
    const pietra_device_options options = { .kind = PIETRA_DEVICE_REFERENCE, .memory_budget_bytes = 64u << 20 };
    pietra_device *device = NULL;
    if (pietra_device_create(&options, NULL, &device) != PIETRA_OK) {
        abort();
    }
    return device;
}

static void use_stream(const pietra_stream *stream)
{
    static pietra_device *device;
    static FILE *sink;
    if (device == NULL) {
        device = open_device();
        sink = fopen("/dev/null", "w");
    }
    if (sink != NULL) {
        stream_describe(stream, sink);
    }
    static uint32_t pixels[33 * 17];
    const pietra_target target = { .width = 33, .height = 17, .pixels = pixels };
    pietra_result result = pietra_render(device, stream, NULL, &target, NULL, NULL);
    if (result != PIETRA_OK && result != PIETRA_ERROR_BUDGET && result != PIETRA_ERROR_MEMORY) {
        abort();
    }
}

/* The totals, where the paths that they count are there. */
static void set_totals(uint32_t *words)
{
    stream_header *header = (stream_header *)words;
    stream_view view = stream_view_of(words);
    for (uint32_t i = 0; i < header->element_count; i++) {
        if (view.elements[i].path != STREAM_NONE && view.elements[i].path >= header->path_count) {
            return;
        }
    }
    rules_totals totals = rules_count(view.elements, header->element_count, view.paths);
    header->bracket_count = totals.brackets;
    header->cover_count = totals.covers;
    header->dashed_count = totals.dashed;
    header->item_count = (uint32_t)totals.items;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    stream_header header = { 0 };
    memcpy(&header, data, size < sizeof header ? size : sizeof header);
    header.magic = STREAM_MAGIC;
    header.version = STREAM_VERSION;
    uint64_t needed = stream_lay_out(&header);
    size_t word_count = needed <= MOST_WORDS ? (size_t)needed : size / sizeof(uint32_t);
    /* Not a byte more than that, so that reading past the end is seen. */
    uint32_t *words = calloc(word_count + (word_count == 0), sizeof(uint32_t));
    if (words == NULL) {
        return 0;
    }
    size_t bytes = word_count * sizeof(uint32_t);
    memcpy(words, data, size < bytes ? size : bytes);
    if (needed <= MOST_WORDS) {
        memcpy(words, &header, sizeof header);
        set_totals(words);
    }
    pietra_stream *stream;
    if (pietra_stream_open(words, bytes, NULL, &stream) == PIETRA_OK) {
        use_stream(stream);
        pietra_stream_destroy(stream);
    }
    free(words);
    return 0;
}
