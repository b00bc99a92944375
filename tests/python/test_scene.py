# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Scenes, paths, paints, arrays, streams and devices."""
import math
import pickle
import threading
from typing import Any, Callable

import numpy
import pytest
from support import RED, pixel

import pietra
from pietra import Path, Scene, Transform


def draw(scene: Scene, side: int = 32, **options: Any) -> pietra.Picture:
    return scene.encode().render(side, side, device="cpu", **options)


def square(x: float = 0, y: float = 0, side: float = 16) -> Path:
    return Path().rect(x, y, side, side)


def test_fills_and_strokes() -> None:
    scene = Scene()
    scene.fill(square(), "red")
    scene.fill(square(), (0, 0, 1, 0.5), transform=Transform.translate(16, 16))
    scene.stroke(Path().move_to(16, 8).line_to(32, 8), "lime", 4)
    picture = draw(scene)
    assert pixel(picture, 3, 3) == (255, 0, 0, 255)
    assert pixel(picture, 20, 20) == (0, 0, 255, 128)
    assert pixel(picture, 20, 8) == (0, 255, 0, 255) and pixel(picture, 20, 20 - 9) == (0, 0, 0, 0)
    assert len(scene) == 3 and scene.bounds() == (0, 0, 32, 32)


def test_strokes_have_dashes_caps_and_joins() -> None:
    line = Path().move_to(8, 16).line_to(24, 16)
    drawn = {}
    for cap in ("butt", "round", "square"):
        scene = Scene()
        scene.stroke(line, "#000", pietra.Stroke(8, cap=cap, dashes=[4, 12], dash_offset=0))
        drawn[cap] = bytes(draw(scene))
    assert len(set(drawn.values())) == 3
    outline = line.stroke_to_fill(pietra.Stroke(8, cap="square"))
    assert outline.bounds() == pytest.approx((4, 12, 28, 20))
    for bad in (pietra.Stroke(cap="pointed"), pietra.Stroke(join="glued")):
        with pytest.raises(ValueError):
            Scene().stroke(line, "#000", bad)
    with pytest.raises(pietra.InputError):
        Scene().stroke(line, "#000", pietra.Stroke(miter_limit=-1))


def test_paths_from_arrays_are_the_same_as_calls() -> None:
    by_calls = Path().move_to(1, 2).line_to(30, 2).quad_to(30, 30, 10, 28).cubic_to(1, 2, 3, 4, 5, 6).close()
    verbs = numpy.array([Path.MOVE, Path.LINE, Path.QUAD, Path.CUBIC, Path.CLOSE], numpy.uint8)
    points = numpy.array([1, 2, 30, 2, 30, 30, 10, 28, 1, 2, 3, 4, 5, 6], numpy.float64)
    streams = []
    for path in (by_calls, Path().append(verbs, points), Path().append(bytes(verbs), points.reshape(-1, 2))):
        scene = Scene()
        scene.fill(path, "#123")
        streams.append(scene.encode())
    assert streams[0] == streams[1] == streams[2]
    assert Path().bounds() is None and by_calls.reset().bounds() is None


@pytest.mark.parametrize(
    "verbs, points, error",
    [
        (b"\x04\x01", [[0.0, 0.0]], ValueError),
        (b"\x04", [[0.0, 0.0], [1.0, 1.0]], ValueError),
        (b"\x09", [[0.0, 0.0]], ValueError),
        (b"\x04", [[0.0, 0.0, 0.0, 0.0]], ValueError),
        (b"\x04", [[[0.0, 0.0]]], ValueError),
        (b"\x04", numpy.zeros((1, 2), numpy.float32), TypeError),
        (b"\x04\x01", numpy.zeros((2, 2), order="F"), ValueError),
        (b"\x04\x01", numpy.zeros((2, 4))[:, ::2], ValueError),
        (numpy.array([4], numpy.int32), [[0.0, 0.0]], TypeError),
        ("abc", [[0.0, 0.0]], TypeError),
        (b"\x04", 7, TypeError),
    ],
)
def test_bad_arrays_of_points_are_refused(verbs: Any, points: Any, error: type) -> None:
    path = Path()
    with pytest.raises(error):
        path.append(verbs, numpy.array(points) if isinstance(points, list) else points)
    assert path.bounds() is None


