/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char font_out_of_memory[] = "out of memory";
const char font_cut_off[] = "it is cut off";
const char font_too_large[] = "it is too large for a font";
const char font_unreadable[] = "it cannot be read";
const char font_missing[] = "there is no such file";
const char font_no_harfbuzz[] = "HarfBuzz, which reads fonts, is not installed";
const char font_no_fontconfig[] = "fontconfig, which knows the installed fonts, is not installed";
const char font_no_freetype[] = "FreeType, which unpacks WOFF2, is not installed";
const char font_no_libdeflate[] = "libdeflate, which unpacks WOFF, is not installed";
const char font_no_icu[] = "ICU, which orders text from right to left, is not installed";

bool font_lacks_library(const char *wrong)
{
    return wrong == font_no_harfbuzz || wrong == font_no_freetype || wrong == font_no_fontconfig ||
           wrong == font_no_libdeflate || wrong == font_no_icu;
}

static const char *make(font_source value, font_source **source)
{
    font_source *made = malloc(sizeof *made);
    if (!made)
        return font_out_of_memory;
    *made = value;
    atomic_init(&made->owners, 1);
    *source = made;
    return NULL;
}

static const char *check_file(int file, struct stat *status)
{
    if (fstat(file, status) != 0)
        return font_unreadable;
    if (!S_ISREG(status->st_mode))
        return "it is no regular file";
    return (uint64_t)status->st_size <= FONT_MOST_FILE_BYTES ? NULL : font_too_large;
}

const char *font_source_open(const char *path, font_source **source)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT ? font_missing : errno == ENOMEM ? font_out_of_memory : font_unreadable;
    const char *wrong = check_file(file, &status);
    if (!wrong) {
        const font_source value = {
            .file = file,
            .byte_count = (uint64_t)status.st_size,
            .changed_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec,
        };
        wrong = make(value, source);
    }
    if (wrong)
        close(file);
    return wrong;
}

const char *font_source_take(uint8_t *bytes, size_t count, font_source **source)
{
    const char *wrong = make((font_source){.file = -1, .bytes = bytes, .byte_count = count}, source);
    if (wrong)
        free(bytes);
    return wrong;
}

const char *font_source_copy(const void *bytes, size_t count, font_source **source)
{
    uint8_t *copy = malloc(count + 1);
    if (!copy)
        return font_out_of_memory;
    memcpy(copy, bytes, count);
    return font_source_take(copy, count, source);
}

font_source *font_source_retain(font_source *source)
{
    atomic_fetch_add_explicit(&source->owners, 1, memory_order_relaxed);
    return source;
}

void font_source_release(font_source *source)
{
    if (!source || atomic_fetch_sub_explicit(&source->owners, 1, memory_order_acq_rel) != 1)
        return;
    if (source->file >= 0)
        close(source->file);
    free(source->bytes);
    free(source);
}

static const char *read_file(int file, uint64_t offset, size_t count, uint8_t *to)
{
    while (count > 0) {
        ssize_t got = pread(file, to, count, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? font_unreadable : font_cut_off;
        to += got;
        offset += (uint64_t)got;
        count -= (size_t)got;
    }
    return NULL;
}

const char *font_source_read(const font_source *source, uint64_t offset, uint64_t count, font_piece *piece)
{
    if (offset > source->byte_count || count > source->byte_count - offset)
        return font_cut_off;
    if (source->file < 0) {
        *piece = (font_piece){.bytes = {source->bytes + offset, (size_t)count}};
        return NULL;
    }
    uint8_t *bytes = malloc((size_t)count + 1);
    if (!bytes)
        return font_out_of_memory;
    const char *wrong = read_file(source->file, offset, (size_t)count, bytes);
    if (wrong)
        free(bytes);
    else
        *piece = (font_piece){.bytes = {bytes, (size_t)count}, .owned = bytes};
    return wrong;
}

void font_piece_free(font_piece *piece)
{
    free(piece->owned);
    *piece = (font_piece){0};
}
