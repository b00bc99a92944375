/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The fonts of the system, by fontconfig and by the index. Each run is a process of its own, as runs of the command
 * are. Its fonts and its fontconfig's configuration lie in a folder of the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hash.h"
#include "font/fontconfig_rules.h"
#include "font/installed.h"
#include "pietra/pietra_text.h"

#define FONTS PIETRA_SOURCE_DIR "/tests/font/fonts/"

static char root[64], index_path[300];

static void run_command(const char *format, ...)
{
    char command[2000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    assert_int_equal(system(command), 0);
}

/* Folders that just changed are not trusted to stay, so they are made an hour older. */
static void make_older(void)
{
    run_command("find %s/fonts %s/config -exec touch -h -d '1 hour ago' {} +", root, root);
}

static int make_system(void **state)
{
    (void)state;
    strcpy(root, "/tmp/pietra-system-XXXXXX");
    if (!mkdtemp(root))
        return -1;
    run_command("cd %s && mkdir config fonts && cd %s && cp shapes.ttf cubic.otf variable.ttf collection.ttc %s/fonts",
                root, FONTS, root);
    if (!lead_fontconfig(root,
                         "<alias><family>serif</family><prefer><family>Pietra Cubic</family></prefer></alias>"
                         "<alias><family>monospace</family><prefer><family>Pietra Second</family></prefer></alias>"))
        return -1;
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_DATA_HOME");
    unsetenv("XDG_CACHE_HOME");
    make_older();
    return 0;
}

static int remove_system(void **state)
{
    (void)state;
    run_command("rm -r %s", root);
    return 0;
}

/* ---- One run ---- */

static void fail_on_warning(void *user, uint32_t line, const char *message)
{
    (void)user, (void)line;
    fprintf(stderr, "warning: %s\n", message);
    _exit(90);
}

/* Returns the width of the box of an A in the font, which differs between fonts; -1: there is no font. */
static int ask(pietra_fonts *fonts, const char *family, double weight, const char *text)
{
    const pietra_font_query query = {.families = &family, .family_count = 1, .weight = weight, .text = text};
    pietra_font *font;
    pietra_box box = {0};
    pietra_path *path = pietra_path_create();
    if (pietra_font_open(fonts, &query, NULL, &font) != PIETRA_OK) {
        pietra_path_destroy(path);
        return -1;
    }
    pietra_font_outline(font, pietra_font_glyph(font, 0xc1), path, NULL);
    pietra_path_bounds(path, &box);
    pietra_font_destroy(font);
    pietra_path_destroy(path);
    return (int)(box.x1 - box.x0) * 1000 + (int)-box.y0;
}

static bool is_loaded(const char *library)
{
    char line[1000];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        found |= strstr(line, library) != NULL;
    if (maps)
        fclose(maps);
    return found;
}

/* Of sanitizers: returns whether memory was lost. */
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

#define FAMILIES_WRONG 1
#define FONTCONFIG_OPENED 64

typedef int run_function(pietra_fonts *fonts);

static int ask_for_families(pietra_fonts *fonts)
{
    const bool right = ask(fonts, "Pietra Shapes", 400, NULL) == 560870 &&
                       ask(fonts, "pietra variable", 900, NULL) == 661870 && ask(fonts, "serif", 400, NULL) == 560860 &&
                       ask(fonts, "monospace", 700, "A") == 560870 &&
                       ask(fonts, "Nowhere", 400, "\xf0\x9f\x98\x80") > 0 && ask(fonts, "Nowhere", 400, "C") == -1;
    return right ? 0 : FAMILIES_WRONG;
}

/* Runs the function in a process, with the fonts of the system, and returns its result, with whether fontconfig was
 * opened. */
static pid_t start_run(const char *cache, run_function *function)
{
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process > 0)
        return process;
    pietra_fonts *fonts = pietra_fonts_create();
    pietra_fonts_set_warning(fonts, fail_on_warning, NULL);
    if (!fonts || pietra_fonts_add_system(fonts, cache, NULL) != PIETRA_OK || is_loaded("libfontconfig"))
        _exit(91);
    const int result = function(fonts);
    pietra_fonts_destroy(fonts);
    if (__lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check())
        _exit(92);
    _exit(result | (is_loaded("libfontconfig") ? FONTCONFIG_OPENED : 0));
}

