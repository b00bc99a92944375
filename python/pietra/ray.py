# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Many machines: documents and pyramids of tiles that a cluster of Ray's draws. It needs the extra `ray`.

Workers are tasks of the CPU or, where the cluster has GPUs, actors with a GPU each. The folder of outputs is one that all
machines see. Each output appears whole or not at all, and once, under a name that follows from its inputs; what is there is
not drawn again. So what a lost worker had under way is drawn by another one, and a run that ended early is taken up by
the same call. Ray's reports of usage are switched off by importing this module, unless RAY_USAGE_STATS_ENABLED is set.
"""
from __future__ import annotations

import os
import uuid
from typing import Any, Callable, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray
import ray.data

from ._document import Document, Source, _DrawnDocument
from ._errors import DeviceError, FileError
from ._geometry import ColorLike
from ._many import _FRAME, _Progress, expect_many
from ._pyramid import Pyramid
from ._tasks import FORMATS, Batch, DrawBlocks, DrawDocuments, Tries, output_name
from ._whole_file import check_folder, write_once

__all__ = ["Failure", "Report", "output_name", "render_dataset", "tile_pyramid"]

# What is drawn is split among so many tasks of Ray's at most, each of which takes some 20 ms of the caller's time. Fewer for
# each core would leave too many cores idle at the end.
_MOST_TASKS = 2000
_TASKS_OF_A_CORE = 4


class Failure(NamedTuple):
    """A document, or a block of a pyramid, that was not drawn, and why."""

    path: str
    reason: str


class Report(NamedTuple):
    """What became of a run.

    written counts the outputs that this run wrote, and there those that it found: of an earlier run, or of a worker that
    was lost after it wrote them. In files an output is a picture, in Parquet a row, of a pyramid a tile.
    """

    written: int
    there: int
    failures: Tuple[Failure, ...]


# ---- Clusters ----


def _check(format: str, device: str, out: str) -> None:
    if format not in FORMATS:
        raise ValueError(f"{format!r} is not written; {' and '.join(FORMATS)} are")
    if device not in ("auto", "cpu", "gpu"):
        raise ValueError(f"{device!r} is no device of a cluster; there are auto, cpu and gpu")
    if format == "webp":
        import PIL.Image  # noqa: F401
    try:
        check_folder(out)
    except OSError as error:
        raise FileError(f"cannot write: {error.strerror or error}", 0, out) from None


def _count_tasks() -> int:
    return max(_MOST_TASKS, _TASKS_OF_A_CORE * int(ray.cluster_resources().get("CPU", 1)))


def _choose(device: str) -> Tuple[str, int, int]:
    """Returns the kind of the device of each worker, how many GPUs there are, and how many cores for each."""
    if not ray.is_initialized():
        ray.init()
    resources = ray.cluster_resources()
    gpus, cores = int(resources.get("GPU", 0)), int(resources.get("CPU", 1))
    if device == "gpu" and gpus == 0:
        raise DeviceError("the cluster has no GPU")
    if device == "cpu" or gpus == 0:
        return "cpu", 0, 1
    return "gpu", gpus, max(1, cores // gpus)


class _Actor:
    """Keeps a GPU open for many batches."""

    def __init__(self, work: Callable[[Batch], Batch]) -> None:
        self.work = work

    def __call__(self, batch: Batch) -> Batch:
        return self.work(batch)


def _map(dataset: Any, work: Callable[[Batch], Batch], gpus: int, batch: int) -> Any:
    if gpus == 0:
        return dataset.map_batches(
            lambda columns: work(columns),
            batch_size=batch,
            batch_format="numpy",
            num_cpus=1,
        )
    return dataset.map_batches(
        _Actor,
        fn_constructor_args=(work,),
        batch_size=batch,
        batch_format="numpy",
        num_gpus=1,
        compute=ray.data.ActorPoolStrategy(min_size=1, max_size=gpus),
    )


def _run(dataset: Any, work: Union[DrawDocuments, DrawBlocks], gpus: int, batch: int, progress: bool, total: Optional[int]) -> Report:
    """Draws all batches. Ray Data holds back workers whose outcomes are not taken."""
    bar = _Progress(progress, total)
    written, there, failures = 0, 0, []
    mapped = _map(dataset, work, gpus, batch)
    mapped.context.enable_progress_bars = mapped.context.print_on_execution_start = False
    try:
        for outcomes in mapped.iter_batches(batch_size=None, batch_format="pyarrow"):
            for row in outcomes.to_pylist():
                if row["end"]:
                    kind = DeviceError if row["end"] == "DeviceError" else FileError
                    raise kind(row["reason"], 0, row["path"] or None)
                if row["path"]:
                    failures.append(Failure(row["path"], row["reason"]))
                written += row["written"]
                there += row["there"]
                bar.step(row["inputs"])
    finally:
        bar.close()
        work.tries.clear()
    return Report(written, there, tuple(failures))


# ---- Documents ----


def _make_dataset(documents: Any, batch: int) -> Tuple[Any, Optional[int]]:
    """Returns a dataset with the column `path`, and how many documents there are, if that is known."""
    import pyarrow

    if isinstance(documents, ray.data.Dataset):
        columns = documents.columns() or []
        if "path" not in columns:
            raise ValueError(f"the dataset needs the column path, and perhaps bytes; it has {', '.join(columns)}")
        return documents.select_columns(["path", "bytes"] if "bytes" in columns else ["path"]), None
    paths = list(dict.fromkeys(os.path.abspath(os.fsdecode(path)) for path in documents))
    rows = max(batch, -(-len(paths) // _count_tasks()))
    tables = [pyarrow.table({"path": pyarrow.array(paths[i : i + rows], pyarrow.string())}) for i in range(0, len(paths), rows)]
    return ray.data.from_blocks(tables), len(paths)


class _Done:
    """Says of paths whether they are in a table of hashes, of 16 bytes each, which all workers of a machine share."""

    def __init__(self, reference: Any) -> None:
        self.reference = reference

    def __call__(self, paths: Sequence[str]) -> List[bool]:
        import numpy

        first, second = ray.get(self.reference)
        found = []
        for a, b in map(_hash, paths):
            from_, to = numpy.searchsorted(first, a, "left"), numpy.searchsorted(first, a, "right")
            found.append(bool((second[from_:to] == b).any()))
        return found


def _hash(path: str) -> Tuple[Any, Any]:
    import hashlib

    import numpy

    digest = hashlib.sha256(os.fsencode(path)).digest()
    first, second = numpy.frombuffer(digest[:16], numpy.uint64)
    return first, second


def _find_done(out: str) -> Optional[_Done]:
    """Reads the paths that Parquet files of earlier runs have. None: there are no such files."""
    import numpy
    import pyarrow.dataset

    parts = [os.path.join(out, name) for name in os.listdir(out) if name.startswith("part-") and name.endswith(".parquet")]
    if not parts:
        return None
    hashes = []
    for table in pyarrow.dataset.dataset(parts, format="parquet").to_batches(columns=["path"]):
        hashes += [_hash(path) for path in table["path"].to_pylist()]
    first, second = numpy.array(hashes, numpy.uint64).reshape(-1, 2).T
    order = numpy.argsort(first, kind="stable")
    return _Done(ray.put((first[order].copy(), second[order].copy())))


def render_dataset(
    documents: Union[Iterable[Union[str, os.PathLike[str]]], ray.data.Dataset],
    out: Union[str, os.PathLike[str]],
    *,
    into: str = "files",
    format: str = "png",
    device: str = "auto",
    batch: int = 64,
    progress: bool = False,
    **options: Any,
) -> Report:
    """Draws any number of documents on a cluster, and returns what became of them.

    documents: paths of files that all machines see, or a Dataset of Ray Data's with the column `path` and perhaps `bytes`,
    the document itself, as `ray.data.read_binary_files(..., include_paths=True)` gives. out: a folder that all machines
    see. into "files": each picture is a file, named by `output_name` of its path. into "parquet": files of up to `batch`
    rows with path, width, height, picture and warnings. format: "png", or "webp", which needs Pillow. device: "auto", GPUs
    where the cluster has some, else the CPU; "cpu" or "gpu". batch: documents that a worker takes at a time. progress: shows
    a bar if tqdm is installed. Further options are those of `pietra.render`.

    A document that cannot be drawn is a failure in the report, and does not stop the others. Later runs try it again.
    FileError: an output cannot be written. DeviceError: a GPU failed. Both end the run, which can be taken up. A worker
    that is lost is replaced, and the documents of its batch are drawn one by one. One of which three workers die then is a
    failure.
    """
    unknown = set(options) - set(_FRAME) - set(Document.__init__.__kwdefaults__ or ())
    if unknown:
        raise TypeError(f"render_dataset takes no {', '.join(sorted(unknown))}")
    expect_many(documents)
    if into not in ("files", "parquet"):
        raise ValueError(f"{into!r}: pictures go into files or parquet")
    if batch < 1:
        raise ValueError(f"a batch of {batch} documents draws nothing")
    folder = os.path.abspath(os.fsdecode(out))
    _check(format, device, folder)
    kind, gpus, threads = _choose(device)
    dataset, total = _make_dataset(documents, batch)
    if total == 0:
        return Report(0, 0, ())
    done = _find_done(folder) if into == "parquet" else None
    work = DrawDocuments(folder, into, format, kind, threads, done, options, Tries(folder, uuid.uuid4().hex))
    return _run(dataset, work, gpus, batch, progress, total)


# ---- Pyramids ----


class _Load:
    """Gives the bytes of a stream, which stand once in the memory of each machine."""

    def __init__(self, reference: Any) -> None:
        self.reference = reference

    def __call__(self) -> Any:
        return ray.get(self.reference)


def tile_pyramid(
    svg: Source,
    out: Union[str, os.PathLike[str]],
    levels: Tuple[int, int],
    *,
    tile: int = 256,
    format: str = "png",
    layout: str = "xyz",
    background: Optional[ColorLike] = None,
    device: str = "auto",
    progress: bool = False,
    **options: Any,
) -> Report:
    """Draws one document as a pyramid of tiles on a cluster, and returns what became of it.

    svg is read here, once; its stream is put into the object store, and workers draw blocks of 4,096 pixels and cut them
    into tiles. out: a folder that all machines see. levels, tile and layout are those of `pietra.Pyramid`, which says what
    the tiles are; with layout "dzi" tiles.dzi is written when all tiles are there. format: "png", whose files are those of
    the command's --tiles, or "webp", which needs Pillow. device and progress are those of `render_dataset`. Further options
    are those of `pietra.Document`.

    InputError: the pyramid would have more than 100,000,000 tiles, or the document is bad. FileError and DeviceError end
    the run as in `render_dataset`.
    """
    import numpy

    folder = os.path.abspath(os.fsdecode(out))
    document = _DrawnDocument(svg, **options)
    pyramid = Pyramid(document.width, document.height, levels, tile=tile, layout=layout)
    _check(format, device, folder)
    kind, gpus, threads = _choose(device)
    run = uuid.uuid4().hex
    load = _Load(ray.put(numpy.frombuffer(bytes(document.stream), numpy.uint8)))
    work = DrawBlocks(load, run, pyramid, folder, format, kind, threads, background, Tries(folder, run))
    count = sum(pyramid.block_count(level) for level in range(levels[0], levels[1] + 1))
    dataset = ray.data.range(count, override_num_blocks=min(count, _count_tasks()))
    report = _run(dataset, work, gpus, 1, progress, count)
    description = pyramid.describe(format)
    if description and not report.failures:
        write_once(os.path.join(folder, description[0]), description[1].encode())
    return report
