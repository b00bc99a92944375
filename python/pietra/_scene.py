# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Scenes, which programs build element by element."""
from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Iterator, NoReturn, Optional, Sequence, Tuple, Union

from ._errors import check, expect, new_error
from ._geometry import Box, TransformLike, choose, transform_pointer
from ._image import FILTERS, Image
from ._native import ffi, lib
from ._paint import PaintLike, make_paint
from ._path import Path, Stroke, make_stroke
from ._stream import Stream

if TYPE_CHECKING:
    from ._picture import Picture

RULES = {"nonzero": lib.PIETRA_FILL_NONZERO, "evenodd": lib.PIETRA_FILL_EVEN_ODD}
MASKS = {
    "alpha": lib.PIETRA_MASK_ALPHA,
    "luminance": lib.PIETRA_MASK_LUMINANCE,
    "luminance-linear": lib.PIETRA_MASK_LUMINANCE_LINEAR,
}
BLENDS = {
    name[len("PIETRA_BLEND_") :].lower().replace("_", "-"): getattr(lib, name)
    for name in dir(lib)
    if name.startswith("PIETRA_BLEND_")
}


class Scene:
    """Elements in paint order, in user units, x to the right and y down.

    Clips, groups, masks and transforms are context managers:

        with scene.clip(path), scene.group(opacity=0.5, blend="multiply"):
            scene.fill(other, "#c00")

    A scene that is closed, by close() or at the end of `with Scene() as scene`, gives its memory back, and every further
    call raises ValueError. Threads may share a scene: calls take turns. Bad numbers raise InputError and leave the scene
    as it was, but for a clip of several paths and a mask: these leave one without content, which shows nothing.
    """

    def __init__(self) -> None:
        handle = lib.pietra_scene_create()
        if not handle:
            raise MemoryError
        self._handle: Any = ffi.gc(handle, lib.pietra_scene_destroy)
        self._lock = threading.Lock()
        self._label = 0
        self._aliased = False

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Scene cannot be pickled; scene.encode() gives a Stream, which can")

    def close(self) -> None:
        """Gives the scene's memory back. Closing it again does nothing."""
        with self._lock:
            handle, self._handle = self._handle, None
            if handle is not None:
                ffi.release(handle)

    @property
    def closed(self) -> bool:
        return self._handle is None

    def __enter__(self) -> Scene:
        with self._use():
            return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _opened(self) -> Any:
        """Returns the handle to who holds the lock."""
        if self._handle is None:
            raise ValueError("the scene is closed")
        return self._handle

    @contextmanager
    def _use(self) -> Iterator[Any]:
        with self._lock:
            yield self._opened()

    def _call(self, function: Any, *arguments: Any) -> None:
        error = new_error()
        with self._lock:
            result = function(self._opened(), *arguments, error)
        check(result, error)

    # ---- Elements ----

    def fill(
        self, path: Path, paint: PaintLike, *, transform: Optional[TransformLike] = None, rule: str = "nonzero"
    ) -> None:
        """Paints the inside of a path. rule: "nonzero" or "evenodd". transform: from the path's units to the scene's."""
        expect(path, Path)
        made, keep = make_paint(paint)
        number = choose("rule", RULES, rule)
        with path._lock:
            self._call(lib.pietra_scene_fill, path._handle, transform_pointer(transform), number, made)
        del keep

    def stroke(
        self,
        path: Path,
        paint: PaintLike,
        stroke: Union[Stroke, float] = 1.0,
        *,
        transform: Optional[TransformLike] = None,
    ) -> None:
        """Paints the stroke of a path: a Stroke, or its width. It is made in the path's units and then transformed."""
        expect(path, Path)
        made, keep = make_paint(paint)
        line, dashes = make_stroke(stroke if isinstance(stroke, Stroke) else Stroke(stroke))
        with path._lock:
            self._call(lib.pietra_scene_stroke, path._handle, transform_pointer(transform), line, made)
        del keep, dashes

    def draw_image(self, image: Image, *, transform: Optional[TransformLike] = None, filter: str = "smooth") -> None:
        """Draws an image, one unit a pixel, under the transform. filter: "smooth", "nearest" or "high"."""
        expect(image, Image)
        number = choose("filter", FILTERS, filter)
        self._call(lib.pietra_scene_draw_image, image._handle, transform_pointer(transform), number)

    def draw_nine_patch(
        self,
        image: Image,
        box: Sequence[float],
        borders: Sequence[float],
        *,
        scale: float = 1.0,
        transform: Optional[TransformLike] = None,
        filter: str = "smooth",
    ) -> None:
        """Draws an image so that it fills a box (x0, y0, x1, y1), whatever the box's size.

        borders are the pixels left, above, right and below of the image's inner rectangle. They keep their width or height,
        which is `scale` units for each pixel, and the rest stretches. If they do not fit the box, all shrink by one factor.
        """
        expect(image, Image)
        if len(box) != 4 or len(borders) != 4:
            raise ValueError("a box has four numbers, and there are four borders")
        patch = ffi.new("pietra_nine_patch *", (tuple(box), *borders, scale))
        number = choose("filter", FILTERS, filter)
        self._call(lib.pietra_scene_draw_nine_patch, image._handle, patch, transform_pointer(transform), number)

    def append(self, other: Scene, *, transform: Optional[TransformLike] = None) -> None:
        """Appends all elements of another scene, in which nothing may be open."""
        expect(other, Scene)
        if other is self:
            raise ValueError("a scene cannot be appended to itself")
        error = new_error()
        # Two threads that append two scenes to one another must not wait for each other.
        first, second = (self, other) if id(self) < id(other) else (other, self)
        with first._use(), second._use():
            result = lib.pietra_scene_append(self._handle, other._handle, transform_pointer(transform), error)
        check(result, error)

    # ---- What is begun and ended ----

    @contextmanager
    def transform(self, transform: TransformLike) -> Iterator[Scene]:
        """Puts a transform around those of all calls within."""
        self._call(lib.pietra_scene_push_transform, transform_pointer(transform))
        try:
            yield self
        finally:
            self._end(lib.pietra_scene_pop_transform)

    @contextmanager
    def clip(
        self, *paths: Path, transform: Optional[TransformLike] = None, rule: str = "nonzero"
    ) -> Iterator[Scene]:
        """Limits what is painted within, as one layer, to the inside of a path, or of several. Without any, nothing is left."""
        for path in paths:
            expect(path, Path)
        if len(paths) == 1:
            number = choose("rule", RULES, rule)
            with paths[0]._lock:
                self._call(lib.pietra_scene_begin_clip, paths[0]._handle, transform_pointer(transform), number)
        else:
            self._call(lib.pietra_scene_begin_clip_source)
            try:
                for path in paths:
                    self.fill(path, "#000", transform=transform, rule=rule)
            except BaseException:
                self._end(lib.pietra_scene_end_clip_source)
                self._end(lib.pietra_scene_end_clip)
                raise
            self._call(lib.pietra_scene_end_clip_source)
        try:
            yield self
        finally:
            self._end(lib.pietra_scene_end_clip)

    @contextmanager
    def group(self, *, opacity: float = 1.0, blend: str = "normal") -> Iterator[Scene]:
        """Paints what is within as one layer, which is then composited with an opacity, 0 to 1, and a blend mode.

        blend: one of the 16 modes of CSS, "multiply" and so on, or an operator of Porter and Duff: "clear", "source",
        "destination", "destination-over", "source-in", "destination-in", "source-out", "destination-out", "source-atop",
        "destination-atop", "xor" or "plus".
        """
        self._call(lib.pietra_scene_begin_blended_group, opacity, choose("blend mode", BLENDS, blend))
        try:
            yield self
        finally:
            self._end(lib.pietra_scene_end_group)

    @contextmanager
    def mask(self, source: Scene, *, kind: str = "alpha", transform: Optional[TransformLike] = None) -> Iterator[Scene]:
        """Limits what is painted within by what another scene paints, in which nothing may be open.

        kind: "alpha", "luminance" or "luminance-linear" says what of it counts. transform: from the source's units to
        those of this scene.
        """
        expect(source, Scene)
        self._call(lib.pietra_scene_begin_mask_source, choose("mask", MASKS, kind))
        try:
            self.append(source, transform=transform)
        except BaseException:
            self._end(lib.pietra_scene_end_mask_source)
            self._end(lib.pietra_scene_end_mask)
            raise
        self._call(lib.pietra_scene_end_mask_source)
        try:
            yield self
        finally:
            self._end(lib.pietra_scene_end_mask)

    def _end(self, function: Any) -> None:
        """Ends what was begun. If the scene was closed in between, nothing is open."""
        if self._handle is not None:
            self._call(function)

    # ---- State and measures ----

    @property
    def aliased(self) -> bool:
        """Whether what follows covers each pixel in full or not at all."""
        with self._use():
            return self._aliased

    @aliased.setter
    def aliased(self, aliased: bool) -> None:
        with self._use() as handle:
            lib.pietra_scene_set_aliased(handle, aliased)
            self._aliased = bool(aliased)

    @property
    def label(self) -> int:
        """A number, 0 to 2^32 - 1, that all following elements carry; 0 means none."""
        with self._use():
            return self._label

    @label.setter
    def label(self, label: int) -> None:
        with self._use() as handle:
            lib.pietra_scene_set_label(handle, label)
            self._label = label

    def __len__(self) -> int:
        """How many elements there are; what begins and ends something counts, too."""
        with self._use() as handle:
            return int(lib.pietra_scene_position(handle))

    def __bool__(self) -> bool:
        return True

    def bounds(self) -> Optional[Box]:
        """Returns the box of everything that is painted, clips and masks ignored; None: nothing is."""
        box = ffi.new("pietra_box *")
        with self._use() as handle:
            found = lib.pietra_scene_bounds(handle, box)
        return Box(box.x0, box.y0, box.x1, box.y1) if found else None

    def encode(self, *, threads: int = 0) -> Stream:
        """Makes a stream of the scene, in which nothing may be open, on at most `threads` threads; 0: one for each core."""
        made, error = ffi.new("pietra_stream **"), new_error()
        with self._use() as handle:
            result = lib.pietra_stream_encode_by(handle, threads, error, made)
        check(result, error)
        return Stream._take(made[0])

    def render(self, width: int, height: int, **options: Any) -> Picture:
        """Encodes the scene and draws it: Stream.render has the options."""
        return self.encode().render(width, height, **options)


def blend_modes() -> Tuple[str, ...]:
    """Returns the names that Scene.group takes as `blend`."""
    return tuple(BLENDS)
