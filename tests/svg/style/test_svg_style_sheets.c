/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which rules of a style sheet apply: those that do paint a rectangle lime. */
#include "svg/style/rule.h"

static void assert_query(const char *query, bool holds)
{
    char rule[200];
    snprintf(rule, sizeof rule, "@media %s{rect{fill:lime}}", query);
    assert_rule(rule, holds);
}

/* Our screen has 8 bits of colour. */
static void test_media_ranges(void **state)
{
    (void)state;
    assert_query("(color &gt; 8)", false);
    assert_query("(color &lt; 8)", false);
    assert_query("(color &gt;= 8)", true);
    assert_query("(color &lt;= 8)", true);
    assert_query("(color = 8)", true);
    assert_query("(7 &lt; color)", true);
    assert_query("(8 &lt; color)", false);
    assert_query("(8 &lt;= color &lt; 9)", true);
    assert_query("(9 &gt; color &gt; 8)", false);
    assert_query("(7 &lt; color &gt; 7)", false);
    assert_query("(color &gt; = 8)", false);
    assert_query("(min-color: 8)", true);
    assert_query("(max-color: 8)", true);
    assert_query("(max-color: 7)", false);
    assert_query("(grid: 0)", true);
    assert_query("(grid)", false);
}

/* If nothing gives a document a viewport, its outermost element does. */
static void test_media_sizes(void **state)
{
    (void)state;
    assert_query("(width: 100px)", true);
    assert_query("(height &gt;= 101px)", false);
    assert_query("(aspect-ratio: 1/1) and (orientation: portrait)", true);
    assert_content(
        "<style media='(min-width:101px)'>rect{fill:red}</style><style media='(min-width:100px)'>rect{fill:lime}</style>"
        "<rect width='1' height='1'/>",
        "fill nonzero #00ff00 [] M0 0L1 0L1 1L0 1Z\n");
    assert_document("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 20'><style>"
                    "@media (width: 40px) and (height: 20px) {rect{fill:lime}}</style>"
                    "<rect width='1' height='1'/></svg>",
                    "fill nonzero #00ff00 [] M0 0L1 0L1 1L0 1Z\n");
    assert_document(
        "<svg xmlns='http://www.w3.org/2000/svg' width='80' viewBox='0 0 40 20'><style>@media (height: 40px) {rect{fill:lime}}</style>"
        "<rect width='1' height='1'/></svg>",
        "fill nonzero #00ff00 [2 0 0 2 0 0] M0 0L1 0L1 1L0 1Z\n");
}

/* A hash that could not be an identifier selects nothing, and makes its rule invalid. */
static void test_hashes(void **state)
{
    (void)state;
    assert_content("<style>#\\31r{fill:lime}</style><rect id='1r' width='1' height='1'/>",
                   "fill nonzero #00ff00 [] M0 0L1 0L1 1L0 1Z\n");
    assert_content("<style>#1r{fill:lime}</style><rect id='1r' width='1' height='1'/>",
                   "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n");
    assert_content("<style>#-{fill:lime}</style><rect id='-' width='1' height='1'/>",
                   "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n");
    assert_content("<style>#-1{fill:lime}</style><rect id='-1' width='1' height='1'/>",
                   "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n");
    assert_content("<style>#--{fill:lime}</style><rect id='--' width='1' height='1'/>",
                   "fill nonzero #00ff00 [] M0 0L1 0L1 1L0 1Z\n");
    assert_rule("#a, #1{fill:lime}", false);
}

static void test_forgiving_lists(void **state)
{
    (void)state;
    assert_rule(":is(.k,){fill:lime}", true);
    assert_rule(":is(.k,!x){fill:lime}", true);
    assert_rule(":is(:foo(1, .q),.k){fill:lime}", true);
    assert_rule(":where(:foo(1),,.k){fill:lime}", true);
    assert_rule(":is(:is(,.k),#1){fill:lime}", true);
    assert_rule(":is(:foo(.k)){fill:lime}", false);
    assert_rule(":is(), .k{fill:lime}", true);
    assert_rule(":is(){fill:lime}", false);
    assert_rule("rect:not(:is(!x)){fill:lime}", true);
    assert_rule("rect:not(.z,){fill:lime}", false);
}

