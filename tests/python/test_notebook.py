# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a reader of docs/python.md types into a notebook, from top to bottom."""
import contextlib
import io
import os
import pathlib
import re

import pytest
from support import SOURCE

import pietra


def cells(page: str) -> "list[str]":
    with open(os.path.join(SOURCE, page), encoding="utf-8") as file:
        return re.findall(r"^```python\n(.*?)^```$", file.read(), re.M | re.S)


def test_the_examples_of_the_guide_run(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "icons").mkdir()
    with open(os.path.join(SOURCE, "scenes/showcase/pietra.svg"), "rb") as file:
        text = file.read()
    for name in ("drawing.svg", "icons/a.svg", "icons/b.svg"):
        (tmp_path / name).write_bytes(text)
    (tmp_path / "icons" / "bad.svg").write_bytes(b"<svg>\n<g>")
    names: "dict[str, object]" = {"__name__": "__main__"}
    printed = io.StringIO()
    found = cells("docs/python.md")
    assert len(found) >= 6
    with contextlib.redirect_stdout(printed):
        for number, cell in enumerate(found):
            exec(compile(cell, f"docs/python.md, example {number + 1}", "exec"), names)
    assert (tmp_path / "drawing.png").read_bytes().startswith(b"\x89PNG")
    assert "bad.svg:" in printed.getvalue()


def test_the_example_of_the_readme_runs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with open(os.path.join(SOURCE, "scenes/showcase/pietra.svg"), "rb") as file:
        (tmp_path / "drawing.svg").write_bytes(file.read())
    (cell,) = cells("README.md")
    exec(compile(cell, "README.md", "exec"), {})
    assert (tmp_path / "drawing.png").exists()


def test_a_picture_shows_itself() -> None:
    data = pietra.render(b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', device="cpu")._repr_png_()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[16:24] == b"\0\0\0\x09\0\0\0\x09"