static int end_run(pid_t process)
{
    int status;
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int run_once(run_function *function)
{
    char cache[100];
    snprintf(cache, sizeof cache, "%s/cache", root);
    return end_run(start_run(cache, function));
}

static void find_index(void)
{
    char command[200];
    snprintf(command, sizeof command, "ls %s/cache/fonts-*.index", root);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(index_path, sizeof index_path, pipe));
    index_path[strcspn(index_path, "\n")] = '\0';
    assert_int_equal(pclose(pipe), 0);
}

/* ---- Tests ---- */

static void test_second_run(void **state)
{
    (void)state;
    assert_int_equal(run_once(ask_for_families), FONTCONFIG_OPENED);
    assert_int_equal(run_once(ask_for_families), 0);
}

static int ask_for_shapes(pietra_fonts *fonts)
{
    return ask(fonts, "Pietra Shapes", 400, NULL) == 560870 ? 0 : FAMILIES_WRONG;
}

/* A font that is not drawn is not opened: nobody notices that it has become another file. */
static void test_fonts_not_drawn(void **state)
{
    (void)state;
    assert_int_equal(run_once(ask_for_families), FONTCONFIG_OPENED);
    run_command("echo text > %s/fonts/cubic.otf", root);
    assert_int_equal(run_once(ask_for_shapes), 0);
}

/* What an earlier run did not ask for is asked of fontconfig once. */
static void test_new_questions(void **state)
{
    (void)state;
    assert_int_equal(run_once(ask_for_shapes), FONTCONFIG_OPENED);
    assert_int_equal(run_once(ask_for_shapes), 0);
    assert_int_equal(run_once(ask_for_families), FONTCONFIG_OPENED);
    assert_int_equal(run_once(ask_for_families), 0);
    assert_int_equal(run_once(ask_for_shapes), 0);
}

static int ask_for_woff(pietra_fonts *fonts)
{
    return ask(fonts, "Pietra Variable Cubic", 900, NULL) == 661860 ? 0 : FAMILIES_WRONG;
}

static void test_changes(void **state)
{
    (void)state;
    assert_int_equal(run_once(ask_for_families), FONTCONFIG_OPENED);
    assert_int_equal(run_once(ask_for_woff), FAMILIES_WRONG | 0);
    run_command("cp %svariable_cubic.otf %s/fonts", FONTS, root);
    assert_int_equal(run_once(ask_for_woff), FONTCONFIG_OPENED);
    /* The folder changed just now, so the index of that run is not trusted. */
    assert_int_equal(run_once(ask_for_woff), FONTCONFIG_OPENED);
    make_older();
    assert_int_equal(run_once(ask_for_woff), FONTCONFIG_OPENED);
    assert_int_equal(run_once(ask_for_woff), 0);
    run_command("mkdir %s/.fonts && touch -d '1 hour ago' %s/.fonts", root, root);
    assert_int_equal(run_once(ask_for_woff), FONTCONFIG_OPENED);
    assert_int_equal(run_once(ask_for_woff), 0);
}

/* An index that is broken anywhere is made anew. */
static void test_corruption(void **state)
{
    (void)state;
    assert_int_equal(run_once(ask_for_families), FONTCONFIG_OPENED);
    find_index();
    run_command("truncate -s 1000 %s", index_path);
    assert_int_equal(run_once(ask_for_families), FONTCONFIG_OPENED);
    assert_int_equal(run_once(ask_for_families), 0);
    run_command("printf x | dd of=%s bs=1 seek=600 conv=notrunc status=none", index_path);
    assert_int_equal(run_once(ask_for_families), FONTCONFIG_OPENED);
    assert_int_equal(run_once(ask_for_families), 0);
    run_command("chmod o+w %s", index_path); /* somebody else may have written it */
    assert_int_equal(run_once(ask_for_families), FONTCONFIG_OPENED);
    assert_int_equal(run_once(ask_for_families), 0);
}

