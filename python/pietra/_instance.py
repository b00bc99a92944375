# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Streams in places where they are shown."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Optional, Sequence

from ._errors import HostMemoryError, check, expect, new_error
from ._geometry import ColorLike, TransformLike, field_transform, parse_color
from ._native import ffi, lib
from ._stream import Stream


@dataclass(frozen=True)
class Instance:
    """A stream in a place where it is shown.

    transform leads from the stream's units to those of the whole. transparency is 1 - opacity; unless it is 0, the stream is
    shown as a group. clip is a box in units of the whole, four numbers; None: everything shows. slots are colours in place of
    those of Solid(slot=1) and so on.
    """

    stream: Stream
    transform: Optional[TransformLike] = None
    transparency: float = 0.0
    clip: Optional[Sequence[float]] = None
    slots: Sequence[ColorLike] = ()


def _fill_in(made: Any, instance: Instance) -> Any:
    """Fills in a pietra_instance. Returns what must live as long."""
    expect(instance, Instance)
    expect(instance.stream, Stream)
    made.stream = instance.stream._handle
    made.transform = field_transform(instance.transform)
    made.transparency = instance.transparency
    if instance.clip is not None:
        clip = tuple(instance.clip)
        if len(clip) != 4 or not any(clip):
            raise ValueError(f"a clip has four numbers, which are not all 0; not {clip}")
        made.clip = clip
    colors = ffi.new("pietra_color[]", [parse_color(color) for color in instance.slots])
    made.slots = colors
    made.slot_count = len(colors)
    return colors, instance.stream


def compose(instances: Iterable[Instance]) -> Stream:
    """Makes one stream of streams in places, in paint order.

    It draws what the scenes of the streams would draw, each appended under its transform, and is made in a tenth of the time.
    Paths, paints and images of a stream stand in it once, however often it is shown.
    """
    shown = list(instances)
    array = ffi.new("pietra_instance[]", len(shown))
    keep = [_fill_in(array[i], instance) for i, instance in enumerate(shown)]
    composition = ffi.gc(lib.pietra_composition_create(), lib.pietra_composition_destroy)
    if not composition:
        raise HostMemoryError("out of memory")
    made, error = ffi.new("pietra_stream **"), new_error()
    check(lib.pietra_composition_set(composition, array, len(shown), error, ffi.cast("const pietra_stream **", made)), error)
    del keep
    return Stream._of(made[0], composition)
