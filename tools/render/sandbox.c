/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* for realpath */

#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path.h"
#include "sandbox_calls.h"
#include "sandbox_files.h"
#include "sandbox_fonts.h"
#include "sandbox_libraries.h"
#include "sandbox_plain.h"
#include "sources.h"

/* For messages only. */
static struct held {
    bool files, gpu;
} held;

typedef struct place {
    const char *path;
    unsigned access;
} place;

/* What the C library reads while it runs, and files that give the size of memory. */
static const place places[] = {
    {"/proc/self", SANDBOX_READ},
    {"/proc/meminfo", SANDBOX_READ},
    {"/sys/fs/cgroup", SANDBOX_READ},
};

/* What the loader and libraries read. */
static const place library_places[] = {
    {"/etc/ld.so.cache", SANDBOX_READ},
    {"/sys/devices/system/cpu", SANDBOX_READ | SANDBOX_LIST},
};

/* What drivers use after they have started. The names of NVIDIA's devices contain numbers. */
#define DEVICE (SANDBOX_READ | SANDBOX_WRITE | SANDBOX_CONTROL)
static const place gpu_places[] = {
    {"/dev/null", SANDBOX_READ | SANDBOX_WRITE},
    {"/dev/urandom", SANDBOX_READ},
    {"/dev/dri", DEVICE | SANDBOX_LIST},
    {"/dev/kfd", DEVICE},
    {"/dev/dxg", DEVICE},
    {"/dev/udmabuf", DEVICE},
    {"/dev/nvidia-caps", DEVICE},
    {"/proc/driver/nvidia", SANDBOX_READ | SANDBOX_LIST},
    {"/proc/devices", SANDBOX_READ},
    {"/proc/modules", SANDBOX_READ},
    {"/proc/cpuinfo", SANDBOX_READ},
    {"/sys", SANDBOX_READ | SANDBOX_LIST},
    {"/usr/share", SANDBOX_READ | SANDBOX_LIST},
};

/* Caches of compiled kernels, ours and those of drivers. A variable names the cache itself, or a folder above it. */
static const struct cache {
    const char *variable;
    const char *below;
} gpu_caches[] = {
    {"MESA_SHADER_CACHE_DIR", ""},
    {"MESA_GLSL_CACHE_DIR", ""},
    {"__GL_SHADER_DISK_CACHE_PATH", ""},
    {"XDG_CACHE_HOME", "/pietra"},
    {"XDG_CACHE_HOME", "/mesa_shader_cache"},
    {"XDG_CACHE_HOME", "/mesa_shader_cache_db"},
    {"XDG_CACHE_HOME", "/mesa_shader_cache_sf"},
    {"XDG_CACHE_HOME", "/nvidia"},
    {"HOME", "/.cache/pietra"},
    {"HOME", "/.cache/mesa_shader_cache"},
    {"HOME", "/.cache/mesa_shader_cache_db"},
    {"HOME", "/.cache/mesa_shader_cache_sf"},
    {"HOME", "/.cache/nvidia"},
    {"HOME", "/.nv"},
};

static void allow_places(const sandbox_files *files, const place *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sandbox_files_allow(files, list[i].path, list[i].access);
}

/* ---- What is read ---- */

/* Gives the folder part of a path, with its slash, or ".". False: it is too long for any call. */
static bool take_folder(char folder[PATH_MAX], const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 1;

    if (length >= PATH_MAX)
        return false;
    memcpy(folder, slash ? path : ".", length);
    folder[length] = '\0';
    return true;
}

/* Without memory for its path an input is not allowed. Reading it then fails, and that is reported. */
static void allow_input(const sandbox_files *files, const char *input)
{
    const char *fragment;
    char *path = source_path(input, &fragment);

    if (path && strcmp(path, "-") != 0)
        sandbox_files_allow_one(files, path, SANDBOX_READ);
    free(path);
}

/* Allows the folders of resources. Mostly many inputs share one. */
static void allow_folders(const sandbox_files *files, const options *options)
{
    char folder[PATH_MAX], last[PATH_MAX] = "";

    for (size_t i = 0; i < options->input_count; i++) {
        const char *fragment;
        char *path = source_path(options->inputs[i], &fragment);
        if (path && take_folder(folder, path) && strcmp(folder, last) != 0) {
            sandbox_files_allow(files, folder, SANDBOX_READ | SANDBOX_LIST);
            strcpy(last, folder);
        }
        free(path);
    }
}

static void allow_inputs(const sandbox_files *files, const options *options, const sandbox_needs *needs)
{
    for (size_t i = 0; i < needs->input_count; i++)
        allow_input(files, needs->inputs[i]);
    if (options->allow_external && !options->resources_dir)
        allow_folders(files, options);
    if (options->stylesheet && strcmp(options->stylesheet, "-") != 0)
        sandbox_files_allow_one(files, options->stylesheet, SANDBOX_READ);
    if (options->allow_external && options->resources_dir)
        sandbox_files_allow(files, options->resources_dir, SANDBOX_READ | SANDBOX_LIST);
}

/* Such a file is read whatever the document shows, and may be packed. */
static bool names_font_file(const options *options)
{
    for (size_t i = 0; i < options->font_place_count; i++)
        if (!options->font_places[i].folder)
            return true;
    return false;
}