@pytest.mark.parametrize(
    "array, error, told",
    [
        (numpy.zeros((4, 4), numpy.uint8), ValueError, "4 x 4"),
        (numpy.zeros((4, 4, 3), numpy.uint8), ValueError, "4 x 4 x 3"),
        (numpy.zeros((0, 4, 4), numpy.uint8), ValueError, "empty"),
        (numpy.zeros((4, 4, 4), numpy.float32), TypeError, "uint8"),
        (numpy.zeros((4, 4, 4), numpy.int8), TypeError, "uint8"),
        (numpy.zeros((4, 4, 4), numpy.uint8, order="F"), ValueError, "order of C"),
        (numpy.zeros((4, 4, 4), numpy.uint8)[:, ::2], ValueError, "order of C"),
        (numpy.zeros((4, 4, 4), numpy.uint8)[::-1], ValueError, "order of C"),
        ([[1, 2, 3, 4]], TypeError, "list"),
        (None, TypeError, "NoneType"),
        (numpy.zeros((1, 65536, 4), numpy.uint8), pietra.InputError, "65535"),
    ],
)
def test_bad_pixels_are_refused(array: Any, error: type, told: str) -> None:
    with pytest.raises(error, match=told):
        pietra.Image(array)


def test_images_from_arrays_pictures_and_scenes() -> None:
    array = numpy.zeros((2, 2, 4), numpy.uint8)
    array[0, 0] = (255, 0, 0, 255)
    array[1, 1] = (0, 0, 255, 255)
    image = pietra.Image(array)
    array[:] = 0  # it was copied
    assert (image.width, image.height) == (2, 2)
    scene = Scene()
    scene.draw_image(image, transform=Transform.scale(8), filter="nearest")
    scene.fill(square(16, 16), pietra.ImagePaint(image, spread="repeat", filter="nearest"))
    picture = draw(scene)
    assert pixel(picture, 7, 7) == (255, 0, 0, 255) and pixel(picture, 8, 8) == (0, 0, 255, 255)
    assert pixel(picture, 16, 16) == (255, 0, 0, 255) and pixel(picture, 17, 16) == (0, 0, 0, 0)
    again = Scene()
    again.draw_image(pietra.Image(picture))
    assert draw(again) == picture
    nested = Scene()
    nested.draw_image(pietra.Image.from_scene(scene, 32, 32))
    assert pixel(draw(nested), 7, 7) == (255, 0, 0, 255)
    with pytest.raises(pietra.InputError):
        pietra.Image.from_scene(scene, 0, 1)


def test_nine_patches() -> None:
    array = numpy.zeros((3, 3, 4), numpy.uint8)
    array[:] = (0, 0, 255, 255)
    array[1, 1] = (255, 0, 0, 255)
    scene = Scene()
    scene.draw_nine_patch(pietra.Image(array), (2, 2, 30, 20), (1, 1, 1, 1), scale=2, filter="nearest")
    picture = draw(scene)
    assert pixel(picture, 2, 2) == pixel(picture, 3, 10) == (0, 0, 255, 255) == pixel(picture, 29, 19)
    assert pixel(picture, 4, 4) == pixel(picture, 27, 17) == (255, 0, 0, 255)
    assert pixel(picture, 1, 1) == pixel(picture, 30, 10) == (0, 0, 0, 0)
    for box, borders in (((0, 0, 1), (0, 0, 0, 0)), ((0, 0, 1, 1), (1, 1)), ((0, 0, 9, 9), (2, 0, 1, 0))):
        with pytest.raises(ValueError):
            scene.draw_nine_patch(pietra.Image(array), box, borders)


def test_images_of_pillow() -> None:
    PIL = pytest.importorskip("PIL.Image")
    assert pietra.Image(PIL.new("RGBA", (3, 2))).width == 3
    with pytest.raises(ValueError, match="2 x 3 x 3"):
        pietra.Image(PIL.new("RGB", (3, 2)))


