/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "pietra/pietra.h"

#define TEXT(number) #number
#define VERSION_TEXT(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *pietra_version(void)
{
    return VERSION_TEXT(PIETRA_VERSION_MAJOR, PIETRA_VERSION_MINOR, PIETRA_VERSION_PATCH);
}
