/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/fontconfig.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <fontconfig/fontconfig.h>

#include "base/hash.h"
#include "base/lacked_memory.h"
#include "base/library.h"
#include "font/source.h"

/* Of the number of a face in a file, which holds the number of a named instance in its upper half. */
#define FACE_MASK 0xffffu
#define VARIABLE_INSTANCE 0x8000u /* stands for all instances */

/* ---- The library ---- */

/* clang-format off */
#define FUNCTIONS(X) \
    X(FcCharSetFirstPage) X(FcCharSetNextPage) X(FcConfigDestroy) X(FcConfigGetConfigFiles) X(FcConfigGetFontDirs) \
    X(FcConfigGetFonts) X(FcConfigSubstitute) X(FcDefaultSubstitute) X(FcFontMatch) X(FcFontSetDestroy) \
    X(FcFontSort) X(FcInitLoadConfigAndFonts) X(FcPatternAddString) X(FcPatternCreate) X(FcPatternDestroy) \
    X(FcPatternGet) X(FcPatternGetBool) X(FcPatternGetCharSet) X(FcPatternGetInteger) X(FcPatternGetString) \
    X(FcRangeGetDouble) X(FcStrListDone) X(FcStrListNext) X(FcWeightToOpenTypeDouble)
/* clang-format on */
#define POINTER(name) __typeof__(name) *name;
#define PLACE(name) {#name, &library.name},

static struct {
    FUNCTIONS(POINTER)
} library;
static library_state state;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *open_library(void)
{
    const library_function functions[] = {FUNCTIONS(PLACE)};
    pthread_mutex_lock(&lock);
    if (state == LIBRARY_CLOSED)
        state = library_open(FONT_FONTCONFIG_LIBRARY, functions, sizeof functions / sizeof functions[0]);
    const library_state found = state;
    pthread_mutex_unlock(&lock);
    if (found == LIBRARY_OPEN)
        return NULL;
    return found == LIBRARY_CLOSED ? font_out_of_memory : font_no_fontconfig;
}

struct fontconfig {
    FcConfig *config;
};

static const char *end_call(int before, const char *wrong)
{
    return lacked_memory_end(before) ? font_out_of_memory : wrong;
}

const char *fontconfig_open(fontconfig **config)
{
    const char *wrong = open_library();
    fontconfig *made = wrong ? NULL : calloc(1, sizeof *made);
    if (!made)
        return wrong ? wrong : font_out_of_memory;
    const int before = lacked_memory_begin();
    made->config = library.FcInitLoadConfigAndFonts();
    wrong = end_call(before, made->config ? NULL : "fontconfig cannot read its configuration");
    if (!wrong) {
        *config = made;
        return NULL;
    }
    if (made->config)
        library.FcConfigDestroy(made->config);
    free(made);
    return wrong;
}

void fontconfig_close(fontconfig *config)
{
    if (!config)
        return;
    library.FcConfigDestroy(config->config);
    free(config);
}

/* ---- Faces ---- */

static const char *find_string(FcPattern *pattern, const char *object, int index)
{
    FcChar8 *string;
    return library.FcPatternGetString(pattern, object, index, &string) == FcResultMatch ? (const char *)string : NULL;
}

static int find_number(FcPattern *pattern, const char *object, int missing)
{
    int number;
    return library.FcPatternGetInteger(pattern, object, 0, &number) == FcResultMatch ? number : missing;
}

static bool find_bool(FcPattern *pattern, const char *object)
{
    FcBool value;
    return library.FcPatternGetBool(pattern, object, 0, &value) == FcResultMatch && value == FcTrue;
}

/* Gives a number, or the range of a variable face. */
static font_range find_range(FcPattern *pattern, const char *object, double missing)
{
    FcValue value;
    double least = missing, most = missing;
    if (library.FcPatternGet(pattern, object, 0, &value) == FcResultMatch) {
        if (value.type == FcTypeInteger)
            least = most = value.u.i;
        else if (value.type == FcTypeDouble)
            least = most = value.u.d;
        else if (value.type == FcTypeRange)
            library.FcRangeGetDouble(value.u.r, &least, &most);
    }
    return (font_range){(float)least, (float)most};
}

