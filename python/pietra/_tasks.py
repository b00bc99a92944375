# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the workers of a cluster do: they draw batches of documents or of blocks, and tell what became of them.

Nothing here needs a cluster. Work can be pickled. Everything that it writes has a name that follows from its inputs, so
that work which is done again, because a worker was lost, finds what is there.
"""
from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import io
import os
import pathlib
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from ._device import Device, DeviceLike, PooledDevice, devices
from ._errors import DeviceError, Error
from ._many import render_many
from ._picture import Cut, Picture
from ._pyramid import Pyramid
from ._stream import Stream
from ._whole_file import BESIDE, write_once

if TYPE_CHECKING:
    import numpy

FORMATS = ("png", "webp")
# What so many workers die of is not tried again.
MOST_DEATHS = 3
# A batch of columns, as Ray Data has it.
Batch = Dict[str, Any]


class Outcome:
    """What became of a batch. As columns, it is a row for each failure, and one row for the rest, whose path is empty."""

    def __init__(self) -> None:
        self.failures: List[Tuple[str, str]] = []
        self.inputs = self.written = self.there = 0
        self.end = "", "", ""  # the class of the exception that ends all work, the file and the reason

    def end_by(self, error: Exception, file: str = "") -> None:
        if isinstance(error, DeviceError):
            self.end = "DeviceError", file, str(error)
        else:
            self.end = "FileError", file, f"cannot write: {getattr(error, 'strerror', None) or error}"

    def columns(self) -> Batch:
        kind, file, reason = self.end
        rows = [("", path, why, 0, 0, 0) for path, why in self.failures]
        rows.append((kind, file, reason, self.inputs, self.written, self.there))
        return dict(zip(("end", "path", "reason", "inputs", "written", "there"), map(list, zip(*rows))))


def encode(picture: Picture, format: str, cut: Optional[Cut] = None) -> bytes:
    if format == "png":
        return picture.png(cut)
    image = picture.to_pil()
    if cut:
        x, y, width, height = cut
        image = image.crop((x, y, x + width, y + height))
    data = io.BytesIO()
    image.save(data, "WEBP", lossless=True, exact=True)
    return data.getvalue()


# ---- Devices ----

_devices: Dict[Tuple[str, Optional[int]], DeviceLike] = {}


def _open_device(kind: str, gpu: Optional[int], threads: int) -> DeviceLike:
    """Returns the device of this process. `gpu` counts the hardware GPUs of the machine, as Ray does; None: any."""
    key = kind, gpu
    if key not in _devices:
        hardware = [info.gpu_index for info in devices() if info.kind == "gpu" and info.hardware and info.usable] if kind == "gpu" else []
        if hardware and gpu is not None:
            _devices[key] = Device(f"gpu:{hardware[gpu % len(hardware)]}")
        else:
            _devices[key] = Device("gpu") if kind == "gpu" else PooledDevice(kind, threads=threads)
    return _devices[key]


# ---- Workers that die ----


@dataclasses.dataclass(frozen=True)
class Tries:
    """Counts how many workers died of some work of a run, in a folder that all workers see.

    A count is the length of a file. Its work removes it when it ends, by an exception too, so that only a worker that dies
    leaves it. The caller removes the rest when the run has ended.
    """

    folder: str
    run: str

    def _note(self, file: str) -> int:
        with open(file, "ab", buffering=0) as note:
            deaths = os.fstat(note.fileno()).st_size
            if deaths < MOST_DEATHS:
                note.write(b".")
        return deaths

    @contextlib.contextmanager
    def begin(self, kind: str, names: Sequence[str], outcome: Outcome) -> Iterator[int]:
        """Gives how many workers died of some work. If it cannot be noted, the outcome ends all work.

        The count of what is not tried again stays, because another document may still kill the worker of the batch.
        """
        digest = hashlib.sha256(b"\0".join(map(os.fsencode, (kind, *names)))).hexdigest()[:32]
        file = os.path.join(self.folder, f"{BESIDE}{self.run}-{digest}")
        deaths = 0
        try:
            deaths = self._note(file)
        except OSError as error:
            outcome.end_by(error, file)
        try:
            yield deaths
        finally:
            if deaths < MOST_DEATHS:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(file)

    def clear(self) -> None:
        for name in os.listdir(self.folder):
            if name.startswith(f"{BESIDE}{self.run}-"):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(os.path.join(self.folder, name))

    def open_device(self, kind: str, threads: int, names: Sequence[str], outcome: Outcome) -> Optional[DeviceLike]:
        """Opens the device of this process for some work. None: that failed, and the outcome ends all work."""
        with self.begin("device", names, outcome) as deaths:
            if outcome.end[0]:
                return None
            try:
                if deaths >= MOST_DEATHS:
                    raise DeviceError(f"{deaths} workers died while they opened a device")
                return _open_device(kind, own_gpu(), threads)
            except DeviceError as error:
                outcome.end_by(error)
                return None


def say_deaths(deaths: int) -> str:
    return f"{deaths} workers died while they drew it"


# ---- Documents ----


def output_name(path: str, ending: str) -> str:
    """Returns the name of what is drawn of a document: `ab/STEM-abcdef0123456789.png`, with a hash of the whole path, so
    that no folder has too many files and no two documents one name."""
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    stem = os.path.basename(path)
    for suffix in (".svg", ".svgz", ".svg.gz"):
        stem = stem[: -len(suffix)] if stem.lower().endswith(suffix) else stem
    short = os.fsencode(stem)[:128].decode("utf-8", "ignore").lstrip(".")
    return f"{digest[:2]}/{short}-{digest}.{ending}"


class Drawn(NamedTuple):
    """A row of a Parquet file but for the path."""

    width: int
    height: int
    picture: bytes
    warnings: List[str]


class _Work(NamedTuple):
    """A batch that is being drawn: what is given of documents themselves, and how many workers died of it."""

    documents: Dict[str, bytes]
    outcome: Outcome
    deaths: int


@dataclasses.dataclass(frozen=True)
class DrawDocuments:
    """Draws a batch with the column `path`, and perhaps `bytes`, the document itself."""

    out: str
    into: str  # files or parquet
    format: str
    device: str
    threads: int
    done: Optional[Callable[[Sequence[str]], List[bool]]]  # says of paths whether they are in Parquet files of earlier runs
    options: Dict[str, Any]
    tries: Tries

    def _draw_some(self, paths: Sequence[str], device: DeviceLike, work: _Work, take: Callable[[str, Drawn], bool]) -> None:
        """Draws documents, and hands on what is drawn until that returns False."""

        def finish(picture: Picture) -> Drawn:
            data = encode(picture, self.format)
            return Drawn(picture.width, picture.height, data, [str(warning) for warning in picture.warnings])

        sources = (work.documents.get(path) or pathlib.Path(path) for path in paths)
        results = render_many(sources, then=finish, threads=self.threads, device=device, **self.options)
        with contextlib.closing(results):  # type: ignore[type-var]
            for result, path in zip(results, paths):
                if isinstance(result, DeviceError):
                    work.outcome.end_by(result)
                    return
                if isinstance(result, Exception):
                    reason = result.reason if isinstance(result, Error) else f"{type(result).__name__}: {result}"
                    line = result.line if isinstance(result, Error) else 0
                    work.outcome.failures.append((path, f"line {line}: {reason}" if line else reason))
                elif not take(path, result):
                    return

    def _draw(self, paths: Sequence[str], work: _Work, take: Callable[[str, Drawn], bool]) -> None:
        """Draws the documents of a batch: one by one if a worker died of it, so that it is known of which one."""
        outcome = work.outcome
        device = self.tries.open_device(self.device, self.threads, paths, outcome) if paths else None
        if device is None:
            return
        if not work.deaths:
            self._draw_some(paths, device, work, take)
            return
        for path in paths:
            with self.tries.begin("document", [path], outcome) as deaths:
                if outcome.end[0]:
                    return
                if deaths < MOST_DEATHS:
                    self._draw_some([path], device, work, take)
                else:
                    outcome.failures.append((path, say_deaths(deaths)))

    def _to_files(self, paths: List[str], work: _Work) -> None:
        def take(path: str, drawn: Drawn) -> bool:
            file = names[path]
            try:
                written = write_once(file, drawn.picture)
            except OSError as error:
                outcome.end_by(error, file)
                return False
            outcome.written += written
            outcome.there += not written
            return True

        outcome = work.outcome
        names = {path: os.path.join(self.out, output_name(path, self.format)) for path in paths}
        wanted = [path for path in paths if not os.path.exists(names[path])]
        outcome.there = outcome.inputs - len(wanted)
        self._draw(wanted, work, take)

    def _find_part(self, paths: List[str]) -> Tuple[str, List[str]]:
        """Returns the Parquet file of a batch, and those of its paths that are not in it.

        Work that is done again finds the file, and what is not in it had failed, for which there is a file of its own.
        """
        import pyarrow.parquet

        while True:
            digest = hashlib.sha256(b"\0".join(map(os.fsencode, paths))).hexdigest()[:32]
            part = os.path.join(self.out, f"part-{digest}.parquet")
            if not paths or not os.path.exists(part):
                return part, paths
            there = set(pyarrow.parquet.read_table(part, columns=["path"])["path"].to_pylist())
            paths = [path for path in paths if path not in there]

    def _to_parquet(self, paths: List[str], work: _Work) -> None:
        import pyarrow.parquet

        def take(path: str, drawn: Drawn) -> bool:
            rows.append({"path": path, **drawn._asdict()})
            return True

        outcome = work.outcome
        rows: List[Dict[str, Any]] = []
        done = self.done(paths) if self.done else [False] * len(paths)
        part, wanted = self._find_part([path for path, was_done in zip(paths, done) if not was_done])
        outcome.there = outcome.inputs - len(wanted)
        self._draw(wanted, work, take)
        if not rows or outcome.end[0]:
            return
        data = io.BytesIO()
        types = pyarrow.schema(
            [("path", pyarrow.string()), ("width", pyarrow.int32()), ("height", pyarrow.int32()),
             ("picture", pyarrow.binary()), ("warnings", pyarrow.list_(pyarrow.string()))]
        )
        # Pictures are compressed already.
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, types), data, compression={"picture": "NONE"})
        try:
            written = write_once(part, data.getvalue())
        except OSError as error:
            outcome.end_by(error, part)
            return
        outcome.written, outcome.there = (len(rows), outcome.there) if written else (0, outcome.there + len(rows))

    def __call__(self, batch: Batch) -> Batch:
        outcome = Outcome()
        paths = list(dict.fromkeys(str(path) for path in batch["path"]))
        outcome.inputs = len(paths)
        documents = dict(zip(map(str, batch["path"]), map(bytes, batch["bytes"]))) if "bytes" in batch else {}
        with self.tries.begin("batch", paths, outcome) as deaths:
            if not outcome.end[0]:
                (self._to_files if self.into == "files" else self._to_parquet)(paths, _Work(documents, outcome, deaths))
        return outcome.columns()


# ---- Blocks ----


@dataclasses.dataclass(frozen=True)
class DrawBlocks:
    """Draws a batch with the column `id`: the numbers of blocks of a pyramid, level by level."""

    load: Callable[[], "numpy.ndarray[Any, Any]"]  # gives the bytes of the stream
    key: str  # of the stream in this process
    pyramid: Pyramid
    out: str
    format: str
    device: str
    threads: int
    background: Any
    tries: Tries

    def _find(self, number: int) -> Tuple[int, int]:
        for level in range(self.pyramid.levels[0], self.pyramid.levels[1] + 1):
            count = self.pyramid.block_count(level)
            if number < count:
                return level, number
            number -= count
        raise IndexError(f"the pyramid has no block {number}")

    def _draw(self, number: int, outcome: Outcome) -> None:
        level, number = self._find(number)
        block = self.pyramid.block(level, number)
        files = [
            (os.path.join(self.out, self.pyramid.tile_name(level, column, row, self.format)), cut)
            for column, row, cut in self.pyramid.cuts(block)
        ]
        wanted = [(file, cut) for file, cut in files if not os.path.exists(file)]
        outcome.there += len(files) - len(wanted)
        if not wanted:
            return
        name = f"level {level}, block {number}"
        device = self.tries.open_device(self.device, self.threads, [name], outcome)
        if device is None:
            return
        with self.tries.begin("block", [name], outcome) as deaths:
            if outcome.end[0]:
                return
            if deaths >= MOST_DEATHS:
                outcome.failures.append((name, say_deaths(deaths)))
                return
            try:
                stream = load_stream(self.key, self.load)
                picture = self.pyramid.draw(stream, block, background=self.background, device=device)
            except DeviceError as error:
                outcome.end_by(error)
                return
            except Error as error:
                outcome.failures.append((name, error.reason))
                return
        for file, cut in wanted:
            try:
                written = write_once(file, encode(picture, self.format, cut))
            except OSError as error:
                outcome.end_by(error, file)
                return
            outcome.written += written
            outcome.there += not written

    def __call__(self, batch: Batch) -> Batch:
        outcome = Outcome()
        for number in batch["id"]:
            outcome.inputs += 1
            if not outcome.end[0]:
                self._draw(int(number), outcome)
        return outcome.columns()


_stream: Tuple[str, Optional[Stream]] = "", None


def load_stream(key: str, load: Callable[[], Any]) -> Stream:
    """Returns a stream that this process opens once. It keeps the last one."""
    global _stream
    if _stream[0] != key or _stream[1] is None:
        _stream = key, Stream(load())
    stream = _stream[1]
    assert stream is not None
    return stream


def own_gpu() -> Optional[int]:
    """Returns the number of the GPU that Ray gives this process. None: it gives none."""
    import ray

    ids = ray.get_runtime_context().get_accelerator_ids().get("GPU", []) if ray.is_initialized() else []
    return int(ids[0]) if ids and str(ids[0]).isdigit() else None
