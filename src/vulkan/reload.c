/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vulkan/reload.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

#define PATH_BYTES 1024
#define DEEPEST_INCLUDE 16
#define NAME_BYTES 64
#define DEFINES_BYTES 512

static const char *const folders[] = {"primitive", "stages", "lib", "layout"};

static const char *shader_root(void)
{
    const char *given = getenv("PIETRA_SHADER_DIR");
    return given ? given : PIETRA_SHADER_DIR;
}

/* Returns 0 if there is no such file. */
static uint64_t written_at(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return 0;
    return (uint64_t)status.st_mtim.tv_sec * 1000000000u + (uint64_t)status.st_mtim.tv_nsec;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t reload_stamp(void)
{
    uint64_t stamp = 0;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[PATH_BYTES];
        int length = snprintf(path, sizeof path, "%s/%s", shader_root(), folders[i]);
        DIR *folder = opendir(path);
        for (struct dirent *entry; folder && (entry = readdir(folder));) {
            snprintf(path + length, sizeof path - (size_t)length, "/%s", entry->d_name);
            stamp = later(stamp, written_at(path));
        }
        if (folder)
            closedir(folder);
    }
    return stamp;
}

/* Returns when the process started. Sources written later are compiled anew. */
static uint64_t started_at(void)
{
    static uint64_t start;
    if (start == 0) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        start = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    }
    return start;
}

/* Returns the whole text, followed by a NUL. The caller frees it. Returns NULL if the file cannot be read. */
static char *read_text(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    *length = 0;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        long end = ftell(file);
        text = end >= 0 ? calloc(1, (size_t)end + 1) : NULL;
        rewind(file);
        *length = text ? fread(text, 1, (size_t)end, file) : 0;
    }
    if (file)
        fclose(file);
    return text;
}

/* Looks for an included file beside the file that includes it and then below the root, as glslc does. */
static bool find_include(const char *from, const char *name, char path[PATH_BYTES])
{
    const char *slash = strrchr(from, '/');
    snprintf(path, PATH_BYTES, "%.*s/%s", slash ? (int)(slash - from) : 0, from, name);
    if (written_at(path) != 0)
        return true;
    snprintf(path, PATH_BYTES, "%s/%s", shader_root(), name);
    return written_at(path) != 0;
}

/* Returns when a source, or a file that it includes, was last written. */
static uint64_t newest_of(const char *path, unsigned depth)
{
    static const char word[] = "#include \"";
    uint64_t newest = written_at(path);
    size_t length;
    char *text = read_text(path, &length);
    for (char *at = text; at && depth < DEEPEST_INCLUDE && (at = strstr(at, word));) {
        char included[PATH_BYTES];
        char *name = at + sizeof word - 1, *quote = strchr(name, '"');
        at = quote;
        if (quote) {
            *quote = '\0';
            newest = find_include(path, name, included) ? later(newest, newest_of(included, depth + 1)) : newest;
            at = quote + 1;
        }
    }
    free(text);
    return newest;
}

/* What a kernel is compiled from. */
typedef struct kernel_source {
    char path[PATH_BYTES];
    char defines[DEFINES_BYTES]; /* as options of the compiler */
    uint64_t newest;             /* when the path, or what it includes, was last written; 0: there is no such kernel */
} kernel_source;

/* Turns the rest of a line of variants.def, ", A, B=C)", into options. */
static void take_defines(const char *at, kernel_source *source)
{
    size_t length = 0;
    source->defines[0] = '\0';
    while (*at == ',') {
        size_t name = strcspn(at += 2, ",)");
        int added = snprintf(source->defines + length, sizeof source->defines - length, " '-D%.*s'", (int)name, at);
        length += added > 0 ? (size_t)added : 0;
        at += name;
    }
}

/* Looks for a kernel in variants.def: writes the stem of its source, and the defines. */
static bool find_variant(const char *stem, char source_stem[NAME_BYTES], kernel_source *source)
{
    char path[PATH_BYTES], name[NAME_BYTES];
    size_t length;
    bool found = false;
    snprintf(path, sizeof path, "%s/primitive/variants.def", shader_root());
    char *text = read_text(path, &length);
    for (char *line = text; line && !found; line = strchr(line, '\n')) {
        int end = 0;
        line += *line == '\n';
        if (sscanf(line, "VARIANT(%*[^,], %*[^,], %63[^,], %63[^,)]%n", name, source_stem, &end) == 2 &&
            strcmp(name, stem) == 0) {
            take_defines(line + end, source);
            source->newest = written_at(path);
            found = true;
        }
    }
    free(text);
    return found;
}

static kernel_source find_source(const char *stem)
{
    kernel_source source = {.newest = 0};
    char source_stem[NAME_BYTES];
    if (!find_variant(stem, source_stem, &source))
        snprintf(source_stem, sizeof source_stem, "%s", stem);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(source.path, sizeof source.path, "%s/%s/%s.comp", shader_root(), folders[i], source_stem);
        if (written_at(source.path) != 0) {
            source.newest = later(source.newest, newest_of(source.path, 0));
            break;
        }
    }
    return source;
}

/* Reads the words of the file that the compiler wrote. */
static pietra_result take_words(const char *path, pietra_error *error, uint32_t **words, size_t *word_count)
{
    size_t length;
    char *bytes = read_text(path, &length);
    *words = bytes ? malloc(length) : NULL;
    if (!*words) {
        free(bytes);
        return error_set_memory(error);
    }
    memcpy(*words, bytes, length);
    *word_count = length / sizeof **words;
    free(bytes);
    return PIETRA_OK;
}

/* Compiles with the options of the build. */
static pietra_result compile(const kernel_source *source, const char *output, pietra_error *error)
{
    char command[4 * PATH_BYTES], message[256] = "";
    snprintf(command, sizeof command, "'%s' --target-env=vulkan1.2 -O -I '%s'%s -o '%s' '%s' 2>&1", PIETRA_GLSLC,
             shader_root(), source->defines, output, source->path);
    FILE *compiler = popen(command, "r");
    if (!compiler)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "%s cannot be run", PIETRA_GLSLC);
    size_t length = fread(message, 1, sizeof message - 1, compiler);
    message[length] = '\0';
    message[strcspn(message, "\n")] = '\0';
    if (pclose(compiler) != 0)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "%s", message);
    return PIETRA_OK;
}

pietra_result reload_compile(const char *stem, pietra_error *error, uint32_t **words, size_t *word_count)
{
    uint64_t start = started_at();
    kernel_source source = find_source(stem);
    *words = NULL;
    if (source.newest <= start)
        return PIETRA_OK;
    char output[] = "/tmp/pietra-kernel-XXXXXX";
    int descriptor = mkstemp(output);
    if (descriptor < 0)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "%s cannot be made", output);
    close(descriptor);
    pietra_result result = compile(&source, output, error);
    if (result == PIETRA_OK)
        result = take_words(output, error, words, word_count);
    unlink(output);
    return result;
}
