# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Arrays of others, by the buffer protocol or the array interface."""
from __future__ import annotations

from typing import Any, Tuple


def _from_interface(interface: Any, name: str) -> memoryview:
    """Returns a view of what Pillow and others offer, whose data is an object with a buffer."""
    data = interface.get("data")
    if interface.get("strides") is not None or isinstance(data, tuple) or data is None:
        raise TypeError(f"{name}: the array offers no buffer")
    if interface["typestr"] != "|u1":
        raise TypeError(f"{name}: the array has items of {interface['typestr']}, not uint8")
    return memoryview(data).cast("B").cast("B", tuple(interface["shape"]))


def read_array(array: Any, name: str, format: str, kind: str) -> memoryview:
    """Returns a view of an array with items of one type, in the order of C.

    TypeError: it is no array, or its items have another type. ValueError: it has another order.
    """
    try:
        view = memoryview(array)
    except TypeError:
        interface = getattr(array, "__array_interface__", None)
        if interface is None:
            raise TypeError(f"{name}: {type(array).__name__} is no array of {kind}") from None
        view = _from_interface(interface, name)
    if view.format.lstrip("@=<|") != format:
        raise TypeError(f"{name}: the items have the format {view.format!r}, not {format!r}; use an array of {kind}")
    if not view.c_contiguous:
        raise ValueError(f"{name}: the array is not in the order of C; numpy.ascontiguousarray makes it so")
    return view


def read_pixels(array: Any) -> Tuple[memoryview, int, int]:
    """Returns a view of an array of height x width x 4 bytes, its width and its height. ValueError: it has another shape."""
    view = read_array(array, "pixels", "B", "uint8")
    shape = view.shape or ()
    if len(shape) != 3 or shape[2] != 4:
        sides = " x ".join(str(side) for side in shape)
        raise ValueError(f"pixels: an array of {sides} is no picture; height x width x 4 is one, with R, G, B and A")
    return view, shape[1], shape[0]
