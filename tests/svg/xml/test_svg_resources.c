/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What references fetch: data URLs, and files that lie below a directory and nowhere else. */
#define _GNU_SOURCE /* for renameat2 */

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "svg/xml/resource.h"

/* Fetches relative to the directory. NULL: there are no files. */
static svg_fetched fetch(const char *reference, const char *directory, svg_bytes *bytes)
{
    svg_folder folder = {-1, NULL};
    if (directory)
        assert_true(svg_folder_open(&folder, directory));
    svg_fetched fetched =
        svg_resource_fetch((text){reference, strlen(reference)}, directory ? &folder : NULL, "", bytes);
    svg_folder_close(&folder);
    return fetched;
}

static void assert_fetched(const char *reference, const char *directory, const char *expected)
{
    svg_bytes bytes = {0};
    if (fetch(reference, directory, &bytes) != SVG_FETCHED)
        fail_msg("%s was not fetched", reference);
    assert_int_equal(bytes.count, strlen(expected));
    assert_memory_equal(bytes.items, expected, bytes.count);
    array_free(&bytes);
}

static void assert_refused(const char *reference, const char *directory, svg_fetched expected)
{
    svg_bytes bytes = {0};
    svg_fetched fetched = fetch(reference, directory, &bytes);
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

    static const char *const names[] = {"in/link", "in/a b", "inner/x", "secret", "in", "inner", ""};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", root, names[i]);
        assert_int_equal(remove(path), 0);
    }
}

/* ---- Trees: a folder `in` with content, and others beside it ---- */

typedef struct tree {
    char root[64], inside[80];
    char path[140]; /* what the last call of at() returned */
} tree;

static const char *at(tree *tree, const char *name)
{
    snprintf(tree->path, sizeof tree->path, "%s/%s", tree->root, name);
    return tree->path;
}

static void add_link(tree *tree, const char *target, const char *name)
{
    assert_int_equal(symlink(target, at(tree, name)), 0);
}

/* in/file, in/sub/file, in/sub/deep/file, out/file, out/deep/file; each file holds one letter. */
static int grow(void **state)
{
    static tree tree;
    static const char *const folders[] = {"in", "in/sub", "in/sub/deep", "out", "out/deep"};
    strcpy(tree.root, "/tmp/pietra_resources_XXXXXX");
    if (!mkdtemp(tree.root))
        return -1;
    snprintf(tree.inside, sizeof tree.inside, "%s/in", tree.root);
    for (size_t i = 0; i < 5; i++) {
        char name[40];
        assert_int_equal(mkdir(at(&tree, folders[i]), 0700), 0);
        snprintf(name, sizeof name, "%s/file", folders[i]);
        FILE *file = fopen(at(&tree, name), "wb");
        assert_non_null(file);
        fputc("ISDod"[i], file);
        fclose(file);
    }
    *state = &tree;
    return 0;
}

static int fell(void **state)
{
    tree *tree = *state;
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", tree->root);
    return system(command);
}

