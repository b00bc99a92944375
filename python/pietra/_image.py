# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Images that scenes draw."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from ._arrays import read_pixels
from ._errors import check, expect, new_error
from ._native import ffi, lib

if TYPE_CHECKING:
    from ._scene import Scene

FILTERS = {
    "smooth": lib.PIETRA_FILTER_SMOOTH,
    "nearest": lib.PIETRA_FILTER_NEAREST,
    "high": lib.PIETRA_FILTER_HIGH,
}


class Image:
    """Pixels that a scene may draw. An image never changes, and any number of scenes and threads may share it."""

    def __init__(self, pixels: Any) -> None:
        """Copies an array of height x width x 4 bytes (uint8) in the order of C: R, G, B, A, straight sRGB, top row first.

        Anything with the buffer protocol will do, such as an array of numpy's or a Picture, and an RGBA image of
        Pillow's. TypeError: it is no array of uint8. ValueError: it has another shape or order. InputError: a side is 0
        or above 65,535.
        """
        view, width, height = read_pixels(pixels)
        made, error = ffi.new("pietra_image **"), new_error()
        if not width or not height:
            raise ValueError(f"pixels: an array of {height} x {width} x 4 is empty")
        check(lib.pietra_image_create(width, height, ffi.from_buffer(view), 0, error, made), error)
        self._take(made[0], width, height)

    def _take(self, handle: Any, width: float, height: float) -> None:
        self._handle = ffi.gc(handle, lib.pietra_image_destroy)
        self.width = width
        self.height = height

    @classmethod
    def from_scene(cls, scene: Scene, width: float, height: float) -> Image:
        """Makes an image of the scene's rectangle (0, 0) to (width, height), one unit a pixel, which stays sharp at any size.

        InputError: a side is not above 0, the scene has something open, or such images nest deeper than 16.
        """
        from ._scene import Scene

        expect(scene, Scene)
        made, error = ffi.new("pietra_image **"), new_error()
        with scene._use() as handle:
            result = lib.pietra_image_create_from_scene(handle, width, height, error, made)
        check(result, error)
        image = cls.__new__(cls)
        image._take(made[0], width, height)
        return image

    def __reduce__(self) -> NoReturn:
        raise TypeError("an Image cannot be pickled; the array that it was made of can, and so can a Stream")
