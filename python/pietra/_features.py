# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which of the libraries are there that are opened at run time."""
from __future__ import annotations

from typing import Dict, NamedTuple, Optional

from ._native import ffi, lib


class Feature(NamedTuple):
    """A library of others. It is true if the library is there.

    file is the name by which it opens; None: it is not installed, or too old. purpose says what needs it.
    """

    file: Optional[str]
    purpose: str

    def __bool__(self) -> bool:
        return self.file is not None


def features() -> Dict[str, Feature]:
    """Returns the libraries that are opened when a picture first needs them, by name.

    What needs one that is missing is left out of a picture, with a warning that says so.
    """
    count = lib.pietra_list_libraries(0, ffi.NULL)
    found = ffi.new("pietra_library[]", count)
    lib.pietra_list_libraries(count, found)
    return {
        ffi.string(one.name).decode(): Feature(
            ffi.string(one.file).decode() if one.file else None, ffi.string(one.purpose).decode()
        )
        for one in found
    }
