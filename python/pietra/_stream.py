# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Streams: scenes in packed arrays, which devices draw."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Tuple, Union

from ._errors import check, new_error
from ._geometry import ColorLike, TransformLike, field_transform
from ._native import ffi, lib

if TYPE_CHECKING:
    from ._device import Canceller, Device, Region
    from ._picture import Picture


class Hit(NamedTuple):
    """A fill or a stroke that contains a point.

    element is its number in the stream, from 0. label is that of the scene when it was drawn, 0: none. is_masked: a mask is
    around it, and may hide it there. opacity is that of its paint and of the groups around it, 0 to 1.
    """

    element: int
    label: int
    is_stroke: bool
    is_masked: bool
    opacity: float


class Stream:
    """A scene in packed arrays. It never changes, and any number of threads may use it at once.

    `Stream(data)` opens the bytes of another stream, `bytes(stream)`, that this version of the library wrote. They may
    come from anywhere: InputError if they are not a valid stream. Streams can be pickled, also to other processes.
    """

    def __init__(self, data: Union[bytes, bytearray, memoryview]) -> None:
        made, error = ffi.new("pietra_stream **"), new_error()
        view = memoryview(data).cast("B")
        check(lib.pietra_stream_open(ffi.from_buffer(view), view.nbytes, error, made), error)
        self._handle = ffi.gc(made[0], lib.pietra_stream_destroy)

    @classmethod
    def _take(cls, handle: Any) -> Stream:
        stream = cls.__new__(cls)
        stream._handle = ffi.gc(handle, lib.pietra_stream_destroy)
        return stream

    @classmethod
    def _of(cls, handle: Any, owner: Any) -> Stream:
        """Takes a stream that belongs to something else, which lives as long as the handle."""
        stream = cls.__new__(cls)
        stream._handle = ffi.gc(handle, lambda _, owner=owner: None)
        return stream

    @property
    def nbytes(self) -> int:
        """How many bytes the stream has."""
        count = ffi.new("size_t *")
        lib.pietra_stream_bytes(self._handle, count)
        return int(count[0])

    def __bytes__(self) -> bytes:
        count = ffi.new("size_t *")
        data = lib.pietra_stream_bytes(self._handle, count)
        return bytes(ffi.buffer(data, count[0]))

    def __eq__(self, other: object) -> bool:
        return bytes(self) == bytes(other) if isinstance(other, Stream) else NotImplemented

    def __hash__(self) -> int:
        return hash(bytes(self))

    def __reduce__(self) -> Tuple[Any, Tuple[bytes]]:
        return Stream, (bytes(self),)

    def render(
        self,
        width: int,
        height: int,
        *,
        transform: Optional[TransformLike] = None,
        background: Optional[ColorLike] = None,
        region: Optional[Region] = None,
        device: Union[str, Device] = "auto",
        canceller: Optional[Canceller] = None,
    ) -> Picture:
        """Draws the stream: width x height pixels, 1 to 32,768 each.

        transform leads from the scene's units to pixels. background is painted below the scene; None: nothing is.
        region, (x, y, picture_width, picture_height), says that what is drawn is a part of a larger picture, and where its
        upper left pixel lies in it. Its bytes are those that it has in the whole. x and y are multiples of 16, and so are
        the sides, or they end where the picture ends.

        device is a Device or what makes one, as "cpu"; of the latter, each is opened once and kept. canceller ends the
        frame from another thread. So does an interrupt (SIGINT) that reaches the main thread while it draws.

        BudgetError, DeviceError, HostMemoryError: as their names say. Cancelled: the canceller ended the frame.
        """
        from ._device import draw

        return draw(device, self, width, height, transform, background, canceller, region)

    def hit_test(self, x: float, y: float, *, transform: Optional[TransformLike] = None) -> List[Hit]:
        """Finds what contains a point of a picture, in pixels, the topmost first.

        transform leads from the scene's units to pixels, as in `render`. Shapes and clips are those of the picture. Paints,
        opacities, masks and filters do not matter: what is transparent is hit too.
        """
        frame, count, error = ffi.new("pietra_frame *"), ffi.new("size_t *"), new_error()
        frame.transform = field_transform(transform)
        room = 16
        while True:
            hits = ffi.new("pietra_hit[]", room)
            check(lib.pietra_hit_test(self._handle, frame, x, y, room, error, hits, count), error)
            if count[0] <= room:
                break
            room = count[0]
        return [
            Hit(hit.element, hit.label, hit.is_stroke, hit.is_masked, hit.opacity)
            for hit in ffi.unpack(hits, count[0])
        ]
