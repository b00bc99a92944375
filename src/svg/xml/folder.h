/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The directory below which the files of a document lie.
 *
 * The directory is opened once, so that nobody can exchange it while the document is read. This code walks names
 * itself, a component at a time. It reads and follows links as the system would, also absolute links and those that
 * lead out and back. No component is a link when it is opened. A file that is opened for its contents is reached only
 * downwards from the directory, whatever is exchanged meanwhile. Places outside the directory are only looked at
 * (O_PATH), to find the way back and to tell a missing file from one that is not allowed. */
#ifndef PIETRA_SVG_XML_FOLDER_H
#define PIETRA_SVG_XML_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"

#define SVG_MOST_LINKS 40u                        /* in one name, as Linux has it */
#define SVG_MOST_STEPS 4096u                      /* directories entered for one name */
#define SVG_MOST_NAME_BYTES 4096u                 /* in one name, as Linux has it */
#define SVG_MOST_RESOURCE_BYTES ((size_t)1 << 30) /* in one file */

typedef ARRAY(char) svg_bytes;

typedef enum svg_fetched {
    SVG_FETCHED,
    SVG_FETCHED_NOTHING,
    SVG_FETCHED_FORBIDDEN,
    SVG_FETCHED_OUT_OF_MEMORY
} svg_fetched;

typedef struct svg_folder {
    int descriptor; /* -1 if the directory is not there; nothing is below it then */
    char *path;     /* absolute, without links; "" for the root */
} svg_folder;

/* A file below a folder. */
typedef struct svg_folder_file {
    char *path;     /* relative to the folder, without links, such as "a/b.svg" */
    int descriptor; /* -1 if it is not a regular file, is too large, or the system refuses it */
} svg_folder_file;

/* Opens a directory. A directory that cannot be opened makes a folder with nothing below it. Returns false if memory is
 * short. */
bool svg_folder_open(svg_folder *folder, const char *directory);
void svg_folder_close(svg_folder *folder);

/* Finds the file with a name that is absolute or relative to `from`. `from` is a path relative to the folder, without
 * links; it is "" or ends with a slash. Returns FORBIDDEN if the file exists but is not below the folder. If the result
 * is FETCHED, the caller closes *file. */
svg_fetched svg_folder_find(const svg_folder *folder, const char *from, const char *name, svg_folder_file *file);
/* Appends the bytes of the file. Returns NOTHING, and appends none, if they cannot be read. */
svg_fetched svg_folder_read(const svg_folder_file *file, svg_bytes *bytes);
/* Returns how many bytes the file has; 0 if it cannot be read. */
uint64_t svg_folder_file_bytes(const svg_folder_file *file);
void svg_folder_close_file(svg_folder_file *file);

#endif