static void test_links(void **state)
{
    tree *tree = *state;
    char target[200], name[40];
    add_link(tree, "file", "in/link");
    add_link(tree, "../sub/../file", "in/sub/up");
    add_link(tree, "sub", "in/folder");
    add_link(tree, "sub/", "in/slash");
    add_link(tree, "../in/sub", "in/round"); /* out and back in */
    add_link(tree, "../out", "in/out");
    add_link(tree, "../../in/file", "out/deep/back");
    add_link(tree, "missing", "in/dangling");
    add_link(tree, "loop", "in/loop");
    add_link(tree, "ring_b", "in/ring_a");
    add_link(tree, "ring_a", "in/ring_b");
    snprintf(target, sizeof target, "%s/in/sub/file", tree->root);
    add_link(tree, target, "in/absolute");
    snprintf(target, sizeof target, "%s/out/file", tree->root);
    add_link(tree, target, "in/away");
    add_link(tree, "in", "alias");
    snprintf(target, sizeof target, "%s/alias/sub", tree->root);
    add_link(tree, target, "in/by_alias");
    add_link(tree, "/", "in/top");

    assert_fetched("link", tree->inside, "I");
    assert_fetched("sub/up", tree->inside, "I");
    assert_fetched("folder/file", tree->inside, "S");
    assert_fetched("folder/../file", tree->inside, "I");
    assert_fetched("slash/deep/file", tree->inside, "D");
    assert_fetched("round/file", tree->inside, "S");
    assert_fetched("absolute", tree->inside, "S");
    assert_fetched("by_alias/file", tree->inside, "S");
    assert_fetched("out/deep/back", tree->inside, "I");
    assert_fetched("sub/deep/../../folder//./deep/file", tree->inside, "D");
    assert_fetched("link", at(tree, "alias"), "I");
    snprintf(target, sizeof target, "%s/alias/sub/up", tree->root);
    assert_fetched(target, tree->inside, "I");
    snprintf(target, sizeof target, "top%s/in/file", tree->root);
    assert_fetched(target, tree->inside, "I");
    snprintf(target, sizeof target, "../../../../../../../..%s/in/file", tree->root);
    assert_fetched(target, tree->inside, "I");
    assert_fetched(target + strlen("../../../../../../../.."), "/", "I");

    assert_refused("out/file", tree->inside, SVG_FETCHED_FORBIDDEN);
    assert_refused("away", tree->inside, SVG_FETCHED_FORBIDDEN);
    assert_refused("out", tree->inside, SVG_FETCHED_FORBIDDEN);
    assert_refused("round/../..", tree->inside, SVG_FETCHED_FORBIDDEN);
    assert_refused("folder/../../out/file", tree->inside, SVG_FETCHED_FORBIDDEN);
    assert_refused("top/etc/passwd", tree->inside, SVG_FETCHED_FORBIDDEN);
    assert_refused("../in", tree->inside, SVG_FETCHED_FORBIDDEN);
    assert_refused("../in/", tree->inside, SVG_FETCHED_FORBIDDEN);
    assert_refused("out/missing", tree->inside, SVG_FETCHED_NOTHING);
    assert_refused("dangling", tree->inside, SVG_FETCHED_NOTHING);
    assert_refused("loop", tree->inside, SVG_FETCHED_NOTHING);
    assert_refused("loop/file", tree->inside, SVG_FETCHED_NOTHING);
    assert_refused("ring_a", tree->inside, SVG_FETCHED_NOTHING);
    assert_refused("file/", tree->inside, SVG_FETCHED_NOTHING);
    assert_refused("file/..", tree->inside, SVG_FETCHED_NOTHING);
    assert_refused("file/../file", tree->inside, SVG_FETCHED_NOTHING);
    assert_refused("missing/../file", tree->inside, SVG_FETCHED_NOTHING);

    for (unsigned i = 0; i <= SVG_MOST_LINKS; i++) {
        snprintf(name, sizeof name, "in/chain%u", i);
        snprintf(target, sizeof target, i ? "chain%u" : "file", i - 1);
        add_link(tree, target, name);
    }
    snprintf(name, sizeof name, "chain%u", SVG_MOST_LINKS - 1);
    assert_fetched(name, tree->inside, "I");
    snprintf(name, sizeof name, "chain%u", SVG_MOST_LINKS);
    assert_refused(name, tree->inside, SVG_FETCHED_NOTHING);
}

/* None of them blocks. */
static void test_what_is_no_file(void **state)
{
    tree *tree = *state;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    assert_int_equal(mkfifo(at(tree, "in/fifo"), 0600), 0);
    add_link(tree, "fifo", "in/fifo_link");
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_true(listener >= 0);
    strcpy(address.sun_path, at(tree, "in/socket"));
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_refused("fifo", tree->inside, SVG_FETCHED_NOTHING);
    assert_refused("fifo_link", tree->inside, SVG_FETCHED_NOTHING);
    assert_refused("fifo/file", tree->inside, SVG_FETCHED_NOTHING);
    assert_refused("socket", tree->inside, SVG_FETCHED_NOTHING);
    assert_refused("sub", tree->inside, SVG_FETCHED_NOTHING);
    assert_refused("sub/", tree->inside, SVG_FETCHED_NOTHING);
    assert_refused("sub/.", tree->inside, SVG_FETCHED_NOTHING);
    assert_refused("null", "/dev", SVG_FETCHED_NOTHING);
    assert_refused("zero", "/dev", SVG_FETCHED_NOTHING);
    if (mknod(at(tree, "in/device"), S_IFCHR | 0600, makedev(1, 5)) == 0)
        assert_refused("device", tree->inside, SVG_FETCHED_NOTHING);
    close(listener);
}

