/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Limits of control groups, read from files like Linux's in a folder that stands for the root. */
#define _XOPEN_SOURCE 700 /* for nftw */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "memory_limit.h"

static char root[] = "/tmp/pietra-groups-XXXXXX";

static int remove_one(const char *path, const struct stat *information, int kind, struct FTW *place)
{
    (void)information;
    (void)kind;
    (void)place;
    return remove(path);
}

static int make_root(void **state)
{
    (void)state;
    strcpy(root + sizeof root - sizeof "XXXXXX", "XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
    (void)state;
    return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Writes a file below the root, and makes the folders above it. */
static void put(const char *name, const char *content)
{
    char path[512];

    snprintf(path, sizeof path, "%s%s", root, name);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_no_files(void **state)
{
    (void)state;
    assert_true(memory_limit_of_groups(root) == UINT64_MAX);
    put("/proc/self/cgroup", "0::/a/b\n");
    assert_true(memory_limit_of_groups(root) == UINT64_MAX);
    put("/proc/self/cgroup", "not a line of this kind\n\n::\n");
    assert_true(memory_limit_of_groups(root) == UINT64_MAX);
}

static void test_version_2(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "0::/slice/service\n");
    put("/sys/fs/cgroup/slice/service/memory.max", "max\n");
    assert_true(memory_limit_of_groups(root) == UINT64_MAX);
    put("/sys/fs/cgroup/slice/service/memory.max", "300000000\n");
    assert_int_equal(memory_limit_of_groups(root), 300000000);
    put("/sys/fs/cgroup/slice/memory.max", "200000000\n");
    assert_int_equal(memory_limit_of_groups(root), 200000000);
    put("/sys/fs/cgroup/memory.max", "100000000\n");
    assert_int_equal(memory_limit_of_groups(root), 100000000);
}

static void test_version_1(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "9:cpu,cpuacct:/other\n4:hugetlb,memory:/docker/1f2e\n3:memoryless:/small\n0::/\n");
    put("/sys/fs/cgroup/memory/other/memory.limit_in_bytes", "1\n");
    put("/sys/fs/cgroup/memory/small/memory.limit_in_bytes", "1\n");
    put("/sys/fs/cgroup/memory/docker/1f2e/memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(memory_limit_of_groups(root), 9223372036854771712u);
    put("/sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "4096000\n");
    assert_int_equal(memory_limit_of_groups(root), 4096000);
}

/* The group's path is the one outside the container. In here its own group is the root. */
static void test_inside_a_container(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "4:memory:/docker/1f2e\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "5000000\n");
    assert_int_equal(memory_limit_of_groups(root), 5000000);
    put("/proc/self/cgroup", "0::/\n");
    put("/sys/fs/cgroup/memory.max", "6000000\n");
    assert_int_equal(memory_limit_of_groups(root), 6000000);
}

static void test_the_machine(void **state)
{
    (void)state;
    assert_true(memory_limit() < (uint64_t)1 << 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_no_files, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_version_2, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_version_1, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_inside_a_container, make_root, remove_root),
        cmocka_unit_test(test_the_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