def test_gradients() -> None:
    stops: Any = [(0, "red"), (1, (0, 0, 1))]
    scene = Scene()
    scene.fill(square(), pietra.LinearGradient(0, 0, 16, 0, stops))
    scene.fill(square(16), pietra.RadialGradient(24, 8, 8, stops, fx=22))
    scene.fill(square(0, 16), pietra.SweepGradient(8, 24, 0, 360, stops, spread="repeat"))
    scene.fill(square(16, 16), pietra.Solid("lime", opacity=0.5))
    picture = draw(scene)
    assert pixel(picture, 0, 8)[0] > 240 > 15 > pixel(picture, 15, 8)[0]
    assert pixel(picture, 22, 8)[0] > 200 and pixel(picture, 16, 0) == (0, 0, 255, 255)
    assert pixel(picture, 15, 24)[0] > 200 and pixel(picture, 15, 23)[2] > 200
    assert pixel(picture, 20, 20) == (0, 255, 0, 128)
    for bad in (
        pietra.LinearGradient(0, 0, 1, 1, stops, spread="jam"),
        pietra.LinearGradient(0, 0, 1, 1, stops, interpolation="cielab"),
        pietra.LinearGradient(0, 0, 1, 1, stops, transform=(0, 0, 0, 0, 0, 0)),
        pietra.LinearGradient(0, 0, 1, 1, stops, transform=(1, 2)),
        pietra.LinearGradient(0, 0, 1, math.nan, stops),
        pietra.RadialGradient(0, 0, -1, stops),
    ):
        with pytest.raises(ValueError):
            scene.fill(square(), bad)
    assert len(scene) == 4
    scene.fill(square(), pietra.LinearGradient(0, 0, 16, 0, [(0, "white"), (1, "blue")], interpolation="oklab"))
    assert pixel(draw(scene), 8, 8)[1] > 150  # in sRGB 120


def test_clips_groups_masks_and_transforms() -> None:
    scene = Scene()
    with scene.clip(square(0, 0, 8)):
        scene.fill(square(), "red")
    with scene.clip(square(16, 0, 4), square(24, 0, 4)):
        scene.fill(square(16), "red")
    with scene.clip():
        scene.fill(square(0, 0, 99), "red")
    with scene.group(opacity=0.5):
        scene.fill(square(0, 16, 8), "lime")
        scene.fill(square(4, 16, 8), "lime")
    source = Scene()
    source.fill(Path().rect(0, 0, 4, 99), "#fff")
    with scene.mask(source, kind="luminance", transform=Transform.translate(16)):
        scene.fill(square(16, 16), "blue")
    with scene.transform(Transform.translate(24, 24) @ Transform.scale(2)):
        scene.fill(square(0, 0, 4), "white")
        with scene.group(blend="multiply"):
            scene.fill(square(0, 0, 2), "#808080")
    picture = draw(scene)
    assert pixel(picture, 7, 7) == (255, 0, 0, 255) and pixel(picture, 8, 8) == (0, 0, 0, 0)
    assert [pixel(picture, x, 0)[3] for x in (16, 20, 24, 28)] == [255, 0, 255, 0]
    assert pixel(picture, 2, 18) == pixel(picture, 5, 18) == (0, 255, 0, 128)
    assert pixel(picture, 18, 18) == (0, 0, 255, 255) and pixel(picture, 21, 18)[3] == 0
    assert pixel(picture, 25, 25) == (128, 128, 128, 255) and pixel(picture, 29, 29) == (255, 255, 255, 255)
    assert {"normal", "color-dodge", "source-in", "plus"} < set(pietra.blend_modes())
    with pytest.raises(ValueError, match="blend mode"):
        with scene.group(blend="fade"):
            pass


def test_a_failure_within_leaves_a_scene_balanced() -> None:
    scene = Scene()
    with pytest.raises(ZeroDivisionError):
        with scene.clip(square()), scene.group(), scene.transform(Transform.scale(2)):
            raise ZeroDivisionError
    with pytest.raises(pietra.InputError):
        with scene.clip(square(), Path().move_to(math.nan, 0)):
            pass
    with pytest.raises(ValueError):
        with scene.mask(scene):
            pass
    assert not numpy.asarray(draw(scene)).any()
    with scene.group():
        with pytest.raises(pietra.InputError):
            scene.encode()
        with pytest.raises(pietra.InputError):
            Scene().append(scene)


def test_labels_and_aliasing() -> None:
    scene = Scene()
    assert (scene.label, scene.aliased) == (0, False)
    scene.label, scene.aliased = 7, True
    scene.fill(Path().ellipse(16, 16, 10), "#000")
    assert (scene.label, scene.aliased) == (7, True)
    assert set(numpy.asarray(draw(scene))[:, :, 3].ravel()) == {0, 255}
    with pytest.raises(OverflowError):
        scene.label = -1


def test_hits() -> None:
    scene = Scene()
    for scene.label in range(1, 21):
        scene.fill(Path().rect(0, 0, 8, 8), "#f008" if scene.label == 20 else "#000")
    scene.label = 21
    scene.stroke(Path().move_to(4, 0).line_to(4, 16), "#00f", 2)
    stream = scene.encode()
    hits = stream.hit_test(4, 4)
    assert [hit.label for hit in hits] == list(range(21, 0, -1))
    assert hits[0] == pietra.Hit(20, 21, True, False, 1)
    assert hits[1].opacity == pytest.approx(0x88 / 255)
    assert stream.hit_test(12, 12) == [] != stream.hit_test(12, 12, transform=(2, 0, 0, 2, 0, 0))
    with pytest.raises(pietra.InputError, match="the point is not finite"):
        stream.hit_test(float("nan"), 0)


