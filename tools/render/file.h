/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reads whole files, and writes files that exist in full or not at all. "-" stands for standard input or output. */
#ifndef RENDER_FILE_H
#define RENDER_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "report.h"
#include "temporary.h"

/* size of a file that is read: for a larger one it would take gigabytes and minutes to find that it is no drawing */
#define FILE_MOST_MEBIBYTES 1024

/* Reads a file to its end. A byte of 0 follows the last one. The caller frees the bytes. Failures are reported. */
status file_read(const char *path, char **bytes, size_t *byte_count);

/* Does the same for an open file, and closes it. */
status file_read_open(int descriptor, const char *path, char **bytes, size_t *byte_count);

/* Returns whether two paths name one file, so that writing to one destroys the other. Pipes and devices do not
 * count. */
bool file_is_same(const char *path, const char *other);

/* Returns whether a path leads to a file. Pipes, devices and "-" do not count. */
bool file_is_there(const char *path);

/* Makes a folder and the missing ones above it. Failures are reported. */
status file_make_folder(const char *path);

/* A file being written. It is not visible until it is complete. */
typedef struct file_output {
    const char *path;    /* as the user gave it, for messages */
    char *target;        /* the file that appears in the end, links followed; NULL: it is written to directly (a pipe, a
                          * device, "-") */
    temporary temporary; /* the file being written; one that is written to directly has only a descriptor */
    int error;           /* errno of the first write that failed; 0: none */
} file_output;

/* Opens the file early, so that an unwritable path is reported before the work. Failures are reported. */
status file_output_open(file_output *output, const char *path);
/* Writes the next bytes. Any thread may call it, but only one at a time. Returns false if they cannot be written.
 * file_output_finish then reports why. */
bool file_output_write(file_output *output, const void *bytes, size_t byte_count);
/* Closes the file after all bytes are written, and gives it its name. Failures, earlier ones included, are reported and
 * leave no file. */
status file_output_finish(file_output *output);
/* Closes and removes an unfinished file. A file that already has the name stays as it is. */
void file_output_abandon(file_output *output);

/* Prepares the process once, at its start. Signals leave no temporary files. A broken pipe, or a file that exceeds its
 * limit, becomes an error of writing. No file is opened in the place of a closed standard stream. */
void file_prepare(void);

#endif
