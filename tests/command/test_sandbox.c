/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The sandbox of the command, seen from inside: a process that has entered it tries what a document must never make it
 * do. A test that the kernel does not support says so and is skipped. */
#define _GNU_SOURCE /* for O_TMPFILE, clone and syscall */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "options.h"
#include "sandbox.h"
#include "sandbox_calls.h"
#include "sandbox_files.h"
#include "sandbox_libraries.h"
#include "temporary.h"

#ifdef __linux__

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* A folder with in/drawing.svg, in/picture.png, in/secret, out/old.png, out/secret, css/sheet.css, css/secret and
 * secret. The tests run in it. */
static char folder[] = "/tmp/pietra-sandbox-XXXXXX";

static void write_file(const char *path)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs("content", file) > 0);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    static const char *const folders[] = {"in", "out", "css", "other"};
    static const char *const files[] = {"in/drawing.svg", "in/picture.png",   "in/secret",
                                        "out/old.png",    "out/secret",       "css/sheet.css",
                                        "css/secret",     "other/target.png", "secret"};

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        assert_int_equal(mkdir(folders[i], 0700), 0);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        write_file(files[i]);
    assert_int_equal(symlink("../other/target.png", "out/link.png"), 0);
    return 0;
}

static int tear_down(void **state)
{
    char command[sizeof folder + 16];

    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

/* ---- Questions to a process inside: the answer is 0, or the number of the line that went wrong ---- */

#define WANT(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: %s, errno %d\n", __LINE__, #condition, errno); \
            return __LINE__; \
        } \
    } while (0)

static bool opens(const char *path, int flags)
{
    int descriptor = open(path, flags | O_CLOEXEC, 0600);

    if (descriptor >= 0)
        close(descriptor);
    return descriptor >= 0;
}

static bool is_refused(const char *path, int flags)
{
    errno = 0;
    return !opens(path, flags) && errno == EACCES;
}

typedef int question(void);

static int kernel_has_files(void)
{
    sandbox_files files;

    return !sandbox_files_begin(&files);
}

static int kernel_has_calls(void)
{
    return !sandbox_calls_enforce();
}

/* Asks in a process of its own, which first enters the sandbox. */
static int ask(const options *options, const char *const *outputs, size_t count, question *question)
{
    pid_t child = fork();
    int result;

    assert_true(child >= 0);
    if (child == 0) {
        if (options) {
            sandbox_enter(options, &(sandbox_needs){.inputs = options->inputs,
                                                    .input_count = options->input_count,
                                                    .outputs = outputs,
                                                    .output_count = count});
        }
        fflush(stderr);
        result = question();
        _exit(result < 255 ? result : 255);
    }
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    return WEXITSTATUS(result);
}

static bool kernel_has(question *what, const char *name)
{
    if (ask(NULL, NULL, 0, what))
        return true;
    print_message("skipped: there is no %s\n", name);
    return false;
}

/* ---- Files ---- */

static const char *drawing = "in/drawing.svg";
static const char *picture = "out/new.png";

static options one_picture(void)
{
    return (options){.inputs = &drawing, .input_count = 1, .output = picture};
}

static int ask_for_files(void)
{
    WANT(opens("in/drawing.svg", O_RDONLY));
    WANT(is_refused("in/drawing.svg", O_RDWR));
    WANT(is_refused("in/secret", O_RDONLY));
    WANT(is_refused("in/picture.png", O_RDONLY));
    WANT(is_refused("in", O_RDONLY | O_DIRECTORY));
    WANT(is_refused("secret", O_RDONLY));
    WANT(is_refused("new", O_WRONLY | O_CREAT));
    WANT(is_refused("in/new", O_WRONLY | O_CREAT));
    WANT(is_refused("css/sheet.css", O_RDONLY));
    WANT(is_refused("/etc/passwd", O_RDONLY));
    WANT(is_refused("/proc/1/cmdline", O_RDONLY));
    WANT(is_refused("/", O_RDONLY | O_DIRECTORY));
    /* Files beside OUTPUT can be written, but not read. */
    WANT(is_refused("out/secret", O_RDONLY));
    WANT(is_refused("out/secret", O_RDWR));
    WANT(opens("out/new.png", O_WRONLY | O_CREAT | O_EXCL));
    WANT(rename("out/new.png", "out/old.png") == 0);
    WANT(unlink("out/old.png") == 0);
    WANT(mkdir("out/folder", 0700) != 0 && errno == EACCES);
    WANT(symlink("/etc", "out/etc") != 0 && errno == EACCES);
    WANT(rename("out/secret", "in/secret") != 0);
    WANT(link("in/secret", "out/stolen") != 0);
    WANT(is_refused("other/target.png", O_WRONLY));
    return 0;
}

