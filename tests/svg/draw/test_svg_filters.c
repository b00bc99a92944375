/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The property filter: documents, and the effects that they must give. */
#include "svg/expect.h"

#define FILTERED "<rect x='10' y='20' width='100' height='50' filter='url(#f)'/>"
#define DRAWN "fill nonzero #000000 [] M10 20L110 20L110 70L10 70Z\n"
#define REGION " (0 15 120 75)\n"
#define BEGIN "begin_effect []" REGION
#define END DRAWN "end_effect\n"
#define F(primitives) "<filter id='f'>" primitives "</filter>" FILTERED

/* Asserts what the primitives of a filter give. */
static void assert_steps(const char *primitives, const char *steps)
{
    char content[2000], expected[2000];
    snprintf(content, sizeof content, "<filter id='f' color-interpolation-filters='sRGB'>%s</filter>" FILTERED,
             primitives);
    snprintf(expected, sizeof expected, BEGIN "%s" END, steps);
    assert_content(content, expected);
}

/* Asserts the region of a filter with these attributes. NULL: nothing is drawn. */
static void assert_region(const char *attributes, const char *region)
{
    char content[1000], expected[1000] = "";
    snprintf(content, sizeof content, "<filter id='f' %s><feFlood/></filter>" FILTERED, attributes);
    if (region)
        snprintf(expected, sizeof expected, "begin_effect [] (%s)\n flood #000000 linear\n" END, region);
    assert_content(content, expected);
}

static void test_regions(void **state)
{
    (void)state;
    assert_region("", "0 15 120 75");
    assert_region("x='.5' y='50%' width='.25' height='100%'", "60 45 85 95");
    assert_region("filterUnits='objectBoundingBox' x='0'", "10 15 130 75");
    assert_region("filterUnits='userSpaceOnUse' x='1' y='2' width='3' height='4'", "1 2 4 6");
    assert_region("filterUnits='userSpaceOnUse'", "-10 -10 110 110");
    assert_region("filterUnits='userSpaceOnUse' x='1em' y='10%' width='50%' height='1in'", "16 10 66 106");
    assert_region("filterUnits='nonsense' x='0'", "10 15 130 75");
    assert_region("x='bad' width='bad'", "0 15 120 75");
    assert_region("width='0'", NULL);
    assert_region("height='-1'", NULL);
    assert_region("filterUnits='userSpaceOnUse' x='1e200' width='1e200' y='0' height='1'", "1e+200 0 2e+200 1");
    assert_region("x='1e308' width='1e308'", NULL);
}

/* Boxes without an area give no units. */
static void test_flat_boxes(void **state)
{
    (void)state;
    assert_content("<filter id='f'><feFlood/></filter><path d='M0 0h9' stroke='red' filter='url(#f)'/>", "");
    assert_content("<filter id='f' filterUnits='userSpaceOnUse' primitiveUnits='objectBoundingBox'><feFlood/></filter>"
                   "<path d='M0 0h9' stroke='red' filter='url(#f)'/>",
                   "");
    assert_content("<filter id='f'><feFlood/></filter><g filter='url(#f)'/>", "");
    assert_content("<filter id='f' filterUnits='userSpaceOnUse' x='1' y='1' width='2' height='2'><feFlood/></filter>"
                   "<g filter='url(#f)'/>",
                   "begin_effect [] (1 1 3 3)\n flood #000000 linear\nend_effect\n");
    assert_content("<filter id='f'><feFlood/></filter><path d='M0 0h9v9' fill='none' filter='url(#f)'/>",
                   "begin_effect [] (-0.9 -0.9 9.9 9.9)\n flood #000000 linear\nend_effect\n");
}

static void test_references(void **state)
{
    (void)state;
    assert_content(FILTERED, "");
    assert_content("<filter id='f'/>" FILTERED, "");
    assert_content("<filter id='f'><desc/><rect/><feFuncR/></filter>" FILTERED, "");
    assert_content("<g id='f'><feFlood/></g>" FILTERED, "");
    assert_content("<rect width='9' height='9' filter='url(x.svg#f)'/>", "fill nonzero #000000 [] M0 0L9 0L9 9L0 9Z\n");
    assert_content("<rect width='9' height='9' filter='none'/>", "fill nonzero #000000 [] M0 0L9 0L9 9L0 9Z\n");
    assert_content("<rect width='9' height='9' filter='nonsense'/>", "fill nonzero #000000 [] M0 0L9 0L9 9L0 9Z\n");
    assert_content(FILTERED "<filter id='f'><feFlood/></filter>", BEGIN " flood #000000 linear\n" END);
}