/* Returns whether all that is read is one document without text and images, which asks for no font and no library. */
static bool reads_plain_input(const options *options, const sandbox_needs *needs)
{
    return !options->output_dir && needs->input_count == 1 && !options->allow_external && !options->stylesheet &&
           !names_font_file(options) && sandbox_input_is_plain(needs->inputs[0]);
}

static void allow_library(void *user, const char *path)
{
    sandbox_files_allow(user, path, SANDBOX_READ);
}

static void allow_libraries(sandbox_files *files)
{
    allow_places(files, library_places, sizeof library_places / sizeof library_places[0]);
    sandbox_libraries_find(allow_library, files);
}

/* ---- What is written ---- */

/* Allows what file_output_open needs: it replaces an existing file where links lead, and writes to it directly if it is
 * not regular. */
static void allow_output(const sandbox_files *files, const char *path)
{
    char target[PATH_MAX], folder[PATH_MAX];
    struct stat information;
    bool linked, exists = path_look(path, &information, &linked);
    const char *written = exists && linked ? realpath(path, target) : path;

    if (strcmp(path, "-") == 0)
        return;
    if (exists && !S_ISREG(information.st_mode))
        sandbox_files_allow_one(files, path, SANDBOX_WRITE);
    else if (written && take_folder(folder, written))
        sandbox_files_allow(files, folder, SANDBOX_WRITE | SANDBOX_MAKE);
}

/* ---- GPUs ---- */

static void allow_nvidia(const sandbox_files *files)
{
    DIR *stream = opendir("/dev");
    struct dirent *entry;

    while (stream && (entry = readdir(stream))) {
        char path[sizeof "/dev/" + sizeof entry->d_name];
        if (strncmp(entry->d_name, "nvidia", strlen("nvidia")) == 0) {
            snprintf(path, sizeof path, "/dev/%s", entry->d_name);
            sandbox_files_allow(files, path, DEVICE);
        }
    }
    if (stream)
        closedir(stream);
}

static void allow_caches(const sandbox_files *files)
{
    const char *cache_home = getenv("XDG_CACHE_HOME");
    bool has_cache_home = cache_home && cache_home[0] == '/';

    for (size_t i = 0; i < sizeof gpu_caches / sizeof gpu_caches[0]; i++) {
        const struct cache *cache = &gpu_caches[i];
        const char *root = getenv(cache->variable);
        char path[PATH_MAX];
        if (!root || root[0] != '/' || snprintf(path, sizeof path, "%s%s", root, cache->below) >= (int)sizeof path)
            continue;
        /* Our own cache is made when a device closes, which is too late for a rule. */
        if (strcmp(cache->below, has_cache_home ? "/pietra" : "/.cache/pietra") == 0)
            sandbox_files_make_folders(path);
        sandbox_files_allow(files, path, SANDBOX_KEEP);
    }
}

/* ---- All ---- */

static void say(const options *options, const char *what, const char *reason)
{
    if (reason && options->verbose)
        report(STATUS_DRAWN, NULL, 0, "%s: %s", what, reason);
}

static const char *hold_files(const options *options, const sandbox_needs *needs)
{
    sandbox_files files;
    const char *reason = sandbox_files_begin(&files);

    if (reason)
        return reason;
    const bool plain = reads_plain_input(options, needs);
    allow_places(&files, places, sizeof places / sizeof places[0]);
    if (!plain || needs->gpu)
        allow_libraries(&files);
    if (needs->gpu) {
        allow_places(&files, gpu_places, sizeof gpu_places / sizeof gpu_places[0]);
        allow_nvidia(&files);
        allow_caches(&files);
    }
    allow_inputs(&files, options, needs);
    sandbox_fonts_allow(&files, options, !plain);
    for (size_t i = 0; i < needs->output_count; i++)
        allow_output(&files, needs->outputs[i]);
    if (options->output_dir)
        sandbox_files_allow(&files, options->output_dir, SANDBOX_WRITE | SANDBOX_MAKE);
    if (options->tiles)
        sandbox_files_allow(&files, options->tiles, SANDBOX_WRITE | SANDBOX_MAKE | SANDBOX_FOLDERS);
    return sandbox_files_enforce(&files);
}

void sandbox_enter(const options *options, const sandbox_needs *needs)
{
    if (options->no_sandbox)
        return;
#ifdef SANDBOX_LEFT_OUT
    say(options, "there is no sandbox", SANDBOX_LEFT_OUT);
    return;
#endif
    const char *files = hold_files(options, needs), *calls = sandbox_calls_enforce();

    say(options, "files are not held back", files);
    say(options, "system calls are not held back", calls);
    held = (struct held){.files = !files, .gpu = needs->gpu && (!files || !calls)};
}

bool sandbox_explains(const char *path, int error, bool writing)
{
    char target[PATH_MAX], folder[PATH_MAX];

    if (!held.files || !path || strcmp(path, "-") == 0 || (error != EACCES && error != EPERM && error != EXDEV))
        return false;
    if (!writing)
        return access(path, R_OK) == 0;
    if (access(path, W_OK) != 0 && errno != ENOENT)
        return false;
    return take_folder(folder, realpath(path, target) ? target : path) && access(folder, W_OK | X_OK) == 0;
}

bool sandbox_holds_gpu(void)
{
    return held.gpu;
}
