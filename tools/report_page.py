# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The page of tools/report. A cell with a figure says in data-value where it stands in report.json, in data-before where
in that of the earlier report, and one with a ratio both, so that a test can tell that the page shows what was measured."""
import math
from html import escape

STYLE = """
:root { color-scheme: light dark; --paper: #fdfdfb; --ink: #1d1d24; --faint: #6b6b76; --rule: #dcdce2; --card: #fff; --bar: #8c3d88; --old: #b9b3c4;
  --better: #1d6b3f; --worse: #a8322b; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #15151b; --ink: #ececf1; --faint: #9a9aa8; --rule: #34343f; --card: #1d1d25; --bar: #c773bd; --old: #57526a; --better: #6fcf97; --worse: #ff8a7a; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.5rem 4rem; max-width: 82rem; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; }
h2 { font-size: 1.2rem; margin: 2.4rem 0 .6rem; }
h3 { font-size: 1rem; margin: 0 0 .6rem; overflow-wrap: anywhere; }
h4 { font-size: .9rem; margin: 1rem 0 .3rem; color: var(--faint); font-weight: 600; }
p { margin: .2rem 0; color: var(--faint); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { padding: .22rem .7rem .22rem 0; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--rule); }
th { color: var(--faint); font-weight: 600; vertical-align: bottom; }
th:first-child, td:first-child, .text { text-align: left; }
td:first-child { max-width: 26rem; overflow: hidden; text-overflow: ellipsis; }
.better { color: var(--better); } .worse { color: var(--worse); }
.error { color: var(--worse); overflow-wrap: anywhere; white-space: normal; }
.scene { background: var(--card); border: 1px solid var(--rule); border-radius: .5rem; padding: 1rem 1.2rem; margin: 0 0 1.2rem; }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; }
figure { margin: 0; } figcaption { color: var(--faint); font-size: .82rem; margin-top: .2rem; }
figure img { display: block; max-width: 24rem; max-height: 30rem; border: 1px solid var(--rule); background: #fff; }
.stages { width: 100%; max-width: 60rem; }
.stages td { border: 0; padding-top: .1rem; padding-bottom: .1rem; } .stages td:nth-child(2) { width: 70%; }
.bar { height: .7rem; min-width: 1px; background: var(--bar); border-radius: 1px; } .old { height: .25rem; min-width: 1px; background: var(--old); margin-top: 1px; }
"""

# The columns of the tables: a heading and a name in the objects that --timing writes.
TIMES = (("SVG to scene", "parse_ms"), ("encode", "encode_ms"), ("upload", "upload_ms"), ("frame", "frame_ms"), ("GPU", "gpu_ms"), ("read back", "read_ms"),
         ("PNG", "png_ms"), ("whole command", "total_ms"))
COUNTS = (("width", "width"), ("height", "height"), ("elements", "elements"), ("segments", "segments"), ("lines", "lines"), ("tile_lines", "tile_lines"),
          ("tile_commands", "tile_commands"), ("bytes of memory", "memory_bytes"))
COMPARED = (("frame", "frame_ms"), ("GPU", "gpu_ms"))


# ---- Figures ----

def shown_ms(value):
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def shown_count(value):
    return f"{value:,}"


def shown_ratio(value):
    return f"{value:.2f}"


def cell(path, value, shown, kind="value"):
    return f'<td data-{kind}="{escape(path)}">{shown(value)}</td>' if value is not None else "<td></td>"


def ratio_cell(path, now, before_path, then):
    """A ratio has a sign beside its colour. What changes by less than a twentieth is noise."""
    if not now or not then:
        return "<td></td>"
    ratio = now / then
    kind, sign = ("better", "▼ ") if ratio < 0.95 else ("worse", "▲ ") if ratio > 1.05 else ("", "")
    return f'<td class="{kind}" data-value="{escape(path)}" data-before="{escape(before_path)}">{sign}{shown_ratio(ratio)}</td>'


def table(headings, rows, kind=""):
    head = "".join(f"<th{' class=text' if i < 2 else ''}>{escape(heading)}</th>" for i, heading in enumerate(headings))
    return f'<div class="wide"><table{kind}><tr>{head}</tr>\n' + "\n".join(f"<tr>{row}</tr>" for row in rows) + "\n</table></div>"


def measured(report):
    """Gives each measurement that did not fail: its scene, its device, its place in report.json and its figures."""
    for number, scene in enumerate(report["scenes"]):
        for device, timing in scene["devices"].items():
            if "error" not in timing:
                yield scene, device, f"scenes/{number}/devices/{device}/", timing


def find_before(before, name, device):
    """Returns the place and the figures of a scene on a device in an earlier report; none: an empty object."""
    for scene, other, path, timing in measured(before) if before else ():
        if (scene["name"], other) == (name, device):
            return path, timing
    return "", {}


def columns_of(report, columns):
    """Leaves out columns in which nothing stands."""
    return [column for column in columns if any(column[1] in timing for *_, timing in measured(report))]


# ---- Tables ----

def make_table(report, columns, shown):
    rows, columns = [], columns_of(report, columns)
    for scene, device, path, timing in measured(report):
        cells = "".join(cell(path + name, timing.get(name), shown) for _, name in columns)
        rows.append(f'<td>{escape(scene["name"])}</td><td class="text">{escape(device)}</td>{cells}')
    return table(["scene", "device"] + [heading for heading, _ in columns], rows)


def make_means(ratios):
    """Tells the geometric mean for each heading and device."""
    means = [f"{escape(device)}, {escape(heading)}: {shown_ratio(math.exp(sum(map(math.log, values)) / len(values)))}" for (device, heading), values in ratios.items()]
    return f"<p>Geometric means of the ratios: {'; '.join(means)}.</p>" if means else "<p>The earlier report has none of these scenes on these devices.</p>"


def make_comparison(report, before):
    rows, ratios, columns = [], {}, columns_of(report, COMPARED)
    for scene, device, path, timing in measured(report):
        before_path, earlier = find_before(before, scene["name"], device)
        cells = ""
        for heading, name in columns:
            now, then = timing.get(name), earlier.get(name)
            cells += cell(before_path + name, then, shown_ms, "before") + cell(path + name, now, shown_ms) + ratio_cell(path + name, now, before_path + name, then)
            if now and then:
                ratios.setdefault((device, heading), []).append(now / then)
        if earlier:
            rows.append(f'<td>{escape(scene["name"])}</td><td class="text">{escape(device)}</td>{cells}')
    headings = [part for heading, _ in columns for part in (heading + ", before", "now", "ratio")]
    since = f'<p>The earlier report is of {escape(before["commit"] or "no commit")}, {escape(before["made"])}, {escape(before["processor"])}.</p>'
    return since + make_means(ratios) + (table(["scene", "device"] + headings, rows) if rows else "")


# ---- Scenes ----

def make_stages(path, timing, before_path, earlier):
    """A row for each stage. A bar's length is its time beside that of the slowest one; below it, thin, what it was before."""
    before = {stage["name"]: (f"{before_path}stages/{number}/ms", stage["ms"]) for number, stage in enumerate(earlier.get("stages", ()))}
    most = max([stage["ms"] for stage in timing["stages"]] + [ms for _, ms in before.values()] + [1e-9])
    rows = []
    for number, stage in enumerate(timing["stages"]):
        where, ms = f"{path}stages/{number}/ms", stage["ms"]
        then_where, then = before.get(stage["name"], ("", None))
        bars = f'<div class="bar" style="width:{100 * ms / most:.2f}%"></div>'
        if then is not None:
            bars += f'<div class="old" style="width:{100 * then / most:.2f}%"></div>'
        rows.append(f'<tr><td>{escape(stage["name"])}</td><td>{bars}</td>{cell(where, ms, shown_ms)}{ratio_cell(where, ms, then_where, then)}</tr>')
    return '<table class="stages">' + "\n".join(rows) + "</table>" if rows else "<p>It reports no stages.</p>"


def make_picture(data, caption, description):
    shown = f'<img src="data:image/png;base64,{data}" alt="{escape(description)}">' if data else '<p class="error">It cannot be drawn.</p>'
    return f"<figure>{shown}<figcaption>{escape(caption)}</figcaption></figure>"


def make_scene(report, number, pictures, before):
    scene = report["scenes"][number]
    name = scene["name"]
    parts = [f'<section class="scene"><h3>{escape(name)}</h3><div class="pictures">',
             make_picture(pictures[0], "the picture", name), make_picture(pictures[1], f"{report['heatmap']} in each tile", f"heat map of {name}"), "</div>"]
    for device, timing in scene["devices"].items():
        if "error" in timing:
            parts.append(f'<h4>{escape(device)}</h4><p class="error">{escape(timing["error"])}</p>')
            continue
        shown = f'{device}: {timing["device"]}' if timing["device"].lower() != device.lower() else device
        parts.append(f"<h4>{escape(shown)}, milliseconds of stages</h4>")
        parts.append(make_stages(f"scenes/{number}/devices/{device}/", timing, *find_before(before, name, device)))
    return "\n".join(parts) + "</section>"


# ---- The page ----

def make_page(report, pictures, before):
    """Returns the page. Each scene has two pictures as base64, or None. `before` is an earlier report, or None."""
    commit = report["commit"] or "no commit"
    parts = ['<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">",
             f"<title>Pietra, {escape(commit)}</title><style>{STYLE}</style></head><body>", f"<h1>Pietra, {escape(commit)}</h1>",
             f"<p>{escape(report['made'])}; {escape(report['processor'])}; pictures {report['width']} pixels wide, medians of {report['repeat']} warm frames.</p>"]
    if before:
        parts += ["<h2>Before and now</h2>", make_comparison(report, before)]
    parts += ["<h2>Milliseconds</h2>", make_table(report, TIMES, shown_ms), "<h2>Counts</h2>", make_table(report, COUNTS, shown_count), "<h2>Scenes</h2>"]
    parts += [make_scene(report, number, pictures[number], before) for number in range(len(report["scenes"]))]
    return "\n".join(parts) + "\n</body></html>\n"