/* Each attribute comes from the first filter of the chain that has it. */
static void test_templates(void **state)
{
    (void)state;
    assert_content("<filter id='a' x='0' y='0' primitiveUnits='objectBoundingBox'><feOffset dx='.1'/></filter>"
                   "<filter id='f' href='#a' y='.5' height='.5'><desc/></filter>" FILTERED,
                   "begin_effect [] (10 45 130 70)\n offset 10 0 linear\n" END);
    assert_content(
        "<filter id='f' href='#a'><feFlood/></filter><filter id='a' x='0' href='#f'><feTile/></filter>" FILTERED,
        "begin_effect [] (10 15 130 75)\n flood #000000 linear\n" END);
    assert_content("<g id='a' x='5'/><filter id='f' href='#a'><feFlood/></filter>" FILTERED,
                   BEGIN " flood #000000 linear\n" END);
}

static void test_subregions(void **state)
{
    (void)state;
    assert_steps("<feFlood x='20' height='5'/>", " flood #000000 (20 15 140 20)\n");
    assert_steps("<feFlood x='10%' y='10%' width='10%' height='10%'/>", " flood #000000 (10 10 20 20)\n");
    assert_steps("<feFlood width='0'/>", " flood #000000/0\n");
    assert_steps("<feOffset height='-1'/><feTile/>", " flood #000000/0\n tile\n");
    /* What the inputs cover together, but never for a tile. */
    assert_steps("<feFlood x='20' y='20' width='10' height='10' result='a'/>"
                 "<feFlood x='40' y='30' width='10' height='10' result='b'/>"
                 "<feMerge><feMergeNode in='a'/><feMergeNode in='b'/></feMerge><feOffset/><feTile/>"
                 "<feComposite in='a' in2='SourceAlpha'/><feOffset in='a' width='30'/>",
                 " flood #000000 (20 20 30 30)\n flood #000000 (40 30 50 40)\n merge 0 1 (20 20 50 40)\n"
                 " offset 0 0 (20 20 50 40)\n tile\n composite 0 0 0 0 0 < 0 alpha\n offset 0 0 < 0 (20 20 50 30)\n");
    assert_content(
        "<filter id='f' primitiveUnits='objectBoundingBox'><feFlood x='.5' y='50%' width='.25'/></filter>" FILTERED,
        BEGIN " flood #000000 linear (60 45 85 105)\n" END);
}

static void test_inputs(void **state)
{
    (void)state;
    assert_steps("<feOffset in='SourceGraphic'/><feOffset in=' SourceAlpha '/><feOffset in=''/><feOffset in='no'/>",
                 " offset 0 0 < source\n offset 0 0 < alpha\n offset 0 0\n offset 0 0\n");
    assert_steps("<feOffset result='a'/><feOffset result='a'/><feFlood/><feBlend in='a' in2='a'/>",
                 " offset 0 0\n offset 0 0\n flood #000000\n blend 0 < 1 1\n");
    assert_steps(
        "<feOffset in='a' result='a'/><feOffset in='BackgroundImage'/><feOffset in='BackgroundAlpha'/>"
        "<feOffset in='FillPaint'/><feOffset in='StrokePaint'/>",
        " offset 0 0\n offset 0 0 < source\n offset 0 0 < alpha\n offset 0 0 < source\n offset 0 0 < source\n");
    assert_steps("<feOffset result='SourceGraphic'/><feOffset in='SourceGraphic'/>",
                 " offset 0 0\n offset 0 0 < source\n");
}

/* Units of the box scale what has a length. */
static void test_primitive_units(void **state)
{
    (void)state;
    assert_content("<filter id='f' primitiveUnits='objectBoundingBox' color-interpolation-filters='sRGB'>"
                   "<feOffset dx='.1' dy='.1'/><feGaussianBlur stdDeviation='.1'/><feMorphology radius='.1 .2'/>"
                   "<feDisplacementMap in2='SourceGraphic' scale='.5' yChannelSelector='G'/>"
                   "<feDropShadow dx='.1' dy='.1' stdDeviation='.2'/>"
                   "<feTurbulence baseFrequency='.1'/>"
                   "<feDiffuseLighting><fePointLight x='.5' y='.5' z='1'/></feDiffuseLighting></filter>" FILTERED,
                   BEGIN " offset 10 5\n blur 10 5 0\n erode 10 10\n displace 50 25 3 1 < previous source\n"
                         " shadow 10 5 20 10 #000000\n turbulence 0.1 0.1 0 1 0 0\n"
                         " diffuse 1 1 1 #ffffff light 1 0,0 60,45,79.0569 0,0,0 0 0\n" END);
}

