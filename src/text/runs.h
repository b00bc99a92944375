/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where the script of a text changes. Text is in UTF-16. */
#ifndef PIETRA_TEXT_RUNS_H
#define PIETRA_TEXT_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "font/harfbuzz.h"

/* Gives the script of each unit (UAX 24). Characters that all scripts share, such as blanks and digits, take that of
 * what is before them, and at the beginning that of what follows. */
void runs_find_scripts(const harfbuzz_functions *harfbuzz, const uint16_t *units, size_t count, const uint8_t *levels,
                       hb_script_t *scripts);

/* Finds where too many marks have followed one another, where a cluster has joined too many other characters, and where
 * too many letters stand on one another: ends[i] is set to 1 if a run must end before unit i, else to 0. `starts` says
 * where clusters begin. */
void runs_limit_clusters(const harfbuzz_functions *harfbuzz, const uint16_t *units, size_t count, const uint8_t *starts,
                         uint8_t *ends);

/* Returns whether letters of a script are joined, so that no space stands between them (CSS Text 3, 8.2.1). */
bool runs_are_joined(hb_script_t script);

#endif
