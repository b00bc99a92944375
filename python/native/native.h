/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the Python package has beside the public interface: receivers that need no interpreter, so that its lock stays
 * released, a device that knows of forks, and interrupts that cancel frames. */
#ifndef PIETRA_PYTHON_NATIVE_H
#define PIETRA_PYTHON_NATIVE_H

#include <pietra/pietra.h>
#include <pietra/pietra_hit.h>
#include <pietra/pietra_instance.h>
#include <pietra/pietra_pyramid.h>
#include <pietra/pietra_text.h>

/* Bytes that grow. All zero is empty. */
typedef struct python_records {
    char *bytes;
    size_t count, capacity;
    bool out_of_memory; /* what followed was dropped */
} python_records;

void python_records_free(python_records *records);
/* What is left of a document when it was read. */
typedef struct python_document {
    pietra_stream *stream;
    double width, height;    /* CSS pixels */
    python_records warnings; /* of each the line as a uint32_t, the message and a NUL */
    python_records boxes;    /* of each x0, y0, x1, y1 as doubles, the id and a NUL */
} python_document;

/* Reads a document from bytes or, if these are NULL, from a file, and encodes it on options->threads threads. Sets the
 * receivers of the options; `boxes` says whether there are boxes. The document is all zero before. Whoever calls this
 * frees the records, and after PIETRA_OK takes over the stream. */
pietra_result python_document_read(const void *bytes, size_t byte_count, const char *path, pietra_svg_options *options,
                                   bool boxes, pietra_error *error, python_document *document);

/* Counts the forks that lead to this process, as far as python_prepare was called before. */
uint32_t python_forks(void);
void python_prepare(void);

/* A device, and what cancels its frames. Its threads do not outlive a fork. So a child must not use it, and its memory
 * is given up there. */
typedef struct python_device {
    pietra_device *device;
    pietra_canceller *canceller;
    uint32_t forks;
} python_device;

pietra_result python_device_create(const pietra_device_options *options, pietra_error *error, python_device **device);
void python_device_destroy(python_device *device);

/* Fonts, whose locks do not outlive a fork either if a thread had them. */
typedef struct python_fonts {
    pietra_fonts *fonts;
    uint32_t forks;
    python_records warnings; /* as a document's; of any thread that uses the fonts */
} python_fonts;

pietra_result python_fonts_create(python_fonts **fonts);
void python_fonts_destroy(python_fonts *fonts);
/* Moves the warnings that there are so far to `warnings`, which is all zero before, and which the caller frees. */
void python_fonts_take_warnings(python_fonts *fonts, python_records *warnings);

/* From now on SIGINT also cancels the frames of a canceller. The handler that was there is called as ever; where there
 * is none, nothing changes. Only the main thread may call these, in pairs that do not nest. The second one returns
 * whether there was a SIGINT. */
void python_watch_interrupts(pietra_canceller *canceller);
bool python_unwatch_interrupts(void);

#endif
