#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bad input: every case ends within seconds and 2 GB, in a picture or in one clear line with status 1 to 3. It leaves
no file except a whole picture."""
import base64
import gzip
import os
import resource
import unittest

from support import SANITIZED, SOURCE, CommandTest, limit_time, svg

RED = '<rect width="64" height="64" fill="red"/>'
GOOD = svg(RED)
LINE = "M0 32H64"
DRAWN, INPUT, BUDGET = 0, 1, 3
EITHER = (DRAWN, INPUT)


def nested(opening, closing, depth, inside=RED):
    return opening * depth + inside + closing * depth


def path(d, attributes=""):
    return svg(f'<path d="{d}" {attributes}/>')


def use_bomb(levels, fan_out):
    text = '<defs><rect id="u0" width="1" height="1"/>'
    for level in range(1, levels + 1):
        text += f'<g id="u{level}">' + f'<use href="#u{level - 1}"/>' * fan_out + "</g>"
    return svg(text + f'</defs><use href="#u{levels}"/>')


def laughs(levels, fan_out, attribute):
    entities = '<!ENTITY e0 "lol">'
    for level in range(1, levels + 1):
        entities += f'<!ENTITY e{level} "' + f"&e{level - 1};" * fan_out + '">'
    body = f'<rect class="&e{levels};" width="9" height="9"/>' if attribute else f"<desc>&e{levels};</desc>"
    return f"<!DOCTYPE svg [{entities}]>\n" + svg(body)


def gradient_chain(length):
    return svg('<linearGradient id="g0"><stop stop-color="red"/></linearGradient>' +
               "".join(f'<linearGradient id="g{i + 1}" href="#g{i}"/>' for i in range(length)) +
               f'<path d="M0 0H9V9" fill="url(#g{length})"/>')


def clip_chain(length, users=1):
    circle = '<circle cx="32" cy="32" r="30"/>'
    return svg(f'<clipPath id="c0">{circle}</clipPath>' +
               "".join(f'<clipPath id="c{i + 1}" clip-path="url(#c{i})">{circle}</clipPath>' for i in range(length)) +
               f'<g clip-path="url(#c{length})">{RED}</g>' * users)


def clip_of_uses(uses, users):
    return svg('<circle id="s" cx="32" cy="32" r="20"/><clipPath id="c">' + '<use href="#s"/>' * uses + "</clipPath>" +
               f'<g clip-path="url(#c)">{RED}</g>' * users)


def pattern_tower(levels, cells):
    """Each pattern shows many cells of the one below."""
    side = 64 / cells
    cell = f'width="{side}" height="{side}" patternUnits="userSpaceOnUse"'
    return svg(f'<pattern id="p0" {cell}><path d="M0 0h1v1z"/></pattern>' +
               "".join(f'<pattern id="p{i + 1}" {cell}><rect width="64" height="64" fill="url(#p{i})"/></pattern>' for i in range(levels)) +
               f'<rect width="64" height="64" fill="url(#p{levels})"/>')


def style_brackets(depth):
    """More brackets than are counted, everywhere that a style sheet may have them."""
    sheets = ("rect{{fill:{0}", "{0}{{}}", "@media {0}{{}}", "@media ({0}{{}}", "@media a{0}{{}}", "rect:not{0}{{}}", "rect{{fill:var(--a,{0})}}",
              "rect{{--a:{0};fill:var(--a)}}", "@import {0}")
    return svg("".join(f"<style>{sheet.format(bracket * depth)}</style>" for sheet in sheets for bracket in "([{") + RED +
               f'<g style="fill:{"(" * depth};stroke:var(--a,{"[" * depth});clip-path:polygon({"(" * depth}"/>')


def mask_chain(length):
    return svg('<mask id="m0"><rect width="64" height="64" fill="white"/></mask>' +
               "".join(f'<mask id="m{i + 1}" mask="url(#m{i})"><rect width="64" height="64" fill="white"/></mask>' for i in range(length)) +
               f'<g mask="url(#m{length})">{RED}</g>')


def marker_tower(levels, vertices):
    """Each marker's content has markers at all of its vertices."""
    line = "M0 0" + "h1v1" * (vertices // 2)
    return svg('<marker id="m0" overflow="visible"><path d="M0 0h1v1z"/></marker>' +
               "".join(f'<marker id="m{i + 1}" overflow="visible"><path d="{line}" marker-mid="url(#m{i})"/></marker>' for i in range(levels)) +
               f'<path d="{line}" marker-mid="url(#m{levels})"/>')


def gradients_of_wild_numbers():
    numbers = ("nan", "1e999", "-1e999", "1e300", "-1e38", "1e-310", "0")
    text = ""
    for i, number in enumerate(numbers):
        stops = f'<stop offset="{number}" stop-color="red"/><stop offset="1" stop-color="blue" stop-opacity="{number}"/>'
        text += (f'<linearGradient id="l{i}" x1="{number}" y2="{number}" gradientTransform="scale({number})">{stops}</linearGradient>'
                 f'<radialGradient id="r{i}" r="{number}" cx="{number}" fx="{number}" fr="{number}" gradientUnits="userSpaceOnUse">{stops}'
                 f'</radialGradient><rect width="64" height="32" fill="url(#l{i})"/><rect y="32" width="64" height="32" fill="url(#r{i})"/>')
    return svg(text)


def dash_patterns(entries, lines):
    """One long pattern, in a separate style for each line."""
    return svg(f'<g stroke="red" stroke-dasharray="{"1 2 " * (entries // 2)}">' +
               "".join(f'<path stroke-dashoffset="{i}" d="M0 {i % 64}H64"/>' for i in range(lines)) + "</g>")


def gradient_of_many_stops(stops, users):
    return svg('<linearGradient id="a">' + "".join(f'<stop offset="{i / stops}" stop-color="#{i % 4096:03x}"/>' for i in range(stops)) +
               "</linearGradient>" + "".join(f'<rect x="{i % 64}" y="{i % 61}" width="1" height="1" fill="url(#a)"/>' for i in range(users)))


def custom_properties(declared, scopes):
    """Nested scopes, each with all names of the one around it."""
    return svg("<style>:root{" + "".join(f"--a{i}:{'red' if i == 0 else f'var(--a{i // 2})'};" for i in range(declared)) +
               "} g{" + "".join(f"--a{i}:var(--a{i + 1});" for i in reversed(range(declared))) + "}</style>" +
               nested("<g>", "</g>", scopes, '<rect width="9" height="9" style="fill:var(--a60)"/>'))


FONTS = ("--skip-system-fonts", "--use-fonts-dir", os.path.join(SOURCE, "tests/golden/fonts"))


def text(content, attributes=""):
    return svg(f'<text y="40" font-family="DejaVu Sans" {attributes}>{content}</text>')


BAD_COLOURS = ("#12", "#ggg", "rgb(", "rgb(1,2", "url(#", "url(", "hsl(1e99,5%,5%)", "rgb(1e99,-1e99,nan)", "currentcolor")

# name: (document, the right status or statuses, further arguments). A function makes a document too large to keep.
CASES = {
    "empty": (b"", INPUT),
    "blank": (b" \n\n ", INPUT),
    "truncated_in_a_tag": (GOOD.encode()[:-30], INPUT),
    "truncated_after_root": (GOOD.encode()[:GOOD.index(">") + 1], INPUT),
    "not_xml": (b"This is a letter, not a picture.\n", INPUT),
    "png": (b"\x89PNG\r\n\x1a\n" + bytes(100), INPUT),
    "html": (b"<!DOCTYPE html><html><body><p>Hello<br></body></html>", INPUT),
    "another_root": (b"<drawing xmlns='urn:x'/>", INPUT),
    "random_bytes": (bytes((i * 7919 + i * i * 31) & 255 for i in range(5000)), INPUT),
    "nul_bytes_alone": (bytes(1000), INPUT),
    "nul_byte_inside": (GOOD.replace("red", "r\0d"), INPUT),
    "broken_utf8": (GOOD.encode().replace(b"red", b"r\xff\xfed"), EITHER),
    "overlong_utf8": (GOOD.encode().replace(b"red", b"r\xc0\xafd"), EITHER),
    "utf16_odd_bytes": (b"\xff\xfe" + GOOD.encode("utf-16-le")[:-1], EITHER),
    "utf16_lone_surrogate": (b"\xff\xfe" + GOOD.replace("red", "r?d").encode("utf-16-le").replace(b"?\0", b"\0\xd8"), EITHER),
    "encoding_lie": ('<?xml version="1.0" encoding="UTF-16"?>' + GOOD, EITHER),
    "unknown_encoding": ('<?xml version="1.0" encoding="klingon"?>' + GOOD, EITHER),
    "tags_crossed": (svg("<g><a></g></a>"), INPUT),
    "two_roots": (GOOD + GOOD, EITHER),

    "billion_laughs_in_text": (laughs(12, 10, False), EITHER),
    "billion_laughs_in_attribute": (laughs(12, 10, True), EITHER),
    "quadratic_laughs": ('<!DOCTYPE svg [<!ENTITY a "' + "x" * 100000 + '">]>' + svg("<desc>" + "&a;" * 100000 + "</desc>"), EITHER),
    "entity_loop": ('<!DOCTYPE svg [<!ENTITY a "&b;"><!ENTITY b "&a;">]>' + svg("<desc>&a;</desc>"), EITHER),
    "external_dtd": ('<!DOCTYPE svg SYSTEM "file:///etc/passwd">' + GOOD, DRAWN),
    "external_entity": ('<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + svg("<desc>&a;</desc>" + RED), EITHER),
    "external_parameter_entity": ('<!DOCTYPE svg [<!ENTITY % a SYSTEM "file:///dev/zero"> %a;]>' + GOOD, EITHER),

    "utf16_after_blanks": ("\ufeff \n <?xml version='1.0' encoding='UTF-16'?>".encode("utf-16-le") + GOOD.encode("utf-16-le"), DRAWN),
    "utf16_big_after_blanks": ("\ufeff\t<?xml version='1.0' encoding='UTF-16'?>".encode("utf-16-be") + GOOD.encode("utf-16-be"), DRAWN),
    "utf16_of_blanks": ("\ufeff \n".encode("utf-16-le"), INPUT),

    "use_bomb": (use_bomb(12, 10), INPUT),
    "use_bomb_of_two": (use_bomb(60, 2), INPUT),
    "use_of_300000": (svg('<g id="a">' + '<path d="M0 0C1 2 60 70 5 6"/>' * 1000 + "</g>" + '<use href="#a"/>' * 300), DRAWN),
    "use_of_three_million": (svg('<g id="a">' + '<path d="M0 0C1 2 60 70 5 6"/>' * 1000 + "</g>" + '<use href="#a"/>' * 3000), INPUT),
    "use_chain": (use_bomb(20000, 1), EITHER),
    "use_itself": (svg('<use id="a" href="#a"/>' + RED), DRAWN),
    "use_parent": (svg('<g id="a"><use href="#a"/></g>' + RED), DRAWN),
    "use_root": ('<svg id="a" xmlns="http://www.w3.org/2000/svg" width="9" height="9"><use href="#a"/></svg>', DRAWN),
    "use_loop_of_three": (svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#c"/></g><g id="c"><use href="#a"/></g>' + RED), DRAWN),
    "use_of_nothing": (svg('<use href="#none"/><use href=""/><use/><use href="file.svg#a"/>' + RED), DRAWN),
    "gradient_itself": (svg('<linearGradient id="a" href="#a"/><path d="M0 0H9V9" fill="url(#a) red"/>'), DRAWN),
    "gradient_loop": (svg('<linearGradient id="a" href="#b"/><radialGradient id="b" href="#a"/><path d="M0 0H9V9" fill="url(#a)"/>'), DRAWN),
    "gradient_chain": (gradient_chain(20000), DRAWN),
    "clip_itself": (svg('<clipPath id="a" clip-path="url(#a)"><path d="M0 0H9V9"/></clipPath><g clip-path="url(#a)">' + RED + "</g>"), DRAWN),
    "clip_loop": (svg('<clipPath id="a"><path d="M0 0H9V9" clip-path="url(#b)"/></clipPath><clipPath id="b" clip-path="url(#a)">'
                      '<path d="M0 0H9V9"/></clipPath><g clip-path="url(#a)">' + RED + "</g>"), DRAWN),
    "clip_loop_through_use": (svg('<clipPath id="a"><use href="#b"/></clipPath><path id="b" clip-path="url(#a)" d="M0 0H9V9"/>'), DRAWN),
    "clip_chain": (clip_chain(2000), EITHER),
    "clip_chain_of_many": (clip_chain(1000, 100), DRAWN),
    "clip_chain_of_too_many": (clip_chain(2000, 2000), INPUT),
    "clip_of_many_uses": (clip_of_uses(500, 500), DRAWN),
    "mask_itself": (svg('<mask id="a" mask="url(#a)">' + RED + '</mask><g mask="url(#a)">' + RED + "</g>"), DRAWN),
    "mask_loop": (svg('<mask id="a"><g mask="url(#b)">' + RED + '</g></mask><mask id="b"><g mask="url(#a)">' + RED + '</g></mask>'
                      '<g mask="url(#a)">' + RED + "</g>"), DRAWN),
    "mask_chain": (mask_chain(2000), EITHER),
    "pattern_itself": (svg('<pattern id="a" width="9" height="9" patternUnits="userSpaceOnUse"><path d="M0 0H9V9" fill="url(#a)"/></pattern>'
                           '<path d="M0 0H64V64" fill="url(#a)"/>'), DRAWN),
    "pattern_loop": (svg('<pattern id="a" href="#b" width="9" height="9"/><pattern id="b" href="#a"/><path d="M0 0H64V64" fill="url(#a) red"/>'),
                     DRAWN),
    "pattern_tower": (pattern_tower(12, 8), (DRAWN, INPUT, BUDGET)),
    "pattern_cells_1e12": (svg('<pattern id="a" width="1e-4" height="1e-4" patternUnits="userSpaceOnUse"><path d="M0 0h1v1z"/></pattern>'
                               '<rect width="64" height="64" fill="url(#a)"/>'), (DRAWN, INPUT, BUDGET)),
    "pattern_of_wild_numbers": (svg("".join(f'<pattern id="p{i}" width="{n}" height="9" x="{n}" viewBox="0 0 {n} 9" patternTransform="scale({n})">'
                                            f'{RED}</pattern><rect width="64" height="64" fill="url(#p{i})"/>'
                                            for i, n in enumerate(("nan", "1e999", "1e300", "1e38", "-1", "0", "1e-300")))),
                                (DRAWN, INPUT, BUDGET)),
    "marker_itself": (svg('<marker id="a"><path d="M0 0h1v1" marker-mid="url(#a)"/></marker><path d="M0 0h9v9" marker-mid="url(#a)"/>'), DRAWN),
    "marker_tower": (marker_tower(8, 100), (DRAWN, INPUT, BUDGET)),
    "gradients_of_wild_numbers": (gradients_of_wild_numbers(), EITHER),
    "gradient_of_many_stops": (lambda: gradient_of_many_stops(100000, 2000), DRAWN),
    "style_sheet_junk": (svg("<style>}}}{{{ @@@ a{b:c;;; [x= 'y \\ */ /* :not( >> ~ + , {</style>" + RED), DRAWN),
    "style_brackets": (style_brackets(1000), DRAWN),
    "style_brackets_a_million": (lambda: style_brackets(1000000), EITHER),
    "style_rules_by_elements": (lambda: svg("<style>" + "".join(f"g g *.c{i} ~ rect{{fill:red}}" for i in range(20000)) + "</style>" +
                                            '<rect class="d" width="1" height="1"/>' * 20000), EITHER),
    "style_declarations_by_elements": (lambda: svg("<style>g{" + "fill:red;stroke:blue;" * 100000 + "}</style>" +
                                                   nested("<g>", "</g>", 20000)), EITHER),
    "style_custom_properties": (lambda: custom_properties(50000, 100 if SANITIZED else 300), DRAWN),
    "style_deep_selector": (lambda: svg("<style>" + "g " * 2000 + "rect{fill:red}</style>" + nested("<g>", "</g>", 5000)), EITHER),

    "nan": (path("M0 0LNaN 5L9 9", 'stroke="red" stroke-width="nan" transform="scale(NaN)"'), DRAWN),
    "infinite": (path("M0 0L1e999 5L-1e999 9", 'stroke="red" stroke-width="1e999"'), EITHER),
    "huge_1e38": (path("M-1e38 -1e38L1e38 -3e38L3e38 3e38Q1e38 0 0 1e38C1e38 1e38 -1e38 1e38 0 0Z", 'stroke="red" stroke-width="1e38"'), EITHER),
    "huge_1e300": (path("M-1e300 0L1e300 1e300V-1e300Z", 'transform="scale(1e300)"'), EITHER),
    "past_1e9": (path("M-2e9 -3e9L4e9 1e9A5e9 3e9 30 1 0 -1e9 7e9Z", 'stroke="red" stroke-width="5e8" stroke-linejoin="round"'), DRAWN),
    "tiny": (path("M1e-300 1e-40L1e-310 5e-324Z", 'transform="scale(1e-200)" stroke="red"'), DRAWN),
    "singular_transform": (path(LINE, 'stroke="red" transform="matrix(0 0 0 0 5 5)"'), DRAWN),
    "transform_product_overflows": (svg('<g transform="scale(1e30)">' * 20 + RED + "</g>" * 20), EITHER),
    "arc_radii": (path("M0 0A0 5 0 0 0 9 9A1e300 1e-300 1e30 1 1 0 30"), EITHER),
    "path_garbage": (path("M0 0L10 10 x 5 Q 1 2 3 M"), DRAWN),
    "number_of_a_million_digits": (path("M0 0L" + "9" * 1000000 + " 5"), EITHER),

    "width_0": (svg(RED, 'width="0" height="10"'), INPUT),
    "height_negative": (svg(RED, 'width="10" height="-10"'), EITHER),
    "viewbox_0": (svg(RED, 'viewBox="0 0 0 0"'), EITHER),
    "size_1e9": (svg(RED, 'width="1e9" height="1e9"'), INPUT),
    "size_1e9_drawn_small": (svg(RED, 'width="1e9" height="1e9"'), DRAWN, "--width", "32"),
    "size_1e38": (svg(RED, 'width="1e38" height="1e38"'), INPUT),
    "size_infinite": (svg(RED, 'width="1e999" height="5"'), EITHER),
    "size_nan": (svg(RED, 'width="nan" height="5"'), EITHER),
    "aspect_1e9": (svg(RED, 'width="1e9" height="1"'), EITHER, "--width", "100"),
    "viewbox_1e38": (svg(RED, 'width="64" height="64" viewBox="-1e38 -1e38 2e38 2e38"'), EITHER),
    "viewbox_1e300_alone": (svg(RED, 'viewBox="0 0 1e300 1e300"'), INPUT),
    "zoom_1e9": (GOOD, INPUT, "--zoom", "1e9"),
    "zoom_small": (GOOD, DRAWN, "--zoom", "1e-9"),

    "dashes_1e13": (path("M0 0H1e9", 'stroke="red" stroke-dasharray="1e-4"'), (DRAWN, INPUT, BUDGET)),
    "dashes_1e13_within_the_frame": (path(LINE, 'stroke="red" stroke-dasharray="1e-12 1e-12"'), (DRAWN, INPUT, BUDGET)),
    "dashes_on_a_huge_circle": (svg('<circle r="1e9" stroke="red" fill="none" stroke-dasharray="1e-5"/>'), (DRAWN, INPUT, BUDGET)),
    "dashes_of_zero": (path(LINE, 'stroke="red" stroke-dasharray="0 0" stroke-linecap="round"'), DRAWN),
    "dashes_zero_on_short_off": (path(LINE, 'stroke="red" stroke-dasharray="0 1e-9" stroke-linecap="round"'), (DRAWN, INPUT, BUDGET)),
    "dashes_negative": (path(LINE, 'stroke="red" stroke-dasharray="5 -5"'), DRAWN),
    "dashes_offset_huge": (path(LINE, 'stroke="red" stroke-dasharray="5 3" stroke-dashoffset="-1e30"'), DRAWN),
    "dashes_shared": (dash_patterns(100000, 1000), DRAWN),
    "dashes_beyond_the_picture": (svg('<g stroke="red" stroke-dasharray="' + "1 2 " * 50000 + '">' +
                                      "".join(f'<path d="M{-1000 * i} {i % 64}H1e6M0 0C1e6 {i} 1e6 9e5 {i} 1e6"/>' for i in range(500)) + "</g>"),
                                  EITHER),
    "dashes_along_long_paths": (lambda: svg('<path id="p" fill="none" stroke="red" pathLength="5" stroke-dasharray="1" d="M0 0' +
                                            "c1 1 9 9 3 -3" * 100000 + '"/>' + '<use href="#p"/>' * 30), (DRAWN, INPUT, BUDGET)),
    "dashes_a_million_values": (path(LINE, 'stroke="red" stroke-dasharray="' + "1 2 " * 500000 + '"'), DRAWN),

    "nested_groups_200000": (svg(nested("<g>", "</g>", 200000)), DRAWN),
    "nested_groups_200000_open": (svg("<g>" * 200000), INPUT),
    "nested_groups_with_opacity": (svg(nested('<g opacity="0.99">', "</g>", 5000)), DRAWN),
    "nested_svg": (svg(nested('<svg width="64" height="64">', "</svg>", 20000)), EITHER),

    "attribute_16mb": (lambda: path("M0 0" + "L9 9L0 1" * (2 << 20)), DRAWN),
    "attribute_16mb_unknown": (lambda: svg(f'<g junk="{"x" * (16 << 20)}">{RED}</g>'), DRAWN),
    "text_16mb": (lambda: svg("<desc>" + "x" * (16 << 20) + "</desc>" + RED), DRAWN),
    "style_16mb": (lambda: svg('<g style="' + "fill:red;" * (1 << 21) + '">' + RED + "</g>"), EITHER),
    "name_1mb": (lambda: svg(f"<{'x' * (1 << 20)}/>" + RED), EITHER),
    "attributes_100000": (lambda: svg("<g " + " ".join(f'a{i}="1"' for i in range(100000)) + ">" + RED + "</g>"), EITHER),
    "colours_broken": (svg("".join(f'<rect width="9" height="9" fill="{colour}"/>' for colour in BAD_COLOURS)), DRAWN),

    "text_of_a_million_characters": (lambda: text("abcdefghi " * 100000), EITHER, *FONTS),
    "text_of_a_million_marks": (lambda: text("a" + "\u0301" * 1000000), EITHER, *FONTS),
    "text_of_a_million_places": (lambda: text("a" * 1000000, 'x="' + "1 " * 1000000 + '"'), EITHER, *FONTS),
    "text_from_right_to_left": (lambda: text("\u0633\u0644\u0627\u0645 a" * 150000), EITHER, *FONTS),
    "text_that_no_font_has": (lambda: text("\u4e2d" * 300000), EITHER, *FONTS),
    "text_of_100000_tspans": (lambda: text("<tspan>a</tspan>" * 100000), DRAWN, *FONTS),
    "text_of_100000_styles": (lambda: text("".join(f'<tspan font-size="{i}" font-family="f{i}">a</tspan>' for i in range(100000))), EITHER, *FONTS),
    "text_of_nested_tspans": (lambda: text(nested("<tspan>a", "</tspan>", 100000, "")), DRAWN, *FONTS),
    "text_of_nested_lines": (lambda: text(nested('<tspan text-decoration="underline">a', "</tspan>", 100000, "")), INPUT, *FONTS),
    "text_of_nested_lengths": (lambda: text(nested('<tspan textLength="9">a', "</tspan>", 100000, "")), INPUT, *FONTS),
    "text_of_nested_embeddings": (lambda: text(nested('<tspan unicode-bidi="embed" direction="rtl">a', "</tspan>", 100000, "")), DRAWN, *FONTS),
    "text_of_nested_groups": (lambda: text(nested('<tspan opacity=".9">a', "</tspan>", 50000, "")), EITHER, *FONTS),
    "text_of_a_huge_size": (text("abc", 'font-size="1e9"'), DRAWN, *FONTS),
    "text_beyond_all_numbers": (text("abc", 'font-size="1e300" textLength="1e308" letter-spacing="1e308" stroke="red"'), DRAWN, *FONTS),
    "text_of_a_tiny_size": (text("abc", 'font-size="1e-300"'), DRAWN, *FONTS),
    "text_of_faces_for_each_character": (lambda: svg("<style>" + "".join(f'@font-face{{font-family:f;src:local("none");unicode-range:U+{i:x}}}' for i in range(5000)) +
                                                     '</style><text font-family="f">' + "abcd" * 25000 + "</text>"), INPUT, *FONTS),
    "text_of_local_faces": (lambda: svg("<style>" + "".join(f'@font-face{{font-family:f{i};src:local("DejaVu Sans")}}' for i in range(100)) + "</style>" +
                                        "".join(f'<text font-family="f{i}">a</text>' for i in range(100))), INPUT, *FONTS),
    "text_on_a_path_of_a_million_segments": (lambda: svg('<path id="p" fill="none" d="M0 0' + "c1 1 2 1 3 0" * 1000000 +
                                                         '"/><text><textPath href="#p">a</textPath></text>'), EITHER, *FONTS),
    "text_shown_by_trefs": (lambda: svg('<text id="t">' + "a" * 10000 + "</text><text>" + '<tref href="#t"/>' * 10000 + "</text>"), INPUT, *FONTS),
    "text_shown_by_uses": (lambda: svg('<text id="t">' + "a" * 1000 + "</text>" + '<use href="#t"/>' * 100000), INPUT, *FONTS),

    "gzip_junk": (b"\x1f\x8b" + bytes(range(200)), INPUT),
    "gzip_head_alone": (b"\x1f\x8b", INPUT),
    "gzip_truncated": (gzip.compress(GOOD.encode())[:-12], INPUT),
    "gzip_bad_checksum": (gzip.compress(GOOD.encode())[:-8] + bytes(8), INPUT),
    "gzip_of_gzip": (gzip.compress(gzip.compress(GOOD.encode())), EITHER),
    "gzip_of_nothing": (gzip.compress(b""), INPUT),
    "gzip_bomb": (lambda: gzip.compress(b"<svg xmlns='http://www.w3.org/2000/svg'>" + b" " * (600 << 20), 1), (INPUT, BUDGET)),
}


# They take a second or more, and are tried at night alone.
LONG = {"clip_chain_of_many", "clip_of_many_uses", "dashes_along_long_paths", "dashes_beyond_the_picture", "dashes_shared", "gradient_of_many_stops",
        "gzip_bomb", "marker_tower", "style_brackets_a_million", "style_custom_properties", "style_declarations_by_elements",
        "style_rules_by_elements", "text_from_right_to_left", "text_of_100000_styles", "text_of_a_million_marks", "text_of_a_million_places",
        "use_bomb_of_two", "use_of_300000"}
# They take sanitizers several seconds. The release tries them by day.
LONG_SANITIZED = {"attribute_16mb", "billion_laughs_in_attribute", "billion_laughs_in_text", "style_16mb", "text_of_100000_tspans",
                  "text_of_a_million_characters", "text_of_nested_embeddings", "text_of_nested_groups", "text_of_nested_lines",
                  "text_of_nested_tspans", "text_on_a_path_of_a_million_segments", "text_shown_by_uses", "use_bomb"}
LEFT_OUT = set() if "PIETRA_TEST_ALL_SIZES" in os.environ else LONG | LONG_SANITIZED if SANITIZED else LONG


class BadInput(CommandTest):
    def check(self, document, statuses, *arguments):
        self.write("in.svg", document() if callable(document) else document)
        done = self.run_render("--device", "cpu", "--quiet", *arguments, "in.svg", "out.png")
        self.assertIn(done.returncode, statuses if isinstance(statuses, tuple) else (statuses,), done.stderr[-1000:])
        if done.returncode == DRAWN:
            self.assertEqual(self.files(), ["in.svg", "out.png"])
            self.assertEqual(done.stderr, b"")
            self.read_png("out.png")
        else:
            self.assertEqual(self.files(), ["in.svg"])
            self.assertEqual(self.assert_message(done)["file"], "in.svg")
            self.assertLess(len(done.stderr), 250)

    def test_nested_clipped_groups_60000(self):
        """Deep nests are drawn correctly: the middle is painted, the corner clipped away."""
        self.write("in.svg", svg('<clipPath id="c"><circle cx="128" cy="128" r="100"/></clipPath>' +
                                 nested('<g clip-path="url(#c)">', "</g>", 60000, '<rect width="256" height="256"/>'),
                                 'width="256" height="256"'))
        self.assert_draws("--device", "cpu", "in.svg", "out.png")
        _, _, rows = self.read_png("out.png")
        self.assertEqual(rows[128][128 * 4:128 * 4 + 4], b"\0\0\0\xff")
        self.assertEqual(rows[0][:4], bytes(4))

    def test_frames_name_the_line_that_costs_too_much(self):
        """A page that is painted once too often is named, or the image that shows it, or the dearest effect."""
        page = '<rect width="32" height="32" fill="url(#g)"/>\n'
        square = 'width="32" height="32"'
        gradient = '<radialGradient id="g"><stop stop-color="red" stop-opacity=".5"/><stop offset="1"/></radialGradient>\n'
        inner = base64.b64encode(svg(gradient + page * 400, square).encode()).decode()
        dashes = '<path stroke="red" stroke-width="60" stroke-dasharray=".01" stroke-linecap="round" d="M0 0L32 32"/>\n'
        blur = '<filter id="f">' + '<feGaussianBlur stdDeviation=".1"/>' * 4 + "</filter>\n"
        for steps, document, line, what in (
                (200000, svg(gradient + page * 400, square), 42, "painting"),
                (200000, svg(gradient + page * 4 + f'<g>\n<image width="32" height="32" href="data:image/svg+xml;base64,{inner}"/></g>', square), 8, "painting"),
                (400000, svg("\n" + dashes * 9, square), 3, "strokes"),
                (50000, svg(blur + '<g filter="url(#f)"><path d="M0 0H9V9"/></g>\n<g filter="url(#f)"><path d="M0 0H32V32"/></g>', square), 4,
                 "effects")):
            self.write("in.svg", document)
            for device in ("cpu", "reference"):
                done = self.run_render("--device", device, "--limit", f"steps={steps}", "-w", "1000", "in.svg", "out.png")
                self.assertEqual(done.returncode, INPUT, done.stderr)
                match = self.assert_message(done)
                self.assertEqual(match["line"], str(line))
                self.assertRegex(match["text"], f"^more than {steps} steps of drawing at this size, most of them of {what}")
        self.assert_fails(INPUT, "^render: -:[0-9]+: more than 200000 steps of drawing at this size, most of them of painting", "--device", "cpu", "--limit", "steps=200000",
                          "-w", "1000", "-", "out.png", stdin=svg(gradient + page * 400).encode())

    def test_what_is_no_svg(self):
        html = '<!DOCTYPE html>\n<html lang=en><body><p>a<br></body></html>'
        for content, what in ((b"\x89PNG\r\n\x1a\n", "a PNG"), (b"\xff\xd8\xff\xe0", "a JPEG"), (html, "HTML"), ("<HTML></HTML>", "HTML"),
                              (gzip.compress(html.encode()), "HTML"), ("%PDF-1.7", "a PDF")):
            self.write("in.svg", content)
            self.assert_fails(INPUT, f"^render: in.svg: not an SVG but {what}\n$", "in.svg", "out.png")
        self.write("in.svg", "<!DOCTYPE html>" + svg(RED))
        self.assert_draws("--device", "cpu", "in.svg", "out.png")

    def test_a_version_of_xml_without_its_point(self):
        self.write("in.svg", '<?xml version="1"?>' + svg(RED))
        self.assert_draws("--device", "cpu", "in.svg", "out.png")

    def within(self, mebibytes, document, *arguments):
        """Runs the command on one thread with so much memory."""
        if SANITIZED:
            self.skipTest("sanitizers take memory of their own")

        def limit():
            limit_time()
            resource.setrlimit(resource.RLIMIT_DATA, (mebibytes << 20, mebibytes << 20))

        self.write("in.svg", document)
        return self.run_render("--device", "cpu", "--threads", "1", *arguments, "in.svg", "out.png", prepare=limit)

    def assert_fits(self, mebibytes, document, *arguments):
        done = self.within(mebibytes, document, *arguments)
        self.assertEqual(done.returncode, DRAWN, done.stderr)

    def test_spans_share_styles(self):
        """A copy of all properties for each span would take 127 MiB."""
        self.assert_fits(70, text("<tspan>a</tspan>" * 100000, 'visibility="hidden"'), *FONTS)

    def test_styles_take_some_families(self):
        """The names of all families for each style would take 200 MiB."""
        spans = "".join(f'<tspan font-size="{i}">a</tspan>' for i in range(1, 3000))
        self.assert_fits(70, text(spans, 'style="font-family:' + ",".join(f"f{i}" for i in range(5000)) + '"'), *FONTS)

    def test_text_on_a_long_path(self):
        """The pieces into which all curves are cut would take 331 MiB."""
        self.assert_fits(60, svg('<path id="p" fill="none" d="M0 0' + "C0 999 999 0 5 9" * 50000 +
                                 '"/><text font-size="1"><textPath href="#p">a</textPath></text>'), *FONTS)

    def test_uses_share_a_large_text(self):
        """An outline of its own for each use would take 97 MiB."""
        self.assert_fits(70, svg('<text id="t" y="40" font-family="DejaVu Sans">' + "@" * 1000 + "</text>" + '<use href="#t"/>' * 60), *FONTS)

    def test_points_of_glyphs_count(self):
        """Outlines take memory by their points, so their points take steps."""
        self.check(text("@" * 1000), INPUT, "--limit", "steps=14000", *FONTS)
        self.check(text("@" * 1000), DRAWN, "--limit", "steps=18000", *FONTS)
        self.check(text("l" * 1000), DRAWN, "--limit", "steps=14000", *FONTS)

    def test_points_of_pictures_count(self):
        """Each time a glyph of colours is shown, its paths are copied."""
        paints = ("--skip-system-fonts", "--use-font-file", os.path.join(SOURCE, "tests/font/fonts/paints.ttf"))
        for steps, status in ((9600, INPUT), (10800, DRAWN)):
            self.check(text("v" * 1000), status, "--limit", f"steps={steps}", *paints)

    def test_stops_of_pictures_count(self):
        """A glyph that has the colour of the text is drawn anew in each colour, with its gradients."""
        spans = text("".join(f'<tspan fill="#{i:06x}">x</tspan>' for i in range(20)))
        paints = ("--skip-system-fonts", "--use-font-file", os.path.join(SOURCE, "tests/font/fonts/paints.ttf"))
        for steps, status in ((230, INPUT), (290, DRAWN)):
            self.check(spans, status, "--limit", f"steps={steps}", *paints)

    def test_elements_of_cells_count(self):
        """What a pattern's cell shows costs as it is shown, though the frame has none of it yet."""
        cell = svg('<g id="a">' + '<rect width="1" height="1"/>' * 100 + '</g><pattern id="p" width="900" height="900" '
                   'patternUnits="userSpaceOnUse">' + '<use href="#a"/>' * 100 + '</pattern><rect width="9" height="9" fill="url(#p)"/>')
        for steps, status in ((25000, INPUT), (34000, DRAWN)):
            self.check(cell, status, "--limit", f"steps={steps}")

    def test_few_long_paths_of_cells_are_kept(self):
        """Each rectangle has a cell of another size. All of them with their paths would take 160 MiB before the steps end."""
        cells = svg('<pattern id="p" width="1" height="1"><path d="M0 0' + "h1v1z" * 30000 + '"/></pattern>' +
                    "".join(f'<rect width="9" height="{9 - i / 60}" fill="url(#p)"/>' for i in range(60)))
        done = self.within(145, cells, "--limit", "steps=300000")
        self.assertEqual(done.returncode, INPUT, done.stderr)

    def test_dots_end_with_the_steps(self):
        """Dots of all letters would take a gigabyte, though the first few are beyond the limit."""
        places = " ".join(str(20 * i) for i in range(20000))
        dots = text("m" * 20000, f'x="{places}" style="text-decoration: underline dotted .01px"')
        done = self.within(100, dots, "--limit", "steps=200000", *FONTS)
        self.assertEqual(done.returncode, INPUT, done.stderr)

    def test_the_line_is_named(self):
        self.write("in.svg", svg("<g>\n\n<a>\n</g>"))
        message = self.assert_fails(INPUT, ".", "in.svg", "out.png")
        self.assertEqual(message["line"], "5")

    def test_nothing_outside_is_read(self):
        """Every reference to a file names a pipe: opening it would wait forever."""
        os.mkfifo(self.path("pipe"))
        url = "file://" + self.path("pipe")
        self.write("in.svg", f'<!DOCTYPE svg SYSTEM "{url}" [<!ENTITY a SYSTEM "{url}">]>\n' +
                   svg(f'<?xml-stylesheet href="{url}"?><style>@import "{url}";</style><image href="{url}" width="9" height="9"/>'
                       f'<use href="{url}#a"/><use xlink:href="pipe#a"/><rect width="9" height="9" fill="url({url}#a) red"/>'))
        self.assert_draws("--device", "cpu", "in.svg", "out.png")


for case_name, case in CASES.items():
    def method(self, case=case):
        self.check(*case)
    if case_name not in LEFT_OUT:
        setattr(BadInput, f"test_{case_name}", method)

if __name__ == "__main__":
    unittest.main()
