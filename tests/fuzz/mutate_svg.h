/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Changes SVG documents to other SVG documents, with references, repetition and nesting, which libFuzzer's changes of
 * bytes hardly ever find. */
#ifndef TESTS_FUZZ_MUTATE_SVG_H
#define TESTS_FUZZ_MUTATE_SVG_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

typedef struct mutation {
    uint8_t *data;
    size_t size, max_size;
    uint64_t state;
} mutation;

static uint32_t pick(mutation *m, uint32_t count)
{
    m->state = m->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((m->state >> 33) % count);
}

static void insert_bytes(mutation *m, size_t at, const char *bytes, size_t count)
{
    if (at > m->size || count > m->max_size - m->size)
        return;
    memmove(m->data + at + count, m->data + at, m->size - at);
    memcpy(m->data + at, bytes, count);
    m->size += count;
}

static void remove_bytes(mutation *m, size_t at, size_t count)
{
    memmove(m->data + at, m->data + at + count, m->size - at - count);
    m->size -= count;
}

/* Returns a place behind the end of some tag, for elements, or before it, for attributes. SIZE_MAX: there is none. */
static size_t pick_place(mutation *m, bool in_tag)
{
    size_t start = pick(m, (uint32_t)m->size + 1), found = SIZE_MAX;
    for (size_t i = 0; i < m->size && found == SIZE_MAX; i++) {
        size_t at = (start + i) % m->size;
        if (m->data[at] == '>' && at > 0 && m->data[at - 1] != '?' && m->data[at - 1] != ']' && m->data[at - 1] != '-')
            found = at;
    }
    if (found == SIZE_MAX || !in_tag)
        return found == SIZE_MAX ? found : found + 1;
    return found - (m->data[found - 1] == '/');
}

static const char names[] = "abcdefgv";

/* '@' stands for a name, '#' for a small number, '$' for a number at a limit. */
static void insert_pattern(mutation *m, size_t at, const char *pattern)
{
    static const char *const borders[] = {"0",     "-1",  "1e-9", "1e9",  "1e18", "1e38",
                                          "65535", "NaN", ".5",   "100%", "1e-38"};
    char text[600];
    size_t count = 0;
    for (; *pattern && count + 20 < sizeof text; pattern++)
        if (*pattern == '@')
            text[count++] = names[pick(m, sizeof names - 1)];
        else if (*pattern == '#')
            count += (size_t)snprintf(text + count, 20, "%u", pick(m, 40));
        else if (*pattern == '$')
            count += (size_t)snprintf(text + count, 20, "%s", borders[pick(m, sizeof borders / sizeof borders[0])]);
        else
            text[count++] = *pattern;
    insert_bytes(m, at, text, count);
}

static void add_element(mutation *m)
{
    static const char *const patterns[] = {
        "<use href='#@'/>",
        "<g id='@'><use href='#@'/><use href='#@' x='#'/></g>",
        "<rect id='@' width='#' height='#' fill='url(#@)'/>",
        "<pattern id='@' width='#' height='#' patternUnits='userSpaceOnUse'><rect width='#' height='#' fill='url(#@)'/></pattern>",
        "<pattern id='@' width='.$' height='$' href='#@'/>",
        "<mask id='@'><rect width='#' height='#' mask='url(#@)'/><use href='#@'/></mask>",
        "<clipPath id='@' clip-path='url(#@)'><rect width='#' height='#' clip-path='url(#@)'/><use href='#@'/></clipPath>",
        "<marker id='@' overflow='visible'><path d='M0 0h#v#' marker='url(#@)'/></marker>",
        "<linearGradient id='@' href='#@'><stop offset='.#'/><stop offset='1' stop-color='red'/></linearGradient>",
        "<radialGradient id='@' r='$' fx='$' spreadMethod='reflect'><stop stop-opacity='.#'/></radialGradient>",
        "<image width='#' height='#' href=\"data:image/svg+xml,&lt;svg xmlns='http://www.w3.org/2000/svg' width='#'>&lt;rect width='9'/>&lt;/svg>#@\"/>",
        "<svg x='#' width='#' height='#' viewBox='0 0 # #'><use href='#@'/></svg>",
        "<symbol id='@'><use href='#@'/></symbol>",
        "<style>@{--@:var(--@)var(--@);fill:var(--@,url(#@))}*{--@:# var(--@,#)}</style>",
        "<style>:nth-last-child(n of :nth-child(#n+# of *)),:not(@ @>@~@),.@.@{stroke:red;stroke-dasharray:# $}</style>",
        "<path d='M# #a# # # 0 1 # #q$ # # $z' stroke='url(#@)' stroke-width='#' stroke-dasharray='# #'/>",
        "<g style='mix-blend-mode:multiply;isolation:isolate' opacity='.#'><use href='#@'/></g>",
        "<switch><g systemLanguage='@'/><use href='#@'/></switch>",
    };
    size_t at = pick_place(m, false);
    if (at != SIZE_MAX)
        insert_pattern(m, at, patterns[pick(m, sizeof patterns / sizeof patterns[0])]);
}