static void test_size(void **state)
{
    tree *tree = *state;
    assert_int_equal(truncate(at(tree, "in/file"), (off_t)SVG_MOST_RESOURCE_BYTES + 1), 0);
    assert_refused("file", tree->inside, SVG_FETCHED_NOTHING);
    assert_int_equal(truncate(at(tree, "in/file"), 0), 0);
    assert_fetched("file", tree->inside, "");
}

static void test_long_names(void **state)
{
    tree *tree = *state;
    char name[2 * SVG_MOST_NAME_BYTES] = "";
    while (strlen(name) + 8 < SVG_MOST_NAME_BYTES)
        strcat(name, "./sub/../");
    assert_int_equal(strlen(name) % 9, 0);
    strcpy(name + strlen(name) - 9, "file");
    assert_fetched(name, tree->inside, "I");
    while (strlen(name) < SVG_MOST_NAME_BYTES)
        strcat(name, "/");
    assert_refused(name, tree->inside, SVG_FETCHED_NOTHING);
    memset(name, 'x', 300);
    name[300] = '\0';
    assert_refused(name, tree->inside, SVG_FETCHED_NOTHING);
    strcat(name, "/file");
    assert_refused(name, tree->inside, SVG_FETCHED_NOTHING);
}

/* After each step up, the way down is walked again: in a deep tree a name could ask for a million steps. */
static void test_steps(void **state)
{
    tree *tree = *state;
    char deep[700] = "", up[1000] = "", name[SVG_MOST_NAME_BYTES], command[300];
    snprintf(command, sizeof command, "cd %s && mkdir -p $(printf 'a/%%.0s' $(seq 300))", tree->inside);
    assert_int_equal(system(command), 0);
    for (unsigned i = 0; i < 300; i++) {
        strcat(deep, "a/");
        strcat(up, "../");
    }
    snprintf(name, sizeof name, "%s../a/%sfile", deep, up);
    assert_fetched(name, tree->inside, "I");
    strcpy(name, deep);
    while (strlen(name) < 3000)
        strcat(name, "../a/");
    strcat(name, up);
    strcat(name, "file");
    assert_refused(name, tree->inside, SVG_FETCHED_NOTHING);
}

/* The folder is the one that was opened, whatever has its name now. */
static void test_an_exchanged_folder(void **state)
{
    tree *tree = *state;
    svg_folder folder;
    svg_bytes bytes = {0};
    char other[100];
    assert_true(svg_folder_open(&folder, tree->inside));
    snprintf(other, sizeof other, "%s/moved", tree->root);
    assert_int_equal(rename(tree->inside, other), 0);
    add_link(tree, "out", "in");
    assert_int_equal(svg_resource_fetch(TEXT("file"), &folder, "", &bytes), SVG_FETCHED);
    assert_int_equal(svg_resource_fetch(TEXT("sub/file"), &folder, "", &bytes), SVG_FETCHED);
    assert_int_equal(svg_resource_fetch(TEXT("file"), &folder, "sub/", &bytes), SVG_FETCHED);
    assert_int_equal(svg_resource_fetch(TEXT("../sub/file"), &folder, "sub/", &bytes), SVG_FETCHED);
    assert_int_equal(svg_resource_fetch(TEXT("../in/file"), &folder, "", &bytes), SVG_FETCHED_FORBIDDEN);
    assert_int_equal(bytes.count, 4);
    assert_memory_equal(bytes.items, "ISSS", 4);
    array_free(&bytes);
    svg_folder_close(&folder);
}

static void test_a_folder_that_is_not_there(void **state)
{
    tree *tree = *state;
    assert_refused("file", at(tree, "none"), SVG_FETCHED_NOTHING);
    assert_refused("/etc/passwd", at(tree, "in/file"), SVG_FETCHED_NOTHING);
}

