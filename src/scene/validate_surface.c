#include "scene/validator.h"

pietra_result validate_surfaces(validator *v)
{
    const stream_header *header = v->view.header;
    uint32_t used = 0;
    if (header->surface_count > 0 && v->depth == SURFACE_DEPTH_MAX) {
        return REJECT(v, "surfaces nest more than %u deep", SURFACE_DEPTH_MAX);
    }
    for (uint32_t i = 0; i < header->surface_count; i++) {
        const stream_surface *surface = &v->view.surfaces[i];
        if (surface->first_word != used || surface->word_count > header->surface_word_count - used) {
            return REJECT(v, "surface %u: its stream does not follow those before it, or goes beyond the last word", i);
        }
        used += surface->word_count;
        pietra_result result = validate_nested(v->view.surface_words + surface->first_word, surface->word_count, v->depth + 1, v->pool, v->error);
        if (result != PIETRA_OK) {
            return result;
        }
    }
    return used == header->surface_word_count ? PIETRA_OK : REJECT(v, "words belong to no surface");
}