/* Bytes that are wrong under a checksum that is right: what leads outside is refused. */
static void test_forgery(void **state)
{
    static const uint8_t values[] = {0, 1, 0x80, 0xff};
    const size_t head = 24;
    (void)state;
    assert_int_equal(run_once(ask_for_families), FONTCONFIG_OPENED);
    find_index();
    FILE *file = fopen(index_path, "r+b");
    assert_non_null(file);
    static uint8_t bytes[1 << 16];
    const size_t count = fread(bytes, 1, sizeof bytes, file);
    assert_true(count > head && count < sizeof bytes);
    for (size_t at = head; at < count; at++) {
        const uint8_t before = bytes[at];
        installed_fonts installed;
        bytes[at] = values[at % sizeof values];
        const uint64_t checksum = hash_checksum(bytes + head, count - head);
        memcpy(bytes + 16, &checksum, sizeof checksum);
        rewind(file);
        assert_int_equal(fwrite(bytes, 1, count, file), count);
        assert_int_equal(fflush(file), 0);
        if (index_read(index_path, &installed)) {
            for (size_t i = 0; i < installed.faces.count; i++) {
                const installed_face *face = &installed.faces.items[i];
                assert_true(face->characters < installed.character_sets.count);
                assert_int_equal(face->families[face->families_bytes - 1], 0);
                font_characters_have(installed.character_sets.items[face->characters], 'A');
            }
            for (size_t i = 0; i < installed.orders.count; i++)
                for (size_t k = 0; k < installed.orders.items[i].face_count; k++)
                    assert_true(installed.orders.items[i].faces[k] < installed.faces.count);
        }
        installed_free(&installed);
        bytes[at] = before;
    }
    fclose(file);
}

static void test_no_cache(void **state)
{
    char file[100];
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        snprintf(file, sizeof file, "%s/config/fonts.conf", root); /* no folder */
        assert_int_equal(end_run(start_run(file, ask_for_families)), FONTCONFIG_OPENED);
        assert_int_equal(end_run(start_run("", ask_for_families)), FONTCONFIG_OPENED);
    }
}

static void test_many_writers(void **state)
{
    pid_t processes[8];
    char cache[100];
    (void)state;
    snprintf(cache, sizeof cache, "%s/cache", root);
    for (size_t round = 0; round < 4; round++) {
        run_command("rm -rf %s/cache", root);
        for (size_t i = 0; i < 8; i++)
            processes[i] = start_run(cache, i % 2 ? ask_for_families : ask_for_shapes);
        for (size_t i = 0; i < 8; i++)
            assert_int_equal(end_run(processes[i]) & ~FONTCONFIG_OPENED, 0);
        assert_int_equal(run_once(ask_for_shapes), 0);
    }
    run_command("test $(ls -A %s/cache | wc -l) = 1", root); /* no temporary file is left */
}

/* Fonts that were added come before those of the system, which is not even asked if they will do. */
static int prefer_added(pietra_fonts *fonts)
{
    if (pietra_fonts_add_file(fonts, FONTS "shapes.woff", NULL) != PIETRA_OK ||
        ask(fonts, "Pietra Shapes", 400, "A") != 560870)
        return 1;
    if (pietra_fonts_set_family(fonts, PIETRA_FAMILY_SERIF, "Pietra Shapes", NULL) != PIETRA_OK)
        return 2;
    return ask(fonts, "serif", 400, "A") == 560870 ? 0 : 3;
}

static void test_added_first(void **state)
{
    (void)state;
    assert_int_equal(run_once(prefer_added), 0);
}

static void count_face(void *user, const pietra_face *face)
{
    *(int *)user += face->path != NULL;
}

static int list_faces(pietra_fonts *fonts)
{
    int count = 0;
    return pietra_fonts_list(fonts, count_face, &count, NULL) == PIETRA_OK ? count : 0;
}

static void test_list(void **state)
{
    (void)state;
    assert_int_equal(run_once(list_faces), 5 | FONTCONFIG_OPENED);
    assert_int_equal(run_once(list_faces), 5);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_system, remove_system)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_second_run), TEST(test_fonts_not_drawn), TEST(test_new_questions),
        TEST(test_changes),    TEST(test_corruption),      TEST(test_forgery),
        TEST(test_no_cache),   TEST(test_many_writers),    TEST(test_added_first),
        TEST(test_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
