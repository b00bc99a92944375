/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where in a document the elements of a stream come from: their labels, and what is reported for each label. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "layout/stream.h"
#include "pietra/pietra.h"
#include "scene/stream.h"

#define OPEN "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='64'>\n"
#define CLOSE "\n</svg>"
#define LABELS_MOST 64u
#define NAME_BYTES 200u

/* The text of each label: element, id, line, and then what shows it. */
typedef struct origins {
    char names[LABELS_MOST][NAME_BYTES];
    uint32_t count;
} origins;

static void take_origin(void *user, uint32_t label, const pietra_svg_origin *origin)
{
    origins *all = user;
    char document[16] = "", name[NAME_BYTES];
    assert_int_equal(label, all->count + 1); /* each once, in order */
    assert_true(label < LABELS_MOST && origin->shown_by < label);
    all->count = label;
    if (origin->document)
        snprintf(document, sizeof document, "@%u", origin->document);
    int length = snprintf(name, sizeof name, "%s%s%s%s%s:%u%s%s%s", origin->element, origin->id ? "#" : "",
                          origin->id ? origin->id : "", origin->file ? " " : "", origin->file ? origin->file : "",
                          origin->line, document, origin->shown_by ? " by " : "", all->names[origin->shown_by]);
    assert_true(length > 0 && (size_t)length < sizeof name);
    memcpy(all->names[label], name, sizeof name);
}

/* Returns a line for each fill, stroke and begin of the stream: its kind, and its label's text. */
static char *describe(const char *document, const char *folder)
{
    static const char *const kinds[] = {[ELEMENT_FILL] = "fill",
                                        [ELEMENT_STROKE] = "stroke",
                                        [ELEMENT_BEGIN_CLIP] = "clip",
                                        [ELEMENT_BEGIN_GROUP] = "group"};
    origins *all = calloc(1, sizeof *all);
    pietra_scene *scene = pietra_scene_create();
    pietra_stream *stream = NULL;
    pietra_error error = {.message = ""};
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_true(all && scene && file);
    const pietra_svg_options options = {
        .origin = take_origin, .origin_user = all, .resources_directory = folder, .threads = 1};
    if (pietra_scene_load_svg(scene, document, strlen(document), &options, &error, NULL, NULL) != PIETRA_OK ||
        pietra_stream_encode(scene, &error, &stream) != PIETRA_OK) {
        fail_msg("%s", error.message);
    }
    stream_view view = stream_view_of(stream_words(stream));
    for (uint32_t i = 0; i < view.header->element_count; i++) {
        uint32_t kind = view.elements[i].kind & ELEMENT_KIND_MASK;
        if (kind < sizeof kinds / sizeof kinds[0] && kinds[kind])
            fprintf(file, "%s %s\n", kinds[kind], all->names[stream_label(stream, i)]);
    }
    fclose(file);
    pietra_stream_destroy(stream);
    pietra_scene_destroy(scene);
    free(all);
    return text;
}

static void check(const char *document, const char *folder, const char *expected)
{
    char *found = describe(document, folder);
    assert_string_equal(found, expected);
    free(found);
}

static void test_shapes_and_groups(void **state)
{
    (void)state;
    check(
        OPEN
        "<rect id='back' width='64' height='64' stroke='red'/>\n"
        "<g id='faint' opacity='.5'>\n<circle r='9'/>\n<path id='p' d='M1 1h9v9z'/></g>\n<rect width='8' height='8'/>" CLOSE,
        NULL, "fill rect#back:2\nstroke rect#back:2\ngroup g#faint:3\nfill circle:4\nfill path#p:5\nfill rect:6\n");
}

static void test_use(void **state)
{
    (void)state;
    check(
        OPEN
        "<defs><g id='g'>\n<rect id='r' width='8' height='8'/></g></defs>\n<use id='a' href='#g'/>\n<g id='b'><use href='#g' x='9'/></g>\n"
        "<use href='#b'/>" CLOSE,
        NULL, "fill rect#r:3 by use#a:4\nfill rect#r:3 by use:5\nfill rect#r:3 by use:5 by use:6\n");
}

static void test_clips_and_masks(void **state)
{
    (void)state;
    check(
        OPEN
        "<clipPath id='c'>\n<circle r='9'/>\n<circle r='8'/></clipPath>\n<mask id='m'>\n<circle r='7' fill='white'/></mask>\n"
        "<rect id='r' width='8' height='8' clip-path='url(#c)' mask='url(#m)'/>" CLOSE,
        NULL,
        "clip mask#m:5 by rect#r:7\nclip mask#m:5 by rect#r:7\nfill circle:6 by mask#m:5 by rect#r:7\n"
        "clip clipPath#c:2 by rect#r:7\nfill circle:3 by clipPath#c:2 by rect#r:7\nfill circle:4 by clipPath#c:2 by rect#r:7\n"
        "fill rect#r:7\n");
}

static void test_markers_and_patterns(void **state)
{
    (void)state;
    check(
        OPEN
        "<marker id='m'>\n<rect width='1' height='1'/></marker>\n<pattern id='p' width='30' height='30' patternUnits='userSpaceOnUse'>\n"
        "<circle id='dot' cx='9' cy='9' r='4'/></pattern>\n<path d='M1 1h9v9' fill='none' stroke='red' marker-end='url(#m)'/>\n"
        "<rect id='r' width='30' height='30' fill='url(#p)'/>" CLOSE,
        NULL,
        "stroke path:6\nclip marker#m:2 by path:6\nfill rect:3 by marker#m:2 by path:6\nclip rect#r:7\nfill circle#dot:5 by pattern#p:4\n");
}

static void test_documents_in_images(void **state)
{
    (void)state;
    check(
        OPEN
        "<image id='i' width='9' height='9' href=\"data:image/svg+xml,&lt;svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'&gt;"
        "&lt;rect width='9' height='9'/&gt;&lt;/svg&gt;\"/>" CLOSE,
        NULL, "clip image#i:2\nfill rect:1@1 by image#i:2\n");
}

static void test_other_files(void **state)
{
    (void)state;
    char folder[] = "/tmp/pietra_origins_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/other.svg", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(OPEN "\n<rect id='r' width='8' height='8'/>" CLOSE, file);
    fclose(file);
    check(OPEN "<use href='other.svg#r'/>" CLOSE, folder, "fill rect#r other.svg:3 by use:2\n");
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes_and_groups),   cmocka_unit_test(test_use),
        cmocka_unit_test(test_clips_and_masks),     cmocka_unit_test(test_markers_and_patterns),
        cmocka_unit_test(test_documents_in_images), cmocka_unit_test(test_other_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
