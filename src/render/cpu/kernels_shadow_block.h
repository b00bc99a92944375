/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shades a block of pixels of a box shadow. Where the frame shows the shadow upright, the level of a pixel is made of
 * what its column has by itself and what its row has, and this is found once for the block. The nodes of a piece depend
 * on the row alone, or on the column alone. Nodes of a piece that counts as a whole are the same for all of the block.
 * The float operations that lead to a pixel are those of kernels_shadow.h. Part of kernels_body.h. */

#define SHADOW_VECTORS (CPU_SHADOW_COLUMNS / LANES)
#define SHADOW_NODES (4 * SHADOW_PANELS)

/* The nodes of a piece, four to a panel: the two outer ones, then the two inner ones. */
typedef struct shadow_nodes {
    vector_int has; /* whether there are any */
    vector_int panels;
    vector_float step;
    vector_float places[SHADOW_NODES]; /* from the straight edge inward */
    vector_float arcs[SHADOW_NODES], densities[SHADOW_NODES];
} shadow_nodes;

/* What columns or rows, side by side, have of a corner. */
typedef struct shadow_side {
    const shadow_axis *axis;
    float radius;
    int vectors;
    uint wanted; /* a bit for each vector */
    bool any_whole;
    vector_float distance[SHADOW_VECTORS]; /* from the straight edge inward */
    vector_float edge[SHADOW_VECTORS];     /* the level of the straight edge */
    vector_float square[SHADOW_VECTORS];   /* the part of it that the corner's square has */
    vector_int counts[SHADOW_VECTORS], is_whole[SHADOW_VECTORS];
    shadow_nodes nodes[SHADOW_VECTORS]; /* of the piece whose lines lie across this axis */
    shadow_nodes whole;                 /* of a whole piece, without densities; `nodes` then lack places and arcs */
    vector_float missing[SHADOW_VECTORS][SHADOW_NODES]; /* beyond the arc, at the nodes of the other side's `whole` */
} shadow_side;

/* Finds the nodes between low and high. */
static void find_nodes(const shadow_side *side, vector_float low, vector_float high, shadow_nodes *nodes)
{
    static const float places[4] = {0.0694318442f, 0.930568156f, 0.330009478f, 0.669990522f};
    const vector_float length = high - low;
    nodes->has = low < high;
    nodes->panels = clamp_ints(-floors_of(-(length * side->axis->inverse_panel)), 1, SHADOW_PANELS);
    nodes->step = length * reciprocals_of(__builtin_convertvector(nodes->panels, vector_float));
    for (int i = 0; i < SHADOW_PANELS && any_lane((vector_uint)(nodes->has & (nodes->panels > i))); i++) {
        vector_float from = low + nodes->step * (float)i;
        for (int j = 0; j < 4; j++) {
            nodes->places[4 * i + j] = from + places[j] * nodes->step;
            nodes->arcs[4 * i + j] = shadow_arcs(side->radius, nodes->places[4 * i + j]);
        }
    }
}

/* Finds the nodes of a vector of a side. If its pieces are whole, their places are known. */
static void find_nodes_at(shadow_side *side, int i, vector_float low, vector_float high)
{
    shadow_nodes *nodes = &side->nodes[i];
    const shadow_nodes *placed = nodes;
    if (any_lane((vector_uint)(side->counts[i] & ~side->is_whole[i]))) {
        find_nodes(side, low, high, nodes);
    } else {
        placed = &side->whole;
        nodes->has = placed->has;
        nodes->panels = placed->panels;
        nodes->step = placed->step;
    }
    for (int node = 0; node < SHADOW_NODES && any_lane((vector_uint)(nodes->has & (4 * nodes->panels > node))); node++)
        nodes->densities[node] = shadow_densities(side->axis, side->distance[i] - placed->places[node]);
}

/* Finds what a side has by itself, from its distances. */
static void find_side(shadow_side *side)
{
    const shadow_axis *axis = side->axis;
    const float square = SHADOW_SQUARE * side->radius;
    const vector_float least = splat_float(square), most = splat_float(side->radius);
    side->any_whole = false;
    find_nodes(side, least, most, &side->whole);
    for (int i = 0; i < side->vectors; i++) {
        vector_float distance = side->distance[i];
        if (!any_lane((vector_uint)side->counts[i]))
            continue;
        side->edge[i] = shadow_edges(axis, distance);
        side->square[i] = side->edge[i] - shadow_edges(axis, distance - square);
        vector_float low = most_of(least, distance - axis->density_reach);
        vector_float high = least_of(most, distance + axis->density_reach);
        side->is_whole[i] = side->counts[i] & (low == least) & (high == most);
        side->any_whole = side->any_whole || any_lane((vector_uint)side->is_whole[i]);
        find_nodes_at(side, i, low, high);
    }
}

