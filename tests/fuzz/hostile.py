#!/usr/bin/env python3
"""Writes small documents that demand much: hostile.py OUT_DIR. Each kind has a few sizes, of which the last is far
beyond a limit."""
import base64
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


KINDS = {
    "escapes": (escapes, [(40,), (5000,), (90000,)]),
    "selectors": (selectors, [(2, 200), (3, 800), (4, 4000)]),
    "variables": (variables, [(6, 50), (11, 400), (13, 1500)]),
    "patterns": (patterns, [(2, 4, 20), (3, 9, 30), (5, 11, 60)]),
    "images": (images, [(2, 1000, 64), (8, 100000, 512), (16, 1000000, 1024)]),
    "trees": (trees, [(2, 50), (4, 3000), (6, 60000)]),
}


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for kind, (make, sizes) in KINDS.items():
        for number, size in enumerate(sizes):
            for name, text in make(*size):
                with open(f"{folder}/{kind}_{name}_{number}.svg", "w", encoding="ascii") as file:
                    file.write(text)


if __name__ == "__main__":
    main()