static void test_values(void **state)
{
    (void)state;
    assert_steps(
        "<feFlood flood-color='red' flood-opacity='50%'/><feFlood style='flood-color:currentColor' color='lime'/>",
        " flood #ff0000/0.5\n flood #00ff00\n");
    assert_steps("<feOffset dx='1' dy='-2.5'/><feOffset dx='1px' dy='2 3'/>", " offset 1 -2.5\n offset 0 0\n");
    assert_steps("<feMerge/><feMerge><feMergeNode/><desc/><feMergeNode in='SourceAlpha'/></feMerge>",
                 " flood #000000/0\n merge previous alpha\n");
    assert_steps(
        "<feComposite operator='arithmetic' k1='1' k2='2' k3='3' k4='4' in2='SourceGraphic'/>"
        "<feComposite operator='xor'/><feComposite operator='lighter'/><feComposite operator='XOR'/>",
        " composite 6 1 2 3 4 < previous source\n composite 4 0 0 0 0\n composite 5 0 0 0 0\n composite 0 0 0 0 0\n");
    assert_steps("<feBlend mode='screen'/><feBlend mode='color-dodge'/><feBlend mode='nonsense'/>",
                 " blend 2\n blend 6\n blend 0\n");
    assert_steps("<feColorMatrix type='saturate' values='.5'/><feColorMatrix type='saturate'/>"
                 "<feColorMatrix type='hueRotate' values='90'/><feColorMatrix type='luminanceToAlpha'/>",
                 " matrix | 0.5 1 0 0 0 | 0 0 0 0 0 | 0 0 0 0 0 | 0 0 0 0 0\n"
                 " matrix | 1 1 0 0 0 | 0 0 0 0 0 | 0 0 0 0 0 | 0 0 0 0 0\n"
                 " matrix | 90 2 0 0 0 | 0 0 0 0 0 | 0 0 0 0 0 | 0 0 0 0 0\n"
                 " matrix | 0 3 0 0 0 | 0 0 0 0 0 | 0 0 0 0 0 | 0 0 0 0 0\n");
    assert_steps("<feColorMatrix values='1,2,3,4,5 6 7 8 9 10-1-2-3-4-5 0 0 0 1 0'/><feColorMatrix values='1 2 3'/>",
                 " matrix | 1 2 3 4 5 | 6 7 8 9 10 | -1 -2 -3 -4 -5 | 0 0 0 1 0\n"
                 " matrix | 1 0 0 0 0 | 0 1 0 0 0 | 0 0 1 0 0 | 0 0 0 1 0\n");
    assert_steps("<feComponentTransfer><feFuncR type='table' tableValues='0 1'/><feFuncR type='linear' slope='2'/>"
                 "<feFuncG type='gamma' exponent='2' amplitude='.5'/><feFuncB type='table' tableValues='0 1 .5'/>"
                 "<feFuncA type='nonsense'/></feComponentTransfer>",
                 " transfer 3(2 0) 4(0.5 2 0) 1(3) 0\n");
    assert_steps("<feComponentTransfer><feFuncR type='discrete' tableValues='0 x'/><feFuncG type='linear' slope='1%'/>"
                 "</feComponentTransfer>",
                 " transfer 2(0) 3(1 0) 0 0\n");
    assert_steps("<feDisplacementMap xChannelSelector='R' yChannelSelector='B' scale='3'/><feDisplacementMap/>",
                 " displace 3 3 0 2\n displace 0 0 3 3\n");
    assert_steps("<feDropShadow/><feDropShadow dx='1' dy='0' stdDeviation='3 4' flood-color='red'/>"
                 "<feDropShadow stdDeviation='bad'/>",
                 " shadow 2 2 2 2 #000000\n shadow 1 0 3 4 #ff0000\n shadow 2 2 0 0 #000000\n");
    assert_steps("<feGaussianBlur stdDeviation='1,2'/><feGaussianBlur stdDeviation='-1' edgeMode='wrap'/>"
                 "<feGaussianBlur stdDeviation='1 2 3' edgeMode='duplicate'/><feGaussianBlur/>",
                 " blur 1 2 0\n blur -1 -1 2\n blur 0 0 1\n blur 0 0 0\n");
    assert_steps("<feMorphology radius='2' operator='dilate'/><feMorphology radius='0 2'/><feMorphology/>"
                 "<feMorphology radius='0'/><feMorphology radius='-1 2'/><feMorphology radius='1 2 3'/>",
                 " dilate 2 2\n erode 0 2\n offset 0 0\n offset 0 0\n offset 0 0\n offset 0 0\n");
    assert_steps(
        "<feTurbulence type='fractalNoise' baseFrequency='.1 .2' numOctaves='3' seed='-4.5' stitchTiles='stitch'/>"
        "<feTurbulence/><feTurbulence numOctaves='-3' baseFrequency='x'/><feTurbulence numOctaves='1e9'/>",
        " turbulence 0.1 0.2 -4.5 3 1 1\n turbulence 0 0 0 1 0 0\n turbulence 0 0 0 0 0 0\n"
        " turbulence 0 0 0 1000000000 0 0\n");
}

