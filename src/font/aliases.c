/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/aliases.h"

#include <stdint.h>

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

static bool has_member(const design *design, text family)
{
    for (size_t i = 0; i < MOST_MEMBERS && design->members[i]; i++)
        if (text_equal(text_of_string(design->members[i]), family))
            return true;
    return false;
}

static size_t add_members(const design *design, text except, const char **aliases)
{
    size_t count = 0;
    for (size_t i = 0; i < MOST_MEMBERS && design->members[i]; i++)
        if (!text_equal(text_of_string(design->members[i]), except))
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
