# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Devices, which draw, and what happens to them in threads, forks and interrupts."""
from __future__ import annotations

import os
import re
import threading
from typing import Any, Dict, List, NamedTuple, NoReturn, Optional, Tuple, Union

from ._errors import CANCELLED, DeviceError, check, encode_text, expect, new_error
from ._geometry import ColorLike, TransformLike, field_transform, parse_color
from ._native import ffi, lib
from ._picture import Picture
from ._stream import Stream

_KIND_NAMES = {
    lib.PIETRA_DEVICE_CPU: "cpu",
    lib.PIETRA_DEVICE_GPU: "gpu",
    lib.PIETRA_DEVICE_REFERENCE: "reference",
}
MAX_SIDE: int = lib.PIETRA_MAX_SIDE

# Whether this process has spoken to drivers of GPUs, which do not survive a fork; and how many forks there were then.
_vulkan_forks: Optional[int] = None


def _touch_vulkan() -> None:
    global _vulkan_forks
    if _vulkan_forks is None:
        _vulkan_forks = lib.python_forks()


def _vulkan_is_lost() -> bool:
    return _vulkan_forks is not None and _vulkan_forks != lib.python_forks()


class DeviceInfo(NamedTuple):
    """What is known of a device.

    kind: "cpu", "gpu" or "reference". hardware is False for Vulkan in software. missing says what an unusable GPU lacks,
    or why "auto" found none. memory_bytes is the size of a GPU's largest heap, 0 for the CPU.
    """

    name: str
    kind: str
    gpu_index: int
    hardware: bool
    usable: bool
    missing: str
    memory_bytes: int


def _read_info(info: Any) -> DeviceInfo:
    return DeviceInfo(
        ffi.string(info.name).decode("utf-8", "replace"),
        _KIND_NAMES[info.kind],
        info.gpu_index,
        info.hardware,
        info.usable,
        ffi.string(info.missing).decode("utf-8", "replace"),
        info.memory_bytes,
    )


def devices() -> Tuple[DeviceInfo, ...]:
    """Lists the devices: first the CPU, then the GPUs, those that are not usable included."""
    if _vulkan_is_lost():
        raise DeviceError("GPUs cannot be listed after a fork; start processes by spawn")
    _touch_vulkan()
    count, error = ffi.new("size_t *"), new_error()
    infos = ffi.new("pietra_device_info[16]")
    check(lib.pietra_list_devices(len(infos), error, infos, count), error)
    return tuple(_read_info(infos[i]) for i in range(min(count[0], len(infos))))


class Canceller:
    """Ends frames from other threads: those under way, and those that begin before it is reset."""

    def __init__(self) -> None:
        made, error = ffi.new("pietra_canceller **"), new_error()
        check(lib.pietra_canceller_create(error, made), error)
        self._handle = ffi.gc(made[0], lib.pietra_canceller_destroy)
        self._cancelled = False

    def cancel(self) -> None:
        """Cancels every frame that has the canceller. Any thread, at any time. Returns at once."""
        self._cancelled = True
        lib.pietra_canceller_cancel(self._handle)

    def reset(self) -> None:
        """Lets frames be drawn again that begin from now on."""
        self._cancelled = False
        lib.pietra_canceller_reset(self._handle)

    @property
    def cancelled(self) -> bool:
        return self._cancelled

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Canceller cannot be pickled")


class _Wanted(NamedTuple):
    """What a device is made of."""

    kind: int
    gpu_index: Optional[int]
    name: Optional[str]
    threads: int
    memory_budget: int
    cache_directory: Optional[str]


def _parse(text: str, threads: int = 0, memory_budget: int = 0, cache: Optional[str] = None) -> _Wanted:
    kinds = {
        "auto": lib.PIETRA_DEVICE_AUTO,
        "cpu": lib.PIETRA_DEVICE_CPU,
        "gpu": lib.PIETRA_DEVICE_GPU,
        "reference": lib.PIETRA_DEVICE_REFERENCE,
    }
    if isinstance(text, str) and text in kinds:
        return _Wanted(kinds[text], None, None, threads, memory_budget, cache)
    if isinstance(text, str) and text.startswith("gpu:") and len(text) > 4 and "\0" not in text:
        rest = text[4:]
        if re.fullmatch(r"\d{1,9}", rest):
            return _Wanted(kinds["gpu"], int(rest), None, threads, memory_budget, cache)
        return _Wanted(kinds["gpu"], None, rest, threads, memory_budget, cache)
    raise ValueError(f"{text!r} is no device; there are auto, cpu, gpu, gpu:INDEX, gpu:NAME and reference")


# Of the upper left pixel of what is drawn in a larger picture, x and y, and that picture's width and height.
Region = Tuple[int, int, int, int]

