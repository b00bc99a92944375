# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pictures: the pixels of a frame."""
from __future__ import annotations

import operator
import os
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple, Union

from ._errors import DocumentWarning, check, encode_text, new_error
from ._native import ffi, lib
from ._pixels import Pixels

if TYPE_CHECKING:
    import PIL.Image

# Endings of formats of pictures that are not written. A file with another ending is a PNG.
_OTHER_ENDINGS = frozenset(
    ".avif .bmp .emf .eps .exr .gif .heic .heif .ico .jp2 .jpe .jpg .jpeg .jxl .pam .pbm .pdf .pgm .pnm .ppm .ps .psd "
    ".qoi .svg .svgz .tga .tif .tiff .webp .wmf .xps".split()
)

# A part of a picture: x, y, width, height.
Cut = Tuple[int, int, int, int]


class Picture(Pixels):
    """Pixels: height rows of width pixels, the top row first, each R, G, B and A, straight sRGB.

    A picture offers a buffer and an array interface of the shape (height, width, 4) and the type uint8, without a copy:
    `numpy.asarray(picture)` shares its memory, and changes it. `bytes(picture)` copies. Pictures can be pickled.
    """

    file: Optional[str] = None
    warnings: Tuple[DocumentWarning, ...] = ()

    @property
    def shape(self) -> Tuple[int, int, int]:
        return self.height, self.width, 4

    @property
    def __array_interface__(self) -> Dict[str, Any]:
        return {"version": 3, "shape": self.shape, "typestr": "|u1", "data": (self._address, False)}

    def __repr__(self) -> str:
        return f"<pietra.Picture of {self.width} x {self.height} pixels>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Picture):
            return NotImplemented
        return self.shape == other.shape and memoryview(self) == memoryview(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Tuple[Any, Tuple[Any, ...]]:
        return _rebuild, (self.width, self.height, bytes(self), self.file, self.warnings)

    def _target(self, cut: Optional[Cut] = None) -> Any:
        x, y, width, height = map(operator.index, (0, 0, self.width, self.height) if cut is None else cut)
        if min(x, y) < 0 or min(width, height) < 1 or x + width > self.width or y + height > self.height:
            raise ValueError(f"{width} x {height} pixels at {x}, {y} are not all in {self.width} x {self.height}")
        target = ffi.new("pietra_target *")
        target.width = width
        target.height = height
        target.pixels = ffi.cast("void *", self._address + 4 * (y * self.width + x))
        target.stride_bytes = 4 * self.width
        return target

    def png(self, cut: Optional[Cut] = None) -> bytes:
        """Returns the bytes of a PNG file, in the smallest format that loses nothing. All cores work on it.

        cut, (x, y, width, height), is the part of the picture that the file shows; None: all of it.
        """
        data, count, error = ffi.new("void **"), ffi.new("size_t *"), new_error()
        check(lib.pietra_encode_png(self._target(cut), error, data, count), error)
        try:
            return bytes(ffi.buffer(data[0], count[0]))
        finally:
            lib.free(data[0])

    def _repr_png_(self) -> bytes:
        """What notebooks show."""
        return self.png()

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes a PNG file, which appears whole or not at all.

        ValueError: the path ends as a file of another format of pictures. FileError: it cannot be written.
        """
        data, name = encode_text(path, "the path"), os.fsdecode(path)
        ending = os.path.splitext(name)[1].lower()
        if ending in _OTHER_ENDINGS:
            raise ValueError(f"{name}: {ending} is not written; .png is, and other formats by Picture.to_pil()")
        error = new_error()
        check(lib.pietra_write_png(data, self._target(), error), error, name)

    def to_pil(self) -> PIL.Image.Image:
        """Returns an image of Pillow's, in mode RGBA, that shares the memory."""
        import PIL.Image

        return PIL.Image.frombuffer("RGBA", (self.width, self.height), self, "raw", "RGBA", 0, 1)


def _rebuild(
    width: int, height: int, data: bytes, file: Optional[str], warnings: Tuple[DocumentWarning, ...]
) -> Picture:
    picture = Picture(width, height)
    ffi.memmove(ffi.cast("void *", picture._address), data, len(data))
    picture.file = file
    picture.warnings = warnings
    return picture
