/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The element stream, to which a scene is encoded and which the pipeline reads. It is a header and packed arrays,
 * all of 4-byte words. Offsets count words from the start of the blob. C and GLSL share this text (scalar layout). */
#ifndef PIETRA_LAYOUT_STREAM_H
#define PIETRA_LAYOUT_STREAM_H

#include "glue.h"
#include "stream_effect.h"

#define STREAM_MAGIC 0x41525450u /* "PTRA" */
/* Raise it with every change of what words of a stream mean, and of what the validator takes or demands: programs of
 * another version have to reject the stream instead of drawing it otherwise. */
#define STREAM_VERSION 11u

#define STREAM_NONE 0xffffffffu

/* In words. Texels are aligned so that they can be bound apart from the rest, in windows of 1 << TEXEL_WINDOW_SHIFT
 * words. Kernels see TEXEL_WINDOWS of them. */
#define STREAM_TEXEL_ALIGNMENT 64u
#define TEXEL_WINDOW_SHIFT 25
#define TEXEL_WINDOWS 4u

/* Limits of every count and every float. The product of two floats at the limit is finite. */
#define STREAM_MAX_COUNT 0x3fffffffu
#define STREAM_LIMIT 1e18f
#define STREAM_BOX_LIMIT 1e30f

STRUCT(stream_header)
{
    uint magic;
    uint version;
    uint word_count; /* words of the whole blob */
    uint element_count;
    uint elements; /* offset of stream_element[element_count] */
    uint path_count;
    uint paths; /* offset of stream_path[path_count] */
    uint segment_count;
    uint tags; /* offset of one byte a segment, four to a word, first in the low byte; the tail is zero */
    uint point_count;
    uint points; /* offset of float x, y [point_count] */
    uint transform_count;
    uint transforms; /* offset of stream_transform[transform_count] */
    uint style_count;
    uint styles; /* offset of stream_style[style_count] */
    uint dash_count;
    uint dashes; /* offset of float [dash_count]: ends of a pattern's dashes and gaps, never falling */
    uint paint_count;
    uint paints; /* offset of stream_paint[paint_count] */
    uint stop_count;
    uint stops; /* offset of stream_stop[stop_count] */
    uint mip_level_count;
    uint mip_levels; /* offset of stream_mip_level[mip_level_count] */
    uint box_shadow_count;
    uint box_shadows; /* offset of stream_box_shadow[box_shadow_count] */
    uint effect_count;
    uint effects; /* offset of stream_effect[effect_count] */
    uint effect_step_count;
    uint effect_steps; /* offset of stream_effect_step[effect_step_count] */
    uint effect_value_count;
    uint effect_values; /* offset of words: floats, whole numbers and inputs */
    uint surface_count;
    uint surfaces; /* offset of stream_surface[surface_count] */
    uint surface_word_count;
    uint surface_words; /* offset of the surfaces' own streams, one behind the other */
    uint texel_count;
    /* offset of texels, premultiplied RGBA8, R in the low byte; a multiple of STREAM_TEXEL_ALIGNMENT, zeros before
     * it */
    uint texels;
    uint clip_event_count; /* begin and end elements */
    uint occluder_count;   /* elements with ELEMENT_OCCLUDER */
    uint dashed_count;     /* elements with ELEMENT_DASHED */
    uint task_count;       /* sum over fills, strokes and path clips of their path's segment count */
};
#define STREAM_HEADER_WORDS 41u

/* Kinds, in the low 8 bits of stream_element.kind. */
#define ELEMENT_KIND_MASK 0xffu
#define ELEMENT_FILL 1u
#define ELEMENT_STROKE 2u
#define ELEMENT_BEGIN_CLIP 4u /* by a path; if path is STREAM_NONE, by a source: BEGIN_CLIP_SOURCE stands next */
#define ELEMENT_END_CLIP 5u
#define ELEMENT_BEGIN_CLIP_SOURCE 6u
#define ELEMENT_END_CLIP_SOURCE 7u
#define ELEMENT_BEGIN_GROUP 8u
#define ELEMENT_END_GROUP 9u
/* What stands between them goes through an effect (stream_effect.h). First stand the pictures of its steps
 * EFFECT_STEP_IMAGE, one after the other, each between a begin and an end. Kernels see none of these four. */
#define ELEMENT_BEGIN_EFFECT 12u
#define ELEMENT_END_EFFECT 13u
#define ELEMENT_BEGIN_EFFECT_PICTURE 14u
#define ELEMENT_END_EFFECT_PICTURE 15u