static void add_attribute(mutation *m)
{
    static const char *const patterns[] = {
        " id='@'",
        " class='@ @'",
        " href='#@'",
        " fill='url(#@) red'",
        " stroke='url(#@)'",
        " mask='url(#@)'",
        " clip-path='url(#@)'",
        " marker-mid='url(#@)'",
        " transform='scale($ #) rotate(#)'",
        " transform='matrix($ # # $ # #)'",
        " width='$'",
        " height='$'",
        " opacity='.#'",
        " style='--@:var(--@)var(--@)'",
        " style='--@:# #;stroke-dasharray:var(--@)'",
        " style='transform:var(--@)'",
        " viewBox='$ # # $'",
        " preserveAspectRatio='xMaxYMid slice'",
        " stroke-width='$'",
        " stroke-dasharray='# $'",
        " patternUnits='userSpaceOnUse'",
        " clipPathUnits='objectBoundingBox'",
        " maskContentUnits='objectBoundingBox'",
        " overflow='visible'",
        " display='none'",
        " pathLength='$'",
        " stroke-linejoin='arcs'",
        " style='clip-path:circle($ at # #)'",
        " style='mask:url(#@) # #/$ repeat,url(#@)'",
        " fill='context-fill'",
        " paint-order='stroke'",
        " style='\\0\\0\\0\\0:\\0'",
        " vector-effect='non-scaling-stroke'",
    };
    size_t at = pick_place(m, true);
    if (at != SIZE_MAX)
        insert_pattern(m, at, patterns[pick(m, sizeof patterns / sizeof patterns[0])]);
}

/* Returns the end of the element whose start tag begins at `at`, as well as can be told without parsing XML. */
static size_t end_of_element(const mutation *m, size_t at)
{
    size_t depth = 0;
    for (size_t i = at; i < m->size; i++) {
        if (m->data[i] == '<' && i + 1 < m->size && m->data[i + 1] != '!' && m->data[i + 1] != '?')
            depth += m->data[i + 1] == '/' ? (size_t)-1 : 1;
        if (m->data[i] == '>' && i > 0) {
            depth -= m->data[i - 1] == '/';
            if (depth == 0)
                return i + 1;
        }
    }
    return SIZE_MAX;
}

static size_t pick_element(mutation *m, size_t *end)
{
    size_t start = pick(m, (uint32_t)m->size + 1);
    for (size_t i = 0; i + 1 < m->size; i++) {
        size_t at = (start + i) % (m->size - 1);
        if (m->data[at] == '<' && at > 0 && m->data[at + 1] != '/' && m->data[at + 1] != '!' &&
            m->data[at + 1] != '?') {
            *end = end_of_element(m, at);
            return *end != SIZE_MAX ? at : SIZE_MAX;
        }
    }
    return SIZE_MAX;
}

/* Copies an element to another place, so that trees grow. */
static void copy_element(mutation *m)
{
    size_t end, from = pick_element(m, &end), to = pick_place(m, false);
    if (from == SIZE_MAX || to == SIZE_MAX)
        return;
    char *copy = malloc(end - from);
    if (copy) {
        memcpy(copy, m->data + from, end - from);
        insert_bytes(m, to, copy, end - from);
    }
    free(copy);
}

static void remove_element(mutation *m)
{
    size_t end, from = pick_element(m, &end);
    if (from != SIZE_MAX)
        remove_bytes(m, from, end - from);
}

/* Puts something around an element. */
static void wrap_element(mutation *m)
{
    static const char *const wraps[][2] = {
        {"<g mask='url(#@)'>", "</g>"},
        {"<g clip-path='url(#@)'>", "</g>"},
        {"<pattern id='@' width='#' height='#'>", "</pattern>"},
        {"<mask id='@'>", "</mask>"},
        {"<clipPath id='@'>", "</clipPath>"},
        {"<marker id='@'>", "</marker>"},
        {"<symbol id='@'>", "</symbol>"},
        {"<svg width='#' height='#'>", "</svg>"},
        {"<a>", "</a>"},
        {"<g id='@' opacity='.#'>", "</g>"},
        {"<switch>", "</switch>"},
        {"<defs>", "</defs>"},
    };
    size_t end, from = pick_element(m, &end), wrap = pick(m, sizeof wraps / sizeof wraps[0]);
    if (from != SIZE_MAX && m->size + 200 < m->max_size) {
        insert_pattern(m, end, wraps[wrap][1]);
        insert_pattern(m, from, wraps[wrap][0]);
    }
}

/* Puts another name after "#", "--" or "id='". */
static void change_name(mutation *m)
{
    size_t start = pick(m, (uint32_t)m->size + 1);
    for (size_t i = 0; i + 4 < m->size; i++) {
        size_t at = (start + i) % (m->size - 4);
        if (m->data[at] == '#' || memcmp(m->data + at, "id='", 4) == 0 || memcmp(m->data + at, "--", 2) == 0) {
            at += m->data[at] == '#' ? 1 : m->data[at] == '-' ? 2 : 4;
            m->data[at] = (uint8_t)names[pick(m, sizeof names - 1)];
            return;
        }
    }
}

static inline size_t mutate_svg(uint8_t *data, size_t size, size_t max_size, uint64_t seed)
{
    static void (*const changes[])(mutation *) = {add_element,  add_element,    add_attribute, add_attribute,
                                                  copy_element, remove_element, wrap_element,  change_name};
    mutation m = {data, size, max_size, seed * 0x9e3779b97f4a7c15u + 1};
    for (uint32_t times = 1 + pick(&m, 3); times > 0 && m.size > 4; times--)
        changes[pick(&m, sizeof changes / sizeof changes[0])](&m);
    return m.size > 0 ? m.size : LLVMFuzzerMutate(data, size, max_size);
}

#endif
