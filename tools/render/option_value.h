/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The values of options: each function reads one from its text into its place. `option` is the option's name, for
 * messages. A text that is no such value is reported. */
#ifndef RENDER_OPTION_VALUE_H
#define RENDER_OPTION_VALUE_H

#include "options.h"

status option_set_integer(const char *option, const char *text, uint32_t least, uint32_t most, uint32_t *out);
/* The same, or several of them, separated by commas. They replace what was given before. */
status option_set_integers(const char *option, const char *text, uint32_t least, uint32_t most, number_list *list);
status option_set_positives(const char *option, const char *text, number_list *list);
/* A finite number above 0. */
status option_set_positive(const char *option, const char *text, double *out);
/* A whole number above 0, with K, M or G behind it for 2^10, 2^20 or 2^30. */
status option_set_size(const char *option, const char *text, uint64_t *out);
/* NAME=N. */
status option_set_limit(const char *option, const char *text, pietra_svg_limits *limits);
/* X,Y of --explain. */
status option_set_pixel(const char *option, const char *text, options *options);
/* A kind of --heatmap. */
status option_set_heatmap(const char *option, const char *text, options *options);
status option_set_device(const char *option, const char *text, pietra_device_options *device);
status option_set_compression(const char *option, const char *text, png_compression *out);
status option_set_format(const char *option, const char *text, picture_format *format);
/* A-B, or A alone. */
status option_set_levels(const char *option, const char *text, options *options);
status option_set_tile_size(const char *option, const char *text, options *options);
status option_set_tile_layout(const char *option, const char *text, options *options);
/* A shell. */
status option_set_completions(const char *option, const char *text, options *options);
/* The form of --query-all and of --info. NULL stands for the standard form. */
status option_set_info(const char *option, const char *text, options *options);
status option_set_query(const char *option, const char *text, options *options);
/* A CSS colour, or "none". */
status option_set_background(const char *option, const char *text, pietra_color *color);
/* Any text but an empty one. */
status option_set_path(const char *option, const char *text, const char **out);
/* A file of fonts, or a folder of them, behind those that were given before. */
status option_add_font_place(const char *option, const char *path, bool folder, options *options);

#endif
