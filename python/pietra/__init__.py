# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pietra draws SVG documents, and scenes built by calls, into pixels: on the GPU or on the CPU, the same bytes on both.

    import pietra

    pietra.render("drawing.svg", width=800, background="white").save("drawing.png")

Coordinates are user units, x to the right, y down. A pixel is a square of side 1; pixel (0, 0) covers [0, 1) x [0, 1).
Pixels are R, G, B and A, uint8, straight (not premultiplied) sRGB, the top row first. Wherever a colour is wanted, it is a
text in the syntax of CSS or 3 or 4 numbers from 0 to 1.

While something is read or drawn, other threads of Python run. All errors of the library are pietra.Error.
"""
from ._device import MAX_SIDE, Canceller, Device, DeviceInfo, devices
from ._document import Document, limits, render
from ._errors import (
    BudgetError,
    Cancelled,
    DeviceError,
    DocumentWarning,
    Error,
    FileError,
    HostMemoryError,
    InputError,
)
from ._features import Feature, features
from ._fonts import Fonts
from ._geometry import Box, ColorLike, Transform, TransformLike, parse_color
from ._image import Image
from ._instance import Instance, compose
from ._many import render_many
from ._native import ffi as _ffi
from ._native import lib as _lib
from ._paint import ImagePaint, LinearGradient, Paint, RadialGradient, Solid, SweepGradient
from ._path import Path, Stroke
from ._picture import Picture
from ._pyramid import Pyramid
from ._scene import Scene, blend_modes
from ._stream import Hit, Stream

_lib.python_prepare()
__version__: str = _ffi.string(_lib.pietra_version()).decode()

__all__ = [
    "MAX_SIDE",
    "Box",
    "BudgetError",
    "Cancelled",
    "Canceller",
    "ColorLike",
    "Device",
    "DeviceError",
    "DeviceInfo",
    "Document",
    "DocumentWarning",
    "Error",
    "Feature",
    "FileError",
    "Fonts",
    "Hit",
    "HostMemoryError",
    "Image",
    "ImagePaint",
    "InputError",
    "Instance",
    "LinearGradient",
    "Paint",
    "Path",
    "Picture",
    "Pyramid",
    "RadialGradient",
    "Scene",
    "Solid",
    "Stream",
    "Stroke",
    "SweepGradient",
    "Transform",
    "TransformLike",
    "blend_modes",
    "compose",
    "devices",
    "features",
    "limits",
    "parse_color",
    "render",
    "render_many",
]