static void test_one_picture(void **state)
{
    options options = one_picture();

    (void)state;
    if (!kernel_has(kernel_has_files, "Landlock"))
        skip();
    assert_int_equal(ask(&options, &picture, 1, ask_for_files), 0);
    write_file("out/old.png");
}

static int ask_for_everything(void)
{
    WANT(opens("in/secret", O_RDONLY));
    WANT(opens("/etc/passwd", O_RDONLY));
    WANT(opens("secret", O_RDWR));
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    WANT(child > 0);
    return 0;
}

static void test_no_sandbox(void **state)
{
    options options = one_picture();

    (void)state;
    options.no_sandbox = true;
    assert_int_equal(ask(&options, &picture, 1, ask_for_everything), 0);
}

static int ask_for_sheet_and_folder(void)
{
    WANT(opens("in/drawing.svg", O_RDONLY));
    WANT(opens("in/picture.png", O_RDONLY));
    WANT(opens("in", O_RDONLY | O_DIRECTORY));
    WANT(opens("css/sheet.css", O_RDONLY));
    WANT(is_refused("css/secret", O_RDONLY));
    WANT(is_refused("secret", O_RDONLY));
    WANT(is_refused("in/new", O_WRONLY | O_CREAT));
    return 0;
}

static int ask_for_resources(void)
{
    WANT(opens("in/drawing.svg", O_RDONLY));
    WANT(is_refused("in/picture.png", O_RDONLY));
    WANT(opens("other/target.png", O_RDONLY));
    WANT(is_refused("secret", O_RDONLY));
    return 0;
}

static void test_what_else_is_read(void **state)
{
    options options = one_picture();

    (void)state;
    if (!kernel_has(kernel_has_files, "Landlock"))
        skip();
    options.allow_external = true;
    options.stylesheet = "css/sheet.css";
    assert_int_equal(ask(&options, &picture, 1, ask_for_sheet_and_folder), 0);
    options.resources_dir = "other";
    assert_int_equal(ask(&options, &picture, 1, ask_for_resources), 0);
}

static void write_text(const char *path, const char *text, size_t count)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static int ask_behind_font_link(void)
{
    WANT(opens("other/target.png", O_RDONLY));
    WANT(is_refused("secret", O_RDONLY));
    return 0;
}

static int ask_within_plain(void)
{
    WANT(opens("css/sheet.css", O_RDONLY));
    WANT(is_refused("other/target.png", O_RDONLY));
    WANT(opens("/proc/self/cgroup", O_RDONLY)); /* it leads to how much memory there is */
    return 0;
}

/* Links in folders of fonts lead on only if the document may show text or images. */
static void test_plain_documents(void **state)
{
#define DOCUMENT(bytes, more) \
    { \
        bytes, sizeof bytes - 1, more \
    }
    static const struct {
        const char *bytes;
        size_t count;
        bool more; /* it is not plain */
    } documents[] = {
        DOCUMENT("<svg/>", false),
        DOCUMENT("\xef\xbb\xbf\n<svg><textPath/><rect class='text'/></svg>", false),
        DOCUMENT("<?xml version='1.0' encoding = 'ISO-8859-1' ?><svg encoding='utf-7'/>", false),
        DOCUMENT("<?xml version='1.0'?><svg/>", false),
        DOCUMENT("<?xml version='1.0' encoding='UTF-7'?>+ADw-svg+AD4APA-text/+AD4APA-/svg+AD4-", true),
        DOCUMENT("<?xml version='1.0' encoding='utf-8-mac'?><svg/>", true),
        DOCUMENT("<svg><text>a</text></svg>", true),
        DOCUMENT("<s:svg><s:text\n/></s:svg>", true),
        DOCUMENT("<svg><image/></svg>", true),
        DOCUMENT("<svg><feImage/></svg>", true),
        DOCUMENT("<svg xmlns:metadata='a:b'><style>a{fill:red}</style><!-- a --><![CDATA[a]]></svg>", false),
        DOCUMENT("<svg><g style='mask-image:url(Data:image/png,)'/></svg>", true),
        DOCUMENT("<svg><g style='mask-image:url(d\\61ta:image/png,)'/></svg>", true),
        DOCUMENT("<svg><g style='mask-image:url(d&#97;ta:image/png,)'/></svg>", true),
        DOCUMENT("<s:svg><s:style >a{mask-image:url(d<!-- -->ata:image/png,)}</s:style></s:svg>", true),
        DOCUMENT("<!DOCTYPE svg [<!ENTITY a '&#60;text/>'>]><svg>&a;</svg>", true),
        DOCUMENT("<\0s\0v\0g\0/\0>\0", true),
        DOCUMENT("\x1f\x8b<svg/>", true),
    };
#undef DOCUMENT
    font_place place = {.path = "css", .folder = true};
    options options = one_picture();
    const char *inputs[] = {drawing, drawing};

    (void)state;
    if (!kernel_has(kernel_has_files, "Landlock"))
        skip();
    options.font_places = &place;
    options.font_place_count = 1;
    options.skip_system_fonts = true;
    assert_int_equal(symlink("../other/target.png", "css/link"), 0);
    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) {
        write_text(drawing, documents[i].bytes, documents[i].count);
        if (ask(&options, NULL, 0, documents[i].more ? ask_behind_font_link : ask_within_plain) != 0)
            fail_msg("document %zu", i);
    }
    write_text(drawing, "<svg/>", 6);
    options.allow_external = true;
    assert_int_equal(ask(&options, NULL, 0, ask_behind_font_link), 0);
    options.allow_external = false;
    options.stylesheet = "css/sheet.css";
    assert_int_equal(ask(&options, NULL, 0, ask_behind_font_link), 0);
    options.stylesheet = NULL;
    options.inputs = inputs;
    options.input_count = 2;
    assert_int_equal(ask(&options, NULL, 0, ask_behind_font_link), 0);
    assert_int_equal(unlink("css/link"), 0);
}