/* In CSS an angle has a unit. If the property is invalid, the attribute counts. */
static void test_angles(void **state)
{
    (void)state;
#define TURNED(transform) "<rect width='1' height='1' transform='scale(2)' style='transform:" transform "'/>"
#define AS(matrix) "fill nonzero #000000 [" matrix "] M0 0L1 0L1 1L0 1Z\n"
    assert_content("<rect width='1' height='1' transform='rotate(90)'/>", AS("0 1 -1 0 0 0"));
    assert_content(TURNED("rotate(90deg)"), AS("0 1 -1 0 0 0"));
    assert_content(TURNED("rotate(90)"), AS("2 0 0 2 0 0"));
    assert_content(TURNED("translate(10%) rotate(90)"), AS("2 0 0 2 0 0"));
    assert_content(TURNED("skewX(45)"), AS("2 0 0 2 0 0"));
    assert_content(TURNED("rotate(90deg, 1, 2)"), AS("2 0 0 2 0 0"));
    assert_content(TURNED("rotate(calc(60deg + 0.5turn / 6))"), AS("0 1 -1 0 0 0"));
    assert_content(TURNED("scale(calc(2*5))"), AS("10 0 0 10 0 0"));
    assert_content(TURNED("scale(max(2, 3), calc(4px))"), AS("2 0 0 2 0 0"));
    assert_content(TURNED("rotate(calc(90))"), AS("2 0 0 2 0 0"));
    assert_content(TURNED("rotate(0) scale(3)"), AS("3 0 0 3 0 0"));
    assert_content(TURNED("rotate(0.25turn) translateX(1in)"), AS("0 1 -1 0 0 96"));
    assert_content(TURNED("scale (3)"), AS("2 0 0 2 0 0"));
}

static void assert_part(const char *part, const char *value, bool occurs)
{
    char content[300];
    snprintf(content, sizeof content,
             "<style>[data-x*=%s]{fill:lime}</style><rect data-x=\"%s\" width='1' height='1'/>", part, value);
    assert_content(content, occurs ? "fill nonzero #00ff00 [] M0 0L1 0L1 1L0 1Z\n"
                                   : "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n");
}

/* If a match fails, its end may be the beginning of another. */
static void test_parts_of_values(void **state)
{
    (void)state;
    assert_part("aab", "aaab", true);
    assert_part("aabaaac", "aabaabaaac", true);
    assert_part("aabaaac", "aabaabaaab", false);
    assert_part("abab", "abaabab", true);
    assert_part("abac", "abaabab", false);
    assert_part("x", "x", true);
    assert_part("xy", "x", false);
    assert_part("'AaB' i", "aAAb", true);
    assert_part("'AaB'", "aAAb", false);
    assert_part("''", "x", false);
}

static void test_color_schemes(void **state)
{
    (void)state;
    assert_rule("rect{fill:light-dark(lime,red)}", true);
    assert_rule(":root{color-scheme:dark}rect{fill:light-dark(red,lime)}", true);
    assert_rule(":root{color-scheme:light dark}rect{fill:light-dark(lime,red)}", true);
    assert_rule(":root{color-scheme:dark}rect{color-scheme:only light;fill:light-dark(lime,red)}", true);
    assert_rule(":root{color-scheme:dark}rect{color-scheme:initial;fill:light-dark(lime,red)}", true);
    assert_rule(":root{color-scheme:dark}rect{color:light-dark(red,lime);fill:currentColor}", true);
    assert_rule("rect{--s:dark;color-scheme:var(--s);fill:url(#none) light-dark(red,lime)}", true);
    assert_rule("rect{color-scheme:dark,light;fill:light-dark(lime,red)}", true);
    assert_content("<rect width='1' height='1' style='color-scheme:dark;fill:light-dark(red,#0f08)'/>",
                   "fill nonzero #00ff00/0.533 [] M0 0L1 0L1 1L0 1Z\n");
}

/* Siblings: k is a rectangle of class k, r one without, g one in a group of its own. limes says which of them are
 * lime. */