/* Finds what is missing along one axis at the nodes of whole pieces. */
static void find_missing(shadow_side *along, const shadow_side *across)
{
    for (int i = 0; across->any_whole && i < along->vectors; i++)
        for (int node = 0; any_lane((vector_uint)along->counts[i]) && node < 4 * across->whole.panels[0]; node++)
            along->missing[i][node] =
                along->edge[i] - shadow_edges(along->axis, along->distance[i] - across->whole.arcs[node]);
}

/* Adds a panel, given what is missing at its four nodes times the densities there. */
INLINE vector_float add_panel(vector_float sum, const vector_float parts[4])
{
    vector_float outer = parts[0] + parts[1], inner = parts[2] + parts[3];
    return sum + 0.173927423f * outer + 0.326072577f * inner;
}

/* Returns the piece whose lines lie along the row. Row `lane` of vector `at` meets vector i of the columns. */
INLINE vector_float piece_of_row(const shadow_side *columns, int i, const shadow_side *rows, int at, int lane)
{
    const shadow_nodes *nodes = &rows->nodes[at];
    const bool is_whole = rows->is_whole[at][lane] != 0;
    vector_float sum = splat_float(0.0f), parts[4];
    if (!nodes->has[lane])
        return sum;
    for (int node = 0; node < 4 * nodes->panels[lane]; node += 4) {
        for (int j = 0; j < 4; j++) {
            vector_float missing =
                is_whole ? columns->missing[i][node + j]
                         : columns->edge[i] -
                               shadow_edges(columns->axis, columns->distance[i] - nodes->arcs[node + j][lane]);
            parts[j] = missing * nodes->densities[node + j][lane];
        }
        sum = add_panel(sum, parts);
    }
    return sum * nodes->step[lane];
}

/* Returns the piece whose lines lie along the columns. */
INLINE vector_float piece_of_columns(const shadow_side *columns, int i, const shadow_side *rows, int at, int lane)
{
    const shadow_nodes *nodes = &columns->nodes[i];
    const bool is_whole = !any_lane((vector_uint)(columns->counts[i] & ~columns->is_whole[i]));
    vector_float sum = splat_float(0.0f), parts[4];
    for (int node = 0; node < SHADOW_NODES; node += 4) {
        vector_int goes_on = nodes->has & (4 * nodes->panels > node);
        if (!any_lane((vector_uint)goes_on))
            break;
        for (int j = 0; j < 4; j++) {
            vector_float missing =
                is_whole
                    ? splat_float(rows->missing[at][node + j][lane])
                    : rows->edge[at][lane] - shadow_edges(rows->axis, rows->distance[at][lane] - nodes->arcs[node + j]);
            parts[j] = missing * nodes->densities[node + j];
        }
        sum = select_floats(goes_on, add_panel(sum, parts), sum);
    }
    return select_floats(nodes->has, sum * nodes->step, splat_float(0.0f));
}

/* The levels of a block before they are rounded. */
typedef struct shadow_block {
    const stream_box_shadow *shadow;
    uint wanted[BAND_ROWS];         /* a bit for each vector of a row */
    vector_float u[SHADOW_VECTORS]; /* of the columns' centres */
    vector_float v[SHADOW_VECTORS]; /* of the rows' centres */
    vector_float levels[BAND_ROWS][SHADOW_VECTORS];
    shadow_side of_columns, of_rows; /* of the corner at hand */
} shadow_block;

/* Finds which columns or rows a corner may take something from. */
static bool find_counts(shadow_side *side, float radius)
{
    vector_int any = splat_int(0);
    side->radius = radius;
    for (int i = 0; i < side->vectors; i++) {
        vector_float distance = side->distance[i];
        side->counts[i] = (distance > -side->axis->reach) & (distance < radius + side->axis->reach);
        side->counts[i] &= -(int)(side->wanted >> i & 1);
        any |= side->counts[i];
    }
    return any_lane((vector_uint)any);
}

/* Takes away what a corner lacks of a row of pixels. */
INLINE void take_row(shadow_block *block, int row)
{
    const shadow_side *columns = &block->of_columns, *rows = &block->of_rows;
    const int at = row / LANES, lane = row % LANES;
    for (int i = 0; i < columns->vectors; i++) {
        if ((block->wanted[row] >> i & 1) == 0 || !any_lane((vector_uint)columns->counts[i]))
            continue;
        vector_float part = columns->square[i] * rows->square[at][lane];
        part = part + piece_of_row(columns, i, rows, at, lane);
        part = part + piece_of_columns(columns, i, rows, at, lane);
        vector_float level = block->levels[row][i];
        block->levels[row][i] = select_floats(columns->counts[i], level - part, level);
    }
}

