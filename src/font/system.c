/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/cache_directory.h"
#include "base/hash.h"

#define NS_PER_SECOND INT64_C(1000000000)
/* What changed so shortly before the list was made may have changed again within the same tick of a file system. */
#define UNSURE_NS (2 * NS_PER_SECOND)

/* Variables that lead fontconfig to its files. */
static const char *const variables[] = {"FONTCONFIG_FILE",
                                        "FONTCONFIG_PATH",
                                        "FONTCONFIG_SYSROOT",
                                        "XDG_CONFIG_HOME",
                                        "XDG_DATA_HOME",
                                        "XDG_DATA_DIRS",
                                        "HOME"};

/* ---- The index's name ---- */

/* Returns the variables in one text; the caller frees it. NULL: out of memory. */
static char *describe_environment(void)
{
    ARRAY(char) text = {0};
    bool whole = array_reserve(&text, 1);
    for (size_t i = 0; i < sizeof variables / sizeof variables[0] && whole; i++) {
        const char *value = getenv(variables[i]);
        const size_t count = strlen(variables[i]) + (value ? strlen(value) : 0) + 2;
        whole = array_reserve(&text, count + 1);
        if (whole)
            text.count += (size_t)sprintf(text.items + text.count, "%s%s%s\n", variables[i], value ? "=" : "",
                                          value ? value : "");
    }
    if (whole) {
        text.items[text.count] = '\0';
        return text.items;
    }
    array_free(&text);
    return NULL;
}

const char *system_want(font_system *system, const char *cache_directory)
{
    char *folder;
    bool whole = cache_directory_find(cache_directory, &folder);
    char *environment = whole ? describe_environment() : NULL;
    if (environment && folder && !system->index_path) {
        const size_t bytes = strlen(folder) + sizeof "/fonts-0123456789abcdef.index";
        system->index_path = malloc(bytes);
        if (system->index_path)
            snprintf(system->index_path, bytes, "%s/fonts-%016llx.index", folder,
                     (unsigned long long)hash_checksum(environment, strlen(environment)));
    }
    whole = environment && (!folder || system->index_path);
    free(environment);
    free(folder);
    if (!whole)
        return font_out_of_memory;
    system->wanted = true;
    return NULL;
}

/* ---- What the list depends on ---- */

static int64_t find_change(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return INSTALLED_ABSENT;
    return (int64_t)status.st_mtim.tv_sec * NS_PER_SECOND + status.st_mtim.tv_nsec;
}

static bool is_current(const installed_fonts *installed, const char *environment)
{
    if (strcmp(installed->environment, environment) != 0)
        return false;
    for (size_t i = 0; i < installed->watched.count; i++)
        if (find_change(installed->watched.items[i].path) != installed->watched.items[i].changed_ns)
            return false;
    return true;
}

/* Places where the user may put a configuration or fonts later, below a variable's folder. */
static bool watch_below(installed_fonts *installed, const char *variable, const char *name)
{
    const char *folder = getenv(variable);
    if (!folder)
        return true;
    const size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = arena_alloc(&installed->memory, bytes, 1);
    watched_path *watched = path ? array_push(&installed->watched) : NULL;
    if (!watched)
        return false;
    snprintf(path, bytes, "%s/%s", folder, name);
    *watched = (watched_path){.path = path};
    return true;
}

static bool watch_homes(installed_fonts *installed)
{
    static const char *const places[][2] = {
        {"HOME", ".config/fontconfig/fonts.conf"},
        {"HOME", ".config/fontconfig/conf.d"},
        {"HOME", ".fonts.conf"},
        {"HOME", ".fonts.conf.d"},
        {"HOME", ".fontconfig"},
        {"HOME", ".fonts"},
        {"HOME", ".local/share/fonts"},
        {"XDG_CONFIG_HOME", "fontconfig/fonts.conf"},
        {"XDG_DATA_HOME", "fonts"},
        {"XDG_CONFIG_HOME", "fontconfig/conf.d"},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (!watch_below(installed, places[i][0], places[i][1]))
            return false;
    return true;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const watched_path *)a)->path, ((const watched_path *)b)->path);
}

/* Notes when each path changed, once for each. */
static void note_changes(installed_fonts *installed, int64_t started_ns)
{
    watched_path *watched = installed->watched.items;
    size_t kept = 0;
    if (installed->watched.count > 0)
        qsort(watched, installed->watched.count, sizeof *watched, compare_paths);
    for (size_t i = 0; i < installed->watched.count; i++) {
        if (kept > 0 && strcmp(watched[kept - 1].path, watched[i].path) == 0)
            continue;
        const int64_t change = find_change(watched[i].path);
        watched[kept++] = (watched_path){.path = watched[i].path,
                                         .changed_ns = change > started_ns - UNSURE_NS ? INSTALLED_UNSURE : change};
    }
    installed->watched.count = kept;
}

/* ---- The list ---- */

static const char *open_fontconfig(font_system *system)
{
    return system->config ? NULL : fontconfig_open(&system->config);
}

