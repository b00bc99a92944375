/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

pietra_result error_set(pietra_error *error, pietra_result result, uint32_t line, const char *format, ...)
{
    if (!error)
        return result;
    error->result = result;
    error->line = line;
    error->label = 0;
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(error->message, sizeof error->message, format, arguments) < 0)
        error->message[0] = '\0';
    va_end(arguments);
    size_t count = utf8_whole_prefix(error->message, strlen(error->message));
    error->message[utf8_make_printable(error->message, count, ' ')] = '\0';
    return result;
}

pietra_result error_set_label(pietra_error *error, pietra_result result, uint32_t label)
{
    if (error)
        error->label = label;
    return result;
}

pietra_result error_pass_on(pietra_error *error, pietra_result result, const pietra_error *own)
{
    if (result != PIETRA_OK && error)
        *error = *own;
    return result;
}

pietra_result error_set_memory(pietra_error *error)
{
    return error_set(error, PIETRA_ERROR_MEMORY, 0, "out of memory");
}

pietra_result error_set_null(pietra_error *error, const char *name)
{
    return error_set(error, PIETRA_ERROR_INPUT, 0, "%s is NULL", name);
}

pietra_result error_check_enumerator(pietra_error *error, const char *what, unsigned value, unsigned most)
{
    return value <= most ? PIETRA_OK
                         : error_set(error, PIETRA_ERROR_INPUT, 0, "%s is %u; it must be 0 to %u", what, value, most);
}
