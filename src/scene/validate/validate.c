/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/validate/validate.h"

#include <stdlib.h>
#include <string.h>

#include "scene/validate/validator.h"

static pietra_result check_header(validator *v, const uint32_t *words, size_t word_count)
{
    stream_header header;
    if (word_count < sizeof header / sizeof(uint32_t))
        return REJECT(v, "a stream of %zu words is shorter than its header", word_count);
    memcpy(&header, words, sizeof header);
    if (header.magic != STREAM_MAGIC)
        return REJECT(v, "not a stream");
    if (header.version != STREAM_VERSION)
        return REJECT(v, "a stream of version %u, where %u is understood", header.version, STREAM_VERSION);
    const uint32_t counts[] = {header.element_count,      header.path_count,      header.segment_count,
                               header.point_count,        header.transform_count, header.style_count,
                               header.dash_count,         header.paint_count,     header.stop_count,
                               header.mip_level_count,    header.effect_count,    header.effect_step_count,
                               header.effect_value_count, header.surface_count,   header.surface_word_count,
                               header.texel_count,        header.box_shadow_count};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i] > STREAM_MAX_COUNT)
            return REJECT(v, "the stream's header counts %u of something: too many", counts[i]);
    stream_header laid_out = header;
    uint64_t needed = stream_lay_out(&laid_out);
    if (needed > UINT32_MAX)
        return REJECT(v, "the counts of the stream's header ask for more than %u words", UINT32_MAX);
    if (needed != word_count)
        return REJECT(v, "the stream has %zu words, its counts ask for another number", word_count);
    if (memcmp(&laid_out, &header, sizeof header) != 0)
        return REJECT(v, "the stream's arrays are not where its counts put them");
    for (uint32_t i = header.surface_words + header.surface_word_count; i < header.texels; i++)
        if (words[i] != 0u)
            return REJECT(v, "the words before the texels are not 0");
    return PIETRA_OK;
}

static pietra_result check_transforms(validator *v)
{
    size_t members = sizeof(stream_transform) / sizeof(float);
    size_t count = members * v->view.header->transform_count;
    size_t bad = find_insane((const float *)v->view.transforms, count, STREAM_LIMIT);
    return bad == count ? PIETRA_OK : REJECT(v, "transform %zu is not finite or too large", bad / members);
}

static pietra_result check_totals(validator *v)
{
    const stream_header *header = v->view.header;
    const rules_totals *totals = &v->totals;
    if (header->clip_event_count != totals->clip_events || header->occluder_count != totals->occluders ||
        header->dashed_count != totals->dashed || header->task_count != totals->tasks ||
        totals->tasks > STREAM_MAX_COUNT) {
        return REJECT(v, "the totals of the stream's header are not those of its elements, or too large");
    }
    return PIETRA_OK;
}

pietra_result validate_nested(const uint32_t *words, size_t word_count, unsigned depth, validate_shared *shared,
                              parallel_pool *pool, pietra_error *error, unsigned *height)
{
    static pietra_result (*const checks[])(validator *) = {validate_paths,  check_transforms, validate_styles,
                                                           validate_paints, validate_effects, validate_elements,
                                                           check_totals,    validate_surfaces};
    validator validator = {.error = error, .pool = pool, .depth = depth, .shared = shared};
    pietra_result result = check_header(&validator, words, word_count);
    if (result != PIETRA_OK)
        return result;
    validator.view = stream_view_of(words);
    for (size_t i = 0; result == PIETRA_OK && i < sizeof checks / sizeof checks[0]; i++)
        result = checks[i](&validator);
    free(validator.group_counts);
    free(validator.opaque_groups);
    free(validator.pattern_counts);
    free(validator.image_counts);
    free(validator.image_ids);
    free(validator.opaque_images);
    free(validator.paint_flags);
    array_free(&validator.levels);
    *height = validator.height;
    return result;
}

pietra_result validate_stream(const uint32_t *words, size_t word_count, parallel_pool *pool, pietra_error *error)
{
    validate_shared shared = {.words = words};
    unsigned height;
    pietra_result result = validate_nested(words, word_count, 0, &shared, pool, error, &height);
    array_free(&shared.passed);
    hash_free(&shared.table);
    return result;
}

pietra_result validate_image_stream(const uint32_t *words, size_t word_count, pietra_error *error)
{
    unsigned height;
    return validate_nested(words, word_count, 0, NULL, NULL, error, &height);
}
