/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fills in a pietra_error. The library reports failures in no other way. */
#ifndef PIETRA_BASE_ERROR_H
#define PIETRA_BASE_ERROR_H

#include "pietra/pietra.h"

#if defined(__GNUC__)
#define ERROR_FORMAT __attribute__((format(printf, 4, 5)))
#else
#define ERROR_FORMAT
#endif

/* Writes the result, the line of the document (0: none) and the formatted message into *error, which may be NULL. A
 * message that is too long is cut between UTF-8 characters. Blanks replace everything that is not printable (utf8.h),
 * such as line breaks and ill-formed bytes, so that the message stays one line and harms no terminal. Returns `result`,
 * so that a caller can write `return error_set(...)`. Any thread. */
pietra_result error_set(pietra_error *error, pietra_result result, uint32_t line, const char *format, ...) ERROR_FORMAT;

/* Says which element an error is about (pietra_error.label). Returns `result`. */
pietra_result error_set_label(pietra_error *error, pietra_result result, uint32_t label);

/* Hands an error on to the caller's `error` if `result` is one. What tries again after a failure has an error of its
 * own, since the caller's is written on failure only. Returns `result`. */
pietra_result error_pass_on(pietra_error *error, pietra_result result, const pietra_error *own);

/* Reports PIETRA_ERROR_MEMORY with its usual message. */
pietra_result error_set_memory(pietra_error *error);

/* Reports PIETRA_ERROR_INPUT for an argument that must not be NULL. `name` is its name in the public header. */
pietra_result error_set_null(pietra_error *error, const char *name);

/* Reports PIETRA_ERROR_INPUT with `what` ("a fill rule") and the value, unless an enumerator is one of 0 to `most`. */
pietra_result error_check_enumerator(pietra_error *error, const char *what, unsigned value, unsigned most);

#endif
