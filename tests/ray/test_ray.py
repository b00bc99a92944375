# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Many machines: a local cluster of two workers, one of which is killed in the middle. `.ci/ray` runs this.

A process of Ray's takes seconds of a core to start, so all tests share one cluster."""
import itertools
import os
import pathlib
import signal
import subprocess
import threading
import time
from typing import Any, Dict, Iterator, List, Set

os.environ["RAY_worker_niceness"] = "0"  # on a busy machine workers would hardly run

import PIL.Image
import pyarrow.parquet
import pytest
import ray
import ray.data

import pietra
import pietra.ray
from pietra.ray import output_name, render_dataset, tile_pyramid

PATIENCE = 60  # seconds


@pytest.fixture(scope="session", autouse=True)
def cluster() -> Iterator[None]:
    """Two workers, and a GPU as far as Ray knows, which is lavapipe or another one."""

    # Runs in each worker, which does not have this file: a document with deadly in its name kills the process that draws it.
    def make_deadly() -> None:
        from pietra import _document

        def begin(self: Any, source: Any, **options: Any) -> None:
            if "deadly" in str(source):
                os.kill(os.getpid(), signal.SIGKILL)
            begin_well(self, source, **options)

        begin_well = _document._DrawnDocument.__init__
        _document._DrawnDocument.__init__ = begin  # type: ignore[method-assign]

    ray.init(num_cpus=2, num_gpus=1, include_dashboard=False, log_to_driver=False, object_store_memory=200 << 20,
             runtime_env={"worker_process_setup_hook": make_deadly})
    yield
    ray.shutdown()


def svg(content: str, size: str = 'width="64" height="64"') -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{content}</svg>'.encode()


def write_documents(folder: pathlib.Path, count: int, circles: int) -> List[pathlib.Path]:
    paths = []
    for i in range(count):
        content = "".join(f'<circle cx="{j % 64}" cy="{(i + j) % 64}" r="30" opacity="0.9"/>' for j in range(circles))
        paths.append(folder / f"{i}.svg")
        paths[-1].write_bytes(svg(f'<rect width="{i}" height="64" fill="red"/>' + content))
    return paths


def read_below(folder: pathlib.Path) -> Dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def read_parent(process: int) -> int:
    with open(f"/proc/{process}/stat", "rb") as file:
        return int(file.read().rsplit(b")", 1)[1].split()[1])


def find_workers() -> Set[int]:
    """Returns the processes of this cluster that are at work on a batch. They are children of a child of this one."""
    found = set()
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                at_work = file.read().startswith(b"ray::MapBatches")
            if at_work and read_parent(read_parent(int(entry))) == os.getpid():
                found.add(int(entry))
        except OSError:
            pass
    return found


class Killer(threading.Thread):
    """Kills one worker as soon as a folder has some files, if it is at work then."""

    def __init__(self, folder: pathlib.Path, pattern: str, count: int) -> None:
        super().__init__()
        self.folder, self.pattern, self.count = folder, pattern, count
        self.killed = 0
        self.files_then: List[str] = []

    def run(self) -> None:
        end = time.monotonic() + PATIENCE
        while not self.killed and time.monotonic() < end:
            time.sleep(0.005)
            there = [str(path) for path in itertools.islice(self.folder.rglob(self.pattern), self.count)]
            workers = find_workers() if len(there) == self.count else set()
            if workers:
                os.kill(min(workers), signal.SIGKILL)
                self.killed, self.files_then = min(workers), there


def test_documents_while_a_worker_is_killed(tmp_path: pathlib.Path) -> None:
    documents, out = tmp_path / "in", tmp_path / "out"
    documents.mkdir()
    out.mkdir()
    paths = write_documents(documents, 120, 250)
    (documents / "bad.svg").write_bytes(b"<svg>\n</g>")
    bad = [documents / "bad.svg", documents / "none.svg"]
    killer = Killer(out, "*.png", 20)
    killer.start()
    report = render_dataset([*paths[:60], *bad, *paths[60:]], out, batch=12, width=150, device="cpu")
    killer.join()
    assert killer.killed, "the run ended before a worker could be killed"
    assert report.written + report.there == 120
    failures = dict(report.failures)
    assert len(report.failures) == 2 and set(failures) == set(map(str, bad))
    assert failures[str(bad[0])].startswith("line 2: ") and "No such file" in failures[str(bad[1])]
    # Nothing is lost, half, or there by another name; every file has the bytes that one machine gives.
    drawn = read_below(out)
    wanted = pietra.render_many(paths, then=pietra.Picture.png, width=150)
    assert drawn == {output_name(str(path), "png"): data for path, data in zip(paths, wanted)}
    # It is taken up: what is there is not touched, what is missing is drawn.
    before = {name: os.stat(out / name).st_mtime_ns for name in drawn}
    missing = output_name(str(paths[7]), "png")
    (out / missing).unlink()
    report = render_dataset([*paths, *bad], out, batch=60, width=150, device="cpu")
    assert (report.written, report.there, len(report.failures)) == (1, 119, 2)
    assert read_below(out) == drawn
    assert {name for name in drawn if os.stat(out / name).st_mtime_ns != before[name]} == {missing}


