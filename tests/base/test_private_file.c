/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Files that only this user can have written. Other files are not read, and nothing is written beside them. */
#define _GNU_SOURCE

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/private_file.h"

#define SOMEBODY 12345u

static char root[64], path[200], other[200];

/* How many bytes read() gives before it fails, one at a time with interruptions; by default all. */
static size_t left = SIZE_MAX;

ssize_t __real_read(int file, void *bytes, size_t count);
ssize_t __wrap_read(int file, void *bytes, size_t count);
ssize_t __wrap_read(int file, void *bytes, size_t count)
{
    static bool interrupts;
    if (left == SIZE_MAX)
        return __real_read(file, bytes, count);
    errno = EINTR;
    if ((interrupts = !interrupts))
        return -1;
    return left > 0 && left-- ? __real_read(file, bytes, 1) : 0;
}

static const char *in_root(char *room, const char *name)
{
    snprintf(room, 200, "%s/%s", root, name);
    return room;
}

/* A folder with a file in it, both as they should be. */
static int make(void **state)
{
    (void)state;
    strcpy(root, "/tmp/pietra-private-XXXXXX");
    return mkdtemp(root) && private_file_write(in_root(path, "folder/file"), "he", 2, "llo", 3) ? 0 : -1;
}

static int destroy(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

static void assert_read(const char *expected)
{
    size_t count = 0;
    uint8_t *bytes = private_file_read(path, 5, &count);
    if (!expected) {
        assert_null(bytes);
        return;
    }
    assert_non_null(bytes);
    assert_int_equal(count, strlen(expected));
    assert_string_equal((char *)bytes, expected);
    free(bytes);
}

static unsigned mode_of(const char *name)
{
    struct stat status;
    assert_int_equal(stat(name, &status), 0);
    return status.st_mode & 07777;
}

static void test_written_and_read(void **state)
{
    (void)state;
    assert_read("hello");
    assert_int_equal(mode_of(path), 0600);
    assert_int_equal(mode_of(in_root(other, "folder")), 0700);
    assert_true(private_file_write(path, "", 0, "new", 3));
    assert_read("new");
    assert_true(private_file_write(path, "", 0, "", 0));
    assert_read("");
    in_root(path, "a/b/c/file");
    assert_true(private_file_write(path, "", 0, "deep", 4));
    assert_read("deep");
    assert_int_equal(mode_of(in_root(other, "a")), 0700);
}

/* A file that ends before its size is not read. */
static void test_reading_fails(void **state)
{
    (void)state;
    left = 4;
    assert_read(NULL);
    left = 5;
    assert_read("hello");
    left = SIZE_MAX;
}

static void test_size(void **state)
{
    (void)state;
    assert_true(private_file_write(path, "hello", 5, "!", 1));
    assert_read(NULL);
}

static void test_file_others_may_write(void **state)
{
    (void)state;
    static const mode_t bad[] = {0620, 0602, 0666};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(chmod(path, bad[i]), 0);
        assert_read(NULL);
    }
    assert_int_equal(chmod(path, 0644), 0);
    assert_read("hello");
}

static void test_folder_others_may_write(void **state)
{
    (void)state;
    in_root(other, "folder");
    static const mode_t bad[] = {0720, 0702, 01777};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(chmod(other, bad[i]), 0);
        assert_read(NULL);
        assert_false(private_file_write(path, "", 0, "new", 3));
    }
    assert_int_equal(chmod(other, 0755), 0);
    assert_read("hello");
    assert_true(private_file_write(path, "", 0, "new", 3));
    assert_read("new");
}

static void test_somebody_elses(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(chown(path, SOMEBODY, SOMEBODY), 0);
    assert_read(NULL);
    assert_true(private_file_write(path, "", 0, "new", 3)); /* the file is replaced */
    assert_read("new");
    assert_int_equal(chown(in_root(other, "folder"), SOMEBODY, SOMEBODY), 0);
    assert_read(NULL);
    assert_false(private_file_write(path, "", 0, "newer", 5));
}

static void test_what_is_no_file(void **state)
{
    (void)state;
    assert_int_equal(rename(path, in_root(other, "folder/real")), 0);
    assert_int_equal(symlink("real", path), 0);
    assert_read(NULL);
    assert_true(private_file_write(path, "", 0, "new", 3)); /* the link, not the file to which it leads */
    assert_read("new");
    in_root(path, "folder/real");
    assert_read("hello");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_read(NULL); /* without waiting */
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_read(NULL);
    assert_false(private_file_write(path, "", 0, "new", 3));
    in_root(path, "folder/none");
    assert_read(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_written_and_read, make, destroy),
        cmocka_unit_test_setup_teardown(test_reading_fails, make, destroy),
        cmocka_unit_test_setup_teardown(test_size, make, destroy),
        cmocka_unit_test_setup_teardown(test_file_others_may_write, make, destroy),
        cmocka_unit_test_setup_teardown(test_folder_others_may_write, make, destroy),
        cmocka_unit_test_setup_teardown(test_somebody_elses, make, destroy),
        cmocka_unit_test_setup_teardown(test_what_is_no_file, make, destroy),
    };
    return cmocka_run_group_tests_name("private_file", tests, NULL, NULL);
}