/* An input that is a folder is opened, so that the error can say so. Nothing in it is read. */
static int ask_for_folder(void)
{
    WANT(opens("in", O_RDONLY | O_DIRECTORY));
    WANT(is_refused("in/secret", O_RDONLY));
    return 0;
}

static void test_an_input_that_is_a_folder(void **state)
{
    const char *input = "in";
    options options = {.inputs = &input, .input_count = 1, .output = picture};

    (void)state;
    if (!kernel_has(kernel_has_files, "Landlock"))
        skip();
    assert_int_equal(ask(&options, &picture, 1, ask_for_folder), 0);
}

/* Behind a link the folder is that of the file that is replaced. */
static int ask_behind_link(void)
{
    WANT(opens("other/target.png", O_WRONLY));
    WANT(is_refused("other/target.png", O_RDONLY));
    WANT(is_refused("out/old.png", O_WRONLY));
    return 0;
}

static int ask_for_batch(void)
{
    WANT(opens("out/old.png", O_WRONLY));
    WANT(is_refused("out/old.png", O_RDONLY));
    WANT(opens("other/target.png", O_WRONLY));
    WANT(is_refused("in/secret", O_RDONLY));
    return 0;
}

static void test_links(void **state)
{
    const char *output = "out/link.png";
    options options = one_picture(), batch = {.inputs = &drawing, .input_count = 1, .output_dir = "out"};

    (void)state;
    if (!kernel_has(kernel_has_files, "Landlock"))
        skip();
    options.output = output;
    assert_int_equal(ask(&options, &output, 1, ask_behind_link), 0);
    assert_int_equal(ask(&batch, &output, 1, ask_for_batch), 0);
}

/* Files that get their names at the end, as a batch writes them. */
static int ask_for_temporary(void)
{
    static const char *const targets[] = {"out/first.png", "out/old.png", "out/link.png"};
    struct stat information;

    for (size_t i = 0; i < 2 * sizeof targets / sizeof targets[0]; i++) {
        const char *target = targets[i / 2];
        temporary file;
        WANT(temporary_open(&file, target, i % 2, 0640)); /* it may be wrong about what is there in the end */
        WANT(write(file.descriptor, "new", 3) == 3);
        WANT(temporary_finish(&file, target));
        WANT(stat(target, &information) == 0 && information.st_size == 3 && (information.st_mode & 0777) == 0640);
    }
    return 0;
}

static void test_temporary_files(void **state)
{
    options batch = {.inputs = &drawing, .input_count = 1, .output_dir = "out"};

    (void)state;
    temporary_write_only("out");
    assert_int_equal(ask(&batch, NULL, 0, ask_for_temporary), 0);
    assert_int_equal(unlink("out/link.png"), 0);
    assert_int_equal(symlink("../other/target.png", "out/link.png"), 0);
}

