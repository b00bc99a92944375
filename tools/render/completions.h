/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Scripts by which shells complete the command's options and their values. */
#ifndef RENDER_COMPLETIONS_H
#define RENDER_COMPLETIONS_H

#include "report.h"

/* Prints the script for "bash", "zsh" or "fish". */
status completions_print(const char *shell);

#endif