static void test_kernels(void **state)
{
    (void)state;
    static const char *const nothing[] = {
        "",
        "kernelMatrix='1 2 3'",
        "order='0' kernelMatrix='1'",
        "order='-1' kernelMatrix='1'",
        "order='1.5' kernelMatrix='1'",
        "order='1 2 3' kernelMatrix='1 2'",
        "order='nonsense' kernelMatrix='1 1 1 1 1 1 1 1 1'",
        "order='1000000000' kernelMatrix='1'",
        "order='1' targetX='1' kernelMatrix='1'",
        "order='1' targetY='-1' kernelMatrix='1'",
        "order='2' targetX='.5' kernelMatrix='1 1 1 1'",
        "kernelMatrix='1 1 1 1 1 1 1 1 x'",
    };
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
        char primitive[200];
        snprintf(primitive, sizeof primitive, "<feConvolveMatrix %s/>", nothing[i]);
        assert_steps(primitive, " flood #000000/0\n");
    }
    assert_steps(
        "<feConvolveMatrix kernelMatrix='1 1 1 1 1 1 1 1 1'/><feConvolveMatrix order='2 1' kernelMatrix='1 -1'/>"
        "<feConvolveMatrix order='1' kernelMatrix='2' divisor='0' edgeMode='none' preserveAlpha='true' bias='.5'/>"
        "<feConvolveMatrix order='3 2' targetX='2' targetY='0' kernelMatrix='1 1 1 1 1 1' edgeMode='wrap'/>",
        " convolve 3x3 at 1,1 /9 +0 1 0\n convolve 2x1 at 1,0 /1 +0 1 0\n convolve 1x1 at 0,0 /0 +0.5 0 1\n"
        " convolve 3x2 at 2,0 /6 +0 2 0\n");
}

static void test_lights(void **state)
{
    (void)state;
    assert_steps("<feDiffuseLighting/><feSpecularLighting><feFuncR/></feSpecularLighting>",
                 " flood #000000/0\n flood #000000/0\n");
    assert_steps("<feDiffuseLighting surfaceScale='2' diffuseConstant='3' lighting-color='red'>"
                 "<feDistantLight azimuth='10' elevation='20'/><fePointLight/></feDiffuseLighting>",
                 " diffuse 2 3 1 #ff0000 light 0 10,20 0,0,0 0,0,0 0 0\n");
    assert_steps("<feSpecularLighting specularConstant='3' specularExponent='4'><fePointLight x='1' y='10%' z='3'/>"
                 "</feSpecularLighting>",
                 " specular 1 3 4 #ffffff light 1 0,0 1,0,3 0,0,0 0 0\n");
    assert_steps("<feDiffuseLighting><feSpotLight x='1' y='2' z='3' pointsAtX='4' pointsAtY='5' pointsAtZ='6' "
                 "specularExponent='7' limitingConeAngle='8'/></feDiffuseLighting>"
                 "<feDiffuseLighting><feSpotLight/></feDiffuseLighting>"
                 "<feDiffuseLighting><feSpotLight limitingConeAngle='0'/></feDiffuseLighting>",
                 " diffuse 1 1 1 #ffffff light 2 0,0 1,2,3 4,5,6 7 8\n"
                 " diffuse 1 1 1 #ffffff light 2 0,0 0,0,0 0,0,0 1 0\n"
                 " diffuse 1 1 1 #ffffff light 2 0,0 0,0,0 0,0,0 1 1e-09\n");
}

#define SQUARE "<rect width='9' height='9' color='lime' font-size='20' filter='%s'/>"
#define SQUARE_DRAWN "fill nonzero #000000 [] M0 0L9 0L9 9L0 9Z\n"

/* Asserts what a list gives. NULL: it is in error and counts for nothing. */
static void assert_list(const char *list, const char *steps)
{
    char content[1000], expected[1000];
    snprintf(content, sizeof content, SQUARE, list);
    snprintf(expected, sizeof expected, steps ? "begin_effect []\n%s" SQUARE_DRAWN "end_effect\n" : SQUARE_DRAWN,
             steps);
    assert_content(content, expected);
}