static int ask_for_libraries(void)
{
    static const char *const names[] = {IMAGE_PNG_LIBRARY,  IMAGE_JPEG_LIBRARY,         IMAGE_GIF_LIBRARY,
                                        IMAGE_WEBP_LIBRARY, IMAGE_WEBP_ENCODER_LIBRARY, IMAGE_LCMS_LIBRARY};
    int found = 0;

    /* What the test's own libraries have brought along needs no file. */
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        found += !dlopen(names[i], RTLD_NOW | RTLD_NOLOAD) && dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return found;
}

static void test_libraries(void **state)
{
    options options = one_picture();
    int outside = ask(NULL, NULL, 0, ask_for_libraries);

    (void)state;
    assert_true(outside > 0);
    write_text(drawing, "<svg><image/></svg>", 19);
    assert_int_equal(ask(&options, &picture, 1, ask_for_libraries), outside);
    write_text(drawing, "<svg/>", 6);
    if (kernel_has(kernel_has_files, "Landlock"))
        assert_int_equal(ask(&options, &picture, 1, ask_for_libraries), 0);
}

static void copy_file(const char *from, const char *to)
{
    char bytes[4096];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");

    assert_non_null(in);
    assert_non_null(out);
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, in)) > 0;)
        assert_int_equal(fwrite(bytes, 1, count, out), count);
    assert_int_equal(fclose(in), 0);
    assert_int_equal(fclose(out), 0);
}

typedef struct taken_places {
    char folder[PATH_MAX], library[PATH_MAX], secret[PATH_MAX]; /* the places that are looked for */
    bool has_folder, has_library, has_secret;
} taken_places;

static void note_place(void *user, const char *path)
{
    taken_places *places = user;

    places->has_folder = places->has_folder || strcmp(path, places->folder) == 0;
    places->has_library = places->has_library || strcmp(path, places->library) == 0;
    places->has_secret = places->has_secret || strcmp(path, places->secret) == 0;
}

/* From a folder of libraries, links lead to places that are allowed too, but only links of libraries. */
static void test_links_to_libraries(void **state)
{
    void *known = dlopen(IMAGE_PNG_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    struct link_map *map = NULL;
    char copy[PATH_MAX];
    taken_places places = {.has_folder = false};

    (void)state;
    assert_non_null(known);
    assert_int_equal(dlinfo(known, RTLD_DI_LINKMAP, &map), 0);
    assert_int_equal(mkdir("libraries", 0700), 0);
    copy_file(map->l_name, "libraries/libcopy.so");
    assert_int_equal(symlink("../other/target.png", "libraries/liblink.so"), 0);
    assert_int_equal(symlink("../secret", "libraries/secret"), 0);
    assert_non_null(realpath("libraries", places.folder));
    assert_non_null(realpath("other/target.png", places.library));
    assert_non_null(realpath("secret", places.secret));
    assert_non_null(realpath("libraries/libcopy.so", copy));
    void *loaded = dlopen(copy, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(loaded);
    sandbox_libraries_find(note_place, &places);
    assert_true(places.has_folder);
    assert_true(places.has_library);
    assert_false(places.has_secret);
    dlclose(loaded);
    dlclose(known);
    assert_int_equal(unlink("libraries/libcopy.so"), 0);
    assert_int_equal(unlink("libraries/liblink.so"), 0);
    assert_int_equal(unlink("libraries/secret"), 0);
    assert_int_equal(rmdir("libraries"), 0);
}

/* ---- Messages ---- */

static int ask_for_explanations(void)
{
    WANT(sandbox_explains("in/secret", EACCES, false));
    WANT(!sandbox_explains("in/none", EACCES, false));
    WANT(!sandbox_explains("in/secret", ENOSPC, false));
    WANT(sandbox_explains("in/none", EACCES, true));
    WANT(sandbox_explains("in/secret", EPERM, true));
    WANT(!sandbox_explains("none/none", EACCES, true));
    WANT(!sandbox_explains("-", EACCES, true));
    WANT(!sandbox_holds_gpu());
    return 0;
}

static void test_explanations(void **state)
{
    options options = one_picture();

    (void)state;
    assert_false(sandbox_explains("in/secret", EACCES, false));
    if (!kernel_has(kernel_has_files, "Landlock"))
        skip();
    assert_int_equal(ask(&options, &picture, 1, ask_for_explanations), 0);
}

/* ---- Calls ---- */

static void *add_one(void *number)
{
    ++*(int *)number;
    return number;
}

#define IS_REFUSED(call) (errno = 0, (call) < 0 && errno == EPERM)

static int ask_for_calls(void)
{
    char *const nothing[] = {NULL};
    char byte = 0;
    struct iovec own = {&byte, 1}, other = {&byte, 1};
    pthread_t thread;
    int number = 0;

    WANT(IS_REFUSED(fork()));
    WANT(IS_REFUSED(syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0)));
    WANT(IS_REFUSED(syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL, NULL, NULL, 0)));
    WANT((errno = 0, syscall(SYS_clone3, NULL, (size_t)0)) < 0 && errno == ENOSYS);
    WANT(IS_REFUSED(execve("/bin/true", nothing, nothing)));
    WANT(IS_REFUSED(syscall(SYS_execveat, AT_FDCWD, "/bin/true", nothing, nothing, 0)));
    WANT(IS_REFUSED(socket(AF_INET, SOCK_STREAM, 0)));
    WANT(IS_REFUSED(socket(AF_UNIX, SOCK_STREAM, 0)));
    WANT(IS_REFUSED(socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0})));
    WANT(IS_REFUSED(ptrace(PTRACE_TRACEME, 0, NULL, NULL)));
    WANT(IS_REFUSED(syscall(SYS_process_vm_readv, getppid(), &own, 1ul, &other, 1ul, 0ul)));
    WANT(IS_REFUSED(kill(getppid(), 0)));
    WANT(IS_REFUSED(syscall(SYS_tgkill, getppid(), getppid(), 0)));
    WANT(IS_REFUSED(chmod("in/secret", 0777)));
    WANT(IS_REFUSED(chown("in/secret", getuid(), getgid())));
    WANT(IS_REFUSED(truncate("in/secret", 0)));
    WANT(IS_REFUSED(utimensat(AT_FDCWD, "in/secret", NULL, 0)));
    WANT(IS_REFUSED(syscall(SYS_io_uring_setup, 1, NULL)));
    WANT(IS_REFUSED(syscall(SYS_bpf, 0, NULL, 0)));
    WANT(IS_REFUSED(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0)));
    WANT(IS_REFUSED(syscall(SYS_unshare, CLONE_NEWUSER)));
    WANT(IS_REFUSED(syscall(SYS_keyctl, 0, 0)));
    WANT(IS_REFUSED(ioctl(STDIN_FILENO, TIOCSTI, "x")));
    WANT(IS_REFUSED(syscall(SYS_setuid, getuid())));
    WANT((errno = 0, syscall(100000)) < 0 && errno == ENOSYS);
