# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A document for the tests of the viewer."""

SHAPES = '<circle id="disc" cx="80" cy="80" r="60" fill="orange" stroke="navy" stroke-width="7"/>\n<path id="sail" d="M100 20L180 140L60 120z" fill="teal" opacity=".7"/>'
PANEL = (23, 23, 31)  # the viewer's paper for text


def svg(content=SHAPES, width=200, height=160):
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n{content}\n</svg>\n'
