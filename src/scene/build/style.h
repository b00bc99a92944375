/* Stroke styles as the stream has them. */
#ifndef PIETRA_SCENE_BUILD_STYLE_H
#define PIETRA_SCENE_BUILD_STYLE_H

#include "scene/build/scene.h"

/* Whether the stroke draws anything: its width is above 0, also as a float. */
bool style_draws(const pietra_stroke *stroke);
/* Whether its path takes corners along: they are in the join `arcs`, and no dash cuts them. */
bool style_has_arcs(const pietra_stroke *stroke);
/* 1 at least. */
double style_miter_limit(const pietra_stroke *stroke);
/* The index of a style in the scene's pool, its dashes in theirs. PIETRA_ERROR_INPUT as pietra_stroke has it; on failure the
 * scene may hold dashes that nothing uses: the caller takes them back. */
pietra_result style_add(pietra_scene *scene, const pietra_stroke *stroke, pietra_error *error, uint32_t *index);
/* How far a stroke reaches beyond its path, in half widths: 1, the miter limit where there may be joins, sqrt 2 for square caps. */
double style_reach(const stream_style *style, bool has_joins);

#endif
