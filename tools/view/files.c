/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _DEFAULT_SOURCE /* for fts */

#include "files.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "render/path.h"
#include "say.h"

static bool add(files *files, const char *path)
{
    char *copy = strdup(path), **place = copy ? array_push(&files->paths) : NULL;

    if (!place) {
        free(copy);
        return false;
    }
    *place = copy;
    return true;
}

/* The order does not depend on the language. */
static int compare_names(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool is_file(const FTSENT *entry)
{
    struct stat target;

    return entry->fts_info == FTS_F ||
           (entry->fts_info == FTS_SL && stat(entry->fts_accpath, &target) == 0 && S_ISREG(target.st_mode));
}

static bool add_below(files *files, FTS *walk)
{
    FTSENT *entry;

    while ((entry = fts_read(walk)))
        if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR)
            say(entry->fts_path, 0, "cannot list: %s", strerror(entry->fts_errno));
        else if (is_file(entry) && path_source_ending(entry->fts_name) && !add(files, entry->fts_path))
            return false;
    return true;
}

bool files_add(files *files, const char *path)
{
    struct stat information;

    if (stat(path, &information) != 0 || !S_ISDIR(information.st_mode))
        return add(files, path);
    char *copy = strdup(path);
    const size_t before = files->paths.count;
    FTS *walk =
        copy ? fts_open((char *[]){copy, NULL}, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, compare_names) : NULL;
    const bool added = walk && add_below(files, walk);
    if (walk)
        fts_close(walk);
    free(copy);
    if (added && files->paths.count == before)
        say(path, 0, "no file below this folder ends in .svg, .svgz or .svg.gz");
    return added;
}

void files_destroy(files *files)
{
    for (size_t i = 0; i < files->paths.count; i++)
        free(files->paths.items[i]);
    array_free(&files->paths);
}
