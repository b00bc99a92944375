/* What references fetch: data URLs, and files that lie below a directory and nowhere else. */
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "svg/resource.h"

static void assert_fetched(const char *reference, const char *directory, const char *expected)
{
    svg_bytes bytes = { 0 };
    if (svg_resource_fetch((text){ reference, strlen(reference) }, directory, directory, &bytes) != SVG_FETCHED)
        fail_msg("%s was not fetched", reference);
    assert_int_equal(bytes.count, strlen(expected));
    assert_memory_equal(bytes.items, expected, bytes.count);
    array_free(&bytes);
}

static void assert_refused(const char *reference, const char *directory, svg_fetched expected)
{
    svg_bytes bytes = { 0 };
    svg_fetched fetched = svg_resource_fetch((text){ reference, strlen(reference) }, directory, directory, &bytes);
    if (fetched != expected)
        fail_msg("%s gave %d", reference, (int)fetched);
    assert_int_equal(bytes.count, 0);
    array_free(&bytes);
}

static void test_data(void **state)
{
    (void)state;
    assert_fetched("data:,hello", NULL, "hello");
    assert_fetched("data:text/plain;charset=utf-8,a%20b%2", NULL, "a b%2");
    assert_fetched("DATA:;base64,aGVsbG8=", NULL, "hello");
    assert_fetched(" data:image/png;base64 , aGVs\n bG8 ", NULL, "hello");
    assert_fetched("data:;base64,aGVsbG8%3D", NULL, "hello");
    assert_fetched("data:;base64,aGVsbG8", NULL, "hello");
    assert_refused("data:text/plain", NULL, SVG_FETCHED_NOTHING);
}

static void write_file(const char *path)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(path + strlen(path) - 1, file);
    fclose(file);
}

static void test_files(void **state)
{
    (void)state;
    char root[] = "/tmp/pietra_resources_XXXXXX", path[200], inside[200], climbing[300];
    assert_non_null(mkdtemp(root));
    snprintf(inside, sizeof inside, "%s/in", root);
    assert_int_equal(mkdir(inside, 0700), 0);
    snprintf(path, sizeof path, "%s/secret", root);
    write_file(path);
    snprintf(path, sizeof path, "%s/in/a b", root);
    write_file(path);
    snprintf(path, sizeof path, "%s/in/link", root);
    assert_int_equal(symlink("../secret", path), 0);
    snprintf(path, sizeof path, "%s/inner", root);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/inner/x", root);
    write_file(path);

    assert_fetched("a%20b", inside, "b");
    assert_fetched("./a b?query#part", inside, "b");
    assert_fetched("../in/a b", inside, "b");
    assert_refused("a%20b", NULL, SVG_FETCHED_FORBIDDEN);
    assert_refused("../secret", inside, SVG_FETCHED_FORBIDDEN);
    assert_refused("%2e%2e/secret", inside, SVG_FETCHED_FORBIDDEN);
    assert_refused("link", inside, SVG_FETCHED_FORBIDDEN);
    assert_refused("../inner/x", inside, SVG_FETCHED_FORBIDDEN);
    assert_refused("/etc/passwd", inside, SVG_FETCHED_FORBIDDEN);
    assert_refused("file:///etc/passwd", inside, SVG_FETCHED_FORBIDDEN);
    assert_refused("http://localhost/a", inside, SVG_FETCHED_FORBIDDEN);
    assert_refused("missing", inside, SVG_FETCHED_NOTHING);
    assert_refused(".", inside, SVG_FETCHED_FORBIDDEN);
    assert_refused("a%00b", inside, SVG_FETCHED_NOTHING);
    assert_refused("", inside, SVG_FETCHED_NOTHING);
    snprintf(climbing, sizeof climbing, "file://%s/a%%20b", inside);
    assert_fetched(climbing, inside, "b");

    static const char *const names[] = { "in/link", "in/a b", "inner/x", "secret", "in", "inner", "" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", root, names[i]);
        assert_int_equal(remove(path), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
