# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What fills paths."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence, Tuple, Union

from ._errors import expect
from ._geometry import ColorLike, TransformLike, choose, field_transform, parse_color
from ._image import FILTERS, Image
from ._native import ffi, lib

SPREADS = {"pad": lib.PIETRA_SPREAD_PAD, "reflect": lib.PIETRA_SPREAD_REFLECT, "repeat": lib.PIETRA_SPREAD_REPEAT}
INTERPOLATIONS = {
    "srgb": lib.PIETRA_INTERPOLATION_SRGB,
    "linear-rgb": lib.PIETRA_INTERPOLATION_LINEAR_RGB,
    "oklab": lib.PIETRA_INTERPOLATION_OKLAB,
}

Stops = Sequence[Tuple[float, ColorLike]]


@dataclass(frozen=True)
class Solid:
    """One colour, times an opacity from 0 to 1.

    slot, from 1, lets instances of the stream give another colour (Instance.slots). The opacity holds for that, too.
    """

    color: ColorLike
    opacity: float = 1.0
    slot: int = 0


@dataclass(frozen=True)
class LinearGradient:
    """A gradient from the point (x0, y0) to (x1, y1).

    stops are pairs of an offset, 0 to 1, and a colour; without any, nothing is painted. spread: "pad", "reflect" or
    "repeat". transform leads from the gradient's space to the path's units. interpolation: the space
    between stops, "srgb", "linear-rgb" or "oklab", which is even to the eye and keeps hues.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    stops: Stops
    spread: str = "pad"
    transform: Optional[TransformLike] = None
    interpolation: str = "srgb"
    opacity: float = 1.0


@dataclass(frozen=True)
class RadialGradient:
    """A gradient from the circle around (fx, fy) of radius fr to the circle around (cx, cy) of radius r.

    fx and fy are cx and cy by default. The other fields are those of LinearGradient.
    """

    cx: float
    cy: float
    r: float
    stops: Stops
    fx: Optional[float] = None
    fy: Optional[float] = None
    fr: float = 0.0
    spread: str = "pad"
    transform: Optional[TransformLike] = None
    interpolation: str = "srgb"
    opacity: float = 1.0


@dataclass(frozen=True)
class SweepGradient:
    """A gradient around (cx, cy): one colour for each direction, from start_degrees to end_degrees.

    Directions count from the x axis towards the y axis. The other fields are those of LinearGradient.
    """

    cx: float
    cy: float
    start_degrees: float
    end_degrees: float
    stops: Stops
    spread: str = "pad"
    transform: Optional[TransformLike] = None
    interpolation: str = "srgb"
    opacity: float = 1.0


@dataclass(frozen=True)
class ImagePaint:
    """An image whose pixel (0, 0) covers [0, 1) x [0, 1) of its space. spread says what lies outside of it.

    transform leads from the image's pixels to the path's units. filter: "smooth", "nearest" or "high".
    """

    image: Image
    spread: str = "pad"
    transform: Optional[TransformLike] = None
    filter: str = "smooth"
    opacity: float = 1.0


Paint = Union[Solid, LinearGradient, RadialGradient, SweepGradient, ImagePaint]
PaintLike = Union[Paint, ColorLike]


def _make_stops(made: Any, paint: Union[LinearGradient, RadialGradient, SweepGradient]) -> Any:
    stops = [(offset, parse_color(color)) for offset, color in paint.stops]
    array = ffi.new("pietra_stop[]", stops)
    made.stops = array
    made.stop_count = len(stops)
    made.interpolation = choose("interpolation", INTERPOLATIONS, paint.interpolation)
    return array


def make_paint(paint: PaintLike) -> Tuple[Any, Any]:
    """Returns a pietra_paint pointer, and what must live as long."""
    made = ffi.new("pietra_paint *")
    keep: Any = None
    if not isinstance(paint, (Solid, LinearGradient, RadialGradient, SweepGradient, ImagePaint)):
        made.color = parse_color(paint)
        return made, keep
    made.transparency = 1.0 - paint.opacity
    if isinstance(paint, Solid):
        made.color = parse_color(paint.color)
        made.slot = paint.slot
        return made, keep
    made.spread = choose("spread", SPREADS, paint.spread)
    made.transform = field_transform(paint.transform)
    if isinstance(paint, LinearGradient):
        made.kind = lib.PIETRA_PAINT_LINEAR
        made.x0, made.y0, made.x1, made.y1 = paint.x0, paint.y0, paint.x1, paint.y1
        keep = _make_stops(made, paint)
    elif isinstance(paint, RadialGradient):
        made.kind = lib.PIETRA_PAINT_RADIAL
        made.x0 = paint.cx if paint.fx is None else paint.fx
        made.y0 = paint.cy if paint.fy is None else paint.fy
        made.r0 = paint.fr
        made.x1, made.y1, made.r1 = paint.cx, paint.cy, paint.r
        keep = _make_stops(made, paint)
    elif isinstance(paint, SweepGradient):
        made.kind = lib.PIETRA_PAINT_SWEEP
        made.x0, made.y0 = paint.cx, paint.cy
        made.start_degrees, made.end_degrees = paint.start_degrees, paint.end_degrees
        keep = _make_stops(made, paint)
    else:
        made.kind = lib.PIETRA_PAINT_IMAGE
        expect(paint.image, Image)
        made.image = paint.image._handle
        made.filter = choose("filter", FILTERS, paint.filter)
        keep = paint.image
    return made, keep
