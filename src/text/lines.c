/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text/lines.h"

#include <math.h>

#define SOFT_HYPHEN 0xadu
/* Advances are rounded when they are added up, so a line may be so much wider than it should be, as a part of its
 * width. Else text that is as wide as its own measure would be broken. */
#define SLACK 1e-9

bool line_is_blank(uint16_t unit)
{
    return unit == ' ' || unit == '\t' || break_is_forced_behind(unit) || unit == 0x1680 ||
           (unit >= 0x2000 && unit <= 0x200a && unit != 0x2007) || unit == 0x205f || unit == 0x3000;
}

/* A place where the line at hand may end. */
typedef struct line_end {
    size_t unit; /* the next line begins here */
    size_t content_end;
    double width; /* width of the content */
    bool hyphenated;
} line_end;

typedef struct filler {
    const line_filling *filling;
    text_line_list *lines;
    double pen;         /* advance of the line so far */
    double content;     /* the same up to the last character that is no blank */
    size_t content_end; /* unit behind that character */
    line_end last; /* the last place where the line may end and fits; its unit is the line's begin if there is none */
} filler;

static void begin_line(filler *filler, size_t begin)
{
    filler->pen = filler->content = 0;
    filler->content_end = begin;
    filler->last = (line_end){.unit = begin, .content_end = begin};
}

static bool end_line(filler *filler, size_t begin, line_end end, bool forced)
{
    text_line *line = array_push(filler->lines);
    if (!line)
        return false;
    const bool takes_space = filler->filling->blanks_take_space;
    *line = (text_line){.begin = (uint32_t)begin,
                        .end = (uint32_t)end.unit,
                        .content_end = (uint32_t)(takes_space ? end.unit : end.content_end),
                        .width = end.width,
                        .hyphenated = end.hyphenated,
                        .forced = forced};
    return true;
}

/* Describes the line that would end before a unit. */
static line_end end_before(const filler *filler, size_t unit)
{
    const line_filling *filling = filler->filling;
    const bool hyphenated =
        filling->hyphen && filler->content_end == unit && unit > 0 && filling->units[unit - 1] == SOFT_HYPHEN;
    return (line_end){.unit = unit,
                      .content_end = filler->content_end,
                      .width = (filling->blanks_take_space ? filler->pen : filler->content) +
                               (hyphenated ? filling->hyphen(filling->user, unit - 1) : 0),
                      .hyphenated = hyphenated};
}

static bool fits(const filler *filler, double width)
{
    const double most = filler->lines->count == 0 ? filler->filling->first_width : filler->filling->width;
    return width <= most + SLACK * fabs(most);
}

/* Takes the unit into the line. */
static void take(filler *filler, size_t unit)
{
    const line_filling *filling = filler->filling;
    filler->pen += filling->advances[unit];
    if (line_is_blank(filling->units[unit]))
        return;
    filler->content = filler->pen;
    filler->content_end = unit + 1;
}

/* Finds where the line ends that begins at a unit. */
static line_end find_end(filler *filler, size_t begin, bool *forced)
{
    const line_filling *filling = filler->filling;
    begin_line(filler, begin);
    *forced = false;
    for (size_t at = begin; at < filling->count; at++) {
        const bool may_end = at > begin && filling->breaks[at] != BREAK_FORBIDDEN;
        const line_end here = end_before(filler, at);
        if (may_end && filling->breaks[at] == BREAK_FORCED) {
            *forced = fits(filler, here.width) || filler->last.unit == begin;
            return *forced ? here : filler->last;
        }
        /* What does not fit may still have room if the blanks at its end are left out, so this is asked at each end. */
        if (may_end && !fits(filler, here.width) && filler->last.unit > begin)
            return filler->last;
        const double with = filler->pen + filling->advances[at];
        const bool blank = line_is_blank(filling->units[at]) && !filling->blanks_take_space;
        if (filling->breaks_long_words && filling->cluster_starts[at] && at > begin && !blank && !fits(filler, with) &&
            filler->last.unit == begin && !may_end)
            return here;
        if (may_end)
            filler->last = here;
        take(filler, at);
    }
    const line_end whole = end_before(filler, filling->count);
    *forced = fits(filler, whole.width) || filler->last.unit == begin;
    return *forced ? whole : filler->last;
}

bool lines_fill(const line_filling *filling, text_line_list *lines)
{
    filler filler = {.filling = filling, .lines = lines};
    size_t begin = 0;
    bool forced;
    do {
        const line_end end = find_end(&filler, begin, &forced);
        if (!end_line(&filler, begin, end, forced))
            return false;
        begin = end.unit;
    } while (begin < filling->count);
    const bool ends_with_break = filling->count > 0 && break_is_forced_behind(filling->units[filling->count - 1]);
    if (!ends_with_break)
        return true;
    begin_line(&filler, begin);
    return end_line(&filler, begin, filler.last, true);
}
