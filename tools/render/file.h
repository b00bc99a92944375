/* Whole files in, and files out that are there in full or not at all. "-" stands for standard input or output. */
#ifndef RENDER_FILE_H
#define RENDER_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "report.h"
#include "temporary.h"

#define FILE_MOST_MEBIBYTES 1024 /* of a file that is read: more would take gigabytes and minutes to find that it is no drawing */

/* Reads a file to its end. The bytes are the caller's, who frees them; there is one 0 byte after the last. Failures are reported. */
status file_read(const char *path, char **bytes, size_t *byte_count);

/* The same for a file that is open, which is closed. */
status file_read_open(int descriptor, const char *path, char **bytes, size_t *byte_count);

/* Gives pages inside a piece of what was read back to the system: the piece's contents are lost. Any thread. */
void file_discard(const void *bytes, size_t byte_count);

/* Whether what is written to one would be lost to the other; a pipe or a device takes both. */
bool file_is_same(const char *path, const char *other);

/* A file being written. It is nowhere to be seen until it is complete. */
typedef struct file_output {
    const char *path;    /* as the user gave it, for messages */
    char *target;        /* what is written in the end: links followed; NULL when written to directly (a pipe, a device, "-") */
    temporary temporary; /* or what is written to directly, as a descriptor alone */
    int error;           /* errno of what could not be written; 0: none */
} file_output;

/* Opens it early, so that an unwritable path is known before the work. Failures are reported. */
status file_output_open(file_output *output, const char *path);
/* Writes the next bytes. Any thread, one call at a time. False: they cannot be written, which file_output_finish will report. */
bool file_output_write(file_output *output, const void *bytes, size_t byte_count);
/* Closes after all bytes are written and gives the file its name. Failures, earlier ones too, are reported and leave no file. */
status file_output_finish(file_output *output);
/* Closes and removes what was begun; the file that had the name before is untouched. */
void file_output_abandon(file_output *output);

/* Prepares the process, once at its start: signals leave no temporary files; a broken pipe and the limit of a file's size
 * become errors of write; no file is opened in the place of a closed standard stream. */
void file_prepare(void);

#endif
