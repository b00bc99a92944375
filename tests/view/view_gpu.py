#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""pietra-view by Vulkan, under validation with synchronization validation: its swapchain shows what `render` draws, when
the window changes, when the device is lost, and when it is lost for good."""
import os

from display import VALIDATION, WindowTest, draw, main, need_gpu
from shapes import PANEL, SHAPES, drag_about, move_over_elements, svg

VIEW = os.environ["PIETRA_FAULTY_VIEW"]


class Gpu(WindowTest):
    def test_the_swapchain_shows_what_render_draws(self):
        path = self.write("in.svg", svg())
        lose = self.write("lose", "")
        self.start(VIEW, "--device", "gpu", path, window_class="pietra-view", PIETRA_LOSE=lose, **VALIDATION)
        self.display.do("mousemove", 5, 5)
        self.expect(draw(path), "the first picture")
        for width, height in ((300, 200), (90, 310)):
            self.display.do("windowsize", self.window, width, height)
            self.expect_near(draw(path, "-w", str(width), "-h", str(height)).laid_in(width, height), f"{width} x {height}")
        self.display.do("windowsize", self.window, 200, 160)
        self.display.do("windowunmap", self.window)
        self.display.do("windowmap", self.window)
        self.expect(draw(path), "it is there again")
        self.write("in.svg", "<svg")
        self.wait(lambda: self.shown(1, 1).pixel(0, 0) == PANEL, lambda: "no panel")
        # The device is lost while it draws and as it is given a stream that outlives it, then twice.
        for bytes_lost, said, color in (("w", "opened again: the test lost the device", "lime"), ("s", "opened again: the test lost the device", "pink"),
                                        ("ss", "lost again; the CPU goes on", "gold")):
            self.write("lose", bytes_lost)
            self.write("in.svg", svg(SHAPES.replace("orange", color)))
            self.wait(lambda: said in self.said() and not self.output("lose"), lambda: f"not said: {said}")
            if "CPU" in said:
                before = self.window
                self.wait(lambda: before not in self.search("pietra-view"), lambda: "the window for Vulkan stays")
                self.find_window("pietra-view")
            self.expect(draw(path), color)
        self.end()
        self.expect_valid()

    def test_frames_in_flight(self):
        path = self.write("in.svg", svg())
        self.write("drawn", "")
        self.start(VIEW, "--device", "gpu", path, window_class="pietra-view", PIETRA_DRAWN=self.path("drawn"), PIETRA_ROTATE="1", **VALIDATION)
        self.display.do("mousemove", 5, 5)
        self.expect(draw(path), "the first picture")
        move_over_elements(self, path)
        drag_about(self, path)
        self.end()
        self.expect_valid()


if __name__ == "__main__":
    need_gpu()
    main()
