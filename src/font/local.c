/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finds a face by its own name (CSS Fonts 4, 4.3: local()): the full name, "Noto Sans Bold Italic", or the PostScript
 * name, "NotoSans-BoldItalic". Both are the family's name with the words of the style, so no font is opened to ask. */
#include "font/fonts.h"

typedef struct style_word {
    text word;
    float weight, stretch; /* 0: the word says nothing of it */
    font_slope slope;
} style_word;

/* Words that end with another one come first. */
static const style_word style_words[] = {
    {TEXT_LITERAL("italic"), 0, 0, FONT_ITALIC},
    {TEXT_LITERAL("oblique"), 0, 0, FONT_OBLIQUE},
    {TEXT_LITERAL("hairline"), 100, 0, FONT_UPRIGHT},
    {TEXT_LITERAL("thin"), 100, 0, FONT_UPRIGHT},
    {TEXT_LITERAL("extralight"), 200, 0, FONT_UPRIGHT},
    {TEXT_LITERAL("ultralight"), 200, 0, FONT_UPRIGHT},
    {TEXT_LITERAL("light"), 300, 0, FONT_UPRIGHT},
    {TEXT_LITERAL("regular"), 400, 0, FONT_UPRIGHT},
    {TEXT_LITERAL("book"), 400, 0, FONT_UPRIGHT},
    {TEXT_LITERAL("roman"), 400, 0, FONT_UPRIGHT},
    {TEXT_LITERAL("medium"), 500, 0, FONT_UPRIGHT},
    {TEXT_LITERAL("semibold"), 600, 0, FONT_UPRIGHT},
    {TEXT_LITERAL("demibold"), 600, 0, FONT_UPRIGHT},
    {TEXT_LITERAL("extrabold"), 800, 0, FONT_UPRIGHT},
    {TEXT_LITERAL("ultrabold"), 800, 0, FONT_UPRIGHT},
    {TEXT_LITERAL("bold"), 700, 0, FONT_UPRIGHT},
    {TEXT_LITERAL("black"), 900, 0, FONT_UPRIGHT},
    {TEXT_LITERAL("heavy"), 900, 0, FONT_UPRIGHT},
    {TEXT_LITERAL("semicondensed"), 0, 87.5F, FONT_UPRIGHT},
    {TEXT_LITERAL("condensed"), 0, 75, FONT_UPRIGHT},
    {TEXT_LITERAL("semiexpanded"), 0, 112.5F, FONT_UPRIGHT},
    {TEXT_LITERAL("expanded"), 0, 125, FONT_UPRIGHT},
};

/* A face's name, of which words were taken off the end. */
typedef struct local_name {
    text family;
    font_style style;
} local_name;

static bool ends_with(text name, text word)
{
    return name.count > word.count &&
           text_equal_ignoring_case((text){name.bytes + name.count - word.count, word.count}, word);
}

/* Takes a word of the style off the end. False: the name ends with none. */
static bool take_word(local_name *name)
{
    for (size_t i = 0; i < sizeof style_words / sizeof style_words[0]; i++) {
        const style_word *word = &style_words[i];
        if (!ends_with(name->family, word->word))
            continue;
        name->family.count -= word->word.count;
        while (name->family.count > 0 && strchr(" -", name->family.bytes[name->family.count - 1]))
            name->family.count--;
        name->style.weight = word->weight != 0 ? word->weight : name->style.weight;
        name->style.stretch = word->stretch != 0 ? word->stretch : name->style.stretch;
        name->style.slope = word->slope != FONT_UPRIGHT ? word->slope : name->style.slope;
        return true;
    }
    return false;
}

/* Compares names without blanks, because PostScript names have none. */
static bool is_family(text family, text wanted)
{
    size_t at = 0;
    for (size_t i = 0; i < family.count; i++) {
        if (family.bytes[i] == ' ')
            continue;
        while (at < wanted.count && wanted.bytes[at] == ' ')
            at++;
        if (at == wanted.count || text_lower(wanted.bytes[at++]) != family.bytes[i])
            return false;
    }
    return at == wanted.count;
}

static bool has_style(const font_traits *traits, font_style style)
{
    return traits->weight.least <= style.weight && style.weight <= traits->weight.most &&
           traits->stretch.least <= style.stretch && style.stretch <= traits->stretch.most &&
           traits->slope == style.slope;
}

static database_face *find_face(font_database *database, const local_name *name)
{
    for (size_t i = 0; i < database->families.count; i++) {
        const database_family *family = &database->families.items[i];
        if (!is_family(family->name, name->family))
            continue;
        for (size_t k = 0; k < family->faces.count; k++) {
            database_face *face = &database->faces.items[family->faces.items[k]];
            if (!face->bad && has_style(&face->traits, name->style))
                return face;
        }
    }
    return NULL;
}

/* Finds a face by its name. The whole name may be a family's, so words are taken off one by one. */
static database_face *find_named(font_database *database, text wanted)
{
    local_name name = {wanted, {.weight = 400, .stretch = 100, .slope = FONT_UPRIGHT}};
    database_face *face = NULL;
    do
        face = find_face(database, &name);
    while (!face && take_word(&name));
    return face;
}

const char *fonts_find_local(pietra_fonts *fonts, text name, font_source **source, uint32_t *index)
{
    *source = NULL;
    const char *wrong = fonts_read_waiting(fonts);
    if (!wrong && fonts->system.wanted)
        wrong = fonts_list_system(fonts);
    database_face *face = wrong ? NULL : find_named(&fonts->database, name);
    if (face)
        wrong = database_open(face, source, index);
    if (wrong && wrong != font_out_of_memory) {
        *source = NULL;
        fonts_drop_face(fonts, (uint32_t)(face - fonts->database.faces.items), wrong);
        wrong = NULL;
    }
    return wrong;
}