_NO_COLOR = (0.0, 0.0, 0.0, 0.0)
_NO_REGION = (0, 0, 0, 0)


class _Frame(NamedTuple):
    """What is drawn where: width x height pixels in the upper left corner of a picture, which may be larger."""

    width: int
    height: int
    transform: Tuple[float, ...]
    background: Tuple[float, ...]
    canceller: Optional[Canceller]
    region: Region


class _Handle:
    """A device of the library, which draws one frame at a time."""

    def __init__(self, wanted: _Wanted) -> None:
        kind, lost = wanted.kind, _vulkan_is_lost()
        if kind == lib.PIETRA_DEVICE_AUTO and lost:
            kind = lib.PIETRA_DEVICE_CPU
        if kind == lib.PIETRA_DEVICE_GPU and lost:
            raise DeviceError("a GPU cannot be used after a fork; start processes by spawn")
        if kind in (lib.PIETRA_DEVICE_AUTO, lib.PIETRA_DEVICE_GPU):
            _touch_vulkan()
        options, made, error = ffi.new("pietra_device_options *"), ffi.new("python_device **"), new_error()
        name = ffi.NULL if wanted.name is None else ffi.new("char[]", wanted.name.encode())
        cache = ffi.NULL
        if wanted.cache_directory is not None:
            cache = ffi.new("char[]", encode_text(wanted.cache_directory, "cache_directory"))
        options.kind = kind
        options.by_index = wanted.gpu_index is not None
        options.gpu_index = wanted.gpu_index or 0
        options.gpu_name = name
        options.threads = wanted.threads
        options.memory_budget_bytes = wanted.memory_budget
        options.cache_directory = cache
        check(lib.python_device_create(options, error, made), error)
        self.device = ffi.gc(made[0], lib.python_device_destroy)
        self.lock = threading.Lock()
        self.target, self.frame, self.error = ffi.new("pietra_target *"), ffi.new("pietra_frame *"), new_error()
        self.target.may_spoil = True
        info = ffi.new("pietra_device_info *")
        lib.pietra_device_get_info(self.device.device, info)
        self.info = _read_info(info)

    def is_lost(self) -> bool:
        return bool(self.device.forks != lib.python_forks())

    def draw(self, stream: Stream, frame: _Frame, picture: Picture) -> None:
        """Draws into the picture. An interrupt cancels the frame, and then the handler of the interrupt runs.

        One thread at a time does that, so it fills in the structs that are there.
        """
        canceller = frame.canceller
        target, made, error, own = self.target, self.frame, self.error, self.device.canceller
        target.width = frame.width
        target.height = frame.height
        target.pixels = ffi.cast("void *", picture._address)
        target.stride_bytes = 4 * picture.width
        made.transform = frame.transform
        made.background = frame.background
        made.region = frame.region
        made.canceller = canceller._handle if canceller else own
        main = threading.get_ident() == threading.main_thread().ident
        again = True
        while again:
            interrupted = False
            try:
                if not canceller:
                    lib.pietra_canceller_reset(own)
                if main:
                    lib.python_watch_interrupts(made.canceller)
                result = lib.pietra_render(self.device.device, stream._handle, made, target, error, ffi.NULL)
            finally:
                if main:
                    interrupted = lib.python_unwatch_interrupts()
                    if interrupted and canceller and not canceller.cancelled:
                        canceller.reset()
            # A handler that raises nothing wants the work to go on.
            again = result == CANCELLED and interrupted and not (canceller and canceller.cancelled)
        check(result, error)


class Device:
    """What draws streams. It keeps buffers, threads and compiled kernels between frames.

    kind: "auto", a usable hardware GPU if there is one, else the CPU; "cpu"; "gpu", through Vulkan, hardware before
    software; "gpu:INDEX" or "gpu:NAME"; or "reference", which is slow. threads: of the CPU device, 0: one for each core.
    memory_budget: bytes for a frame's buffers, 0: half of the GPU's memory, at most 4 GiB, or 1 GiB of the host's.
    cache_directory: for compiled kernels; None: the user's, "": none.

    Threads may share a device: frames take turns. In a process that was forked, a device of the CPU is made anew, and
    one of a GPU raises DeviceError.
    """

    def __init__(
        self, kind: str = "auto", *, threads: int = 0, memory_budget: int = 0, cache_directory: Optional[str] = None
    ) -> None:
        self._wanted = _parse(kind, threads, memory_budget, cache_directory)
        self._handle = _Handle(self._wanted)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Device cannot be pickled; make one in each process")

    def __repr__(self) -> str:
        return f"<pietra.Device {self._handle.info.kind}: {self._handle.info.name}>"

    @property
    def info(self) -> DeviceInfo:
        return self._handle.info

    def _renew(self) -> None:
        """Makes a device anew that was left behind by a fork."""
        if self._handle.info.kind == "gpu":
            raise DeviceError("a GPU cannot be used after a fork; start processes by spawn")
        with _renewing:
            if self._handle.is_lost():
                self._handle = _Handle(self._wanted)

    def _draw(self, stream: Stream, frame: _Frame, picture: Picture) -> None:
        if self._handle.is_lost():
            self._renew()
        handle = self._handle
        with handle.lock:
            handle.draw(stream, frame, picture)

    def render(
        self,
        stream: Stream,
        width: int,
        height: int,
        *,
        transform: Optional[TransformLike] = None,
        background: Optional[ColorLike] = None,
        region: Optional[Region] = None,
        canceller: Optional[Canceller] = None,
    ) -> Picture:
        """Draws a stream: Stream.render says what the arguments mean. Drawing the last stream again costs no upload."""
        return draw(self, stream, width, height, transform, background, canceller, region)


