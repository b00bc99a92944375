/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "sandbox_fonts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox_links.h"

#define MOST_BYTES ((size_t)1 << 16) /* bytes of a configuration that are looked at */

/* Where links in a folder lead may be read, too. That takes a walk through its names, some 0.2 ms for a thousand. */
#define FOLLOWED (1u << 31)
#define FONTS (SANDBOX_READ | SANDBOX_LIST | FOLLOWED)

/* Where fontconfig looks by itself. */
static const struct {
    const char *path;
    unsigned access;
} places[] = {
    {"/etc/fonts", SANDBOX_READ | SANDBOX_LIST},
    {"/usr/share/fontconfig", SANDBOX_READ | SANDBOX_LIST},
    {"/usr/share/fonts", FONTS},
    {"/usr/local/share/fonts", FONTS},
    {"/usr/share/xml/fontconfig", SANDBOX_READ},
    {"/var/cache/fontconfig", SANDBOX_READ | SANDBOX_LIST},
};

static const struct variable_place {
    const char *variable;
    const char *below;
    unsigned access;
} variable_places[] = {
    {"FONTCONFIG_FILE", "", SANDBOX_READ},
    {"FONTCONFIG_PATH", "", SANDBOX_READ | SANDBOX_LIST},
    {"XDG_CONFIG_HOME", "/fontconfig", SANDBOX_READ | SANDBOX_LIST},
    {"XDG_DATA_HOME", "/fonts", FONTS},
    {"XDG_CACHE_HOME", "/fontconfig", SANDBOX_READ | SANDBOX_LIST},
    {"HOME", "/.config/fontconfig", SANDBOX_READ | SANDBOX_LIST},
    {"HOME", "/.local/share/fonts", FONTS},
    {"HOME", "/.cache/fontconfig", SANDBOX_READ | SANDBOX_LIST},
    {"HOME", "/.fonts", FONTS},
    {"HOME", "/.fonts.conf", SANDBOX_READ},
};

typedef struct font_rules {
    const sandbox_files *files;
    bool follows; /* links are followed */
} font_rules;

static void allow_place(const font_rules *rules, const char *path, unsigned access)
{
    sandbox_files_allow(rules->files, path, access & ~FOLLOWED);
    if (access & FOLLOWED && rules->follows)
        sandbox_links_allow(rules->files, path);
}

/* Allows what an element of the configuration names, if that is a path without a prefix. */
static void allow_element(const font_rules *rules, const char *value)
{
    const char *home = getenv("HOME"), *end = strchr(value, '<');
    bool in_home = value[0] == '~' && value[1] == '/' && home;
    char path[PATH_MAX];

    if (end && (in_home || value[0] == '/') &&
        snprintf(path, sizeof path, "%s%.*s", in_home ? home : "", (int)(end - value) - in_home, value + in_home) <
            (int)sizeof path)
        allow_place(rules, path, FONTS);
}

/* Allows the folders that a file of FONTCONFIG_FILE names. What it includes is not looked at. */
static void allow_configured(const font_rules *rules, const char *configuration)
{
    static const char *const elements[] = {"<dir>", "<cachedir>"};
    char *bytes = malloc(MOST_BYTES + 1);
    FILE *file = bytes ? fopen(configuration, "re") : NULL;

    if (file) {
        bytes[fread(bytes, 1, MOST_BYTES, file)] = '\0';
        fclose(file);
        for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
            for (const char *at = strstr(bytes, elements[i]); at; at = strstr(at + 1, elements[i]))
                allow_element(rules, at + strlen(elements[i]));
    }
    free(bytes);
}

/* The index is written when the fonts are no longer needed, which is too late for a rule. */
static void allow_index(const sandbox_files *files)
{
    const char *cache_home = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool has_cache_home = cache_home && cache_home[0] == '/';
    const char *root = has_cache_home ? cache_home : home;
    char path[PATH_MAX];

    if (!root || root[0] != '/' ||
        snprintf(path, sizeof path, "%s%s", root, has_cache_home ? "/pietra" : "/.cache/pietra") >= (int)sizeof path)
        return;
    sandbox_files_make_folders(path);
    sandbox_files_allow(files, path, SANDBOX_KEEP);
}

static void allow_system_fonts(const font_rules *rules)
{
    const char *configuration = getenv("FONTCONFIG_FILE");

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        allow_place(rules, places[i].path, places[i].access);
    if (configuration && *configuration)
        allow_configured(rules, configuration);
    for (size_t i = 0; i < sizeof variable_places / sizeof variable_places[0]; i++) {
        const struct variable_place *place = &variable_places[i];
        const char *root = getenv(place->variable);
        char path[PATH_MAX];
        if (root && *root && snprintf(path, sizeof path, "%s%s", root, place->below) < (int)sizeof path)
            allow_place(rules, path, place->access);
    }
    allow_index(rules->files);
}

void sandbox_fonts_allow(const sandbox_files *files, const options *options, bool shows_text)
{
    const font_rules rules = {files, shows_text};

    for (size_t i = 0; i < options->font_place_count; i++) {
        const font_place *place = &options->font_places[i];
        if (place->folder)
            allow_place(&rules, place->path, FONTS);
        else
            sandbox_files_allow_one(files, place->path, SANDBOX_READ);
    }
    if (shows_text && !options->skip_system_fonts)
        allow_system_fonts(&rules);
}