static void assert_places(const char *selector, const char *siblings, const char *limes)
{
    char content[1000], expected[1000];
    size_t count = (size_t)snprintf(content, sizeof content, "<style>%s{fill:lime}</style><g>", selector), length = 0;
    for (size_t i = 0; siblings[i]; i++) {
        count += (size_t)snprintf(content + count, sizeof content - count, "%s",
                                  siblings[i] == 'k'   ? K
                                  : siblings[i] == 'g' ? "<g>" R "</g>"
                                                       : R);
        length += (size_t)snprintf(expected + length, sizeof expected - length, "%s", limes[i] == '1' ? LIME : BLACK);
    }
    snprintf(content + count, sizeof content - count, "</g>");
    assert_content(content, expected);
}

/* Places are counted for all children at once, from either end, and kept for all selectors that ask. */
static void test_places(void **state)
{
    (void)state;
    assert_places("g>:nth-child(2n of .k)", "krkkrrk", "0010001");
    assert_places("g>:nth-last-child(2n of .k)", "krkkrrk", "1001000");
    assert_places("g>:nth-last-child(-n+2)", "krkkrrk", "0000011");
    assert_places("g>:nth-child(n of .k):nth-last-child(3 of .k)", "krkkrrk", "0010000");
    assert_places("g>rect:nth-of-type(2)", "rgrkrrr", "0010000");
    assert_places("g>rect:nth-last-of-type(2)", "rgrkrgr", "0000100");
    assert_places("g>rect:first-of-type", "grr", "110");
    assert_places("g>g:last-of-type>rect:last-of-type", "grgr", "0010");
    assert_places("rect:only-child", "r", "1");
    /* Places within places, also among the children of siblings that lie between. */
    assert_places("g>:nth-child(2 of :nth-last-child(-n+4 of .k))", "kkkrkrk", "0010000");
    assert_places("rect:nth-child(odd of :nth-child(n of rect))", "rggrkr", "111010");
    assert_places(":nth-last-child(n of :nth-last-child(n of :nth-last-child(n of *)))", "rkr", "111");
    assert_content("<style>svg:nth-child(1 of svg) rect:nth-last-child(1 of rect){fill:lime}</style>" R, LIME);
    assert_content("<style>svg:nth-child(1 of g) rect{fill:lime}</style>" R, BLACK);
}

/* A class counts once, however often and in whatever order it is named. */
static void test_classes(void **state)
{
    (void)state;
    assert_content("<style>.a{fill:lime}.b{stroke:none}</style><rect class=' z a  b a c\ta ' width='1' height='1'/>",
                   LIME);
    assert_content("<style>.z.b.a.c{fill:lime}</style><rect class='z a b a c a' width='1' height='1'/>", LIME);
    assert_content("<style>.a.d{fill:lime}</style><rect class='z a b a c a' width='1' height='1'/>", BLACK);
    assert_content("<style>.a{fill:red}.b{fill:lime}</style><rect class='b a b' width='1' height='1'/>", LIME);
}

