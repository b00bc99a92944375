/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The time, for statistics. */
#ifndef PIETRA_BASE_CLOCK_H
#define PIETRA_BASE_CLOCK_H

/* Returns the milliseconds of a clock that only goes forward. Any thread. */
double clock_ms(void);

#endif
