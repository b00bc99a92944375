/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HarfBuzz, which is opened at run time. Its functions are called through a table: harfbuzz->hb_font_create(face). */
#ifndef PIETRA_FONT_HARFBUZZ_H
#define PIETRA_FONT_HARFBUZZ_H

#include <hb-ot.h>
#include <hb.h>

/* clang-format off */
#define HARFBUZZ_FUNCTIONS(X) \
    X(hb_blob_create) X(hb_blob_destroy) X(hb_blob_get_data) X(hb_blob_reference) \
    X(hb_buffer_add) X(hb_buffer_add_utf16) X(hb_buffer_allocation_successful) X(hb_buffer_create) \
    X(hb_buffer_destroy) X(hb_buffer_get_glyph_infos) X(hb_buffer_get_glyph_positions) X(hb_buffer_set_content_type) \
    X(hb_buffer_set_direction) X(hb_buffer_set_flags) X(hb_buffer_set_language) X(hb_buffer_set_script) \
    X(hb_draw_funcs_create) X(hb_draw_funcs_destroy) X(hb_draw_funcs_make_immutable) \
    X(hb_draw_funcs_set_close_path_func) X(hb_draw_funcs_set_cubic_to_func) X(hb_draw_funcs_set_line_to_func) \
    X(hb_draw_funcs_set_move_to_func) X(hb_draw_funcs_set_quadratic_to_func) \
    X(hb_face_create_for_tables) X(hb_face_destroy) X(hb_face_get_empty) X(hb_face_get_glyph_count) \
    X(hb_face_get_upem) X(hb_face_make_immutable) \
    X(hb_font_create) X(hb_font_create_sub_font) X(hb_font_destroy) X(hb_font_funcs_create) X(hb_font_funcs_destroy) \
    X(hb_font_funcs_make_immutable) X(hb_font_funcs_set_glyph_extents_func) \
    X(hb_font_funcs_set_glyph_h_advance_func) X(hb_font_funcs_set_glyph_v_advance_func) \
    X(hb_font_funcs_set_glyph_v_origin_func) X(hb_font_get_empty) X(hb_font_get_glyph_extents) \
    X(hb_font_get_glyph_h_advance) X(hb_font_get_glyph_shape) X(hb_font_get_glyph_v_advance) \
    X(hb_font_get_glyph_v_origin) X(hb_font_get_nominal_glyph) X(hb_font_get_parent) X(hb_font_make_immutable) \
    X(hb_font_set_funcs) X(hb_font_set_scale) X(hb_font_set_variations) \
    X(hb_font_get_var_coords_normalized) X(hb_language_from_string) X(hb_ot_color_glyph_reference_png) \
    X(hb_ot_color_glyph_reference_svg) X(hb_ot_color_has_png) X(hb_ot_color_has_svg) X(hb_ot_font_set_funcs) \
    X(hb_ot_layout_language_find_feature) X(hb_ot_layout_table_select_script) \
    X(hb_ot_metrics_get_position_with_fallback) X(hb_ot_tags_from_script_and_language) \
    X(hb_ot_var_get_axis_count) X(hb_ot_var_normalize_variations) X(hb_shape) \
    X(hb_unicode_combining_class) X(hb_unicode_compose) X(hb_unicode_decompose) X(hb_unicode_funcs_get_default) \
    X(hb_unicode_general_category) X(hb_unicode_script)
/* clang-format on */

#define HARFBUZZ_POINTER(name) __typeof__(name) *name;

typedef struct harfbuzz_functions {
    HARFBUZZ_FUNCTIONS(HARFBUZZ_POINTER)
} harfbuzz_functions;

/* Opens the library once. Any thread. NULL, or why that failed. */
const char *harfbuzz_open(const harfbuzz_functions **harfbuzz);

#endif