static void test_functions(void **state)
{
    (void)state;
    assert_list("blur()", " blur 0 0 0\n");
    assert_list("BLUR( .5em )", " blur 10 10 0\n");
    assert_list("blur(calc(1px + 2px))blur(1)", " blur 3 3 0\n blur 1 1 0\n");
    assert_list("brightness(2) contrast(50%)",
                " transfer 3(2 0) 3(2 0) 3(2 0) 0\n transfer 3(0.5 0.25) 3(0.5 0.25) 3(0.5 0.25) 0\n");
    assert_list("invert() opacity(30%)", " transfer 3(-1 1) 3(-1 1) 3(-1 1) 0\n transfer 0 0 0 3(0.3 0)\n");
    assert_list("opacity(3) invert(0)", " transfer 0 0 0 3(1 0)\n transfer 3(1 0) 3(1 0) 3(1 0) 0\n");
    assert_list("grayscale(0)", " matrix | 1 0 0 0 0 | 0 1 0 0 0 | 0 0 1 0 0 | 0 0 0 1 0\n");
    assert_list("sepia(7)",
                " matrix | 0.393 0.769 0.189 0 0 | 0.349 0.686 0.168 0 0 | 0.272 0.534 0.131 0 0 | 0 0 0 1 0\n");
    assert_list("saturate(3) hue-rotate(.5turn)", " matrix | 3 1 0 0 0 | 0 0 0 0 0 | 0 0 0 0 0 | 0 0 0 0 0\n"
                                                  " matrix | 180 2 0 0 0 | 0 0 0 0 0 | 0 0 0 0 0 | 0 0 0 0 0\n");
    assert_list("drop-shadow(1px 2px)", " shadow 1 2 0 0 #00ff00\n");
    assert_list("drop-shadow(red 1 2 3)", " shadow 1 2 3 3 #ff0000\n");
    assert_list("drop-shadow(1em 2 3 rgb(0 0 255 / 50%))", " shadow 20 2 3 3 #0000ff/0.5\n");
    static const char *const bad[] = {
        "blur(-1)",
        "blur(1%)",
        "blur(1px 2px)",
        "brightness(-1)",
        "invert(x)",
        "hue-rotate(5)",
        "hue-rotate(1px)",
        "grayscale(1deg)",
        "drop-shadow()",
        "drop-shadow(1)",
        "drop-shadow(1 2 3 4)",
        "drop-shadow(1 red 2)",
        "drop-shadow(1, 2)",
        "drop-shadow(1 2 -3)",
        "drop-shadow(red red 1 2)",
        "blur(1), blur(2)",
        "blur(1) none",
        "nonsense(1)",
        "blur(1) nonsense",
        "blur(1",
    };
    for (size_t i = 0; i + 1 < sizeof bad / sizeof bad[0]; i++)
        assert_list(bad[i], NULL);
    assert_list("blur(1", " blur 1 1 0\n"); /* what is open at the end is closed */
}

/* What becomes infinite in the units of a box, or in degrees, is held like a large number, and the picture is drawn. */
static void test_infinite_products(void **state)
{
    (void)state;
    assert_content("<filter id='f' primitiveUnits='objectBoundingBox' x='0' y='0' width='1' height='1'>"
                   "<feOffset dx='1e30'/><feGaussianBlur stdDeviation='1e30'/>"
                   "<feDiffuseLighting><fePointLight x='1e308' y='-1e308' z='0'/></feDiffuseLighting></filter>"
                   "<rect width='1e150' height='1e150' filter='url(#f)'/>",
                   "begin_effect [] (0 0 1e+150 1e+150)\n offset 1e+30 0 linear\n blur 1e+30 1e+30 0 linear\n"
                   " diffuse 1 1 1 #ffffff light 1 0,0 1e+30,-1e+30,0 0,0,0 0 0 linear\n"
                   "fill nonzero #000000 [] M0 0L1e+150 0L1e+150 1e+150L0 1e+150Z\nend_effect\n");
    assert_list("hue-rotate(1e308turn)", " matrix | 1e+30 2 0 0 0 | 0 0 0 0 0 | 0 0 0 0 0 | 0 0 0 0 0\n");
}

