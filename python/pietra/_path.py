# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Paths and strokes."""
from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, NoReturn, Optional, Sequence, Tuple

from ._arrays import read_array
from ._errors import check, expect, new_error
from ._geometry import Box, choose
from ._native import ffi, lib

_POINTS = (0, 1, 2, 3, 1)

CAPS = {"butt": lib.PIETRA_CAP_BUTT, "round": lib.PIETRA_CAP_ROUND, "square": lib.PIETRA_CAP_SQUARE}
JOINS = {
    "miter": lib.PIETRA_JOIN_MITER,
    "round": lib.PIETRA_JOIN_ROUND,
    "bevel": lib.PIETRA_JOIN_BEVEL,
    "miter-clip": lib.PIETRA_JOIN_MITER_CLIP,
    "arcs": lib.PIETRA_JOIN_ARCS,
}


@dataclass(frozen=True)
class Stroke:
    """How a path is stroked. Lengths are in the path's units.

    cap: "butt", "round" or "square". join: "miter", "round", "bevel", "miter-clip" or "arcs". dashes are lengths of dashes
    and gaps in turn; an odd number of them is repeated once, and a negative one, or a sum of 0, makes the stroke solid. A width
    of 0 or less draws nothing.
    """

    width: float = 1.0
    cap: str = "butt"
    join: str = "miter"
    miter_limit: float = 4.0
    dashes: Sequence[float] = ()
    dash_offset: float = 0.0


def make_stroke(stroke: Stroke) -> Tuple[Any, Any]:
    """Returns a pietra_stroke pointer, and what must live as long."""
    dashes = ffi.new("double[]", list(stroke.dashes)) if len(stroke.dashes) else ffi.NULL
    made = ffi.new(
        "pietra_stroke *",
        (
            stroke.width,
            choose("cap", CAPS, stroke.cap),
            choose("join", JOINS, stroke.join),
            stroke.miter_limit,
            dashes,
            len(stroke.dashes),
            stroke.dash_offset,
        ),
    )
    return made, dashes


class Path:
    """Subpaths of lines and curves, in user units, x to the right and y down.

    Calls return the path, so that they chain: `Path().move_to(0, 0).line_to(10, 0).line_to(0, 10).close()`. Coordinates
    beyond +-1e18 are clamped. One that is not finite makes the path bad until it is reset, and what uses it raises
    InputError. Threads may share a path: calls take turns.
    """

    CLOSE: int = lib.PIETRA_VERB_CLOSE
    LINE: int = lib.PIETRA_VERB_LINE
    QUAD: int = lib.PIETRA_VERB_QUAD
    CUBIC: int = lib.PIETRA_VERB_CUBIC
    MOVE: int = lib.PIETRA_VERB_MOVE

    def __init__(self) -> None:
        handle = lib.pietra_path_create()
        if not handle:
            raise MemoryError
        self._handle = ffi.gc(handle, lib.pietra_path_destroy)
        self._lock = threading.Lock()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Path cannot be pickled; a Stream can")

    def _call(self, function: Any, *numbers: float) -> Path:
        with self._lock:
            function(self._handle, *numbers)
        return self

    def reset(self) -> Path:
        """Empties the path."""
        return self._call(lib.pietra_path_reset)

    def move_to(self, x: float, y: float) -> Path:
        return self._call(lib.pietra_path_move_to, x, y)

    def line_to(self, x: float, y: float) -> Path:
        return self._call(lib.pietra_path_line_to, x, y)

    def quad_to(self, x1: float, y1: float, x: float, y: float) -> Path:
        """Adds a quadratic curve with the control point (x1, y1)."""
        return self._call(lib.pietra_path_quad_to, x1, y1, x, y)

    def cubic_to(self, x1: float, y1: float, x2: float, y2: float, x: float, y: float) -> Path:
        """Adds a cubic curve with the control points (x1, y1) and (x2, y2)."""
        return self._call(lib.pietra_path_cubic_to, x1, y1, x2, y2, x, y)

    def arc_to(self, rx: float, ry: float, rotation: float, large: bool, sweep: bool, x: float, y: float) -> Path:
        """Adds an elliptical arc with SVG's parameters. rotation is in degrees."""
        return self._call(lib.pietra_path_arc_to, rx, ry, rotation, large, sweep, x, y)

    def close(self) -> Path:
        """Closes the open subpath, if there is one."""
        return self._call(lib.pietra_path_close)

    def rect(self, x: float, y: float, width: float, height: float, rx: float = 0.0, ry: Optional[float] = None) -> Path:
        """Adds a rectangle; with corners of radii rx and ry, which is rx by default."""
        return self._call(lib.pietra_path_rounded_rect, x, y, width, height, rx, rx if ry is None else ry)

    def ellipse(self, cx: float, cy: float, rx: float, ry: Optional[float] = None) -> Path:
        """Adds an ellipse; a circle if ry is left out. Adds nothing if a radius is 0 or less."""
        return self._call(lib.pietra_path_ellipse, cx, cy, rx, rx if ry is None else ry)

    def append(self, verbs: Any, coordinates: Any) -> Path:
        """Makes many calls at once, of arrays.

        verbs: n numbers of type uint8: Path.MOVE, LINE, QUAD, CUBIC or CLOSE, or bytes. coordinates: an array of float64
        of the shape (points, 2), or flat, with the x and y of all their points in order. Both stand in the order of C.
        ValueError: a byte is no verb, or there are more or fewer points than the verbs have. TypeError: an array has
        another type.
        """
        codes = bytes(read_array(verbs, "verbs", "B", "uint8"))
        points = read_array(coordinates, "coordinates", "d", "float64")
        shape = points.shape or ()
        if len(shape) not in (1, 2) or shape[1:] not in ((), (2,)):
            raise ValueError(f"coordinates of the shape {shape} are neither flat nor (points, 2)")
        counts = [codes.count(verb) for verb in range(len(_POINTS))]
        if sum(counts) != len(codes):
            raise ValueError("a byte of verbs is no verb")
        wanted = sum(count * number for count, number in zip(counts, _POINTS))
        if points.nbytes != 16 * wanted:
            raise ValueError(f"the verbs have {wanted} points, but there are {points.nbytes / 16:g}")
        with self._lock:
            lib.pietra_path_append(
                self._handle, ffi.from_buffer("uint8_t[]", codes), len(codes), ffi.from_buffer("double[]", points)
            )
        return self

    def bounds(self) -> Optional[Box]:
        """Returns the exact box of the geometry, without strokes; None: the path is empty or bad."""
        box = ffi.new("pietra_box *")
        with self._lock:
            found = lib.pietra_path_bounds(self._handle, box)
        return Box(box.x0, box.y0, box.x1, box.y1) if found else None

    def stroke_to_fill(self, stroke: Stroke, tolerance: float = 0.0) -> Path:
        """Returns the area that a stroke of the path covers, of lines, which the rule "nonzero" fills.

        No point of its border is farther than `tolerance` from the stroke's; 0: a 65,536th of its larger side.
        InputError: the path or an argument is bad. BudgetError: there are too many dashes.
        """
        expect(stroke, Stroke)
        outline = Path()
        made, keep = make_stroke(stroke)
        error = new_error()
        with self._lock:
            result = lib.pietra_path_stroke_to_fill(self._handle, made, tolerance, outline._handle, error)
        del keep
        check(result, error)
        return outline
