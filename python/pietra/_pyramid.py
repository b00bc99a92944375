# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pyramids: drawings in many sizes, each cut into tiles."""
from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Optional, Tuple, Type

from ._device import DeviceLike, Region, draw_into
from ._errors import check, encode_text, new_error
from ._geometry import ColorLike, Transform, choose
from ._native import ffi, lib
from ._picture import Cut, Picture

if TYPE_CHECKING:
    from ._stream import Stream

_LAYOUTS = {"xyz": lib.PIETRA_PYRAMID_XYZ, "dzi": lib.PIETRA_PYRAMID_DZI}


class Level(NamedTuple):
    """A level: scale is pixels of a user unit, width and height are the pixels of its picture, the rest counts tiles and
    blocks."""

    scale: float
    width: int
    height: int
    columns: int
    rows: int
    block_columns: int
    block_rows: int


class Block(NamedTuple):
    """What one frame draws of a level, and the tiles that it is cut into.

    width x height pixels are drawn by the transform as a region of a picture. The tiles, from column and row on, take
    full_width x full_height pixels: more where tiles go beyond the picture.
    """

    transform: Transform
    region: Region
    width: int
    height: int
    column: int
    row: int
    columns: int
    rows: int
    full_width: int
    full_height: int


class Pyramid:
    """A drawing of width x height user units in many sizes, from the first level to the last one, each cut into tiles.

    tile: pixels in a side, a power of two from 64 to 4,096. layout "xyz", of maps: the longer side of level n has
    tile * 2**n pixels, and tiles are whole squares, transparent beyond the picture. layout "dzi", Deep Zoom without overlap:
    the longer side of the last level n has 2**n pixels, and each level before has half of the next one's, rounded up.

    A level is drawn in blocks of at most 4,096 pixels in a side. Up to 32,768 pixels its tiles have the bytes of the whole
    picture cut apart. A larger one is made of pictures of 32,768 pixels; where they meet, an edge may cover up to two levels
    of 255 more or less of a pixel, and what several edges in it change adds up.

    InputError: there are more than 100,000,000 tiles, which the message counts, or an argument is bad. Pyramids can be
    pickled.
    """

    def __init__(self, width: float, height: float, levels: Tuple[int, int], *, tile: int = 256, layout: str = "xyz") -> None:
        numbers = choose("layout", _LAYOUTS, layout), tile, *map(operator.index, levels)
        if len(numbers) != 4:
            raise ValueError(f"levels are two numbers, the first and the last one, not {len(numbers) - 2}")
        if min(numbers) < 0:
            raise ValueError("levels and tiles are not negative")
        if tile == 0:
            raise ValueError("a tile has at least 64 pixels in a side")
        self.width, self.height, self.tile, self.layout = float(width), float(height), tile, layout
        self.levels = numbers[2], numbers[3]
        self._handle = ffi.new("pietra_pyramid *", (self.width, self.height, *numbers))
        count, error = ffi.new("uint64_t *"), new_error()
        check(lib.pietra_pyramid_count(self._handle, error, count), error)
        self.tiles = int(count[0])

    def __reduce__(self) -> Tuple[Any, Tuple[Any, ...]]:
        return _rebuild, (type(self), self.width, self.height, self.levels, self.tile, self.layout)

    def __repr__(self) -> str:
        return f"<pietra.Pyramid {self.layout} of {self.tiles} tiles>"

    def level(self, level: int) -> Level:
        found, error = ffi.new("pietra_pyramid_level *"), new_error()
        check(lib.pietra_pyramid_find_level(self._handle, level, error, found), error)
        return Level(*(getattr(found, name) for name in Level._fields))

    def block(self, level: int, number: int) -> Block:
        """Returns a block of a level by its number, row by row from 0."""
        found, error = ffi.new("pietra_pyramid_block *"), new_error()
        check(lib.pietra_pyramid_find_block(self._handle, level, number, error, found), error)
        at, region = found.transform, found.region
        return Block(
            Transform(at.a, at.b, at.c, at.d, at.e, at.f),
            (region.x, region.y, region.picture_width, region.picture_height),
            *(getattr(found, name) for name in Block._fields[2:]),
        )

    def block_count(self, level: int) -> int:
        found = self.level(level)
        return found.block_columns * found.block_rows

    def tile_name(self, level: int, column: int, row: int, ending: str = "png") -> str:
        """Returns the name of a tile's file, with slashes, relative to the folder of the pyramid."""
        text, error = ffi.new("char[]", lib.PIETRA_PYRAMID_TEXT_BYTES), new_error()
        check(lib.pietra_pyramid_name_tile(self._handle, level, column, row, encode_text(ending, "an ending"), error, text), error)
        return bytes(ffi.string(text)).decode()

    def describe(self, ending: str = "png") -> Optional[Tuple[str, str]]:
        """Returns the name of the file that describes the pyramid to viewers, and its content. None: it has none."""
        if self.layout == "xyz":
            return None
        text, error = ffi.new("char[]", lib.PIETRA_PYRAMID_TEXT_BYTES), new_error()
        check(lib.pietra_pyramid_describe(self._handle, encode_text(ending, "an ending"), error, text), error)
        name = ffi.string(lib.PIETRA_PYRAMID_DESCRIPTION)
        return bytes(name).decode(), bytes(ffi.string(text)).decode()

    def draw(
        self, stream: Stream, block: Block, *, background: Optional[ColorLike] = None, device: DeviceLike = "auto"
    ) -> Picture:
        """Draws a block: full_width x full_height pixels, of which `cuts` has the tiles."""
        picture = Picture(block.full_width, block.full_height)
        return draw_into(
            picture, device, stream, block.width, block.height, block.transform, background, None, block.region
        )

    def cuts(self, block: Block) -> Iterator[Tuple[int, int, Cut]]:
        """Yields the column and row of each tile of a block, and where it lies in the block's picture."""
        for row in range(block.rows):
            for column in range(block.columns):
                x, y = column * self.tile, row * self.tile
                width, height = min(self.tile, block.full_width - x), min(self.tile, block.full_height - y)
                yield block.column + column, block.row + row, (x, y, width, height)


def _rebuild(
    kind: Type[Pyramid], width: float, height: float, levels: Tuple[int, int], tile: int, layout: str
) -> Pyramid:
    return kind(width, height, levels, tile=tile, layout=layout)