/* The last filter is outermost. Those that show nothing are passed over if another one is there. */
static void test_lists(void **state)
{
    (void)state;
    const char *const f =
        "<filter id='f' filterUnits='userSpaceOnUse' x='1' y='1' width='2' height='2'><feTile/></filter>";
    char content[1000];
    snprintf(content, sizeof content, "%s" SQUARE, f, "blur(1) url(#f) invert(0) blur(2)");
    assert_content(content, "begin_effect []\n transfer 3(1 0) 3(1 0) 3(1 0) 0\n blur 2 2 0\n"
                            "begin_effect [] (1 1 3 3)\n tile linear\nbegin_effect []\n blur 1 1 0\n" SQUARE_DRAWN
                            "end_effect\nend_effect\nend_effect\n");
    snprintf(content, sizeof content, "%s" SQUARE, f, "url(#no) url(&quot;#f&quot;) url(x.svg#f)");
    assert_content(content, "begin_effect [] (1 1 3 3)\n tile linear\n" SQUARE_DRAWN "end_effect\n");
    assert_list("url(#no) blur(1)", " blur 1 1 0\n");
    assert_list("url(x.svg#f)", NULL);
    snprintf(content, sizeof content, SQUARE, "url(#no) url(#nor)");
    assert_content(content, "");
}

static void test_sheets(void **state)
{
    (void)state;
    const char *const blurred = "begin_effect []\n blur 3 3 0\n" SQUARE_DRAWN "end_effect\n";
    assert_content("<style>rect { --r: 3px; filter: blur(var(--r)) }</style><rect width='9' height='9'/>", blurred);
    assert_content("<style>rect { filter: blur(3px); filter: blur(3) blur }</style><rect width='9' height='9'/>",
                   blurred);
    assert_content("<g filter='blur(1)'><rect width='9' height='9' filter='inherit'/></g>",
                   "begin_effect []\n blur 1 1 0\nbegin_effect []\n blur 1 1 0\n" SQUARE_DRAWN
                   "end_effect\nend_effect\n");
    assert_content(
        "<g fill='lime' color='red'><rect width='9' height='9' filter='drop-shadow(color-mix(in srgb, currentColor, red) 0 0)'/></g>",
        "begin_effect []\n shadow 0 0 0 0 #ff0000\nfill nonzero #00ff00 [] M0 0L9 0L9 9L0 9Z\nend_effect\n");
}

/* What begins around an element begins in the order mask, clip, opacity, filter. */
static void test_order(void **state)
{
    (void)state;
    const char *const square = "<rect width='9' height='9'/>";
    char content[1000];
    snprintf(content, sizeof content,
             "<mask id='m' maskUnits='userSpaceOnUse' x='0' y='0' width='1' height='1'>%s</mask>"
             "<clipPath id='c'>%s</clipPath><g mask='url(#m)' clip-path='url(#c)' filter='blur(1)' opacity='.5'>%s</g>",
             square, square, square);
    assert_content(
        content,
        "begin_group 0.5\nbegin_mask_source 1\nbegin_clip nonzero [] M0 0L1 0L1 1L0 1Z\n" SQUARE_DRAWN
        "end_clip\nend_mask_source\nbegin_clip nonzero [] M0 0L9 0L9 9L0 9Z\nbegin_effect []\n blur 1 1 0\n" SQUARE_DRAWN
        "end_effect\nend_clip\nend_mask\nend_group\n");
    assert_content("<rect width='9' height='9' filter='blur(1)' opacity='.5'/>",
                   "begin_group 0.5\nbegin_effect []\n blur 1 1 0\n" SQUARE_DRAWN "end_effect\nend_group\n");
    assert_content("<g filter='blur(1)' opacity='.5'><rect width='9' height='9'/></g>",
                   "begin_group 0.5\nbegin_effect []\n blur 1 1 0\n" SQUARE_DRAWN "end_effect\nend_group\n");
    assert_content("<svg x='1' width='5' height='5' filter='blur(1)'><rect width='9' height='9'/></svg>",
                   "begin_effect [1 0 0 1 1 0]\n blur 1 1 0\nbegin_clip nonzero [] M1 0L6 0L6 5L1 5Z\n"
                   "fill nonzero #000000 [1 0 0 1 1 0] M0 0L9 0L9 9L0 9Z\nend_clip\nend_effect\n");
}

