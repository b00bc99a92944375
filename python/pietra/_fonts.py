# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The fonts among which text may choose."""
from __future__ import annotations

import atexit
import os
import threading
from typing import Any, Dict, Mapping, NoReturn, Optional, Sequence, Tuple, Union

from ._errors import check, encode_text, new_error
from ._geometry import choose
from ._native import ffi, lib

_GENERIC = {
    "serif": lib.PIETRA_FAMILY_SERIF,
    "sans-serif": lib.PIETRA_FAMILY_SANS_SERIF,
    "cursive": lib.PIETRA_FAMILY_CURSIVE,
    "fantasy": lib.PIETRA_FAMILY_FANTASY,
    "monospace": lib.PIETRA_FAMILY_MONOSPACE,
}

PathLike = Union[str, os.PathLike[str]]


class Fonts:
    """Fonts of files, of folders with all below, of bytes, and those that are installed, in this order.

    families says what generic names stand for: {"serif": "Gentium"}. Any number of threads may use the fonts at once. In
    a process that was forked they are read anew. FileError: a file cannot be read, or HarfBuzz is not installed.
    InputError: a file or bytes are no font.
    """

    def __init__(
        self,
        *,
        files: Sequence[PathLike] = (),
        directories: Sequence[PathLike] = (),
        data: Sequence[bytes] = (),
        system: bool = True,
        families: Optional[Mapping[str, str]] = None,
    ) -> None:
        self._files = tuple(encode_text(file, "a file") for file in files)
        self._directories = tuple(encode_text(directory, "a directory") for directory in directories)
        self._data: Tuple[bytes, ...] = tuple(data)
        self._system = system
        self._families: Dict[str, str] = dict(families or {})
        self._handle = self._open()

    def __reduce__(self) -> NoReturn:
        raise TypeError("Fonts cannot be pickled; make them in each process")

    def _open(self) -> Any:
        made, error = ffi.new("python_fonts **"), new_error()
        check(lib.python_fonts_create(made), error)
        handle = ffi.gc(made[0], lib.python_fonts_destroy)
        fonts = handle.fonts
        for file in self._files:
            check(lib.pietra_fonts_add_file(fonts, file, error), error, os.fsdecode(file))
        for directory in self._directories:
            check(lib.pietra_fonts_add_directory(fonts, directory, error), error, os.fsdecode(directory))
        for data in self._data:
            check(lib.pietra_fonts_add_bytes(fonts, ffi.from_buffer(data), len(data), error), error)
        for generic, family in self._families.items():
            number = choose("generic family", _GENERIC, generic)
            check(lib.pietra_fonts_set_family(fonts, number, encode_text(family, "a family"), error), error)
        if self._system:
            check(lib.pietra_fonts_add_system(fonts, ffi.NULL, error), error)
        return handle

    def _use(self) -> Any:
        """Returns an owner of the handle, whose field `fonts` it is."""
        if self._handle.forks != lib.python_forks():
            self._handle = self._open()
        return self._handle


_system: Optional[Fonts] = None
_lock = threading.Lock()


def system_fonts() -> Fonts:
    """Returns the fonts that are installed, which all documents share that name no others."""
    global _system
    if _system is None:
        with _lock:
            if _system is None:
                _system = Fonts()
    return _system


def _forget() -> None:
    """Destroys the fonts while everything is still there, which writes their index for the next process."""
    global _system
    _system = None


def _forget_after_fork() -> None:
    global _lock
    _lock = threading.Lock()


atexit.register(_forget)
os.register_at_fork(after_in_child=_forget_after_fork)
