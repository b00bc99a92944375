/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* for O_TMPFILE */

#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NAME_START ".render-"
#define NAME_ROOM 64u /* room for the name and what makes it unique */
#define NAME_TRIES 100u

/* What the signal handler removes. While a slot is being made, its file may or may not exist, so the handler waits. */
enum slot_state { SLOT_FREE, SLOT_MAKING, SLOT_MADE };
static struct slot {
    _Atomic int state; /* slot_state */
    char path[PATH_MAX + NAME_ROOM];
} slots[TEMPORARY_MOST_NAMES];
static _Atomic bool dying; /* a signal is about to end the process: nothing may be made any more */
static atomic_uint names_made;
/* How files without a name are opened, if they can be linked at all. */
static _Atomic int way;
enum way { WAY_READABLE, WAY_WRITE_ONLY, WAY_NONE };

/* All signals that end a process and are not caused by its own faults. */
static const int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU};
#define HANDLED_COUNT (sizeof handled / sizeof handled[0])

static void fill_handled(sigset_t *signals)
{
    sigemptyset(signals);
    for (size_t i = 0; i < HANDLED_COUNT; i++)
        sigaddset(signals, handled[i]);
}

/* Blocks signals, so that the handler never runs on a thread that is making a name. */
static sigset_t block_signals(void)
{
    sigset_t signals, before;

    fill_handled(&signals);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    return before;
}

/* Holds a thread that must not continue while the process ends. */
static void wait_for_death(void)
{
    while (atomic_load(&dying))
        pause();
}

/* Keeps errno. */
static void unblock_signals(const sigset_t *before)
{
    int error = errno;

    wait_for_death();
    pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = error;
}

/* Returns the length of a path's folder, with the slash. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Takes a slot, in the state of being made, for a file in the folder of `target`. Its path ends behind NAME_START.
 * NULL: errno says why. */
static struct slot *take_slot(const char *target)
{
    size_t folder = folder_length(target);

    if (folder > PATH_MAX) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    for (size_t i = 0; i < TEMPORARY_MOST_NAMES; i++) {
        int expected = SLOT_FREE;
        if (atomic_compare_exchange_strong(&slots[i].state, &expected, SLOT_MAKING)) {
            memcpy(slots[i].path, target, folder);
            memcpy(slots[i].path + folder, NAME_START, sizeof NAME_START);
            return &slots[i];
        }
    }
    errno = EMFILE;
    return NULL;
}

static void set_mode(const temporary *file, mode_t mode)
{
    /* It is no failure if a file system has no modes. */
    if (fchmod(file->descriptor, mode) != 0)
        errno = 0;
}

/* ---- With a name from the start ---- */

/* Gives the slot the next of the names that belong to this process. */
static void name_slot(struct slot *slot, size_t length)
{
    snprintf(slot->path + length, NAME_ROOM - sizeof NAME_START, "%ld-%u", (long)getpid(),
             atomic_fetch_add(&names_made, 1));
}

