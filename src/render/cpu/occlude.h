/* What opaque rectangles hide in the whole part, found before anything is flattened: a frame of a million covers costs little more than
 * the list of them. What covers hide in single columns of tiles is found band by band (hide.h). */
#ifndef PIETRA_RENDER_CPU_OCCLUDE_H
#define PIETRA_RENDER_CPU_OCCLUDE_H

#include "render/cpu/frame.h"

/* Takes out of the part's elements those of which nothing can be seen. Order and all else of the others is kept. */
void cpu_occlude(cpu_frame *frame);

#endif
