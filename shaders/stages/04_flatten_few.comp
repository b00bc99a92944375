/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 04 flatten few: replaces 04_flatten if tasks are few and not dashed, so that even a small scene fills the device.
 *
 * Reads the stream, segments, elements, visible; writes edges, counters, arguments.
 * Dispatch: one workgroup for each FLATTEN_FEW_PARTITION tasks. They are cut into chords, which its invocations share
 * in rounds.
 * Invariant: lines are counted before they are stored, by a prefix sum. All passes over a partition share one copy of
 * the code.
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "stages/flatten.glsl"

#define OWNER_BITS 3 /* log2 of FLATTEN_FEW_PARTITION */
#include "stages/owner.glsl"

/* A task with all that its chords need, so that any invocation can draw any of them. */
struct prepared_task {
    uint visible;
    tile_box box;
    bool fills;
    pen p;       /* a stroke's */
    curve shape; /* a fill's in pixels and in its canonical direction, a stroke's in path space */
    subdivision cut;
    uint step;              /* a fill's: chords that one invocation draws */
    bool turned;            /* a fill's curve runs against its canonical direction */
    bool closes;            /* a fill's: a line leads back to its subpath's start */
    bool dot, starts, ends; /* a stroke's */
    point beyond;           /* a fill's: the start; a stroke's: direction in which the next segment leaves */
};

shared prepared_task tasks[FLATTEN_FEW_PARTITION];

uint prepare_fill(inout prepared_task task, flatten_task from, uint element)
{
    fill_segment fill = fill_segment_of(from, element, task.box);
    chord_curve chords = chord_curve_of(fill.device, task.box);
    task.shape = chords.canonical;
    task.turned = chords.turned;
    task.cut = chords.cut;
    task.closes = fill.closes;
    task.beyond = fill.start;
    task.step = chords.cut.pieces >= CHORDS_WORTH_A_LOOK ? CHORD_BLOCK : 1u;
    return (chords.cut.pieces + (fill.closes ? 1u : 0u) + task.step - 1u) / task.step;
}

uint prepare_stroke(inout prepared_task task, flatten_task from, uint element)
{
    stream_element drawn = stream_element_at(element);
    stream_style style = stream_style_at(drawn.style);
    task.p = pen_make(element_matrix_at(element), style, drawn);
    stroke_segment segment = segment_stroked(task.p.matrix, from.segment, false);
    task.shape = segment.local;
    task.cut = stroke_subdivision(task.p.matrix, segment.local);
    task.dot = segment.dot;
    task.starts = segment.starts;
    task.ends = segment.ends;
    task.beyond = segment.next_tangent;
    bool nothing = stroke_is_nothing(task.p, segment) || !stroke_is_in_cull_rect(task.p, segment.local, task.box);
    return nothing ? 0u : task.cut.pieces;
}

/* Prepares a task and returns the number of its chords. A block of chords counts as one. */
uint prepare(uint slot, uint index)
{
    flatten_task from = plain_task(index);
    uint element = visible_elements[from.visible].element;
    prepared_task task;
    task.visible = from.visible;
    task.box = box_of_visible(from.visible);
    task.fills = task_is_fill(from);
    uint chords;
    if (task.fills)
        chords = prepare_fill(task, from, element);
    else
        chords = prepare_stroke(task, from, element);
    tasks[slot] = task;
    return chords;
}

/* Loads a partition and returns the number of its chords. */
uint load_partition(uint partition_index)
{
    uint slot = workgroup_invocation();
    uint index = partition_index * FLATTEN_FEW_PARTITION + slot;
    uint chords = 0u;
    barrier(); /* all invocations are done with the last partition */
    if (slot < FLATTEN_FEW_PARTITION && index < counters.ready_tasks)
        chords = prepare(slot, index);
    uint total;
    uint start = workgroup_exclusive_scan(chords, total);
    if (slot <= FLATTEN_FEW_PARTITION)
        owner_starts[slot] = start;
    barrier();
    return total;
}

