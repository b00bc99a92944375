/* Fills in a pietra_error, the only way in which the library reports a failure. */
#ifndef PIETRA_BASE_ERROR_H
#define PIETRA_BASE_ERROR_H

#include "pietra/pietra.h"

#if defined(__GNUC__)
#define ERROR_FORMAT __attribute__((format(printf, 4, 5)))
#else
#define ERROR_FORMAT
#endif

/* Writes the result, the line of the document (0: none) and the formatted message, cut at a whole UTF-8 character, into *error,
 * which may be NULL. What is not printable (utf8.h), line breaks and ill-formed bytes among it, becomes blanks, so that the message stays
 * one line and harms no terminal. Returns result, so that a caller can write `return error_set(...)`. Any thread. */
pietra_result error_set(pietra_error *error, pietra_result result, uint32_t line, const char *format, ...) ERROR_FORMAT;

/* PIETRA_ERROR_MEMORY with its usual message. */
pietra_result error_set_memory(pietra_error *error);

/* PIETRA_ERROR_INPUT for an argument, called by its name in the public header, that may not be NULL. */
pietra_result error_set_null(pietra_error *error, const char *name);

#endif
