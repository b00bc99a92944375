/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Compositions, as pietra_instance.h promises. */
#include "scene/compose/composition.h"

#include <stdlib.h>

#include "base/error.h"

pietra_composition *pietra_composition_create(void)
{
    return calloc(1, sizeof(pietra_composition));
}

static void free_plan(compose_plan *plan)
{
    array_free(&plan->shown);
    array_free(&plan->ids);
    array_free(&plan->sources);
    array_free(&plan->repaints);
    array_free(&plan->colors);
}

void pietra_composition_destroy(pietra_composition *composition)
{
    if (!composition)
        return;
    free_plan(&composition->plan);
    free_plan(&composition->next);
    for (size_t i = 0; i < composition->sources.count; i++)
        stream_sums_free(&composition->sources.items[i].sums);
    array_free(&composition->sources);
    array_free(&composition->parts);
    array_free(&composition->changes);
    free(composition->table);
    free(composition->stream);
    free(composition);
}

/* Returns whether the stream can be changed where instances are in other places. After a call that failed, the plan
 * does not know its sources any longer. Sums that views want by now are made with the whole. */
static bool is_ready_for_changes(const pietra_composition *composition)
{
    const bool lacks_sums = !composition->composed.are_made &&
                            atomic_load_explicit(&composition->composed.are_wanted, memory_order_relaxed);
    return (composition->has_before || composition->has_changes) && !lacks_sums;
}

static pietra_result set_all(pietra_composition *composition, const pietra_instance *instances, size_t count,
                             pietra_error *error)
{
    composition->has_before = composition->has_changes = false;
    composition->composed.are_made = false; /* they refer to sources */
    compose_forget_sources(composition);
    composition->call++;
    const pietra_result result = compose_measure(composition, instances, count, error);
    if (result != PIETRA_OK)
        return result;
    /* The next call may find changes. */
    if (!array_reserve(&composition->changes, composition->next.shown.count) || !compose_write(composition, instances))
        return error_set_memory(error);
    const compose_plan made = composition->next;
    composition->next = composition->plan;
    composition->plan = made;
    composition->has_before = true;
    compose_make_sums(composition);
    return PIETRA_OK;
}

pietra_result pietra_composition_set(pietra_composition *composition, const pietra_instance *instances, size_t count,
                                     pietra_error *error, const pietra_stream **stream)
{
    if (!composition || !stream)
        return error_set_null(error, !composition ? "composition" : "stream");
    if (!instances && count > 0)
        return error_set_null(error, "instances");
    pietra_result result = PIETRA_OK;
    if (is_ready_for_changes(composition) && compose_find_changes(composition, instances, count)) {
        compose_write_changes(composition, instances);
        compose_move_sums(composition);
        composition->has_changes = true;
    } else {
        result = set_all(composition, instances, count, error);
    }
    if (result == PIETRA_OK)
        *stream = composition->stream;
    return result;
}

/* Returns the last of the shown instances that begins at or before an element. */
static const compose_shown *find_shown(const compose_plan *plan, uint32_t element)
{
    size_t low = 0, high = plan->shown.count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (plan->shown.items[middle].first_element <= element)
            low = middle;
        else
            high = middle;
    }
    return &plan->shown.items[low];
}

bool pietra_composition_find(const pietra_composition *composition, uint32_t element, pietra_composed *composed)
{
    if (!composition || !composed || !composition->stream || element >= composition->plan.total.element_count)
        return false;
    const compose_shown *shown = find_shown(&composition->plan, element);
    const uint32_t before = shown->first_element + compose_layers(shown), number = element - before;
    const bool is_own = element < before || number >= shown->element_count;
    *composed =
        (pietra_composed){.instance = shown->instance, .id = shown->id, .element = is_own ? PIETRA_NO_ELEMENT : number};
    return true;
}
