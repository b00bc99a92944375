#include "pipeline/surfaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/transform.h"
#include "pipeline/config.h"
#include "pipeline/cpu_renderer.h"
#include "pipeline/twin_renderer.h"

/* A surface at a size. */
typedef struct surface_image {
    uint32_t surface;
    uint32_t width, height;
    uint32_t previous;         /* image of the same surface; STREAM_NONE: none */
} surface_image;

/* An element that a surface paints. */
typedef struct surface_use {
    uint32_t element;
    double across, down;       /* pixels to the sides of the unit square */
    uint32_t image;
} surface_use;

/* What a frame has cost so far, those in one another included. */
typedef struct surface_work {
    uint32_t drawings;
    uint64_t texels;
} surface_work;

typedef struct surface_job {
    surface_cache *cache;
    stream_view view;          /* of the stream with surfaces */
    pietra_transform frame;
    uint64_t budget_bytes;
    pietra_error *error;
    uint64_t texels_most;      /* of the images that this stream shows itself */
    surface_work *work;
    ARRAY(surface_use) uses;
    ARRAY(surface_image) images;
    uint32_t *last_images;     /* for each surface */
    pietra_stream *made;       /* the stream with images; owned */
} surface_job;

static pietra_result run_job(surface_job *job);

void surface_cache_free(surface_cache *cache)
{
    cpu_device_destroy(cache->cpu);
    pietra_stream_destroy(cache->drawn);
    *cache = (surface_cache){.stream_id = 0};
}

/* ---- Sizes ---- */

/* Such that a step of one pixel, in whatever direction, is one of no more than 1 / across and 1 / down in the unit square. */
static surface_use measure_use(const surface_job *job, uint32_t index)
{
    const stream_element *element = &job->view.elements[index];
    const stream_transform *t = &job->view.transforms[element->transform];
    const stream_paint *paint = &job->view.paints[element->paint];
    const pietra_transform to_scene = {(double)t->a, (double)t->b, (double)t->c, (double)t->d, 0, 0};
    const pietra_transform to_unit = {(double)paint->a, (double)paint->b, (double)paint->c, (double)paint->d, 0, 0};
    pietra_transform inverse;
    surface_use use = {.element = index};
    if (transform_invert(transform_multiply(job->frame, to_scene), &inverse)) {
        pietra_transform step = transform_multiply(to_unit, inverse);
        use.across = 1.0 / hypot(step.a, step.c);
        use.down = 1.0 / hypot(step.b, step.d);
    }
    return use;
}

static pietra_result find_uses(surface_job *job)
{
    for (uint32_t i = 0; i < job->view.header->element_count; i++) {
        const stream_element *element = &job->view.elements[i];
        if ((element->kind & ELEMENT_IMAGE) == 0 || job->view.paints[element->paint].kind != PAINT_SURFACE) {
            continue;
        }
        surface_use *use = array_push(&job->uses);
        if (use == NULL) {
            return error_set_memory(job->error);
        }
        *use = measure_use(job, i);
    }
    return PIETRA_OK;
}

/* Rounded down, so that a pixel is no more than `fineness` texels wide, but for what floats lose; one texel at least. */
static uint32_t side_of(double pixels, double fineness)
{
    double side = floor(fineness * fmin(pixels, PIETRA_MAX_SIDE) + 0.01);
    return side >= 1.0 && isfinite(pixels) ? (uint32_t)fmin(side, PIETRA_MAX_SIDE) : 1u;
}

static pietra_result find_image(surface_job *job, surface_use *use, double fineness)
{
    surface_image image = {.width = side_of(use->across, fineness), .height = side_of(use->down, fineness)};
    image.surface = job->view.paints[job->view.elements[use->element].paint].first_stop;
    image.previous = job->last_images[image.surface];
    for (use->image = image.previous; use->image != STREAM_NONE; use->image = job->images.items[use->image].previous) {
        const surface_image *known = &job->images.items[use->image];
        if (known->width == image.width && known->height == image.height) {
            return PIETRA_OK;
        }
    }
    surface_image *added = array_push(&job->images);
    if (added == NULL) {
        return error_set_memory(job->error);
    }
    *added = image;
    use->image = job->last_images[image.surface] = (uint32_t)(job->images.count - 1);
    return PIETRA_OK;
}

static uint64_t count_texels(const surface_job *job)
{
    uint64_t count = 0;
    for (size_t i = 0; i < job->images.count; i++) {
        count += (uint64_t)job->images.items[i].width * job->images.items[i].height;
    }
    return count;
}

/* The sizes of all images, as fine as there is room for. */
static pietra_result find_images(surface_job *job)
{
    size_t bytes = job->view.header->surface_count * sizeof *job->last_images;
    job->last_images = malloc(bytes);
    if (job->last_images == NULL) {
        return error_set_memory(job->error);
    }
    double fineness = SURFACE_FINENESS;
    do {
        job->images.count = 0;
        memset(job->last_images, 0xff, bytes);
        for (size_t i = 0; i < job->uses.count; i++) {
            pietra_result result = find_image(job, &job->uses.items[i], fineness);
            if (result != PIETRA_OK) {
                return result;
            }
        }
        fineness *= 0.5;
    } while (count_texels(job) > job->texels_most && fineness > 1e-6);
    return PIETRA_OK;
}

