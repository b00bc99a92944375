#define _DEFAULT_SOURCE /* realpath, madvise */

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "large_pages.h"

#define TEMPORARY_NAME ".render-XXXXXX"

/* What a signal's handler removes. A slot is being made while its file may exist or not: the handler waits for that to end. */
enum slot_state { SLOT_FREE, SLOT_MAKING, SLOT_MADE };
static struct slot {
    _Atomic int state;        /* slot_state */
    char path[PATH_MAX + sizeof TEMPORARY_NAME];
} slots[FILE_MOST_OUTPUTS];
static _Atomic bool dying;    /* a signal is about to end the process: nothing may be made any more */
static mode_t new_file_mode;

static status report_too_large(const char *path)
{
    return report(STATUS_INPUT, path, 0, "files of more than %d MiB are not read", FILE_MOST_MEBIBYTES);
}

static status read_all(int descriptor, const char *path, size_t size_hint, char **bytes, size_t *byte_count)
{
    size_t capacity = size_hint + 1, length = 0;
    char *buffer = malloc(capacity);

    if (buffer) {
        large_pages_prefer(buffer, capacity);
    }
    while (buffer) {
        if (length + 1 >= capacity) {
            char *grown = capacity <= SIZE_MAX / 2 ? realloc(buffer, capacity * 2) : NULL;
            if (!grown) {
                break;
            }
            buffer = grown;
            capacity *= 2;
        }
        ssize_t count = read(descriptor, buffer + length, capacity - length - 1);
        if (count > 0) {
            length += (size_t)count;
            if (length > (size_t)FILE_MOST_MEBIBYTES << 20) {
                free(buffer);
                return report_too_large(path);
            }
        } else if (count == 0) {
            buffer[length] = '\0';
            *bytes = buffer;
            *byte_count = length;
            return STATUS_DRAWN;
        } else if (errno != EINTR) {
            status result = report_errno(path, "read");
            free(buffer);
            return result;
        }
    }
    free(buffer);
    return report(STATUS_BUDGET, path, 0, "out of memory while reading");
}

status file_read(const char *path, char **bytes, size_t *byte_count)
{
    bool standard = strcmp(path, "-") == 0;
    int descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat information;
    size_t size_hint = 65535;
    status result;

    if (descriptor < 0) {
        return report_errno(path, "open");
    }
    if (fstat(descriptor, &information) != 0 || !S_ISREG(information.st_mode)) {
        information.st_size = 0;
    }
    if (information.st_size >> 20 > FILE_MOST_MEBIBYTES) {
        result = report_too_large(path);
    } else {
        /* One byte more than the size, so that the end is seen without another growth. */
        size_hint = information.st_size > 0 ? (size_t)information.st_size + 1 : size_hint;
        result = read_all(descriptor, path, size_hint, bytes, byte_count);
    }
    if (!standard) {
        close(descriptor);
    }
    return result;
}