def test_instances_are_drawn_as_appended_scenes() -> None:
    icon, whole, red = Scene(), Scene(), Scene()
    icon.fill(square(2, 3, 9), pietra.Solid("blue", slot=1))
    red.fill(square(2, 3, 9), "red")
    turned = Transform.rotate(20) @ Transform.scale(1.5)
    whole.append(icon)
    with whole.clip(square(16, 1, 12)), whole.group(opacity=0.5):
        whole.append(red, transform=Transform.translate(16))
    whole.append(icon, transform=turned)
    shown = icon.encode()
    composed = pietra.compose(
        [
            pietra.Instance(shown),
            pietra.Instance(shown, Transform.translate(16), 0.5, (16, 1, 28, 13), ["red"]),
            pietra.Instance(shown, turned),
        ]
    )
    del shown
    picture = composed.render(32, 32, device="cpu")
    assert picture == draw(whole) and pixel(picture, 5, 5) == (0, 0, 255, 255)
    assert pietra.Stream(bytes(composed)) == composed
    assert pietra.compose([]).render(8, 8, device="cpu") == draw(Scene(), 8)


def test_bad_instances_are_refused() -> None:
    stream = Scene().encode()
    for bad, error, told in (
        (pietra.Instance(stream, transparency=math.nan), pietra.InputError, "instance 1"),
        (pietra.Instance(stream, clip=(0, 0, 0, 0)), ValueError, "four numbers"),
        (pietra.Instance(stream, (0, 0, 0, 0, 0, 0)), ValueError, "all 0"),
        (pietra.Instance("stream"), TypeError, "Stream"),  # type: ignore[arg-type]
        (stream, TypeError, "Instance"),
    ):
        with pytest.raises(error, match=told):
            pietra.compose([pietra.Instance(stream), bad])  # type: ignore[list-item]


def test_closed_scenes_are_refused() -> None:
    with Scene() as scene:
        scene.fill(square(), "red")
    assert scene.closed
    scene.close()
    calls: "list[Callable[[], Any]]" = [
        lambda: scene.fill(square(), "red"),
        lambda: scene.encode(),
        lambda: scene.bounds(),
        lambda: len(scene),
        lambda: Scene().append(scene),
        lambda: pietra.Image.from_scene(scene, 1, 1),
        lambda: Scene.__enter__(scene),
        lambda: setattr(scene, "label", 1),
        lambda: scene.label,
        lambda: scene.aliased,
    ]
    for call in calls:
        with pytest.raises(ValueError, match="closed"):
            call()
    other = Scene()
    with other.group():
        other.close()


def test_bad_numbers_leave_a_scene_as_it_was() -> None:
    scene = Scene()
    calls: "list[Callable[[], Any]]" = [
        lambda: scene.fill(Path().move_to(math.inf, 0), "red"),
        lambda: scene.fill(square(), "red", rule="odd"),
        lambda: scene.fill(square(), "red", transform=(1, 0, 0, 1, math.nan, 0)),
        lambda: scene.fill(square(), "no"),
        lambda: scene.append(scene),
    ]
    for call in calls:
        with pytest.raises(ValueError):
            call()
    assert len(scene) == 0 and scene.bounds() is None
    with pytest.raises(TypeError):
        scene.fill(square(), 7)  # type: ignore[arg-type]


def test_things_of_other_classes_are_named() -> None:
    scene: Any = Scene()
    calls: "list[Callable[[], Any]]" = [
        lambda: scene.fill("M0 0", "red"),
        lambda: scene.stroke(None, "red"),
        lambda: scene.draw_image(5),
        lambda: scene.append(Path()),
        lambda: scene.clip(square(), 5).__enter__(),
        lambda: scene.clip(5).__enter__(),
        lambda: scene.mask(square()).__enter__(),
        lambda: scene.fill(square(), pietra.ImagePaint(scene)),
        lambda: pietra.Image.from_scene(square(), 5, 5),  # type: ignore[arg-type]
        lambda: square().stroke_to_fill(2),  # type: ignore[arg-type]
        lambda: pietra.Device("cpu").render(scene, 5, 5),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="is wanted, not"):
            call()
    assert not scene.bounds()
    scene.fill(square(), "red")
    assert len(Scene()) == 0 and scene.bounds()


