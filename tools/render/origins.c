/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "origins.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "name.h"

static char *copy(origins *origins, const char *text)
{
    char *copied = text ? strdup(text) : NULL;

    origins->out_of_memory |= text && !copied;
    return copied;
}

void origins_take(void *user, uint32_t label, const pietra_svg_origin *reported)
{
    origins *origins = user;
    origin taken = {.line = reported->line,
                    .document = reported->document,
                    .shown_by = reported->shown_by,
                    .element = reported->element};

    (void)label; /* they come in order, each once */
    if (!array_reserve(&origins->list, 1)) {
        origins->out_of_memory = true;
        return;
    }
    taken.id = copy(origins, reported->id);
    taken.file = copy(origins, reported->file);
    *array_push(&origins->list) = taken;
}

static void print_one(FILE *out, const origin *origin)
{
    name_print(out, origin->element, false);
    if (origin->id) {
        putc('#', out);
        name_print(out, origin->id, false);
    }
    if (origin->file) {
        putc(' ', out);
        name_print(out, origin->file, false);
    }
    fprintf(out, " line %" PRIu32, origin->line);
    if (origin->document)
        fprintf(out, " of document %" PRIu32, origin->document);
}

/* NULL: there is none. */
static const origin *origin_of(const origins *origins, uint32_t label)
{
    return label && label <= origins->list.count ? &origins->list.items[label - 1] : NULL;
}

static bool is_for_another(const origin *origin)
{
    return strcmp(origin->element, "clipPath") == 0 || strcmp(origin->element, "mask") == 0 ||
           strcmp(origin->element, "marker") == 0;
}

/* Says how an element relates to what shows it. */
static const char *relation(const origin *shown, const origin *by)
{
    if (is_for_another(shown))
        return " for ";
    return strcmp(by->element, "use") == 0 ? " shown by " : " in ";
}

void origins_print(FILE *out, const origins *origins, uint32_t label)
{
    const origin *origin = origin_of(origins, label), *by;

    while (origin) {
        print_one(out, origin);
        by = origin_of(origins, origin->shown_by);
        fputs(by ? relation(origin, by) : "", out);
        origin = by;
    }
}

uint32_t origins_line(const origins *origins, uint32_t label)
{
    const origin *origin = origin_of(origins, label);

    while (origin && (origin->document || origin->file))
        origin = origin_of(origins, origin->shown_by);
    return origin ? origin->line : 0;
}

void origins_destroy(origins *origins)
{
    for (size_t i = 0; i < origins->list.count; i++) {
        free(origins->list.items[i].id);
        free(origins->list.items[i].file);
    }
    array_free(&origins->list);
}
