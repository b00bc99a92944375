/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The files of --export-ids, whose names are known only when documents have been read. */
#ifndef RENDER_CLAIMS_H
#define RENDER_CLAIMS_H

#include "report.h"

/* Claims a path for one picture. That the path was claimed before is reported: a pattern such as {stem}{id} may give
 * one name to two elements. Any thread. */
status claims_add(const char *input, const char *path);
void claims_destroy(void);

#endif
