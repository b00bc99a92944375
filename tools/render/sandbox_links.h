/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Links in folders of fonts, which may lead out of them. */
#ifndef RENDER_SANDBOX_LINKS_H
#define RENDER_SANDBOX_LINKS_H

#include "sandbox_files.h"

/* Allows reading what links in a folder, and in all folders below, lead to: files, and folders with all below. Links in
 * these are followed as well. Only names and kinds of entries are looked at. */
void sandbox_links_allow(const sandbox_files *files, const char *folder);

#endif
