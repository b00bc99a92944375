# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Many documents on all cores."""
from __future__ import annotations

import os
import queue
import threading
import warnings as python_warnings
from typing import Any, Callable, Dict, Iterable, Iterator, Literal, Optional, Tuple, TypeVar, Union, overload

from ._device import Canceller, DeviceLike, PooledDevice
from ._document import Document, Source, _DrawnDocument
from ._picture import Picture

T = TypeVar("T")
_FRAME = ("width", "height", "zoom", "box", "background")


class _Worker:
    """What all threads of a run share."""

    def __init__(self, device: DeviceLike, then: Optional[Callable[[Picture], Any]], options: Dict[str, Any]) -> None:
        self.canceller = Canceller()
        self.then = then
        self.frame = {name: options.pop(name) for name in _FRAME if name in options}
        self.frame["device"] = PooledDevice("cpu", threads=1) if device == "auto" else device
        self.document = {"threads": 1, **options}
        self.inputs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.results: queue.SimpleQueue[Tuple[int, Any]] = queue.SimpleQueue()

    def draw(self, svg: Source) -> Any:
        try:
            picture = _DrawnDocument(svg, **self.document).render(canceller=self.canceller, **self.frame)
            return picture if self.then is None else self.then(picture)
        except Exception as error:
            return error

    def run(self) -> None:
        for index, svg in iter(self.inputs.get, None):
            self.results.put((index, self.draw(svg)))


class _Progress:
    """A bar of tqdm's, if it is wanted and there."""

    def __init__(self, wanted: bool, total: Optional[int]) -> None:
        self.bar: Any = None
        if wanted:
            try:
                from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
            except ImportError:
                python_warnings.warn("tqdm is not installed, so no progress is shown", stacklevel=4)
            else:
                self.bar = tqdm(total=total, unit="picture")

    def step(self, count: int = 1) -> None:
        if self.bar is not None:
            self.bar.update(count)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def expect_many(inputs: object) -> None:
    """Raises TypeError if what should be many documents is one, whose characters would be taken for them."""
    if isinstance(inputs, (str, bytes, bytearray, memoryview, os.PathLike)):
        raise TypeError(f"many documents are wanted, such as a list of them, not one {type(inputs).__name__}")


def _count(inputs: Iterable[Source]) -> Optional[int]:
    try:
        return len(inputs)  # type: ignore[arg-type]
    except TypeError:
        return None


def _run(inputs: Iterable[Source], worker: _Worker, threads: int, ordered: bool, progress: bool) -> Iterator[Any]:
    """Yields results, or pairs of an index and a result. At most four tasks for each thread are under way or wait to be taken."""
    window, bar = 4 * threads, _Progress(progress, _count(inputs))
    waiting: Dict[int, Any] = {}
    source, given, taken, more = iter(inputs), 0, 0, True
    team = [threading.Thread(target=worker.run, name=f"pietra-{i}", daemon=True) for i in range(threads)]
    try:
        for thread in team:
            thread.start()
        while True:
            while more and given - taken < window:
                try:
                    worker.inputs.put((given, next(source)))
                    given += 1
                except StopIteration:
                    more = False
            if taken == given:
                return
            while taken not in waiting if ordered else not waiting:
                index, result = worker.results.get()
                waiting[index] = result
                bar.step()
            index = taken if ordered else next(iter(waiting))
            taken += 1
            result = waiting.pop(index)
            yield result if ordered else (index, result)
    finally:
        worker.canceller.cancel()
        try:
            while True:
                worker.inputs.get_nowait()
        except queue.Empty:
            pass
        for _ in team:
            worker.inputs.put(None)
        for thread in team:
            if thread.ident is not None:
                thread.join()
        bar.close()


@overload
def render_many(
    inputs: Iterable[Source],
    *,
    ordered: Literal[True] = True,
    then: None = None,
    threads: int = 0,
    progress: bool = False,
    device: DeviceLike = "auto",
    **options: Any,
) -> Iterator[Union[Picture, Exception]]: ...


@overload
def render_many(
    inputs: Iterable[Source],
    *,
    ordered: Literal[True] = True,
    then: Callable[[Picture], T],
    threads: int = 0,
    progress: bool = False,
    device: DeviceLike = "auto",
    **options: Any,
) -> Iterator[Union[T, Exception]]: ...


@overload
def render_many(
    inputs: Iterable[Source],
    *,
    ordered: Literal[False],
    then: None = None,
    threads: int = 0,
    progress: bool = False,
    device: DeviceLike = "auto",
    **options: Any,
) -> Iterator[Tuple[int, Union[Picture, Exception]]]: ...


@overload
def render_many(
    inputs: Iterable[Source],
    *,
    ordered: Literal[False],
    then: Callable[[Picture], T],
    threads: int = 0,
    progress: bool = False,
    device: DeviceLike = "auto",
    **options: Any,
) -> Iterator[Tuple[int, Union[T, Exception]]]: ...


def render_many(
    inputs: Iterable[Source],
    *,
    ordered: bool = True,
    then: Optional[Callable[[Picture], Any]] = None,
    threads: int = 0,
    progress: bool = False,
    device: DeviceLike = "auto",
    **options: Any,
) -> Iterator[Any]:
    """Draws many documents on all cores, and yields the results: pictures, or exceptions in the place of bad documents.

    inputs: what `render` takes, any number of them; they are taken as they are needed, and so few pictures are in memory
    at a time. ordered: results come in the order of the inputs; else as they come, as pairs of the input's number, from 0,
    and its result. then: called with each picture on the thread that drew it; the result is what it returns, as
    `then=Picture.png`. threads: 0 means one for each core. progress: shows a bar if tqdm is installed. device: "auto" is
    the CPU here, with one thread for each document. Further options are those of `render`.

    An iterator that is closed, or ends by an exception such as KeyboardInterrupt, cancels the frames that are under way
    and waits for its threads. What is left out of a picture stands in its `warnings`.
    """
    unknown = set(options) - set(_FRAME) - set(Document.__init__.__kwdefaults__ or ())
    if unknown:
        raise TypeError(f"render_many takes no {', '.join(sorted(unknown))}")
    expect_many(inputs)
    if threads < 0:
        raise ValueError(f"{threads} threads draw nothing")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return _run(inputs, _Worker(device, then, options), threads or cores, ordered, progress)