/* Clips and masks themselves have no filters; what stands in a mask has. */
static void test_places(void **state)
{
    (void)state;
    assert_content("<clipPath id='c' filter='blur(1)'><rect width='9' height='9' filter='blur(2)'/></clipPath>"
                   "<rect width='9' height='9' clip-path='url(#c)'/>",
                   "begin_clip nonzero [] M0 0L9 0L9 9L0 9Z\n" SQUARE_DRAWN "end_clip\n");
    assert_content(
        "<mask id='m' maskUnits='userSpaceOnUse' x='0' y='0' width='1' height='1' filter='blur(1)'>"
        "<rect width='9' height='9' filter='blur(2)'/></mask><rect width='9' height='9' mask='url(#m)'/>",
        "begin_mask_source 1\nbegin_clip nonzero [] M0 0L1 0L1 1L0 1Z\nbegin_effect []\n blur 2 2 0\n" SQUARE_DRAWN
        "end_effect\nend_clip\nend_mask_source\n" SQUARE_DRAWN "end_mask\n");
    assert_content(
        "<defs><g id='u' filter='blur(1)'/></defs><use href='#u' x='3' filter='blur(2)'/>",
        "begin_effect [1 0 0 1 3 0]\n blur 2 2 0\nbegin_effect [1 0 0 1 3 0]\n blur 1 1 0\nend_effect\nend_effect\n");
    assert_content(
        "<rect width='0' height='9' filter='blur(1)'/><rect width='9' height='9' filter='blur(1)' visibility='hidden'/>"
        "<g display='none' filter='blur(1)'/>",
        "");
    assert_document(
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9' filter='blur(1)'><rect width='9' height='9'/></svg>",
        "begin_effect []\n blur 1 1 0\n" SQUARE_DRAWN "end_effect\n");
}

#define IMAGE_FILTER(attributes) \
    "<filter id='f' filterUnits='userSpaceOnUse' x='5' y='6' width='20' height='20'><feImage " attributes "/></filter>"
#define USER "<path d='M0 0h9v9z' transform='scale(2)' filter='url(#f)'/>"
#define USER_DRAWN "fill nonzero #000000 [2 0 0 2 0 0] M0 0L9 0L9 9Z\n"
#define IMAGE_BEGIN "begin_effect [2 0 0 2 0 0] (5 6 25 26)\n image [0.5 0 0 0.5 0 0] {\n"

/* An element stands in the corner of the subregion, in the style of its own place. */
static void test_pictures(void **state)
{
    (void)state;
    assert_content(IMAGE_FILTER("href='#e'") "<defs><g fill='red'><rect id='e' width='1' height='1'/></g></defs>" USER,
                   IMAGE_BEGIN "fill nonzero #ff0000 [2 0 0 2 10 12] M0 0L1 0L1 1L0 1Z\n } linear\n" USER_DRAWN
                               "end_effect\n");
    assert_content(
        IMAGE_FILTER(
            "href='#e' x='7'") "<defs><g id='e' transform='scale(3)' opacity='.5'><rect width='1' height='1'/><rect width='1' height='1'/></g></defs>" USER,
        IMAGE_BEGIN "begin_group 0.5\nfill nonzero #000000 [6 0 0 6 14 12] M0 0L1 0L1 1L0 1Z\n"
                    "fill nonzero #000000 [6 0 0 6 14 12] M0 0L1 0L1 1L0 1Z\nend_group\n"
                    " } linear (7 6 27 26)\n" USER_DRAWN "end_effect\n");
    assert_content(IMAGE_FILTER("href='#no'") USER, IMAGE_BEGIN " } linear\n" USER_DRAWN "end_effect\n");
    assert_content(IMAGE_FILTER("") USER, IMAGE_BEGIN " } linear\n" USER_DRAWN "end_effect\n");
    assert_content(IMAGE_FILTER("href='#e' width='0'") "<rect id='e' width='1' height='1' display='none'/>" USER,
                   "begin_effect [2 0 0 2 0 0] (5 6 25 26)\n flood #000000/0\n" USER_DRAWN "end_effect\n");
}

/* Two filters in a list, each with pictures: each picture goes to its place. */
static void test_several_pictures(void **state)
{
    (void)state;
    assert_content(
        "<filter id='f' filterUnits='userSpaceOnUse' x='0' y='0' width='9' height='9'><feImage href='#a'/><feImage href='#b'/></filter>"
        "<filter id='g' filterUnits='userSpaceOnUse' x='0' y='0' width='9' height='9'><feFlood/><feImage href='#b'/></filter>"
        "<defs><path id='a' d='M0 0h1v1z'/><path id='b' d='M0 0h2v2z'/></defs>"
        "<rect width='9' height='9' filter='url(#f) url(#no) url(#g)'/>",
        "begin_effect [] (0 0 9 9)\n flood #000000 linear\n image [] {\nfill nonzero #000000 [] M0 0L2 0L2 2Z\n } linear\n"
        "begin_effect [] (0 0 9 9)\n image [] {\nfill nonzero #000000 [] M0 0L1 0L1 1Z\n } linear\n"
        " image [] {\nfill nonzero #000000 [] M0 0L2 0L2 2Z\n } linear\n" SQUARE_DRAWN "end_effect\nend_effect\n");
}