void file_discard(const void *bytes, size_t byte_count)
{
#ifdef MADV_DONTNEED
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = ((uintptr_t)bytes + page - 1) & ~(page - 1), end = ((uintptr_t)bytes + byte_count) & ~(page - 1);

    if (begin < end) {
        madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
#else
    (void)bytes;
    (void)byte_count;
#endif
}

bool file_is_same(const char *path, const char *other)
{
    struct stat first, second;

    if (stat(path, &first) != 0 || stat(other, &second) != 0) {
        return strcmp(path, other) == 0;
    }
    return S_ISREG(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* So that the handler never runs on a thread that is making a file itself. */
static sigset_t block_signals(void)
{
    sigset_t signals, before;

    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    return before;
}

/* For a thread that must not go on, as the process ends. */
static void wait_for_death(void)
{
    while (atomic_load(&dying)) {
        pause();
    }
}

static struct slot *take_slot(void)
{
    for (size_t i = 0; i < FILE_MOST_OUTPUTS; i++) {
        int expected = SLOT_FREE;
        if (atomic_compare_exchange_strong(&slots[i].state, &expected, SLOT_MAKING)) {
            return &slots[i];
        }
    }
    return NULL;
}

static void set_temporary_mode(int descriptor, mode_t mode)
{
    /* A file system without modes is no reason to fail. */
    if (fchmod(descriptor, mode) != 0) {
        errno = 0;
    }
}

/* Replacing a file needs no right to write to it, but it is what the user means by a file without that right. */
static int open_temporary(file_output *output, mode_t mode)
{
    const char *target = output->target, *slash = strrchr(target, '/');
    size_t folder = slash ? (size_t)(slash - target) + 1 : 0;
    int descriptor;

    if (folder > PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    sigset_t before = block_signals();
    struct slot *slot = take_slot();
    if (slot) {
        memcpy(slot->path, target, folder);
        memcpy(slot->path + folder, TEMPORARY_NAME, sizeof TEMPORARY_NAME);
        descriptor = atomic_load(&dying) ? -1 : mkstemp(slot->path);
        atomic_store(&slot->state, descriptor < 0 ? SLOT_FREE : SLOT_MADE);
    } else {
        descriptor = -1;
        errno = EMFILE;
    }
    int error = errno;
    wait_for_death();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (descriptor >= 0) {
        set_temporary_mode(descriptor, mode);
        output->slot = slot;
    }
    errno = error;
    return descriptor;
}

status file_output_open(file_output *output, const char *path)
{
    struct stat information;
    bool exists;

    *output = (file_output){ .path = path, .descriptor = STDOUT_FILENO };
    if (strcmp(path, "-") == 0) {
        return STATUS_DRAWN;
    }
    if (path[0] == '\0' || path[strlen(path) - 1] == '/') {
        return report(STATUS_INPUT, path, 0, "cannot write: not the name of a file");
    }
    exists = stat(path, &information) == 0;
    if (exists && S_ISDIR(information.st_mode)) {
        return report(STATUS_INPUT, path, 0, "cannot write: it is a folder");
    }
    if (exists && !S_ISREG(information.st_mode)) {
        output->descriptor = open(path, O_WRONLY | O_CLOEXEC);
        return output->descriptor < 0 ? report_errno(path, "open") : STATUS_DRAWN;
    }
    if (exists && access(path, W_OK) != 0) {
        return report_errno(path, "write");
    }
    output->target = exists ? realpath(path, NULL) : strdup(path);
    if (!output->target) {
        return report_errno(path, "write");
    }
    output->descriptor = open_temporary(output, exists ? information.st_mode & 0777 : new_file_mode);
    if (output->descriptor < 0) {
        status result = report_errno(path, "write");
        free(output->target);
        output->target = NULL;
        return result;
    }
    return STATUS_DRAWN;
}

bool file_output_write(file_output *output, const void *all, size_t byte_count)
{
    const char *bytes = all;

    while (byte_count > 0) {
        ssize_t count = write(output->descriptor, bytes, byte_count < SSIZE_MAX ? byte_count : SSIZE_MAX);
        if (count < 0 && errno != EINTR) {
            output->error = errno;
            return false;
        }
        if (count > 0) {
            bytes += count;
            byte_count -= (size_t)count;
        }
    }
    return true;
}

/* Some file systems tell of a full disk only now. */
static bool close_output(file_output *output)
{
    int descriptor = output->descriptor;

    output->descriptor = -1;
    return descriptor < 0 || descriptor == STDOUT_FILENO || close(descriptor) == 0;
}

status file_output_finish(file_output *output)
{
    status result = STATUS_DRAWN;

    errno = output->error;
    if (output->error || !close_output(output)) {
        result = report_errno(output->path, "write");
    } else if (output->slot) {
        int renamed = rename(output->slot->path, output->target), error = errno;
        wait_for_death(); /* the handler may have been there first */
        if (renamed == 0) {
            atomic_store(&output->slot->state, SLOT_FREE);
            output->slot = NULL;
        } else {
            errno = error;
            result = report_errno(output->path, "write");
        }
    }
    file_output_abandon(output);
    return result;
}

void file_output_abandon(file_output *output)
{
    close_output(output);
    if (output->slot) {
        unlink(output->slot->path);
        atomic_store(&output->slot->state, SLOT_FREE);
        output->slot = NULL;
    }
    free(output->target);
    output->target = NULL;
}

static void remove_and_die(int signal_number)
{
    const struct timespec moment = { .tv_nsec = 1000000 };

    atomic_store(&dying, true);
    for (size_t i = 0; i < FILE_MOST_OUTPUTS; i++) {
        while (atomic_load(&slots[i].state) == SLOT_MAKING) {
            nanosleep(&moment, NULL);
        }
        if (atomic_load(&slots[i].state) == SLOT_MADE) {
            unlink(slots[i].path);
        }
    }
    /* SA_RESETHAND has put the default action back. */
    raise(signal_number);
}

/* What takes the place of a closed stream fails to read or to write, as the closed one would. */
static void fill_standard_descriptors(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) {
            _exit(STATUS_INPUT);
        }
    }
}

void file_prepare(void)
{
    struct sigaction action = { .sa_handler = remove_and_die, .sa_flags = (int)SA_RESETHAND };
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

    mode_t mask = umask(0);

    umask(mask);
    new_file_mode = 0666 & ~mask;
    fill_standard_descriptors();
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction before;
        /* A process started with a signal ignored (nohup) keeps ignoring it. */
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
}
