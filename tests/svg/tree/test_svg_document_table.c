/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* docs/svg.md names everything that the parser knows, and claims nothing else. Its table of properties is the one made
 * from property.def; --update writes it anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "svg/tree/names.h"

/* Attributes that only selectors see. */
static const char *const raw[] = {"class"};

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

/* Returns the row of a table that begins with this name, in the section with this heading. */
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
    return kind == SVG_KIND_ELEMENT ? "## Elements" : "## Attributes";
}

static void test_all_known_names_are_listed(void **state)
{
    (void)state;
    char *document = read_document();
    for (unsigned i = SVG_PROPERTY_COUNT; i < SVG_NAME_COUNT; i++) {
        text name = svg_name_text((svg_name)i);
        if (!find_row(document, heading_of(svg_name_kind((svg_name)i)), name))
            fail_msg("%.*s is not in docs/svg.md", TEXT_PRINT(name));
    }
    static const char *const geometry[] = {
#define GEOMETRY(id, name, elements, automatic, negative) name,
#include "svg/tree/property.def"
    };
    for (size_t i = 0; i < sizeof geometry / sizeof geometry[0]; i++)
        assert_non_null(find_row(document, "## Attributes", (text){geometry[i], strlen(geometry[i])}));
    free(document);
}

enum { DRAWN, PARTLY, NO };

typedef struct row {
    const char *name, *note;
    svg_kind kind;
    int state;
} row;

/* GEOMETRY is described as attributes, and has no rows. */
static const row rows[] = {
#define PROPERTY(id, name, kind, inheritance, parser, field, initial, state, note) {name, note, SVG_KIND_##kind, state},
#define ALIAS(id, name, kind, of, state, note) {name, note, SVG_KIND_##kind, state},
#define SHORTHAND(id, name, kind, state, note) {name, note, SVG_KIND_##kind, state},
#define NODE_PROPERTY(id, name, kind, reader, state, note) {name, note, SVG_KIND_##kind, state},
#define REPORTED(name, kind, harmless, note) {name, note, SVG_KIND_##kind, NO},
#define UNKNOWN(name, note) {name, note, SVG_KIND_PROPERTY, NO},
#include "svg/tree/property.def"
};

#define TABLE_HEAD "| property | state | |\n|---|---|---|\n"

/* The caller frees the result. */
static char *write_table(void)
{
    static const char *const states[] = {[DRAWN] = "drawn", [PARTLY] = "partly", [NO] = "no"};
    size_t count = sizeof TABLE_HEAD, used = strlen(TABLE_HEAD);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        count += strlen(rows[i].name) + strlen(rows[i].note) + 40;
    char *table = malloc(count);
    assert_non_null(table);
    strcpy(table, TABLE_HEAD);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *only = rows[i].kind == SVG_KIND_CSS ? "CSS only" : "";
        used += (size_t)snprintf(table + used, count - used, "| `%s` | %s | %s%s%s |\n", rows[i].name,
                                 states[rows[i].state], only, *only && *rows[i].note ? "; " : "", rows[i].note);
        assert_true(used < count);
    }
    return table;
}

/* Finds where the table of properties begins and ends in the document. */
static void find_table(const char *document, size_t *begin, size_t *end)
{
    const char *table = strstr(document, TABLE_HEAD);
    assert_non_null(table);
    const char *after = strstr(table, "\n\n");
    assert_non_null(after);
    *begin = (size_t)(table - document);
    *end = (size_t)(after + 1 - document);
}

static void test_properties_are_as_listed(void **state)
{
    (void)state;
    char *document = read_document(), *table = write_table();
    size_t begin, end;
    find_table(document, &begin, &end);
    if (end - begin != strlen(table) || memcmp(document + begin, table, end - begin) != 0)
        fail_msg(
            "the table of properties in docs/svg.md is not what property.def says: test_svg_document_table --update");
    free(table);
    free(document);
}

static int update_document(void)
{
    char *document = read_document(), *table = write_table();
    size_t begin, end;
    find_table(document, &begin, &end);
    FILE *file = fopen(PIETRA_SOURCE_DIR "/docs/svg.md", "wb");
    assert_non_null(file);
    bool good =
        fwrite(document, 1, begin, file) == begin && fputs(table, file) >= 0 && fputs(document + end, file) >= 0;
    good = fclose(file) == 0 && good;
    free(table);
    free(document);
    return good ? 0 : 1;
}

static void test_nothing_unknown_is_claimed(void **state)
{
    (void)state;
    char *document = read_document();
    const char *end = strstr(document, "\n## CSS");
    assert_non_null(end);
    size_t count = 0;
    for (const char *found = document; (found = strstr(found, "\n| `")) && found < end; count++) {
        found += 4;
        text name = {found, strcspn(found, "`")};
        const char *state_text = found + name.count + 4;
        bool known = svg_name_find(name) != SVG_UNKNOWN;
        for (size_t i = 0; i < sizeof raw / sizeof raw[0]; i++)
            known = known || text_equal(name, (text){raw[i], strlen(raw[i])});
        bool drawn = strncmp(state_text, "drawn", 5) == 0, partly = strncmp(state_text, "partly", 6) == 0;
        assert_true(drawn || partly || strncmp(state_text, "no ", 3) == 0);
        if ((drawn || partly) && !known)
            fail_msg("docs/svg.md claims %.*s", TEXT_PRINT(name));
    }
    assert_true(count > SVG_NAME_COUNT);
    free(document);
}

static void test_named_scenes_are_there(void **state)
{
    (void)state;
    char *document = read_document(), path[1000];
    size_t found = 0;
    for (const char *name = document; (name = strstr(name, "`scenes/")); found++) {
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

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--update") == 0)
        return update_document();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_known_names_are_listed),
        cmocka_unit_test(test_properties_are_as_listed),
        cmocka_unit_test(test_nothing_unknown_is_claimed),
        cmocka_unit_test(test_named_scenes_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