/* Flags, above the kind. */
#define ELEMENT_EVEN_ODD 0x100u
#define ELEMENT_RECT 0x200u       /* the path is one axis-aligned rectangle of the path's own space */
#define ELEMENT_OPAQUE 0x400u     /* the paint is opaque everywhere */
#define ELEMENT_SOLE_CHILD 0x800u /* a begin whose parent layer (a begin too) holds only this element */
#define ELEMENT_DASHED 0x1000u
#define ELEMENT_OCCLUDER 0x2000u /* fill, ELEMENT_RECT, ELEMENT_OPAQUE, and outside every clip and group */
/* a group that blends, or a group or mask in which something blends. It is painted from transparent at every pixel,
 * whatever the level */
#define ELEMENT_ISOLATED 0x4000u
/* a clip in which something blends. It is painted over a copy of its destination, and the level decides how much of
 * that copy stays. So clips do not isolate */
#define ELEMENT_COPIES_DESTINATION 0x8000u
#define ELEMENT_IMAGE 0x10000u /* the paint is an image or a surface */
/* a pixel is covered in full or not at all; an upright rectangle's edges go to the nearest pixels' */
#define ELEMENT_ALIASED 0x20000u
/* a fill that is ELEMENT_ALIASED in frames that show it as an upright rectangle, and smooth in those that turn it; a
 * path that is no ELEMENT_RECT is smooth */
#define ELEMENT_ALIASED_UPRIGHT 0x40000u
/* the transform leads to pixels, whatever the frame's is. No stream of a caller has it: it marks what an effect
 * shows */
#define ELEMENT_IN_PIXELS 0x80000u
#define ELEMENT_BOX_SHADOW 0x8000000u /* the paint is a box's shadow */
/* an effect of which all is shown that it does not change: its texels are pixels whatever the frame's transform is */
#define ELEMENT_BACKDROP 0x10000000u

/* The mode of a group is its blend mode, BLEND_* (blend.def). The mode of a clip by a source is MASK_*, if it is
 * a mask. */
#define ELEMENT_MODE_SHIFT 20
#define ELEMENT_MODE_MASK 0x1fu

/* What in the source's colour limits the content. A clip's sources are painted white, whatever their paint. */
#define MASK_NONE 0u /* a clip: alpha */
#define MASK_ALPHA 1u
#define MASK_LUMINANCE 2u
#define MASK_LUMINANCE_LINEAR 3u

/* An element with any of these makes the tiles where it shows need 10_fine_complex. */
#define ELEMENT_COMPLEX \
    (ELEMENT_ISOLATED | ELEMENT_COPIES_DESTINATION | ELEMENT_IMAGE | ELEMENT_BOX_SHADOW | ELEMENT_ALIASED | \
     ELEMENT_MODE_MASK << ELEMENT_MODE_SHIFT)

STRUCT(stream_element)
{
    uint kind;      /* ELEMENT_* kind and flags */
    uint path;      /* index, or STREAM_NONE */
    uint style;     /* index, strokes only, else STREAM_NONE */
    uint paint;     /* index, of an effect for its begin; else fills and strokes only, else STREAM_NONE */
    uint transform; /* index; groups, source clips and pictures of effects: of an identity */
    float box_x0;   /* path space, stroke with its joins and caps included, rounded outward; */
    float box_y0;   /* for begin_group and a source clip: of its contents, in scene space. */
    float box_x1; /* x1 < x0: nothing to paint. Ends and pictures of effects: zero. Effects: what they may show, in user
                     * units */
    float box_y1;
    /* begin_group: 0 to 255; else 255. Above ELEMENT_SHEET_SHIFT: the sheet on which the element is drawn
     * (layout/frame.h), 0 in streams of callers */
    uint opacity;
};
#define ELEMENT_OPACITY_MASK 0xffu
#define ELEMENT_SHEET_SHIFT 8

/* Points are relative to an origin that the encoder picked for the path and folded into the elements' transforms and
 * paints. */
STRUCT(stream_path)
{
    uint first_segment;
    uint segment_count;
    uint first_point; /* the tags' scan gives the same: the validator checks it, stage 01 does not read it */
    uint point_count;
};

/* Tags. A subpath's first segment brings its start point and its own points, each further segment only its own (1, 2 or
 * 3). */
#define TAG_POINTS_MASK 3u /* 1 line, 2 quadratic, 3 cubic */
#define TAG_FIRST 4u       /* first segment of its subpath */
#define TAG_LAST 8u        /* last segment of its subpath */
#define TAG_CLOSED 0x10u   /* on every segment of a closed subpath; its last point equals its first */
#define TAG_DOT 0x20u      /* a subpath of zero length: one line segment, both points the same */
/* on every segment of a closed subpath that a stroke without dashes fills instead of stroking. The subpath belongs
 * to a corner of the stroke and turns as the pen does, from y towards x. Fills treat it as any other */
#define TAG_CORNER 0x40u

/* Path space to scene space. The translation is the sum of two floats, high and low, so that map coordinates keep their
 * digits. */
