/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Proves that the edges of an element are a chain that runs one way and one that runs back. Part of kernels_body.h.
 *
 * The edges that run to the right, say, are a chain if each begins where one ends and none begins twice. Where only
 * such edges touch a pixel, they separate two adjacent winding numbers. A row of samples crosses them upward and
 * downward in turns, in the order of the chain, because crossings are exact at the ends of an edge and monotone between
 * them. Likewise a row crosses a chain of downward edges once at most. So the samples would leave the pixel its area.
 *
 * A chain may have gaps where no sample would see what closes them: for one along x above or below the coverage or
 * along a border of rows, for one along y on the right of the coverage, and at one height on its left. There, edges of
 * parts and strips are merged, and only their heights count. So the edges there that run along x are left out: they
 * touch no pixel, and what is left of a chain still goes through all of the coverage. */

/* The axes along which an element goes in one chain forward and in one back. As in the meetings of a pixel, a vertical
 * edge runs to the right, and a horizontal one downward. */
#define CHAINS_ALONG_X 1u
#define CHAINS_ALONG_Y 2u

/* A place on a chain: how far along its direction, and across. */
typedef struct chain_place {
    int along, across;
} chain_place;

typedef struct chain_ends {
    chain_place first, last;
    bool has_edges;
} chain_ends;

/* Where gaps are not seen: from `low` down, from `high` up, along borders of rows, and straight across below `left`. */
typedef struct chain_gaps {
    int low, high, left;
    bool on_borders;
} chain_gaps;

INLINE bool chain_goes_on(chain_gaps gaps, chain_place from, chain_place to)
{
    if (from.along == to.along && from.across == to.across)
        return true;
    bool is_beyond =
        (from.across <= gaps.low && to.across <= gaps.low) || (from.across >= gaps.high && to.across >= gaps.high);
    if (from.across < gaps.left && to.across < gaps.left && from.along == to.along)
        return true;
    bool on_border = gaps.on_borders && from.across == to.across && (to.across & (SUBPIXELS - 1)) == 0;
    return from.along <= to.along && (is_beyond || on_border);
}

/* Adds an edge to one of the ends. Returns false if it does not fit. */
static __attribute__((noinline)) bool chain_takes(chain_ends *ends, chain_gaps gaps, chain_place from, chain_place to)
{
    if (!ends->has_edges)
        *ends = (chain_ends){from, to, true};
    else if (chain_goes_on(gaps, ends->last, from))
        ends->last = to;
    else if (chain_goes_on(gaps, to, ends->first))
        ends->first = from;
    else
        return false;
    return true;
}

/* Adds an edge to the chain of its direction, of two along an axis. Returns false if it does not fit. */
INLINE bool chains_take(chain_ends *ends, chain_gaps gaps, chain_place from, chain_place to)
{
    int sign = to.along < from.along ? -1 : 1;
    from.along *= sign;
    to.along *= sign;
    ends += sign < 0;
    if (ends->has_edges && ends->last.along == from.along && ends->last.across == from.across) {
        ends->last = to;
        return true;
    }
    return chain_takes(ends, gaps, from, to);
}

/* Returns the axes along which the edges are chains. */
static __attribute__((noinline)) uint find_chains(const cpu_coverage *coverage, const cpu_slot *const *heads,
                                                  uint count)
{
    const chain_gaps gaps_x = {coverage->top, coverage->top + coverage->height * SUBPIXELS, INT32_MIN, true};
    const chain_gaps gaps_y = {INT32_MIN, coverage->left + coverage->width * SUBPIXELS, coverage->left, false};
    chain_ends along_x[2] = {0}, along_y[2] = {0};
    bool is_x = true, is_y = true;
    for (uint i = 0; i < count && (is_x || is_y); i++) {
        const cpu_edge *edges = &heads[i][1].edge;
        for (uint k = 0; k < heads[i]->head.count && (is_x || is_y); k++) {
            cpu_edge e = edges[k];
            const bool is_left = int_max(e.ax, e.bx) < coverage->left;
            is_x =
                is_x && (is_left || chains_take(along_x, gaps_x, (chain_place){e.ax, e.ay}, (chain_place){e.bx, e.by}));
            is_y = is_y && chains_take(along_y, gaps_y, (chain_place){e.ay, e.ax}, (chain_place){e.by, e.bx});
        }
    }
    return (is_x ? CHAINS_ALONG_X : 0u) | (is_y ? CHAINS_ALONG_Y : 0u);
}
