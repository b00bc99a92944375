/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/aliases.h"

#include <stdint.h>
#include <string.h>

#define MOST_MEMBERS 6u
#define ALONE UINT8_MAX

/* Families of one design. Those of the counterpart, another row, have the same advances and another design. */
typedef struct design {
    const char *members[MOST_MEMBERS];
    uint8_t counterpart;
} design;

static const design designs[] = {
    {{"arial", "liberation sans", "arimo", "albany", "albany amt"}, 1},
    {{"helvetica", "nimbus sans", "nimbus sans l", "tex gyre heros"}, 0},
    {{"times new roman", "liberation serif", "tinos", "thorndale", "thorndale amt"}, 3},
    {{"times", "nimbus roman", "nimbus roman no9 l", "tex gyre termes"}, 2},
    {{"courier new", "liberation mono", "cousine", "cumberland", "cumberland amt"}, 5},
    {{"courier", "nimbus mono ps", "nimbus mono", "nimbus mono l", "tex gyre cursor"}, 4},
    {{"arial narrow", "liberation sans narrow"}, 7},
    {{"helvetica narrow", "nimbus sans narrow", "tex gyre heros cn"}, 6},
    {{"calibri", "carlito"}, ALONE},
    {{"cambria", "caladea"}, ALONE},
    {{"georgia", "gelasio"}, ALONE},
    {{"symbol", "symbolneu", "symbol neu", "standard symbols ps", "standard symbols l"}, ALONE},
    {{"itc avant garde gothic", "urw gothic", "urw gothic l", "tex gyre adventor"}, ALONE},
    {{"bookman old style"}, 14},
    {{"itc bookman", "urw bookman", "bookman urw", "urw bookman l", "tex gyre bonum"}, 13},
    {{"itc zapf chancery", "z003", "urw chancery l", "tex gyre chorus"}, ALONE},
    {{"palatino linotype"}, 17},
    {{"palatino", "p052", "urw palladio l", "tex gyre pagella"}, 16},
    {{"century schoolbook"}, 19},
    {{"new century schoolbook", "c059", "century schoolbook l", "tex gyre schola"}, 18},
};

/* Styles ask for thousands of families, and most names differ in their first letter. */
static bool is_name(const char *known, text family)
{
    return strncmp(known, family.bytes, family.count) == 0 && known[family.count] == '\0';
}

static bool has_member(const design *design, text family)
{
    for (size_t i = 0; i < MOST_MEMBERS && design->members[i]; i++)
        if (is_name(design->members[i], family))
            return true;
    return false;
}

static size_t add_members(const design *design, text except, const char **aliases)
{
    size_t count = 0;
    for (size_t i = 0; i < MOST_MEMBERS && design->members[i]; i++)
        if (!is_name(design->members[i], except))
            aliases[count++] = design->members[i];
    return count;
}

size_t font_find_aliases(text family, const char *aliases[FONT_MOST_ALIASES])
{
    for (size_t i = 0; i < sizeof designs / sizeof designs[0]; i++) {
        if (!has_member(&designs[i], family))
            continue;
        const size_t count = add_members(&designs[i], family, aliases);
        return count + (designs[i].counterpart != ALONE
                            ? add_members(&designs[designs[i].counterpart], family, aliases + count)
                            : 0);
    }
    return 0;
}

/* ---- Kinds ---- */

typedef struct kind {
    const char *generic;
    const char *members[56];
} kind;

static const kind kinds[] = {
    {"sans-serif",
     {"-apple-system",
      "albany",
      "albany amt",
      "arial",
      "arial black",
      "arial narrow",
      "arial unicode ms",
      "arimo",
      "avenir",
      "avenir next",
      "bitstream vera sans",
      "blinkmacsystemfont",
      "calibri",
      "candara",
      "cantarell",
      "carlito",
      "century gothic",
      "corbel",
      "dejavu sans",
      "droid sans",
      "fira sans",
      "franklin gothic medium",
      "freesans",
      "futura",
      "geneva",
      "gill sans",
      "helvetica",
      "helvetica neue",
      "inter",
      "lato",
      "liberation sans",
      "lucida grande",
      "lucida sans",
      "lucida sans unicode",
      "microsoft sans serif",
      "montserrat",
      "ms sans serif",
      "myriad pro",
      "nimbus sans",
      "nimbus sans l",
      "noto sans",
      "open sans",
      "optima",
      "poppins",
      "roboto",
      "segoe ui",
      "source sans 3",
      "source sans pro",
      "system-ui",
      "tahoma",
      "trebuchet ms",
      "ubuntu",
      "ui-sans-serif",
      "verdana"}},
    {"monospace",
     {"andale mono",
      "bitstream vera sans mono",
      "cascadia code",
      "cascadia mono",
      "consolas",
      "courier",
      "courier new",
      "cousine",
      "dejavu sans mono",
      "droid sans mono",
      "fira code",
      "fira mono",
      "freemono",
      "hack",
      "inconsolata",
      "jetbrains mono",
      "liberation mono",
      "lucida console",
      "lucida sans typewriter",
      "menlo",
      "monaco",
      "nimbus mono",
      "nimbus mono l",
      "nimbus mono ps",
      "noto mono",
      "noto sans mono",
      "roboto mono",
      "sf mono",
      "sfmono-regular",
      "source code pro",
      "terminal",
      "ubuntu mono",
      "ui-monospace"}},
    {"serif",
     {"baskerville",
      "bitstream vera serif",
      "book antiqua",
      "bookman old style",
      "caladea",
      "cambria",
      "century schoolbook",
      "cmr10",
      "computer modern",
      "dejavu serif",
      "didot",
      "droid serif",
      "freeserif",
      "garamond",
      "georgia",
      "gelasio",
      "hoefler text",
      "liberation serif",
      "nimbus roman",
      "nimbus roman no9 l",
      "noto serif",
      "palatino",
      "palatino linotype",
      "source serif 4",
      "source serif pro",
      "times",
      "times new roman",
      "tinos",
      "ui-serif"}},
    {"cursive",
     {"apple chancery", "brush script mt", "comic sans", "comic sans ms", "itc zapf chancery", "lucida handwriting",
      "snell roundhand", "zapfino"}},
    {"fantasy", {"copperplate", "impact", "papyrus"}},
};

const char *font_find_kind(text family)
{
    const char first = family.count > 0 ? text_lower(family.bytes[0]) : '\0';
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (size_t k = 0; k < sizeof kinds[i].members / sizeof kinds[i].members[0] && kinds[i].members[k]; k++)
            if (kinds[i].members[k][0] == first &&
                text_equal_ignoring_case(family, text_of_string(kinds[i].members[k])))
                return kinds[i].generic;
    return NULL;
}