static float weight_of_css(float weight)
{
    const double found = library.FcWeightToOpenTypeDouble((double)weight);
    return found < 1 ? 400 : (float)found;
}

static font_traits find_traits(FcPattern *pattern)
{
    const font_range weight = find_range(pattern, FC_WEIGHT, FC_WEIGHT_REGULAR);
    const int slant = find_number(pattern, FC_SLANT, FC_SLANT_ROMAN);
    return (font_traits){
        .weight = {weight_of_css(weight.least), weight_of_css(weight.most)},
        .stretch = find_range(pattern, FC_WIDTH, FC_WIDTH_NORMAL),
        .slope = slant == FC_SLANT_ITALIC    ? FONT_ITALIC
                 : slant == FC_SLANT_OBLIQUE ? FONT_OBLIQUE
                                             : FONT_UPRIGHT,
        .colors = find_bool(pattern, FC_COLOR) ? FONT_COLOR_UNKNOWN : 0,
        .variable = find_bool(pattern, FC_VARIABLE),
    };
}

static bool is_usable(FcPattern *pattern)
{
    const char *format = find_string(pattern, FC_FONTFORMAT, 0);
    const uint32_t instance = (uint32_t)find_number(pattern, FC_INDEX, 0) >> 16;
    return format && (strcmp(format, "TrueType") == 0 || strcmp(format, "CFF") == 0) &&
           (find_bool(pattern, FC_SCALABLE) || find_bool(pattern, FC_COLOR)) && find_string(pattern, FC_FILE, 0) &&
           (instance == 0 || instance == VARIABLE_INSTANCE);
}

static bool find_families(FcPattern *pattern, installed_fonts *installed, installed_face *face)
{
    ARRAY(char) names = {0};
    bool whole = true;
    const char *name;
    for (int i = 0; whole && i < (int)FONT_MOST_FAMILIES && (name = find_string(pattern, FC_FAMILY, i)); i++) {
        const size_t bytes = strlen(name) + 1;
        char *to = array_push_many(&names, bytes);
        whole = to != NULL;
        if (to)
            memcpy(to, name, bytes);
    }
    face->families = names.count ? arena_copy(&installed->memory, names.items, names.count) : "";
    face->families_bytes = names.count ? names.count : 1;
    array_free(&names);
    return whole && face->families;
}

/* Keeps equal sets once: fonts of one family mostly have the same characters. */
static bool share_characters(installed_fonts *installed, hash_table *known, const font_pages *pages, uint32_t *number)
{
    const size_t bytes = pages->count * sizeof *pages->items;
    const uint64_t hash = hash_checksum(pages->items, bytes);
    for (hash_walk walk = hash_find(known, hash); hash_found(&walk); hash_next(&walk)) {
        const font_characters set = installed->character_sets.items[walk.value];
        *number = walk.value;
        if (set.page_count == pages->count && (bytes == 0 || memcmp(set.pages, pages->items, bytes) == 0))
            return true;
    }
    font_page *copy = arena_alloc(&installed->memory, bytes + 1, _Alignof(font_page));
    *number = (uint32_t)installed->character_sets.count;
    if (!copy || !array_reserve(&installed->character_sets, 1) || !hash_insert(known, hash, *number))
        return false;
    if (bytes)
        memcpy(copy, pages->items, bytes);
    installed->character_sets.items[installed->character_sets.count++] = (font_characters){copy, pages->count};
    return true;
}

static bool find_characters(FcPattern *pattern, font_pages *pages)
{
    FcCharSet *set;
    FcChar32 bits[FC_CHARSET_MAP_SIZE], next;
    static_assert(FC_CHARSET_MAP_SIZE == 8, "pages have 256 characters");
    pages->count = 0;
    if (library.FcPatternGetCharSet(pattern, FC_CHARSET, 0, &set) != FcResultMatch)
        return true;
    FcChar32 first = library.FcCharSetFirstPage(set, bits, &next);
    for (; first != FC_CHARSET_DONE; first = library.FcCharSetNextPage(set, bits, &next)) {
        font_page *page = array_push(pages);
        if (!page)
            return false;
        page->number = first >> 8;
        memcpy(page->bits, bits, sizeof page->bits);
    }
    return true;
}

