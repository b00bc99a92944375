/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/tree/loops.h"

#include <stdlib.h>

#define UNSEEN 0u
#define DONE UINT32_MAX /* the node's component has been completed */

typedef struct loop_step {
    uint32_t node;
    uint32_t next; /* next child to follow; node's end: its target; beyond: nothing is left */
} loop_step;

typedef struct loop_search {
    const svg_document *document;
    uint32_t *number;    /* order in which a node was reached, from 1; or UNSEEN or DONE */
    uint32_t *low;       /* the smallest number to which it leads back */
    uint32_t *component; /* if the node is DONE: number of the first node in its component */
    uint32_t reached;
    ARRAY(loop_step) path;
    ARRAY(uint32_t) pending; /* nodes whose component is not known yet */
} loop_search;

static uint32_t target_of(const svg_document *document, uint32_t node)
{
    return document->nodes.items[node].element == SVG_USE ? svg_document_href(document, node) : SVG_NO_NODE;
}

static bool reach(loop_search *search, uint32_t node)
{
    loop_step *step = array_push(&search->path);
    uint32_t *pending = array_push(&search->pending);
    if (!step || !pending)
        return false;
    *step = (loop_step){node, node + 1};
    *pending = node;
    search->number[node] = search->low[node] = ++search->reached;
    return true;
}

static void leave(loop_search *search, uint32_t node)
{
    if (search->low[node] == search->number[node]) {
        uint32_t component = search->number[node], member;
        do {
            member = search->pending.items[--search->pending.count];
            search->number[member] = DONE;
            search->component[member] = component;
        } while (member != node);
    }
    if (--search->path.count) {
        uint32_t parent = array_last(&search->path)->node;
        if (search->low[node] < search->low[parent])
            search->low[parent] = search->low[node];
    }
}

/* Returns the next node to which a step leads, or SVG_NO_NODE. */
static uint32_t follow(const svg_document *document, loop_step *step)
{
    uint32_t end = document->nodes.items[step->node].end, child = step->next;
    if (child < end) {
        step->next = document->nodes.items[child].end;
        return child;
    }
    if (child > end)
        return SVG_NO_NODE;
    step->next = end + 1;
    return target_of(document, step->node);
}

static bool search_from(loop_search *search, uint32_t root)
{
    if (search->number[root] != UNSEEN)
        return true;
    if (!reach(search, root))
        return false;
    while (search->path.count) {
        loop_step *step = array_last(&search->path);
        uint32_t node = step->node, before = step->next;
        uint32_t to = follow(search->document, step);
        if (to == SVG_NO_NODE && step->next == before) {
            leave(search, node);
        } else if (to != SVG_NO_NODE) {
            if (search->number[to] == UNSEEN) {
                if (!reach(search, to))
                    return false;
            } else if (search->number[to] != DONE && search->number[to] < search->low[node]) {
                search->low[node] = search->number[to];
            }
        }
    }
    return true;
}

/* Searches from the root of each file. */
static bool search_all(loop_search *search)
{
    const svg_document *document = search->document;
    bool good = true;
    for (uint32_t root = 0; good && root < document->nodes.count; root = document->nodes.items[root].end)
        good = search_from(search, root);
    return good;
}

static bool has_use(const svg_document *document)
{
    for (size_t i = 0; i < document->nodes.count; i++)
        if (document->nodes.items[i].element == SVG_USE)
            return true;
    return false;
}

bool svg_loops_find(const svg_document *document, uint8_t *flags, uint8_t flag)
{
    size_t count = document->nodes.count;
    if (!has_use(document))
        return true;
    loop_search search = {.document = document};
    search.number = calloc(count, sizeof(uint32_t));
    search.low = calloc(count, sizeof(uint32_t));
    search.component = calloc(count, sizeof(uint32_t));
    bool good = search.number && search.low && search.component && search_all(&search);
    for (uint32_t node = 0; good && node < count; node++) {
        uint32_t target = target_of(document, node);
        if (target != SVG_NO_NODE && search.component[node] == search.component[target])
            flags[node] |= flag;
    }
    free(search.number);
    free(search.low);
    free(search.component);
    array_free(&search.path);
    array_free(&search.pending);
    return good;
}