def test_parquet_while_a_worker_is_killed(tmp_path: pathlib.Path) -> None:
    documents, out = tmp_path / "in", tmp_path / "out"
    documents.mkdir()
    out.mkdir()
    paths = write_documents(documents, 60, 250)
    (documents / "bad.svg").write_bytes(b"<svg")
    given = [*paths[:30], documents / "bad.svg", *paths[30:]]
    killer = Killer(out, "part-*.parquet", 2)
    killer.start()
    report = render_dataset(given, out, into="parquet", batch=6, width=150, device="cpu")
    killer.join()
    assert killer.killed, "the run ended before a worker could be killed"
    assert report.written + report.there == 60 and [failure.path for failure in report.failures] == [str(documents / "bad.svg")]
    rows = pyarrow.parquet.read_table(out).to_pylist()
    assert sorted(row["path"] for row in rows) == sorted(map(str, paths))
    pictures = {row["path"]: row["picture"] for row in rows}
    assert [pictures[str(path)] for path in paths] == list(pietra.render_many(paths, then=pietra.Picture.png, width=150))
    assert {(row["width"], row["height"]) for row in rows} == {(150, 150)}
    # More documents, in other batches: only these are drawn.
    names = set(read_below(out))
    more = write_documents(tmp_path, 3, 1)
    report = render_dataset([*more, *given], out, into="parquet", batch=50, width=150, device="cpu")
    assert (report.written, report.there, len(report.failures)) == (3, 60, 1)
    assert len(pyarrow.parquet.read_table(out)) == 63 and names < set(read_below(out))


def test_a_dataset_with_documents_in_it(tmp_path: pathlib.Path) -> None:
    rows = [{"path": f"name-{i}.svg", "bytes": svg(f'<rect width="{i}" height="9"/>'), "more": i} for i in range(5)]
    rows.append({"path": "bad.svg", "bytes": b"<", "more": 0})
    report = render_dataset(ray.data.from_items(rows, override_num_blocks=2), tmp_path, batch=2, device="cpu")
    assert report.written == 5 and [failure.path for failure in report.failures] == ["bad.svg"]
    wanted = {output_name(row["path"], "png"): pietra.render(row["bytes"]).png() for row in rows[:5]}
    assert read_below(tmp_path) == wanted
    report = render_dataset(ray.data.from_items(rows[:2]), tmp_path / "webp", format="webp", device="cpu")
    pictures = {output_name(row["path"], "webp"): pietra.render(row["bytes"]) for row in rows[:2]}
    assert report.written == 2
    for name, picture in pictures.items():
        with PIL.Image.open(tmp_path / "webp" / name) as image:
            assert image.format == "WEBP" and image.convert("RGBA").tobytes() == bytes(picture)
    with pytest.raises(ValueError, match="needs the column path"):
        render_dataset(ray.data.from_items([{"name": "a"}]), tmp_path, device="cpu")
    assert render_dataset([], tmp_path) == (0, 0, ())


MAP = svg(
    "".join(f'<circle cx="{(i * 37) % 640}" cy="{(i * 53) % 400}" r="{3 + i % 40}" fill="#{i % 4096:03x}" opacity="0.8"/>' for i in range(1500)),
    'width="640" height="400"',
)


def draw_by_command(folder: pathlib.Path, levels: str, *arguments: str) -> Dict[str, bytes]:
    subprocess.run([os.environ["PIETRA_RENDER"], "--device", "cpu", "--tiles", str(folder), "--levels", levels, *arguments, "-"],
                   input=MAP, check=True)
    return read_below(folder)


