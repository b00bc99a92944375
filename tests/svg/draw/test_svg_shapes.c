/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shapes, style and structure: documents, and the calls that they must give. */
#include "svg/expect.h"

static void test_rect(void **state)
{
    (void)state;
    assert_content("<rect x='1' y='2' width='3' height='4'/>", "fill nonzero #000000 [] M1 2L4 2L4 6L1 6Z\n");
    assert_content(
        "<rect width='0' height='4'/><rect width='3'/><rect width='-3' height='4'/><rect width='x' height='3'/>", "");
    assert_content("<rect width='50%' height='1em' font-size='10'/>",
                   "fill nonzero #000000 [] M0 0L50 0L50 10L0 10Z\n");
}

/* Asserts the box of a document's only fill. Rounded corners and ellipses are compared by the points on their sides. */
static void test_round_shapes(void **state)
{
    (void)state;
    pietra_scene scene = {0};
    const char *document =
        SVG_OPEN "<rect width='20' height='10' rx='30' ry='2'/><rect width='20' height='10' ry='4'/>"
                 "<circle cx='5' r='5'/><ellipse cx='50%' cy='10' rx='4' ry='3'/><ellipse rx='4' cy='50'/></svg>";
    double width, height;
    assert_int_equal(pietra_scene_load_svg(&scene, document, strlen(document), NULL, NULL, &width, &height), PIETRA_OK);
    assert_int_equal(scene.calls, 5);
    const char *line = scene.log;
    assert_non_null(strstr(line, "M10 0")); /* rx is limited to half of the width */
    line = strchr(line, '\n') + 1;
    assert_non_null(strstr(line, "M4 0L16 0")); /* rx is taken from ry */
    line = strchr(line, '\n') + 1;
    assert_non_null(strstr(line, "10 0"));
    line = strchr(line, '\n') + 1;
    assert_non_null(strstr(line, "54 10"));
    line = strchr(line, '\n') + 1;
    assert_non_null(strstr(line, "0 54"));
    free(scene.log);
    assert_content("<circle r='0'/><circle r='-1'/><circle/><ellipse ry='0' rx='2'/><ellipse/>", "");
}

static void test_lines(void **state)
{
    (void)state;
    assert_content("<line x2='5' y2='6' stroke='red'/>", "stroke 1 butt miter 4 () 0 #ff0000 [] M0 0L5 6\n");
    assert_content("<polyline points='0,0 5,0 5,5' fill-rule='evenodd'/>", "fill evenodd #000000 [] M0 0L5 0L5 5\n");
    assert_content("<polygon points='0,0 5,0 5,5 7'/>", "fill nonzero #000000 [] M0 0L5 0L5 5Z\n");
    assert_content("<path d='M0 0H5V5'/><path d=''/><path/>", "fill nonzero #000000 [] M0 0L5 0L5 5\n");
}

static void test_paint(void **state)
{
    (void)state;
#define R "<rect width='1' height='1' "
#define P " [] M0 0L1 0L1 1L0 1Z\n"
    assert_content(R "fill='none'/>" R "fill='context-fill'/>", "");
    assert_content(R "fill='#00f8'/>", "fill nonzero #0000ff/0.533" P);
    assert_content(R "fill='qwe'/>", "fill nonzero #000000" P);
    assert_content("<g fill='red'>" R "fill='inherit'/>" R "fill='qwe'/>" R "fill='initial'/></g>",
                   "fill nonzero #ff0000" P "fill nonzero #ff0000" P "fill nonzero #000000" P);
    assert_content("<g color='lime'>" R "fill='currentColor'/></g>", "fill nonzero #00ff00" P);
    assert_content("<g color='lime' fill='currentColor'>" R "color='blue'/></g>", "fill nonzero #0000ff" P);
    assert_content(R "fill='url(#none) red'/>" R "fill='url(#none)'/>" R "fill='url(#none) none'/>" R
                     "fill='url( \"#none\" ) currentColor'/>",
                   "fill nonzero #ff0000" P "fill nonzero #000000" P);
    assert_content(R "fill='url(file.svg#a) red'/>", "fill nonzero #ff0000" P);
    assert_content(R "fill='#cd853f icc-color(acme, 0.1)'/>", "fill nonzero #cd853f" P);
    assert_content(R "fill='red' fill-opacity='50%'/>", "fill nonzero #ff0000-0.5" P);
    assert_content(R "fill-opacity='-1'/>", "");
    assert_content(R "fill-opacity='7'/>", "fill nonzero #000000" P);
}