/* Sorts by path and number, a variable face before its default instance. */
static int compare_faces(const void *a, const void *b)
{
    const installed_face *first = a, *second = b;
    const int order = strcmp(first->path, second->path);
    if (order)
        return order;
    if (first->index != second->index)
        return first->index < second->index ? -1 : 1;
    return (int)second->traits.variable - (int)first->traits.variable;
}

/* Keeps one of several entries for a face: the variable one. */
static void remove_repeated(installed_fonts *installed)
{
    size_t kept = 0;
    for (size_t i = 0; i < installed->faces.count; i++) {
        const installed_face *last = kept ? &installed->faces.items[kept - 1] : NULL, face = installed->faces.items[i];
        if (!last || last->index != face.index || strcmp(last->path, face.path) != 0)
            installed->faces.items[kept++] = face;
    }
    installed->faces.count = kept;
}

static bool list_faces(const FcFontSet *set, installed_fonts *installed, hash_table *known, font_pages *pages)
{
    for (int i = 0; i < set->nfont; i++) {
        FcPattern *pattern = set->fonts[i];
        if (!is_usable(pattern))
            continue;
        const char *path = find_string(pattern, FC_FILE, 0);
        installed_face *face = array_push(&installed->faces);
        if (!face)
            return false;
        *face = (installed_face){
            .traits = find_traits(pattern),
            .path = arena_copy(&installed->memory, path, strlen(path)),
            .index = (uint32_t)find_number(pattern, FC_INDEX, 0) & FACE_MASK,
        };
        if (!face->path || !find_families(pattern, installed, face) || !find_characters(pattern, pages) ||
            !share_characters(installed, known, pages, &face->characters))
            return false;
    }
    return true;
}

/* ---- What the list depends on ---- */

static bool watch(installed_fonts *installed, const char *path, size_t bytes)
{
    watched_path *watched = array_push(&installed->watched);
    if (!watched)
        return false;
    *watched = (watched_path){.path = arena_copy(&installed->memory, path, bytes)};
    return watched->path != NULL;
}

/* Watches files and folders. Of a file its folder is watched, too: another file may appear beside it. */
static bool watch_list(installed_fonts *installed, FcStrList *list, bool with_folders)
{
    const char *path;
    bool whole = list != NULL;
    while (whole && (path = (const char *)library.FcStrListNext(list))) {
        const char *slash = with_folders ? strrchr(path, '/') : NULL;
        whole = watch(installed, path, strlen(path)) && (!slash || watch(installed, path, (size_t)(slash - path)));
    }
    if (list)
        library.FcStrListDone(list);
    return whole;
}

static const char *list(fontconfig *config, installed_fonts *installed)
{
    const FcFontSet *set = library.FcConfigGetFonts(config->config, FcSetSystem);
    hash_table known = {0};
    font_pages pages = {0};
    bool whole = !set || list_faces(set, installed, &known, &pages);
    hash_free(&known);
    array_free(&pages);
    whole = whole && watch_list(installed, library.FcConfigGetConfigFiles(config->config), true) &&
            watch_list(installed, library.FcConfigGetFontDirs(config->config), false);
    if (!whole)
        return font_out_of_memory;
    if (installed->faces.count > 0)
        qsort(installed->faces.items, installed->faces.count, sizeof installed->faces.items[0], compare_faces);
    remove_repeated(installed);
    return NULL;
}

const char *fontconfig_list(fontconfig *config, installed_fonts *installed)
{
    const int before = lacked_memory_begin();
    return end_call(before, list(config, installed));
}

/* ---- Generic families and languages ---- */

/* Makes a pattern with a language. Without one, fontconfig would take the user's, and the picture would depend on it.
 * */
static FcPattern *make_pattern(fontconfig *config, const char *family, const char *language)
{
    FcPattern *pattern = library.FcPatternCreate();
    if (!pattern)
        return NULL;
    if (family)
        library.FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)family);
    library.FcPatternAddString(pattern, FC_LANG, (const FcChar8 *)(language[0] ? language : "en"));
    library.FcConfigSubstitute(config->config, pattern, FcMatchPattern);
    library.FcDefaultSubstitute(pattern);
    return pattern;
}

