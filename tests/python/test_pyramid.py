# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Regions of pictures, parts as files, and pyramids of tiles."""
import os
import pathlib
import pickle
import subprocess
import threading
from typing import Dict

import numpy
import pytest
from support import RENDER, svg

import pietra
from pietra._whole_file import check_folder, write_once

DRAWING = svg(
    '<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>'
    '<rect width="90" height="37" fill="url(#g)"/><circle cx="44" cy="21" r="17" fill="gold" stroke="black"/>',
    'width="90" height="37"',
)


def test_a_region_has_the_bytes_of_the_whole() -> None:
    stream = pietra.Document(DRAWING).stream
    scale = pietra.Transform.scale(5)
    whole = numpy.asarray(stream.render(450, 185, transform=scale, background="white", device="cpu"))
    for x, y, width, height in ((0, 0, 450, 185), (16, 32, 64, 48), (400, 160, 50, 25), (448, 0, 2, 16)):
        for device in ("cpu", "reference", pietra.Device("cpu")):
            part = stream.render(width, height, transform=scale, background="white", region=(x, y, 450, 185), device=device)
            assert numpy.array_equal(numpy.asarray(part), whole[y : y + height, x : x + width])
    for numbers in ((0, 0), (0, 0, 450), (0, 0, 450, 185, 0)):
        with pytest.raises(ValueError, match="four numbers"):
            stream.render(16, 16, region=numbers, device="cpu")  # type: ignore[arg-type]
    with pytest.raises(pietra.InputError):
        stream.render(16, 16, region=(8, 0, 450, 185), device="cpu")
    with pytest.raises(pietra.InputError):
        stream.render(16, 16, region=(448, 0, 450, 185), device="cpu")


def test_a_part_of_a_picture_is_a_file() -> None:
    picture = pietra.render(DRAWING, width=300, device="cpu")
    part = numpy.asarray(picture)[20:52, 101:150].copy()
    copy = pietra.Picture(49, 32)
    numpy.asarray(copy)[:] = part
    assert picture.png((101, 20, 49, 32)) == copy.png()
    assert picture.png((0, 0, picture.width, picture.height)) == picture.png()
    for cut in ((-1, 0, 4, 4), (0, 0, 0, 4), (0, 0, 301, 4), (299, 0, 2, 4), (0, 120, 1, 4)):
        with pytest.raises(ValueError):
            picture.png(cut)
    for bad, error in (((), ValueError), ((0, 0, 4), ValueError), ((0.5, 0, 4, 4), TypeError)):
        with pytest.raises(error):
            picture.png(bad)  # type: ignore[arg-type]


def draw_tiles(pyramid: pietra.Pyramid, stream: pietra.Stream) -> Dict[str, bytes]:
    files = {}
    for level in range(pyramid.levels[0], pyramid.levels[1] + 1):
        for number in range(pyramid.block_count(level)):
            block = pyramid.block(level, number)
            picture = pyramid.draw(stream, block, device="cpu")
            for column, row, cut in pyramid.cuts(block):
                files[pyramid.tile_name(level, column, row)] = picture.png(cut)
    description = pyramid.describe()
    if description:
        files[description[0]] = description[1].encode()
    return files


@pytest.mark.skipif(not RENDER, reason="there is no command")
@pytest.mark.parametrize("layout, levels", [("xyz", (0, 3)), ("dzi", (0, 10)), ("xyz", (7, 7))])
def test_tiles_are_those_of_the_command(tmp_path: pathlib.Path, layout: str, levels: "tuple[int, int]") -> None:
    (tmp_path / "in.svg").write_bytes(DRAWING)
    command = [RENDER or "", "--device", "cpu", "--tiles", "out", "--levels", f"{levels[0]}-{levels[1]}", "--tile-layout", layout]
    subprocess.run([*command, "--tile-size", "64", "in.svg"], cwd=tmp_path, check=True)
    out = tmp_path / "out"
    written = {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    document = pietra.Document(DRAWING)
    pyramid = pietra.Pyramid(document.width, document.height, levels, tile=64, layout=layout)
    assert pyramid.tiles == len(written) - (layout == "dzi")
    assert draw_tiles(pickle.loads(pickle.dumps(pyramid)), document.stream) == written


def test_pyramids_that_are_refused() -> None:
    with pytest.raises(pietra.InputError, match="the pyramid would have 1431655765 tiles; it may have 100000000"):
        pietra.Pyramid(1, 1, (0, 15))
    for levels, tile in (((3, 2), 256), ((0, 1), 100), ((0, 60), 256)):
        with pytest.raises(pietra.InputError):
            pietra.Pyramid(1, 1, levels, tile=tile)
    for levels, tile, layout in (((-1, 2), 256, "xyz"), ((0, 1), 0, "xyz"), ((0, 1), 256, "tms")):
        with pytest.raises(ValueError):
            pietra.Pyramid(1, 1, levels, tile=tile, layout=layout)
    for numbers, error in (((0,), ValueError), ((0, 1, 2), ValueError), ((0.5, 1), TypeError)):
        with pytest.raises(error):
            pietra.Pyramid(1, 1, numbers)  # type: ignore[arg-type]
    with pytest.raises(pietra.InputError):
        pietra.Pyramid(0, 1, (0, 1))
    pyramid = pietra.Pyramid(1, 1, (2, 3))
    for bad in (lambda: pyramid.level(1), lambda: pyramid.block(3, 1), lambda: pyramid.tile_name(2, 4, 0), lambda: pyramid.tile_name(2, 0, 0, "/")):
        with pytest.raises(pietra.InputError):
            bad()


@pytest.mark.parametrize("unnamed", [True, False])
def test_a_file_is_written_once(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, unnamed: bool) -> None:
    if not unnamed:
        monkeypatch.delattr(os, "O_TMPFILE")
    path = str(tmp_path / "a" / "b" / "file")
    assert write_once(path, b"first") and not write_once(path, b"second")
    with open(path, "rb") as file:
        assert file.read() == b"first"
    wins = []
    team = [threading.Thread(target=lambda i=i: wins.append(write_once(path + "2", bytes([i]) * 100000))) for i in range(8)]
    for thread in team:
        thread.start()
    for thread in team:
        thread.join()
    with open(path + "2", "rb") as file:
        data = file.read()
    assert len(data) == 100000 and len(set(data)) == 1
    assert wins.count(True) == 1
    assert sorted(os.listdir(tmp_path / "a" / "b")) == ["file", "file2"]
    mask = os.umask(0)
    os.umask(mask)
    assert os.stat(path).st_mode & 0o777 == 0o666 & ~mask


@pytest.mark.parametrize("unnamed", [True, False])
def test_a_full_disk_leaves_nothing(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, unnamed: bool) -> None:
    def refuse(descriptor: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    if not unnamed:
        monkeypatch.delattr(os, "O_TMPFILE")
    monkeypatch.setattr(os, "write", refuse)
    with pytest.raises(OSError, match="No space left"):
        write_once(str(tmp_path / "file"), b"data")
    with pytest.raises(OSError):
        check_folder(str(tmp_path))
    assert os.listdir(tmp_path) == []
