/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Entities: those that are read, those that are refused, and bombs made of them. */
#include "svg/xml/builder.h"

static void test_entities(void **state)
{
    (void)state;
    const char *rect = "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n";
    assert_document(
        "<!DOCTYPE svg [<!ENTITY one '1'><!ENTITY shape \"<rect width='&one;' height='&#x31;'/>\">]><svg>&shape;<g>&shape;</g></svg>",
        "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\nfill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n");
    assert_document(
        "<!DOCTYPE svg [<!ENTITY ns 'http://www.w3.org/2000/svg'><!ENTITY st 'fill:lime'>]><svg xmlns='&ns;'>"
        "<rect width='1' height='1' style='&st;;fill-opacity:.5'/></svg>",
        "fill nonzero #00ff00-0.5 [] M0 0L1 0L1 1L0 1Z\n");
    assert_document("<!DOCTYPE svg [<!ATTLIST rect width CDATA '1'>]><svg><rect height='1'/></svg>", rect);
    FAILS("<svg>\n<text>&nothing;</text></svg>", 2, "undefined entity at \"&nothing;");
    FAILS("<!DOCTYPE svg [<!ENTITY a '&b;'><!ENTITY b '&a;'>]><svg><text>&a;</text></svg>", 1,
          "recursive entity reference at \"&a;");
}

/* Entities made of entities, one after the other, as many as the limit allows. */
static void test_entity_chains(void **state)
{
    (void)state;
    const int length = 1001;
    builder content = {0}, attribute = {0}, parameter = {0};
    add(&content, "<!DOCTYPE svg [<!ENTITY a0 'x'>");
    add(&parameter, "<!DOCTYPE svg [<!ENTITY %% a0 ''>");
    for (int i = 1; i < length; i++) {
        add(&content, "<!ENTITY a%d '&a%d;'>", i, i - 1);
        add(&parameter, "<!ENTITY %% a%d '&#37;a%d;'>", i, i - 1);
    }
    add(&content, "]><svg>");
    add_bytes(&attribute, content.bytes, content.count);
    add(&content, "<text>&a%d;</text>" SHAPE "</svg>", length - 1);
    add(&attribute, "<text id='&a%d;'/>" SHAPE "</svg>", length - 1);
    add(&parameter, "%%a%d;]><svg>" SHAPE "</svg>", length - 1);
    assert_calls(&content, 1);
    assert_calls(&attribute, 1);
    assert_calls(&parameter, 1);
}

static void test_parameter_entities(void **state)
{
    (void)state;
    const char *rect = "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n";
    assert_document(
        "<!DOCTYPE svg [<!ENTITY % p \"<!ENTITY one '1'>\"> %p;]><svg><rect width='&one;' height='1'/></svg>", rect);
    assert_document(
        "<!DOCTYPE svg [<!ENTITY % p SYSTEM 'nowhere'> %p; <!ENTITY one '1'>]><svg><rect width='&one;' height='1'/></svg>",
        rect);
    assert_document("<!DOCTYPE svg SYSTEM 'nowhere'><svg><text>&unknown;</text>" SHAPE "</svg>", rect);
    FAILS("<!DOCTYPE svg [<!ENTITY a '<g>'>]><svg>\n&a;</g></svg>", 2, "asynchronous entity at \"&a;\"");
    FAILS("<!DOCTYPE svg [<!ENTITY a SYSTEM 'x'>]><svg>\n<g id='&a;'/></svg>", 2, "external entity in attribute");
}

/* The files that they name do not exist, so opening one would give an error. */
static void test_external_entities(void **state)
{
    (void)state;
    const char *rect = "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n";
    assert_document("<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///nowhere/at/all'>]><svg>&a;" SHAPE "</svg>", rect);
    assert_document(
        "<!DOCTYPE svg SYSTEM 'file:///nowhere/at/all.dtd' [<!ENTITY % p SYSTEM 'file:///nowhere/at/all'> %p;]>"
        "<svg>" SHAPE "</svg>",
        rect);
}

static void add_bomb(builder *builder, const char *seed)
{
    add(builder, "<!DOCTYPE svg [<!ENTITY a0 \"%s\">", seed);
    for (int i = 1; i < 12; i++) {
        add(builder, "<!ENTITY a%d \"", i);
        for (int j = 0; j < 10; j++)
            add(builder, "&a%d;", i - 1);
        add(builder, "\">");
    }
    add(builder, "]>");
}

static void test_entity_bombs(void **state)
{
    (void)state;
    builder text = {0}, attribute = {0}, elements = {0}, square = {0};
    add_bomb(&text, "lol");
    add(&text, "<svg><text>&a11;</text></svg>");
    assert_builder_fails(&text, 1, "entities and a DTD's default values expand");
    add_bomb(&attribute, "lol");
    add(&attribute, "<svg>\n<g id='&a11;'/></svg>");
    assert_builder_fails(&attribute, 2, "entities and a DTD's default values expand");
    add_bomb(&elements, "<g/>");
    add(&elements, "<svg>&a11;</svg>");
    assert_builder_fails(&elements, 1, "entities and a DTD's default values expand");
    add(&square, "<!DOCTYPE svg [<!ENTITY a '");
    add_times(&square, "x", 50000);
    add(&square, "'>]><svg><text>");
    add_times(&square, "&a;", 50000);
    add(&square, "</text></svg>");
    assert_builder_fails(&square, 1, "entities and a DTD's default values expand");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entities),           cmocka_unit_test(test_entity_chains),
        cmocka_unit_test(test_parameter_entities), cmocka_unit_test(test_external_entities),
        cmocka_unit_test(test_entity_bombs),
    };
    return cmocka_run_group_tests_name("svg entities", tests, NULL, NULL);
}
