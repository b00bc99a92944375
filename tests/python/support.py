# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What tests of the Python package share. PIETRA_SOURCE is the folder of the sources, PIETRA_RENDER the command; without
it, comparisons with the command are left out."""
import os
import subprocess
import sys
from typing import Any, Optional

SOURCE = os.environ["PIETRA_SOURCE"]
RENDER = os.environ.get("PIETRA_RENDER")


def svg(content: str, size: str = 'width="64" height="64"') -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{content}</svg>'.encode()


RED = svg('<rect width="32" height="64" fill="red"/>')
# Takes seconds to draw on one core: large circles, which show through one another.
SLOW = svg(
    '<g opacity="0.9" stroke="#000" stroke-width="0.1" fill="#0f02">'
    + "".join(f'<circle cx="{32 + i % 7}" cy="{32 + i % 5}" r="{20 + i % 9}" opacity="0.9"/>' for i in range(3000))
    + "</g>"
)


def pixel(picture: Any, x: int, y: int) -> "tuple[int, ...]":
    at = 4 * (y * int(picture.width) + x)
    return tuple(bytes(picture)[at : at + 4])


def run_python(text: Optional[str], *arguments: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Runs a text, or the file that is the first argument, in a process that finds the package as this one does."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(path for path in sys.path if path))
    environment.update(options.pop("env", {}))
    command = [sys.executable, "-B", *(["-c", text] if text is not None else []), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, **options)