def test_transforms() -> None:
    turn = Transform.translate(3, 4) @ Transform.rotate(90)
    assert turn.map(1, 0) == pytest.approx((3, 5))
    assert (turn @ turn.invert()) == pytest.approx(Transform())
    with pytest.raises(ZeroDivisionError):
        Transform.scale(0).invert()
    for numbers in ((1, 2), (1, 0, 0, 1, 0, 0, 0)):
        with pytest.raises(ValueError, match="six numbers"):
            turn @ numbers
    assert pietra.parse_color("oklch(0 0 0 / 50%)") == (0, 0, 0, 0.5)


def test_streams_are_bytes_and_pickle() -> None:
    stream = pietra.Document(RED).stream
    again = pickle.loads(pickle.dumps(stream))
    assert again == stream == pietra.Stream(bytes(stream)) and hash(again) == hash(stream)
    assert stream.nbytes == len(bytes(stream)) and stream != object()
    assert again.render(64, 64, device="cpu") == pietra.render(RED, device="cpu")
    for bad in (b"", b"x" * 100, bytes(stream)[:-4], bytes(stream) + b"0000"):
        with pytest.raises(pietra.InputError):
            pietra.Stream(bad)


def test_frames_have_sizes_transforms_and_backgrounds() -> None:
    stream = pietra.Document(RED).stream
    picture = stream.render(8, 4, transform=Transform.scale(0.125), background="white", device="cpu")
    assert picture.shape == (4, 8, 4) and pixel(picture, 3, 0) == (255, 0, 0, 255) and pixel(picture, 4, 0) == (255,) * 4
    for width, height in ((0, 1), (1, 0), (32769, 1), (-1, 1)):
        with pytest.raises(ValueError):
            stream.render(width, height, device="cpu")


def test_pictures_pickle() -> None:
    picture = pietra.render(RED, device="cpu")
    again = pickle.loads(pickle.dumps(picture))
    assert again == picture and again.shape == (64, 64, 4) and again != object()
    with pytest.raises(TypeError):
        hash(picture)


def test_what_cannot_be_pickled_says_so() -> None:
    things = (Scene(), Path(), pietra.Device("cpu"), pietra.Document(RED), pietra.Canceller(), pietra.Fonts(system=False))
    for thing in (*things, pietra.Image(numpy.zeros((1, 1, 4), numpy.uint8))):
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(thing)


def test_devices_give_the_same_bytes() -> None:
    stream = pietra.Document(RED).stream
    pictures = [
        pietra.Device(kind, threads=threads).render(stream, 50, 50, transform=Transform.scale(0.71))
        for kind, threads in (("cpu", 1), ("cpu", 2), ("reference", 0))
    ]
    assert pictures[0] == pictures[1] == pictures[2]
    info = pietra.Device("cpu").info
    assert (info.kind, info.usable) == ("cpu", True) and "cpu" in repr(pietra.Device("cpu"))


def test_budgets() -> None:
    scene = Scene()
    for i in range(3000):
        scene.fill(square(i % 30, i % 29, 3), "red")
    with pytest.raises(pietra.BudgetError):
        pietra.Device("cpu", memory_budget=1000).render(scene.encode(), 32768, 64)


def test_cancellers() -> None:
    canceller = pietra.Canceller()
    canceller.cancel()
    stream = pietra.Document(RED).stream
    with pytest.raises(pietra.Cancelled):
        stream.render(64, 64, device="cpu", canceller=canceller)
    assert canceller.cancelled
    canceller.reset()
    assert stream.render(64, 64, device="cpu", canceller=canceller).width == 64


def test_threads_share_scenes_devices_and_paths() -> None:
    scene, path, device = Scene(), Path(), pietra.Device("cpu")
    stream = pietra.Document(RED).stream
    wanted = stream.render(64, 64, device="cpu")
    failures = []

    def work() -> None:
        try:
            for _ in range(50):
                path.move_to(0, 0).line_to(1, 0)
                scene.fill(path, "red")
                assert device.render(stream, 64, 64) == wanted
                assert stream.render(64, 64, device="cpu") == wanted
        except BaseException as failure:  # pragma: no cover
            failures.append(failure)

    team = [threading.Thread(target=work) for _ in range(4)]
    for thread in team:
        thread.start()
    for thread in team:
        thread.join()
    assert not failures and len(scene) == 200
