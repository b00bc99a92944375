#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""package.py BUILD SOURCE CC: installs a build into a scratch folder and uses it as a stranger would, through
find_package and through pkg-config, with the shared and the static library. Checks which symbols both export, and runs
the examples of README.md and docs/text.md."""
import os
import re
import shlex
import subprocess
import sys
import tempfile


def run(*command, **options):
    print("+", shlex.join(command), flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"status {done.returncode}\n{done.stdout}")
    return done.stdout


def check_symbols(listing, what, header):
    names = {line.split()[-1] for line in listing.splitlines() if line.strip() and not line.endswith(":")}
    strangers = {name for name in names if not name.startswith("pietra_")}
    promised = set(re.findall(r"^PIETRA_API\b[^;(]*?\b(pietra_\w+)\(", header, re.M))
    if strangers:
        sys.exit(f"{what} shows {sorted(strangers)}")
    if promised != names:
        sys.exit(f"{what} lacks {sorted(promised - names)} and shows undeclared {sorted(names - promised)}")


def read_png(path):
    """Returns the width, the height and the rows of a PNG, in RGBA."""
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../command"))
    os.environ.setdefault("PIETRA_RENDER", "")
    os.environ.setdefault("PIETRA_SOURCE", "")
    from support import decode_png
    with open(path, "rb") as file:
        return decode_png(file.read())


def build_example(page, most_lines, scratch, environment):
    """Compiles the example of a page by the line that follows it, and runs it. Returns what it prints."""
    printed = []
    for example, line in re.findall(r"^```c\n(.*?)^```\n\n    (cc .*?)\n", page, re.M | re.S):
        if example.count("\n") > most_lines:
            sys.exit("an example is longer than it should be")
        with open(os.path.join(scratch, line.split()[1]), "w") as file:
            file.write(example)
        line = "set -e; " + line.replace("cc ", "cc -std=c11 -Wall -Wextra -Werror ", 1)
        printed.append(run("sh", "-c", line, cwd=scratch, env=environment))
    if len(printed) != 1:
        sys.exit(f"a page has {len(printed)} examples")
    return printed[0]


def check_text(page, scratch, environment):
    """The text has black letters, and a yellow mark behind the character at a point, whichever fonts are there."""
    printed = build_example(page, 40, scratch, environment)
    width, height, rows = read_png(os.path.join(scratch, "text.png"))
    pixels = {tuple(row[4 * x:4 * x + 4]) for row in rows for x in range(width)}
    if (width, height) != (320, 120) or not {(0, 0, 0, 255), (255, 230, 102, 255)} <= pixels:
        sys.exit("the text of docs/text.md is not drawn")
    if not re.fullmatch(r"byte \d+ of line [1-3] is at \(100, 30\)\n", printed):
        sys.exit(f"the text of docs/text.md says {printed}")


def check_disc(readme, scratch, environment):
    build_example(readme, 20, scratch, environment)
    width, height, rows = read_png(os.path.join(scratch, "disc.png"))
    corner, top, bottom = (tuple(rows[y][4 * x:4 * x + 4]) for x, y in ((0, 0), (100, 30), (100, 170)))
    if (width, height) != (200, 200) or corner != (0, 0, 0, 0) or not (top[3] == bottom[3] == 255 and top[1] > 150 > 50 > bottom[1]):
        sys.exit(f"the README's example draws another picture: {corner} {top} {bottom}")
    if os.listdir(scratch).count("disc.png") != 1 or any(name.startswith("disc.png.") for name in os.listdir(scratch)):
        sys.exit("a temporary file was left")


def main():
    build, source, compiler = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as scratch:
        prefix = os.path.join(scratch, "prefix")
        run("cmake", "--install", build, "--prefix", prefix)
        found = {name: os.path.join(folder, name) for folder, _, names in os.walk(prefix) for name in names}
        for name in ("libpietra.so", "libpietra.a", "pietra.h", "pietra_effect.h", "pietra_explain.h", "pietra_hit.h", "pietra_instance.h", "pietra_pyramid.h", "pietra_text.h", "pietra_view.h", "pietra_vulkan.h", "pietra.pc", "pietraConfig.cmake", "render", "render.1",
                     "LICENSE", "LICENSE-APACHE", "LICENSE-MIT", "_render", "render.fish"):
            if name not in found:
                sys.exit(f"{name} was not installed")
        strangers = set(os.listdir(prefix)) - {"bin", "include", "lib", "lib64", "share"}
        if strangers:
            sys.exit(f"the install leaves {sorted(strangers)} beside the folders of a prefix")

        header = ""
        for name in ("pietra.h", "pietra_effect.h", "pietra_explain.h", "pietra_hit.h", "pietra_instance.h", "pietra_pyramid.h", "pietra_text.h", "pietra_view.h", "pietra_vulkan.h"):
            with open(found[name]) as file:
                header += file.read()
        check_symbols(run("nm", "-D", "--defined-only", found["libpietra.so"]), "the shared library", header)
        check_symbols(run("nm", "-g", "--defined-only", found["libpietra.a"]), "the static library", header)
        needed = run("readelf", "-d", found["libpietra.so"])
        for name in ("libvulkan", "libdeflate", "libharfbuzz", "libfreetype", "libfontconfig"):
            if name in needed:
                sys.exit(f"the shared library is linked with {name}")
        version = ".".join(re.search(rf"PIETRA_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))
        if run(found["render"], "--version").strip() != f"render {version}":
            sys.exit("render --version is not the header's version")

        consumer = os.path.join(source, "tests/package/consumer")
        out = os.path.join(scratch, "consumer")
        run("cmake", "-S", consumer, "-B", out, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_COMPILER={compiler}",
            f"-DWANTED_VERSION={version}", *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("EXPAT", "PkgConfig", "Threads")))
        run("cmake", "--build", out)
        libraries = os.path.dirname(found["libpietra.so"])
        # Packages of other libraries are not found, as where only their run-time parts are installed.
        environment = dict(os.environ, PKG_CONFIG_LIBDIR=os.path.join(libraries, "pkgconfig"), LD_LIBRARY_PATH=libraries)
        print(run(os.path.join(out, "consumer_shared")), run(os.path.join(out, "consumer_static")))

        for mode in ((), ("--static",)):
            words = shlex.split(run("pkg-config", "--cflags", "--libs", *mode, "pietra", env=environment))
            if mode:
                words = [found["libpietra.a"] if word == "-lpietra" else word for word in words]
            program = os.path.join(scratch, "by_pkg_config")
            run(compiler, os.path.join(consumer, "consumer.c"), "-o", program, *words)
            print(run(program, env=environment))
        static = run("pkg-config", "--cflags", "--libs", "--static", "pietra", env=environment)
        for device in ("CPU", "AUTO"):  # a program without a dynamic linker opens no driver
            run(compiler, "-static", f"-DDEVICE=PIETRA_DEVICE_{device}", os.path.join(consumer, "consumer.c"), "-o", program,
                *shlex.split(static), stderr=subprocess.DEVNULL)
            print(run(program))
        for page, check in (("README.md", check_disc), ("docs/text.md", check_text)):
            with open(os.path.join(source, page)) as file:
                check(file.read(), scratch, environment)


main()
