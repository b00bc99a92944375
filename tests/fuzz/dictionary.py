#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes the dictionaries of the fuzz targets: dictionary.py SOURCE_DIR OUT_DIR. The names come from src/svg. Units,
functions and values at limits are listed here."""
import glob
import re
import sys

source, out = sys.argv[1:]


def read(name):
    [path] = glob.glob(f"{source}/src/svg/*/{name}")
    with open(path, encoding="utf-8") as file:
        return file.read()


names = re.findall(r'NAME\(\w+, "([^"]+)"', read("names.h"))
colors = re.findall(r'"([a-z]+)"', read("color_names.h"))[::12]
keywords = set()
for stem in ("declaration", "style", "css_media", "css_selector", "css_selector_pseudo", "css_at_rule", "css_supports", "css_shape", "mask_value", "css_gradient", "transform_list", "color", "color_mix",
             "color_space", "filter_value", "length", "calc", "transform_origin", "viewport", "conditions"):
    keywords |= set(re.findall(r'TEXT(?:_LITERAL)?\("([^"\\]+)"\)', read(stem + ".c")))
    keywords |= set(re.findall(r'\{ "([a-zA-Z%-]+)",', read(stem + ".c")))
# Words of filters, which are values of attributes.
filters = set()
for stem in ("filter_input", "filter_primitive"):
    filters |= set(re.findall(r'TEXT(?:_LITERAL)?\("([^"\\]+)"\)', read(stem + ".c")))

# Escapes that grow, end early or stand for invalid characters, and numbers at the ends of their types.
borders = ["\\0", "\\0 ", "\\d800", "\\10ffff", "\\110000 ", "\\a ", "\\000041", "\\", "\\\n", "\\\r\n", "\x80", "\xff", "\xef\xbf\xbd", "\xc0\x80",
           "\x00", "\xef\xbb\xbf", "\xff\xfe", "&#0;", "&#x10ffff;", "&#xd800;", "%00", "%ff", "%", "%5c0", "&amp;", "1e38", "-1e38", "1e-45",
           "3.4e38", "1e309", "2147483648", "4294967296", "-0", ".", "1e", "1e999999999", "16777217", "65535.5"]
css = ["var(--a)", "var(--a,", "--a:", "--b:", "var(--a)var(--a)", "calc(", "clamp(1px,", "min(", "max(", "url(#a)", "url(", "!important", "@media ", "@import ",
       "@supports ", "@layer a;", "@scope{", "/*", "*/", "<!--", "-->", ":nth-child(2n+1 of ", ":nth-last-child(n of *)", ":not(", ":is(", ":where(", ":has(",
       ":root", ":target", "::before", "[a~=\"b\" i]", "*|*", ">", "+", "~", "||", "{", "}", "(", ")", "]", ";", "revert-layer", "inherit", "initial",
       "unset", "currentColor", "context-fill", "1px", "1e3%", "2em", "3rem", "1vmin", "9q", "1turn", "path(\"M0 0h9\")", "polygon(0 0,9px 9px)"]
svg = ["<use href=\"#a\"/>", "<g id=\"a\">", "</g>", "<svg>", "</svg>", "<symbol id=\"a\">", "fill=\"url(#a)\"", "stroke=\"url(#a)\"",
       "mask=\"url(#a)\"", "clip-path=\"url(#a)\"", "filter=\"url(#a)\"", "<filter id=\"a\">",
       "</filter>", "<feImage href=\"#a\"/>", "<feOffset in=\"SourceGraphic\" result=\"a\"/>", "filter=\"blur(1px)\"", "marker=\"url(#a)\"", "href=\"#a\"", "xlink:href=\"#b\"", "style=\"", "<style>", "</style>", "<![CDATA[",
       "]]>", "<!DOCTYPE svg [", "<!ENTITY a \"", "&a;", "xmlns=\"http://www.w3.org/2000/svg\"", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
       "<?xml-stylesheet href=\"#a\"?>", "data:image/svg+xml,", "data:image/svg+xml;base64,", "data:image/png;base64,", "data:,", "#svgView(viewBox(0,0,9,9))",
       "patternUnits=\"userSpaceOnUse\"", "viewBox=\"0 0 9 9\"", "transform=\"scale(1e9)\"", "transform=\"rotate(45)\"", "stroke-dasharray=\"1 2\""]
path = ["M", "m", "L", "l", "H", "h", "V", "v", "C", "c", "S", "s", "Q", "q", "T", "t", "A", "a", "Z", "z", "a1 1 0 01", "-.5.5", "1e5", "0 0", ",",
        "matrix(", "translate(", "scale(", "rotate(", "skewX(", "skewY("]


def write(name, words):
    with open(f"{out}/{name}.dict", "w", encoding="ascii") as file:
        for word in sorted(set(words)):
            quoted = "".join(c if " " <= c <= "~" and c not in '"\\' else f"\\x{ord(c):02x}" for c in word)
            file.write(f'"{quoted}"\n')


write("svg", names + svg + sorted(filters) + css + borders)
write("css", names + sorted(keywords) + colors + css + borders)
write("path", path + borders)
