/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decodes WebP by libwebp: lossy and lossless; of an animation the first frame, on its canvas. */
#include <pthread.h>
#include <string.h>

#include <webp/decode.h>
#include <webp/demux.h>

#include "image/library.h"
#include "image/profile.h"

/* Functions of the demultiplexer, and of the decoder that it loads. */
/* clang-format off */
#define FUNCTIONS(X) \
    X(WebPDecodeRGBAInto) X(WebPDemuxDelete) X(WebPDemuxGetChunk) X(WebPDemuxGetFrame) X(WebPDemuxGetI) \
    X(WebPDemuxInternal) X(WebPDemuxReleaseChunkIterator) X(WebPDemuxReleaseIterator)
/* clang-format on */
IMAGE_LIBRARY(IMAGE_WEBP_LIBRARY)

static const char *decode_frame(WebPDemuxer *demuxer, image_pixels *pixels)
{
    WebPIterator frame;
    if (!library.WebPDemuxGetFrame(demuxer, 1, &frame))
        return image_broken;
    bool inside = frame.x_offset >= 0 && frame.y_offset >= 0 &&
                  (uint32_t)(frame.x_offset + frame.width) <= pixels->width &&
                  (uint32_t)(frame.y_offset + frame.height) <= pixels->height && frame.complete;
    size_t stride = (size_t)pixels->width * 4;
    size_t offset = (size_t)frame.y_offset * stride + (size_t)frame.x_offset * 4;
    bool good = inside && library.WebPDecodeRGBAInto(frame.fragment.bytes, frame.fragment.size, pixels->rgba + offset,
                                                     stride * pixels->height - offset, (int)stride);
    library.WebPDemuxReleaseIterator(&frame);
    return good ? NULL : image_broken;
}

static const char *apply_chunks(WebPDemuxer *demuxer, image_pixels *pixels)
{
    WebPChunkIterator chunk;
    const char *wrong = NULL;
    if (library.WebPDemuxGetChunk(demuxer, "ICCP", 1, &chunk)) {
        image_apply_profile(chunk.chunk.bytes, chunk.chunk.size, pixels);
        library.WebPDemuxReleaseChunkIterator(&chunk);
    }
    if (library.WebPDemuxGetChunk(demuxer, "EXIF", 1, &chunk)) {
        const uint8_t *tiff = chunk.chunk.bytes;
        size_t count = chunk.chunk.size;
        size_t header = count > 6 && memcmp(tiff, "Exif\0\0", 6) == 0 ? 6 : 0;
        wrong = image_apply_orientation(image_find_orientation(tiff + header, count - header), pixels);
        library.WebPDemuxReleaseChunkIterator(&chunk);
    }
    return wrong;
}

const char *image_decode_webp(const uint8_t *bytes, size_t count, uint64_t pixel_limit, image_pixels *pixels)
{
    const WebPData data = {bytes, count};
    if (!library_is_open())
        return image_no_library;
    WebPDemuxer *demuxer = library.WebPDemuxInternal(&data, 0, NULL, WEBP_DEMUX_ABI_VERSION);
    if (!demuxer)
        return image_broken;
    const char *wrong = image_allocate(library.WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH),
                                       library.WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT), pixel_limit, pixels);
    if (!wrong)
        wrong = decode_frame(demuxer, pixels);
    if (!wrong)
        wrong = apply_chunks(demuxer, pixels);
    library.WebPDemuxDelete(demuxer);
    return wrong;
}
