#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""examples/window.c: two shapes that move, in a window that changes its size, under validation."""
import os

from display import VALIDATION, WindowTest, main, need_gpu

STAR, DISC = (255, 153, 0), (0, 128, 128)


DISC_PIXELS = 5100  # of a disc whose radius is 40, and some more


class Window(WindowTest):
    def colors(self, width, height):
        return {picture.pixel(x, y) for picture in (self.shown(width, height),) for x in range(0, width, 2) for y in range(0, height, 2)}

    def test_two_shapes_move(self):
        self.start(os.environ["PIETRA_WINDOW"], window_class="window", **VALIDATION)
        self.wait(lambda: {STAR, DISC} <= self.colors(320, 240), lambda: f"the shapes are not there: {self.colors(320, 240)}")
        before = self.shown(320, 240)
        self.wait(lambda: self.shown(320, 240) != before, lambda: "nothing moves")
        # What is drawn anew covers where the shapes were: no trail is left.
        shown = self.shown(320, 240)
        self.assertLess(sum(shown.pixel(x, y) == DISC for x in range(320) for y in range(240)), DISC_PIXELS)
        self.display.do("windowsize", self.window, 200, 300)
        self.wait(lambda: self.shown(200, 300).pixel(199, 299) == (255, 255, 255) and {STAR, DISC} <= self.colors(200, 300), lambda: "it keeps its size")
        self.end()
        self.expect_valid()


if __name__ == "__main__":
    need_gpu()
    main()
