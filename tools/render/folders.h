/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Folders among the inputs of --output-dir, and the folders that outputs keep of the names of their inputs. */
#ifndef RENDER_FOLDERS_H
#define RENDER_FOLDERS_H

#include "options.h"

/* Puts the sources below each folder among the inputs, in the order of their names, in its place. Links to folders are
 * not followed, links to files are. A folder without sources is an error. Failures are reported. */
status folders_walk(options *options);

/* Sets *kept to the part of an input's name that its output keeps: what follows BASE of --keep-folders or else the
 * folder in which the walk found it, or else its last part. The caller frees it. Failures are reported: no memory, or
 * an input that is not below BASE. */
status folders_keep(const options *options, size_t input, char **kept);

#endif
