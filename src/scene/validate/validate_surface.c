/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/validate/validator.h"

/* NULL: no stream that begins there has passed. */
static const validate_passed *find_passed(const validate_shared *shared, size_t at)
{
    hash_walk probe = hash_find(&shared->table, hash_bytes(&at, sizeof at));
    for (; hash_found(&probe); hash_next(&probe))
        if (shared->passed.items[probe.value].at == at)
            return &shared->passed.items[probe.value];
    return NULL;
}

/* Checks a surface whose stream stands earlier. That cannot be a stream around this one, because those have not passed
 * yet. */
static pietra_result check_shared(validator *v, uint32_t index, size_t surface_words)
{
    const stream_surface *surface = &v->view.surfaces[index];
    const validate_passed *passed = find_passed(v->shared, surface_words + (size_t)(int32_t)surface->first_word);
    if (!passed || passed->word_count != surface->word_count) {
        return REJECT(
            v,
            "surface %u: its stream neither follows those before it nor is one of them, or goes beyond the last word",
            index);
    }
    if (v->depth + 1 + passed->height > SURFACE_DEPTH_MAX)
        return REJECT(v, "surfaces nest more than %u deep", SURFACE_DEPTH_MAX);
    v->height = v->height > passed->height + 1 ? v->height : passed->height + 1;
    return PIETRA_OK;
}

static pietra_result check_own(validator *v, uint32_t index, size_t surface_words)
{
    const stream_surface *surface = &v->view.surfaces[index];
    validate_shared *shared = v->shared;
    validate_passed passed = {surface_words + surface->first_word, surface->word_count, 0};
    pietra_result result = validate_nested(shared->words + passed.at, passed.word_count, v->depth + 1, shared, v->pool,
                                           v->error, &passed.height);
    if (result != PIETRA_OK)
        return result;
    v->height = v->height > passed.height + 1 ? v->height : passed.height + 1;
    if (!array_reserve(&shared->passed, 1) ||
        !hash_insert(&shared->table, hash_bytes(&passed.at, sizeof passed.at), (uint32_t)shared->passed.count)) {
        return error_set_memory(v->error);
    }
    shared->passed.items[shared->passed.count++] = passed;
    return PIETRA_OK;
}

pietra_result validate_surfaces(validator *v)
{
    const stream_header *header = v->view.header;
    uint32_t used = 0;
    if (!v->shared)
        return PIETRA_OK;
    if (header->surface_count > 0 && v->depth == SURFACE_DEPTH_MAX)
        return REJECT(v, "surfaces nest more than %u deep", SURFACE_DEPTH_MAX);
    size_t surface_words = (size_t)(v->view.surface_words - v->shared->words);
    pietra_result result = PIETRA_OK;
    for (uint32_t i = 0; result == PIETRA_OK && i < header->surface_count; i++) {
        const stream_surface *surface = &v->view.surfaces[i];
        if (surface->first_word == used && surface->word_count <= header->surface_word_count - used) {
            used += surface->word_count;
            result = check_own(v, i, surface_words);
        } else {
            result = check_shared(v, i, surface_words);
        }
    }
    if (result != PIETRA_OK)
        return result;
    return used == header->surface_word_count ? PIETRA_OK : REJECT(v, "words belong to no surface");
}
