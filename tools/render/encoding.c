/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "encoding.h"

#define INCHES_OF_A_METRE (1 / 0.0254)

static bool take_bytes(void *user, const void *bytes, size_t count)
{
    return file_output_write(user, bytes, count);
}

static uint32_t round_density(double density)
{
    return density < INT32_MAX ? (uint32_t)(density + 0.5) : 0;
}

static const char *encode_png(const encoding *encoding, file_output *output)
{
    const png_options png = {.compression = encoding->compression,
                             .threads = encoding->threads,
                             .pixels_per_metre = round_density(encoding->pixels_per_inch * INCHES_OF_A_METRE),
                             .progress = encoding->progress};
    png_result result = encoding->indexed && encoding->indexed->indices
                            ? png_encode_indexed(encoding->indexed, &png, take_bytes, output)
                            : png_encode(encoding->canvas, &png, take_bytes, output);

    return result == PNG_OUT_OF_MEMORY ? "out of memory for the PNG" : NULL;
}

static const char *encode_other(const encoding *encoding, file_output *output)
{
    const format_options format = {.compression = encoding->compression,
                                   .quality = encoding->quality,
                                   .pixels_per_inch = round_density(encoding->pixels_per_inch)};

    return format_encode(encoding->format, encoding->canvas, &format, take_bytes, output);
}

status encoding_write(const encoding *encoding, file_output *output)
{
    const char *wrong = encoding->format == FORMAT_PNG ? encode_png(encoding, output) : encode_other(encoding, output);

    if (!wrong)
        return file_output_finish(output);
    file_output_abandon(output);
    return report(STATUS_BUDGET, output->path, 0, "%s", wrong);
}
