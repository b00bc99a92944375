#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes small documents that demand much: hostile.py OUT_DIR [few]. Each kind has a few sizes, of which the last is
far beyond a limit. With "few" there are those that end soon: of kinds of one number the last alone, of others all but
the last."""
import base64
import functools
import gzip
import os
import struct
import sys
import zlib

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"'


def document(body, attributes=""):
    return f"{HEAD} {attributes}>{body}</svg>"


def tree(levels, fan, leaf):
    """A tree of uses whose last level is #t{levels}."""
    parts = [f'<g id="t0">{leaf}</g>']
    for level in range(1, levels + 1):
        parts.append(f'<g id="t{level}">' + f'<use href="#t{level - 1}"/>' * fan + "</g>")
    return "<defs>" + "".join(parts) + f'</defs><use href="#t{levels}"/>'


def doubled(seed, levels):
    return f"--p0:{seed};" + "".join(f"--p{i}:var(--p{i - 1}) var(--p{i - 1});" for i in range(1, levels + 1))


def long_path(points):
    return "M0 0" + "".join(f"L{i % 17}.{i % 7} {i * 5 % 19}" for i in range(points))


def escapes(count):
    yield "style", document(f'<rect width="9" height="9" style="{chr(92)}0' + f"{chr(92)}0" * count + ':red"/>')
    yield "selector", document(f"<style>#{chr(92) + '0' * 1}" + f"{chr(92)}0" * count + "{fill:red}</style>" + '<rect width="9" height="9"/>')
    yield "reference", document('<rect width="9" height="9" fill="url(#' + f"{chr(92)}0" * count + ')"/>')


