/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "tracing.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "timing.h"

#define GPU_TRACK 0u /* threads have the tracks from 1 on; in the file the GPU's comes last */
#define MOST_EVENTS ((size_t)1 << 20)

typedef struct event {
    const char *name;
    unsigned track;
    double begin_ms, end_ms;
} event;

static struct {
    bool on;
    bool out_of_memory, full;
    pthread_mutex_t lock;
    ARRAY(event) events;
    atomic_uint tracks; /* threads that have recorded something */
} record = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local unsigned own_track; /* 0: this thread has none yet */

static unsigned find_own_track(void)
{
    if (own_track == 0)
        own_track = atomic_fetch_add(&record.tracks, 1) + 1;
    return own_track;
}

void tracing_start(void)
{
    record.on = true;
    find_own_track();
}

bool tracing_is_on(void)
{
    return record.on;
}

static void add(event event)
{
    pthread_mutex_lock(&record.lock);
    record.full |= record.events.count >= MOST_EVENTS;
    struct event *place = record.full ? NULL : array_push(&record.events);
    if (place)
        *place = event;
    else
        record.out_of_memory |= !record.full;
    pthread_mutex_unlock(&record.lock);
}

void tracing_step(const char *name, double begin_ms)
{
    if (record.on)
        add((event){name, find_own_track(), begin_ms, timing_now()});
}

void tracing_take(void *user, const pietra_span *span)
{
    (void)user;
    add((event){span->name, span->on_gpu ? GPU_TRACK : find_own_track(), span->begin_ms, span->end_ms});
}

/* ---- Writing ---- */

/* What holds others comes before them. */
static int compare_events(const void *a, const void *b)
{
    const event *x = a, *y = b;

    if (x->begin_ms != y->begin_ms)
        return x->begin_ms < y->begin_ms ? -1 : 1;
    return (x->end_ms < y->end_ms) - (x->end_ms > y->end_ms);
}

static void sort_events(void)
{
    if (record.events.count)
        qsort(record.events.items, record.events.count, sizeof *record.events.items, compare_events);
}

static bool has_gpu(void)
{
    bool found = false;

    for (size_t i = 0; i < record.events.count && !found; i++)
        found = record.events.items[i].track == GPU_TRACK;
    return found;
}

/* Returns the number of a track in the file. Perfetto takes 0 for the idle thread of the system. */
static unsigned number_of(unsigned track)
{
    return track == GPU_TRACK ? atomic_load(&record.tracks) + 1 : track;
}

static void print_names(FILE *file)
{
    fputs("{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, \"args\": {\"name\": \"render\"}}", file);
    for (unsigned track = has_gpu() ? GPU_TRACK : 1; track <= atomic_load(&record.tracks); track++) {
        fprintf(file, ",\n{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": %u, \"args\": {\"name\": \"",
                number_of(track));
        if (track == GPU_TRACK)
            fputs("GPU", file);
        else if (track == 1)
            fputs("main thread", file);
        else
            fprintf(file, "thread %u", track);
        fputs("\"}}", file);
    }
}

/* Prints a time in microseconds. */
static void print_time(FILE *file, const char *name, long long nanoseconds)
{
    fprintf(file, ", \"%s\": %lld.%03lld", name, nanoseconds / 1000, nanoseconds % 1000);
}

/* Both ends are rounded, not the duration, so that what nests does so in the file: Perfetto leaves out what overlaps
 * something else of its track in part. */
static void print_events(FILE *file)
{
    double start = record.events.count ? record.events.items[0].begin_ms : 0;

    for (size_t i = 0; i < record.events.count; i++) {
        const event *event = &record.events.items[i];
        long long begin = llround((event->begin_ms - start) * 1e6), end = llround((event->end_ms - start) * 1e6);
        fprintf(file, ",\n{\"name\": \"%s\", \"ph\": \"X\", \"pid\": 1, \"tid\": %u", event->name,
                number_of(event->track));
        print_time(file, "ts", begin);
        print_time(file, "dur", end - begin);
        fputs("}", file);
    }
}

status tracing_write(file_output *output)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = record.out_of_memory ? NULL : open_memstream(&text, &size);

    if (record.full)
        report(STATUS_DRAWN, output->path, 0, "more than %zu events: the others are left out", MOST_EVENTS);
    if (file) {
        sort_events();
        fputs("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n", file);
        print_names(file);
        print_events(file);
        fputs("\n]}\n", file);
    }
    if (!file || fclose(file) != 0) {
        file_output_abandon(output);
        free(text);
        return report_memory(output->path);
    }
    file_output_write(output, text, size);
    free(text);
    return file_output_finish(output);
}

void tracing_stop(void)
{
    record.on = false;
    array_free(&record.events);
}
