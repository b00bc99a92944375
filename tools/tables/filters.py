# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The documents of the tables of filters and patterns in docs/effects.md: blurs of a 4K picture, and cells of patterns."""

import os

WIDTH, HEIGHT = 3840, 2160
SHAPES = 200
SIGMAS = (1, 2, 5, 20, 100)
CELL_SIDES = (2400, 8000)  # pixels of the pictures


def document(width, height, body):
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{body}</svg>'


def circles():
    return "".join(
        f'<circle cx="{i * 947 % WIDTH}" cy="{i * 613 % HEIGHT}" r="{40 + i * 37 % 160}" '
        f'fill="#{i * 2654435761 % 0xFFFFFF:06x}" fill-opacity="{0.4 + i % 7 / 10:.1f}"/>'
        for i in range(SHAPES)
    )


def blur(sigma):
    return document(
        WIDTH,
        HEIGHT,
        f'<filter id="f" filterUnits="userSpaceOnUse" x="0" y="0" width="{WIDTH}" height="{HEIGHT}" '
        f'color-interpolation-filters="sRGB"><feGaussianBlur stdDeviation="{sigma}"/></filter>'
        f'<g filter="url(#f)">{circles()}</g>',
    )


def cells(side):
    return document(
        side,
        side,
        '<pattern id="p" width="3" height="3" patternUnits="userSpaceOnUse"><path d="M0 0h2v2h-2z" fill="#248"/>'
        '<path d="M1 1h2v2h-2z" fill="#fa0" fill-opacity=".5"/></pattern>'
        f'<path d="M0 0H{side}V{side}H0z" fill="url(#p)"/>',
    )


def write(folder, drawing):
    """Writes the documents. Returns the path and the width in pixels by name. `drawing` is Anime_Girl.svg, or None."""
    documents = {f"blur at 4K, sigma {sigma}": (blur(sigma), WIDTH) for sigma in SIGMAS}
    documents.update({f"cells of 3 px, {side} px": (cells(side), side) for side in CELL_SIDES})
    written = {}
    for i, (name, (text, width)) in enumerate(documents.items()):
        path = os.path.join(folder, f"filters-{i}.svg")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        written[name] = (path, width)
    for width in (1024, 2048) if drawing else ():
        written[f"Anime_Girl, {width} px"] = (drawing, width)
    return written
