/* Filling in the caller's pietra_error, in one expression with the return. */
#ifndef PIETRA_BASE_ERROR_H
#define PIETRA_BASE_ERROR_H

#include <pietra/pietra.h>

#if defined(__GNUC__)
#define ERROR_PRINTF __attribute__((format(printf, 4, 5)))
#else
#define ERROR_PRINTF
#endif

/* Writes result, line (0: none) and the formatted message, cut at a character's border where it is too long, and returns result.
 * error NULL: only returns it. */
pietra_result error_set(pietra_error *error, pietra_result result, uint32_t line, const char *format, ...) ERROR_PRINTF;

#endif
