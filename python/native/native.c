/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "native.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- Records ---- */

static bool make_room(python_records *records, size_t count)
{
    if (records->out_of_memory)
        return false;
    if (records->capacity - records->count < count) {
        size_t capacity = 2 * records->capacity + count + 256;
        char *bytes = realloc(records->bytes, capacity);
        records->out_of_memory = !bytes;
        if (!bytes)
            return false;
        records->bytes = bytes;
        records->capacity = capacity;
    }
    return true;
}

static void append(python_records *records, const void *head, size_t head_size, const char *text)
{
    size_t length = strlen(text) + 1;

    if (!make_room(records, head_size + length))
        return;
    memcpy(records->bytes + records->count, head, head_size);
    memcpy(records->bytes + records->count + head_size, text, length);
    records->count += head_size + length;
}

void python_records_free(python_records *records)
{
    free(records->bytes);
    *records = (python_records){0};
}

static void take_warning(void *user, uint32_t line, const char *message)
{
    append(user, &line, sizeof line, message);
}

static void take_box(void *user, const char *id, const pietra_box *box)
{
    append(user, box, sizeof *box, id);
}

/* ---- Documents ---- */

pietra_result python_document_read(const void *bytes, size_t byte_count, const char *path, pietra_svg_options *options,
                                   bool boxes, pietra_error *error, python_document *document)
{
    pietra_scene *scene = pietra_scene_create();
    double *width = &document->width, *height = &document->height;
    pietra_result result = PIETRA_ERROR_MEMORY;

    if (!scene)
        return result;
    options->warning = take_warning;
    options->warning_user = &document->warnings;
    options->box = boxes ? take_box : NULL;
    options->box_user = &document->boxes;
    result = bytes ? pietra_scene_load_svg(scene, bytes, byte_count, options, error, width, height)
                   : pietra_scene_load_svg_file(scene, path, options, error, width, height);
    if (result == PIETRA_OK)
        result = pietra_stream_encode_by(scene, options->threads, error, &document->stream);
    pietra_scene_destroy(scene);
    return result;
}

/* ---- Forks ---- */

static uint32_t forks;
static pthread_mutex_t font_warnings_lock = PTHREAD_MUTEX_INITIALIZER;

/* The lock may have been another thread's, which is not here. */
static void count_fork(void)
{
    forks++;
    pthread_mutex_init(&font_warnings_lock, NULL);
}

uint32_t python_forks(void)
{
    return forks;
}

void python_prepare(void)
{
    pthread_atfork(NULL, NULL, count_fork);
}

pietra_result python_device_create(const pietra_device_options *options, pietra_error *error, python_device **device)
{
    python_device *made = calloc(1, sizeof *made);
    pietra_result result = PIETRA_ERROR_MEMORY;

    if (!made)
        return result;
    made->forks = forks;
    result = pietra_canceller_create(error, &made->canceller);
    if (result == PIETRA_OK)
        result = pietra_device_create(options, error, &made->device);
    if (result == PIETRA_OK)
        *device = made;
    else
        python_device_destroy(made);
    return result;
}

void python_device_destroy(python_device *device)
{
    if (!device || device->forks != forks)
        return;
    pietra_device_destroy(device->device);
    pietra_canceller_destroy(device->canceller);
    free(device);
}

static void take_font_warning(void *user, uint32_t line, const char *message)
{
    python_fonts *fonts = user;

    pthread_mutex_lock(&font_warnings_lock);
    take_warning(&fonts->warnings, line, message);
    pthread_mutex_unlock(&font_warnings_lock);
}

pietra_result python_fonts_create(python_fonts **fonts)
{
    python_fonts *made = calloc(1, sizeof *made);

    if (made)
        made->fonts = pietra_fonts_create();
    if (!made || !made->fonts) {
        free(made);
        return PIETRA_ERROR_MEMORY;
    }
    made->forks = forks;
    pietra_fonts_set_warning(made->fonts, take_font_warning, made);
    *fonts = made;
    return PIETRA_OK;
}

void python_fonts_take_warnings(python_fonts *fonts, python_records *warnings)
{
    pthread_mutex_lock(&font_warnings_lock);
    *warnings = fonts->warnings;
    fonts->warnings = (python_records){0};
    pthread_mutex_unlock(&font_warnings_lock);
}

void python_fonts_destroy(python_fonts *fonts)
{
    if (!fonts || fonts->forks != forks)
        return;
    pietra_fonts_destroy(fonts->fonts);
    python_records_free(&fonts->warnings);
    free(fonts);
}

/* ---- Interrupts ---- */

static pietra_canceller *volatile watched;
static volatile sig_atomic_t interrupted;
static struct sigaction action_before;

static void cancel_and_pass_on(int number, siginfo_t *info, void *context)
{
    interrupted = 1;
    pietra_canceller_cancel(watched);
    if (action_before.sa_flags & SA_SIGINFO)
        action_before.sa_sigaction(number, info, context);
    else if (action_before.sa_handler != SIG_DFL && action_before.sa_handler != SIG_IGN)
        action_before.sa_handler(number);
}

void python_watch_interrupts(pietra_canceller *canceller)
{
    struct sigaction now;

    interrupted = 0;
    if (sigaction(SIGINT, NULL, &now) != 0)
        return;
    if (!(now.sa_flags & SA_SIGINFO) && (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN))
        return;
    action_before = now;
    watched = canceller;
    now.sa_flags |= SA_SIGINFO;
    now.sa_sigaction = cancel_and_pass_on;
    if (sigaction(SIGINT, &now, NULL) != 0)
        watched = NULL;
}

bool python_unwatch_interrupts(void)
{
    if (watched) {
        sigaction(SIGINT, &action_before, NULL);
        watched = NULL;
    }
    return interrupted != 0;
}