/* What is kept of a value with var() belongs to its scope and, where it matters, to its currentColor. */
static void test_kept_values(void **state)
{
    (void)state;
    assert_content("<style>rect{fill:color-mix(in srgb,currentcolor,var(--x,currentcolor))}</style>"
                   "<rect width='1' height='1' color='red'/><rect width='1' height='1' color='lime'/>"
                   "<rect width='1' height='1' color='red'/><rect width='1' height='1' color='red' style='--x:lime'/>",
                   "fill nonzero #ff0000 [] M0 0L1 0L1 1L0 1Z\n" LIME "fill nonzero #ff0000 [] M0 0L1 0L1 1L0 1Z\n"
                   "fill nonzero #808000 [] M0 0L1 0L1 1L0 1Z\n");
    assert_content("<style>rect{fill:var(--x)}</style><defs>"
                   "<rect id='r' width='1' height='1'/></defs><use href='#r' style='--x:lime'/>"
                   "<use href='#r' style='--x:red'/><use href='#r' style='--x:lime'/><use href='#r'/>",
                   LIME "fill nonzero #ff0000 [] M0 0L1 0L1 1L0 1Z\n" LIME BLACK);
    assert_content(
        "<style>rect,circle{width:var(--w);r:var(--w);transform:var(--t)}svg{--w:1px;--t:translate(2px,3px)}.k{--w: 2px ;--t:none}</style>"
        "<rect height='1'/>"
        "<rect height='1' class='k'/>"
        "<rect height='1' style='--t:foo;--w:foo' width='1'/>",
        "fill nonzero #000000 [1 0 0 1 2 3] M0 0L1 0L1 1L0 1Z\n"
        "fill nonzero #000000 [] M0 0L2 0L2 1L0 1Z\n");
    /* A var() that is no var() leaves nothing of its value. */
    assert_content("<g fill='lime'><rect width='1' height='1' style='--a:;fill:red var(--a b)'/></g>", LIME);
    /* Every value with var() waits, even if it could be read without. */
    assert_content(
        "<style>rect{fill:lime;display:var(--d)}</style><rect width='1' height='1' style='--d:none'/><rect width='1' height='1'/>",
        LIME);
    assert_content(
        "<style>rect{fill:lime;clip-path:polygon(0 0,1px 0,var(--p))}</style><rect width='1' height='1' style='--p:0 2px'/>",
        "begin_clip nonzero [] M0 0L1 0L0 2Z\n" LIME "end_clip\n");
    assert_content("<style>rect{fill:url(\"#var(1)\") lime}</style><rect width='1' height='1'/>", LIME);
    /* An invalid declaration leaves the one before it in force. */
    assert_content(
        "<style>svg{--w:1px}rect{width:var(--w);width:foo;transform:none;transform:foo(1)}</style><rect height='1'/>",
        BLACK);
    /* A length that is no property, or no property of its element, leaves the attribute of its name in force. */
    const char line[] = "stroke 1 butt miter 4 () 0 #000000 [] M3 0L9 0\n";
    assert_content("<line x1='3' x2='9' stroke='black' style='x1:var(--x);--x:1px'/>", line);
    assert_content("<style>line{x1:var(--x)}</style><line x1='3' x2='9' stroke='black' style='--x:1px'/>", line);
    assert_content(
        "<style>pattern{width:var(--w);--w:1px}</style>"
        "<pattern id='p' width='1' height='1'><rect width='1' height='1' fill='lime'/></pattern><rect width='1' height='1' fill='url(#p)'/>",
        "begin_group 1\nbegin_clip nonzero [] M0 0L1 0L1 1L0 1Z\nbegin_clip nonzero [] M0 0L1 0L1 1L0 1Z\n"
        "append [] {\nappend [] {\n" LIME "}\n}\nend_clip\nend_clip\nend_group\n");
}

/* The keywords that CSS has for every property reach what a shorthand stands for. */
static void test_shorthands(void **state)
{
    (void)state;
    assert_document("<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1' style='background:lime'/>", LIME);
    assert_document(
        "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1' style='background:lime;background:initial'/>",
        "");
    assert_document(
        "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1' style='background-color:lime;background:unset'/>",
        "");
}