class _Pool:
    """Devices of one kind, for as many threads as draw at once. Of a GPU there is one, which they take in turn."""

    def __init__(self, wanted: _Wanted) -> None:
        self.wanted = wanted
        self.lock = threading.Lock()
        self.free: List[_Handle] = []
        self.gpu: Optional[_Handle] = None

    def open_gpu(self) -> Optional[_Handle]:
        """Returns the GPU, or None if the kind stands for the CPU."""
        if self.gpu or self.wanted.kind in (lib.PIETRA_DEVICE_CPU, lib.PIETRA_DEVICE_REFERENCE):
            return self.gpu
        with self.lock:
            if not self.gpu and self.wanted.kind in (lib.PIETRA_DEVICE_AUTO, lib.PIETRA_DEVICE_GPU):
                made = _Handle(self.wanted)
                if made.info.kind == "gpu":
                    self.gpu = made
                else:
                    self.free.append(made)
                    self.wanted = self.wanted._replace(kind=lib.PIETRA_DEVICE_CPU)
            return self.gpu

    def draw(self, *frame: Any) -> None:
        gpu = self.open_gpu()
        if gpu:
            with gpu.lock:
                gpu.draw(*frame)
            return
        try:
            handle = self.free.pop()
        except IndexError:
            handle = _Handle(self.wanted)
        try:
            handle.draw(*frame)
        finally:
            self.free.append(handle)


_pools: Dict[_Wanted, _Pool] = {}
_renewing = threading.Lock()


def _forget_after_fork() -> None:
    """Locks and devices of the parent mean nothing in a child."""
    global _renewing
    _pools.clear()
    _renewing = threading.Lock()


os.register_at_fork(after_in_child=_forget_after_fork)


class PooledDevice:
    """Stands for the devices that the library keeps for one kind."""

    def __init__(self, kind: str, threads: int = 0, memory_budget: int = 0) -> None:
        self._wanted = _parse(kind, threads, memory_budget)

    def _draw(self, stream: Stream, frame: _Frame, picture: Picture) -> None:
        pool = _pools.get(self._wanted) or _pools.setdefault(self._wanted, _Pool(self._wanted))
        pool.draw(stream, frame, picture)


_named: Dict[str, PooledDevice] = {}

DeviceLike = Union[str, Device, PooledDevice]


def draw_into(
    picture: Picture,
    device: DeviceLike,
    stream: Stream,
    width: int,
    height: int,
    transform: Optional[TransformLike],
    background: Optional[ColorLike],
    canceller: Optional[Canceller],
    region: Optional[Region],
) -> Picture:
    """Draws a stream into the upper left corner of a picture, and returns it."""
    expect(stream, Stream)
    color = _NO_COLOR if background is None else parse_color(background)
    if isinstance(device, str):
        device = _named.get(device) or _named.setdefault(device, PooledDevice(device))
    elif not isinstance(device, PooledDevice):
        expect(device, Device)
    if canceller is not None:
        expect(canceller, Canceller)
    if region is None:
        region = _NO_REGION
    elif len(region) != 4:
        raise ValueError(f"a region has four numbers, not {len(region)}")
    frame = _Frame(width, height, field_transform(transform), color, canceller, region)
    device._draw(stream, frame, picture)
    return picture


def draw(
    device: DeviceLike,
    stream: Stream,
    width: int,
    height: int,
    transform: Optional[TransformLike],
    background: Optional[ColorLike],
    canceller: Optional[Canceller],
    region: Optional[Region] = None,
) -> Picture:
    """Draws a stream into a new picture."""
    if not 1 <= width <= MAX_SIDE or not 1 <= height <= MAX_SIDE:
        raise ValueError(f"{width} x {height} pixels: a side has 1 to {MAX_SIDE}")
    return draw_into(Picture(width, height), device, stream, width, height, transform, background, canceller, region)
