/* docs/svg.md names all that the parser knows, and claims nothing that it does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "svg/tree/names.h"

/* Attributes that only selectors see. */
static const char *const raw[] = { "class" };

static char *read_document(void)
{
    FILE *file = fopen(PIETRA_SOURCE_DIR "/docs/svg.md", "rb");
    assert_non_null(file);
    char *bytes = calloc(1, 1 << 20);
    assert_non_null(bytes);
    assert_true(fread(bytes, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return bytes;
}

/* The row of a table that begins with this name, in the section of this heading. */
static const char *find_row(const char *document, const char *heading, text name)
{
    char row[80];
    const char *section = strstr(document, heading);
    assert_non_null(section);
    const char *end = strstr(section + 1, "\n## ");
    snprintf(row, sizeof row, "\n| `%.*s` | ", TEXT_PRINT(name));
    const char *found = strstr(section, row);
    return found && (!end || found < end) ? found + strlen(row) : NULL;
}

static const char *heading_of(svg_kind kind)
{
    return kind == SVG_KIND_ELEMENT ? "## Elements" : kind == SVG_KIND_PROPERTY ? "## Properties" : "## Attributes";
}

static void test_all_known_names_are_listed(void **state)
{
    (void)state;
    char *document = read_document();
    for (unsigned i = 0; i < SVG_NAME_COUNT; i++) {
        text name = svg_name_text((svg_name)i);
        if (!find_row(document, heading_of(svg_name_kind((svg_name)i)), name))
            fail_msg("%.*s is not in docs/svg.md", TEXT_PRINT(name));
    }
    free(document);
}

static void test_nothing_unknown_is_claimed(void **state)
{
    (void)state;
    char *document = read_document();
    const char *end = strstr(document, "\n## CSS");
    assert_non_null(end);
    size_t rows = 0;
    for (const char *row = document; (row = strstr(row, "\n| `")) != NULL && row < end; rows++) {
        row += 4;
        text name = { row, strcspn(row, "`") };
        const char *state_text = row + name.count + 4;
        bool known = svg_name_find(name) != SVG_UNKNOWN;
        for (size_t i = 0; i < sizeof raw / sizeof raw[0]; i++)
            known = known || text_equal(name, (text){ raw[i], strlen(raw[i]) });
        bool drawn = strncmp(state_text, "drawn", 5) == 0, partly = strncmp(state_text, "partly", 6) == 0;
        assert_true(drawn || partly || strncmp(state_text, "no ", 3) == 0);
        if ((drawn || partly) && !known)
            fail_msg("docs/svg.md claims %.*s", TEXT_PRINT(name));
    }
    assert_true(rows > SVG_NAME_COUNT);
    free(document);
}

static void test_named_scenes_are_there(void **state)
{
    (void)state;
    char *document = read_document(), path[1000];
    size_t found = 0;
    for (const char *name = document; (name = strstr(name, "`scenes/")) != NULL; found++) {
        name++;
        snprintf(path, sizeof path, PIETRA_SOURCE_DIR "/%.*s", (int)strcspn(name, "`"), name);
        FILE *file = fopen(path, "rb");
        if (!file)
            fail_msg("%s is not there", path);
        fclose(file);
    }
    assert_true(found > 10);
    free(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_known_names_are_listed),
        cmocka_unit_test(test_nothing_unknown_is_claimed),
        cmocka_unit_test(test_named_scenes_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
