/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "progress.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define PROGRESS_DELAY_MS 1000
#define PROGRESS_INTERVAL_MS 100
#define PROGRESS_WIDTH 40

static struct progress {
    pthread_mutex_t mutex;
    pthread_cond_t stopped;
    pthread_t thread;
    bool running, stopping, visible;
    size_t done, steps;
    unsigned part; /* hundredths of the current step; 0: unknown */
    const char *label;
} progress = {.mutex = PTHREAD_MUTEX_INITIALIZER, .stopped = PTHREAD_COND_INITIALIZER};

static void draw(void)
{
    size_t hundredths = progress.done * 100 + progress.part;
    size_t filled = progress.steps ? hundredths * PROGRESS_WIDTH / (progress.steps * 100) : 0;
    char bar[PROGRESS_WIDTH + 1], part[16] = "";

    for (size_t i = 0; i < PROGRESS_WIDTH; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[PROGRESS_WIDTH] = '\0';
    if (progress.part > 0)
        snprintf(part, sizeof part, " %u%%", progress.part);
    fprintf(stderr, "\r\033[K[%s] %zu/%zu %s%s", bar, progress.done, progress.steps, progress.label, part);
    fflush(stderr);
    progress.visible = true;
}

static void wipe(void)
{
    if (progress.visible) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        progress.visible = false;
    }
}

static struct timespec after(long milliseconds)
{
    struct timespec time;

    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec += milliseconds / 1000;
    time.tv_nsec += milliseconds % 1000 * 1000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

static void *redraw(void *unused)
{
    struct timespec time = after(PROGRESS_DELAY_MS);

    (void)unused;
    pthread_mutex_lock(&progress.mutex);
    while (!progress.stopping) {
        if (pthread_cond_timedwait(&progress.stopped, &progress.mutex, &time) != 0) {
            draw();
            time = after(PROGRESS_INTERVAL_MS);
        }
    }
    wipe();
    pthread_mutex_unlock(&progress.mutex);
    return NULL;
}

void progress_start(bool wanted, size_t steps)
{
    if (!wanted || !isatty(STDERR_FILENO))
        return;
    progress.steps = steps;
    progress.label = "reading";
    progress.running = pthread_create(&progress.thread, NULL, redraw, NULL) == 0;
}

void progress_step(const char *next)
{
    pthread_mutex_lock(&progress.mutex);
    progress.done++;
    progress.part = 0;
    progress.label = next;
    pthread_mutex_unlock(&progress.mutex);
}

void progress_part(uint32_t done, uint32_t count)
{
    pthread_mutex_lock(&progress.mutex);
    progress.part = done < count ? (unsigned)((uint64_t)done * 100 / count) : 99;
    pthread_mutex_unlock(&progress.mutex);
}

void progress_hold(void)
{
    pthread_mutex_lock(&progress.mutex);
    wipe();
}

void progress_release(void)
{
    pthread_mutex_unlock(&progress.mutex);
}

void progress_stop(void)
{
    if (!progress.running)
        return;
    pthread_mutex_lock(&progress.mutex);
    progress.stopping = true;
    pthread_cond_signal(&progress.stopped);
    pthread_mutex_unlock(&progress.mutex);
    pthread_join(progress.thread, NULL);
    progress.running = false;
}
