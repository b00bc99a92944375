/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What of style sheets counts: conditions, nested rules, layers, other sheets, and words that all properties have. */
#include "svg/style/rule.h"

static void assert_condition(const char *condition, bool holds)
{
    char rule[300];
    snprintf(rule, sizeof rule, "@supports %s{rect{fill:lime}}", condition);
    assert_rule(rule, holds);
}

/* Values that place the images of a mask: which are valid. One that is drawn in part is not supported. */
static void test_supports_of_masks(void **state)
{
    (void)state;
    static const char *const good[] = {
        "mask-position:left",
        "mask-position:top left",
        "mask-position:center top",
        "mask-position:3px",
        "mask-position:right 3px top 50%",
        "mask-position:bottom 1em left",
        "mask-position:center left 1px",
        "mask-position:calc(50% - 3px) bottom",
        "mask-position:0 0,1px 2px",
        "mask-size:cover",
        "mask-size:auto",
        "mask-size:3px auto,50% 20%",
        "mask-repeat:repeat-y",
        "mask-repeat:space round",
        "mask-repeat:no-repeat,repeat",
        "mask-origin:fill-box",
        "mask-origin:border-box,view-box",
        "mask-clip:no-clip",
        "mask:url(x.png) 0/50%",
        "mask:url(x.png) top/1px 2px no-repeat fill-box no-clip alpha",
        "mask:none",
        "mask:linear-gradient(red,blue) right 1px bottom 2px/contain space",
        "mask-image:url(x.png),none",
        "mask:no-clip view-box url(x.png)",
        "-webkit-mask-size:1px",
        "mask:url(#a) subtract",
        "mask-image:inherit",
    };
    static const char *const bad[] = {
        "mask-position:top 50%",
        "mask-position:50% left",
        "mask-position:left right",
        "mask-position:3",
        "mask-position:top bottom",

        "mask-position:left 1px 2px top",
        "mask-position:1px,",
        "mask-position:",
        "mask-position:center 1px top",
        "mask-size:-1px",
        "mask-size:cover 1px",
        "mask-size:1px 2px 3px",
        "mask-repeat:repeat-x repeat",
        "mask-repeat:foo",
        "mask-origin:no-clip",
        "mask-clip:foo",
        "mask-clip:fill-box fill-box",
        "mask:url(x.png) /50%",
        "mask:url(x.png) 0/",
        "mask:url(x.png) url(y.png)",
        "mask-image:url(x.png) top",
        "mask-image:url(x.png) alpha",
        "mask:foo",
        "mask:repeating-conic-gradient(red,blue)",
        "mask:url(#a) exclude,url(#b)",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0] + sizeof bad / sizeof bad[0]; i++) {
        const bool is_good = i < sizeof good / sizeof good[0];
        char condition[100];
        snprintf(condition, sizeof condition, "(%s)", is_good ? good[i] : bad[i - sizeof good / sizeof good[0]]);
        assert_condition(condition, is_good);
    }
}

static void test_supports(void **state)
{
    (void)state;
    assert_condition("(fill:red)", true);
    assert_condition("( FILL : red !important )", true);
    assert_condition("(fill:foo)", false);
    assert_condition("(fill:)", false);
    assert_condition("(unheard:of)", false);
    assert_condition("(--x:anything at all)", true);
    assert_condition("(fill:var(--x))", true);
    assert_condition("(width:1px)", true);
    assert_condition("(width:foo)", false);
    assert_condition("(transform:rotate(1deg))", true);
    assert_condition("not (fill:foo)", true);
    assert_condition("not (fill:red)", false);
    assert_condition("(fill:red) and (stroke:red)", true);
    assert_condition("(fill:red) and (stroke:foo)", false);
    assert_condition("(fill:foo) or (stroke:red)", true);
    assert_condition("((fill:foo) or (not (stroke:foo))) and (fill:red)", true);
    assert_condition("(not ((fill:red) and (stroke:foo)))", true);
    assert_condition("(fill:red) and (fill:red) or (fill:red)", false);
    assert_condition("(fill:red) (fill:red)", false);
    assert_condition("fill:red", false);
    assert_condition("not fill:red", false);
    assert_condition("", false);
    assert_condition("(fill:red;stroke:red)", false);
    assert_condition("not (foo bar)", true);
    assert_condition("not foo(bar)", true);
    assert_condition("selector(a > b:nth-child(2 of .k))", true);
    assert_condition("selector(a:foo)", false);
    assert_condition("selector(a,b)", false);
    assert_condition("selector(a", false);
    assert_rule("@supports (fill:red){@supports (fill:foo){rect{fill:red}}rect{fill:lime}}", true);
}