/* ---- Exchanged while they are walked ---- */

typedef struct swapper {
    char names[2][140];
    atomic_bool stop;
    atomic_ulong swaps;
    int error;
} swapper;

static void *swap(void *user)
{
    swapper *swapper = user;
    while (!atomic_load(&swapper->stop) && !swapper->error) {
        if (renameat2(AT_FDCWD, swapper->names[0], AT_FDCWD, swapper->names[1], RENAME_EXCHANGE) != 0)
            swapper->error = errno;
        atomic_fetch_add(&swapper->swaps, 1);
    }
    return NULL;
}

/* What lies inside may be found or not. What lies outside is never found. */
static void fetch_while_swapped(tree *tree, const char *a, const char *b, const char *reference)
{
    enum { FETCHES = 20000, MOST_FETCHES = 2000000 };
    swapper swapper = {.error = 0};
    svg_folder folder;
    pthread_t thread;
    unsigned long found = 0, refused = 0;
    strcpy(swapper.names[0], at(tree, a));
    strcpy(swapper.names[1], at(tree, b));
    assert_true(svg_folder_open(&folder, tree->inside));
    assert_int_equal(pthread_create(&thread, NULL, swap, &swapper), 0);
    for (unsigned long i = 0; i < FETCHES || ((!found || !refused) && i < MOST_FETCHES && !swapper.error); i++) {
        svg_bytes bytes = {0};
        svg_fetched fetched = svg_resource_fetch((text){reference, strlen(reference)}, &folder, "", &bytes);
        bool inside = fetched == SVG_FETCHED && bytes.count == 1 &&
                      (bytes.items[0] == 'I' || bytes.items[0] == 'S' || bytes.items[0] == 'D');
        if (inside ? false : bytes.count > 0)
            fail_msg("%s gave %c after %lu exchanges", reference, bytes.items[0], atomic_load(&swapper.swaps));
        *(inside ? &found : &refused) += 1;
        array_free(&bytes);
    }
    atomic_store(&swapper.stop, true);
    pthread_join(thread, NULL);
    svg_folder_close(&folder);
    if (swapper.error == EINVAL || swapper.error == ENOSYS)
        skip(); /* the file system cannot exchange names */
    assert_int_equal(swapper.error, 0);
    assert_true(found > 0 && refused > 0);
}

static void test_an_exchanged_file(void **state)
{
    tree *tree = *state;
    add_link(tree, "../out/file", "in/link");
    fetch_while_swapped(tree, "in/file", "in/link", "file");
}

static void test_an_exchanged_subfolder(void **state)
{
    tree *tree = *state;
    add_link(tree, "../out", "in/link");
    fetch_while_swapped(tree, "in/sub", "in/link", "sub/deep/file");
}

static void test_an_exchanged_way_up(void **state)
{
    tree *tree = *state;
    add_link(tree, "../out/deep", "in/link");
    fetch_while_swapped(tree, "in/sub", "in/link", "sub/../file");
}

static void test_an_exchanged_fifo(void **state)
{
    tree *tree = *state;
    assert_int_equal(mkfifo(at(tree, "in/fifo"), 0600), 0);
    fetch_while_swapped(tree, "in/file", "in/fifo", "file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_files),
        cmocka_unit_test_setup_teardown(test_links, grow, fell),
        cmocka_unit_test_setup_teardown(test_what_is_no_file, grow, fell),
        cmocka_unit_test_setup_teardown(test_size, grow, fell),
        cmocka_unit_test_setup_teardown(test_long_names, grow, fell),
        cmocka_unit_test_setup_teardown(test_steps, grow, fell),
        cmocka_unit_test_setup_teardown(test_an_exchanged_folder, grow, fell),
        cmocka_unit_test_setup_teardown(test_a_folder_that_is_not_there, grow, fell),
        cmocka_unit_test_setup_teardown(test_an_exchanged_file, grow, fell),
        cmocka_unit_test_setup_teardown(test_an_exchanged_subfolder, grow, fell),
        cmocka_unit_test_setup_teardown(test_an_exchanged_way_up, grow, fell),
        cmocka_unit_test_setup_teardown(test_an_exchanged_fifo, grow, fell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
