# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The work of a cluster's workers, without a cluster, where documents and blocks kill them."""
import json
import os
import pathlib
from typing import Any

import pytest
from support import RED, run_python

from pietra import _tasks

REASON = "3 workers died while they drew it"
# A worker: it draws a batch, and dies of what has the word deadly.
WORKER = """
import json, os, sys
from pietra import _document, _pyramid, _stream, _tasks

folder, kind, batch = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
begin, draw = _document._DrawnDocument.__init__, _pyramid.Pyramid.draw

def begin_or_die(self, source, **options):
    if "deadly" in str(source):
        os._exit(9)
    begin(self, source, **options)

def draw_or_die(self, stream, block, **options):
    if block.column == 4096 // 64:
        os._exit(9)
    return draw(self, stream, block, **options)

def open_or_die(kind, gpu, threads):
    os._exit(9)

_document._DrawnDocument.__init__, _pyramid.Pyramid.draw = begin_or_die, draw_or_die
_tasks.own_gpu = lambda: None
tries = _tasks.Tries(folder, "run")
if kind == "device":
    _tasks._open_device, kind = open_or_die, "files"
if kind == "blocks":
    pyramid = _pyramid.Pyramid(16, 1, (7, 7), tile=64)
    stream = _document.Document(b'<svg xmlns="http://www.w3.org/2000/svg" width="16" height="1"/>').stream
    work = _tasks.DrawBlocks(lambda: bytes(stream), "key", pyramid, folder, "png", "cpu", 1, None, tries)
    outcome = work({"id": batch})
else:
    outcome = _tasks.DrawDocuments(folder, kind, "png", "cpu", 1, None, {}, tries)({"path": batch})
print(json.dumps(outcome))
"""


def draw(folder: pathlib.Path, kind: str, batch: Any) -> Any:
    """Draws a batch with new workers until one survives. Returns what it tells, and how many died."""
    for deaths in range(20):
        ran = run_python(WORKER, str(folder), kind, json.dumps(batch))
        if ran.returncode == 0:
            return json.loads(ran.stdout), deaths
        assert ran.returncode == 9, ran.stderr
    raise AssertionError("the batch kills all workers")


@pytest.mark.parametrize("kind", ["files", "parquet"])
def test_documents_that_kill_workers_are_failures(tmp_path: pathlib.Path, kind: str) -> None:
    """Two in one batch: the first one is not tried anew when the second one has killed."""
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    out = tmp_path / "out"
    out.mkdir()
    batch = [str(tmp_path / name) for name in ("a.svg", "deadly-1.svg", "b.svg", "deadly-2.svg", "c.svg")]
    for path in batch:
        pathlib.Path(path).write_bytes(RED)
    outcome, deaths = draw(out, kind, batch)
    assert deaths == 1 + 3 + 3
    failures = dict(zip(outcome["path"], outcome["reason"]))
    assert failures == {batch[1]: REASON, batch[3]: REASON, "": ""}
    assert sum(outcome["written"]) + sum(outcome["there"]) == 3
    # What is under way leaves notes only until the run has ended.
    _tasks.Tries(str(out), "run").clear()
    assert sum(path.is_file() for path in out.rglob("*")) == (3 if kind == "files" else 1)


def test_blocks_that_kill_workers_are_failures(tmp_path: pathlib.Path) -> None:
    """The level has two blocks, of 512 tiles each; the second one kills."""
    outcome, deaths = draw(tmp_path, "blocks", [1, 0])
    assert deaths == 3 and outcome["reason"] == [REASON, ""] and outcome["path"] == ["level 7, block 1", ""]
    assert sum(outcome["written"]) == 512


def test_a_device_that_kills_workers_ends_the_run(tmp_path: pathlib.Path) -> None:
    outcome, deaths = draw(tmp_path, "device", ["a.svg", "b.svg"])
    assert deaths == 3 and outcome["end"] == ["DeviceError"] and outcome["reason"] == ["3 workers died while they opened a device"]


def test_a_folder_that_takes_no_files_ends_the_run() -> None:
    """Work that cannot be noted is not done."""
    outcome = _tasks.DrawDocuments("/proc/none", "files", "png", "cpu", 1, None, {}, _tasks.Tries("/proc/none", "run"))({"path": ["a.svg"]})
    assert outcome["end"] == ["FileError"] and outcome["reason"] == ["cannot write: No such file or directory"]
