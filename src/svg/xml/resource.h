/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The bytes to which a reference leads: data URLs, and files below a directory. */
#ifndef PIETRA_SVG_XML_RESOURCE_H
#define PIETRA_SVG_XML_RESOURCE_H

#include "base/text.h"
#include "svg/xml/folder.h"

/* Fetches the bytes to which a reference leads. The type of a data URL (RFC 2397) is ignored. In a data URL,
 * percent-encoding, blanks within base64 and a missing end of base64 are accepted. Other references name files relative
 * to `from`, as in svg_folder_find. Files are read only below `folder`; if it is NULL, none are. No protocol other than
 * file: is ever used. */
svg_fetched svg_resource_fetch(text reference, const svg_folder *folder, const char *from, svg_bytes *bytes);

bool svg_resource_is_data(text reference);
/* Finds the file of a reference that is not a data URL. If the result is FETCHED, the caller closes *file. */
svg_fetched svg_resource_find(text reference, const svg_folder *folder, const char *from, svg_folder_file *file);

/* Returns the fragment of a reference, which stands behind its #, or an empty text. In a data URL, a # followed by
 * markup belongs to the data. */
text svg_resource_fragment(text reference);
/* Appends a text with each %XX replaced by its byte. Returns false if memory is short. */
bool svg_resource_decode(text source, svg_bytes *bytes);

#endif