/* A relative selector lies below the rule around it, unless & says otherwise. */
static void test_nesting(void **state)
{
    (void)state;
    assert_rule("svg{rect{fill:lime}}", true);
    assert_rule("svg{> rect{fill:lime}}", true);
    assert_rule("g{rect{fill:lime}}", false);
    assert_rule("rect{rect{fill:lime}}", false);
    assert_rule(".k{&amp;{fill:lime}}", true);
    assert_rule(".k{&amp;rect{fill:lime}}", true);
    assert_rule(".k{rect&amp;{fill:lime}}", true);
    assert_rule(".k{&amp;#b{fill:lime}}", false);
    assert_rule(".k{svg &amp;{fill:lime}}", true);
    assert_rule(".k{g &amp;{fill:lime}}", false);
    assert_rule("rect{:is(&amp;.k){fill:lime}}", true);
    assert_rule("rect{:not(&amp;).k{fill:lime}}", false);
    assert_rule("svg{g,:foo(x),rect{fill:lime}}", false);
    assert_rule("svg{style + rect{fill:lime}}", true);
    assert_rule("style{+ rect{fill:lime}}", true);
    assert_rule("style{+ g, ~ rect{fill:lime}}", true);
    assert_rule("g,svg{:not(rect),&amp; > rect{fill:lime}}", true);
    assert_rule("svg{g,&amp;{rect{&amp;.k{fill:lime}}}}", true);
    assert_rule("&amp; > rect{fill:lime}", true);
    assert_rule("&amp; rect rect{fill:lime}", false);
    assert_rule("svg{fill:red;/* } */@media screen{rect/* { */{fill:lime}}}", true);
    assert_rule("rect{@media screen{fill:lime}}", true);
    assert_rule("rect{@media print{fill:lime}}", false);
    assert_rule("rect{@media screen{@supports (fill:red){&amp;.k{fill:lime}}}}", true);
    assert_rule("svg{@media screen{&amp;:foo{}rect{fill:lime}}", true);
    assert_rule("svg{rect{fill:lime", true);
    /* An invalid rule or declaration costs nothing but itself. */
    assert_rule("rect{fill red;&amp;:foo{fill:red}fill:lime}", true);
    assert_rule("rect{fill red &amp;{fill:red};fill:lime}", true);
    assert_rule("rect{--x:{a:b};fill:lime}", true);
    assert_rule("rect{&amp;{fill:lime};}", true);
}

/* & is as specific as the most specific selector around it, and what follows a nested rule comes after it. */
static void test_order_of_nested_rules(void **state)
{
    (void)state;
    assert_rule("rect{&amp;{fill:red}fill:lime}", true);
    assert_rule("rect{fill:red;&amp;{fill:lime}}", true);
    assert_rule("rect{fill:lime;&amp;.z{fill:red}fill:lime}", true);
    assert_rule("rect{@media screen{fill:red}fill:lime}", true);
    assert_rule("rect,#z{&amp;{fill:lime}}.k.k.k{fill:red}", true);
    assert_rule("rect,#z{fill:red}.k{fill:lime}", true);
    assert_rule("rect,#z{&amp;.z{}fill:red}.k{fill:lime}", true);
    assert_rule("&amp; > rect{fill:red}svg > rect{fill:lime}", true);
}

