# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Transforms, boxes and colours."""
from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from ._errors import InputError
from ._native import ffi, lib


class Transform(NamedTuple):
    """An affine map in SVG's order: x' = a x + c y + e, y' = b x + d y + f. The default is the identity.

    `outer @ inner` is the map that applies `inner` first. Wherever a transform is wanted, any six numbers will do.
    """

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    @staticmethod
    def translate(x: float, y: float = 0.0) -> Transform:
        """Moves by (x, y) units."""
        return _transform(lib.pietra_translate(x, y))

    @staticmethod
    def rotate(degrees: float) -> Transform:
        """Turns around (0, 0), clockwise as seen, because y points down."""
        return _transform(lib.pietra_rotate(degrees))

    @staticmethod
    def scale(x: float, y: Optional[float] = None) -> Transform:
        """Multiplies x, and y by the same factor unless it has one of its own."""
        return _transform(lib.pietra_scale(x, x if y is None else y))

    def __matmul__(self, inner: TransformLike) -> Transform:
        return _transform(lib.pietra_multiply(tuple(self), _six_numbers(inner)))

    def invert(self) -> Transform:
        """Returns the map that undoes this one. ZeroDivisionError: there is none."""
        inverse = ffi.new("pietra_transform *")
        if not lib.pietra_invert(tuple(self), inverse):
            raise ZeroDivisionError("the transform is singular")
        return _transform(inverse)

    def map(self, x: float, y: float) -> Tuple[float, float]:
        """Maps a point."""
        point = ffi.new("double[2]", (x, y))
        lib.pietra_map(tuple(self), point, point + 1)
        return point[0], point[1]


TransformLike = Union[Transform, Sequence[float]]


def _transform(made: Any) -> Transform:
    return Transform(made.a, made.b, made.c, made.d, made.e, made.f)


def _six_numbers(transform: TransformLike) -> Tuple[float, ...]:
    numbers = tuple(transform)
    if len(numbers) != 6:
        raise ValueError(f"a transform has six numbers, not {len(numbers)}")
    return numbers


def transform_pointer(transform: Optional[TransformLike]) -> Any:
    """Returns a pietra_transform pointer, which is NULL for None."""
    return ffi.NULL if transform is None else ffi.new("pietra_transform *", _six_numbers(transform))


def field_transform(transform: Optional[TransformLike]) -> Tuple[float, ...]:
    """Returns the numbers for a field of a struct, where all zeros stand for the identity."""
    if transform is None:
        return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    numbers = _six_numbers(transform)
    if not any(numbers):
        raise ValueError("a transform whose numbers are all 0 shows nothing")
    return numbers


class Box(NamedTuple):
    """The rectangle from (x0, y0) to (x1, y1), in user units."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0


ColorLike = Union[str, Sequence[float]]


def parse_color(color: ColorLike) -> Tuple[float, float, float, float]:
    """Returns R, G, B and A, 0 to 1, straight sRGB, of a colour of CSS ("#f80", "oklch(...)") or of 3 or 4 numbers."""
    if isinstance(color, str):
        parsed = ffi.new("pietra_color *")
        if "\0" in color or not lib.pietra_color_parse(color.encode(), parsed):
            raise InputError(f"{color!r} is no colour")
        return parsed.r, parsed.g, parsed.b, parsed.a
    channels = tuple(color)
    if len(channels) == 3:
        return channels[0], channels[1], channels[2], 1.0
    if len(channels) != 4:
        raise ValueError(f"a colour has 3 or 4 channels, not {len(channels)}")
    return channels[0], channels[1], channels[2], channels[3]


def choose(kind: str, table: Mapping[str, int], word: str) -> int:
    """Returns the enumerator for a word, or says which words there are."""
    try:
        return table[word]
    except (KeyError, TypeError):
        raise ValueError(f"{word!r} is no {kind}; there are {', '.join(table)}") from None
