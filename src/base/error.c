#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

/* vsnprintf cuts between bytes; a UTF-8 character that lost its end goes as a whole. */
static void error_trim(char *message, size_t length)
{
    size_t start = length;
    while (start > 0 && ((unsigned char)message[start - 1] & 0xc0) == 0x80) {
        start--;
    }
    if (start == 0) {
        return;
    }
    unsigned char lead = (unsigned char)message[start - 1];
    size_t want = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    if (length - (start - 1) < want) {
        message[start - 1] = '\0';
    }
}

pietra_result error_set(pietra_error *error, pietra_result result, uint32_t line, const char *format, ...)
{
    if (error) {
        error->result = result;
        error->line = line;
        va_list arguments;
        va_start(arguments, format);
        int length = vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        if (length < 0) {
            error->message[0] = '\0';
        } else if ((size_t)length >= sizeof error->message) {
            error_trim(error->message, sizeof error->message - 1);
        }
    }
    return result;
}
