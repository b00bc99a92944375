#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes the scenes in which a path meets itself inside pixels.

    tools/make_coverage_scenes.py [FOLDER]

FOLDER is scenes/coverage by default. DRAWINGS are what people draw. CASES are small shapes, each filled by both
rules and stroked, at 1x, at 0.3x in three positions, and a part at 8x. Some cases also clip or mask."""
import os
import sys
from math import cos, hypot, pi, sin
from random import Random

SIDE = 128
CELL = 40  # side of a case at 1x
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128">'
INK = "#123"


def number(x):
    text = f"{x:.2f}".rstrip("0").rstrip(".")
    text = "0" if text in ("-0", "") else text
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def joined(values):
    """Numbers as a path has them: a minus sign separates."""
    text = ""
    for value in map(number, values):
        text += value if not text or value.startswith("-") else " " + value
    return text


def polyline(points, closed=False):
    """A path by steps from point to point, which are rounded so that rounding does not add up."""
    x, y = (round(v, 2) for v in points[0])
    text = f"M{joined((x, y))}l"
    steps = []
    for px, py in points[1:]:
        dx, dy = round(px - x, 2), round(py - y, 2)
        steps.append(joined((dx, dy)))
        x, y = x + dx, y + dy
    for step in steps:
        text += step if text.endswith("l") or step.startswith("-") else " " + step
    return text + ("z" if closed else "")


def ring(x, y, radius, count, turns=1, phase=0.0):
    """Corners of a star: every `turns`-th of `count` points of a circle, so the star winds `turns` times."""
    corners = (phase + 2 * pi * i * turns / count for i in range(count))
    return [(x + radius * sin(a), y - radius * cos(a)) for a in corners]


def rectangle(x, y, width, height, clockwise=True):
    if clockwise:
        return f"M{joined((x, y))}h{number(width)}v{number(height)}h{number(-width)}z"
    return f"M{joined((x, y))}v{number(height)}h{number(width)}v{number(-height)}z"


def circle(x, y, radius, clockwise=True):
    sweep = 1 if clockwise else 0
    half = f"a{number(radius)} {number(radius)} 0 0{sweep}"
    return f"M{joined((x - radius, y))}{half} {number(2 * radius)} 0{half} {number(-2 * radius)} 0z"


def path(data, **attributes):
    names = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'  <path{names} d="{data}"/>'


def stroked(data, width, color=INK, **attributes):
    return path(data, fill="none", stroke=color, stroke_width=number(width), **attributes)


# ---- Drawings ----


def retraced():
    """Lines that run back over themselves."""
    out = [stroked(f"M5 {number(5 + 4.3 * i)}H60Z", 0.4 + 0.25 * i) for i in range(8)]
    for i in range(12):
        x, y = cos(pi * (i + 0.5) / 24), sin(pi * (i + 0.5) / 24)
        out.append(stroked(f"M{joined((66 + 20 * x, 4 + 20 * y))}l{joined((38 * x, 38 * y))}Z", 0.8))
    out.append(stroked(" ".join(f"M32 90L{joined(end)}L32 90" for end in ring(32, 90, 28, 31)), 0.7, "#a21"))
    out.append(stroked("M70 70Q96 60 100 90Q96 60 70 70M74 96C90 80 100 120 122 72C100 120 90 80 74 96", 1, "#175"))
    teeth = [(68 + 2.2 * i, 108 if i % 2 else 122) for i in range(25)]
    out.append(stroked(polyline(teeth + teeth[::-1]), 0.6))
    return out


def time_series():
    """Noise: more samples than pixels."""
    random = Random(6000)
    out = []
    for top, count, width, color in ((4, 1800, 0.35, "#05a"), (46, 1200, 0.7, "#a30"), (88, 600, 0.25, INK)):
        points, level = [], 0.0
        for i in range(count):
            level = 0.97 * level + random.gauss(0, 1)
            y = min(max(top + 18 + 1.8 * level + random.gauss(0, 3), top), top + 36)
            points.append((4 + 120 * i / (count - 1), y))
        out.append(stroked(polyline(points), width, color, stroke_linejoin="round"))
    return out


def hatching():
    """Hatching and spirals thinner than a pixel."""
    lines = "".join(f"M4 {number(7 + 1.3 * i)}l52 {number(0.31 * i - 6)}" for i in range(40))
    cross = "".join(f"M{number(66 + 1.5 * i)} 4l-8 56M{number(67.5 + 1.5 * i)} 4l8 56" for i in range(0, 34, 2))
    spiral = [(33 + 0.09 * i * sin(0.22 * i), 95 + 0.09 * i * cos(0.22 * i)) for i in range(320)]
    close = [(95 + 0.062 * i * sin(0.4 * i), 95 - 0.062 * i * cos(0.4 * i)) for i in range(460)]
    return [
        stroked(lines, 0.3),
        stroked(cross, 0.4, "#731"),
        stroked(polyline(spiral), 0.6, "#264"),
        stroked(polyline(close), 0.25),
    ]


def stars():
    """Stars that cross themselves, with more points than pixels about their middles."""
    out = []
    kinds = ((5, 2), (7, 3), (9, 4), (16, 7), (25, 12), (36, 17), (49, 24), (64, 31), (101, 50))
    for i, (count, turns) in enumerate(kinds):
        data = polyline(ring(22 + 42 * (i % 3), 22 + 42 * (i // 3), 19.5, count, turns), closed=True)
        rule = {} if i % 2 else {"fill_rule": "evenodd"}
        out.append(path(data, fill=("#c80", "#247", "#922")[i % 3], **rule))
    return out


def bends():
    """Bends that are tighter than the pen is wide."""
    out = []
    for i in range(4):
        x = 18 + 30 * i
        out.append(stroked(f"M{x - 6} 34Q{x} {-6 - 3 * i} {x + 6} 34", 5 + 3 * i, "#2a7f62"))
        out.append(stroked(f"M{x} 52a{1 + i} {1 + i} 0 1 1 .1 .2", 9 + i, "#a43", stroke_linecap="round"))
    steps = (5 + 0.6 * i for i in range(7))
    waves = "M6 82" + "".join(f"q{joined((step / 2, -18, step, 0))}t{number(step)} 0" for step in steps)
    out.append(stroked(waves, 7, "#46a"))
    random = Random(7)
    walk = "M10 111c" + " ".join(
        joined((*(random.uniform(-9, 12) for _ in range(4)), 6, random.uniform(-2, 2))) for _ in range(17))
    out.append(stroked(walk, 4, "#555"))
    return out


def bar(x0, y0, x1, y1, width):
    """A straight stem as a contour of its own."""
    length = hypot(x1 - x0, y1 - y0)
    dx, dy = (x1 - x0) / length * width / 2, (y1 - y0) / length * width / 2
    corners = ((x0 - dy, y0 + dx), (x0 + dy, y0 - dx), (x1 + dy, y1 - dx), (x1 - dy, y1 + dx))
    return polyline(corners, closed=True)


def bowl(x, y, rx, ry, thickness):
    """Half a ring on the right of (x, y)."""
    inner_x, inner_y = rx - thickness, ry - thickness
    return (f"M{joined((x, y - ry))}A{number(rx)} {number(ry)} 0 0 1 {joined((x, y + ry))}v{number(-thickness)}"
            f"A{number(inner_x)} {number(inner_y)} 0 0 0 {joined((x, y - inner_y))}z")


def letter(name, x, y, size, weight):
    """A letter of overlapping contours, as fonts with variations have them; `size` high, on the base line y."""
    def at(u, v):
        return x + u * size, y - v * size

    def stem(u0, v0, u1, v1):
        return bar(*at(u0, v0), *at(u1, v1), weight)

    def half(u, v, r):
        return bowl(*at(u, v), r * size, r * size, weight)

    return {
        "A": lambda: stem(0, 0, 0.35, 1) + stem(0.7, 0, 0.35, 1) + stem(0.1, 0.3, 0.6, 0.3),
        "B": lambda: stem(0.08, 0, 0.08, 1) + half(0.05, 0.26, 0.27) + half(0.05, 0.75, 0.25),
        "K": lambda: stem(0.08, 0, 0.08, 1) + stem(0.05, 0.4, 0.6, 1) + stem(0.2, 0.55, 0.65, 0),
        "M": lambda: stem(0.05, 0, 0.05, 1) + stem(0.05, 1, 0.4, 0.2) + stem(0.4, 0.2, 0.7, 1) + stem(0.7, 1, 0.7, 0),
        "R": lambda: stem(0.08, 0, 0.08, 1) + half(0.05, 0.74, 0.26) + stem(0.15, 0.5, 0.55, 0),
        "X": lambda: stem(0, 0, 0.6, 1) + stem(0, 1, 0.6, 0),
        "E": lambda: stem(0.08, 0, 0.08, 1) + "".join(stem(0.04, v, 0.55, v) for v in (0.05, 0.5, 0.95)),
        "P": lambda: stem(0.08, 0, 0.08, 1) + half(0.05, 0.72, 0.28),
    }[name]()


def glyphs():
    """Text whose contours overlap."""
    out, y = [], 0
    for size in (5, 6.5, 8, 10, 13, 17, 21, 22):
        y += size + 3
        x, data, i = 4, "", 0
        while x + size < SIDE - 2:
            data += letter("RAMBEKXPAXMR"[i % 12], x, y, size, 0.13 * size)
            x, i = x + 0.93 * size, i + 1
        out.append(path(data, fill=INK))
    return out


def map_borders():
    """Countries in one path, each with its whole border, so borders between two are there twice."""
    random = Random(1848)
    steps, cells = 4, 6
    corners = {(i, j): (6 + 19.3 * i + random.uniform(-5, 5), 6 + 19.3 * j + random.uniform(-5, 5))
               for i in range(cells + 1) for j in range(cells + 1)}

    def border(a, b):
        """The points from one corner to another, the same in both directions."""
        first, last = sorted((a, b))
        wobble = Random(f"{first} {last}")
        points = []
        for i in range(1, steps + 1):
            t = i / (steps + 1)
            x, y = ((1 - t) * u + t * v for u, v in zip(corners[first], corners[last]))
            points.append((x + wobble.uniform(-1.5, 1.5), y + wobble.uniform(-1.5, 1.5)))
        return points if a == first else points[::-1]

    def country(i, j):
        around = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
        points = []
        for n in range(4):
            points += [corners[around[n]]] + border(around[n], around[(n + 1) % 4])
        return polyline(points, closed=True)

    data = "".join(country(i, j) for i in range(cells) for j in range(cells))
    return [path(data, fill="#cdb", stroke="#742", stroke_width=".7", stroke_linejoin="round")]


def grid():
    """Hairlines across each other in one path: stroked, filled, turned."""
    lines = "".join(f"M{number(4 + 2.33 * i)} 4v56M4 {number(4 + 2.33 * i)}h56" for i in range(25))
    bars = "".join(
        rectangle(66 + 2.71 * i, 4, 0.3, 56) + rectangle(66, 4 + 2.71 * i, 57, 0.3, False) for i in range(21))
    turned = "".join(f"M{joined((4 + 2.1 * i, 68))}l6 56M4 {number(68 + 2.1 * i)}l56 -6" for i in range(26))
    fine = "".join(f"M{number(68 + 1.03 * i)} 68v54M68 {number(68 + 1.03 * i)}h54" for i in range(53))
    return [stroked(lines, 0.25), path(bars, fill=INK), stroked(turned, 0.4, "#05a"), stroked(fine, 0.2, "#a30")]


def meshes():
    """Many contours folded by even-odd."""
    circles = "".join(circle(33 + 0.9 * i, 33 + 0.55 * i, 27 - 1.1 * i) for i in range(24))
    fans = "".join(
        polyline([(95 + 2 * cos(0.7 * i), 33 + 2 * sin(0.7 * i)), *ring(95, 33, 28, 90)[i:i + 2]], closed=True)
        for i in range(0, 89))
    random = Random(2007)
    triangles = "".join(
        polyline([(random.uniform(4, 62), random.uniform(66, 124)) for _ in range(3)], closed=True) for _ in range(90))
    boxes = "".join(rectangle(67 + 0.61 * i, 67 + 0.61 * i, 57 - 1.22 * i, 57 - 1.22 * i) for i in range(46))
    return [path(data, fill=color, fill_rule="evenodd")
            for data, color in ((circles, INK), (fans, "#05a"), (triangles, "#731"), (boxes, "#264"))]


def scribbles():
    """Translucent pens that cross their own lines."""
    out = []
    for seed, width, color in ((1, 0.8, "#05a"), (2, 1.6, "#a30"), (3, 3.1, "#172"), (4, 0.4, INK)):
        random = Random(seed)
        x, y = 64 * (seed % 2) + 32, 32 if seed < 3 else 96
        data = f"M{joined((x, y))}"
        for _ in range(60):
            data += "Q" + joined(v + random.uniform(-29, 29) for v in (x, y, x, y))
        out.append(stroked(data, width, color, stroke_opacity=".45", stroke_linejoin="round"))
    return out


DRAWINGS = (retraced, time_series, hatching, stars, bends, glyphs, map_borders, grid, meshes, scribbles)

# ---- Cases: paths of 40 x 40, what they are, and the corner of the part that is shown at 8x ----


def fan():
    """Hairlines from one point."""
    ends = ring(20.3, 20.2, 18, 28, phase=0.1)
    return "".join(polyline([(20.3, 20.2), (x, y), (x + 0.35, y + 0.2)], closed=True) for x, y in ends)


def crumbs():
    """Shapes smaller than a pixel, several in each."""
    random = Random(40)
    out = ""
    for _ in range(260):
        x, y = random.uniform(2, 37), random.uniform(2, 37)
        out += rectangle(x, y, random.uniform(0.2, 0.9), random.uniform(0.2, 0.9), random.random() < 0.6)
    return out


CASES = {
    "twice": (2 * (rectangle(5.5, 4, 0.5, 32) + circle(22.3, 20.4, 13.2)) + 2 * "M36 3l2.2 34h-.7z",
              "One contour, twice.", (33, 17)),
    "opposite": (rectangle(4.4, 4.4, 20, 20) + rectangle(10.7, 9.3, 24, 6, False) + circle(24, 26, 11.7) +
                 circle(24.2, 26.3, 11.7, False) + rectangle(4, 36.2, 30, 1) + rectangle(4, 36.4, 30, 0.9, False),
                 "Contours that turn against each other.", (13, 13)),
    "quads": ("M3 5L37 9L36 12.4L4 3.2zM4 16L37 34L33 36L8 14zM4 35L37 15L38 18L5 37zM3 24l35 .6v.4l-35 .5z",
              "Quadrilaterals that cross themselves and each other.", (18, 19)),
    "fan": (fan(), "Hairlines from one point.", (13, 13)),
    "comb": ("".join(rectangle(2 + 0.63 * i, 3 + 0.2 * i, 0.9, 30) for i in range(56)),
             "Bars that overlap by a third of a pixel.", (31, 10)),
    "pile": ("".join(rectangle(4 + 0.03 * i, 5 + 0.05 * i, 28.4, 27.3) for i in range(20)),
             "Twenty squares, almost the same.", (3, 4)),
    "star": (polyline(ring(20, 20.3, 18.4, 41, 20), closed=True), "A star of 41 points that winds 20 times.", (13, 13)),
    "spiral": (polyline([(20 + 0.1 * i * sin(0.45 * i), 20 + 0.1 * i * cos(0.45 * i)) for i in range(180)]),
               "A spiral, which a fill closes by a line.", (13, 13)),
    "retrace": ("M4 6H36ZM4 10.5L36 17ZM5 36C5 10 36 40 36 22C36 40 5 10 5 36M12 20l5 -6l5 6l-5 6l-5 -6l5 -6",
                "Lines and curves that run back over themselves.", (12, 15)),
    "crumbs": (crumbs(), "Shapes smaller than a pixel, of both turns.", (13, 13)),
}
CLIPS = ("opposite", "comb", "star", "crumbs")  # as clips by both rules
MASKS = ("fan", "star")  # as the content of masks


def panel(name, style, content):
    """Shows a case in three columns, one for each style."""
    out, (left, top) = [], CASES[name][2]
    for i in range(3):
        x = 1 + 43 * i
        out.append(content(style[i], f"translate({x} 1)", i))
        for j in range(3):
            small = f"translate({number(x + 0.37 * j + 13.4 * j)} {number(44 + 0.29 * j)})scale(.3)"
            out.append(content(style[i], small, i))
        out.append(f'  <g clip-path="url(#w{i})">')
        out.append("  " + content(style[i], f"translate({x - 8 * left} {60 - 8 * top})scale(8)", i))
        out.append("  </g>")
    return out


def windows():
    return [f'    <clipPath id="w{i}"><path d="{rectangle(1 + 43 * i, 60, CELL, 66)}"/></clipPath>' for i in range(3)]


def case_scene(name):
    data, text, _ = CASES[name]
    styles = (f'fill="{INK}"', 'fill="#05a" fill-rule="evenodd"', 'fill="none" stroke="#a30" stroke-width=".6"')
    body = panel(name, styles, lambda style, transform, i: f'  <use href="#c" {style} transform="{transform}"/>')
    return text, ["  <defs>", f'    <path id="c" d="{data}"/>', *windows(), "  </defs>", *body]


def clip_scene(name):
    """The shape clips by non-zero, by even-odd, and by even-odd inside itself by non-zero."""
    data, text, _ = CASES[name]
    defs = [f'    <path id="c" d="{data}"/>', '    <clipPath id="k0"><use href="#c"/></clipPath>',
            '    <clipPath id="k1"><use href="#c" clip-rule="evenodd"/></clipPath>',
            '    <clipPath id="k2" clip-path="url(#k0)"><use href="#c" clip-rule="evenodd" x=".4" y=".3"/></clipPath>']
    body = panel(name, (INK, "#05a", "#a30"), lambda color, transform, i:
                 f'  <path fill="{color}" clip-path="url(#k{i})" transform="{transform}" d="M0 0h40v40h-40z"/>')
    return "As clips. " + text, ["  <defs>", *defs, *windows(), "  </defs>", *body]


def mask_scene(name):
    """The shape masks: filled, by even-odd and translucent, stroked."""
    data, text, _ = CASES[name]
    inside = ('fill="#fff"', 'fill="#fff" fill-rule="evenodd" fill-opacity=".7"',
              'fill="none" stroke="#fff" stroke-width=".6"')
    defs = [f'    <path id="c" d="{data}"/>'] + [
        f'    <mask id="k{i}" maskUnits="userSpaceOnUse" x="0" y="0" width="40" height="40">'
        f'<use href="#c" {how}/></mask>'
        for i, how in enumerate(inside)]
    body = panel(name, (INK, "#05a", "#a30"), lambda color, transform, i:
                 f'  <path fill="{color}" mask="url(#k{i})" transform="{transform}" d="M0 0h40v40h-40z"/>')
    return "As masks. " + text, ["  <defs>", *defs, *windows(), "  </defs>", *body]


def write(folder, name, text, lines):
    with open(os.path.join(folder, name + ".svg"), "w", encoding="utf-8") as file:
        file.write("\n".join((f"<!-- {text} -->", HEAD, *lines, "</svg>", "")))


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "../scenes/coverage")
    os.makedirs(folder, exist_ok=True)
    for drawing in DRAWINGS:
        write(folder, drawing.__name__, drawing.__doc__, drawing())
    for name in CASES:
        write(folder, f"case_{name}", *case_scene(name))
    for name in CLIPS:
        write(folder, f"clip_{name}", *clip_scene(name))
    for name in MASKS:
        write(folder, f"mask_{name}", *mask_scene(name))


if __name__ == "__main__":
    main()
