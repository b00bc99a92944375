# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SVG documents, and `render`, which draws one."""
from __future__ import annotations

import math
import operator
import os
import struct
import warnings as python_warnings
from typing import Any, Dict, Iterator, List, Mapping, NoReturn, Optional, Tuple, Union

from ._device import MAX_SIDE, Canceller, DeviceLike, draw
from ._errors import DocumentWarning, HostMemoryError, InputError, check, encode_text, expect, new_error
from ._fonts import Fonts, system_fonts
from ._geometry import Box, ColorLike
from ._native import ffi, lib
from ._picture import Picture
from ._stream import Stream

Source = Union[str, bytes, bytearray, memoryview, os.PathLike[str]]

_SLACK = 1e-6  # of a pixel: rounding errors do not make another one


def limits() -> Dict[str, int]:
    """Returns how much a document may ask for by default: docs/limits.md says what each name counts."""
    count = ffi.new("size_t *")
    rows = lib.pietra_svg_limit_list(count)
    return {ffi.string(rows[i].name).decode(): rows[i].standard for i in range(count[0])}


def _text(value: str, name: str, keep: List[Any]) -> Any:
    keep.append(ffi.new("char[]", encode_text(value, name)))
    return keep[-1]


def _set_limits(field: Any, limits: Mapping[str, int]) -> None:
    for name, value in limits.items():
        if not lib.pietra_svg_limits_set(field, name.encode(), value):
            raise ValueError(f"{name!r} is no limit; pietra.limits() has them")


def _split(data: bytes, head: str) -> Iterator[Tuple[Tuple[Any, ...], str]]:
    """Reads what native.c appended: numbers, then a text that ends in a NUL."""
    at, size = 0, struct.calcsize(head)
    while at < len(data):
        end = data.index(0, at + size)
        yield struct.unpack_from(head, data, at), data[at + size : end].decode("utf-8", "replace")
        at = end + 1


def _data(records: Any) -> bytes:
    return ffi.buffer(records.bytes, records.count)[:] if records.count else b""


def _read_warnings(records: Any, file: Optional[str] = None) -> Tuple[DocumentWarning, ...]:
    return tuple(DocumentWarning(text, head[0], file) for head, text in _split(_data(records), "=I"))


def _take_font_warnings(owner: Any) -> Tuple[DocumentWarning, ...]:
    """Returns what the fonts have reported, because this document was the first to ask for it."""
    records = ffi.new("python_records *")
    lib.python_fonts_take_warnings(owner, records)
    try:
        return _read_warnings(records)
    finally:
        lib.python_records_free(records)


