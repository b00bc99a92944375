/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* fontconfig, which knows what fonts are installed. It is opened at run time, and only when the index does not have the
 * answer. One thread at a time for each configuration. */
#ifndef PIETRA_FONT_FONTCONFIG_H
#define PIETRA_FONT_FONTCONFIG_H

#include "font/installed.h"

typedef struct fontconfig fontconfig;

/* Reads the configuration of the system. NULL, or why that failed. */
const char *fontconfig_open(fontconfig **config);
void fontconfig_close(fontconfig *config);

/* Lists all faces that can be scaled, with their characters, and adds the files and folders on which the list depends.
 * NULL, or why that failed. */
const char *fontconfig_list(fontconfig *config, installed_fonts *installed);
/* Finds the family for a generic name, "serif", in the list's memory. NULL, or why that failed. */
const char *fontconfig_find_generic(fontconfig *config, const char *generic, installed_fonts *installed,
                                    const char **family);
/* Finds the order of faces for a language, and adds it to the list. NULL, or why that failed. */
const char *fontconfig_find_order(fontconfig *config, const char *language, installed_fonts *installed);

#endif
