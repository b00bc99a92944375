/* The coverage of one pixel by one run, from its records. */
#ifndef PIETRA_TWIN_COVERAGE_H
#define PIETRA_TWIN_COVERAGE_H

#include "twin/twin.h"

/* 0 to 255, of pixel (x, y) of the run's tile. */
uint twin_coverage(const twin_frame *frame, const run *r, int x, int y);

#endif
