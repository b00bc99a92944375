/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "image/profile.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <lcms2_plugin.h>

#include "image/library.h"

#define MATRIX_WORK 70000 /* pixels that take as long as its transform */
#define TABLE_WORK 700000
#define MOST_BYTES ((size_t)128 << 20) /* for what lcms2 makes of a profile */

/* clang-format off */
#define FUNCTIONS(X) \
    X(cmsBuildParametricToneCurve) X(cmsCreateContext) X(cmsCreateRGBProfileTHR) X(cmsCreateTransformTHR) \
    X(cmsCreate_sRGBProfileTHR) X(cmsDeleteContext) X(cmsDoTransform) X(cmsGetColorSpace) X(cmsGetContextUserData) \
    X(cmsGetProfileInfoASCII) X(cmsIsMatrixShaper) X(cmsOpenProfileFromMemTHR)
/* clang-format on */
IMAGE_LIBRARY(IMAGE_LCMS_LIBRARY)

/* ---- Memory ---- */

/* lcms2 2.14 crashes when some of its allocations fail. So we provide its memory: an allocation that fails ends all
 * work in progress, and everything that the work holds is freed at once, as it is after success. */
typedef struct color_block color_block;
struct color_block {
    color_block *previous, *next; /* blocks of the same work, in a ring */
    size_t byte_count;
    _Alignas(max_align_t) char bytes[];
};

/* Work on one profile, on one thread. */
typedef struct color_work {
    cmsContext context;
    color_block *newest;
    size_t bytes_left;
    bool guarded; /* `failed` is a valid target of longjmp */
    jmp_buf failed;
} color_work;

static void link_block(color_work *work, color_block *block)
{
    block->previous = work ? work->newest : NULL;
    block->next = NULL;
    if (block->previous)
        block->previous->next = block;
    if (work)
        work->newest = block;
}

static void unlink_block(color_work *work, const color_block *block)
{
    if (block->previous)
        block->previous->next = block->next;
    if (block->next)
        block->next->previous = block->previous;
    else if (work && work->newest == block)
        work->newest = block->previous;
}

static void *resize(cmsContext context, void *bytes, cmsUInt32Number byte_count)
{
    color_work *work = library.cmsGetContextUserData(context); /* NULL: the context itself is still being made */
    color_block *block = bytes ? (color_block *)((char *)bytes - offsetof(color_block, bytes)) : NULL, *grown = NULL;
    size_t had = block ? block->byte_count : 0;
    if (block)
        unlink_block(work, block);
    if (!work || byte_count <= work->bytes_left + had)
        grown = realloc(block, sizeof *grown + byte_count);
    if (!grown) {
        if (block)
            link_block(work, block);
        if (work && work->guarded)
            longjmp(work->failed, 1);
        return NULL;
    }
    if (work)
        work->bytes_left = work->bytes_left + had - byte_count;
    grown->byte_count = byte_count;
    link_block(work, grown);
    return grown->bytes;
}

static void *allocate(cmsContext context, cmsUInt32Number byte_count)
{
    return resize(context, NULL, byte_count);
}

static void release(cmsContext context, void *bytes)
{
    color_work *work = library.cmsGetContextUserData(context);
    color_block *block = bytes ? (color_block *)((char *)bytes - offsetof(color_block, bytes)) : NULL;
    if (!block)
        return;
    unlink_block(work, block);
    if (work)
        work->bytes_left += block->byte_count;
    free(block);
}

/* One thread uses a context, so its profiles need no locks. */
static void *make_lock(cmsContext context)
{
    return context;
}

static void drop_lock(cmsContext context, void *lock)
{
    (void)context;
    (void)lock;
}

static cmsBool take_lock(cmsContext context, void *lock)
{
    drop_lock(context, lock);
    return TRUE;
}

/* Returns false if memory is short or there is no library. */
static bool begin_work(color_work *work)
{
    cmsPluginMutex locks = {
        {cmsPluginMagicNumber, LCMS_VERSION, cmsPluginMutexSig, NULL}, make_lock, drop_lock, take_lock, drop_lock};
    cmsPluginMemHandler memory = {
        .base = {cmsPluginMagicNumber, LCMS_VERSION, cmsPluginMemHandlerSig, &locks.base},
        .MallocPtr = allocate,
        .FreePtr = release,
        .ReallocPtr = resize,
    };
    *work = (color_work){.bytes_left = MOST_BYTES};
    work->context = library_is_open() ? library.cmsCreateContext(&memory, work) : NULL;
    return work->context != NULL;
}

