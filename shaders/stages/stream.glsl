/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The element stream on the device, with typed reads from its words. The includer names the binding first: #define
 * STREAM_BINDING n. */
#ifndef STREAM_GLSL
#define STREAM_GLSL

layout(scalar, set = 0, binding = STREAM_BINDING) readonly buffer stream_buffer
{
    stream_header stream;
    uint stream_rest[];
};

uint stream_word(uint word)
{
    return stream_rest[word - STREAM_HEADER_WORDS];
}
float stream_float(uint word)
{
    return uintBitsToFloat(stream_word(word));
}

stream_element stream_element_at(uint index)
{
    uint at = stream.elements + 10u * index;
    return stream_element(stream_word(at), stream_word(at + 1u), stream_word(at + 2u), stream_word(at + 3u),
                          stream_word(at + 4u), stream_float(at + 5u), stream_float(at + 6u), stream_float(at + 7u),
                          stream_float(at + 8u), stream_word(at + 9u));
}

uint stream_element_kind_at(uint index)
{
    return stream_word(stream.elements + 10u * index);
}

stream_path stream_path_at(uint index)
{
    uint at = stream.paths + 4u * index;
    return stream_path(stream_word(at), stream_word(at + 1u), stream_word(at + 2u), stream_word(at + 3u));
}

stream_transform stream_transform_at(uint index)
{
    uint at = stream.transforms + 8u * index;
    return stream_transform(stream_float(at), stream_float(at + 1u), stream_float(at + 2u), stream_float(at + 3u),
                            stream_float(at + 4u), stream_float(at + 5u), stream_float(at + 6u), stream_float(at + 7u));
}

stream_style stream_style_at(uint index)
{
    uint at = stream.styles + 8u * index;
    return stream_style(stream_float(at), stream_float(at + 1u), stream_word(at + 2u), stream_word(at + 3u),
                        stream_word(at + 4u), stream_word(at + 5u), stream_float(at + 6u), stream_float(at + 7u));
}

stream_paint stream_paint_at(uint index)
{
    uint at = stream.paints + 15u * index;
    return stream_paint(stream_word(at), stream_word(at + 1u), stream_word(at + 2u), stream_word(at + 3u),
                        stream_word(at + 4u), stream_word(at + 5u), stream_float(at + 6u), stream_float(at + 7u),
                        stream_float(at + 8u), stream_float(at + 9u), stream_float(at + 10u), stream_float(at + 11u),
                        stream_float(at + 12u), stream_float(at + 13u), stream_float(at + 14u));
}

float stream_stop_offset(uint index)
{
    return stream_float(stream.stops + 9u * index);
}

stream_stop stream_stop_at(uint index)
{
    uint at = stream.stops + 9u * index;
    return stream_stop(stream_float(at), stream_float(at + 1u), stream_float(at + 2u), stream_float(at + 3u),
                       stream_float(at + 4u), stream_float(at + 5u), stream_float(at + 6u), stream_float(at + 7u),
                       stream_float(at + 8u));
}

stream_mip_level stream_mip_level_at(uint index)
{
    uint at = stream.mip_levels + 3u * index;
    return stream_mip_level(stream_word(at), stream_word(at + 1u), stream_word(at + 2u));
}

stream_box_shadow stream_box_shadow_at(uint index)
{
    uint at = stream.box_shadows + 10u * index;
    return stream_box_shadow(stream_float(at), stream_float(at + 1u), stream_float(at + 2u), stream_float(at + 3u),
                             stream_float(at + 4u), stream_float(at + 5u), stream_float(at + 6u), stream_float(at + 7u),
                             stream_float(at + 8u), stream_word(at + 9u));
}

float stream_dash_end_at(uint index)
{
    return stream_float(stream.dashes + index);
}

vec2 stream_point_at(uint index)
{
    uint at = stream.points + 2u * index;
    return vec2(stream_float(at), stream_float(at + 1u));
}

uint stream_tag_at(uint segment)
{
    return (stream_word(stream.tags + (segment >> 2)) >> (8u * (segment & 3u))) & 0xffu;
}

#endif