static const char *make_list(font_system *system, const char *environment)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const char *wrong = open_fontconfig(system);
    if (!wrong)
        wrong = fontconfig_list(system->config, &system->installed);
    system->installed.environment = arena_copy(&system->installed.memory, environment, strlen(environment));
    if (!wrong && (!system->installed.environment || !watch_homes(&system->installed)))
        wrong = font_out_of_memory;
    if (wrong)
        return wrong;
    note_changes(&system->installed, (int64_t)now.tv_sec * NS_PER_SECOND + now.tv_nsec);
    system->changed = true;
    return NULL;
}

static const char *find_list(font_system *system)
{
    const char *wrong = NULL;
    char *environment = describe_environment();
    if (!environment)
        return font_out_of_memory;
    if (!system->index_path || !index_read(system->index_path, &system->installed) ||
        !is_current(&system->installed, environment)) {
        installed_free(&system->installed);
        wrong = make_list(system, environment);
    }
    free(environment);
    if (wrong)
        installed_free(&system->installed);
    return wrong;
}

static const char *add_faces(font_system *system, font_database *database)
{
    const installed_fonts *installed = &system->installed;
    system->first_face = (uint32_t)database->faces.count;
    for (size_t i = 0; i < installed->faces.count; i++) {
        const installed_face *from = &installed->faces.items[i];
        const database_face face = {
            .traits = from->traits,
            .families = from->families,
            .families_bytes = from->families[0] ? from->families_bytes : 0,
            .path = from->path,
            .index = from->index,
            .from_system = true,
            .rough = from->traits.variable,
            .characters_known = true,
            .characters = installed->character_sets.items[from->characters],
        };
        if (database_add(database, &face) == DATABASE_NONE)
            return font_out_of_memory;
    }
    return NULL;
}

/* Makes as if nothing had been listed. Faces that were added stay in their families, but nothing asks them. */
static void take_back(font_system *system, font_database *database)
{
    for (size_t i = system->first_face; system->listed && i < database->faces.count; i++)
        database->faces.items[i].bad = true;
    installed_free(&system->installed);
    system->listed = system->changed = false;
}

const char *system_list(font_system *system, font_database *database)
{
    if (!system->wanted || system->listed)
        return NULL;
    const char *wrong = find_list(system);
    system->listed = !wrong;
    if (!wrong)
        wrong = add_faces(system, database);
    if (wrong)
        take_back(system, database);
    if (wrong && wrong != font_out_of_memory)
        system->wanted = false;
    return wrong;
}

/* ---- Questions ---- */

const char *const font_generic_names[INSTALLED_GENERICS] = {"serif", "sans-serif", "cursive", "fantasy", "monospace"};

const char *system_find_generic(font_system *system, uint32_t generic, const char **family)
{
    const char *wrong = NULL;
    if (!system->installed.generics[generic]) {
        wrong = open_fontconfig(system);
        if (!wrong)
            wrong = fontconfig_find_generic(system->config, font_generic_names[generic], &system->installed,
                                            &system->installed.generics[generic]);
        system->changed |= !wrong;
    }
    *family = system->installed.generics[generic];
    return wrong;
}

/* Finds the language that decides forms. Han characters have forms by language, and subtags of script stand for
 * regions. Others give "". */
static const char *find_language(const char *language)
{
    static const char *const languages[][2] = {
        {"ja", "ja"},         {"ko", "ko"},         {"zh-hant-hk", "zh-hk"}, {"zh-hant-mo", "zh-mo"},
        {"zh-hant", "zh-tw"}, {"zh-hans", "zh-cn"}, {"zh-hk", "zh-hk"},      {"zh-mo", "zh-mo"},
        {"zh-tw", "zh-tw"},   {"zh-sg", "zh-sg"},   {"zh", "zh-cn"},
    };
    for (size_t i = 0; language && i < sizeof languages / sizeof languages[0]; i++) {
        const text prefix = text_of_string(languages[i][0]), whole = text_of_string(language);
        const text head = {whole.bytes, whole.count < prefix.count ? whole.count : prefix.count};
        if (text_equal_ignoring_case(head, prefix) && (whole.count == prefix.count || whole.bytes[prefix.count] == '-'))
            return languages[i][1];
    }
    return "";
}

const char *system_find_order(font_system *system, const char *language, const installed_order **order)
{
    const char *wanted = find_language(language);
    for (size_t i = 0; i < system->installed.orders.count; i++) {
        *order = &system->installed.orders.items[i];
        if (strcmp((*order)->language, wanted) == 0)
            return NULL;
    }
    const char *wrong = open_fontconfig(system);
    if (!wrong)
        wrong = fontconfig_find_order(system->config, wanted, &system->installed);
    if (wrong)
        return wrong;
    system->changed = true;
    *order = array_last(&system->installed.orders);
    return NULL;
}

void system_free(font_system *system)
{
    if (system->changed && system->index_path)
        index_write(system->index_path, &system->installed);
    fontconfig_close(system->config);
    installed_free(&system->installed);
    free(system->index_path);
}
