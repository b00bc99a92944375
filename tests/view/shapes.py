# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A document for the tests of the viewer, and what is tested on all devices."""
from display import draw

SHAPES = '<circle id="disc" cx="80" cy="80" r="60" fill="orange" stroke="navy" stroke-width="7"/>\n<path id="sail" d="M100 20L180 140L60 120z" fill="teal" opacity=".7"/>'
PANEL = (23, 23, 31)  # the viewer's paper for text


def svg(content=SHAPES, width=200, height=160):
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n{content}\n</svg>\n'


def drag_about(test, path):
    """Drags the shapes about in windows of other sizes, with a panel that comes, grows and goes. No frame that was on its
    way may be the last one."""
    test.display.do("mousemove", 60, 40, "click", "--repeat", 4, 4)
    for size in ((200, 160), (260, 200), (200, 160)):
        test.keys("t")
        test.display.do("windowsize", test.window, *size, "mousemove", 60, 40, "mousedown", 1)
        for _ in range(3):
            test.display.do(*(word for i in range(60) for word in ("mousemove", 60 + 13 * i % 90, 40 + 7 * i % 70)))
            test.keys("i")
        test.display.do("mousemove", 100, 80, "mousemove", 60, 40, "mouseup", 1)
        test.keys("t", "i")
    expect_part(test, path, 30)
    # Pictures that overtake one another come into images that hold earlier steps.
    for step in range(1, 6):
        test.keys("Right")
        expect_part(test, path, 30 + 24 * step)
        test.keys("i")
        expect_below_panel(test, part(path, 30 + 24 * step))
        test.display.do(*(word for i in range(60 + step) for word in ("mousemove", 60 + 13 * i % 90, 40 + 7 * i % 70)))
        test.keys("i")
        expect_part(test, path, 30 + 24 * step)


def part(path, x):
    return draw(f"{path}#svgView(viewBox({x},20,100,80))", "-w", "200", "-h", "160")


def expect_part(test, path, x):
    test.expect(part(path, x), f"at {x}")


def expect_below_panel(test, picture):
    """Expects a panel of few lines, and the document below it."""
    test.wait(lambda: test.shown(1, 1).pixel(0, 0) == PANEL and test.shown(200, 160).cut(0, 80, 200, 80) == picture.cut(0, 80, 200, 80),
              lambda: "no panel, or another document below it")


def move(test, places):
    """Moves the pointer, and waits for a frame after each step."""
    for place in places:
        before = len(test.drawn())
        test.display.do("mousemove", *place)
        test.wait(lambda: len(test.drawn()) > before, lambda: "the panel stays as it was")


def move_over_elements(test, path):
    """Lets the panel alone change, and expects that little is drawn once all images hold the document, and enough."""
    test.display.do("mousemove", 180, 150)
    test.keys("i")
    move(test, [((50, 100), (170, 134), (195, 150))[i % 3] for i in range(24)])
    test.assertEqual([frame for frame in test.drawn()[-8:] if frame[3] > 80], [])
    # The same text again needs nothing of the document.
    move(test, [(194 - i, 150) for i in range(10)])
    test.assertEqual([frame for frame in test.drawn()[-6:] if frame[:2] == (200, 160)], [])
    test.keys("t")
    test.wait(lambda: test.shown(200, 160).pixel(2, 100) == PANEL, lambda: "no times")
    move(test, [(190 - i, 140) for i in range(4)])
    test.keys("t")
    for x in range(3):
        expect_below_panel(test, draw(path))
        move(test, [(180 - x, 140)])
    test.keys("i")
    test.expect(draw(path), "without a panel")