static void test_layers(void **state)
{
    (void)state;
    assert_rule("@layer a{rect{fill:lime}}", true);
    assert_rule("@layer{rect{fill:lime}}", true);
    assert_rule("rect{fill:lime}@layer a{#a{fill:red}}", true);
    assert_rule("@layer a{#a{fill:red}}@layer b{rect{fill:lime}}", true);
    assert_rule("@layer b,a;@layer a{rect{fill:lime}}@layer b{#a{fill:red}}", true);
    assert_rule("@layer b , a ;@layer a{rect{fill:lime}}@layer b{#a{fill:red}}", true);
    assert_rule("@layer a{#a{fill:red}}@layer b{rect{fill:lime}}@layer a{#a{fill:red}}", true);
    assert_rule("@layer{#a{fill:red}}@layer{rect{fill:lime}}", true);
    /* Layers in layers. */
    assert_rule("@layer a{rect{fill:lime}@layer b{#a{fill:red}}}", true);
    assert_rule("@layer a{@layer b{#a{fill:red}}}@layer a.c{rect{fill:lime}}@layer a.b{#a{fill:red}}", true);
    assert_rule("@layer a.b,c,a.d;@layer c{rect{fill:lime}}@layer a.d{#a{fill:red}}", true);
    assert_rule("@layer a{@layer c,b;@layer b{rect{fill:lime}}}@layer a.c{#a{fill:red}}", true);
    assert_rule("@layer a{@layer a{#a{fill:red}}}@layer a{rect{fill:lime}}", true);
    assert_rule("rect{@layer a{fill:red}fill:lime}", true);
    assert_rule("@layer a{#a{fill:red}}rect{@layer b{fill:lime}}", true);
    /* What is important counts the other way around. */
    assert_rule("@layer a{rect{fill:lime!important}}@layer b{#a{fill:red!important}}", true);
    assert_rule("@layer a{rect{fill:lime!important}}#a{fill:red!important}", true);
    assert_rule("@layer a{rect{fill:red!important}@layer b{.k{fill:lime!important}}}#a{fill:red!important}", true);
    assert_rule("@layer a{rect{fill:red!important}.k{fill:lime!important}}@layer b{#a{fill:red!important}}", true);
    assert_content("<style>@layer a{#a{fill:red!important}}</style>"
                   "<rect id='a' width='1' height='1' style='fill:lime!important'/>",
                   LIME);
    assert_content("<style>@layer a{#a{fill:lime!important}}</style>"
                   "<rect id='a' width='1' height='1' style='fill:red'/>",
                   LIME);
    assert_content("<style>@layer a{rect{fill:lime}}</style><rect width='1' height='1' fill='red'/>", LIME);
    /* A layer has its place only where the condition around its name holds. */
    assert_rule("@media print{@layer b,a;}@layer a{#a{fill:red}}@layer b{rect{fill:lime}}", true);
    assert_rule("@media screen{@layer b,a;}@layer a{rect{fill:lime}}@layer b{#a{fill:red}}", true);
    /* Names that are not valid. */
    assert_rule("@layer b, ,a;@layer a{#a{fill:red}}@layer b{rect{fill:lime}}", true);
    assert_rule("@layer b,a.;@layer a{#a{fill:red}}@layer b{rect{fill:lime}}", true);
    assert_rule("@layer b,a .c;@layer a{#a{fill:red}}@layer b{rect{fill:lime}}", true);
    assert_rule("@layer b,inherit,a;@layer a{#a{fill:red}}@layer b{rect{fill:lime}}", true);
    assert_rule("@layer a,b{rect{fill:lime}}", false);
    assert_rule("@layer unset{rect{fill:lime}}", false);
    assert_rule("@layer a.{rect{fill:lime}}", false);
}

/* Asserts whether a rectangle is lime by a sheet that begins with @import of a sheet which says so, with these words
 * behind the address. */
static void assert_import(const char *words, const char *rest, bool holds)
{
    char rule[400];
    snprintf(rule, sizeof rule, "@import 'data:text/css,rect%%7Bfill:lime%%7D' %s;%s", words, rest);
    assert_rule(rule, holds);
}

static void test_imports(void **state)
{
    (void)state;
    assert_import("", "", true);
    assert_rule("@import url(data:text/css,rect%7Bfill:lime%7D);", true);
    assert_rule("@import url('data:text/css;base64,cmVjdHtmaWxsOmxpbWV9');", true);
    assert_rule("@import url( \"data:text/css,rect%7Bfill:lime%7D\" ) screen", true);
    assert_rule("@import data:text/css,rect%7Bfill:lime%7D;", false);
    /* It comes where it stands, before all but layers. */
    assert_import("", "rect{fill:black}", false);
    assert_rule("rect{}@import 'data:text/css,rect%7Bfill:lime%7D';", false);
    assert_rule("@media screen{@import 'data:text/css,rect%7Bfill:lime%7D';}", false);
    assert_rule("@namespace x 'urn:x';@import 'data:text/css,rect%7Bfill:lime%7D';", false);
    assert_rule("@layer a;@import 'data:text/css,rect%7Bfill:lime%7D';", true);
    assert_rule("@charset 'x';@import 'data:text/css,';@import 'data:text/css,rect%7Bfill:lime%7D';", true);
    assert_rule("@import 'data:text/css,';@layer a;@import 'data:text/css,rect%7Bfill:lime%7D';", false);
    assert_rule("@import 'data:text/css,rect%7B'{}rect{fill:lime}", true);
    /* Conditions. */
    assert_import("print", "", false);
    assert_import("screen and (color)", "", true);
    assert_import("supports(fill:red)", "", true);
    assert_import("supports(fill:foo)", "", false);
    assert_import("supports(not (fill:foo)) print", "", false);
    assert_import("supports((fill:red) and (not (fill:foo))) screen", "", true);
    /* Layers. */
    assert_import("layer", "@layer a{rect{fill:black}}", false);
    assert_import("layer(b)", "@layer b{#b{fill:red}}", true);
    assert_rule("@layer a,b;@import 'data:text/css,rect%7Bfill:lime%7D' layer(b);@layer a{#a{fill:red}}", true);
    assert_rule("@layer b.c;@import 'data:text/css,@layer d%7Brect%7Bfill:lime%7D%7D' layer(b) screen;"
                "@layer b.c{#a{fill:red}}",
                true);
    assert_rule("@import 'data:text/css,#a%7Bfill:red%7D' layer;rect{fill:lime}", true);
    assert_rule("@import 'data:text/css,#a%7Bfill:red%7D' layer;@import 'data:text/css,rect%7Bfill:lime%7D' layer;",
                true);
    assert_import("layer(a,b)", "", false);
    /* Name spaces are a sheet's own. */
    assert_rule("@import 'data:text/css,@namespace%20%22urn:x%22;rect%7Bfill:red%7D';rect{fill:lime}", true);
    assert_rule("@import 'data:text/css,@namespace%20%22urn:x%22;rect%7Bfill:red%7D';", false);
    /* Sheets in sheets. */
    assert_rule("@import 'data:text/css,@import%20%22data:text/css,rect%257Bfill:lime%257D%22;';", true);
}