#ifdef __x86_64__
    WANT((errno = 0, syscall(0x40000000 | SYS_getpid)) < 0 && errno == ENOSYS);
#endif
    /* What stays allowed. */
    WANT(pthread_create(&thread, NULL, add_one, &number) == 0 && pthread_join(thread, NULL) == 0 && number == 1);
    WANT(kill(getpid(), 0) == 0);
    WANT((errno = 0, ioctl(STDIN_FILENO, TIOCGWINSZ, &own)) == 0 || errno != EPERM);
    WANT(signal(SIGUSR1, SIG_IGN) != SIG_ERR && raise(SIGUSR1) == 0);
    return 0;
}

static void test_calls(void **state)
{
    options options = one_picture();

    (void)state;
    if (!kernel_has(kernel_has_calls, "filter of system calls"))
        skip();
    assert_int_equal(ask(&options, &picture, 1, ask_for_calls), 0);
}

#ifdef __x86_64__
/* Calls of another processor, whose numbers mean other calls, end the process. */
static int ask_by_interrupt(void)
{
    long result = 20; /* getpid */

    __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
    return 0;
}

static void test_calls_of_another_processor(void **state)
{
    options options = one_picture();
    int result;

    (void)state;
    if (!kernel_has(kernel_has_calls, "filter of system calls"))
        skip();
    pid_t child = fork();
    if (child == 0) {
        sandbox_enter(&options, &(sandbox_needs){.outputs = &picture, .output_count = 1});
        _exit(ask_by_interrupt());
    }
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFSIGNALED(result));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_picture),
        cmocka_unit_test(test_no_sandbox),
        cmocka_unit_test(test_what_else_is_read),
        cmocka_unit_test(test_an_input_that_is_a_folder),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_plain_documents),
        cmocka_unit_test(test_temporary_files),
        cmocka_unit_test(test_libraries),
        cmocka_unit_test(test_links_to_libraries),
        cmocka_unit_test(test_explanations),
        cmocka_unit_test(test_calls),
#ifdef __x86_64__
        cmocka_unit_test(test_calls_of_another_processor),
#endif
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}

#else

int main(void)
{
    return 0;
}

#endif