static void test_stroke(void **state)
{
    (void)state;
#define L "<line x2='5' stroke='red' "
#define E " [] M0 0L5 0\n"
    assert_content(
        L
        "stroke-width='2' stroke-linecap='round' stroke-linejoin='bevel' stroke-miterlimit='7' stroke-opacity='.25'/>",
        "stroke 2 round bevel 7 () 0 #ff0000-0.75" E);
    assert_content(L "stroke-dasharray='1,2 3 ,4' stroke-dashoffset='-5'/>",
                   "stroke 1 butt miter 4 (1 2 3 4) -5 #ff0000" E);
    assert_content("<g font-size='10' stroke-dasharray='1em 10%' stroke-width='10%'>" L "font-size='1'/></g>",
                   "stroke 10 butt miter 4 (10 10) 0 #ff0000" E);
    assert_content("<g stroke-dasharray='1'>" L "stroke-dasharray='none'/>" L "stroke-dasharray='1,-1'/>" L
                   "stroke-dasharray='1,'/></g>",
                   "stroke 1 butt miter 4 () 0 #ff0000" E "stroke 1 butt miter 4 (1) 0 #ff0000" E
                   "stroke 1 butt miter 4 (1) 0 #ff0000" E);
    assert_content(L "stroke-width='0'/>" L "stroke-width='-1' stroke-miterlimit='-1'/>",
                   "stroke 1 butt miter 4 () 0 #ff0000" E);
    assert_content(L "stroke-miterlimit='.5'/>", "stroke 1 butt miter 1 () 0 #ff0000" E);
    assert_content(L "stroke-width='1e400'/>", "stroke 1 butt miter 4 () 0 #ff0000" E);
}

static void test_order_and_opacity(void **state)
{
    (void)state;
#define S "stroke 1 butt miter 4 () 0 #ff0000"
    assert_content(R "stroke='red'/>", "fill nonzero #000000" P S P);
    assert_content(R "stroke='red' paint-order='stroke'/>", S P "fill nonzero #000000" P);
    assert_content(R "stroke='red' paint-order='markers stroke'/>", S P "fill nonzero #000000" P);
    assert_content(R "stroke='red' opacity='.5'/>", "begin_group 0.5\nfill nonzero #000000" P S P "end_group\n");
    assert_content(R "opacity='.5' fill-opacity='.5'/>", "fill nonzero #000000-0.75" P);
    assert_content(R "fill='none' stroke='red' opacity='.5'/>", S "-0.5" P);
    assert_content(R "opacity='0'/>", "");
    assert_content("<g opacity='.5'>" R "/></g>", "fill nonzero #000000-0.5" P);
    assert_content("<g opacity='.5'><title/><g opacity='.5'>" R "stroke='red'/></g></g>",
                   "begin_group 0.25\nfill nonzero #000000" P S P "end_group\n");
    assert_content("<g opacity='.5'>" R "/>" R "/></g>",
                   "begin_group 0.5\nfill nonzero #000000" P "fill nonzero #000000" P "end_group\n");
}

