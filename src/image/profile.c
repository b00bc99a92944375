#include "image/library.h"
#include "image/profile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <lcms2.h>

#define FUNCTIONS(X) \
    X(cmsBuildParametricToneCurve) X(cmsCloseProfile) X(cmsCreateRGBProfile) X(cmsCreateTransform) X(cmsCreate_sRGBProfile) \
    X(cmsDeleteTransform) X(cmsDoTransform) X(cmsFreeToneCurve) X(cmsGetColorSpace) X(cmsGetProfileInfoASCII) X(cmsOpenProfileFromMem)
IMAGE_LIBRARY(IMAGE_LCMS_LIBRARY)
#define cmsBuildParametricToneCurve (*library.cmsBuildParametricToneCurve)
#define cmsCloseProfile (*library.cmsCloseProfile)
#define cmsCreateRGBProfile (*library.cmsCreateRGBProfile)
#define cmsCreateTransform (*library.cmsCreateTransform)
#define cmsCreate_sRGBProfile (*library.cmsCreate_sRGBProfile)
#define cmsDeleteTransform (*library.cmsDeleteTransform)
#define cmsDoTransform (*library.cmsDoTransform)
#define cmsFreeToneCurve (*library.cmsFreeToneCurve)
#define cmsGetColorSpace (*library.cmsGetColorSpace)
#define cmsGetProfileInfoASCII (*library.cmsGetProfileInfoASCII)
#define cmsOpenProfileFromMem (*library.cmsOpenProfileFromMem)

struct image_ink {
    cmsHTRANSFORM transform;
};

static cmsHPROFILE open_profile(const uint8_t *bytes, size_t count, cmsColorSpaceSignature space)
{
    cmsHPROFILE profile = count && count <= UINT32_MAX && library_is_open() ? cmsOpenProfileFromMem(bytes, (cmsUInt32Number)count) : NULL;
    if (profile && cmsGetColorSpace(profile) != space) {
        cmsCloseProfile(profile);
        return NULL;
    }
    return profile;
}

/* The profile that nearly all files carry changes nothing but by rounding. */
static bool is_srgb(cmsHPROFILE profile)
{
    char name[64] = "";
    cmsGetProfileInfoASCII(profile, cmsInfoDescription, cmsNoLanguage, cmsNoCountry, name, sizeof name);
    return strncmp(name, "sRGB", 4) == 0 || strncmp(name, "c2", sizeof name) == 0;
}

static cmsHTRANSFORM make_transform(cmsHPROFILE profile, cmsUInt32Number format, cmsUInt32Number flags)
{
    cmsHPROFILE srgb = cmsCreate_sRGBProfile();
    cmsHTRANSFORM transform = srgb ? cmsCreateTransform(profile, format, srgb, TYPE_RGBA_8, INTENT_PERCEPTUAL, flags) : NULL;
    if (srgb)
        cmsCloseProfile(srgb);
    return transform;
}

static void convert_pixels(cmsHPROFILE profile, image_pixels *pixels)
{
    cmsHTRANSFORM transform = make_transform(profile, TYPE_RGBA_8, cmsFLAGS_COPY_ALPHA);
    for (uint32_t y = 0; transform && y < pixels->height; y++) {
        uint8_t *row = pixels->rgba + (size_t)y * pixels->width * 4;
        cmsDoTransform(transform, row, row, pixels->width);
    }
    if (transform)
        cmsDeleteTransform(transform);
}

bool image_apply_profile(const uint8_t *bytes, size_t count, image_pixels *pixels)
{
    cmsHPROFILE profile = open_profile(bytes, count, cmsSigRgbData);
    if (!profile)
        return false;
    if (!is_srgb(profile))
        convert_pixels(profile, pixels);
    cmsCloseProfile(profile);
    return true;
}

void image_apply_space(const image_space *space, image_pixels *pixels)
{
    /* The curves of lcms2's kind 4: (a x + b) ^ g from d on, c x below. */
    static const cmsFloat64Number kinds[][5] = {
        [IMAGE_CURVE_SRGB] = { 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045 },
        [IMAGE_CURVE_VIDEO] = { 1 / 0.45, 1 / 1.099296826809442, 0.099296826809442 / 1.099296826809442, 1 / 4.5, 0.081242858298635 },
    };
    bool power = space->curve == IMAGE_CURVE_POWER;
    if (!library_is_open())
        return;
    cmsToneCurve *curve = cmsBuildParametricToneCurve(NULL, power ? 1 : 4, power ? &space->exponent : kinds[space->curve]);
    const cmsCIExyY white = { space->white[0], space->white[1], 1 };
    const cmsCIExyYTRIPLE primaries = { { space->red[0], space->red[1], 1 },
                                        { space->green[0], space->green[1], 1 },
                                        { space->blue[0], space->blue[1], 1 } };
    cmsToneCurve *curves[3] = { curve, curve, curve };
    cmsHPROFILE profile = curve ? cmsCreateRGBProfile(&white, &primaries, curves) : NULL;
    if (profile) {
        convert_pixels(profile, pixels);
        cmsCloseProfile(profile);
    }
    if (curve)
        cmsFreeToneCurve(curve);
}

image_ink *image_ink_open(const uint8_t *bytes, size_t count, bool inverted)
{
    cmsHPROFILE profile = open_profile(bytes, count, cmsSigCmykData);
    image_ink *ink = profile ? malloc(sizeof *ink) : NULL;
    if (ink) {
        ink->transform = make_transform(profile, inverted ? TYPE_CMYK_8_REV : TYPE_CMYK_8, 0);
        if (!ink->transform) {
            free(ink);
            ink = NULL;
        }
    }
    if (profile)
        cmsCloseProfile(profile);
    return ink;
}

void image_ink_convert(image_ink *ink, const uint8_t *cmyk, uint8_t *rgba, uint32_t count)
{
    cmsDoTransform(ink->transform, cmyk, rgba, count);
    for (uint32_t i = 0; i < count; i++)
        rgba[4 * i + 3] = 255;
}

void image_ink_close(image_ink *ink)
{
    if (ink)
        cmsDeleteTransform(ink->transform);
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
    tiff tiff = { bytes, count, bytes[0] == 'I' };
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
    bool mirror_x = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8; /* of the stored picture */
    bool mirror_y = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    uint32_t width = pixels->width, height = pixels->height;
    image_pixels upright;
    const char *wrong = image_allocate(turned ? height : width, turned ? width : height, UINT64_MAX, &upright);
    if (wrong)
        return wrong;
    for (uint32_t y = 0; y < upright.height; y++)
        for (uint32_t x = 0; x < upright.width; x++) {
            uint32_t from_x = turned ? y : x, from_y = turned ? x : y;
            from_x = mirror_x ? width - 1 - from_x : from_x;
            from_y = mirror_y ? height - 1 - from_y : from_y;
            memcpy(upright.rgba + ((size_t)y * upright.width + x) * 4, pixels->rgba + ((size_t)from_y * width + from_x) * 4, 4);
        }
    free(pixels->rgba);
    *pixels = upright;
    return NULL;
}
