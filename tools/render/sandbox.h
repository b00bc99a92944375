/* What the command gives up before it reads a document, so that a fault in what reads it opens no more than what the command was told to
 * read and to write. SECURITY.md has the rules as a table. */
#ifndef RENDER_SANDBOX_H
#define RENDER_SANDBOX_H

#include <stddef.h>

#include "options.h"

/* What drawing needs beside what the options name. */
typedef struct sandbox_needs {
    const char *const *inputs;  /* still to be opened */
    size_t input_count;
    const char *const *outputs; /* files to be written, as the user names them; those in the folder of --output-dir need not be here */
    size_t output_count;
    bool gpu;                   /* a device has been opened on one, whose driver goes on to read and to write what drivers do */
} sandbox_needs;

/* To be called once, before any thread starts, when the folders to write to are there. What the kernel cannot hold back is named under
 * --verbose. */
void sandbox_enter(const options *options, const sandbox_needs *needs);

/* Whether it is likely for the sandbox that a file cannot be opened, with this errno: where its rights, as access() tells them, allow it.
 * Sets errno. */
bool sandbox_explains(const char *path, int error, bool writing);
/* Whether a device may have failed for it. */
bool sandbox_holds_gpu(void);

#define SANDBOX_ADVICE "--no-sandbox lifts this"

#endif