static void test_style_attribute(void **state)
{
    (void)state;
    assert_content(R "fill='red' style='fill:lime'/>", "fill nonzero #00ff00" P);
    assert_content(R "style='fill:lime' fill='red'/>", "fill nonzero #00ff00" P);
    assert_content(R "style='fill:lime !important; fill:red'/>", "fill nonzero #00ff00" P);
    assert_content(R "style='fill:lime; fill:qwe; foo:bar; FILL-OPACITY:.5;;'/>", "fill nonzero #00ff00-0.5" P);
    assert_content(R "style='/* fill:red; */ fill: /*;*/ lime /*/; fill:red */'/>", "fill nonzero #00ff00" P);
    assert_content(R "style=\"fill:url('#a;b') lime; fill-opacity: .5\"/>", "fill nonzero #00ff00-0.5" P);
    assert_content("<rect x='7' width='9' height='2' style='x:1px;y:2px;width:3px;height:4px'/>",
                   "fill nonzero #000000 [] M1 2L4 2L4 6L1 6Z\n");
    assert_content(
        "<style>rect{x:1px;y:2PX;width:3%;height:4px!important;rx:auto}</style><rect x='7' width='9' style='height:9px'/>",
        "fill nonzero #000000 [] M1 2L4 2L4 6L1 6Z\n");
    assert_content("<rect x='1' y='2' width='3' height='4' style='x:7;y:auto;width:-5px;height:red;r:5px;cx:6px'/>",
                   "fill nonzero #000000 [] M1 2L4 2L4 6L1 6Z\n");
    assert_content("<rect width='3' height='4' style='width:auto'/><circle r='5' style='r:0'/><ellipse style='rx:0'/>",
                   "");
    assert_content("<defs><path id='p' d='M0 0H1V1Z'/></defs><use href='#p' style='x:2px;y:3px'/>",
                   "fill nonzero #000000 [1 0 0 1 2 3] M0 0L1 0L1 1Z\n");
    assert_content(R "style='transform:translate(2px,3px)'/>",
                   "fill nonzero #000000 [1 0 0 1 2 3] M0 0L1 0L1 1L0 1Z\n");
}

static void test_display_and_visibility(void **state)
{
    (void)state;
    assert_content("<g display='none'>" R "display='inline'/></g>", "");
    assert_content("<g visibility='hidden'>" R "/>" R "visibility='visible'/></g>", "fill nonzero #000000" P);
    assert_content(R "visibility='collapse'/>", "");
}

static void test_transforms(void **state)
{
    (void)state;
    assert_content("<g transform='translate(5,6)'><g transform='scale(2)'>" R "transform='rotate(90)'/></g></g>",
                   "fill nonzero #000000 [0 2 -2 0 5 6] M0 0L1 0L1 1L0 1Z\n");
    assert_content("<g transform='scale(0)'>" R "/></g>" R "transform='matrix(1 1 1 1 0 0)'/>", "");
    assert_content(R "transform='qwe'/>", "fill nonzero #000000" P);
    assert_content(R "transform='scale(2)' transform-origin='50% 10'/>",
                   "fill nonzero #000000 [2 0 0 2 -50 -10] M0 0L1 0L1 1L0 1Z\n");
    assert_content(R "transform='scale(2)' transform-origin='bottom'/>",
                   "fill nonzero #000000 [2 0 0 2 -50 -100] M0 0L1 0L1 1L0 1Z\n");
}

static void test_structure(void **state)
{
    (void)state;
    assert_content("<defs>" R "/></defs><symbol>" R "/></symbol><a>" R "/></a><qwe>" R "/></qwe>",
                   "fill nonzero #000000" P);
    assert_content("<o:rect xmlns:o='urn:other' width='1' height='1'/><inkscape:x/><sodipodi:y sodipodi:z='1'>" R
                   "/></sodipodi:y>",
                   "");
    assert_content("<switch>" R "fill='red' systemLanguage='de'/>" R "fill='lime' systemLanguage='fr, en-GB'/>" R
                   "/></switch>",
                   "fill nonzero #00ff00" P);
    assert_content(R "requiredExtensions='http://x'/>", "");
    assert_content(R "requiredFeatures='http://x#Shape'/>", "");
    assert_content(R "requiredFeatures='http://www.w3.org/TR/SVG11/feature#Extensibility'/>", "");
}

