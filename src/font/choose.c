/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Chooses the face that draws some characters. */
#include "base/error.h"
#include "font/aliases.h"
#include "font/fonts.h"

/* White space, and what Unicode 15 calls default-ignorable (DerivedCoreProperties), needs no glyph. */
font_need font_need_of(uint32_t character)
{
    static const struct {
        uint32_t first, last;
        font_need need;
    } ranges[] = {
        {0x0009, 0x000d, FONT_NEEDS_NOTHING},   {0x0020, 0x0020, FONT_NEEDS_BLANK},
        {0x0085, 0x0085, FONT_NEEDS_HIDING},    {0x00a0, 0x00a0, FONT_NEEDS_BLANK},
        {0x00ad, 0x00ad, FONT_NEEDS_NOTHING},   {0x034f, 0x034f, FONT_NEEDS_NOTHING},
        {0x061c, 0x061c, FONT_NEEDS_NOTHING},   {0x115f, 0x1160, FONT_PREFERS_GLYPH},
        {0x1680, 0x1680, FONT_PREFERS_GLYPH},   {0x17b4, 0x17b5, FONT_NEEDS_NOTHING},
        {0x180b, 0x180e, FONT_NEEDS_NOTHING},   {0x180f, 0x180f, FONT_NEEDS_HIDING},
        {0x2000, 0x200a, FONT_NEEDS_BLANK},     {0x200b, 0x200f, FONT_NEEDS_NOTHING},
        {0x2028, 0x2029, FONT_NEEDS_HIDING},    {0x202a, 0x202e, FONT_NEEDS_NOTHING},
        {0x202f, 0x202f, FONT_NEEDS_BLANK},     {0x205f, 0x205f, FONT_NEEDS_BLANK},
        {0x2060, 0x206f, FONT_NEEDS_NOTHING},   {0x3000, 0x3000, FONT_NEEDS_BLANK},
        {0x3164, 0x3164, FONT_PREFERS_GLYPH},   {0xfe00, 0xfe0f, FONT_NEEDS_NOTHING},
        {0xfeff, 0xfeff, FONT_NEEDS_NOTHING},   {0xffa0, 0xffa0, FONT_PREFERS_GLYPH},
        {0xfff0, 0xfff8, FONT_NEEDS_NOTHING},   {0x1bca0, 0x1bca3, FONT_PREFERS_GLYPH},
        {0x1d173, 0x1d17a, FONT_NEEDS_NOTHING}, {0xe0000, 0xe0fff, FONT_NEEDS_NOTHING},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0] && character >= ranges[i].first; i++)
        if (character <= ranges[i].last)
            return ranges[i].need;
    return FONT_NEEDS_GLYPH;
}

/* ---- Faces ---- */

void fonts_warn_of_face(const pietra_fonts *fonts, const database_face *face, const char *wrong)
{
    pietra_error line;
    if (!fonts->warning)
        return;
    error_set(&line, PIETRA_ERROR_INPUT, 0, "%s: %s; it is passed over",
              face->path       ? face->path
              : face->document ? face->families
                               : "a font",
              wrong);
    fonts->warning(fonts->warning_user, 0, line.message);
}

void fonts_drop_face(pietra_fonts *fonts, uint32_t face, const char *wrong)
{
    database_face *dropped = &fonts->database.faces.items[face];
    dropped->bad = true;
    fonts_warn_of_face(fonts, dropped, wrong);
}

static bool is_passed_over(const pietra_fonts *over, const pietra_fonts *fonts, uint32_t face)
{
    for (size_t i = 0; i < over->passed.count; i++)
        if (over->passed.items[i]->living.table == fonts->faces && over->passed.items[i]->number == face)
            return true;
    return false;
}

/* Returns whether a document wants its face for the characters; for none, that means the blank (CSS Fonts 4, 5.2). */
static bool is_wanted(const document_face *face, const font_request *request)
{
    static const uint32_t blank = ' ';
    const uint32_t *characters = request->character_count ? request->characters : &blank;
    const size_t count = request->character_count ? request->character_count : 1;
    for (size_t i = 0; i < count && face->range_count > 0; i++) {
        size_t range = 0;
        while (range < face->range_count &&
               (characters[i] < face->ranges[range].first || characters[i] > face->ranges[range].last))
            range++;
        if (range == face->range_count)
            return false;
    }
    return true;
}

