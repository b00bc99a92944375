/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Streams as text, for tests and for people who look for a fault. */
#ifndef PIETRA_TESTS_SCENE_DESCRIBE_STREAM_H
#define PIETRA_TESTS_SCENE_DESCRIBE_STREAM_H

#include <stdio.h>

#include "scene/stream.h"

/* Writes one element, path, transform, style, paint or stop a line. */
void stream_describe(const pietra_stream *stream, FILE *file);

#endif
