# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Documents: what render and Document take and give, and what they refuse."""
import gzip
import os
import pathlib
import pickle
import subprocess
import warnings
from typing import Any, List

import numpy
import pytest
from support import RED, RENDER, SOURCE, pixel, run_python, svg

import pietra


def test_a_document_from_bytes_text_and_paths_is_the_same(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "in.svg"
    path.write_bytes(RED)
    sources: List[Any] = [RED, bytearray(RED), memoryview(RED), RED.decode(), " \n" + RED.decode(), gzip.compress(RED), path, str(path)]
    pictures = [pietra.render(source, device="cpu") for source in sources]
    assert all(picture == pictures[0] for picture in pictures)
    assert pixel(pictures[0], 31, 0) == (255, 0, 0, 255) and pixel(pictures[0], 32, 0) == (0, 0, 0, 0)
    assert pictures[0].file is None and pictures[-1].file == str(path)


def test_arrays_share_the_memory_of_a_picture() -> None:
    picture = pietra.render(RED, width=128, height=80, device="cpu")
    array = numpy.asarray(picture)
    assert array.shape == picture.shape == (80, 80, 4) and array.dtype == numpy.uint8 and array.flags.c_contiguous
    assert array.__array_interface__["data"][0] == picture.__array_interface__["data"][0]
    view = memoryview(picture)
    assert (view.shape, view.strides, view.format, view.readonly) == ((80, 80, 4), (320, 4, 1), "B", False)
    array[3, 5] = (1, 2, 3, 4)
    assert pixel(picture, 5, 3) == (1, 2, 3, 4)
    assert bytes(view) == bytes(picture) == array.tobytes()

    class Interface:
        __array_interface__ = picture.__array_interface__

    assert numpy.array_equal(numpy.asarray(Interface()), array)


def test_a_view_outlives_its_picture() -> None:
    array = numpy.asarray(pietra.render(RED, width=512, device="cpu"))
    assert (array[:, :256] == (255, 0, 0, 255)).all() and not array[:, 256:].any()


@pytest.mark.parametrize(
    "options, size",
    [
        ({}, (64, 64)),
        ({"width": 10}, (10, 10)),
        ({"height": 7}, (7, 7)),
        ({"width": 10, "height": 7}, (7, 7)),
        ({"zoom": 1.51}, (97, 97)),
        ({"zoom": 0.001}, (1, 1)),
        ({"box": pietra.Box(10, 20, 20.5, 25)}, (11, 5)),
        ({"box": pietra.Box(10, 20, 20, 25), "width": 100}, (100, 50)),
    ],
)
def test_sizes(options: dict, size: tuple) -> None:  # type: ignore[type-arg]
    picture = pietra.Document(RED).render(device="cpu", **options)
    assert (picture.width, picture.height) == size


def test_dpi_and_viewport() -> None:
    inch = svg("", 'width="1in" height="50%"')
    assert pietra.render(inch, dpi=200, viewport=(1, 90), device="cpu").shape == (45, 200, 4)


def test_background_and_documents_options() -> None:
    text = svg('<rect id="a" width="9" height="9" class="x"/><rect id="b" x="20" width="9" height="9"/>')
    picture = pietra.render(text, background="#00f", style_sheet=".x { fill: lime }", device="cpu")
    assert pixel(picture, 0, 0) == (0, 255, 0, 255) and pixel(picture, 60, 60) == (0, 0, 255, 255)
    picture = pietra.render(text, element_id="b", background=(1, 1, 1), device="cpu")
    assert pixel(picture, 0, 0) == (255, 255, 255, 255) and pixel(picture, 20, 0) == (0, 0, 0, 255)


def test_boxes_by_id() -> None:
    document = pietra.Document(
        svg('<circle id="d" cx="20" cy="20" r="10"/><path id="p" d="M40,40h9" stroke="red" stroke-width="2"/><g id="none"/>')
    )
    assert document.boxes["d"] == pytest.approx((10, 10, 30, 30))
    assert document.boxes["p"] == pytest.approx((40, 39, 49, 41))
    assert list(document.boxes) == ["", "d", "p"] and document.boxes[""] == pytest.approx((10, 10, 49, 41))
    assert document.boxes["d"].width == pytest.approx(20) and document.boxes["d"].height == pytest.approx(20)
    assert (document.width, document.height, document.warnings) == (64, 64, ())


def test_resources_are_read_only_if_asked(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.svg").write_bytes(RED)
    text = svg('<image href="a.svg" width="64" height="64"/>')
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert pixel(pietra.render(text, device="cpu"), 0, 0) == (0, 0, 0, 0)
    assert [warning.category for warning in caught] == [pietra.DocumentWarning]
    assert pixel(pietra.render(text, resources=tmp_path, device="cpu"), 0, 0) == (255, 0, 0, 255)


def test_what_is_left_out_is_a_warning_with_its_line() -> None:
    text = svg('\n<a xmlns:x="x"/>\n<foreignObject width="9" height="9"/>')
    with pytest.warns(pietra.DocumentWarning, match="line 3: .*foreignObject"):
        picture = pietra.render(text, device="cpu")
    assert [warning.line for warning in picture.warnings] == [3]
    assert str(pickle.loads(pickle.dumps(picture.warnings[0]))) == str(picture.warnings[0])


def test_png_and_files(tmp_path: pathlib.Path) -> None:
    picture = pietra.render(RED, device="cpu")
    picture.save(tmp_path / "a.png")
    picture.save(str(tmp_path / "noending"))
    data = (tmp_path / "a.png").read_bytes()
    assert data == (tmp_path / "noending").read_bytes() == picture.png() == picture._repr_png_()
    assert data.startswith(b"\x89PNG\r\n")
    PIL = pytest.importorskip("PIL.Image")
    image = PIL.open(tmp_path / "a.png").convert("RGBA")
    assert numpy.array_equal(numpy.asarray(image), numpy.asarray(picture))
    shared = picture.to_pil()
    assert shared.mode == "RGBA" and shared.size == (64, 64) and shared.getpixel((0, 0)) == (255, 0, 0, 255)


@pytest.mark.parametrize("name", ["a.jpg", "a.WEBP", "a.svg", "a.pdf"])
def test_endings_of_other_formats_are_refused(tmp_path: pathlib.Path, name: str) -> None:
    with pytest.raises(ValueError, match="not written; .png is"):
        pietra.render(RED, device="cpu").save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: pathlib.Path) -> None:
    picture = pietra.render(RED, device="cpu")
    with pytest.raises(pietra.FileError) as caught:
        picture.save(tmp_path / "no" / "a.png")
    assert caught.value.file == str(tmp_path / "no" / "a.png")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(OSError):
        picture.save(tmp_path / "folder.png")
    assert os.listdir(tmp_path) == ["folder.png"]


def test_a_full_disk_leaves_nothing(tmp_path: pathlib.Path) -> None:
    program = """
import os, pietra, resource, signal
picture = pietra.render(b'<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle r="40"/></svg>', device="cpu")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    picture.save("a.png")
except pietra.FileError as error:
    print(error, os.listdir("."))
"""
    done = run_python(program, cwd=tmp_path)
    assert done.stdout == "a.png: cannot write: File too large []\n", done.stderr


def test_errors_have_file_line_and_reason(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "bad.svg"
    path.write_bytes(b'<svg xmlns="http://www.w3.org/2000/svg">\n<g>\n</svg>')
    with pytest.raises(pietra.InputError) as caught:
        pietra.render(path)
    error = caught.value
    assert (error.file, error.line) == (str(path), 3) and error.reason
    assert str(error) == f"{path}:3: {error.reason}"
    assert isinstance(error, ValueError) and isinstance(error, pietra.Error)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.line) == (pietra.InputError, str(error), 3)
    with pytest.raises(pietra.FileError) as missing:
        pietra.render(tmp_path / "none.svg")
    assert isinstance(missing.value, OSError) and missing.value.file == str(tmp_path / "none.svg")
    assert str(pickle.loads(pickle.dumps(missing.value))) == str(missing.value)


@pytest.mark.parametrize(
    "options, error",
    [
        ({"width": 0}, ValueError),
        ({"width": -1}, ValueError),
        ({"width": 1.5}, TypeError),
        ({"width": 1 << 40}, pietra.InputError),
        ({"width": 40000}, pietra.InputError),
        ({"zoom": 0}, ValueError),
        ({"zoom": float("nan")}, ValueError),
        ({"zoom": 2, "width": 9}, TypeError),
        ({"background": "nocolour"}, pietra.InputError),
        ({"background": (1, 2)}, ValueError),
        ({"background": (1, 2, float("inf"))}, pietra.InputError),
        ({"dpi": -1}, pietra.InputError),
        ({"limits": {"steps": 1}}, pietra.InputError),
        ({"limits": {"stairs": 1}}, ValueError),
        ({"limits": {"steps": -1}}, OverflowError),
        ({"style_sheet": "a\0b"}, ValueError),
        ({"element_id": "none"}, pietra.InputError),
        ({"device": "abacus"}, ValueError),
        ({"device": "gpu:"}, ValueError),
        ({"device": 5}, TypeError),
        ({"device": None}, TypeError),
        ({"canceller": 5}, TypeError),
        ({"fonts": "serif"}, TypeError),
        ({"nothing": 1}, TypeError),
    ],
)
def test_bad_options_are_refused(options: dict, error: type) -> None:  # type: ignore[type-arg]
    with pytest.raises(error):
        pietra.render(RED, **{"device": "cpu", **options})


@pytest.mark.parametrize("source, error", [(7, TypeError), (None, TypeError), (b"", pietra.InputError), ("a\0b", ValueError)])
def test_bad_sources_are_refused(source: object, error: type) -> None:
    with pytest.raises(error):
        pietra.render(source)  # type: ignore[arg-type]


def test_limits_are_listed() -> None:
    assert pietra.limits()["steps"] == 3000000


@pytest.mark.skipif(not RENDER, reason="there is no command")
@pytest.mark.parametrize("name, options", [("showcase/pietra.svg", {"width": 300}), ("text/paths.svg", {"zoom": 0.7})])
def test_the_command_draws_the_same(tmp_path: pathlib.Path, name: str, options: dict) -> None:  # type: ignore[type-arg]
    path = os.path.join(SOURCE, "scenes", name)
    if not os.path.exists(path):
        path = os.path.join(SOURCE, "scenes/showcase/pietra.svg")
    arguments = [f"--{name}={value}" for name, value in options.items()]
    subprocess.run([RENDER or "", "-q", "--device", "cpu", *arguments, path, tmp_path / "a.png"], check=True)
    picture = pietra.Document(path).render(device="cpu", **options)
    assert picture.png() == (tmp_path / "a.png").read_bytes()


def test_features_and_what_misses_them(tmp_path: pathlib.Path) -> None:
    found = pietra.features()
    assert {"vulkan", "libpng", "libjpeg", "giflib", "libwebp", "lcms2", "libdeflate", "harfbuzz", "freetype", "fontconfig", "icu"} == set(found)
    assert all(feature.purpose and bool(feature) == (feature.file is not None) for feature in found.values())
    # A file that is no library stands in the place of each that is there.
    for name in ("harfbuzz", "libpng"):
        file = found[name].file
        if file:
            (tmp_path / file).write_bytes(b"")
    program = """
import pietra, zlib, struct, base64
def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
png = b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
png += chunk(b"IDAT", zlib.compress(b"\\0\\0\\0\\xff")) + chunk(b"IEND", b"")
text = '<image width="9" height="9" href="data:image/png;base64,%s"/><text y="30">a</text>' % base64.b64encode(png).decode()
rest = '<rect x="20" width="20" height="20"/>'
document = pietra.Document('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">%s</svg>' % (text + rest))
print([name for name, feature in pietra.features().items() if not feature and name in ("harfbuzz", "libpng")])
print(" | ".join(str(warning) for warning in document.warnings))
print(bytes(document.render(device="cpu"))[4 * 20 : 4 * 20 + 4])
"""
    done = run_python(program, env={"LD_LIBRARY_PATH": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    names, told, drawn = done.stdout.splitlines()
    assert names == "['libpng', 'harfbuzz']"
    assert "the library for its format is not installed" in told
    assert "text is left out: HarfBuzz, which reads fonts, is not installed" in told
    assert drawn == str(bytes((0, 0, 0, 255)))


@pytest.mark.parametrize("name, told", [("icu", "text is left out: ICU"), ("fontconfig", "fontconfig, which knows")])
def test_text_without_its_libraries(tmp_path: pathlib.Path, name: str, told: str) -> None:
    file = pietra.features()[name].file
    if not file:
        pytest.skip(f"{name} is not installed")
    (tmp_path / file).write_bytes(b"")
    program = """
import pietra
document = pietra.Document('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>\\u05e9\\u05dc</text></svg>')
print([str(warning) for warning in document.warnings], document.render(device="cpu").shape)
"""
    done = run_python(program, env={"LD_LIBRARY_PATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)})
    assert done.returncode == 0 and told in done.stdout and "(9, 9, 4)" in done.stdout, done.stdout + done.stderr


def test_icu_of_any_version_is_found() -> None:
    assert pietra.features()["icu"].file is None or pietra.features()["icu"].file.startswith("libicuuc.so.")  # type: ignore[union-attr]


def test_fonts(tmp_path: pathlib.Path) -> None:
    folder = os.path.join(SOURCE, "tests/font/fonts")
    files = sorted(name for name in os.listdir(folder) if name.endswith((".ttf", ".otf")))
    text = svg('<text y="50" font-size="50">A</text>')
    none = pietra.Document(text, fonts=pietra.Fonts(system=False))
    some = pietra.Document(text, fonts=pietra.Fonts(system=False, directories=[folder]))
    assert none.stream != some.stream
    with open(os.path.join(folder, files[0]), "rb") as file:
        pietra.Fonts(system=False, data=[file.read()], families={"serif": "Nothing"})
    pietra.Fonts(system=False, files=[os.path.join(folder, files[0])])
    with pytest.raises(pietra.FileError) as caught:
        pietra.Fonts(files=[tmp_path / "none.ttf"])
    assert caught.value.file == str(tmp_path / "none.ttf") and str(caught.value).count(caught.value.file) == 1
    with pytest.raises(ValueError, match="null"):
        pietra.Fonts(files=["a\0b"])
    with pytest.raises(pietra.InputError):
        pietra.Fonts(data=[b"no font"])
    with pytest.raises(ValueError, match="generic family"):
        pietra.Fonts(families={"sherif": "x"})
