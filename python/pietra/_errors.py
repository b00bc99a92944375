# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is raised, and how the library's errors become exceptions."""
from __future__ import annotations

import os
from typing import Any, Optional, Tuple, Type, Union

from ._native import ffi, lib


class _Located(Exception):
    """What has a reason, a line and a file."""

    def __init__(self, reason: str, line: int = 0, file: Optional[str] = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.file = file

    def __str__(self) -> str:
        if not self.line:
            return f"{self.file}: {self.reason}" if self.file else self.reason
        return f"{self.file}:{self.line}: {self.reason}" if self.file else f"line {self.line}: {self.reason}"

    def __reduce__(self) -> Tuple[Type[_Located], Tuple[str, int, Optional[str]]]:
        return type(self), (self.reason, self.line, self.file)


class Error(_Located):
    """Why something failed.

    `reason` is one line of text, `line` the line of the document, counted from 1, or 0 if the error belongs to no line,
    and `file` the document's path, or None if it came from memory. Errors can be pickled.
    """


class InputError(Error, ValueError):
    """A document, a stream or an argument is bad."""


class FileError(Error, OSError):
    """A file could not be read or written, or a library that is opened at run time is missing."""


class DeviceError(Error, RuntimeError):
    """There is no such device, it lacks something, it failed, or it is a GPU that a fork has cut off."""


class BudgetError(Error, MemoryError):
    """A frame needs more memory than the budget allows."""


class HostMemoryError(Error, MemoryError):
    """The host is out of memory."""


class Cancelled(Error):
    """A canceller ended the frame."""


class DocumentWarning(_Located, UserWarning):
    """Something of a document is left out. It has the same fields as Error."""


CANCELLED: int = lib.PIETRA_CANCELLED
_classes = {
    lib.PIETRA_ERROR_INPUT: InputError,
    lib.PIETRA_ERROR_IO: FileError,
    lib.PIETRA_ERROR_DEVICE: DeviceError,
    lib.PIETRA_ERROR_BUDGET: BudgetError,
    lib.PIETRA_ERROR_MEMORY: HostMemoryError,
    lib.PIETRA_CANCELLED: Cancelled,
}


def check(result: int, error: Any, file: Optional[str] = None) -> None:
    """Raises what a result means, unless it is PIETRA_OK. `error` is a pietra_error that the call may have written."""
    if result == lib.PIETRA_OK:
        return
    reason = ffi.string(error.message).decode("utf-8", "replace")
    if not reason:
        reason = "out of memory" if result == lib.PIETRA_ERROR_MEMORY else "failed"
    # Calls for fonts name the file themselves.
    raise _classes[result](reason.removeprefix(f"{file}: "), error.line, file)


def expect(value: object, kind: type) -> None:
    """Raises TypeError unless a value is of a class."""
    if not isinstance(value, kind):
        raise TypeError(f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__} is wanted, not {type(value).__name__}")


def encode_text(value: Union[str, bytes, os.PathLike[str]], name: str) -> bytes:
    """Returns a text or a path for C, which would end it at a null character. ValueError: it has one."""
    data = os.fsencode(value)
    if b"\0" in data:
        raise ValueError(f"{name} has a null character")
    return data


def new_error() -> Any:
    return ffi.new("pietra_error *")