static void end_work(color_work *work)
{
    work->guarded = false;
    library.cmsDeleteContext(work->context);
    while (work->newest) {
        color_block *block = work->newest;
        work->newest = block->previous;
        free(block);
    }
}

/* ---- Profiles ---- */

struct image_ink {
    color_work work;
    cmsHTRANSFORM transform;
};

static cmsHPROFILE open_profile(const color_work *work, const uint8_t *bytes, size_t count,
                                cmsColorSpaceSignature space)
{
    cmsHPROFILE profile =
        count <= UINT32_MAX ? library.cmsOpenProfileFromMemTHR(work->context, bytes, (cmsUInt32Number)count) : NULL;
    return profile && library.cmsGetColorSpace(profile) == space ? profile : NULL;
}

/* Nearly all files have this profile. It would change nothing but by rounding. */
static bool is_srgb(cmsHPROFILE profile)
{
    char name[64] = "";
    library.cmsGetProfileInfoASCII(profile, cmsInfoDescription, cmsNoLanguage, cmsNoCountry, name, sizeof name);
    return strncmp(name, "sRGB", 4) == 0 || strncmp(name, "c2", sizeof name) == 0;
}

static cmsHTRANSFORM make_transform(const color_work *work, cmsHPROFILE profile, cmsUInt32Number format,
                                    cmsUInt32Number flags)
{
    cmsHPROFILE srgb = library.cmsCreate_sRGBProfileTHR(work->context);
    return srgb ? library.cmsCreateTransformTHR(work->context, profile, format, srgb, TYPE_RGBA_8, INTENT_PERCEPTUAL,
                                                flags)
                : NULL;
}

/* Charges for making a transform and applying it, which cost more where the profile has a table. */
static bool is_affordable(cmsHPROFILE profile, image_pixels *pixels)
{
    const uint64_t area = (uint64_t)pixels->width * pixels->height;
    return image_work(pixels, library.cmsIsMatrixShaper(profile) ? MATRIX_WORK + area / 2 : TABLE_WORK + area);
}

static void convert_pixels(const color_work *work, cmsHPROFILE profile, image_pixels *pixels)
{
    if (!is_affordable(profile, pixels))
        return;
    cmsHTRANSFORM transform = make_transform(work, profile, TYPE_RGBA_8, cmsFLAGS_COPY_ALPHA);
    for (uint32_t y = 0; transform && y < pixels->height; y++) {
        uint8_t *row = pixels->rgba + (size_t)y * pixels->width * 4;
        library.cmsDoTransform(transform, row, row, pixels->width);
    }
}

bool image_apply_profile(const uint8_t *bytes, size_t count, image_pixels *pixels)
{
    color_work work;
    volatile bool opened = false;
    if (count == 0 || !begin_work(&work))
        return false;
    if (setjmp(work.failed) == 0) {
        work.guarded = true;
        cmsHPROFILE profile = open_profile(&work, bytes, count, cmsSigRgbData);
        opened = profile != NULL;
        if (profile && !is_srgb(profile))
            convert_pixels(&work, profile, pixels);
    }
    end_work(&work);
    return opened;
}

/* Returns NULL if lcms2 makes no profile of it. */
static cmsHPROFILE make_profile(const color_work *work, const image_space *space)
{
    /* Curves of lcms2's type 4: (a x + b) ^ g from d on, c x below. */
    static const cmsFloat64Number kinds[][5] = {
        [IMAGE_CURVE_SRGB] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045},
        [IMAGE_CURVE_VIDEO] = {1 / 0.45, 1 / 1.099296826809442, 0.099296826809442 / 1.099296826809442, 1 / 4.5,
                               0.081242858298635},
    };
    bool power = space->curve == IMAGE_CURVE_POWER;
    cmsToneCurve *curve = library.cmsBuildParametricToneCurve(work->context, power ? 1 : 4,
                                                              power ? &space->exponent : kinds[space->curve]);
    const cmsCIExyY white = {space->white[0], space->white[1], 1};
    const cmsCIExyYTRIPLE primaries = {
        {space->red[0], space->red[1], 1}, {space->green[0], space->green[1], 1}, {space->blue[0], space->blue[1], 1}};
    cmsToneCurve *curves[3] = {curve, curve, curve};
    return curve ? library.cmsCreateRGBProfileTHR(work->context, &white, &primaries, curves) : NULL;
}