STRUCT(stream_transform)
{
    float a, b, c, d;
    float e, f;
    float e_low, f_low;
};

#define STYLE_CAP_BUTT 0u
#define STYLE_CAP_ROUND 1u
#define STYLE_CAP_SQUARE 2u
#define STYLE_JOIN_MITER 0u
#define STYLE_JOIN_ROUND 1u
#define STYLE_JOIN_BEVEL 2u
#define STYLE_JOIN_MITER_CLIP 3u

STRUCT(stream_style)
{
    float half_width;  /* path units, > 0 */
    float miter_limit; /* >= 1 */
    uint cap;
    uint join;
    uint first_dash;   /* of its pattern, which several styles may have */
    uint dash_count;   /* dashes and gaps, so even; 0: solid */
    float dash_period; /* where the last gap ends, > 0 */
    float dash_phase;  /* 0 <= phase < period: where in the pattern a subpath starts */
};

#define PAINT_SOLID 0u
#define PAINT_LINEAR 1u
#define PAINT_RADIAL 2u
#define PAINT_IMAGE 3u
#define PAINT_SWEEP 4u
#define PAINT_SURFACE 5u /* an image that is drawn for each frame; kernels find a PAINT_IMAGE in its place */
#define PAINT_BOX_SHADOW 6u
#define SPREAD_PAD 0u
#define SPREAD_REFLECT 1u
#define SPREAD_REPEAT 2u
#define FILTER_SMOOTH 0u
#define FILTER_NEAREST 1u
#define FILTER_HIGH 2u
/* What instances of a stream may give another colour (src/scene/compose). Kernels do not look at slots. */
#define PAINT_SLOT_MOST 65535u

/* Gradient space is normalised by the encoder. Linear: the offset is x. Radial: the circle of offset t has its centre
 * at (t, 0) times centre_distance and radius r0 + t * dr; so the offset solves (x - t c)^2 + y^2 = (r0 + t dr)^2.
 * Sweep: the direction of (x, y) in turns, less r0, times dr. */
STRUCT(stream_paint)
{
    uint kind;
    uint spread;
    uint color;      /* solid, box shadow: premultiplied RGBA8, R in the low byte; image: FILTER_* */
    uint opacity;    /* gradients, images, surfaces: 0 to 255; a solid with a slot: of a colour in its place */
    uint first_stop; /* image: first mip level; surface, box shadow: its index; solid: its slot, 0: none */
    uint stop_count; /* gradients: >= 1; image: its mip levels; surface, box shadow: 0 */
    /* path space to gradient space, to texels of the first mip level, to the surface's unit square, or to the space of
     * the box shadow */
    float a, b, c, d, e, f;
    float centre_distance; /* c, >= 0 */
    float r0;              /* sweep: the direction of offset 0, in turns from x towards y; image: its external id, of
                            * which kernels know nothing, 0: none */
    float dr;              /* sweep: how much the offset grows in a turn */
};

/* An image is a pyramid of mip levels. Each is half as wide and high as the one before it, rounded up, and may be the
 * last. Texels lie row by row from the top, mip level after mip level. No colour channel exceeds the alpha. All texels
 * of an external image are 0. */
#define IMAGE_SIDE_MAX 65535u
#define EXTERNAL_ID_MOST 65535u
STRUCT(stream_mip_level)
{
    uint width, height;
    uint first_texel;
};

/* An image that is a picture of a stream of its own: what the stream shows in the unit square. It is drawn before
 * the frame, at the size at which the frame shows it. Surfaces nest up to SURFACE_DEPTH_MAX deep. */
#define SURFACE_DEPTH_MAX 16u
STRUCT(stream_surface)
{
    uint first_word; /* of its stream, from surface_words: behind the streams of earlier surfaces; or, as a
                                * signed number, a stream that ends before this place in an enclosing one. So what
                                * several surfaces show stands once */
    uint word_count;
};

/* A rounded rectangle that is convolved with a Gaussian. Its radii fit its sides. The colour of the paint is
 * multiplied by the level that results; by what is missing to 1, if it is an inset shadow. */
#define SHADOW_LIMIT 1e15f /* of every number */
STRUCT(stream_box_shadow)
{
    float x0, y0, x1, y1;                                 /* x0 < x1, y0 < y1 */
    float top_left, top_right, bottom_right, bottom_left; /* radii, >= 0 */
    float sigma;                                          /* >= 0 */
    uint is_inset;
};

/* Between two stops each channel is base + (t - offset) * slope, straight colour, 0 to 255. The first stop of a
 * gradient has offset 0. Offsets never fall. If two are equal, the later stop wins. */
STRUCT(stream_stop)
{
    float offset;
    float base_r, base_g, base_b, base_a;
    float slope_r, slope_g, slope_b, slope_a;
};

#endif