static void take_corner(shadow_block *block, bool is_left, bool is_top, float radius)
{
    const stream_box_shadow *shadow = block->shadow;
    shadow_side *columns = &block->of_columns, *rows = &block->of_rows;
    for (int i = 0; i < columns->vectors; i++)
        columns->distance[i] = is_left ? block->u[i] - shadow->x0 : shadow->x1 - block->u[i];
    for (int i = 0; i < rows->vectors; i++)
        rows->distance[i] = is_top ? block->v[i] - shadow->y0 : shadow->y1 - block->v[i];
    if (!(radius > 0.001f * (columns->axis->reach + rows->axis->reach)) || !find_counts(columns, radius) ||
        !find_counts(rows, radius))
        return;
    find_side(columns);
    find_side(rows);
    find_missing(columns, rows);
    find_missing(rows, columns);
    for (int row = 0; row < rows->vectors * LANES; row++)
        if (rows->counts[row / LANES][row % LANES])
            take_row(block, row);
}

/* Finds which vectors of pixels are wanted, and returns whether any is. */
static bool find_wanted(shadow_block *block, const cpu_levels *levels)
{
    block->of_columns.wanted = block->of_rows.wanted = 0;
    for (int row = 0; row < BAND_ROWS; row++) {
        uint wanted = 0;
        for (int i = 0; row < levels->height && i < block->of_columns.vectors; i++)
            wanted |= (uint)any_level(levels->levels + (size_t)row * levels->pitch + i * LANES) << i;
        block->wanted[row] = wanted;
        block->of_columns.wanted |= wanted;
        block->of_rows.wanted |= (uint)(wanted != 0) << row / LANES;
    }
    return block->of_rows.wanted != 0;
}

/* Finds where pixels lie along an axis, from a place on, and their levels in a shadow without other sides. */
static void find_edges(const shadow_side *side, int from, float scale, float move, float low, float high,
                       vector_float *places, vector_float *edges)
{
    for (int i = 0; i < side->vectors; i++) {
        vector_float centre = __builtin_convertvector(lane_numbers() + (from + i * LANES), vector_float) + 0.5f;
        vector_float place = scale * centre + move;
        place = least_of(most_of(place, splat_float(-SHADOW_LIMIT)), splat_float(SHADOW_LIMIT));
        places[i] = place;
        if ((side->wanted >> i & 1) != 0)
            edges[i] = shadow_edges(side->axis, place - low) - shadow_edges(side->axis, place - high);
    }
}

/* Finds where the pixels lie, and what their levels would be with square corners. */
static void begin_block(shadow_block *block, affine m, int x, int y)
{
    const stream_box_shadow *shadow = block->shadow;
    vector_float across[SHADOW_VECTORS], down[SHADOW_VECTORS];
    find_edges(&block->of_columns, x, m.a, m.e, shadow->x0, shadow->x1, block->u, across);
    find_edges(&block->of_rows, y, m.d, m.f, shadow->y0, shadow->y1, block->v, down);
    for (int row = 0; row < BAND_ROWS; row++)
        for (uint wanted = block->wanted[row], i = 0; wanted != 0; wanted >>= 1, i++)
            if ((wanted & 1) != 0)
                block->levels[row][i] = across[i] * down[row / LANES][row % LANES];
}

/* Finds the colours of upright pixels. */
static void shade_upright(const cpu_gradient *gradient, int x, int y, const cpu_levels *levels, uint32_t *colors)
{
    const affine m = gradient->map;
    const stream_box_shadow *shadow = gradient->shadow;
    const vector_uint color = splat(gradient->paint->color);
    const shadow_axis across = shadow_axis_of(shadow->sigma, m.a, m.c), down = shadow_axis_of(shadow->sigma, m.b, m.d);
    shadow_block block;
    block.shadow = shadow;
    block.of_columns.axis = &across;
    block.of_rows.axis = &down;
    block.of_columns.vectors = (levels->width + LANES - 1) / LANES;
    block.of_rows.vectors = (levels->height + LANES - 1) / LANES;
    if (!find_wanted(&block, levels))
        return;
    begin_block(&block, m, x, y);
    take_corner(&block, true, true, shadow->top_left);
    take_corner(&block, false, true, shadow->top_right);
    take_corner(&block, false, false, shadow->bottom_right);
    take_corner(&block, true, false, shadow->bottom_left);
    for (int row = 0; row < levels->height; row++)
        for (int i = 0; i < block.of_columns.vectors; i++)
            if ((block.wanted[row] >> i & 1) != 0)
                store_pixels(colors + row * CPU_SHADOW_COLUMNS + i * LANES,
                             scale_pixels(color, whole_shadow_levels(shadow, block.levels[row][i])));
}

static void shade_shadow(const cpu_gradient *gradient, int x, int y, const cpu_levels *levels, uint32_t *colors)
{
    if (gradient->map.b == 0.0f && gradient->map.c == 0.0f) {
        shade_upright(gradient, x, y, levels, colors);
        return;
    }
    for (int row = 0; row < levels->height; row++)
        shade_shadow_row(gradient, x, y + row, levels->width, levels->levels + (size_t)row * levels->pitch,
                         colors + row * CPU_SHADOW_COLUMNS);
}