void image_apply_space(const image_space *space, image_pixels *pixels)
{
    color_work work;
    if (!begin_work(&work))
        return;
    if (setjmp(work.failed) == 0) {
        work.guarded = true;
        cmsHPROFILE profile = make_profile(&work, space);
        if (profile)
            convert_pixels(&work, profile, pixels);
    }
    end_work(&work);
}

image_ink *image_ink_open(const uint8_t *bytes, size_t count, bool inverted, image_pixels *pixels)
{
    image_ink *ink = count ? malloc(sizeof *ink) : NULL;
    if (!ink || !begin_work(&ink->work)) {
        free(ink);
        return NULL;
    }
    ink->transform = NULL;
    if (setjmp(ink->work.failed) == 0) {
        ink->work.guarded = true;
        cmsHPROFILE profile = open_profile(&ink->work, bytes, count, cmsSigCmykData);
        ink->transform = profile && is_affordable(profile, pixels)
                             ? make_transform(&ink->work, profile, inverted ? TYPE_CMYK_8_REV : TYPE_CMYK_8, 0)
                             : NULL;
    }
    ink->work.guarded = false;
    if (ink->transform)
        return ink;
    image_ink_close(ink);
    return NULL;
}

void image_ink_convert(image_ink *ink, const uint8_t *cmyk, uint8_t *rgba, uint32_t count)
{
    library.cmsDoTransform(ink->transform, cmyk, rgba, count);
    for (uint32_t i = 0; i < count; i++)
        rgba[4 * i + 3] = 255;
}

void image_ink_close(image_ink *ink)
{
    if (ink)
        end_work(&ink->work);
    free(ink);
}

/* ---- Orientation ---- */

typedef struct tiff {
    const uint8_t *bytes;
    size_t count;
    bool little;
} tiff;

static uint32_t read_number(const tiff *tiff, size_t at, unsigned size)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value = value << 8 | tiff->bytes[tiff->little ? at + size - 1 - i : at + i];
    return value;
}

unsigned image_find_orientation(const uint8_t *bytes, size_t count)
{
    if (count < 8 || (memcmp(bytes, "II*\0", 4) != 0 && memcmp(bytes, "MM\0*", 4) != 0))
        return 1;
    tiff tiff = {bytes, count, bytes[0] == 'I'};
    size_t at = read_number(&tiff, 4, 4);
    if (at > count - 2)
        return 1;
    uint32_t entries = read_number(&tiff, at, 2);
    for (at += 2; entries > 0 && at + 12 <= count; at += 12, entries--)
        if (read_number(&tiff, at, 2) == 0x0112) {
            uint32_t value = read_number(&tiff, at + 8, 2);
            return value >= 1 && value <= 8 ? value : 1;
        }
    return 1;
}

const char *image_apply_orientation(unsigned orientation, image_pixels *pixels)
{
    if (orientation <= 1 || orientation > 8)
        return NULL;
    bool turned = orientation >= 5;
    bool mirror_x = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8; /* of the stored
                                                                                                   * picture */
    bool mirror_y = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    uint32_t width = pixels->width, height = pixels->height;
    image_pixels upright = {.most_work = pixels->most_work};
    const char *wrong = image_allocate(turned ? height : width, turned ? width : height, UINT64_MAX, &upright);
    if (wrong)
        return wrong;
    for (uint32_t y = 0; y < upright.height; y++)
        for (uint32_t x = 0; x < upright.width; x++) {
            uint32_t from_x = turned ? y : x, from_y = turned ? x : y;
            from_x = mirror_x ? width - 1 - from_x : from_x;
            from_y = mirror_y ? height - 1 - from_y : from_y;
            memcpy(upright.rgba + ((size_t)y * upright.width + x) * 4,
                   pixels->rgba + ((size_t)from_y * width + from_x) * 4, 4);
        }
    upright.work = pixels->work;
    free(pixels->rgba);
    *pixels = upright;
    return NULL;
}