static void test_has(void **state)
{
    (void)state;
    assert_rule("svg:has(rect) > rect{fill:lime}", true);
    assert_rule("svg:has(> .k) > rect{fill:lime}", true);
    assert_rule("svg:has(circle) > rect{fill:lime}", false);
    assert_rule("rect:has(rect){fill:lime}", false);
    assert_rule("style:has(+ .k) + rect{fill:lime}", true);
    assert_rule("style:has(~ .k) + rect{fill:lime}", true);
    assert_rule("style:has(+ .z) + rect{fill:lime}", false);
    assert_rule("rect:not(:has(*)){fill:lime}", true);
    assert_rule("svg:has(.z, #a) rect{fill:lime}", true);
    assert_rule("svg:has(style + .k) rect{fill:lime}", true);
    assert_rule("svg:has(svg > .k) rect{fill:lime}", false);
    assert_rule("svg:has(){fill:lime}", false);
    assert_rule("svg:has(:foo){fill:lime}", false);
    assert_rule("rect:is(:has(:has(a)), .k){fill:lime}", true);
    assert_rule("rect{svg:has(&amp;) > &amp;{fill:lime}}", true);
    assert_rule("@supports selector(a:has(> b)){rect{fill:lime}}", true);
    /* :has() is as specific as the most specific selector in it. */
    assert_rule("svg:has(#a) rect{fill:lime}svg svg.k.k.k,rect.k.k.k{fill:red}", true);
    /* What was found for one element tells what is known of others. */
    assert_places("g:has(rect) > rect", "kgrg", "1111");
    assert_places("g > g:has(rect:first-child) rect", "gkg", "101");
    assert_places("g > :has(+ g)", "kgrg", "1010");
    assert_places("g > :has(~ .k)", "rkrkr", "11100");
    assert_places("g:has(> g) > :not(:has(*))", "kgr", "101");
    assert_places("g:has(> .k ~ g) > rect", "kgr", "101");
    assert_places("g:has(> g ~ .k) > rect", "kgr", "000");
    assert_content("<style>g:has(.k) > rect{fill:lime}</style>"
                   "<g>" R "<g>" R "</g><g>" R "<g><g class='k'/></g></g><g>" R "</g></g><g>" R "</g>"
                   "<g>" R "<g class='k'/></g>",
                   LIME BLACK LIME BLACK BLACK LIME);
    assert_content("<style>rect:is(g:has(.k) > *, :root:has(circle) > *){fill:lime}</style>"
                   "<g>" R "</g><g>" K "<g>" K "</g></g>" R "<circle/>",
                   BLACK LIME LIME LIME);
}

static void assert_language(const char *selector, const char *attributes, bool holds)
{
    char content[400];
    snprintf(content, sizeof content, "<style>rect:lang(%s){fill:lime}</style><g %s><rect width='1' height='1'/></g>",
             selector, attributes);
    assert_content(content, holds ? LIME : BLACK);
}

static void test_languages(void **state)
{
    (void)state;
    assert_language("de", "lang='de'", true);
    assert_language("DE", "lang='de-CH'", true);
    assert_language("de", "xml:lang='de'", true);
    assert_language("de", "x:lang='de' xmlns:x='urn:x'", false);
    assert_language("de", "lang='fr' xml:lang='de'", true);
    assert_language("de", "xml:lang='de' lang='fr'", true);
    assert_language("de", "lang='den'", false);
    assert_language("de", "", false);
    assert_content("<style>rect:lang(de){fill:lime}</style><g lang='de'><g lang=''>" R "</g></g>", BLACK);
    assert_language("de, fr", "lang='fr'", true);
    assert_language("'*-CH'", "lang='de-CH'", true);
    assert_language("\\*-CH", "lang='de-Latn-CH'", true);
    assert_language("'*-CH'", "lang='de-x-ch'", false);
    assert_language("de-CH", "lang='de-Latn-CH'", true);
    assert_language("de-CH", "lang='de'", false);
    assert_language("'de-*-CH'", "lang='de-CH'", true);
    assert_language("'*'", "lang='x'", true);
    assert_language("'*'", "lang=''", false);
    assert_language("''", "lang=''", false);
    assert_language("de fr", "lang='de'", false);
    assert_rule(":lang(1), rect{fill:lime}", false);
    assert_rule(":lang(), rect{fill:lime}", false);
    assert_content("<style>rect:lang(de){fill:lime}rect{fill:red}</style>"
                   "<rect lang='de' width='1' height='1'/>",
                   LIME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),          cmocka_unit_test(test_kept_values),
        cmocka_unit_test(test_classes),         cmocka_unit_test(test_media_ranges),
        cmocka_unit_test(test_media_sizes),     cmocka_unit_test(test_hashes),
        cmocka_unit_test(test_forgiving_lists), cmocka_unit_test(test_angles),
        cmocka_unit_test(test_parts_of_values), cmocka_unit_test(test_color_schemes),
        cmocka_unit_test(test_shorthands),      cmocka_unit_test(test_has),
        cmocka_unit_test(test_languages),
    };
    return cmocka_run_group_tests_name("svg style sheets", tests, NULL, NULL);
}