/* A filter within a picture of itself is left out. */
static void test_loops(void **state)
{
    (void)state;
    assert_content(
        "<filter id='f' filterUnits='userSpaceOnUse' x='0' y='0' width='9' height='9'><feImage href='#e'/></filter>"
        "<rect id='e' width='9' height='9' filter='url(#f)'/>",
        "begin_effect [] (0 0 9 9)\n image [] {\n" SQUARE_DRAWN " } linear\n" SQUARE_DRAWN "end_effect\n");
    assert_content(
        "<filter id='f' filterUnits='userSpaceOnUse' x='0' y='0' width='9' height='9'><feImage href='#e'/></filter>"
        "<filter id='g' filterUnits='userSpaceOnUse' x='0' y='0' width='9' height='9'><feImage href='#d'/></filter>"
        "<rect id='d' width='9' height='9' filter='url(#f)'/><defs><rect id='e' width='9' height='9' filter='url(#g)'/></defs>",
        "begin_effect [] (0 0 9 9)\n image [] {\nbegin_effect [] (0 0 9 9)\n image [] {\n" SQUARE_DRAWN
        " } linear\n" SQUARE_DRAWN "end_effect\n } linear\n" SQUARE_DRAWN "end_effect\n");
    assert_content(
        "<g id='page'><filter id='f' filterUnits='userSpaceOnUse' x='0' y='0' width='9' height='9'><feImage href='#page'/></filter>"
        "<rect width='9' height='9' filter='url(#f) blur(1)'/></g>",
        "begin_effect []\n blur 1 1 0\nbegin_effect [] (0 0 9 9)\n image [] {\nbegin_effect []\n blur 1 1 0\n" SQUARE_DRAWN
        "end_effect\n } linear\n" SQUARE_DRAWN "end_effect\nend_effect\n");
}

/* Writes `count` copies of a text behind the others. */
static void repeat(char *document, const char *piece, size_t count)
{
    char *at = document + strlen(document);
    for (size_t i = 0; i < count; i++)
        at += sprintf(at, "%s", piece);
}

/* Each use of each primitive counts, so short documents cannot ask for work without end. */
static void test_limits(void **state)
{
    (void)state;
    char *document = malloc(8 << 20);
    assert_non_null(document);
    strcpy(document, SVG_OPEN "<filter id='f'>");
    repeat(document, "<feOffset/>", 1000);
    strcat(document, "</filter>\n");
    repeat(document, "<rect width='9' height='9' filter='url(#f)'/>", 1000);
    strcat(document, "</svg>");
    assert_fails(document, strlen(document), 1, "steps");
    strcpy(document, SVG_OPEN "<filter id='f'><feMerge>");
    repeat(document, "<feMergeNode/>", 100000);
    strcat(document, "</feMerge></filter>\n");
    repeat(document, "<rect width='9' height='9' filter='url(#f)'/>", 10);
    strcat(document, "</svg>");
    assert_fails(document, strlen(document), 2, "steps");
    /* Each picture shows the next one twice. */
    strcpy(document, SVG_OPEN);
    for (int i = 0; i < 60; i++)
        sprintf(document + strlen(document),
                "\n<filter id='f%d'><feImage href='#e%d'/><feImage href='#e%d'/></filter>"
                "<rect id='e%d' width='9' height='9' filter='url(#f%d)'/>",
                i, i + 1, i + 1, i, i);
    strcat(document, "</svg>");
    pietra_scene scene = {.silent = true};
    pietra_error error = {0};
    double width, height;
    assert_int_equal(pietra_scene_load_svg(&scene, document, strlen(document), NULL, &error, &width, &height),
                     PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "steps"));
    free(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regions),          cmocka_unit_test(test_flat_boxes),
        cmocka_unit_test(test_references),       cmocka_unit_test(test_templates),
        cmocka_unit_test(test_subregions),       cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_primitive_units),  cmocka_unit_test(test_values),
        cmocka_unit_test(test_kernels),          cmocka_unit_test(test_lights),
        cmocka_unit_test(test_functions),        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_sheets),           cmocka_unit_test(test_order),
        cmocka_unit_test(test_places),           cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_several_pictures), cmocka_unit_test(test_loops),
        cmocka_unit_test(test_limits),           cmocka_unit_test(test_infinite_products),
    };
    return cmocka_run_group_tests_name("svg filters", tests, NULL, NULL);
}
