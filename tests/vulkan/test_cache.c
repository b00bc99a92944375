/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The file of compiled programs: it is kept, used again, and harmless whatever happens to it. */
#include "vulkan/gpu_fixture.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vulkan/program.h"

static const uint32_t arguments_spv[] = {
#include "spv/device_arguments.inc"
};

/* A folder of the test's own. In it lies one that does not exist yet. */
typedef struct cache_folder {
    char root[64];
    char folder[96];
} cache_folder;

static int make_folder(void **state)
{
    static cache_folder made;
    snprintf(made.root, sizeof made.root, "/tmp/pietra-cache-XXXXXX");
    if (!mkdtemp(made.root))
        return -1;
    snprintf(made.folder, sizeof made.folder, "%s/deeper/still", made.root);
    *state = &made;
    return 0;
}

/* Finds the only file of a folder. Returns false if there is none. More than one fails the test. */
static bool find_file(const char *folder, char path[512])
{
    unsigned count = 0;
    DIR *directory = opendir(folder);
    if (!directory)
        return false;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        if (entry->d_name[0] != '.') {
            snprintf(path, 512, "%s/%s", folder, entry->d_name);
            count++;
        }
    }
    closedir(directory);
    assert_true(count <= 1);
    return count == 1;
}

static int remove_folder(void **state)
{
    const cache_folder *made = *state;
    char path[512];
    if (find_file(made->folder, path))
        unlink(path);
    rmdir(made->folder);
    snprintf(path, sizeof path, "%s/deeper", made->root);
    rmdir(path);
    unlink(path);
    return rmdir(made->root);
}

static size_t read_file(const char *path, uint8_t *bytes, size_t capacity)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t count = fread(bytes, 1, capacity, file);
    assert_int_equal(fclose(file), 0);
    return count;
}

static void write_file(const char *path, const uint8_t *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static void make_program(const char *cache_directory)
{
    gpu_fixture fixture;
    pietra_device_options options = gpu_fixture_options(&fixture);
    options.cache_directory = cache_directory;
    gpu_fixture_open(&fixture, &options);
    const gpu_program_info info = {
        .name = "arguments", .spirv = arguments_spv, .word_count = sizeof arguments_spv / 4, .buffer_count = 1};
    gpu_program *program;
    assert_int_equal(gpu_program_create(fixture.device, &info, NULL, &program), PIETRA_OK);
    gpu_program_destroy(program);
    gpu_fixture_close(&fixture);
}

static void test_kept_and_taken_again(void **state)
{
    const cache_folder *made = *state;
    char path[512];
    struct stat first, second;
    make_program(made->folder);
    assert_true(find_file(made->folder, path));
    assert_int_equal(stat(path, &first), 0);
    assert_true(first.st_size > 24);
    /* The second time there is nothing to add, so the file is not written again. */
    make_program(made->folder);
    assert_true(find_file(made->folder, path));
    assert_int_equal(stat(path, &second), 0);
    assert_int_equal(first.st_ino, second.st_ino);
}

static void test_no_program_no_file(void **state)
{
    const cache_folder *made = *state;
    gpu_fixture fixture;
    char path[512];
    pietra_device_options options = gpu_fixture_options(&fixture);
    options.cache_directory = made->folder;
    gpu_fixture_open(&fixture, &options);
    gpu_fixture_close(&fixture);
    assert_false(find_file(made->folder, path));
}

/* A file that is cut anywhere, changed anywhere or too long is ignored, and replaced by a good one. */
static void test_broken_file(void **state)
{
    const cache_folder *made = *state;
    static uint8_t whole[1 << 20], broken[(1 << 20) + 1];
    char path[512];
    make_program(made->folder);
    assert_true(find_file(made->folder, path));
    size_t count = read_file(path, whole, sizeof whole);
    assert_true(count > 24 && count < sizeof whole);
    const size_t places[] = {0, 7, 8, 15, 16, 23, 24, count / 2, count - 1};
    for (size_t i = 0; i < 2 * sizeof places / sizeof places[0] + 1; i++) {
        size_t place = places[i / 2 % (sizeof places / sizeof places[0])], length = count;
        memcpy(broken, whole, count);
        broken[count] = 0;
        if (i == 2 * sizeof places / sizeof places[0])
            length = count + 1;
        else if (i % 2)
            length = place;
        else
            broken[place] ^= 0x40;
        write_file(path, broken, length);
        make_program(made->folder);
        assert_true(find_file(made->folder, path));
        assert_int_equal(read_file(path, broken, sizeof broken), count);
        assert_memory_equal(broken, whole, 16);
    }
}

/* A file stands where the folder should be made, which stops even root. */
static void test_unwritable(void **state)
{
    const cache_folder *made = *state;
    char path[512];
    snprintf(path, sizeof path, "%s/deeper", made->root);
    write_file(path, (const uint8_t *)"x", 1);
    make_program(made->folder);
    assert_false(find_file(made->folder, path));
}

static void test_user_directory(void **state)
{
    const cache_folder *made = *state;
    char path[512], folder[128];
    assert_int_equal(setenv("XDG_CACHE_HOME", made->folder, 1), 0);
    make_program(NULL);
    snprintf(folder, sizeof folder, "%s/pietra", made->folder);
    assert_true(find_file(folder, path));
    unlink(path);
    rmdir(folder);
    /* Relative paths are not valid there. */
    assert_int_equal(setenv("XDG_CACHE_HOME", "relative", 1), 0);
    assert_int_equal(setenv("HOME", made->folder, 1), 0);
    make_program(NULL);
    snprintf(folder, sizeof folder, "%s/.cache/pietra", made->folder);
    assert_true(find_file(folder, path));
    unlink(path);
    rmdir(folder);
    snprintf(folder, sizeof folder, "%s/.cache", made->folder);
    rmdir(folder);
    assert_int_not_equal(access("relative/pietra", F_OK), 0);
    assert_int_equal(setenv("HOME", "relative", 1), 0);
    make_program(NULL);
    assert_int_not_equal(access("relative/.cache", F_OK), 0);
}

/* What a driver accepts as its own must not come from anybody else. */
static void test_others_may_write(void **state)
{
    const cache_folder *made = *state;
    char path[512];
    struct stat first, second;
    make_program(made->folder);
    assert_true(find_file(made->folder, path));
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(stat(path, &first), 0);
    make_program(made->folder);
    assert_int_equal(stat(path, &second), 0);
    assert_int_not_equal(first.st_ino, second.st_ino); /* the file was not read, so it was written anew */
    assert_int_equal(second.st_mode & 0777, 0600);
}

int main(void)
{
    /* Mesa keeps a cache of its own in the same folder. */
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_kept_and_taken_again, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_no_program_no_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_broken_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_unwritable, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_user_directory, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_others_may_write, make_folder, remove_folder),
    };
    return cmocka_run_group_tests_name("gpu_cache", tests, NULL, NULL);
}