/* ---- The stream that is made ---- */

#define COPY_ARRAY(job, name, count) \
    memcpy((job)->made->words + stream_get_header((job)->made)->name, (job)->view.name, (count) * sizeof *(job)->view.name)

/* Room for all, with what does not change. Each use gets a paint of its own and each image a level, behind those that were there. */
static pietra_result make_stream(surface_job *job)
{
    const stream_header *old = job->view.header;
    stream_header header = *old;
    uint64_t paints = old->paint_count + (uint64_t)job->uses.count, levels = old->level_count + (uint64_t)job->images.count;
    uint64_t texels = old->texel_count + count_texels(job);
    header.paint_count = (uint32_t)paints;
    header.level_count = (uint32_t)levels;
    header.texel_count = (uint32_t)texels;
    header.surface_count = 0;
    header.surface_word_count = 0;
    bool fits = paints <= STREAM_MAX_COUNT && levels <= STREAM_MAX_COUNT && texels <= STREAM_MAX_COUNT;
    uint64_t words = stream_lay_out(&header);
    job->made = fits && words <= UINT32_MAX ? stream_allocate((size_t)words) : NULL;
    if (job->made == NULL) {
        return error_set(job->error, PIETRA_ERROR_MEMORY, 0, "out of memory for pictures in the picture of %llu texels", (unsigned long long)texels);
    }
    memset(job->made->words, 0, (size_t)words * sizeof(uint32_t));
    memcpy(job->made->words, &header, sizeof header);
    COPY_ARRAY(job, elements, old->element_count);
    COPY_ARRAY(job, paths, old->path_count);
    COPY_ARRAY(job, tags, old->segment_count);
    COPY_ARRAY(job, points, 2 * (size_t)old->point_count);
    COPY_ARRAY(job, transforms, old->transform_count);
    COPY_ARRAY(job, styles, old->style_count);
    COPY_ARRAY(job, dashes, old->dash_count);
    COPY_ARRAY(job, paints, old->paint_count);
    COPY_ARRAY(job, stops, old->stop_count);
    COPY_ARRAY(job, levels, old->level_count);
    COPY_ARRAY(job, texels, old->texel_count);
    return PIETRA_OK;
}

/* Of one texel there is but one place: what is smaller than a pixel, however small, is its mean. */
static stream_paint paint_of_use(const surface_job *job, const surface_use *use)
{
    const surface_image *image = &job->images.items[use->image];
    stream_paint paint = job->view.paints[job->view.elements[use->element].paint];
    float across = image->width > 1u ? (float)image->width : 0.0f, down = image->height > 1u ? (float)image->height : 0.0f;
    paint.kind = PAINT_IMAGE;
    paint.first_stop = job->view.header->level_count + use->image;
    paint.stop_count = 1u;
    paint.a *= across;
    paint.c *= across;
    paint.e *= across;
    paint.b *= down;
    paint.d *= down;
    paint.f *= down;
    return paint;
}

static void set_paints(surface_job *job)
{
    const stream_header *header = stream_get_header(job->made);
    stream_element *elements = (stream_element *)(job->made->words + header->elements);
    stream_paint *paints = (stream_paint *)(job->made->words + header->paints);
    for (uint32_t i = 0; i < job->view.header->paint_count; i++) {
        if (paints[i].kind == PAINT_SURFACE) {
            paints[i] = (stream_paint){.kind = PAINT_SOLID};
        }
    }
    for (size_t i = 0; i < job->uses.count; i++) {
        const surface_use *use = &job->uses.items[i];
        elements[use->element].paint = job->view.header->paint_count + (uint32_t)i;
        paints[elements[use->element].paint] = paint_of_use(job, use);
    }
}

/* ---- Drawing ---- */

/* A stream of its own, for what it shows of other surfaces. */
static pietra_result copy_stream(surface_job *job, uint32_t index, pietra_stream **stream)
{
    const stream_surface *surface = &job->view.surfaces[index];
    *stream = stream_allocate(surface->word_count);
    if (*stream == NULL) {
        return error_set_memory(job->error);
    }
    memcpy((*stream)->words, job->view.surface_words + surface->first_word, surface->word_count * sizeof(uint32_t));
    return PIETRA_OK;
}