class Document:
    """An SVG document that was read, plain or gzipped.

    svg is the document itself, if it is bytes or a text that begins with "<" behind white space; else its path.
    Nothing outside of it is read, except for files below the folder `resources`.

    dpi: CSS pixels in an inch, for lengths in physical units. viewport: width and height of the outermost viewport, for
    percentages, in CSS pixels. style_sheet: CSS that comes before the document's own. element_id: shows one element only,
    in its place. fragment: what follows # in the document's address. fonts: what text is drawn with, by default what is
    installed. font_family, font_size (CSS pixels): of text that names none. languages: the reader's, separated by commas,
    for systemLanguage. limits: how much it may ask for, by the names of limits(). threads: that read it, 0: one for each
    core.

    InputError: the document is malformed or beyond a limit. FileError: it cannot be read. What is left out is no error
    but stands in `warnings`: among it what needs a library that features() does not have.
    """

    #: Width and height in CSS pixels, which are the units of boxes.
    width: float
    height: float
    stream: Stream
    file: Optional[str]
    warnings: Tuple[DocumentWarning, ...]
    _boxes: Union[bytes, Dict[str, Box]]

    def __init__(
        self,
        svg: Source,
        *,
        dpi: float = 96,
        viewport: Optional[Tuple[float, float]] = None,
        resources: Optional[Union[str, os.PathLike[str]]] = None,
        style_sheet: Optional[str] = None,
        element_id: Optional[str] = None,
        fragment: Optional[str] = None,
        fonts: Optional[Fonts] = None,
        font_family: Optional[str] = None,
        font_size: float = 0,
        languages: Optional[str] = None,
        limits: Optional[Mapping[str, int]] = None,
        threads: int = 0,
    ) -> None:
        keep: List[Any] = []
        options = ffi.new("pietra_svg_options *")
        options.dpi = dpi
        options.font_size = font_size
        options.threads = threads
        if viewport is not None:
            options.viewport_width, options.viewport_height = viewport
        if resources is not None:
            options.resources_directory = _text(os.fspath(resources), "resources", keep)
        if style_sheet is not None:
            options.style_sheet = _text(style_sheet, "style_sheet", keep)
        if element_id is not None:
            options.element_id = _text(element_id, "element_id", keep)
        if fragment is not None:
            options.fragment = _text(fragment, "fragment", keep)
        if font_family is not None:
            options.font_family = _text(font_family, "font_family", keep)
        if languages is not None:
            options.languages = _text(languages, "languages", keep)
        if limits is not None:
            _set_limits(ffi.addressof(options, "limits"), limits)
        if fonts is not None:
            expect(fonts, Fonts)
        owner = (fonts or system_fonts())._use()
        options.fonts = owner.fonts
        self._read(svg, options, keep)
        if owner.warnings.count:
            self.warnings += _take_font_warnings(owner)

    _boxes_wanted = True

    def _read(self, svg: Source, options: Any, keep: List[Any]) -> None:
        error, read = new_error(), ffi.new("python_document *")
        self.file = None
        path = ffi.NULL
        if isinstance(svg, str) and svg.lstrip("\ufeff \t\r\n").startswith("<"):
            svg = svg.lstrip("\ufeff").encode("utf-8", "surrogatepass")
        if isinstance(svg, (bytes, bytearray, memoryview)):
            data = ffi.from_buffer(svg)
        elif isinstance(svg, (str, os.PathLike)):
            data = ()
            self.file = os.fsdecode(svg)
            path = _text(self.file, "the path", keep)
        else:
            raise TypeError(f"svg is bytes, a text or a path, not {type(svg).__name__}")
        try:
            result = lib.python_document_read(
                data or ffi.NULL, len(data), path, options, self._boxes_wanted, error, read
            )
            check(result, error, self.file)
            self.stream = Stream._take(read.stream)
            self.width, self.height = read.width, read.height
            self.warnings = _read_warnings(read.warnings, self.file)
            self._boxes = _data(read.boxes)
            if read.boxes.out_of_memory or read.warnings.out_of_memory:
                raise HostMemoryError("out of memory", 0, self.file)
        finally:
            lib.python_records_free(ffi.addressof(read, "warnings"))
            lib.python_records_free(ffi.addressof(read, "boxes"))

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Document cannot be pickled; its stream can")

    def __repr__(self) -> str:
        return f"<pietra.Document {self.file or 'of bytes'}: {self.width:g} x {self.height:g}>"

    @property
    def boxes(self) -> Dict[str, Box]:
        """The boxes of elements that have ids and are drawn, strokes included, clips and masks ignored.

        They are in CSS pixels and in the order of the document; of equal ids the first counts. The box of the whole
        drawing has the id "".
        """
        if not isinstance(self._boxes, dict):
            found: Dict[str, Box] = {}
            for numbers, name in _split(self._boxes, "=4d"):
                found.setdefault(name, Box(*numbers))
            self._boxes = found
        return self._boxes

    def _place(
        self, width: Optional[int], height: Optional[int], zoom: Optional[float], box: Optional[Box]
    ) -> Tuple[int, int, Tuple[float, ...]]:
        """Returns the size of the picture, and the transform that places the document in it."""
        if box is not None:
            expect(box, Box)
        across, down = (self.width, self.height) if box is None else (box.width, box.height)
        if not (0 < across < math.inf and 0 < down < math.inf):
            raise InputError(f"the {'document' if box is None else 'box'} has the size {across:g} x {down:g}", 0, self.file)
        if zoom is not None and (width is not None or height is not None):
            raise TypeError("either zoom or width and height")
        if zoom is not None and not 0 < zoom < math.inf:
            raise ValueError(f"a zoom of {zoom} shows nothing")
        for side in (width, height):
            if side is not None and operator.index(side) < 1:
                raise ValueError(f"a side has 1 to {MAX_SIDE} pixels, not {side}")
        scale = zoom or 1.0
        if width is not None:
            scale = width / across
        if height is not None and (width is None or height / down < scale):
            scale = height / down
        x0, y0 = (0.0, 0.0) if box is None else (box.x0, box.y0)
        if across * scale > 2 * MAX_SIDE or down * scale > 2 * MAX_SIDE:
            sides = across * scale, down * scale
        elif box is None:
            sides = math.floor(across * scale + 0.5), math.floor(down * scale + 0.5)
        else:
            sides = math.ceil(across * scale - _SLACK), math.ceil(down * scale - _SLACK)
        if max(sides) > MAX_SIDE:
            raise InputError(
                f"the picture would be {sides[0]:.9g} x {sides[1]:.9g} pixels; a side has at most {MAX_SIDE}", 0, self.file
            )
        place = (scale, 0.0, 0.0, scale, -x0 * scale, -y0 * scale)
        return max(1, int(sides[0])), max(1, int(sides[1])), place

    def render(
        self,
        *,
        width: Optional[int] = None,
        height: Optional[int] = None,
        zoom: Optional[float] = None,
        box: Optional[Box] = None,
        background: Optional[ColorLike] = None,
        device: DeviceLike = "auto",
        canceller: Optional[Canceller] = None,
    ) -> Picture:
        """Draws the document, or the part of it in a box, such as one of `boxes`.

        width or height, in pixels, alone keep the aspect; with both, the picture fits inside. zoom is the size as a
        multiple of the document's own. The other arguments are those of Stream.render.

        InputError: a side would have more than 32,768 pixels. Others as Stream.render.
        """
        across, down, place = self._place(width, height, zoom, box)
        picture = draw(device, self.stream, across, down, place, background, canceller)
        picture.file = self.file
        picture.warnings = self.warnings
        return picture


class _DrawnDocument(Document):
    """A document that is only drawn."""

    _boxes_wanted = False


def render(
    svg: Source,
    *,
    width: Optional[int] = None,
    height: Optional[int] = None,
    zoom: Optional[float] = None,
    dpi: float = 96,
    background: Optional[ColorLike] = None,
    device: DeviceLike = "auto",
    canceller: Optional[Canceller] = None,
    **options: Any,
) -> Picture:
    """Draws an SVG document: the file at a path, or one in bytes or in a text that begins with "<".

    The picture has the document's size, unless width, height (pixels) or zoom say otherwise: see Document.render. dpi:
    CSS pixels in an inch. background: a colour, by default none. device: "auto", "cpu", "gpu", "reference" or a Device.
    Further options are those of Document.

    What is left out of the picture is warned of by warnings.warn, as DocumentWarning, and stands in picture.warnings.

    InputError: the document or an argument is bad. FileError: it cannot be read. DeviceError, BudgetError,
    HostMemoryError, Cancelled: as their names say. All are pietra.Error.
    """
    document = _DrawnDocument(svg, dpi=dpi, **options)
    for warning in document.warnings:
        python_warnings.warn(warning, stacklevel=2)
    return document.render(
        width=width, height=height, zoom=zoom, background=background, device=device, canceller=canceller
    )
