# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Forks, spawned processes, threads and interrupts."""
import concurrent.futures
import multiprocessing
import os
import pathlib
import signal
import threading

import pytest
from support import RED, SLOW, run_python

import pietra


_SPAWNING = """
import concurrent.futures, multiprocessing, pietra

def work(stream):
    return stream.render(64, 64, device="cpu")

if __name__ == "__main__":
    stream = pietra.Document(b'<svg xmlns="http://www.w3.org/2000/svg"><circle r="40"/></svg>').stream
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(work, [stream] * 3)) == [work(stream)] * 3
        try:
            pool.submit(work, pietra.Scene()).result()
        except TypeError as error:
            print(error)
"""


def test_spawned_processes_take_streams_and_give_pictures(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "spawning.py"
    path.write_text(_SPAWNING)
    done = run_python(None, str(path))
    assert done.returncode == 0, done.stderr
    assert "a Scene cannot be pickled" in done.stdout


def _in_child(work: object) -> int:
    """Runs a function in a fork, and returns its status; 99: it raised something."""
    child = os.fork()
    if child == 0:
        status = 99
        try:
            work()  # type: ignore[operator]
            status = 0
        finally:
            os._exit(status)
    for _ in range(600):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        threading.Event().wait(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_after_a_fork_objects_are_made_anew() -> None:
    device, fonts = pietra.Device("cpu", threads=2), pietra.Fonts()
    text = b'<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><circle r="500"/><text y="9">a</text></svg>'
    document = pietra.Document(text, fonts=fonts)
    wanted = document.render(device=device)
    assert document.render(device="cpu") == wanted

    def work() -> None:
        assert document.render(device=device) == wanted
        assert document.render(device="cpu") == wanted
        assert document.render(device="auto") == wanted
        assert pietra.Document(text, fonts=fonts).render(device="cpu") == wanted
        assert pietra.Document(text).stream == document.stream
        assert list(pietra.render_many([text] * 3)) == [wanted] * 3

    assert _in_child(work) == 0
    assert document.render(device=device) == wanted


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_in_the_middle_of_other_threads_work_does_not_hang() -> None:
    device, stop = pietra.Device("cpu", threads=2), threading.Event()
    document = pietra.Document(RED)

    def draw() -> None:
        while not stop.is_set():
            document.render(zoom=5, device=device)
            document.render(zoom=5, device="cpu")

    team = [threading.Thread(target=draw) for _ in range(2)]
    for thread in team:
        thread.start()
    try:
        for _ in range(5):
            assert _in_child(lambda: document.render(device=device) and document.render(device="cpu")) == 0
    finally:
        stop.set()
        for thread in team:
            thread.join()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_pools_draw() -> None:
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as pool:
        assert list(pool.map(_draw_red, range(4))) == [_draw_red(0)] * 4


def _draw_red(_: int) -> bytes:
    return bytes(pietra.render(RED, device="cpu"))


@pytest.mark.gpu
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_gpu_draws_the_same_and_raises_after_a_fork() -> None:
    device = pietra.Device("gpu:0")
    assert device.info.kind == "gpu" and "gpu" in {info.kind for info in pietra.devices()}
    wanted = pietra.render(RED, zoom=3, device="cpu")
    assert pietra.render(RED, zoom=3, device=device) == wanted
    with pytest.raises(pietra.DeviceError):
        pietra.Device("gpu:no such thing")

    def work() -> None:
        for call in (
            lambda: pietra.render(RED, device=device),
            lambda: pietra.render(RED, device="gpu"),
            lambda: pietra.Device("gpu"),
            pietra.devices,
        ):
            with pytest.raises(pietra.DeviceError, match="after a fork"):
                call()
        assert pietra.render(RED, zoom=3, device="auto") == wanted

    assert _in_child(work) == 0
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda _: pietra.render(RED, zoom=3, device="gpu"), range(6))) == [wanted] * 6


def test_other_threads_run_while_a_frame_is_drawn() -> None:
    stream = pietra.Document(SLOW).stream
    ticks, stop = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    stream.render(150, 150, transform=(2, 0, 0, 2, 0, 0), device="cpu")
    seen = ticks
    stop.set()
    thread.join()
    assert seen > 3


def test_a_canceller_ends_a_frame_from_another_thread() -> None:
    canceller = pietra.Canceller()
    stream = pietra.Document(SLOW).stream
    timer = threading.Timer(0.1, canceller.cancel)
    timer.start()
    with pytest.raises(pietra.Cancelled):
        while True:
            stream.render(1000, 1000, transform=(16, 0, 0, 16, 0, 0), device="cpu", canceller=canceller)
    timer.join()


_INTERRUPTED = """
import os, signal, sys, threading, pietra
# Where a shell runs the tests in the background, interrupts are ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
stream = pietra.Document(open(sys.argv[1], "rb").read()).stream
drawing = threading.Event()
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background jobs ignore
def interrupt():
    drawing.wait()
    threading.Event().wait(0.2)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
%s
"""


def _run_interrupted(tmp_path: pathlib.Path, text: str) -> str:
    (tmp_path / "slow.svg").write_bytes(SLOW)
    done = run_python(_INTERRUPTED % text, str(tmp_path / "slow.svg"), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_interrupt_cancels_the_frame(tmp_path: pathlib.Path) -> None:
    """Frame after frame is drawn, each for a second on one core."""
    text = """
device = pietra.Device("cpu")
drawing.set()
try:
    while True:
        device.render(stream, 1000, 1000, transform=(16, 0, 0, 16, 0, 0))
except KeyboardInterrupt:
    print("interrupted", device.render(stream, 64, 64) == stream.render(64, 64, device="cpu"), os.listdir("."))
"""
    assert _run_interrupted(tmp_path, text) == "interrupted True ['slow.svg']\n"


def test_an_interrupt_cancels_frames_with_a_canceller_of_the_callers(tmp_path: pathlib.Path) -> None:
    text = """
canceller = pietra.Canceller()
drawing.set()
try:
    while True:
        stream.render(1000, 1000, transform=(16, 0, 0, 16, 0, 0), device="cpu", canceller=canceller)
except KeyboardInterrupt:
    print("interrupted", stream.render(9, 9, device="cpu", canceller=canceller).width, canceller.cancelled)
"""
    assert _run_interrupted(tmp_path, text) == "interrupted 9 False\n"


def test_a_handler_that_raises_nothing_lets_the_frame_go_on(tmp_path: pathlib.Path) -> None:
    text = """
seen = []
signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
drawing.set()
while not seen:
    picture = stream.render(150, 150, transform=(2, 0, 0, 2, 0, 0), device="cpu")
print(len(seen), picture == stream.render(150, 150, transform=(2, 0, 0, 2, 0, 0), device="cpu"))
"""
    assert _run_interrupted(tmp_path, text) == "1 True\n"


def test_an_interrupt_ends_many(tmp_path: pathlib.Path) -> None:
    text = """
try:
    for picture in pietra.render_many([sys.argv[1]] * 100, width=20000):
        pass
except KeyboardInterrupt:
    print("interrupted", threading.active_count())
"""
    program = "drawing.set()\n" + text
    assert _run_interrupted(tmp_path, program) in ("interrupted 1\n", "interrupted 2\n")
