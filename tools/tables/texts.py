# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The documents of the table of texts in docs/performance.md: from none to a hundred thousand glyphs."""

import os

WORDS = (
    "the quick brown fox jumps over a lazy dog while seven wizards box with five dozen liquor jugs and quietly judge "
    "my vow of black quartz sphinx"
).split()
PAGE_LINE, LONG_LINE = 69, 85  # characters of a line


def characters(count):
    """Words with blanks between them."""
    text, i = "", 0
    while len(text) < count:
        text += WORDS[i * i % 97 % len(WORDS)] + " "
        i += 1
    return text[: count - 1] + "."


def document(width, height, body, size=12):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="DejaVu Sans" '
        f'font-size="{size}">{body}</svg>'
    )


def lines(count, length, step):
    text = characters(count * length)
    return "".join(
        f'<text x="10" y="{step * (i + 1)}">{text[i * length : (i + 1) * length].strip()}</text>' for i in range(count)
    )


DOCUMENTS = {
    "no text": lambda: document(24, 24, '<path d="M2 2H22V22Z"/>'),
    "a first text": lambda: document(100, 30, '<text x="5" y="20">First text</text>'),
    "a page": lambda: document(800, 1471, lines(73, PAGE_LINE, 20), 14),
    "100,000 characters in lines": lambda: document(800, 14800, lines(1178, LONG_LINE, 12.5), 10),
    "1,000 tspan": lambda: document(
        800, 100, '<text y="50">' + "".join(f'<tspan x="{i % 100 * 8}" dy="{i % 3 - 1}">ab</tspan>' for i in range(1000)) + "</text>"
    ),
    "100,000 characters in one text": lambda: document(800, 100, f'<text y="50">{characters(100000)}</text>'),
}


def write(folder):
    """Returns names with paths."""
    paths = {}
    for name, make in DOCUMENTS.items():
        paths[name] = os.path.join(folder, name.replace(" ", "_").replace(",", "") + ".svg")
        with open(paths[name], "w", encoding="utf-8") as file:
            file.write(make())
    return paths
