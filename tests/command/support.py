# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the tests of the command share: they run it under limits, and read what it wrote."""
import ctypes
import os
import platform
import re
import resource
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

RENDER = os.environ["PIETRA_RENDER"]
SOURCE = os.environ["PIETRA_SOURCE"]
# Sanitizers reserve terabytes of addresses and slow everything down.
SANITIZED = bool(os.environ.get("PIETRA_SANITIZED"))
# In processor time: ten seconds on two cores, however busy the machine is. PATIENCE ends a command that sleeps.
SECONDS = 200 if SANITIZED else 20
PATIENCE = 300
MEMORY = 2 << 30
HALF = '<rect width="32" height="64" fill="red"/>'
CIRCLE = '<circle cx="32" cy="32" r="30" stroke="red"/>'
CPU = ("--device", "cpu")

# FILE may contain colons. A message never spans lines.
MESSAGE = re.compile(r"^render: (?:(?P<file>.+?):(?:(?P<line>[1-9][0-9]*):)? )?(?P<text>\S.*)$")


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def limit_time_and_memory():
    limit_time()
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


O_TMPFILE_ALONE = 0o20000000


def refuse(call, argument=0, bits=0):
    """From here on the kernel refuses a system call of this process with EOPNOTSUPP. With bits, only if that argument
    has any of them."""
    if platform.machine() != "x86_64":
        raise unittest.SkipTest("the numbers of system calls are those of x86-64")
    number = {"openat": 257, "linkat": 265}[call]
    load, equal, any_bit, end = 0x20, 0x15, 0x45, 0x06
    steps = [(load, 0, 0, 0), (equal, 0, 3 if bits else 1, number)]
    steps += [(load, 0, 0, 16 + 8 * argument), (any_bit, 0, 1, bits)] if bits else []
    program = b"".join(struct.pack("HBBI", *step) for step in steps + [(end, 0, 0, 0x50000 | 95), (end, 0, 0, 0x7fff0000)])
    text = ctypes.create_string_buffer(program)
    head = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(text))
    c = ctypes.CDLL(None)
    assert c.prctl(38, 1, 0, 0, 0) == 0 and c.prctl(22, 2, head, 0, 0) == 0


def refuse_files_without_names():
    refuse("openat", 2, O_TMPFILE_ALONE)


def refuse_links():
    refuse("linkat")


class CommandTest(unittest.TestCase):
    """Each test has its own empty folder, in which the command runs."""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = self.scratch.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return name

    def files(self):
        return sorted(os.listdir(self.folder))

    def run_render(self, *arguments, stdin=b"", prepare=limit_time_and_memory, render=RENDER, **options):
        """Runs render to its end. Death by a signal, which also ends a command beyond its limits, fails the test."""
        options.setdefault("stdout", subprocess.PIPE)
        done = subprocess.run([render, *arguments], input=stdin, stderr=subprocess.PIPE, cwd=self.folder, timeout=PATIENCE,
                              preexec_fn=prepare, **options)
        self.assertGreaterEqual(done.returncode, 0, f"died by signal {-done.returncode}: {done.stderr[-2000:]!r}")
        self.assertLessEqual(done.returncode, 4 if "--explain" in arguments else 3, done.stderr[-4000:].decode(errors="replace"))
        return done

    def need_gpu(self):
        """Skips the test where no GPU is listed, not even one in software, and prints why there is none."""
        listed = self.run_render("--list-devices", prepare=limit_time).stdout.decode()
        if not re.search("(?m)^gpu:", listed):
            print(f"{self.id()} is skipped: {listed.splitlines()[-1]}", file=sys.stderr)
            self.skipTest("there is no GPU")

    def assert_draws(self, *arguments, **options):
        done = self.run_render(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def assert_fails(self, status, pattern, *arguments, **options):
        """Asserts that the command ends with this status, one line of message that matches the pattern, and nothing on
        standard output."""
        done = self.run_render(*arguments, **options)
        self.assertEqual(done.returncode, status, done.stderr)
        message = self.assert_message(done)
        self.assertRegex(done.stderr.decode(), pattern)
        return message

    def assert_message(self, done):
        text = done.stderr.decode()
        self.assertTrue(text.endswith("\n") and text.count("\n") == 1, f"not one line: {text!r}")
        match = MESSAGE.match(text.rstrip("\n"))
        self.assertIsNotNone(match, f"not of the form render: FILE:LINE: text: {text!r}")
        self.assertFalse(done.stdout)
        return match

    def read_bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def read_png(self, name):
        return decode_png(self.read_bytes(name))


def chunks(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG"
    at = 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + length]
        assert len(body) == length, "a chunk is cut short"
        assert struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(kind + body), "a checksum is wrong"
        yield kind, body
        at += 12 + length


def unfilter(kind, row, above, size):
    for i in range(len(row)):
        left, up, corner = (row[i - size] if i >= size else 0), above[i], (above[i - size] if i >= size else 0)
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        else:
            guess = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))[2]
        row[i] = (row[i] + guess) & 255


def widen(colour, row, palette):
    """Returns a row of the file as bytes of RGBA."""
    if colour == 0:
        return b"".join(bytes((v, v, v, 255)) for v in row)
    if colour == 2:
        return b"".join(row[i:i + 3] + b"\xff" for i in range(0, len(row), 3))
    if colour == 3:
        return b"".join(palette[v] for v in row)
    if colour == 4:
        return b"".join(bytes((row[i], row[i], row[i], row[i + 1])) for i in range(0, len(row), 2))
    return row


def decode_png(data):
    """Returns (width, height, rows of RGBA) of an 8-bit file, and checks all of it."""
    parts = list(chunks(data))
    assert parts[0][0] == b"IHDR" and parts[-1] == (b"IEND", b"")
    width, height, depth, colour, *rest = struct.unpack(">IIBBBBB", parts[0][1])
    assert depth == 8 and rest == [0, 0, 0]
    size = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    colours, alphas = dict(parts).get(b"PLTE", b""), dict(parts).get(b"tRNS", b"")
    palette = [colours[3 * i:3 * i + 3] + (alphas[i:i + 1] or b"\xff") for i in range(len(colours) // 3)]
    raw = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    assert len(raw) == height * (size * width + 1)
    rows, above = [], bytes(size * width)
    for y in range(height):
        start = y * (size * width + 1)
        row = bytearray(raw[start + 1:start + 1 + size * width])
        if raw[start]:
            unfilter(raw[start], row, above, size)
        rows.append(widen(colour, bytes(row), palette))
        above = row
    return width, height, rows


def svg(content, size='width="64" height="64"'):
    return f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {size}>\n{content}\n</svg>\n'


def pixel(picture, x, y):
    return tuple(picture[2][y][4 * x:4 * x + 4])