static pietra_result draw_pixels(surface_job *job, const pietra_stream *stream, const pietra_frame *frame, const pietra_target *target)
{
    surface_cache *cache = job->cache;
    pietra_stats stats = {.parts = 0};
    frame_config config;
    pietra_result result = config_of_frame(frame, target, job->error, &config);
    if (result != PIETRA_OK) {
        return result;
    }
    if (cache->cpu == NULL) {
        cache->cpu = cpu_device_create(cache->pool, NULL);
        if (cache->cpu == NULL) {
            return error_set_memory(job->error);
        }
    }
    if (cpu_takes(stream_get_header(stream), stream_view_of(stream_words(stream)).elements)) {
        return cpu_renderer_draw(cache->cpu, stream, &config, job->budget_bytes, target, job->error, &stats);
    }
    uint32_t *pixels;
    result = twin_renderer_draw(stream, &config, job->budget_bytes, NULL, job->error, &stats, &pixels);
    for (uint32_t y = 0; result == PIETRA_OK && y < target->height; y++) {
        memcpy((uint32_t *)target->pixels + (size_t)y * target->width, pixels + (size_t)y * config.target_pitch, target->width * sizeof *pixels);
    }
    if (result == PIETRA_OK) {
        free(pixels);
    }
    return result;
}

static pietra_result draw_image(surface_job *job, const surface_image *image, uint32_t *texels)
{
    const pietra_frame frame = {.transform = transform_scale(image->width, image->height)};
    const pietra_target target = {
        .width = image->width, .height = image->height, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = texels};
    surface_job inner = {.cache = job->cache, .frame = frame.transform, .budget_bytes = job->budget_bytes, .error = job->error, .work = job->work};
    pietra_stream *stream;
    inner.texels_most = SURFACE_INNER_TEXELS_MOST;
    job->work->texels += (uint64_t)image->width * image->height;
    if (++job->work->drawings > SURFACE_DRAWINGS_MOST || job->work->texels > SURFACE_WORK_MOST) {
        return error_set(job->error, PIETRA_ERROR_BUDGET, 0, "more than %u pictures in pictures, or %llu of their pixels, are to be drawn",
                         SURFACE_DRAWINGS_MOST, (unsigned long long)SURFACE_WORK_MOST);
    }
    pietra_result result = copy_stream(job, image->surface, &stream);
    if (result != PIETRA_OK) {
        return result;
    }
    inner.view = stream_view_of(stream_words(stream));
    if (inner.view.header->surface_count > 0) {
        result = run_job(&inner);
    }
    if (result == PIETRA_OK) {
        result = draw_pixels(job, inner.made != NULL ? inner.made : stream, &frame, &target);
    }
    pietra_stream_destroy(inner.made);
    pietra_stream_destroy(stream);
    return result;
}

static pietra_result draw_images(surface_job *job)
{
    const stream_header *header = stream_get_header(job->made);
    stream_level *levels = (stream_level *)(job->made->words + header->levels) + job->view.header->level_count;
    uint32_t first = job->view.header->texel_count;
    for (size_t i = 0; i < job->images.count; i++) {
        const surface_image *image = &job->images.items[i];
        levels[i] = (stream_level){image->width, image->height, first};
        pietra_result result = draw_image(job, image, job->made->words + header->texels + first);
        if (result != PIETRA_OK) {
            return result;
        }
        first += image->width * image->height;
    }
    return PIETRA_OK;
}

/* As deep as surfaces nest: the validator allows SURFACE_DEPTH_MAX. On failure nothing is made. */
static pietra_result run_job(surface_job *job)
{
    pietra_result result = find_uses(job);
    if (result == PIETRA_OK) {
        result = find_images(job);
    }
    if (result == PIETRA_OK) {
        result = make_stream(job);
    }
    if (result == PIETRA_OK) {
        set_paints(job);
        result = draw_images(job);
    }
    if (result != PIETRA_OK) {
        pietra_stream_destroy(job->made);
        job->made = NULL;
    }
    array_free(&job->uses);
    array_free(&job->images);
    free(job->last_images);
    return result;
}

pietra_result surfaces_draw(surface_cache *cache, const pietra_stream *stream, const pietra_transform *transform, uint64_t budget_bytes,
                            pietra_error *error, const pietra_stream **drawn)
{
    *drawn = stream;
    if (stream_get_header(stream)->surface_count == 0) {
        return PIETRA_OK;
    }
    pietra_transform frame = transform_of_argument(transform);
    frame.e = frame.f = 0;
    if (cache->stream_id != stream_id(stream) || memcmp(&cache->frame, &frame, sizeof frame) != 0) {
        surface_work work = {.drawings = 0};
        surface_job job = {.cache = cache, .frame = frame, .budget_bytes = budget_bytes, .error = error, .work = &work};
        job.texels_most = SURFACE_TEXELS_MOST;
        job.view = stream_view_of(stream_words(stream));
        pietra_result result = run_job(&job);
        if (result != PIETRA_OK) {
            return result;
        }
        pietra_stream_destroy(cache->drawn);
        cache->drawn = job.made;
        cache->stream_id = stream_id(stream);
        cache->frame = frame;
    }
    *drawn = cache->drawn;
    return PIETRA_OK;
}
