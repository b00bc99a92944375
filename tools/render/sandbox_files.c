/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* for O_PATH and syscall */

#include "sandbox_files.h"

#include <string.h>
#include <sys/stat.h>

void sandbox_files_make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
}

#if defined(__linux__) && defined(__has_include)
#if __has_include(<linux/landlock.h>)
#define HAVE_LANDLOCK
#endif
#endif

#ifdef HAVE_LANDLOCK

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What older kernel headers lack, as in linux/landlock.h of 6.15. A kernel accepts a larger struct whose rest is 0. */
struct ruleset {
    uint64_t files, network, scopes;
};
#define RIGHT_TRUNCATE ((uint64_t)1 << 14)
#define RIGHT_CONTROL ((uint64_t)1 << 15)
#define ALL_NETWORK ((uint64_t)3)
#define ALL_SCOPES ((uint64_t)3)

#define OF_FILES \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE | RIGHT_TRUNCATE | \
     RIGHT_CONTROL)
#define RIGHTS_1 ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1) /* all rights of the first version */

static uint64_t known_rights(int version)
{
    uint64_t rights = RIGHTS_1;

    rights |= version >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0;
    rights |= version >= 3 ? RIGHT_TRUNCATE : 0;
    rights |= version >= 5 ? RIGHT_CONTROL : 0;
    return rights;
}

const char *sandbox_files_begin(sandbox_files *files)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, LANDLOCK_CREATE_RULESET_VERSION);

    if (version < 1)
        return errno == EOPNOTSUPP ? "Landlock is switched off" : "the kernel has no Landlock";
    files->version = (int)version;
    files->handled = known_rights(files->version);
    struct ruleset ruleset = {
        .files = files->handled, .network = version >= 4 ? ALL_NETWORK : 0, .scopes = version >= 6 ? ALL_SCOPES : 0};
    files->rules = (int)syscall(SYS_landlock_create_ruleset, &ruleset, sizeof ruleset, 0);
    return files->rules < 0 ? "Landlock takes no rules" : NULL;
}

static uint64_t translate(unsigned access)
{
    const uint64_t keep = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_WRITE_FILE |
                          LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                          LANDLOCK_ACCESS_FS_REFER | RIGHT_TRUNCATE;
    uint64_t rights = 0;

    rights |= access & SANDBOX_READ ? LANDLOCK_ACCESS_FS_READ_FILE : 0;
    rights |= access & SANDBOX_LIST ? LANDLOCK_ACCESS_FS_READ_DIR : 0;
    rights |= access & SANDBOX_WRITE ? LANDLOCK_ACCESS_FS_WRITE_FILE : 0;
    rights |= access & SANDBOX_MAKE ? LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE : 0;
    rights |= access & SANDBOX_KEEP ? keep : 0;
    rights |= access & SANDBOX_FOLDERS ? LANDLOCK_ACCESS_FS_MAKE_DIR : 0;
    rights |= access & SANDBOX_CONTROL ? RIGHT_CONTROL : 0;
    return rights;
}

/* A rule that fails, such as one for the end of a pipe, was not needed, or the path will fail to open, and that is
 * reported. */
static bool add_rule(const sandbox_files *files, int path, uint64_t rights)
{
    struct landlock_path_beneath_attr rule = {.parent_fd = path, .allowed_access = rights & files->handled};

    return !rule.allowed_access ||
           syscall(SYS_landlock_add_rule, files->rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

void sandbox_files_allow(const sandbox_files *files, const char *path, unsigned access)
{
    int descriptor = open(path, O_PATH | O_CLOEXEC);
    uint64_t rights = translate(access);

    if (descriptor >= 0) {
        /* Rights that only folders have cannot be given to a file. */
        if (!add_rule(files, descriptor, rights) && errno == EINVAL)
            add_rule(files, descriptor, rights & OF_FILES);
        close(descriptor);
    }
}

void sandbox_files_allow_one(const sandbox_files *files, const char *path, unsigned access)
{
    int descriptor = open(path, O_PATH | O_CLOEXEC);
    struct stat information;

    if (descriptor >= 0) {
        if (fstat(descriptor, &information) == 0) {
            add_rule(files, descriptor,
                     S_ISDIR(information.st_mode) ? LANDLOCK_ACCESS_FS_READ_DIR : translate(access) & OF_FILES);
        }
        close(descriptor);
    }
}

const char *sandbox_files_enforce(sandbox_files *files)
{
    const char *reason = NULL;

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(SYS_landlock_restrict_self, files->rules, 0) != 0)
        reason = errno == E2BIG ? "Landlock is nested too deep" : "Landlock takes no rules";
    close(files->rules);
    return reason;
}

#else

const char *sandbox_files_begin(sandbox_files *files)
{
    (void)files;
    return "this system has no Landlock";
}

void sandbox_files_allow(const sandbox_files *files, const char *path, unsigned access)
{
    (void)files;
    (void)path;
    (void)access;
}

void sandbox_files_allow_one(const sandbox_files *files, const char *path, unsigned access)
{
    sandbox_files_allow(files, path, access);
}

const char *sandbox_files_enforce(sandbox_files *files)
{
    (void)files;
    return "this system has no Landlock";
}

#endif
