/* Bytes that a reference names: data URLs, and files below a directory. */
#ifndef PIETRA_SVG_RESOURCE_H
#define PIETRA_SVG_RESOURCE_H

#include "base/array.h"
#include "base/text.h"

typedef ARRAY(char) svg_bytes;

typedef enum svg_fetched { SVG_FETCHED, SVG_FETCHED_NOTHING, SVG_FETCHED_FORBIDDEN, SVG_FETCHED_OUT_OF_MEMORY } svg_fetched;

/* Fetches what a reference names. Of a data URL (RFC 2397) the type is not looked at; percent-encoding, blanks within base64 and a missing
 * end of it are forgiven. Other references name files, relative to `folder`, and only below `directory` (NULL: none are read): neither
 * .. nor a link leads out. Other protocols than file: are never used. */
svg_fetched svg_resource_fetch(text reference, const char *directory, const char *folder, svg_bytes *bytes);

bool svg_resource_is_data(text reference);
/* Finds the file that a reference other than a data URL names: *path, without links, is the caller's to free if that is allowed and it may
 * be there. */
svg_fetched svg_resource_locate(text reference, const char *directory, const char *folder, char **path);
/* Reads a file, up to a gigabyte. */
svg_fetched svg_resource_read(const char *path, svg_bytes *bytes);

/* What stands behind the # of a reference, empty where there is none. In a data URL a # that is followed by markup is one of the data's. */
text svg_resource_fragment(text reference);
/* Appends a text with its %XX replaced. False: out of memory. */
bool svg_resource_decode(text source, svg_bytes *bytes);

#endif