static void test_viewports(void **state)
{
    (void)state;
#define SVG "<svg xmlns='http://www.w3.org/2000/svg' "
    assert_document(SVG "width='200' height='100' viewBox='0 0 50 50'>" R "/></svg>",
                    "fill nonzero #000000 [2 0 0 2 50 0] M0 0L1 0L1 1L0 1Z\n");
    assert_document(SVG "width='200' height='100' viewBox='10 0 50 50' preserveAspectRatio='none'>" R "/></svg>",
                    "fill nonzero #000000 [4 0 0 2 -40 0] M0 0L1 0L1 1L0 1Z\n");
    assert_document(SVG "width='200' height='100' viewBox='0 0 50 50' preserveAspectRatio='xMaxYMax slice'>" R
                        "/></svg>",
                    "fill nonzero #000000 [4 0 0 4 0 -100] M0 0L1 0L1 1L0 1Z\n");
    assert_document(SVG "width='200' height='100' viewBox='0,0,50,50' preserveAspectRatio='xMinYMid meet'>" R
                        "/></svg>",
                    "fill nonzero #000000 [2 0 0 2 0 0] M0 0L1 0L1 1L0 1Z\n");
    assert_document(SVG "width='200' height='100' viewBox='0 0 50 0'>" R "/></svg>", "");
    assert_document(SVG "width='200' height='100' viewBox='0 0 50 -1'>" R "/></svg>", "fill nonzero #000000" P);
    /* A nested viewport clips, and percentages refer to its viewBox. */
    assert_content(
        "<svg x='10' width='50%' height='20' viewBox='0 0 100 40'><rect width='50%' height='50%'/></svg>",
        "begin_clip nonzero [] M10 0L60 0L60 20L10 20Z\nfill nonzero #000000 [0.5 0 0 0.5 10 0] M0 0L50 0L50 20L0 20Z\nend_clip\n");
    assert_content("<svg width='10' height='20' overflow='visible'>" R "/></svg>", "fill nonzero #000000" P);
    assert_content("<svg width='0' height='20'>" R "/></svg>", "");
}

static void assert_size(const char *attributes, double width, double height)
{
    char document[300];
    pietra_scene scene = {.silent = true};
    double got_width, got_height;
    snprintf(document, sizeof document, SVG "%s/>", attributes);
    assert_int_equal(pietra_scene_load_svg(&scene, document, strlen(document), NULL, NULL, &got_width, &got_height),
                     PIETRA_OK);
    assert_float_equal(got_width, width, 1e-12);
    assert_float_equal(got_height, height, 1e-12);
}

static void test_size(void **state)
{
    (void)state;
    assert_size("width='30' height='1in'", 30, 96);
    assert_size("viewBox='5 5 30 40'", 30, 40);
    assert_size("", 300, 150);
    assert_size("width='50%' height='200%' viewBox='0 0 30 40'", 15, 80);
    assert_size("width='-5' height='10'", 300, 10);
    assert_size("font-size='10' width='2em' height='10'", 20, 10);
    /* The other side follows from one side and the viewBox. */
    assert_size("width='100' viewBox='3 4 50 25'", 100, 50);
    assert_size("height='1in' viewBox='0 0 50 25'", 192, 96);
    assert_size("width='10%' viewBox='0 0 50 25'", 5, 2.5);
    assert_size("width='100' height='-1' viewBox='0 0 50 25'", 100, 50);
    assert_size("width='100' height='auto' viewBox='0 0 50 25'", 100, 50);
    assert_size("width='100'", 100, 150);
    assert_size("width='100' viewBox='0 0 50 0'", 100, 150);
    const char *document = SVG "width='50%' height='1in'/>";
    const pietra_svg_options options = {.dpi = 72, .viewport_width = 500};
    pietra_scene scene = {.silent = true};
    double width, height;
    assert_int_equal(pietra_scene_load_svg(&scene, document, strlen(document), &options, NULL, &width, &height),
                     PIETRA_OK);
    assert_true(width == 250 && height == 72);
}

