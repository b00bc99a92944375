# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Many documents at once."""
import io
import itertools
import pathlib
import sys
import threading
from typing import Any, Dict, Iterator

import pytest
from support import RED, svg

import pietra


def inputs(count: int) -> "list[bytes]":
    return [svg(f'<rect width="{i}" height="64"/>') for i in range(count)]


def test_results_come_in_order() -> None:
    wanted = [pietra.render(text, device="cpu") for text in inputs(40)]
    assert list(pietra.render_many(inputs(40))) == wanted
    assert list(pietra.render_many(inputs(40), threads=1)) == wanted
    assert list(pietra.render_many(inputs(3), threads=9, device="reference")) == wanted[:3]
    assert list(pietra.render_many([])) == []


def test_results_come_as_they_come() -> None:
    found = dict(pietra.render_many(inputs(40), ordered=False, threads=3))
    assert [found[i] for i in range(40)] == list(pietra.render_many(inputs(40)))


@pytest.mark.parametrize("ordered", [True, False])
def test_a_bad_document_is_an_exception_and_not_the_end(tmp_path: pathlib.Path, ordered: bool) -> None:
    (tmp_path / "bad.svg").write_bytes(b"<svg>\n</g>")
    sources = [RED, tmp_path / "bad.svg", RED, tmp_path / "none.svg", 7, RED]
    found = list(pietra.render_many(sources, ordered=ordered))  # type: ignore
    results = found if ordered else [result for _, result in sorted(found, key=lambda pair: pair[0])]
    assert [type(result) for result in results] == [
        pietra.Picture,
        pietra.InputError,
        pietra.Picture,
        pietra.FileError,
        TypeError,
        pietra.Picture,
    ]
    assert (results[1].file, results[1].line) == (str(tmp_path / "bad.svg"), 2)


def test_work_goes_on_where_pictures_are_drawn() -> None:
    assert list(pietra.render_many([RED] * 5, then=pietra.Picture.png)) == [pietra.render(RED, device="cpu").png()] * 5
    names = set(pietra.render_many([RED] * 5, then=lambda picture: threading.current_thread().name))
    assert threading.current_thread().name not in names
    failures = list(pietra.render_many([RED] * 2, then=lambda picture: 1 // 0))
    assert [type(failure) for failure in failures] == [ZeroDivisionError] * 2


def test_options_reach_documents_and_frames() -> None:
    (picture,) = pietra.render_many([RED], width=9, background="white", dpi=90, style_sheet="rect{fill:blue}")
    assert picture == pietra.render(RED, width=9, background="white", style_sheet="rect{fill:blue}", device="cpu")
    refused: "list[Dict[str, Any]]" = [{"nothing": 1}, {"canceller": pietra.Canceller()}]
    for options in refused:
        with pytest.raises(TypeError, match="takes no"):
            pietra.render_many([RED], **options)
    with pytest.raises(ValueError):
        pietra.render_many([RED], threads=-1)
    for one in ("a.svg", RED):
        with pytest.raises(TypeError, match="not one"):
            pietra.render_many(one)  # type: ignore[arg-type]


def test_inputs_are_taken_as_they_are_needed() -> None:
    taken = []

    def endless() -> Iterator[bytes]:
        for i in itertools.count():
            taken.append(i)
            yield RED

    results = pietra.render_many(endless(), threads=2)
    assert [next(results).shape for _ in range(20)] == [(64, 64, 4)] * 20  # type: ignore[union-attr]
    assert len(taken) < 40
    before = threading.active_count()
    results.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before - 2


def test_a_failure_of_the_inputs_ends_the_run() -> None:
    def broken() -> Iterator[bytes]:
        yield RED
        raise ZeroDivisionError

    before = threading.active_count()
    with pytest.raises(ZeroDivisionError):
        list(pietra.render_many(broken()))
    assert threading.active_count() == before


def test_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.warns(UserWarning, match="tqdm is not installed"):
        assert len(list(pietra.render_many([RED] * 3, progress=True))) == 3
    monkeypatch.undo()
    tqdm = pytest.importorskip("tqdm.auto")
    shown = io.StringIO()
    monkeypatch.setattr(tqdm, "tqdm", lambda **options: tqdm.std_tqdm(file=shown, mininterval=0, **options), raising=False)
    if not hasattr(tqdm, "std_tqdm"):
        monkeypatch.setattr(tqdm, "std_tqdm", __import__("tqdm").std.tqdm, raising=False)
    list(pietra.render_many([RED] * 3, progress=True))
    assert "3/3" in shown.getvalue()