static bool has_characters(pietra_fonts *fonts, uint32_t number, const font_request *request,
                           const char **out_of_memory)
{
    database_face *face = &fonts->database.faces.items[number];
    if (face->document && !is_wanted(face->document, request))
        return false;
    const char *wrong = database_load(face);
    if (!wrong && face->bad)
        return false;
    if (!wrong && request->character_count == 0)
        return true;
    if (!wrong)
        wrong = database_read_characters(face);
    if (wrong == font_out_of_memory)
        *out_of_memory = wrong;
    else if (wrong)
        fonts_drop_face(fonts, number, wrong);
    for (size_t i = 0; !wrong && i < request->character_count; i++)
        if (!font_characters_have(face->characters, request->characters[i]))
            return false;
    return !wrong;
}

/* Which faces count. */
typedef struct choice {
    const font_request *request;
    const pietra_fonts *asked; /* it is their request */
    bool colors;               /* only faces with colours */
    bool from_system;          /* only the system's faces, else only others */
    const char *wrong;
    bool in_document;       /* only the document's faces: no other one has all characters */
    pietra_fonts *document; /* those of a document, which come first in their families; NULL: there are none */
    bool found_in_document;
} choice;

static uint32_t choose_face(pietra_fonts *fonts, const uint32_t *faces, size_t count, choice *choice)
{
    uint32_t best = DATABASE_NONE;
    font_distance least = {0};
    for (size_t i = 0; i < count && !choice->wrong; i++) {
        const database_face *face = &fonts->database.faces.items[faces[i]];
        if (face->bad || face->from_system != choice->from_system || (choice->colors && face->traits.colors == 0) ||
            is_passed_over(choice->asked, fonts, faces[i]))
            continue;
        const font_distance distance = font_measure_distance(&face->traits, choice->request->style);
        if ((best == DATABASE_NONE || font_is_nearer(&distance, &least)) &&
            has_characters(fonts, faces[i], choice->request, &choice->wrong)) {
            best = faces[i];
            least = distance;
        }
    }
    return best;
}

/* ---- The system ---- */

static const char *warn_of_system(pietra_fonts *fonts, const char *wrong)
{
    if (wrong && wrong != font_out_of_memory && fonts->warning && !fonts->system_warned) {
        fonts->system_warned = true;
        fonts->warning(fonts->warning_user, 0, wrong);
    }
    return wrong == font_out_of_memory ? wrong : NULL;
}

const char *fonts_list_system(pietra_fonts *fonts)
{
    return warn_of_system(fonts, system_list(&fonts->system, &fonts->database));
}

/* ---- Families ---- */

static uint32_t choose_in_number(pietra_fonts *fonts, uint32_t number, choice *choice)
{
    const database_family *family = &fonts->database.families.items[number];
    return choose_face(fonts, family->faces.items, family->faces.count, choice);
}

/* Chooses among the faces that were added first, and among the system's only if none of these will do. */
static uint32_t choose_in_family(pietra_fonts *fonts, text name, choice *choice)
{
    uint32_t number = database_find_family(&fonts->database, name), face = DATABASE_NONE;
    choice->from_system = false;
    if (number != DATABASE_NONE)
        face = choose_in_number(fonts, number, choice);
    if (face != DATABASE_NONE || choice->wrong || !fonts->system.wanted)
        return face;
    choice->wrong = fonts_list_system(fonts);
    choice->from_system = true;
    number = database_find_family(&fonts->database, name);
    return number != DATABASE_NONE && !choice->wrong ? choose_in_number(fonts, number, choice) : DATABASE_NONE;
}

/* Chooses from the families that stand in for a missing one. A family that is there, but has no face for the
 * characters, is not replaced. */
static uint32_t choose_in_aliases(pietra_fonts *fonts, text name, choice *choice)
{
    char lower[FONT_MOST_FAMILY_BYTES];
    const char *aliases[FONT_MOST_ALIASES];
    uint32_t face = DATABASE_NONE;
    if (name.count > sizeof lower || database_find_family(&fonts->database, name) != DATABASE_NONE)
        return DATABASE_NONE;
    for (size_t i = 0; i < name.count; i++)
        lower[i] = text_lower(name.bytes[i]);
    const size_t count = font_find_aliases((text){lower, name.count}, aliases);
    for (size_t i = 0; i < count && face == DATABASE_NONE && !choice->wrong; i++)
        face = choose_in_family(fonts, text_of_string(aliases[i]), choice);
    return face;
}

