#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""python_peers.py [--write]: measures the Python package beside others that draw SVG: cairosvg, resvg_py and skia-python.

Run it by a Python that has these, pietra and Pillow: `pip install cairosvg resvg_py skia-python pillow`. Each package draws
each document, from its bytes to the bytes of a PNG file, in a process of its own; the least time of several runs counts, and
the most memory that the process took. Then it draws documents of which one pixel is lime if a feature is drawn. --write puts
the tables into docs/python.md.

The overhead is what pietra.render takes on an icon of 24 pixels beyond the calls of the library that it makes."""
import importlib.metadata
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs/python.md")
PACKAGES = {"pietra": "pietra", "resvg_py": "resvg_py", "skia-python": "skia-python", "cairosvg": "CairoSVG"}
RUNS_SECONDS = 1.5

ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"><path fill="#264" d="M12 2a10 10 0 1 0
0 20 10 10 0 0 0 0-20Zm0 3a3 3 0 1 1 0 6 3 3 0 0 1 0-6Zm0 14.200a7.200 7.200 0 0 1-6-3.220c.030-1.990 4-3.080 6-3.080 1.990 0
5.970 1.090 6 3.080a7.200 7.200 0 0 1-6 3.220Z"/></svg>""".replace("\n", " ")
DOCUMENTS = {"icon, 24 px": (None, 24), "bouquet, 1,024 px": ("scenes/showcase/pietra.svg", 1024)}

LIME = 'fill="lime"'
RECT = f'<rect width="20" height="20" {LIME}/>'
# A family that is installed nearly everywhere. The stroke makes the letters one area.
FONT = f'{LIME} font-family="DejaVu Sans" font-size="80" stroke="lime" stroke-width="30"'
# "17: none" asks that nothing is drawn there.
FEATURES = {
    "style sheets": '<style>.a { fill: lime }</style><rect class="a" width="20" height="20"/>',
    "`var()`": '<style>svg { --c: lime } rect { fill: var(--c) }</style><rect width="20" height="20"/>',
    "`oklch()`": '<rect width="20" height="20" fill="red" style="fill: oklch(0.8664 0.2948 142.5)"/>',
    "masks": f'<mask id="m"><rect width="20" height="20" fill="#fff"/><rect x="15" width="5" height="20"/></mask><g mask="url(#m)">{RECT}</g><!--17: none-->',
    "clips": f'<clipPath id="c"><rect width="15" height="20"/></clipPath><g clip-path="url(#c)">{RECT}</g><!--17: none-->',
    "patterns": f'<pattern id="p" width="20" height="20" patternUnits="userSpaceOnUse">{RECT}</pattern><rect width="20" height="20" fill="url(#p)"/>',
    "markers": f'<marker id="k" markerWidth="20" markerHeight="20" refX="10" refY="10" markerUnits="userSpaceOnUse">{RECT}</marker><path d="M10,10h1" marker-start="url(#k)"/>',
    "blend modes": '<rect width="20" height="20" fill="#ff0"/><rect width="20" height="20" fill="#0ff" style="mix-blend-mode: multiply"/>',
    "filters": '<filter id="f"><feFlood flood-color="lime"/></filter><rect width="20" height="20" fill="red" filter="url(#f)"/>',
    "`filter` functions": '<rect width="20" height="20" fill="#f0f" style="filter: invert(1)"/>',
    "text": f'<text x="-30" y="40" {FONT}>MM</text>',
    "text on paths": f'<path id="q" fill="none" d="M-30,40h200"/><text {FONT}><textPath href="#q">MM</textPath></text>',
}


# ---- One package, in a process of its own ----


def make_draw(package, text):
    """Returns a function that draws a document so many pixels wide, into the bytes of a PNG file."""
    if package == "pietra":
        import pietra

        return lambda width: pietra.render(text, width=width, device="cpu").png()
    if package == "resvg_py":
        import resvg_py

        return lambda width: bytes(resvg_py.svg_to_bytes(svg_string=text.decode(), width=width))
    if package == "cairosvg":
        import cairosvg

        return lambda width: cairosvg.svg2png(bytestring=text, output_width=width)
    import skia

    def draw(width):
        document = skia.SVGDOM.MakeFromStream(skia.MemoryStream(text, True))
        size = document.containerSize()
        scale = width / size.width()
        surface = skia.Surface(width, round(size.height() * scale))
        with surface as canvas:
            canvas.scale(scale, scale)
            document.render(canvas)
        return bytes(surface.makeImageSnapshot().encodeToData())

    return draw