static bool open_named(temporary *file, const char *target)
{
    sigset_t before = block_signals();
    struct slot *slot = take_slot(target);

    *file = (temporary){.descriptor = -1};
    if (slot) {
        size_t length = strlen(slot->path);
        for (unsigned i = 0;
             i < NAME_TRIES && file->descriptor < 0 && !atomic_load(&dying) && (i == 0 || errno == EEXIST); i++) {
            name_slot(slot, length);
            file->descriptor = open(slot->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        }
        file->slot = file->descriptor < 0 ? NULL : slot;
        atomic_store(&slot->state, file->descriptor < 0 ? SLOT_FREE : SLOT_MADE);
    }
    unblock_signals(&before);
    return file->descriptor >= 0;
}

static bool rename_named(temporary *file, const char *target)
{
    bool renamed = rename(file->slot->path, target) == 0;
    int error = errno;

    wait_for_death(); /* the handler may have removed it first */
    if (renamed) {
        atomic_store(&file->slot->state, SLOT_FREE);
        file->slot = NULL;
    }
    errno = error;
    return renamed;
}

/* ---- Without a name ---- */

static bool open_unnamed(temporary *file, const char *target)
{
    char folder[PATH_MAX + 1] = ".";
    size_t length = folder_length(target);
    int chosen = atomic_load(&way);

    if (length > PATH_MAX || chosen == WAY_NONE)
        return false;
    if (length > 0) {
        memcpy(folder, target, length);
        folder[length] = '\0';
    }
    *file = (temporary){.descriptor =
                            open(folder, O_TMPFILE | (chosen == WAY_READABLE ? O_RDWR : O_WRONLY) | O_CLOEXEC, 0600)};
    return file->descriptor >= 0;
}

/* Not every process may link a descriptor. Where it may not, and where there is a /proc, that has a path to it. */
static bool link_unnamed(const temporary *file, const char *path)
{
    char itself[32];

    if (linkat(file->descriptor, "", AT_FDCWD, path, AT_EMPTY_PATH) == 0)
        return true;
    if (errno != ENOENT)
        return false;
    snprintf(itself, sizeof itself, "/proc/self/fd/%d", file->descriptor);
    return linkat(AT_FDCWD, itself, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

/* A link does not replace an existing file, so the file is linked to a temporary name and renamed. */
static bool link_over(const temporary *file, const char *target)
{
    sigset_t before = block_signals();
    struct slot *slot = take_slot(target);
    bool linked = false, renamed = false;

    if (slot) {
        size_t length = strlen(slot->path);
        for (unsigned i = 0; i < NAME_TRIES && !linked && !atomic_load(&dying) && (i == 0 || errno == EEXIST); i++) {
            name_slot(slot, length);
            linked = link_unnamed(file, slot->path);
        }
        renamed = linked && rename(slot->path, target) == 0;
        if (linked && !renamed)
            unlink(slot->path);
        atomic_store(&slot->state, SLOT_FREE);
    }
    unblock_signals(&before);
    return renamed;
}

/* Moves the content to a file with a name. False: errno says why; temporary_abandon removes what was begun. */
static bool copy_to_named(temporary *file, const char *target)
{
    temporary named;
    struct stat information;
    off_t at = 0;

    if (fstat(file->descriptor, &information) != 0 || !open_named(&named, target))
        return false;
    bool good = true;
    set_mode(&named, information.st_mode & 0777);
    while (good && at < information.st_size) {
        ssize_t count = sendfile(named.descriptor, file->descriptor, &at, (size_t)(information.st_size - at));
        good = count > 0 || (count < 0 && errno == EINTR);
    }
    int error = errno;
    close(file->descriptor);
    *file = named;
    errno = error;
    return good;
}

/* Some file systems report a full disk only when a descriptor is closed. The file itself must stay open until it has a
 * name. */
static bool settle(const temporary *file)
{
    int copy = dup(file->descriptor);

    return copy >= 0 && close(copy) == 0;
}

/* Finds whether a file without a name can get one in the folder of `target`. */
static enum way try_links(const temporary *file, const char *target)
{
    sigset_t before = block_signals();
    struct slot *slot = take_slot(target);
    enum way found = WAY_NONE;

    if (slot) {
        name_slot(slot, strlen(slot->path));
        if (!atomic_load(&dying) && link_unnamed(file, slot->path)) {
            found = WAY_WRITE_ONLY;
            unlink(slot->path);
        }
        atomic_store(&slot->state, SLOT_FREE);
    }
    unblock_signals(&before);
    return found;
}

void temporary_write_only(const char *folder)
{
    char target[PATH_MAX];
    enum way found = WAY_NONE;
    temporary probe;
    int length = snprintf(target, sizeof target, "%s/", folder);

    if (length > 0 && (size_t)length < sizeof target && open_unnamed(&probe, target)) {
        found = try_links(&probe, target);
        close(probe.descriptor);
    }
    atomic_store(&way, (int)found);
}

/* ---- Both ---- */

bool temporary_open(temporary *file, const char *target, bool replaces, mode_t mode)
{
    if (!open_unnamed(file, target) && !open_named(file, target))
        return false;
    file->replaces = replaces;
    set_mode(file, mode);
    return true;
}

bool temporary_finish(temporary *file, const char *target)
{
    bool good = settle(file);

    if (good && !file->slot) {
        bool placed = !file->replaces && link_unnamed(file, target);
        if (!placed && (file->replaces || errno == EEXIST))
            placed = link_over(file, target);
        int error = errno;
        /* A link may fail where a file with a name works. */
        good = placed || (copy_to_named(file, target) && settle(file));
        if (!good && errno == EBADF) /* what is open for writing alone cannot be copied */
            errno = error;
    }
    good = good && (!file->slot || rename_named(file, target));
    temporary_abandon(file);
    return good;
}

void temporary_abandon(temporary *file)
{
    int error = errno;

    close(file->descriptor);
    file->descriptor = -1;
    if (file->slot) {
        unlink(file->slot->path);
        atomic_store(&file->slot->state, SLOT_FREE);
        file->slot = NULL;
    }
    errno = error;
}

/* ---- Signals ---- */

static void remove_and_die(int signal_number)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    sigset_t itself;

    atomic_store(&dying, true);
    for (size_t i = 0; i < TEMPORARY_MOST_NAMES; i++) {
        while (atomic_load(&slots[i].state) == SLOT_MAKING)
            nanosleep(&moment, NULL);
        if (atomic_load(&slots[i].state) == SLOT_MADE)
            unlink(slots[i].path);
    }
    /* All handled signals were blocked on this thread so far, and every other thread runs this handler too, so none
     * could end the process too early. */
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    sigemptyset(&itself);
    sigaddset(&itself, signal_number);
    pthread_sigmask(SIG_UNBLOCK, &itself, NULL);
}

void temporary_handle_signals(void)
{
    struct sigaction action = {.sa_handler = remove_and_die};

    fill_handled(&action.sa_mask);
    for (size_t i = 0; i < HANDLED_COUNT; i++) {
        struct sigaction before;
        /* A process that was started with a signal ignored (nohup) keeps ignoring it. */
        if (sigaction(handled[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(handled[i], &action, NULL);
    }
}
