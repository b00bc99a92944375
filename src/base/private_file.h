/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Files that only this user can have written. They hold what is passed on unchecked, such as drivers' programs.
 *
 * A file and its folder belong to the user for whom the process acts, and nobody else may write to them. Both are
 * checked after they were opened. The file is regular, is no link, and is replaced as a whole. */
#ifndef PIETRA_BASE_PRIVATE_FILE_H
#define PIETRA_BASE_PRIVATE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a file of at most most_bytes and puts a byte of 0 behind it. The caller frees it. NULL: the file does not
 * exist, is not as described above, or cannot be read. */
uint8_t *private_file_read(const char *path, size_t most_bytes, size_t *byte_count);

/* Writes a head and the bytes after it, under a temporary name first. Missing folders are made for this user alone.
 * False: the file cannot be written, or its folder is not as described above. */
bool private_file_write(const char *path, const void *head, size_t head_bytes, const void *bytes, size_t byte_count);

#endif
