#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes scenes/showcase/pietra.svg: a panel of inlaid stone, a bouquet in a vase between two birds.

    tools/make_showcase.py > scenes/showcase/pietra.svg
"""
from math import cos, sin
from random import Random

SIDE = 512
random = Random(1588)  # the year in which the workshop of Florence was founded
out = []


def number(x):
    text = f"{x:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def points(*values):
    return " ".join(number(v) for v in values)


def put(text, indent=1):
    out.append("  " * indent + text)


def ramp(name, colors, kind="linearGradient", attributes=""):
    stops = "".join(
        f'<stop offset="{number(i / (len(colors) - 1))}" stop-color="{c}"/>' for i, c in enumerate(colors))
    put(f'<{kind} id="{name}"{" " + attributes if attributes else ""}>{stops}</{kind}>', 2)


def leaf_path(length, width, bend=0.0, tip=0.6):
    """A leaf from the origin to (length, bend)."""
    return (f"M0 0 C{points(length * 0.25, -width, length * tip, -width * 0.9 + bend, length, bend)} "
            f"C{points(length * tip, width * 0.7 + bend, length * 0.25, width, 0, 0)} Z")


def placed(x, y, angle, scale=1.0):
    text = f"translate({points(x, y)}) rotate({number(angle)})"
    return text if scale == 1.0 else text + f" scale({number(scale)})"


def leaf(x, y, angle, length, width, hue="green"):
    """Two halves cut from two pieces of stone, with a rib between."""
    bend = random.uniform(-0.12, 0.12) * length
    put(f'<g transform="{placed(x, y, angle)}">', 2)
    rib = f"C{points(length * 0.3, bend * 0.1, length * 0.6, bend * 0.7, length, bend)}"
    put(f'<path d="{leaf_path(length, width, bend)}" fill="url(#{hue})" stroke="#0b0b0c" stroke-width="0.5"/>', 3)
    put(f'<path d="M0 0 C{points(length * 0.25, -width, length * 0.6, -width * 0.9 + bend, length, bend)} '
        f'C{points(length * 0.6, bend * 0.7, length * 0.3, bend * 0.1, 0, 0)} Z" fill="#fff" fill-opacity="0.13"/>', 3)
    veins = "".join(
        f"M{points(length * t, bend * t * t)} L{points(length * (t + 0.14), bend * t + side * width * 0.62 * (1.05 - t))}"
        for t in (0.2, 0.36, 0.52, 0.68) for side in (-1, 1))
    put(f'<path d="M0 0 {rib} {veins}" fill="none" stroke="#d9e8c4" stroke-opacity="0.5" stroke-width="0.6"/>', 3)
    put("</g>", 2)


def flower(x, y, radius, count, outer, inner, heart, turn=0.0, width=0.34):
    put(f'<g transform="translate({points(x, y)})">', 2)
    for ring, (scale, paint) in enumerate(((1.0, outer), (0.66, inner))):
        for i in range(count):
            angle = turn + 360 / count * (i + 0.5 * ring)
            length = radius * scale * random.uniform(0.95, 1.05)
            put(f'<g transform="rotate({number(angle)})"><path d="{leaf_path(length, length * width, 0, 0.85)}" fill="url(#{paint})" '
                f'stroke="#140a0a" stroke-width="0.6"/>'
                f'<path d="M{points(length * 0.3, 0)} Q{points(length * 0.6, -length * 0.06, length * 0.88, 0)} '
                f'M{points(length * 0.34, length * 0.05)} L{points(length * 0.7, length * 0.12)} '
                f'M{points(length * 0.34, -length * 0.05)} L{points(length * 0.7, -length * 0.12)}" '
                f'fill="none" stroke="#fff" stroke-opacity="0.35" stroke-width="0.5"/></g>', 3)
    put(f'<circle r="{number(radius * 0.2)}" fill="url(#{heart})" stroke="#140a0a" stroke-width="0.6"/>', 3)
    put(f'<circle r="{number(radius * 0.13)}" fill="none" stroke="#3a1d06" stroke-width="{number(radius * 0.05)}" '
        f'stroke-linecap="round" stroke-dasharray="0 {number(radius * 0.09)}"/>', 3)
    put("</g>", 2)


def tulip(x, y, angle, size, paint):
    put(f'<g transform="{placed(x, y, angle, size)}" stroke="#140a0a" stroke-width="0.6">', 2)
    put(f'<path d="M0 0 C-16 -4 -18 -22 -12 -36 C-8 -28 -3 -24 0 -12 Z" fill="url(#{paint})"/>', 3)
    put(f'<path d="M0 0 C16 -4 18 -22 12 -36 C8 -28 3 -24 0 -12 Z" fill="url(#{paint})"/>', 3)
    put(f'<path d="M0 0 C-10 -8 -9 -26 0 -40 C9 -26 10 -8 0 0 Z" fill="url(#{paint}-light)"/>', 3)
    put('<path d="M0 -4 V-30 M-3 -8 Q-5 -18 -2 -28 M3 -8 Q5 -18 2 -28" fill="none" stroke="#fff" stroke-opacity="0.4" stroke-width="0.5"/>', 3)
    put("</g>", 2)


def stem(path, width=3.0):
    put(f'<path d="{path}" fill="none" stroke="#12240f" stroke-width="{number(width + 1)}" stroke-linecap="round"/>', 2)
    put(f'<path d="{path}" fill="none" stroke="#5c8a45" stroke-width="{number(width)}" stroke-linecap="round"/>', 2)
    put(f'<path d="{path}" fill="none" stroke="#c5dba4" stroke-opacity="0.55" stroke-width="{number(width * 0.3)}" stroke-linecap="round"/>', 2)


def cherry(x, y, radius):
    put(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="url(#cherry)" stroke="#22060a" stroke-width="0.5"/>', 2)
    put(f'<ellipse cx="{number(x - radius * 0.35)}" cy="{number(y - radius * 0.4)}" rx="{number(radius * 0.25)}" ry="{number(radius * 0.16)}" '
        f'transform="rotate(-40 {points(x - radius * 0.35, y - radius * 0.4)})" fill="#fff" fill-opacity="0.75"/>', 2)


def definitions():
    put("<defs>")
    ramp("green", ["#1f4a2a", "#3f7a3c", "#8fae55"])
    ramp("malachite", ["#0d3b34", "#1f7a63", "#58b08c"])
    ramp("coral", ["#7c1216", "#cf3a2b", "#f2937a"])
    ramp("rose", ["#a63a52", "#e08a92", "#f7dcd3"])
    ramp("amber", ["#8a4a0c", "#dd9a26", "#f8df94"])
    ramp("ivory", ["#c9b48a", "#efe4c6", "#fffaf0"])
    ramp("lapis", ["#0f1f5c", "#2b4fb0", "#7f9fe0"])
    ramp("violet", ["#33164f", "#7247a0", "#c3a3dc"])
    for name, light in (("coral", ["#a81f1c", "#f0705a", "#ffd0b8"]), ("amber", ["#a8620f", "#f0b83c", "#fff0b8"]),
                        ("violet", ["#4a2370", "#9b70c4", "#e4d2f0"])):
        vertical = 'gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2="-40"'
        dark = {"coral": ["#7c1216", "#cf3a2b", "#f2937a"], "amber": ["#8a4a0c", "#dd9a26", "#f8df94"],
                "violet": ["#33164f", "#7247a0", "#c3a3dc"]}[name]
        ramp("tulip-" + name, dark, attributes=vertical)
        ramp("tulip-" + name + "-light", light, attributes=vertical)
    ramp("heart", ["#fff3b0", "#e5a823", "#7a3b12"], "radialGradient", 'fx="0.35" fy="0.35"')
    ramp("cherry", ["#ff9a86", "#c8102e", "#4a0512"], "radialGradient", 'cx="0.5" cy="0.5" r="0.6" fx="0.3" fy="0.3"')
    ramp("ground", ["#2b2b30", "#17171b", "#0c0c0f"], "radialGradient", 'cx="0.5" cy="0.45" r="0.75"')
    ramp("vase", ["#16306e", "#4f7bd0", "#2b4fb0", "#0e1c4c"], attributes='x2="1" y2="0"')
    ramp("gold", ["#8a6414", "#f6dc8c", "#b88a24", "#f2d070", "#7a5410"], attributes='x2="1" y2="1"')
    ramp("siena", ["#e8c070", "#c8963c", "#e0b45c", "#b98230"], attributes='spreadMethod="reflect" x2="0.35" y2="0.2"')
    ramp("feather", ["#0d5c4a", "#22a07a", "#a8e08c"])
    ramp("wing", ["#12306e", "#2f7fc4", "#a6dcec"])
    ramp("breast", ["#f6d24a", "#e8862c", "#b8341c"], attributes='x2="0" y2="1"')
    put('<clipPath id="panel"><path d="M96 64 H416 L448 96 V416 L416 448 H96 L64 416 V96 Z"/></clipPath>', 2)
    put('<clipPath id="body"><path d="M-34 0 C-40 34 -24 62 -10 68 H10 C24 62 40 34 34 0 Z"/></clipPath>', 2)
    put("</defs>")


def veins(count, color, opacity):
    """Wandering veins of the marble."""
    put(f'<g fill="none" stroke="{color}" stroke-opacity="{opacity}" stroke-linecap="round">', 2)
    for _ in range(count):
        x, y, angle = random.uniform(40, 470), random.uniform(40, 470), random.uniform(0.5, 1.1)
        path = f"M{points(x, y)}"
        for _ in range(5):
            step = random.uniform(14, 40)
            angle += random.uniform(-0.5, 0.5)
            nx, ny = x + step * cos(angle), y + step * sin(angle)
            path += f" Q{points(x + step * 0.5 * cos(angle - 0.5), y + step * 0.5 * sin(angle - 0.5), nx, ny)}"
            x, y = nx, ny
        put(f'<path d="{path}" stroke-width="{number(random.choice((0.3, 0.5, 0.5, 0.9)))}"/>', 3)
    put("</g>", 2)


def border():
    put("<!-- The frame: bands of yellow marble, gold lines, lozenges of coral, lapis and malachite. -->")
    put('<rect width="512" height="512" fill="#1a0f0c"/>')
    put('<rect x="6" y="6" width="500" height="500" fill="url(#siena)"/>')
    put('<rect x="12" y="12" width="488" height="488" fill="#101014" stroke="url(#gold)" stroke-width="1.5"/>')
    names = ("coral", "lapis", "malachite", "amber")
    count = 20
    put('<g stroke="#0b0b0c" stroke-width="0.6">')
    for side in range(4):
        put(f'<g transform="rotate({90 * side} 256 256)">', 2)
        for i in range(count):
            x, y, half = 46 + (i + 0.5) * 420 / count, 32, 420 / count / 2
            put(f'<path d="M{points(x - half, y)} L{points(x, y - 13)} L{points(x + half, y)} L{points(x, y + 13)} Z" fill="url(#{names[i % 4]})"/>', 3)
            put(f'<path d="M{points(x - half * 0.45, y)} L{points(x, y - 6)} L{points(x + half * 0.45, y)} L{points(x, y + 6)} Z" fill="url(#ivory)"/>', 3)
        put(f'<rect x="18" y="18" width="28" height="28" fill="url(#violet)"/><circle cx="32" cy="32" r="10.5" fill="url(#ivory)"/>'
            f'<path d="M32 22 Q34 30 42 32 Q34 34 32 42 Q30 34 22 32 Q30 30 32 22 Z" fill="url(#coral)"/>', 3)
        put("</g>", 2)
    put("</g>")
    put('<rect x="52" y="52" width="408" height="408" fill="url(#siena)" stroke="url(#gold)" stroke-width="1.5"/>')
    for x, y, turn in ((64, 64, 0), (448, 64, 90), (448, 448, 180), (64, 448, 270)):
        put(f'<path transform="{placed(x, y, turn)}" d="M0 0 H26 L0 26 Z" fill="url(#malachite)" stroke="#0b0b0c" stroke-width="0.6"/>')
        put(f'<circle transform="{placed(x, y, turn)}" cx="8.5" cy="8.5" r="4.5" fill="url(#heart)"/>')
    put('<path d="M96 64 H416 L448 96 V416 L416 448 H96 L64 416 V96 Z" fill="url(#ground)" stroke="url(#gold)" stroke-width="3"/>')


def vase():
    put("<!-- The vase of lapis lazuli, with bands and veins cut to its body. -->")
    put('<g transform="translate(256 344)">')
    put('<path d="M-20 84 H20 L26 94 H-26 Z M-9 66 H9 L14 86 H-14 Z" fill="url(#gold)" stroke="#0b0b0c" stroke-width="0.6"/>', 2)
    for side in (-1, 1):
        put(f'<path transform="scale({side} 1)" d="M30 4 C64 -10 62 40 30 44" fill="none" stroke="url(#gold)" stroke-width="4.5" stroke-linecap="round"/>', 2)
    put('<g clip-path="url(#body)">', 2)
    put('<rect x="-42" y="-4" width="84" height="76" fill="url(#vase)"/>', 3)
    put('<g fill="none" stroke="#dfe8ff" stroke-opacity="0.4">', 3)
    for i in range(14):
        x, y = random.uniform(-40, 30), random.uniform(-2, 66)
        put(f'<path d="M{points(x, y)} q{points(6, random.uniform(-5, 5), 12, random.uniform(-3, 3))} t{points(11, random.uniform(-4, 4))}" '
            f'stroke-width="{number(random.uniform(0.3, 0.9))}"/>', 4)
    put("</g>", 3)
    put('<path d="M-42 14 H42 V20 H-42 Z M-42 48 H42 V53 H-42 Z" fill="url(#gold)"/>', 3)
    for i in range(9):
        put(f'<path d="M{points(-36 + 9 * i, 34)} l4.5 -9 l4.5 9 l-4.5 9 Z" fill="url(#{"ivory" if i % 2 else "coral"})" stroke="#0b0b0c" stroke-width="0.4"/>', 3)
    put('<path d="M-26 0 C-31 30 -20 56 -8 68 H-3 C-14 52 -22 28 -18 0 Z" fill="#fff" fill-opacity="0.22"/>', 3)
    put("</g>", 2)
    put('<path d="M-34 0 C-40 34 -24 62 -10 68 H10 C24 62 40 34 34 0 Z" fill="none" stroke="#060a1a" stroke-width="0.8"/>', 2)
    put('<rect x="-38" y="-7" width="76" height="9" rx="3" fill="url(#gold)" stroke="#0b0b0c" stroke-width="0.6"/>', 2)
    put("</g>")


def bird():
    put('<g id="bird">')
    put('<path d="M8 64 C34 70 60 66 92 58" fill="none" stroke="#4a2a12" stroke-width="5" stroke-linecap="round"/>', 2)
    put('<path d="M8 63 C34 69 60 65 92 57" fill="none" stroke="#b07a44" stroke-opacity="0.7" stroke-width="1.5" stroke-linecap="round"/>', 2)
    for x, y, angle in ((22, 67, 60), (70, 64, 45), (84, 60, -40), (36, 68, 115)):
        leaf(x, y, angle, 18, 6, "malachite")
    for i in range(6):
        put(f'<path transform="{placed(34 - i * 1.5, 50 + i * 1.2, 138 - 9 * i)}" d="{leaf_path(52 - 3 * i, 5)}" '
            f'fill="url(#{"wing" if i % 2 else "feather"})" stroke="#08140f" stroke-width="0.5"/>', 2)
    put('<path d="M26 52 C26 30 44 12 62 10 C76 8 84 18 80 30 C76 48 58 62 40 62 C32 62 26 58 26 52 Z" fill="url(#breast)" stroke="#1c0b04" stroke-width="0.7"/>', 2)
    put('<path d="M52 14 C58 0 78 -2 84 10 C90 22 80 32 70 30 C58 28 50 22 52 14 Z" fill="url(#feather)" stroke="#08140f" stroke-width="0.7"/>', 2)
    for row, (length, paint) in enumerate(((40, "wing"), (31, "feather"), (20, "wing"))):
        for i in range(6 - row):
            put(f'<path transform="{placed(56 - 3 * i + 2 * row, 26 + 3.2 * i, 128 - 7 * i + 6 * row)}" d="{leaf_path(length - 2 * i, 4.6)}" '
                f'fill="url(#{paint})" stroke="#081018" stroke-width="0.45"/>', 2)
    put('<path d="M84 8 C96 6 99 14 95 21 C92 16 88 16 84 17 Z" fill="url(#amber)" stroke="#1c0b04" stroke-width="0.6"/>', 2)
    put('<circle cx="75" cy="11" r="3.6" fill="#fffaf0"/><circle cx="75.6" cy="11" r="2.1" fill="#0b0b0c"/><circle cx="76.3" cy="10.2" r="0.7" fill="#fff"/>', 2)
    put('<path d="M48 60 L46 68 M54 58 L54 68" fill="none" stroke="#e0a060" stroke-width="2" stroke-linecap="round"/>', 2)
    put("</g>")


def bouquet():
    put("<!-- The bouquet: stems first, then leaves, then flowers from the back to the front. -->")
    put("<g>")
    for side in (-1, 1):
        for dx, dy, bx in ((18, -120, 40), (70, -150, 10), (110, -100, 30), (62, -78, 20)):
            stem(f"M{points(256 + side * 6, 340)} C{points(256 + side * 8, 290, 256 + side * bx, 270, 256 + side * dx, 340 + dy)}")
    stem("M256 340 C250 280 262 220 256 146", 3.5)
    for side in (-1, 1):
        base = 90 - side * 90
        for x, y, angle, length in ((40, 300, -35, 46), (58, 282, -62, 40), (30, 318, -8, 54), (84, 252, -15, 40), (50, 236, -75, 44),
                                    (96, 226, -58, 36), (20, 250, -70, 40), (66, 318, 18, 44), (36, 206, -100, 34), (112, 262, 25, 34)):
            leaf(256 + side * x, y, base + side * angle, length, length * 0.26, random.choice(("green", "malachite")))
    tulip(256, 150, 0, 1.25, "tulip-coral")
    for side in (-1, 1):
        tulip(256 + side * 70, 194, side * 22, 1.05, "tulip-amber" if side < 0 else "tulip-violet")
        flower(256 + side * 112, 240, 24, 8, "rose", "ivory", "heart", 11)
        flower(256 + side * 22, 216, 25, 9, "lapis" if side < 0 else "violet", "ivory", "heart", 20)
        flower(256 + side * 62, 266, 29, 10, "coral", "rose", "heart", 5 * side)
    flower(256, 282, 38, 12, "ivory", "amber", "heart", 0)
    for side in (-1, 1):
        for x, y, r in ((88, 300, 8), (102, 308, 8.5), (94, 318, 7.5)):
            stem(f"M{points(256 + side * 50, 312)} Q{points(256 + side * 76, 290, 256 + side * x, y - r)}", 1)
            cherry(256 + side * x, y, r)
    put("</g>")


def butterfly(x, y, angle, size):
    put(f'<g transform="{placed(x, y, angle, size)}" stroke="#140a0a" stroke-width="0.6" opacity="0.92">')
    for side in (-1, 1):
        put(f'<g transform="scale({side} 1)"><path d="M0 0 C6 -24 34 -28 32 -10 C31 2 14 6 0 2 Z" fill="url(#amber)"/>'
            f'<path d="M0 2 C14 4 26 12 20 22 C14 30 3 18 0 4 Z" fill="url(#coral)"/>'
            f'<circle cx="22" cy="-11" r="4" fill="#1f4e9c"/><circle cx="22" cy="-11" r="1.8" fill="#fff"/><circle cx="13" cy="15" r="3" fill="#fff" fill-opacity="0.7"/>'
            f'<path d="M0 -6 C2 -16 6 -20 10 -22" fill="none"/></g>', 2)
    put('<ellipse rx="2.2" ry="11" cy="2" fill="#2b1608"/>', 2)
    put("</g>")


def main():
    out.append("<!-- A panel of inlaid stone: a bouquet in a vase of lapis between two birds, framed in yellow marble. tools/make_showcase.py writes it. -->")
    out.append(f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE}" height="{SIDE}" viewBox="0 0 512 512">')
    definitions()
    border()
    put('<g clip-path="url(#panel)">')
    veins(26, "#cfd3dc", 0.16)
    put('<ellipse cx="256" cy="444" rx="120" ry="10" fill="#000" fill-opacity="0.45"/>', 2)
    put("</g>")
    bouquet()
    vase()
    put('<g transform="translate(70 330)">')
    bird()
    put("</g>")
    put('<use href="#bird" transform="translate(442 330) scale(-1 1)"/>')
    butterfly(134, 128, -24, 1)
    butterfly(376, 122, 30, 0.8)
    for x, y in ((256, 84), (110, 98), (402, 98)):
        put(f'<path transform="translate({x} {y})" d="M0 -9 Q1.5 -1.5 9 0 Q1.5 1.5 0 9 Q-1.5 1.5 -9 0 Q-1.5 -1.5 0 -9 Z" fill="url(#gold)"/>')
    out.append("</svg>")
    print("\n".join(out))


main()
