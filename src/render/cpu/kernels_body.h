/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels, compiled once for each instruction set. The includer defines CPU_KERNELS, the name of the table,
 * CPU_KERNELS_NAME, and CPU_EFFECTS, the name of the table of stage 11. */
#include <string.h>

#include "render/cpu/kernels.h"
#include "render/cpu/kernels_vector.h"
#include "lib/blend.h"
#include "lib/box_shadow.h"
#include "lib/coverage.h"
#include "lib/paint.h"

#include "render/cpu/kernels_line.h"
#include "render/cpu/kernels_put.h"
#include "render/cpu/kernels_color.h"
#include "render/cpu/kernels_area.h"
#include "render/cpu/kernels_samples.h"
#include "render/cpu/kernels_chains.h"
#include "render/cpu/kernels_meetings.h"
#include "render/cpu/kernels_curve.h"
#include "render/cpu/kernels_chord.h"
#include "render/cpu/kernels_stroke.h"
#include "render/cpu/kernels_shadow.h"
#include "render/cpu/kernels_shadow_block.h"
#include "render/cpu/kernels_gradient.h"
#include "render/cpu/kernels_image.h"
#include "render/cpu/kernels_layer.h"
#include "render/cpu/kernels_store.h"

extern const effect_functions CPU_EFFECTS;

const cpu_kernels CPU_KERNELS = {
    .name = CPU_KERNELS_NAME,
    .effects = &CPU_EFFECTS,
    .add_edges = add_edges,
    .cut_curves = cut_curves,
    .select_chords = select_chords,
    .put_chords = put_chords,
    .find_stroke_lines = find_stroke_lines,
    .strokes_in_band = strokes_in_band,
    .put_stroke_lines = put_stroke_lines,
    .subdivide = subdivide,
    .find_vertices = find_vertices,
    .find_samples = find_samples,
    .find_places = find_places,
    .sample_meetings = sample_meetings,
    .paint = paint,
    .find_levels = find_levels,
    .fill = fill,
    .blend_row = blend_row,
    .shade_row = shade_row,
    .shade_shadow = shade_shadow,
    .shade_image_row = shade_image_row,
    .cut_by_coverage = cut_by_coverage,
    .cut_by_levels = cut_by_levels,
    .keep_destination = keep_destination,
    .end_source = end_source,
    .end_layer = end_layer,
    .end_complex_source = end_complex_source,
    .end_complex_layer = end_complex_layer,
    .store_row = store_row,
};
