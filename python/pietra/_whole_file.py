# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files that appear whole or not at all, and once, whoever else writes them at the same time."""
from __future__ import annotations

import os
import secrets
from typing import Optional

BESIDE = ".pietra-"  # begins the names of files that are no outputs


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _open_unnamed(folder: str) -> Optional[int]:
    """Opens a file without a name, of which nothing is left however the process ends. None: the file system has none."""
    flag = getattr(os, "O_TMPFILE", 0)
    try:
        return os.open(folder, flag | os.O_WRONLY | os.O_CLOEXEC, 0o666) if flag and os.path.isdir("/proc/self/fd") else None
    except OSError:
        return None


def _link(descriptor: int, path: str) -> bool:
    """Names the file. False: another one has the name."""
    folder = os.open(os.path.dirname(path), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.link(f"/proc/self/fd/{descriptor}", os.path.basename(path), dst_dir_fd=folder, follow_symlinks=True)
        return True
    except FileExistsError:
        return False
    finally:
        os.close(folder)


def _write_beside(path: str, data: bytes) -> bool:
    """Writes under another name first. Only a process that is killed leaves that."""
    beside = os.path.join(os.path.dirname(path), f"{BESIDE}{os.getpid()}-{secrets.token_hex(8)}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        try:
            _write_all(descriptor, data)
        finally:
            os.close(descriptor)
        try:
            os.link(beside, path)
        except FileExistsError:
            return False
        except OSError:  # the file system has no links: the file is replaced by one of the same content
            os.replace(beside, path)
        return True
    finally:
        if os.path.exists(beside):
            os.unlink(beside)


def write_once(path: str, data: bytes) -> bool:
    """Writes a file, and its missing folders, unless it is there. Returns whether it was written.

    Of several that write one file at a time, one writes it. OSError: it cannot be written, and nothing is left.
    """
    if os.path.exists(path):
        return False
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    descriptor = _open_unnamed(folder)
    if descriptor is None:
        return _write_beside(path, data)
    try:
        _write_all(descriptor, data)
        return _link(descriptor, path)
    finally:
        os.close(descriptor)


def check_folder(folder: str) -> None:
    """Makes a folder. OSError: it cannot be made, or takes no files."""
    os.makedirs(folder, exist_ok=True)
    probe = os.path.join(folder, f"{BESIDE}{os.getpid()}-{secrets.token_hex(8)}")
    try:
        write_once(probe, b"\0")
    finally:
        if os.path.exists(probe):
            os.unlink(probe)
