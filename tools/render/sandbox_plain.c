/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "sandbox_plain.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sources.h"

#define MOST_BYTES ((size_t)1 << 20) /* reading more takes as long as walking through folders */

/* Returns the rest of a name behind its prefix. */
static const char *skip_prefix(const char *name, size_t length)
{
    const char *colon = memchr(name, ':', length);

    return colon ? colon + 1 : name;
}

/* Images may be documents with text, and what entities hold need not look like an element. */
static bool is_telling(const char *name, size_t length)
{
    static const char *const telling[] = {"text", "image", "feImage", "!ENTITY"};
    const char *local = skip_prefix(name, length);
    const size_t rest = length - (size_t)(local - name);

    for (size_t i = 0; i < sizeof telling / sizeof telling[0]; i++)
        if (strlen(telling[i]) == rest && memcmp(local, telling[i], rest) == 0)
            return true;
    return false;
}

/* A style sheet in which comments and the like may part a word. */
static bool is_parted_sheet(const char *name, size_t length)
{
    const char *local = skip_prefix(name, length), *next = strchr(name, '<');

    return strncmp(local, "style", 5) == 0 && local + 5 == name + length && next && next[1] != '/';
}

/* A byte of 0 stands behind the last one. */
static bool has_telling_name(const char *bytes)
{
    for (const char *at = strchr(bytes, '<'); at; at = strchr(at, '<')) {
        const size_t length = strcspn(++at, " \t\r\n/><");
        if (is_telling(at, length) || is_parted_sheet(at, length))
            return true;
        at += length;
    }
    return false;
}

/* Styles may show images of data URLs. In XML and in CSS their scheme may be written by the numbers of characters. */
static bool may_have_data(const char *bytes)
{
    static const char scheme[] = "data";
    const size_t length = sizeof scheme - 1;

    if (strchr(bytes, '\\') || strstr(bytes, "&#"))
        return true;
    for (const char *at = strchr(bytes, ':'); at; at = strchr(at + 1, ':'))
        if ((size_t)(at - bytes) >= length && strncasecmp(at - length, scheme, length) == 0)
            return true;
    return false;
}

/* In other encodings than these the bytes of a name need not be those of ASCII: UTF-7 has some for `<`. */
static bool has_plain_encoding(const char *begin)
{
    static const char *const encodings[] = {"utf-8", "us-ascii", "iso-8859-1"};
    const char *end = strncmp(begin, "<?xml", 5) == 0 ? strstr(begin, "?>") : NULL;
    const char *at = end ? strstr(begin, "encoding") : NULL;

    if (!at || at > end)
        return true;
    at += strlen("encoding");
    at += strspn(at, " \t\r\n=\"'");
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++)
        if (strcspn(at, "\"'") == strlen(encodings[i]) && strncasecmp(at, encodings[i], strlen(encodings[i])) == 0)
            return true;
    return false;
}

/* UTF-16 and what is packed have bytes of 0 or do not begin as a document does. */
static bool is_plain(const char *bytes, size_t count)
{
    const char *begin = bytes;

    if (strncmp(begin, "\xef\xbb\xbf", 3) == 0)
        begin += 3;
    begin += strspn(begin, " \t\r\n");
    return *begin == '<' && strlen(bytes) == count && has_plain_encoding(begin) && !has_telling_name(begin) &&
           !may_have_data(begin);
}

static bool read_bytes(const char *path, char *bytes, size_t *count)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t read_now = 1;

    *count = 0;
    while (file >= 0 && read_now > 0 && *count <= MOST_BYTES) {
        read_now = read(file, bytes + *count, MOST_BYTES + 1 - *count);
        *count += read_now > 0 ? (size_t)read_now : 0;
    }
    if (file >= 0)
        close(file);
    return file >= 0 && read_now == 0 && *count <= MOST_BYTES;
}

/* Opening a pipe would take from those who are to read it. */
static bool is_small_file(const char *path)
{
    struct stat information;

    return stat(path, &information) == 0 && S_ISREG(information.st_mode) && information.st_size <= (off_t)MOST_BYTES;
}

bool sandbox_input_is_plain(const char *input)
{
    static char bytes[MOST_BYTES + 1]; /* only pages that a file needs are made */
    const char *fragment;
    char *path = source_path(input, &fragment);
    bool plain = false;
    size_t count;

    if (path && is_small_file(path) && read_bytes(path, bytes, &count)) {
        bytes[count] = '\0';
        plain = is_plain(bytes, count);
    }
    free(path);
    return plain;
}
