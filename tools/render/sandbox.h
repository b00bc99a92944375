/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the command gives up before it reads a document. A fault in what reads the document then gives access only to
 * what its arguments name to be read and written. SECURITY.md has the rules as a table. */
#ifndef RENDER_SANDBOX_H
#define RENDER_SANDBOX_H

#include <stddef.h>

#include "options.h"

/* What drawing needs in addition to what the options name. */
typedef struct sandbox_needs {
    const char *const *inputs; /* inputs that are still to be opened */
    size_t input_count;
    const char *const *outputs; /* files to be written, as the user names them; files in the folder of --output-dir need
                                 * not be here */
    size_t output_count;
    bool gpu; /* a GPU is open; its driver continues to read and write files */
} sandbox_needs;

/* Call this once, before any thread starts and after the folders for outputs exist. With --verbose it names what the
 * kernel cannot hold back. */
void sandbox_enter(const options *options, const sandbox_needs *needs);

/* Returns whether the sandbox is the likely reason why a file cannot be opened with this errno: the file's rights, by
 * access(), would allow it. Sets errno. */
bool sandbox_explains(const char *path, int error, bool writing);
/* Returns whether the sandbox may be why a GPU failed. */
bool sandbox_holds_gpu(void);

#define SANDBOX_ADVICE "--no-sandbox lifts this"

#endif