def measure(package, name):
    path, width = DOCUMENTS[name]
    text = open(os.path.join(ROOT, path), "rb").read() if path else ICON.encode()
    draw = make_draw(package, text)
    began, times = time.perf_counter(), []
    while time.perf_counter() - began < RUNS_SECONDS or len(times) < 3:
        start = time.perf_counter()
        draw(width)
        times.append(time.perf_counter() - start)
    return {"ms": 1000 * min(times), "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def lets_threads_run(package):
    """Counts how often another thread wakes while a large picture is drawn."""
    text = open(os.path.join(ROOT, "scenes/showcase/pietra.svg"), "rb").read()
    draw, ticks, stop = make_draw(package, text), 0, threading.Event()

    def tick():
        nonlocal ticks
        while not stop.is_set():
            time.sleep(0.001)
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    before, start = ticks, time.perf_counter()
    draw(2000)
    seen, milliseconds = ticks - before, 1000 * (time.perf_counter() - start)
    stop.set()
    thread.join()
    return seen > milliseconds / 20


def probe(package):
    import io

    from PIL import Image

    found = {}
    for name, content in FEATURES.items():
        text = f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" viewBox="0 0 20 20">{content}</svg>'.encode()
        try:
            image = Image.open(io.BytesIO(make_draw(package, text)(20))).convert("RGBA")
        except Exception:
            found[name] = False
            continue
        r, g, b, a = image.getpixel((10, 10))
        found[name] = r < 4 and g > 251 and b < 4 and a > 251
        if content.endswith("<!--17: none-->"):
            found[name] = found[name] and image.getpixel((17, 10))[3] == 0
    return {"features": found, "threads": lets_threads_run(package)}


def measure_overhead():
    """Returns the microseconds of pietra.render, and of the calls of the library that it makes."""
    import pietra
    from pietra._native import ffi, lib

    text = ICON.encode()
    options, size = ffi.new("pietra_svg_options *"), ffi.new("double[2]")
    fonts = pietra.Fonts()
    options.dpi, options.fonts = 96, fonts._use().fonts
    stream, device = ffi.new("pietra_stream **"), ffi.new("pietra_device **")
    kind = ffi.new("pietra_device_options *", {"kind": lib.PIETRA_DEVICE_CPU})
    assert lib.pietra_device_create(kind, ffi.NULL, device) == lib.PIETRA_OK
    pixels = ffi.new("uint8_t[]", 24 * 24 * 4)
    target = ffi.new("pietra_target *", {"width": 24, "height": 24, "pixels": pixels, "may_spoil": True})
    frame = ffi.new("pietra_frame *")

    def by_library():
        scene = lib.pietra_scene_create()
        lib.pietra_scene_load_svg(scene, text, len(text), options, ffi.NULL, size, size + 1)
        lib.pietra_stream_encode_by(scene, 0, ffi.NULL, stream)
        lib.pietra_scene_destroy(scene)
        lib.pietra_render(device[0], stream[0], frame, target, ffi.NULL, ffi.NULL)
        lib.pietra_stream_destroy(stream[0])

    def by_package():
        pietra.render(text, device="cpu")

    times = {by_library: [], by_package: []}
    for _ in range(4000):
        for function, taken in times.items():
            start = time.perf_counter()
            function()
            taken.append(time.perf_counter() - start)
    return [1e6 * statistics.quantiles(times[function], n=10)[0] for function in (by_package, by_library)]


# ---- All packages ----


def ask(*arguments):
    command = [sys.executable, os.path.abspath(__file__), "--one", *arguments]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[-1])


def write_tables():
    rows = [
        "| package | " + " | ".join(f"{name}: ms | MB" for name in DOCUMENTS) + " | other threads run | not drawn, of "
        f"{len(FEATURES)} features |",
        "|---|" + "---|" * (2 * len(DOCUMENTS) + 2),
    ]
    for package, distribution in PACKAGES.items():
        cells = [f"{package} {importlib.metadata.version(distribution)}"]
        for name in DOCUMENTS:
            found = ask("measure", package, name)
            cells += [f"{found['ms']:,.0f}" if found["ms"] >= 100 else f"{found['ms']:.2g}", f"{found['mb']:.0f}"]
        probed = ask("probe", package)
        lacking = [name for name, drawn in probed["features"].items() if not drawn]
        cells += ["yes" if probed["threads"] else "no", ", ".join(lacking) or "none"]
        rows.append("| " + " | ".join(cells) + " |")
        print(rows[-1], file=sys.stderr)
    package, library = ask("overhead")
    return "\n".join(rows) + (
        f"\n\nThe features are {', '.join(FEATURES)}.\n\nOn the icon `pietra.render` takes {package:.0f} us, of which "
        f"{package - library:.0f} are the package's and not the library's (first deciles of 4,000 calls).\n"
    )


def main():
    if sys.argv[1:2] == ["--one"]:
        work = {"measure": measure, "probe": probe, "overhead": measure_overhead}[sys.argv[2]]
        print(json.dumps(work(*sys.argv[3:])))
        return
    tables = write_tables()
    print(tables)
    if "--write" in sys.argv[1:]:
        with open(PAGE, encoding="utf-8") as file:
            page = file.read()
        page = re.sub(r"(\n<!-- python_peers -->\n).*", lambda match: match[1] + "\n" + tables, page, flags=re.S)
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(page)


if __name__ == "__main__":
    main()
