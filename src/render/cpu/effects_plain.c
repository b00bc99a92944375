/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Compiled for the instructions that every machine of this kind has. */
#define CPU_EFFECTS cpu_effects_plain
#define CPU_EFFECTS_NAME "plain"
#include "render/cpu/effects_body.h"
