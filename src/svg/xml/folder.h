/* The directory below which the files of a document lie.
 *
 * It is opened once, so that it cannot be exchanged while the document is read. Names are walked by us, a component at
 * a time: links are read and followed as the system would, absolute ones and those that lead out and back too, but no
 * component is a link when it is opened. What is opened for its contents is reached from the directory downwards alone,
 * whatever is exchanged meanwhile. Beyond the directory places are only looked at (O_PATH), to find the way back and to
 * tell what is missing from what is not allowed. */
#ifndef PIETRA_SVG_XML_FOLDER_H
#define PIETRA_SVG_XML_FOLDER_H

#include <stdbool.h>

#include "base/array.h"

#define SVG_MOST_LINKS 40u                        /* in one name, as Linux has it */
#define SVG_MOST_STEPS 4096u                      /* directories entered for one name */
#define SVG_MOST_NAME_BYTES 4096u                 /* of a name, as Linux has it */
#define SVG_MOST_RESOURCE_BYTES ((size_t)1 << 30) /* of a file */

typedef ARRAY(char) svg_bytes;

typedef enum svg_fetched {
    SVG_FETCHED,
    SVG_FETCHED_NOTHING,
    SVG_FETCHED_FORBIDDEN,
    SVG_FETCHED_OUT_OF_MEMORY
} svg_fetched;

typedef struct svg_folder {
    int descriptor; /* -1: it is not there, and nothing is below it */
    char *path;     /* absolute, without links, "" of the root */
} svg_folder;

/* A file below a folder. */
typedef struct svg_folder_file {
    char *path;     /* from the folder, without links: "a/b.svg" */
    int descriptor; /* -1: it is no regular file, too large, or the system refuses it */
} svg_folder_file;

/* False: out of memory. A directory that cannot be opened makes a folder with nothing below it. */
bool svg_folder_open(svg_folder *folder, const char *directory);
void svg_folder_close(svg_folder *folder);

/* Finds what a name means that is absolute, or relative to `from`: a path from the folder, without links, "" or with a
 * slash at its end.
 * FORBIDDEN: it is there, but not below the folder. Where it is FETCHED, the caller closes *file. */
svg_fetched svg_folder_find(const svg_folder *folder, const char *from, const char *name, svg_folder_file *file);
/* Appends the file's bytes, or none: NOTHING. */
svg_fetched svg_folder_read(const svg_folder_file *file, svg_bytes *bytes);
void svg_folder_close_file(svg_folder_file *file);

#endif
