/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Small documents, on one thread, with everything that a document can contain. Each allocation fails once. */
#include "all_sizes.h"
#include "memory/attempt.h"

/* For one document: those with many images have more allocations. */
#define MOST_ATTEMPTS (all_sizes() ? 500 : few_cases() ? 50 : 80)
#define CORPUS "tests/fuzz/corpus/svg/"

static const char *const documents[] = {
    "shapes.svg",  "use.svg",    "style_sheets.svg", "variables.svg", "servers.svg",  "patterns.svg",
    "clips.svg",   "masks.svg",  "wide.svg",         "markers.svg",   "packed.svgz",  "entities.svg",
    "formats.svg", "images.svg", "long_path.svg",    "text.svg",      "imported.svg",
};
/* Of documents that need ICU, LeakSanitizer alone tells what is lost: ICU's break iterators lose blocks of their
 * own. */
static const char *const documents_with_icu[] = {"lines.svg"};

static void try_document(const char *folder, const char *name, bool others_lose)
{
    char path[1000];
    snprintf(path, sizeof path, "%s%s", folder, name);
    input_file file = read_file(path);
    try_file(&file, 1, MOST_ATTEMPTS, others_lose);
    free(file.bytes);
}

/* PIETRA_FILE names a single document instead. */
static void test_documents(void **state)
{
    (void)state;
    const char *only = getenv("PIETRA_FILE");
    if (only)
        try_document("", only, false);
    for (size_t i = 0; !only && i < sizeof documents / sizeof documents[0]; i++)
        try_document(CORPUS, documents[i], false);
    for (size_t i = 0; !only && i < sizeof documents_with_icu / sizeof documents_with_icu[0]; i++)
        try_document(CORPUS, documents_with_icu[i], true);
    assert_int_equal(fault_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_documents)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