/* `all` stands for every property but the direction and custom ones, also for those that are kept as attributes. */
static void test_all(void **state)
{
    (void)state;
    assert_rule("rect{fill:red;all:unset;fill:lime;width:1px;height:1px}", true);
    assert_rule("svg{fill:lime}rect{fill:red;all:unset;width:1px;height:1px}", true);
    assert_rule("svg{fill:lime}rect{fill:red;all:revert;width:1px;height:1px}", true);
    assert_rule("svg{fill:lime}rect{fill:red;all:inherit;width:1px;height:1px}", true);
    assert_rule("svg{fill:red}rect{all:initial;width:1px;height:1px}", false);
    assert_rule("svg{fill:red}rect{all:initial;fill:lime;width:1px;height:1px}", true);
    assert_rule("rect{fill:lime;all:foo}", true);
    assert_rule("rect{fill:lime;all:red}", true);
    assert_rule("rect{fill:lime!important;all:unset;width:1px;height:1px}", true);
    assert_rule("rect{all:unset!important;fill:lime;width:1px!important;height:1px!important}", false);
    assert_rule("rect{--x:lime;all:unset;fill:var(--x);width:1px;height:1px}", true);
    assert_content("<rect width='9' height='9' x='3' transform='scale(2)' stroke='red' opacity='.5'"
                   " style='all:unset;fill:lime;width:1px;height:1px'/>",
                   LIME);
    assert_content("<style>rect{transform:var(--t);--t:scale(2)}</style>"
                   "<rect width='9' height='9' style='all:initial;fill:lime;width:1px;height:1px'/>",
                   LIME);
    /* Geometry that CSS sets is reset, and so is the path. */
    assert_content("<rect width='1' height='1' style='all:unset'/><path d='M0 0h9v9z' style='all:unset'/>"
                   "<circle r='1' style='all:unset'/>",
                   "");
    assert_content("<polygon points='0 0 1 0 1 1' style='all:unset;fill:lime'/>",
                   "fill nonzero #00ff00 [] M0 0L1 0L1 1Z\n");
    assert_content(
        "<g fill='red' style='all:inherit'><g fill='lime'><g fill='red' style='all:inherit'>" R "</g></g></g>", LIME);
    assert_content("<g display='none'><g style='all:inherit'>" R "</g></g>", "");
}

/* The words that all properties have reach what is kept as an attribute. */
static void test_words_of_attributes(void **state)
{
    (void)state;
    static const char *const words[] = {"initial", "UNSET", "revert"};
    for (size_t i = 0; i < 3; i++) {
        char content[300];
        snprintf(content, sizeof content,
                 "<rect width='1' height='1' x='5' transform='scale(2)' style='fill:lime;x:%s;transform:%s'/>",
                 words[i], words[i]);
        assert_content(content, LIME);
        snprintf(content, sizeof content, "<path d='M0 0h9v9z' style='d:%s'/>", words[i]);
        assert_content(content, "");
    }
    assert_content("<g transform='scale(2)'><rect width='1' height='1' fill='lime' style='transform:inherit'/></g>",
                   "fill nonzero #00ff00 [4 0 0 4 0 0] M0 0L1 0L1 1L0 1Z\n");
    assert_content("<svg width='50' height='50'><rect height='1' style='fill:lime;width:inherit'/></svg>",
                   "begin_clip nonzero [] M0 0L50 0L50 50L0 50Z\n"
                   "fill nonzero #00ff00 [] M0 0L50 0L50 1L0 1Z\nend_clip\n");
    assert_content("<g><rect width='9' height='1' style='width:inherit'/></g>", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_supports), cmocka_unit_test(test_supports_of_masks),
        cmocka_unit_test(test_nesting),  cmocka_unit_test(test_order_of_nested_rules),
        cmocka_unit_test(test_layers),   cmocka_unit_test(test_imports),
        cmocka_unit_test(test_all),      cmocka_unit_test(test_words_of_attributes),
    };
    return cmocka_run_group_tests_name("svg cascade", tests, NULL, NULL);
}
