/* Bytes that a reference names: data URLs, and files below a directory. */
#ifndef PIETRA_SVG_XML_RESOURCE_H
#define PIETRA_SVG_XML_RESOURCE_H

#include "base/text.h"
#include "svg/xml/folder.h"

/* Fetches what a reference names. Of a data URL (RFC 2397) the type is not looked at; percent-encoding, blanks within
 * base64 and a missing end of it are forgiven. Other references name files, relative to `from` as svg_folder_find takes
 * it, and only below `folder` (NULL: none are read). Other protocols than file: are never used. */
svg_fetched svg_resource_fetch(text reference, const svg_folder *folder, const char *from, svg_bytes *bytes);

bool svg_resource_is_data(text reference);
/* Finds the file that a reference other than a data URL names. Where it is FETCHED, the caller closes *file. */
svg_fetched svg_resource_find(text reference, const svg_folder *folder, const char *from, svg_folder_file *file);

/* What stands behind the # of a reference, empty where there is none. In a data URL a # that is followed by markup is
 * one of the data's. */
text svg_resource_fragment(text reference);
/* Appends a text with its %XX replaced. False: out of memory. */
bool svg_resource_decode(text source, svg_bytes *bytes);

#endif