def selectors(depth, count):
    selector = "rect"
    for i in range(depth):
        selector = f":nth-child(n + {i} of :is({selector}, g))"
    yield "nested", document(f"<style>{selector}{{fill:blue}}</style>" + "<rect/><g/>" * (count // 2))
    yield "descendants", document("<style>" + " ".join(["g"] * depth * 4) + "{fill:blue}</style>" + "<g>" * count + "</g>" * count)
    yield "classes", document("<style>.z.y{fill:blue}</style>" + '<rect class="' + " ".join(f"k{i}" for i in range(count * 8)) + '"/>')


def variables(levels, count):
    yield "transform", document("<style>rect{transform:var(--p%d)}</style>" % levels + '<rect width="3" height="3"/>' * count,
                                f'style="{doubled("scale(1)" * 4, levels)}"')
    yield "custom", document("<style>rect{%s}</style>" % "".join(f"--q{i}:var(--p{levels});" for i in range(12)) + "<rect/>" * count,
                             f'style="{doubled("abcdefgh", levels)}"')
    yield "dashes", document(tree(4, 9, '<path d="M0 0h9" style="stroke-dasharray:var(--d);stroke:red"/>'), 'style="--d:' + "1 2 " * count + '"')
    yield "clips", document(tree(4, 9, '<rect width="9" height="9" style="clip-path:var(--c)"/>'), 'style="--c:polygon(' + "0 0," * count + '9px 9px)"')
    yield "masks", document(tree(3, 9, '<rect width="9" height="9" style="mask:var(--m)"/>'), 'style="--m:' + "url(#n)," * count + 'none"')


def patterns(depth, fan, side):
    parts = ['<pattern id="p0" width="4" height="4" patternUnits="userSpaceOnUse"><circle r="3" fill="red"/></pattern>']
    for i in range(1, depth + 1):
        cells = "".join(f'<rect width="{side}" height="{side}" transform="rotate({k}) scale(1.{k}{i})" fill="url(#p{i - 1})"/>' for k in range(1, fan + 1))
        parts.append(f'<pattern id="p{i}" width="{4 + i}" height="{5 + i}" patternUnits="userSpaceOnUse">{cells}</pattern>')
    yield "nested", document("".join(parts) + f'<rect width="{side}" height="{side}" fill="url(#p{depth})"/>')
    inner = f'<pattern id="b" width="9" height="9" patternUnits="userSpaceOnUse"><path d="{long_path(3000 * fan)}"/></pattern>'
    outer = "".join(f'<pattern id="o{i}" width="9" height="9" patternUnits="userSpaceOnUse"><rect width="9" height="9" fill="url(#b)"/></pattern>'
                    f'<rect width="9" height="9" fill="url(#o{i})"/>' for i in range(40 * depth))
    yield "copied", document(inner + outer)
    yield "scales", document(parts[0] + "".join(f'<rect width="9" height="9" fill="url(#p0)" transform="scale({1 + i / 7:.3f} {1 + i * 7919 % 1000 / 99:.3f})"/>'
                                                for i in range(1500 * depth)))


@functools.lru_cache
def png(side):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = zlib.compress((b"\0" + b"\x40\x80\xc0" * side) * side, 9)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def data_url(kind, data):
    return f"data:image/{kind};base64," + base64.b64encode(data).decode()


def images(count, nodes, side):
    packed = data_url("svg+xml", gzip.compress(document("<defs>" + "<g/>" * nodes + "</defs>").encode(), 9))
    show = '<image width="9" height="9" href="{}"/>'
    yield "documents", document("".join(show.format(f"{packed}#{i}") for i in range(count)))
    again = data_url("svg+xml", document(show.format(packed)).encode())
    yield "reloaded", document(f'<defs><g id="i">{show.format(again)}</g></defs>' + '<use href="#i"/>' * count)
    pixels = data_url("svg+xml", document(show.format(data_url("png", png(side)))).encode())
    yield "pixels", document(f'<defs><g id="i">{show.format(pixels)}</g></defs>' + "".join(f'<use href="#i" x="{i}"/>' for i in range(count * 3)))
    yield "different", document("".join(show.format(data_url("png", png(side - i))) for i in range(count)))


def trees(levels, points):
    yield "paths", document(tree(levels, 10, f'<path d="{long_path(points)}" transform="translate(99 99)"/>'))
    yield "clips", document('<clipPath id="c"><use href="#t1"/></clipPath>' + tree(levels, 10, '<rect width="9" height="9" clip-path="url(#c)"/>'))
    yield "markers", document('<marker id="m" overflow="visible"><path d="M0 0h9v9z" marker-mid="url(#m)"/></marker>' +
                              f'<path d="{long_path(points)}" marker="url(#m)"/>')
    yield "groups", document("<g opacity='.5'>" * points + "<rect width='9' height='9'/>" + "</g>" * points)


def filtered(primitives, attributes=""):
    return document(f'<filter id="f" {attributes}>{primitives}</filter><rect x="4" y="4" width="12" height="12" fill="#36c" filter="url(#f)"/>')


def filters(value):
    """Filters in which every number is this one."""
    primitives = {
        "blur": '<feGaussianBlur stdDeviation="{0}"/>',
        "blur_around": '<feGaussianBlur stdDeviation="{0}" edgeMode="wrap"/>',
        "shadow": '<feDropShadow dx="{0}" dy="-{0}" stdDeviation="{0}"/>',
        "offset": '<feOffset dx="{0}" dy="-{0}"/>',
        "erode": '<feMorphology radius="{0}"/>',
        "dilate": '<feMorphology operator="dilate" radius="{0}"/>',
        "displace": '<feTurbulence baseFrequency=".1"/><feDisplacementMap in="SourceGraphic" in2="SourceGraphic" scale="{0}"/>',
        "noise": '<feTurbulence baseFrequency="{0}" seed="{0}" numOctaves="{0}"/>',
        "octaves": '<feTurbulence baseFrequency=".1" numOctaves="{0}" stitchTiles="stitch"/>',
        "matrix": '<feColorMatrix values="' + "{0} " * 20 + '"/>',
        "transfer": '<feComponentTransfer><feFuncR type="linear" slope="{0}" intercept="-{0}"/>'
                    '<feFuncG type="gamma" amplitude="{0}" exponent="{0}" offset="{0}"/>'
                    '<feFuncB type="table" tableValues="{0} -{0}"/></feComponentTransfer>',
        "arithmetic": '<feComposite operator="arithmetic" in2="SourceAlpha" k1="{0}" k2="-{0}" k3="{0}" k4="{0}"/>',
        "kernel": '<feConvolveMatrix kernelMatrix="' + "{0} -{0} {0} " * 3 + '" bias="{0}" divisor="{0}"/>',
        "order": '<feConvolveMatrix order="{0}" kernelMatrix="1"/>',
        "point_light": '<feDiffuseLighting surfaceScale="{0}" diffuseConstant="{0}"><fePointLight x="{0}" y="-{0}" z="{0}"/></feDiffuseLighting>',
        "spot_light": '<feSpecularLighting surfaceScale="{0}" specularConstant="{0}" specularExponent="9"><feSpotLight x="{0}" z="{0}" '
                      'pointsAtY="{0}" specularExponent="{0}" limitingConeAngle="{0}"/></feSpecularLighting>',
        "distant_light": '<feDiffuseLighting><feDistantLight azimuth="{0}" elevation="{0}"/></feDiffuseLighting>',
        "tile": '<feFlood x="-{0}" y="-{0}" width="{0}" height="{0}"/><feTile/>',
        "wide_tile": '<feOffset x="-{0}" width="{0}"/><feTile width="{0}"/>',
        "picture": '<feImage href="#e" x="{0}" y="-{0}" width="{0}" height="{0}"/>',
    }
    for name, primitive in primitives.items():
        yield name, filtered(primitive.format(value) + '<rect id="e" width="9" height="9"/>')
        yield name + "_in_box", filtered(primitive.format(value), 'primitiveUnits="objectBoundingBox"')
    yield "region", filtered('<feGaussianBlur stdDeviation="3"/>', f'filterUnits="userSpaceOnUse" x="-{value}" y="-{value}" width="{value}" height="{value}"')
    yield "wide_region", filtered('<feGaussianBlur stdDeviation="3"/><feMorphology radius="1"/><feTile/>', f'x="-{value}" width="{value}" height="{value}"')
    yield "turned", document('<g transform="rotate(30)">' + filtered('<feDropShadow stdDeviation="3"/>', f'width="{value}"') + "</g>")
    yield "functions", document(f'<rect width="9" height="9" filter="blur({value}px) brightness({value}) contrast({value}) saturate({value}) '
                                f'hue-rotate({value}deg) drop-shadow({value} {value} {value} red) opacity({value})"/>')


def filter_chain(count, shown):
    """Each filter shows an element with the next one."""
    return document("".join(f'<filter id="f{i}">{shown.format(i + 1)}</filter><rect id="e{i}" width="9" height="9" filter="url(#f{i})"/>' for i in range(count)))


# ---- One number: kinds that are searched for the most expensive document that is still drawn ----

def fill(paint):
    return f'<rect x="-9" y="-9" width="40" height="40" fill="{paint}" transform="rotate(9)"/>'


def shown(count, leaf, defs=""):
    """Shows a leaf so often, by trees of uses of ten."""
    groups, digits, level = [f'<g id="t0">{leaf}</g>'], [count % 10], 0
    while count >= 10:
        count, level = count // 10, level + 1
        groups.append(f'<g id="t{level}">' + f'<use href="#t{level - 1}"/>' * 10 + "</g>")
        digits.append(count % 10)
    return document(f"{defs}<defs>{''.join(groups)}</defs>" + "".join(f'<use href="#t{i}"/>' * n for i, n in enumerate(digits)))


def stops(count):
    return "".join(f'<stop offset="{i / count}" stop-color="#{i * 77 % 4096:03x}" stop-opacity=".5"/>' for i in range(count))


def stroked(d, attributes):
    return document(f'<path d="M0 0{d}" fill="none" stroke="red" {attributes}/>')


def curves(count, far):
    return "".join(f"C{far} {i % 7} -{far} {i % 5} {i % 19} {i % 17}" for i in range(count))


def dashed(d, dash, cap="round"):
    return (f'<path d="{d}" fill="none" stroke="red" stroke-width="3" stroke-linecap="{cap}" stroke-linejoin="round" '
            f'stroke-opacity=".1" stroke-dasharray="{dash}"/>')


def curled(count):
    return "".join(f"C{i * 7 % 23} {i * 5 % 19} {i * 3 % 29} {i * 11 % 17} {i * 13 % 21} {i * 2 % 19}" for i in range(count))


def rules(selector, count):
    return document("<style>" + (selector + "{fill:red}") * count + "</style>" + "<g/>" * count)


def png_chunks(kind, head, count):
    body = head + zlib.compress(bytes(36_000_000), 9)
    chunk = struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    plain = png(9)
    return image("png", plain[:33] + chunk * count + plain[33:])


def image(kind, data):
    return document(f'<image width="20" height="20" href="{data_url(kind, data)}"/>')


def gif(screen, frame, frames):
    """Each code stands for one pixel more than the one before: 7 million pixels in 6 KB."""
    codes, left = [], frame * frame
    while left > 0:
        codes.append((256, 12 if codes else 9))
        for length in range(1, 3839):
            if left <= 0:
                break
            codes.append((0 if length == 1 else 256 + length, (256 + length).bit_length()))
            left -= length
    bits, count, packed = 0, 0, bytearray()
    for code, width in codes:
        bits, count = bits | code << count, count + width
        while count >= 8:
            packed.append(bits & 255)
            bits, count = bits >> 8, count - 8
    packed += bytes([bits & 255, 0])
    data = b"".join(bytes([len(packed[i:i + 255])]) + bytes(packed[i:i + 255]) for i in range(0, len(packed), 255))
    block = b"\x2c" + struct.pack("<HHHHB", 0, 0, frame, frame, 0) + b"\x08" + data + b"\0"
    return (b"GIF89a" + struct.pack("<HHBBB", screen, screen, 0x80, 0, 0) + bytes(3) + b"\xff\xff\xff" +
            (b"\x21\xf9\x04\x09\x01\0\x01\0" + block) * frames + b"\x3b")


def jpeg(side, scans):
    """Progressive and grey; each scan ends the bands of all blocks in a few bytes."""
    def part(marker, data):
        return b"\xff" + bytes([marker]) + struct.pack(">H", len(data) + 2) + data
    blocks = (side + 7) // 8 * ((side + 7) // 8)
    runs = (blocks + 32766) // 32767
    bits = ("0" + "1" * 14) * runs
    bits += "1" * (-len(bits) % 8)
    scan = part(0xda, b"\x01\x01\x00\x01\x3f\x00") + int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\x00")
    return (b"\xff\xd8" + part(0xdb, b"\x00" + b"\x01" * 64) + part(0xc2, struct.pack(">BHHB", 8, side, side, 1) + b"\x01\x11\x00") +
            part(0xc4, b"\x00\x01" + bytes(15) + b"\x00") + part(0xc4, b"\x10\x01" + bytes(15) + b"\xe0") +
            part(0xda, b"\x01\x01\x00\x00\x00\x00") + bytes((blocks + 7) // 8) + scan * scans + b"\xff\xd9")


def webp(side):
    """Lossless, of one colour: five codes of one symbol."""
    bits = []
    for value, count in ((0x2f, 8), (side - 1, 14), (side - 1, 14), (1, 1), (0, 3), (0, 3)) + sum(
            (((1, 1), (0, 1), (1, 1), (v, 8)) for v in (10, 20, 30, 128, 0)), ()):
        bits += [value >> i & 1 for i in range(count)]
    bits += [0] * (-len(bits) % 16 + 64)
    data = bytes(sum(bits[i + k] << k for k in range(8)) for i in range(0, len(bits), 8))
    chunk = b"VP8L" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(chunk) + 4) + b"WEBP" + chunk


def many_images(count, side, cut=0):
    return document("".join(f'<image width="20" height="20" opacity=".9" href="{data_url("png", png(side + i % 9)[:-cut or None] + bytes([i % 256]))}#{i}"/>'
                            for i in range(count)))


def small_documents(count):
    text = "%3csvg xmlns='http://www.w3.org/2000/svg'%3e%3crect id='{}' width='9' height='9'/%3e%3c/svg%3e"
    return document("".join(f'<image width="20" height="20" href="data:image/svg+xml,{text.format(i)}"/>' for i in range(count)))


def pattern(name, side, content, attributes=""):
    return f'<pattern id="{name}" width="{side}" height="{side}" patternUnits="userSpaceOnUse" {attributes}>{content}</pattern>'


def nested_patterns(count):
    inner = pattern("a", 4, '<circle r="3" fill="red" fill-opacity=".5"/>')
    middle = pattern("b", 7, '<rect id="q" width="30" height="30" fill="url(#a)" fill-opacity=".7"/>' + '<use href="#q" transform="rotate(3)"/>' * 4)
    return shown(count, '<rect width="20" height="20" fill="url(#b)" transform="rotate(1)"/>', inner + middle)


def imports_deep(levels):
    """Each sheet imports the next one twice. Percent signs are escaped once more at each level."""
    sheet = "g{fill:red}"
    for _ in range(levels):
        sheet = '@import "data:text/css,' + sheet.replace("%", "%25").replace("\"", "%22").replace("{", "%7b") + '";'
        sheet += sheet
    return document(f"<style>{sheet}</style><g/>")


CURVE = "M0 9C3 30 15 -20 20 9"
def text(content, attributes=""):
    return document(f'<text y="15" {attributes}>{content}</text>')


def language_tag(number):
    """The tags of three letters, then those of four."""
    letters = ""
    while number or len(letters) < 3:
        letters, number = letters + chr(ord("A") + number % 26), number // 26
    return letters


def faces(fonts):
    """A text in fonts of which each has a family of its own."""
    rules = "".join("@font-face{font-family:f%d;src:url(data:font/woff;base64,%s)}" % (i, base64.b64encode(font).decode())
                    for i, font in enumerate(fonts))
    return document(f"<style>{rules}</style><text>" +
                    "".join(f'<tspan font-family="f{i}">a</tspan>' for i in range(len(fonts))) + "</text>")


def woff(count):
    """A font of one table of zeros."""
    packed = zlib.compress(bytes(count), 9)
    head = struct.pack(">4sIIHHIHHIIIII", b"wOFF", 0x10000, 64 + len(packed), 1, 0, 28 + count, 1, 0, 0, 0, 0, 0, 0)
    return head + struct.pack(">4sIIII", b"glyf", 64, len(packed), count, 0) + packed


def woff2_of_zeros():
    """A font of one table of 60 MiB of zeros, packed by Brotli to 106 bytes."""
    packed = bytes.fromhex(
        "cbffff3ff82700e2b14020f7fe8fffff7ff04f00c4611180eefd1fffffffe09f0088c30200ddfb3ffeffffc13f0110870500baf77ffcffff837f0220"
        "0e0b0074effff8ffff07ff04401c1600e8defff1ffff0ffe0980382c00d0bdffcbffff1ffc1300715800a07bff03")
    count = 60 << 20
    base128 = bytes([0x80 | count >> 21, 0x80 | count >> 14 & 127, 0x80 | count >> 7 & 127, count & 127])
    entry = b"\x3fzero" + base128
    head = struct.pack(">4sIIHHIIHHIIIII", b"wOF2", 0x10000, 48 + len(entry) + len(packed), 1, 0, 28 + count, len(packed), 1, 0,
                       0, 0, 0, 0, 0)
    return head + entry + packed


# name: (document of a number, numbers: near the most that is drawn, and beyond)
ONES = {
    "patterns_by_use": (nested_patterns, [5054, 99999]),
    "patterns_tiny": (
        lambda n: shown(n, fill("url(#p)"), pattern("p", .1, '<circle r="1" fill-opacity=".3"/>')),
        [5054, 9192, 99999]),
    "patterns_unshared": (
        lambda n: document("".join(pattern(f"p{i}", 4, '<circle r="3"/>') + fill(f"url(#p{i})") for i in range(n))),
        [5054, 20000]),
    "patterns_dashed": (lambda n: document(pattern("p", 4, dashed("M0 0h4", 4 / n) * 40) + fill("url(#p)")), [18691]),
    "masks_of_rectangles": (lambda n: shown(30, '<g mask="url(#m)"><rect width="20" height="20"/></g>',
                                            '<mask id="m">' + '<rect width="19" height="19" fill="#888" fill-opacity=".1"/>' * n + "</mask>"), [12500, 99999]),
    "gradients_of_few": (
        lambda n: shown(n, fill("url(#g)"), f'<radialGradient id="g" fx=".1">{stops(3)}</radialGradient>'),
        [84515, 999999]),
    "gradients_of_many": (
        lambda n: shown(n, fill("url(#g)"), f'<radialGradient id="g" r=".01" spreadMethod="reflect">{stops(255)}</radialGradient>'),
        [34178, 999999]),
    "arcs_joined": (
        lambda n: stroked("".join(f"A1e20 1e20 0 0 {i % 2} {i * 7 % 19} {i * 5 % 17}" for i in range(n)), 'stroke-width="3" stroke-linejoin="arcs"'),
        [698771]),
    "curves_far_filled": (lambda n: document(f'<path d="M0 0{curves(n, "1e9")}"/>'), [4133, 20000]),
    "curves_far_stroked": (lambda n: stroked(curves(n, "1e9"), ""), [3738, 20000]),
    "strokes_wide": (
        lambda n: stroked(long_path(n)[4:], 'stroke-width="1e6" stroke-linejoin="round" stroke-linecap="round"'),
        [103348, 999999]),
    "strokes_wide_dots": (
        lambda n: stroked("".join(f"M{i % 19} 3z" for i in range(n)), 'stroke-width="1e6" stroke-linecap="round"'),
        [37795, 999999]),
    "sized_dashes": (lambda n: stroked("L9 11", f'stroke-width="9" stroke-linecap="round" stroke-dasharray="{10 / n}"'), [3000, 30000, 300000]),
    "sized_curves": (lambda n: stroked(curled(n), 'stroke-width="99"'), [30, 300, 3000]),
    "sized_joins": (lambda n: stroked("".join(f"L{i * 7 % 19} {i * 11 % 17}" for i in range(n)), 'stroke-width="5" stroke-linejoin="round"'),
                    [300, 3000, 30000]),
    "small_paths": (
        lambda n: gzip.compress(document("".join(f'<path d="M{i % 19} {i % 17}h1v1z"/>' for i in range(n))).encode(), 1),
        [1412974]),
    "bytes_packed": (
        lambda n: gzip.compress(document('<path d="M0 0' + "h1v1" * n + '"/>').encode(), 1),
        [10000000, 40000000]),
    "documents": (small_documents, [37795, 65000]),
    "dashes_in_one": (lambda n: document(dashed(CURVE, 30 / n)), [1044906, 9999999]),
    "dashes_flat": (lambda n: document(dashed("M0 9H20", 10 / n, "butt")), [1044906, 9999999]),
    "dashes_by_use": (lambda n: shown(n, dashed("M1 1L16 6L1 13", ".3")), [13822, 18000, 99999]),
    "lengths_of_arcs": (
        lambda n: stroked("a9 5 3 1 0 .9 9" * n, 'stroke-dasharray="999" pathLength="9"'),
        [41485, 190000, 600000]),
    "lengths_by_use": (
        lambda n: shown(n, '<ellipse rx="3" ry="2" pathLength="9" stroke-dasharray="9" stroke="red"/>'),
        [25244, 99999]),
    "long_numbers": (lambda n: document('<path d="M0 0l' + "-1e-99" * n + '"/>'), [5958367, 16000000]),
    "entities": (
        lambda n: "<!DOCTYPE svg [" + "".join(f"<!ENTITY % a{i} \"<!ENTITY b{i} 'x'>\">%a{i};" for i in range(n)) + "]>" + document(""),
        [457683, 1250000]),
    "rules_of_places": (
        lambda n: document("<style>" + "g:nth-child(n of .a)~:nth-child(odd of g) g{fill:red}" * 20 + "</style>" +
                           '<g class="a b"><g/></g>' * n),
        [3000, 10000, 60000]),
    "attribute_defaults": (
        lambda n: '<!DOCTYPE svg [<!ATTLIST rect style CDATA "' + "fill:red;stroke:blue;" * 9 + '">]>' + document("<rect/>" * n),
        [255551, 400000]),
    "ids": (lambda n: document("".join(f'<g id="i{i}"/>' for i in range(n))), [2981843]),
    "rules_matching": (lambda n: rules("g", n), [6181, 24000]),
    "rules_not": (lambda n: rules(":not(a,b,c,d)", n), [5054, 24000]),
    "rules_between": (lambda n: document("<style>g{fill:red}</style><g/>" * n), [6181, 24000]),
    "layers": (lambda n: document("<style>" + "".join(f"@layer a{i}{{g{{fill:red}}}}" for i in range(n)) + "</style><g/>"), [100000, 2000000]),
    "layers_deep": (lambda n: document("<style>@layer " + ".".join("a" * n) + "{g{fill:red}}</style><g/>"), [100000, 2000000]),
    "layers_without_names": (lambda n: document("<style>" + "@layer{g{fill:red!important}}" * n + "</style><g/>"), [100000, 2000000]),
    "rules_nested": (lambda n: document("<style>a,g{" + "&amp; &amp;{" * n + "fill:red" + "}" * n + "}</style>" + "<g>" * 30 + "</g>" * 30), [3, 40]),
    "rules_nested_deep": (lambda n: document("<style>" + "g,a{" * n + "}" * n + "</style>" + "<g/>" * 1000), [60, 200, 999999]),
    "rules_nested_in_lists": (lambda n: document("<style>" + "g," * n + "a{" + "fill:red;@media{}" * n + "}</style><g/>"), [1500, 99999]),
    "rules_of_conditions": (lambda n: document("<style>" + "@supports (not (fill:foo)) and selector(a:is(b,c)){" +
                            "@supports (((((((((((fill:red)))))))))) or (--x:y)) {g{fill:red}}" * n + "}</style><g/>"), [10000, 600000]),
    "rules_of_all": (lambda n: document("<style>" + "g{all:initial;--a:b}" * n + "</style>" + "<g/>" * n), [300, 9999]),
    "rules_having": (lambda n: document("<style>g:has(a){fill:red}a:has(g g),g:has(a a)~g{fill:red}</style>" + "<g>" * 9 + "<g/>" * n + "</g>" * 9),
                     [3000, 60000]),
    "rules_having_rules": (lambda n: document("<style>" + "*:has(a,g>b,~c){fill:red}" + "g:has(~a):has(+b):has(>c){fill:red}" * n + "</style>" +
                                              "<g/>" * n), [300, 9999]),
    "languages": (lambda n: document("<style>" + ":lang(" + "'*-a'," * n + "a){fill:red}</style>" + f'<g lang="{"b-" * n}x-a"/>' * 20), [1000, 99999]),
    "imports": (lambda n: document("<style>" + '@import "data:text/css,g%7Bfill:red%7D" layer;' * n + "</style><g/>"), [900, 99999]),
    "imports_deep": (imports_deep, [5, 12]),
    "masks_of_gradients": (lambda n: shown(n, '<rect width="20" height="20" style="mask:radial-gradient(red,blue),linear-gradient(#0008,red)"/>'), [9000, 99999]),
    "masks_of_stops": (lambda n: shown(n, f'<rect width="20" height="20" style="mask:linear-gradient(red{",#0008" * n})"/>'), [300, 9999]),
    "masks_of_layers": (lambda n: document(f'<rect width="20" height="20" style="mask:linear-gradient(red,#0008){",linear-gradient(red,#0000)" * n}"/>'),
                        [3000, 99999]),
    "text_characters": (lambda n: text("the quick brown fox " * (n // 20)), [100000, 1000000]),
    "text_one_word": (lambda n: text("a" * n), [1000000]),
    "text_joined": (lambda n: text("&#x633;&#x644;&#x627;&#x645; " * (n // 5)), [100000, 1000000]),
    "text_marks": (lambda n: text("a" + "&#x301;" * n), [100000, 1000000]),
    "text_stacked": (lambda n: text("&#x1780;&#x17d2;" * n), [60000]),
    "text_emoji": (lambda n: text("&#x1f468;&#x200d;" * n), [100000, 1000000]),
    "text_flags": (lambda n: text("&#x1f1e6;&#x1f1e7;" * n), [100000]),
    "text_people": (lambda n: text("&#x1f468;&#x1f3fb;&#x200d;" * n), [100000]),
    "text_missing": (lambda n: text("".join(f"&#x{0x10000 + i % 60000:x};" for i in range(n))), [10000, 100000]),
    "text_spans": (lambda n: text("".join(f'<tspan font-size="{i}">a</tspan>' for i in range(n))), [10000, 100000]),
    "text_spans_deep": (lambda n: text("<tspan>" * n + "a" + "</tspan>" * n), [100000]),
    "text_lines_deep": (lambda n: text('<tspan text-decoration="underline">a' * n + "</tspan>" * n), [1000, 10000]),
    "text_lengths_deep": (lambda n: text('<tspan textLength="9">a' * n + "</tspan>" * n), [1000, 10000]),
    "text_directions_deep": (lambda n: text('<tspan direction="rtl" unicode-bidi="embed">a' * n + "</tspan>" * n), [10000]),
    "text_dots": (lambda n: text('<tspan style="text-decoration:underline dotted 0.015px">wwww</tspan>' * n), [300, 30000]),
    "text_dots_apart": (lambda n: text("w" * n, f'x="{" ".join(str(20 * i) for i in range(n))}" style="text-decoration:underline dotted 0.01px"'),
                        [1000, 100000]),
    "text_waves": (lambda n: text('<tspan style="text-decoration:underline wavy 0.01px">wwww</tspan>' * n), [300, 30000]),
    "text_places": (lambda n: text("a" * n, f'x="{" ".join(str(i % 20) for i in range(n))}"'), [100000]),
    "text_of_uses": (lambda n: document('<text id="t" y="9">' + "@&amp;8" * 500 + "</text>" + '<use href="#t"/>' * n), [100, 3000]),
    "text_groups": (lambda n: text('<tspan opacity=".5">@</tspan>' * n), [1000, 100000]),
    "text_families_of_styles": (lambda n: text("".join(f'<tspan font-size="{i}">a</tspan>' for i in range(n)),
                                               f'font-family="{",".join(f"f{i}" for i in range(n))}"'), [1000, 10000]),
    "text_families": (lambda n: text("".join(f'<tspan font-family="f{i}">a</tspan>' for i in range(n))), [10000, 100000]),
    "text_languages": (lambda n: text("".join(f'<tspan style="font-language-override:&quot;{language_tag(i)}&quot;">a</tspan>' for i in range(n))), [100000]),
    "text_on_path": (
        lambda n: document(f'<path id="p" fill="none" d="{long_path(n)}"/><text><textPath href="#p">{"abc " * (n // 100)}</textPath></text>'),
        [100000, 1000000]),
    "text_sizes": (lambda n: document("".join(f'<text y="9" stroke="red" font-size="1e{i}">ab</text>' for i in range(-n, n))), [40]),
    "text_elements": (lambda n: document('<text y="9">a</text>' * n), [100000]),
    "text_of_patterns": (lambda n: document('<pattern id="p" width="1" height="1"><text>ab</text></pattern>' +
                                            '<text fill="url(#p)" stroke="url(#p)">ab</text>' * n), [100, 3000]),
    "fonts_bad": (lambda n: faces([b"wOFF" + bytes([i % 256, i // 256]) * 30 for i in range(n)]), [60, 1000]),
    "fonts_woff": (lambda n: faces([woff(n)] * 3), [1 << 20, 60 << 20]),
    "fonts_woff2": (lambda n: faces([woff2_of_zeros()] * n), [1, 3]),
    "fonts_ranges": (
        lambda n: document("<style>@font-face{font-family:f;src:local(DejaVu Sans);unicode-range:" +
                           ",".join(f"U+{0x100000 + 2 * i:X}" for i in range(4000)) + "}</style>" +
                           f'<text y="9" font-family="f">{"abc d" * n}</text>'), [1000, 20000]),
    "fonts_asked": (
        lambda n: document("<style>" + "".join(f"@font-face{{font-family:f;src:local(DejaVu Sans);unicode-range:U+{i:x}}}" for i in range(n)) +
                           '</style><text y="9" font-family="f">' + "".join(f"&#x{0x4e00 + i % 20000:x};" for i in range(20 * n)) + "</text>"), [50, 5000]),
    "filters_of_primitives": (lambda n: filtered('<feOffset dx="1"/><feGaussianBlur stdDeviation="1"/>' * n), [10000, 999999]),
    "filters_of_results": (lambda n: filtered("".join(f'<feOffset result="r{i}" in="r{i - 1}"/>' for i in range(n))), [10000, 999999]),
    "filters_different": (
        lambda n: document("".join(f'<filter id="f{i}"><feGaussianBlur stdDeviation="1"/></filter><rect width="9" height="9" filter="url(#f{i})"/>' for i in range(n))),
        [30000, 100000]),
    "filters_by_use": (
        lambda n: shown(n, '<rect width="9" height="9" filter="url(#f)"/>', '<filter id="f"><feDropShadow/><feTurbulence baseFrequency=".1"/></filter>'),
        [15000, 999999]),
    "filters_unseen": (lambda n: shown(n, '<rect x="999" width="9" height="9" filter="blur(1px)"/>'), [30000, 999999]),
    "filters_long_by_use": (lambda n: shown(n, '<rect width="9" height="9" filter="url(#f)"/>', '<filter id="f">' + "<feOffset/>" * 1000 + "</filter>"), [100, 100000]),
    "filters_deep": (lambda n: document('<filter id="f"><feOffset/></filter>' + '<g filter="url(#f)">' * n + '<rect width="9" height="9"/>' + "</g>" * n), [1500, 10000]),
    "filters_deep_functions": (lambda n: document('<g filter="blur(1px)">' * n + '<rect width="9" height="9"/>' + "</g>" * n), [300, 10000]),
    "filters_in_patterns": (
        lambda n: shown(n, fill("url(#p)"), pattern("p", 3, '<circle r="2" filter="url(#f)"/>') + '<filter id="f"><feGaussianBlur stdDeviation="1"/></filter>'),
        [300, 99999]),
    "filters_in_masks": (
        lambda n: shown(n, '<rect width="9" height="9" mask="url(#m)" filter="blur(1px)"/>', '<mask id="m"><circle r="9" fill="#fff" filter="blur(2px)"/></mask>'),
        [10000, 99999]),
    "filters_of_hrefs": (lambda n: filtered("", 'href="#c1"') .replace("</svg>", "".join(f'<filter id="c{i}" href="#c{i + 1}"/>' for i in range(1, n)) + "</svg>"), [100000]),
    "filters_of_pictures": (lambda n: filtered('<feImage href="#e"/>' * n + '<rect id="e" width="9" height="9"/>'), [10000, 999999]),
    "filters_of_pictures_deep": (lambda n: filter_chain(n, '<feImage href="#e{0}"/>'), [100, 3000]),
    "filters_of_pictures_doubled": (lambda n: filter_chain(n, '<feImage href="#e{0}"/><feImage href="#e{0}"/>'), [8, 60]),
    "filters_of_themselves": (
        lambda n: document('<g id="page">' + "".join(f'<filter id="f{i}"><feImage href="#page"/></filter><rect width="9" height="9" filter="url(#f{i})"/>' for i in range(n)) + "</g>"),
        [3, 300]),
    "filters_merged": (lambda n: filtered("<feMerge>" + '<feMergeNode in="SourceGraphic"/>' * n + "</feMerge>"), [30000, 999999]),
    "filters_of_kernels": (lambda n: filtered(f'<feConvolveMatrix order="{n}" kernelMatrix="{"1 " * (n * n)}"/>'), [1000, 1100]),
    "filters_of_tables": (lambda n: filtered(f'<feComponentTransfer><feFuncR type="table" tableValues="{"0 1 " * n}"/></feComponentTransfer>'), [1000000]),
    "filters_of_functions": (lambda n: document(f'<rect width="9" height="9" filter="{"brightness(1) " * n}"/>'), [60000, 999999]),
    "filters_of_lists": (lambda n: document(f'<filter id="f"><feOffset/></filter><rect width="9" height="9" filter="{"url(#f) " * n}"/>'), [1500, 99999]),
    "png_texts": (lambda n: png_chunks(b"zTXt", b"a\0\0", n), [3, 40]),
    "png_profiles": (lambda n: png_chunks(b"iCCP", b"a\0\0", n), [3]),
    "png_side": (lambda n: image("png", png(n)), [8192, 9000]),
    "jpeg_side": (lambda n: image("jpeg", jpeg(n, 10)), [8192, 9000]),
    "jpeg_scans": (lambda n: image("jpeg", jpeg(8000, n)), [99, 500]),
    "webp_side": (lambda n: image("webp", webp(n)), [8192, 9000]),
    "gif_frames": (lambda n: image("gif", gif(9, 9, n)), [100, 4000]),
    "gif_screen": (lambda n: image("gif", gif(n, 1, 1)), [8192, 65535]),
    "gif_frame": (lambda n: image("gif", gif(1, n, 1)), [8000, 20000]),
    "images_small": (lambda n: many_images(n, 1), [2048, 6835, 20000]),
    "images_sharing": (lambda n: many_images(n, 170), [1767, 9000]),
    "images_cut_off": (lambda n: many_images(n, 2000, 300), [10, 40]),
}


KINDS = {
    "escapes": (escapes, [(40,), (5000,), (90000,)]),
    "selectors": (selectors, [(2, 200), (3, 800), (4, 4000)]),
    "variables": (variables, [(6, 50), (11, 400), (13, 1500)]),
    "patterns": (patterns, [(2, 4, 20), (3, 9, 30), (5, 11, 60)]),
    "images": (images, [(2, 1000, 64), (8, 100000, 512), (16, 1000000, 1024)]),
    "filters": (filters, [("1e9",), ("1e30",), ("1e999",), ("-1e999",), ("nan",), ("1e9",)]),
    "trees": (trees, [(2, 50), (4, 3000), (6, 60000)]),
}


# Documents that take most of a second or more. They are drawn at night alone.
LONG = {"attribute_defaults", "documents", "entities", "filters_merged", "filters_of_pictures", "filters_of_primitives",
        "filters_of_results", "ids", "images_sharing", "layers", "layers_deep", "layers_without_names", "lengths_by_use", "long_numbers",
        "masks_of_stops", "patterns_copied", "rules_between", "rules_having", "rules_having_rules", "rules_matching", "rules_nested",
        "rules_nested_deep", "rules_not", "rules_of_all", "rules_of_conditions", "small_paths", "text_dots_apart", "text_elements",
        "text_families", "text_groups", "text_joined", "text_languages", "text_marks", "text_missing", "text_on_path", "text_one_word",
        "text_places", "text_spans", "text_waves"}


def write(path, text):
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode("ascii"))


def main():
    folder, few = sys.argv[1], sys.argv[2:] == ["few"]
    os.makedirs(folder, exist_ok=True)
    for kind, (make, sizes) in KINDS.items():
        for number, size in enumerate(sizes[:-1] if few else sizes):
            for name, text in make(*size):
                write(f"{folder}/{kind}_{name}_{number}.svg", text)
    for name, (make, numbers) in ONES.items():
        for number in numbers if not few else [] if name in LONG else numbers[-1:]:
            write(f"{folder}/{name}_{number}.svg", make(number))


if __name__ == "__main__":
    main()
