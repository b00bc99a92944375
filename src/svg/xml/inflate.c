#include "svg/xml/inflate.h"

#include <limits.h>
#include <stdlib.h>

#define ZLIB_CONST
#include <zlib.h>

#include "base/array.h"
#include "base/error.h"

#define STEP_BYTES ((size_t)256 << 10)
#define GZIP_WINDOW (15 + 16) /* zlib: the largest window, a gzip header */

bool svg_is_gzip(const void *bytes, size_t byte_count)
{
    const unsigned char *head = bytes;
    return byte_count >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

typedef ARRAY(unsigned char) byte_array;

static int inflate_step(z_stream *stream, byte_array *output)
{
    stream->next_out = output->items + output->count;
    stream->avail_out = (uInt)STEP_BYTES;
    int state = inflate(stream, Z_NO_FLUSH);
    output->count += STEP_BYTES - stream->avail_out;
    return state;
}

pietra_result svg_inflate(const void *bytes, size_t byte_count, svg_budget *budget, pietra_error *error, char **unpacked, size_t *unpacked_count)
{
    byte_array output = { 0 };
    z_stream stream = { .next_in = bytes, .avail_in = (uInt)byte_count };
    pietra_result result = PIETRA_OK;
    size_t counted = 0;
    int state = Z_OK;
    if (byte_count > UINT_MAX)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "gzip files of more than 4 GiB are not read");
    if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
        return error_set_memory(error);
    while (result == PIETRA_OK && !(state == Z_STREAM_END && stream.avail_in == 0)) {
        if (state == Z_STREAM_END)
            inflateReset(&stream);
        if (!array_reserve(&output, STEP_BYTES)) {
            result = error_set_memory(error);
            break;
        }
        state = inflate_step(&stream, &output);
        if (state == Z_MEM_ERROR)
            result = error_set_memory(error);
        else if (state != Z_OK && state != Z_STREAM_END)
            result = error_set(error, PIETRA_ERROR_INPUT, 0, "broken gzip data: %s", stream.msg ? stream.msg : "it ends too early");
        else if (!svg_budget_take(budget, SVG_LIMIT_unpacked_bytes, output.count - counted))
            result = svg_budget_error(budget, SVG_LIMIT_unpacked_bytes, error, 0);
        counted = output.count;
    }
    inflateEnd(&stream);
    if (result != PIETRA_OK) {
        array_free(&output);
        return result;
    }
    *unpacked = (char *)output.items;
    *unpacked_count = output.count;
    return PIETRA_OK;
}