static const char *find_generic(fontconfig *config, const char *generic, installed_fonts *installed,
                                const char **family)
{
    FcPattern *pattern = make_pattern(config, generic, "");
    FcResult result;
    if (!pattern)
        return font_out_of_memory;
    FcPattern *match = library.FcFontMatch(config->config, pattern, &result);
    const char *name = match ? find_string(match, FC_FAMILY, 0) : NULL;
    if (!name)
        name = generic;
    *family = arena_copy(&installed->memory, name, strlen(name));
    if (match)
        library.FcPatternDestroy(match);
    library.FcPatternDestroy(pattern);
    return *family ? NULL : font_out_of_memory;
}

const char *fontconfig_find_generic(fontconfig *config, const char *generic, installed_fonts *installed,
                                    const char **family)
{
    const int before = lacked_memory_begin();
    const char *found = NULL, *wrong = end_call(before, find_generic(config, generic, installed, &found));
    if (!wrong)
        *family = found;
    return wrong;
}

/* Returns the number of the face in the list; UINT32_MAX: it is not there. */
static uint32_t find_face(const installed_fonts *installed, FcPattern *pattern)
{
    installed_face wanted = {.path = find_string(pattern, FC_FILE, 0)};
    if (!wanted.path)
        return UINT32_MAX;
    wanted.index = (uint32_t)find_number(pattern, FC_INDEX, 0) & FACE_MASK;
    size_t begin = 0, end = installed->faces.count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        const installed_face *face = &installed->faces.items[middle];
        wanted.traits.variable = face->traits.variable;
        const int order = compare_faces(&wanted, face);
        if (order == 0)
            return (uint32_t)middle;
        if (order > 0)
            begin = middle + 1;
        else
            end = middle;
    }
    return UINT32_MAX;
}

/* Returns whether a face's family, by its first name, came before. */
static bool is_new_family(const installed_fonts *installed, hash_table *known, uint32_t face, bool *out_of_memory)
{
    const char *name = installed->faces.items[face].families;
    const uint64_t hash = hash_bytes(name, strlen(name));
    for (hash_walk walk = hash_find(known, hash); hash_found(&walk); hash_next(&walk))
        if (strcmp(installed->faces.items[walk.value].families, name) == 0)
            return false;
    *out_of_memory |= !hash_insert(known, hash, face);
    return true;
}

static const char *add_order(installed_fonts *installed, const FcFontSet *set, const char *language)
{
    hash_table known = {0};
    bool out_of_memory = false;
    uint32_t *faces = arena_alloc(&installed->memory, ((size_t)set->nfont + 1) * sizeof *faces, _Alignof(uint32_t));
    installed_order order = {.language = arena_copy(&installed->memory, language, strlen(language)), .faces = faces};
    for (int i = 0; faces && i < set->nfont && !out_of_memory; i++) {
        const uint32_t face = find_face(installed, set->fonts[i]);
        if (face != UINT32_MAX && is_new_family(installed, &known, face, &out_of_memory))
            faces[order.face_count++] = face;
    }
    hash_free(&known);
    if (!faces || !order.language || out_of_memory || !array_reserve(&installed->orders, 1))
        return font_out_of_memory;
    installed->orders.items[installed->orders.count++] = order;
    return NULL;
}

const char *fontconfig_find_order(fontconfig *config, const char *language, installed_fonts *installed)
{
    const int before = lacked_memory_begin();
    const char *wrong = font_out_of_memory;
    FcPattern *pattern = make_pattern(config, NULL, language);
    FcResult result;
    FcFontSet *set = pattern ? library.FcFontSort(config->config, pattern, FcFalse, NULL, &result) : NULL;
    if (pattern)
        library.FcPatternDestroy(pattern);
    if (set && errno != ENOMEM)
        wrong = add_order(installed, set, language);
    if (set)
        library.FcFontSetDestroy(set);
    return end_call(before, wrong);
}