static void test_use(void **state)
{
    (void)state;
    assert_content(
        "<defs><rect id='a' width='1' height='1'/></defs><use href='#a' x='2' y='3' fill='red' transform='scale(2)'/>",
        "fill nonzero #ff0000 [2 0 0 2 4 6] M0 0L1 0L1 1L0 1Z\n");
    assert_content("<g fill='lime'><rect id='a' width='1' height='1'/></g><use xlink:href='#a'/>",
                   "fill nonzero #00ff00" P "fill nonzero #000000" P);
    assert_content("<g opacity='.5'><use href='#b'/></g><defs><g id='b'>" R "/></g></defs>",
                   "fill nonzero #000000-0.5" P);
    assert_content("<use href='#nothing'/><use/><use href='file.svg#a'/><use href='#l'/><linearGradient id='l'/>", "");
    assert_content(
        "<use href='#s' width='10' height='10'/><symbol id='s' viewBox='0 0 5 5'>" R "/></symbol>",
        "begin_clip nonzero [] M0 0L10 0L10 10L0 10Z\nfill nonzero #000000 [2 0 0 2 0 0] M0 0L1 0L1 1L0 1Z\nend_clip\n");
    assert_content(
        "<use href='#s' x='5'/><defs><svg id='s' width='7' height='8' overflow='visible'><rect width='100%' height='1'/></svg></defs>",
        "fill nonzero #000000 [1 0 0 1 5 0] M0 0L7 0L7 1L0 1Z\n");
    assert_content("<use href='#s' width='3'/><defs><svg id='s' width='7' height='8' overflow='visible'>"
                   "<rect width='100%' height='100%'/></svg></defs>",
                   "fill nonzero #000000 [] M0 0L3 0L3 8L0 8Z\n");
    assert_content(
        "<rect id='a' width='1' height='1'/><rect id='a' width='9' height='9' display='none'/><use href='#a' fill='red'/>",
        "fill nonzero #000000" P "fill nonzero #ff0000" P);
}

static void test_use_loops(void **state)
{
    (void)state;
    assert_content("<use id='a' href='#a'/>", "");
    assert_content("<use id='a' href='#b'/><use id='b' href='#a'/>", "");
    assert_content("<g id='a'>" R "/><use href='#a'/></g>", "fill nonzero #000000" P);
    assert_content("<g id='a'><use href='#b'/></g><g id='b'>" R "/><use href='#a'/></g>", "fill nonzero #000000" P);
    /* From outside the loop the reference is valid. */
    assert_content("<defs><g id='a'>" R "/><use href='#a'/></g></defs><use href='#a'/>", "fill nonzero #000000" P);
}

/* SVG 2 (10.3) starts a circle on the right, turns it clockwise in four arcs, and closes it where it began. Markers
 * stand at each of these six vertices. */
#define MARKER(transform) "fill nonzero #000000 " transform " M0 0L1 0L0 1\n"

static void test_circle_markers(void **state)
{
    (void)state;
    assert_content(
        "<marker id='m' orient='auto' markerUnits='userSpaceOnUse' overflow='visible'><path d='M0 0L1 0L0 1'/></marker>"
        "<circle cx='50' cy='40' r='10' fill='none' style='marker:url(#m)'/>",
        MARKER("[0 1 -1 0 60 40]") MARKER("[-1 0 0 -1 50 50]") MARKER("[0 -1 1 0 40 40]") MARKER("[1 0 0 1 50 30]")
            MARKER("[0 1 -1 0 60 40]") MARKER("[0 1 -1 0 60 40]"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rect),
        cmocka_unit_test(test_round_shapes),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_paint),
        cmocka_unit_test(test_stroke),
        cmocka_unit_test(test_order_and_opacity),
        cmocka_unit_test(test_style_attribute),
        cmocka_unit_test(test_display_and_visibility),
        cmocka_unit_test(test_transforms),
        cmocka_unit_test(test_structure),
        cmocka_unit_test(test_viewports),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_use),
        cmocka_unit_test(test_use_loops),
        cmocka_unit_test(test_circle_markers),
    };
    return cmocka_run_group_tests_name("svg shapes", tests, NULL, NULL);
}