/* Gives the family for a generic name; other names stay. */
static const char *resolve_generic(pietra_fonts *fonts, const char *name, choice *choice)
{
    for (uint32_t i = 0; i < INSTALLED_GENERICS; i++) {
        if (!text_equal_ignoring_case(text_of_string(name), text_of_string(font_generic_names[i])))
            continue;
        const char *family = fonts->generics[i];
        if (!family && fonts->system.wanted) {
            choice->wrong = fonts_list_system(fonts);
            if (!choice->wrong && fonts->system.wanted)
                choice->wrong = warn_of_system(fonts, system_find_generic(&fonts->system, i, &family));
        }
        return family ? family : name;
    }
    return name;
}

static uint32_t choose_in_document(choice *choice, const char *name)
{
    uint32_t face = DATABASE_NONE;
    const uint32_t number =
        choice->document ? database_find_family(&choice->document->database, text_of_string(name)) : DATABASE_NONE;
    choice->from_system = false;
    if (number != DATABASE_NONE)
        face = choose_in_number(choice->document, number, choice);
    choice->found_in_document = face != DATABASE_NONE;
    return face;
}

static uint32_t choose_in_list(pietra_fonts *fonts, choice *choice)
{
    uint32_t face = DATABASE_NONE;
    for (size_t i = 0; i < choice->request->family_count && face == DATABASE_NONE && !choice->wrong; i++) {
        face = choose_in_document(choice, choice->request->families[i]);
        if (face != DATABASE_NONE || choice->wrong)
            break;
        if (choice->in_document)
            continue;
        const char *name = resolve_generic(fonts, choice->request->families[i], choice);
        if (!choice->wrong)
            face = choose_in_family(fonts, text_of_string(name), choice);
        if (face == DATABASE_NONE && !choice->wrong)
            face = choose_in_aliases(fonts, text_of_string(name), choice);
    }
    return face;
}

/* Chooses from the families in the order in which their first faces were added. */
static uint32_t choose_in_added(pietra_fonts *fonts, choice *choice)
{
    uint32_t face = DATABASE_NONE;
    choice->from_system = false;
    for (uint32_t i = 0; i < fonts->database.families.count && face == DATABASE_NONE && !choice->wrong; i++)
        if (fonts->database.families.items[i].added)
            face = choose_in_number(fonts, i, choice);
    return face;
}

static uint32_t choose_in_system(pietra_fonts *fonts, choice *choice)
{
    const installed_order *order = NULL;
    uint32_t face = DATABASE_NONE;
    choice->from_system = true;
    choice->wrong = fonts_list_system(fonts);
    if (!choice->wrong && fonts->system.wanted)
        choice->wrong = warn_of_system(fonts, system_find_order(&fonts->system, choice->request->language, &order));
    for (size_t i = 0; order && i < order->face_count && face == DATABASE_NONE && !choice->wrong; i++) {
        const uint32_t first = fonts->system.first_face + order->faces[i];
        const char *family = fonts->database.faces.items[first].families;
        const uint32_t number = database_find_family(&fonts->database, text_of_string(family));
        if (number != DATABASE_NONE)
            face = choose_in_number(fonts, number, choice);
    }
    return face;
}

/* Returns whether it is known that no font outside of documents has all the characters. */
static bool is_lacked(const font_database *database, const font_request *request)
{
    for (size_t i = 0; i < request->character_count; i++)
        if (database_lacks(database, request->characters[i]))
            return true;
    return false;
}

font_choice fonts_choose(pietra_fonts *fonts, const font_request *request, const char **wrong)
{
    pietra_fonts *base = fonts->base ? fonts->base : fonts,
                 *document = fonts->database.faces.count && fonts->base ? fonts : NULL;
    font_choice chosen = {base, DATABASE_NONE};
    *wrong = fonts_read_waiting(base);
    if (*wrong)
        return chosen;
    const bool lacked = is_lacked(&base->database, request);
    if (lacked && !document)
        return chosen;
    for (int colors = request->emoji; colors >= 0 && chosen.face == DATABASE_NONE && !*wrong; colors--) {
        choice choice = {
            .request = request, .asked = fonts, .colors = colors, .document = document, .in_document = lacked};
        chosen.face = choose_in_list(base, &choice);
        if (choice.found_in_document)
            chosen.fonts = document;
        if (chosen.face == DATABASE_NONE && !choice.wrong && !lacked)
            chosen.face = choose_in_added(base, &choice);
        if (chosen.face == DATABASE_NONE && !choice.wrong && !lacked && base->system.wanted)
            chosen.face = choose_in_system(base, &choice);
        *wrong = choice.wrong;
    }
    if (chosen.face == DATABASE_NONE && !*wrong && !lacked)
        *wrong = database_join_characters(&base->database);
    return chosen;
}
