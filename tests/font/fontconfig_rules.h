/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A system's fonts for a test: fontconfig is led to a folder alone. */
#ifndef TESTS_FONT_FONTCONFIG_RULES_H
#define TESTS_FONT_FONTCONFIG_RULES_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Has fontconfig find the fonts of root/fonts alone, by root/config/fonts.conf, to which `rules` are added. The home is
 * root. Returns false if the file cannot be written. */
static inline bool lead_fontconfig(const char *root, const char *rules)
{
    char path[200];
    snprintf(path, sizeof path, "%s/config/fonts.conf", root);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file,
            "<?xml version='1.0'?><!DOCTYPE fontconfig SYSTEM 'fonts.dtd'><fontconfig><dir>%s/fonts</dir>"
            "<cachedir>%s/fontconfig</cachedir>%s</fontconfig>",
            root, root, rules);
    fclose(file);
    setenv("FONTCONFIG_FILE", path, 1);
    setenv("HOME", root, 1);
    return true;
}

#endif