def test_tiles_while_a_worker_is_killed(tmp_path: pathlib.Path) -> None:
    """The tiles are those of the command. Level 5 has four blocks."""
    out = tmp_path / "out"
    out.mkdir()
    killer = Killer(out, "5/*/*.png", 5)
    killer.start()
    report = tile_pyramid(MAP, out, (0, 5), device="cpu")
    killer.join()
    assert killer.killed, "the run ended before a worker could be killed"
    wanted = draw_by_command(tmp_path / "wanted", "0-5")
    assert read_below(out) == wanted
    assert report.written + report.there == len(wanted) and report.failures == ()
    (out / "5/9/3.png").unlink()
    report = tile_pyramid(MAP, out, (0, 5), device="cpu")
    assert (report.written, report.there) == (1, len(wanted) - 1)
    assert read_below(out) == wanted


def test_a_gpu_of_each_actor(tmp_path: pathlib.Path) -> None:
    """Where the cluster has GPUs they draw, and their bytes are those of the CPU. A document that kills its worker is a
    failure. Lavapipe takes seconds to open."""
    if not any(info.kind == "gpu" and info.usable for info in pietra.devices()):
        pytest.skip("there is no Vulkan device")
    paths = write_documents(tmp_path, 8, 3)
    deadly = tmp_path / "deadly.svg"
    report = render_dataset([*paths[:2], deadly, *paths[2:]], tmp_path / "out", batch=5)
    assert report.written + report.there == 8
    assert report.failures == ((str(deadly), "3 workers died while they drew it"),)
    wanted = pietra.render_many(paths, then=pietra.Picture.png)
    assert read_below(tmp_path / "out") == {output_name(str(path), "png"): data for path, data in zip(paths, wanted)}


def test_refusals(tmp_path: pathlib.Path) -> None:
    document = tmp_path / "in.svg"
    document.write_bytes(MAP)
    with pytest.raises(pietra.InputError, match="would have 89.* tiles; it may have 100000000"):
        tile_pyramid(MAP, tmp_path / "out", (0, 15))
    (tmp_path / "file").write_bytes(b"")
    for out in (tmp_path / "file", "/proc/none"):
        with pytest.raises(pietra.FileError, match="cannot write"):
            render_dataset([document], out)
        with pytest.raises(pietra.FileError, match="cannot write"):
            tile_pyramid(MAP, out, (0, 1))
    # A folder that takes no files any more ends the run.
    out_of_order = tmp_path / "late"
    (out_of_order / "0").mkdir(parents=True)
    (out_of_order / "0" / "0").write_bytes(b"")
    with pytest.raises(pietra.FileError, match="cannot write"):
        tile_pyramid(MAP, out_of_order, (0, 1), device="cpu")
    for bad in ({"into": "zip"}, {"format": "gif"}, {"device": "reference"}, {"batch": 0}):
        with pytest.raises(ValueError):
            render_dataset([document], tmp_path / "none", **bad)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes no colour"):
        render_dataset([document], tmp_path / "none", colour="red")
    with pytest.raises(TypeError, match="not one str"):
        render_dataset(str(document), tmp_path / "none")
    assert not (tmp_path / "none").exists() and not (tmp_path / "out").exists()
    with pytest.raises(pietra.InputError):
        tile_pyramid(b"<svg", tmp_path / "out", (0, 1))


def test_a_full_disk(tmp_path: pathlib.Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)], stderr=subprocess.DEVNULL)
    if mounted.returncode != 0:
        pytest.skip("mounting is not allowed")
    try:
        with pytest.raises(pietra.FileError, match="No space left"):
            tile_pyramid(MAP, disk / "out", (2, 5), device="cpu")
        names = read_below(disk)
        assert names and all(data.endswith(b"IEND\xaeB`\x82") for data in names.values())
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_names_of_outputs() -> None:
    name = output_name("/a/b.svg", "png")
    assert name == output_name("/a/b.svg", "png") != output_name("/c/b.svg", "png")
    assert name[2] == "/" and name[3:].startswith("b-" + name[:2]) and name.endswith(".png")
    for path in ("/" + "\U0001f600" * 300 + ".svg", "/..svg", "/.SVGZ", "/a\udcff.svg.gz", ""):
        folder, file = output_name(path, "webp").split("/")
        assert len(folder) == 2 and len(os.fsencode(file)) < 200 and not file.startswith(".") and file.endswith(".webp")