void flatten_stroke(inout flatten_sink sink, uint slot, uint piece)
{
    stroke_segment segment;
    segment.local = tasks[slot].shape;
    segment.dot = tasks[slot].dot;
    segment.starts = tasks[slot].starts;
    segment.ends = tasks[slot].ends;
    segment.closes = false;
    segment.next_tangent = tasks[slot].beyond;
    subdivision cut = tasks[slot].cut;
    uint end = end_of_piece(tasks[slot].p, tasks[slot].box, segment.local, cut, piece);
    if (end == piece)
        return;
    /* All knots of several pieces are passed by, so they are one run. */
    stroke_stretch run = stretch_of_pieces(segment, piece, end, cut);
    run.leaps = end - piece > 1u;
    run.knot = run.leaps ? end : run.knot;
    sink_run(sink, tasks[slot].p, tasks[slot].box, segment, cut, run);
}

void flatten_chord(inout flatten_sink sink, uint chord)
{
    uint slot = owner_of(chord);
    uint piece = chord - owner_starts[slot];
    sink.visible = tasks[slot].visible;
    sink.box = tasks[slot].box;
    if (tasks[slot].fills)
        sink_chord_range(sink, chord_curve(tasks[slot].shape, tasks[slot].turned, tasks[slot].cut), tasks[slot].closes,
                         tasks[slot].beyond, piece * tasks[slot].step, (piece + 1u) * tasks[slot].step,
                         tasks[slot].box);
    else
        flatten_stroke(sink, slot, piece);
}

/* The number of lines of each chord of the workgroup's own partition, for the first rounds. Later rounds have no room
 * here, so their lines are counted again before they are stored. */
#define ROUNDS_SAVED 8u
shared uint saved_counts[ROUNDS_SAVED * FLATTEN_PARTITION];

/* Counts all chords of the partition in `tasks`, or stores them from `start` on. Returns the sum of this invocation's
 * counts. */
uint flatten_chords(uint chord_count, bool stores, bool saves, uint start)
{
    uint sum = 0u;
    uint count = 0u;
    bool counted = false; /* whether this round has been counted, to be stored next */
    for (uint r = 0u; r * FLATTEN_PARTITION < chord_count;) {
        uint chord = r * FLATTEN_PARTITION + workgroup_invocation();
        uint saved = r * FLATTEN_PARTITION + gl_LocalInvocationIndex;
        bool storing = stores && (counted || r < ROUNDS_SAVED);
        uint place = 0u;
        if (storing) {
            if (!counted)
                count = saved_counts[saved];
            uint total;
            place = combine_counts(start, workgroup_exclusive_scan(count, total));
            start = combine_counts(start, total);
        }
        flatten_sink sink = sink_at(place, count, storing);
        if (chord < chord_count && (sink.stores || !storing))
            flatten_chord(sink, chord);
        if (!storing)
            count = line_count_of(sink);
        if (saves && r < ROUNDS_SAVED)
            saved_counts[saved] = count;
        sum = combine_counts(sum, count);
        counted = stores && !storing;
        r += counted ? 0u : 1u;
    }
    return sum;
}

void main()
{
    uint partition_count = partition_count_of(FLATTEN_FEW_PARTITION);
    uint partition_index = look_back_ticket(partition_count);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    flatten_pass pass = flatten_pass(partition_index, false);
    uint loaded = LOOK_BACK_NO_PARTITION; /* the partition that `tasks` belong to */
    uint chord_count = 0u;
    look_back_value aggregate;
    look_back_search search;
    uint before_partition = 0u;
    for (uint passes = 0u; true; passes++) {
        if (loaded != pass.partition_index)
            chord_count = load_partition(pass.partition_index);
        loaded = pass.partition_index;
        uint count = flatten_chords(chord_count, pass.stores, passes == 0u, before_partition);
        if (pass.stores)
            break;
        uint total;
        workgroup_exclusive_scan(count, total);
        if (passes == 0u) {
            aggregate = value_of(total);
            search = look_back_begin(partition_index, aggregate);
        } else {
            look_back_give(search, value_of(total));
        }
        pass = next_pass(partition_index, aggregate, search, before_partition);
    }
    if (partition_index == partition_count - 1u && gl_LocalInvocationIndex == 0u)
        finish(combine_counts(before_partition, counts_of_value(aggregate)));
}
