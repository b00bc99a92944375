/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Loses the viewer's device, and tells what is drawn. As long as the file that PIETRA_LOSE names has bytes, a frame
 * takes the last of them and fails: if it is 'w' when it is waited for, else when it is submitted. PIETRA_DRAWN names a
 * file that gets a line for each frame: the size of its picture, and of the part that is drawn. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pietra/pietra_vulkan.h"

/* The linker puts the functions __wrap_ in place of the library's, which __real_ names. */
#define SUBMIT_VULKAN(name) \
    pietra_result name(pietra_view *view, const pietra_submission *submission, const pietra_vulkan_target *target, \
                       const pietra_vulkan_order *order, pietra_error *error, pietra_ticket *ticket)
#define SUBMIT(name) \
    pietra_result name(pietra_view *view, const pietra_submission *submission, const pietra_target *target, \
                       pietra_error *error, pietra_ticket *ticket)
#define WAIT(name) \
    pietra_result name(pietra_view *view, uint64_t number, uint64_t timeout_ns, pietra_error *error, bool *done, \
                       pietra_stats *stats)
SUBMIT_VULKAN(__real_pietra_view_submit_vulkan);
SUBMIT_VULKAN(__wrap_pietra_view_submit_vulkan);
SUBMIT(__real_pietra_view_submit);
SUBMIT(__wrap_pietra_view_submit);
WAIT(__real_pietra_view_wait);
WAIT(__wrap_pietra_view_wait);

/* Takes the last byte of the file, if it is that which is meant. */
static bool is_lost(bool waits)
{
    const char *path = getenv("PIETRA_LOSE");
    FILE *file = path ? fopen(path, "r") : NULL;
    const bool has = file && fseek(file, -1, SEEK_END) == 0;
    const long place = has ? ftell(file) : 0;
    const int byte = has ? fgetc(file) : EOF;

    if (file)
        fclose(file);
    return byte != EOF && (byte == 'w') == waits && truncate(path, place) == 0;
}

static pietra_result lose(pietra_error *error)
{
    *error = (pietra_error){.result = PIETRA_ERROR_DEVICE, .message = "the test lost the device"};
    return error->result;
}

static void tell(uint32_t width, uint32_t height, const pietra_ticket *ticket)
{
    const char *path = getenv("PIETRA_DRAWN");
    FILE *file = path ? fopen(path, "a") : NULL;
    const pietra_pixel_box box = ticket->drawn;

    if (!file)
        return;
    fprintf(file, "%u %u %u %u\n", width, height, (unsigned)(box.x1 - box.x0), (unsigned)(box.y1 - box.y0));
    fclose(file);
}

SUBMIT_VULKAN(__wrap_pietra_view_submit_vulkan)
{
    if (is_lost(false))
        return lose(error);
    const pietra_result result = __real_pietra_view_submit_vulkan(view, submission, target, order, error, ticket);
    if (result == PIETRA_OK)
        tell(target->width, target->height, ticket);
    return result;
}

SUBMIT(__wrap_pietra_view_submit)
{
    const pietra_result result = __real_pietra_view_submit(view, submission, target, error, ticket);

    if (result == PIETRA_OK)
        tell(target->width, target->height, ticket);
    return result;
}

WAIT(__wrap_pietra_view_wait)
{
    return is_lost(true) ? lose(error) : __real_pietra_view_wait(view, number, timeout_ns, error, done, stats);
}
