#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""make_fonts.py: makes the fonts of tests/font/fonts anew. Needs fontTools and brotli; the tests do not.

All shapes are our own. `shapes` has quadratic outlines, with a composite; `cubic` cubic ones (CFF); `variable` and
`variable_cubic` vary in weight and width (gvar with HVAR and MVAR; CFF2). `endless` has programs of glyphs (CFF) that would take for ever. `shaping` has a ligature, a kerning pair and two
Hebrew letters, `capitals` a small capital for `a` and small letters. `paints` has glyphs of layers and paints (COLR), `bitmaps` one of pixels (sbix), `documents` two of SVG."""
import os
import struct
import zlib

from fontTools.cffLib import SubrsIndex
from fontTools.colorLib.builder import ColorPaletteType, buildCOLR, buildCPAL
from fontTools.designspaceLib import AxisDescriptor
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.psCharStrings import T2CharString
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTCollection, TTFont, newTable
from fontTools.ttLib.tables import otTables as ot
from fontTools.ttLib.tables.sbixGlyph import Glyph as SbixGlyph
from fontTools.ttLib.tables.sbixStrike import Strike
from fontTools.ttLib.tables.TupleVariation import TupleVariation
from fontTools.varLib.mvar import MVAR_ENTRIES

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fonts")
ORDER = [".notdef", "space", "A", "B", "acute", "Aacute"]
CHARACTERS = {0x20: "space", 0x41: "A", 0x42: "B", 0xB4: "acute", 0xC1: "Aacute"}
WIDE = {0x1F600: "B"}  # beyond the basic plane
ADVANCES = {".notdef": 500, "space": 250, "A": 600, "B": 620, "acute": 300, "Aacute": 600}
POINTS = {  # contours of (x, y) points, in font units
    ".notdef": [[(50, 0), (50, 700), (450, 700), (450, 0)]],
    "space": [],
    "A": [[(20, 0), (300, 700), (580, 0)]],
    "B": [[(40, 0), (40, 700), (400, 700), (400, 0)]],
    "acute": [[(100, 720), (160, 860), (220, 860)]],
}


def draw(pen, name, cubic, bold=0):
    for contour in POINTS[name]:
        points = [(x + bold if x >= 300 else x, y) for x, y in contour]
        pen.moveTo(points[0])
        for point in points[1:-1]:
            pen.lineTo(point)
        if name != "B":
            pen.lineTo(points[-1])
        elif cubic:
            pen.curveTo((600 + bold, 600), (600 + bold, 100), points[-1])
        else:
            pen.qCurveTo((600 + bold, 600), (600 + bold, 101), points[-1])
        pen.closePath()


def true_type_glyphs():
    glyphs = {}
    for name in ORDER:
        pen = TTGlyphPen(glyphs)
        if name == "Aacute":
            pen.addComponent("A", (1, 0, 0, 1, 0, 0))
            pen.addComponent("acute", (1, 0, 0, 1, 140, 10))
        else:
            draw(pen, name, False)
        glyphs[name] = pen.glyph()
    return glyphs


def char_string(name, cubic=True, bold=0, cff2=False):
    pen = T2CharStringPen(None if cff2 else ADVANCES[name], None, CFF2=cff2)
    if name == "Aacute":
        draw(pen, "A", True, bold)
        draw(pen, "acute", True, bold)
    else:
        draw(pen, name, cubic, bold)
    return pen.getCharString()


def left_side(name):
    points = sum(POINTS["A" if name == "Aacute" else name], [])
    return min((x for x, _ in points), default=0)


def begin(family, style, is_ttf, weight=400, width=5, italic=False, more_characters={}, more_glyphs=()):
    builder = FontBuilder(1000, isTTF=is_ttf)
    builder.setupGlyphOrder([*ORDER, *more_glyphs])
    builder.setupCharacterMap({**CHARACTERS, **WIDE, **more_characters})
    builder.family, builder.style, builder.weight, builder.width, builder.italic = family, style, weight, width, italic
    return builder


def finish(builder):
    builder.setupHorizontalMetrics({name: (ADVANCES[name], left_side(name)) for name in builder.font.getGlyphOrder()})
    builder.setupHorizontalHeader(ascent=900, descent=-300, lineGap=50)
    builder.setupVerticalMetrics({name: (1000, 100) for name in builder.font.getGlyphOrder()})
    builder.setupVerticalHeader(ascent=500, descent=-500)
    builder.setupNameTable({"familyName": builder.family, "styleName": builder.style, "psName": builder.family.replace(" ", "")})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, sTypoLineGap=90, usWinAscent=900, usWinDescent=300, sxHeight=480,
                     sCapHeight=700, usWeightClass=builder.weight, usWidthClass=builder.width, yStrikeoutPosition=260,
                     yStrikeoutSize=51, fsSelection=1 if builder.italic else 64, version=4)
    builder.setupPost(underlinePosition=-75, underlineThickness=52)
    builder.font["head"].created = builder.font["head"].modified = 3000000000
    builder.font["head"].macStyle = (1 if builder.weight >= 600 else 0) | (2 if builder.italic else 0)
    builder.font.recalcTimestamp = False
    return builder.font


def make_shapes(family="Pietra Shapes", **traits):
    builder = begin(family, "Regular", True, **traits)
    builder.setupGlyf(true_type_glyphs())
    return finish(builder)


def make_shaping():
    font = make_shapes("Pietra Shaping", more_characters={0x5D0: "A", 0x5D1: "B"})
    addOpenTypeFeaturesFromString(font, """
        languagesystem DFLT dflt; languagesystem hebr dflt;
        feature liga { sub A B by Aacute; } liga;
        feature kern { pos A A -50; } kern;""")
    return font


def make_capitals():
    """a looks like B, and like an A with an accent as a small capital. Other capitals are none of the font's. A has forms for
    languages: an accent in Malayalam, one on an A in its reformed spelling, a B in Serbian and in a language that is not registered."""
    font = make_shapes("Pietra Capitals", more_characters={0x61: "B", 0x62: "acute"})
    addOpenTypeFeaturesFromString(font, """
        languagesystem DFLT dflt; languagesystem latn dflt;
        languagesystem latn MAL; languagesystem latn MLR; languagesystem latn SRB; languagesystem latn XYZ;
        feature locl {
            script latn;
            language MAL; sub A by acute;
            language MLR; sub A by Aacute;
            language SRB; sub A by B;
            language XYZ; sub A by B; } locl;
        feature smcp { sub B by Aacute; } smcp;
        feature salt { sub B by A; } salt;
        feature ss07 { sub A by B; } ss07;
        feature cv03 { sub A from [B acute Aacute]; } cv03;""")
    return font


def make_cubic():
    builder = begin("Pietra Cubic", "Regular", False)
    builder.setupCFF("PietraCubic", {}, {name: char_string(name) for name in ORDER}, {})
    return finish(builder)


def make_endless():
    """A and B call subroutines that call one another: nine levels of a hundred calls, and one that calls itself."""
    builder = begin("Pietra Endless", "Regular", False)
    builder.font.recalcBBoxes = False  # fontTools would run the programs
    strings = {name: char_string(name) for name in ORDER}
    for name, first in (("A", 0), ("B", 9)):
        strings[name] = T2CharString(program=[600, 0, 0, "rmoveto", first - 107, "callsubr", "endchar"])
    builder.setupCFF("PietraEndless", {}, strings, {})
    private = builder.font["CFF "].cff.topDictIndex[0].Private
    private.Subrs = SubrsIndex()
    calls = [[number - 107, "callsubr"] * 100 + ["return"] for number in (*range(1, 9), 9)]
    private.Subrs.items = [T2CharString(program=program) for program in calls[:8]]
    private.Subrs.items += [T2CharString(program=[1, 1, "rlineto"] * 100 + ["return"]), T2CharString(program=calls[8])]
    return finish(builder)


AXES = [("wght", 100, 400, 900, "Weight"), ("wdth", 75, 100, 125, "Width")]


def add_metric_variation(font):
    """Underline and x-height grow with the weight."""
    from fontTools.ttLib import newTable
    from fontTools.ttLib.tables import otTables
    from fontTools.varLib.builder import buildVarData, buildVarRegionList, buildVarStore
    regions = buildVarRegionList([{"wght": (0, 1, 1)}], ["wght", "wdth"])
    store = buildVarStore(regions, [buildVarData([0], [[30], [40]], optimize=False)])
    table = otTables.MVAR()
    table.Version, table.Reserved, table.ValueRecordSize, table.VarStore = 0x00010000, 0, 8, store
    records = []
    for row, tag in enumerate(("undo", "xhgt")):
        assert tag in MVAR_ENTRIES or tag == "undo"
        record = otTables.MetricsValueRecord()
        record.ValueTag, record.VarIdx = tag, row
        records.append(record)
    table.ValueRecord, table.ValueRecordCount = sorted(records, key=lambda record: record.ValueTag), len(records)
    font["MVAR"] = newTable("MVAR")
    font["MVAR"].table = table


def make_variable():
    builder = begin("Pietra Variable", "Regular", True)
    builder.setupGlyf(true_type_glyphs())
    font = finish(builder)
    builder.setupFvar(AXES, [])
    variations = {}
    for name in ORDER:
        if name == "Aacute":
            deltas = [(0, 0), (25, 0)]
        else:
            glyph = builder.font["glyf"][name]
            count = len(glyph.coordinates) if glyph.numberOfContours > 0 else 0
            deltas = [(101 if glyph.coordinates[i][0] >= 300 else 0, 0) for i in range(count)]
        variations[name] = [TupleVariation({"wght": (0, 1, 1)}, deltas + [(0, 0), (101, 0), (0, 0), (0, 0)])]
    builder.setupGvar(variations)
    add_metric_variation(font)
    from fontTools.varLib import builder as var_builder
    from fontTools.ttLib import newTable
    from fontTools.ttLib.tables import otTables
    regions = var_builder.buildVarRegionList([{"wght": (0, 1, 1)}], ["wght", "wdth"])
    store = var_builder.buildVarStore(regions, [var_builder.buildVarData([0], [[101]] * len(ORDER), optimize=False)])
    table = otTables.HVAR()
    table.Version, table.VarStore = 0x00010000, store
    table.AdvWidthMap = table.LsbMap = table.RsbMap = None
    font["HVAR"] = newTable("HVAR")
    font["HVAR"].table = table
    return font


def make_variable_cubic():
    from fontTools import varLib
    from fontTools.designspaceLib import DesignSpaceDocument
    space = DesignSpaceDocument()
    axis = AxisDescriptor(name="Weight", tag="wght", minimum=100, default=100, maximum=900)
    space.addAxis(axis)
    for weight, bold in ((100, 0), (900, 101)):
        builder = begin("Pietra Variable Cubic", "Regular", False)
        builder.setupCFF("PietraVariableCubic", {}, {name: char_string(name, bold=bold) for name in ORDER}, {})
        space.addSourceDescriptor(location={"Weight": weight}, font=finish(builder))
    font, _, _ = varLib.build(space)
    font["head"].modified = 3000000000
    font.recalcTimestamp = False
    return font


# ---- Pictures ----

RED, GREEN, BLUE, GLASS = range(4)  # of the palette
FOREGROUND = 0xFFFF
PALETTES = [[(0.85, 0.1, 0.1, 1), (0.1, 0.6, 0.2, 1), (0.15, 0.25, 0.9, 1), (0.9, 0.8, 0, 0.4)],
            [(1, 0.6, 0.6, 1), (0.6, 1, 0.7, 1), (0.6, 0.7, 1, 1), (1, 1, 0.5, 0.6)],
            [(0.4, 0, 0, 1), (0, 0.3, 0, 1), (0, 0, 0.4, 1), (0.5, 0.4, 0, 0.8)]]
PALETTE_TYPES = [ColorPaletteType(0), ColorPaletteType.USABLE_WITH_DARK_BACKGROUND,
                 ColorPaletteType.USABLE_WITH_LIGHT_BACKGROUND]
COMPOSITES = ["CLEAR", "SRC", "DEST", "SRC_OVER", "DEST_OVER", "SRC_IN", "DEST_IN", "SRC_OUT", "DEST_OUT", "SRC_ATOP",
              "DEST_ATOP", "XOR", "PLUS", "SCREEN", "OVERLAY", "DARKEN", "LIGHTEN", "COLOR_DODGE", "COLOR_BURN",
              "HARD_LIGHT", "SOFT_LIGHT", "DIFFERENCE", "EXCLUSION", "MULTIPLY", "HSL_HUE", "HSL_SATURATION",
              "HSL_COLOR", "HSL_LUMINOSITY"]


def solid(color, alpha=1.0):
    return {"Format": ot.PaintFormat.PaintSolid, "PaletteIndex": color, "Alpha": alpha}


def shape(glyph, paint):
    return {"Format": ot.PaintFormat.PaintGlyph, "Glyph": glyph, "Paint": paint}


def layers(*paints):
    return {"Format": ot.PaintFormat.PaintColrLayers, "Layers": list(paints)}


def line(extend, *stops):
    return {"Extend": extend, "ColorStop": [{"StopOffset": o, "PaletteIndex": c, "Alpha": a} for o, c, a in stops]}


def linear(extend, points, *stops):
    return {"Format": ot.PaintFormat.PaintLinearGradient, "ColorLine": line(extend, *stops),
            **dict(zip(("x0", "y0", "x1", "y1", "x2", "y2"), points))}


def radial(extend, circles, *stops):
    return {"Format": ot.PaintFormat.PaintRadialGradient, "ColorLine": line(extend, *stops),
            **dict(zip(("x0", "y0", "r0", "x1", "y1", "r1"), circles))}


def sweep(extend, x, y, start, end, *stops):
    return {"Format": ot.PaintFormat.PaintSweepGradient, "ColorLine": line(extend, *stops), "centerX": x, "centerY": y,
            "startAngle": start, "endAngle": end}


def moved(name, paint, **values):
    return {"Format": getattr(ot.PaintFormat, "Paint" + name), "Paint": paint, **values}


def composite(mode, source=None, backdrop=None):
    return {"Format": ot.PaintFormat.PaintComposite, "CompositeMode": mode.lower(),
            "SourcePaint": source or shape("A", linear("pad", (0, 0, 600, 0, 0, 600), (0, RED, 1), (1, GLASS, 1))),
            "BackdropPaint": backdrop or shape("B", solid(BLUE, 0.8))}


def make_more_paints():
    """The paints behind the composites, from U+E01C on."""
    both, three = ((0, RED, 1), (1, BLUE, 1)), ((0, RED, 1), (0.5, GREEN, 1), (1, BLUE, 1))
    box, part = ".notdef", {"Format": ot.PaintFormat.PaintColrGlyph, "Glyph": "y"}
    return [
        shape(box, sweep("pad", 250, 350, 300, 60, *three)),
        shape(box, sweep("reflect", 250, 350, 90, 150, (-0.25, RED, 1), (0.5, GREEN, 1), (1, BLUE, 0.2))),
        shape(box, sweep("pad", 250, 350, 120, 120, *both)),
        shape(box, sweep("repeat", 250, 350, 120, 120, *both)),
        shape(box, sweep("pad", 250, 350, -90, 450, *three)),
        shape(box, moved("Skew", sweep("repeat", 100, 350, 0, 120, *both), xSkewAngle=20, ySkewAngle=0)),
        shape("B", moved("RotateAroundCenter", sweep("pad", 250, 350, 0, 360, (0, FOREGROUND, 1), (1, FOREGROUND, 0)),
                         angle=45, centerX=250, centerY=350)),
        shape(box, radial("pad", (250, 350, 200, 250, 350, 40), (0, RED, 1), (0.6, GREEN, 1), (1.9, BLUE, 1))),
        shape(box, radial("pad", (150, 350, 0, 300, 350, 150), (-0.5, RED, 1), (0.5, GREEN, 1), (1, BLUE, 1))),
        shape(box, radial("pad", (150, 350, 10, 350, 350, 60), (-1.5, RED, 1), (-0.4, GREEN, 1))),
        shape(box, radial("repeat", (250, 350, 20, 300, 350, 80), (-1.5, RED, 1), (-0.5, BLUE, 1))),
        shape(box, radial("reflect", (250, 350, 90, 300, 350, 30), (1, RED, 1), (1.9, BLUE, 1))),
        moved("Rotate", part, angle=20),
        layers(moved("Translate", part, dx=-200, dy=0), moved("ScaleUniform", part, scale=0.5)),
        composite("XOR", composite("SRC_IN"), composite("DEST_OUT")),
        composite("SRC_OUT", solid(GREEN, 0.7), shape("A", solid(RED))),  # bounded by its box alone
        shape("B", composite("DEST_IN", shape("A", solid(BLUE)), sweep("pad", 250, 350, 0, 360, *three))),
        composite("PLUS", composite("SRC", shape("A", solid(RED))), shape("B", composite("SRC_ATOP", solid(GREEN, 0.5)))),
        composite("CLEAR", layers(shape("A", solid(RED))), layers(shape("B", solid(BLUE)))),
    ]


def make_paint_list():
    """The paints of the letters from a on, then those of U+E000 on."""
    both = ((0, RED, 1), (1, BLUE, 1))
    paints = [
        shape("A", solid(RED)),
        shape("A", solid(FOREGROUND, 0.5)),
        layers(shape("B", solid(GREEN)), shape("A", solid(GLASS))),
        shape(".notdef", linear("pad", (50, 0, 450, 0, 50, 700), *both)),
        shape(".notdef", linear("repeat", (50, 0, 150, 0, 150, 100), *both)),
        shape(".notdef", linear("reflect", (50, 0, 50, 100, 150, 0), (-0.5, RED, 1), (0.5, GREEN, 1), (1, BLUE, 0))),
        shape(".notdef", radial("pad", (247, 343, 0, 247, 343, 300), (0.2, RED, 1), (0.9, GREEN, 0))),
        shape(".notdef", radial("repeat", (200, 300, 20, 250, 350, 100), *both)),
        shape(".notdef", sweep("pad", 250, 350, 30, 330, (0, RED, 1), (0.5, GREEN, 1), (1, BLUE, 1))),
        shape(".notdef", sweep("repeat", 250, 350, 0, 90, *both)),
        moved("Transform", shape("A", solid(RED)), Transform=(0.5, 0.2, -0.3, 0.8, 200, 50)),
        moved("Translate", shape("A", solid(RED)), dx=100, dy=-100),
        moved("Scale", shape("A", solid(RED)), scaleX=0.5, scaleY=1.2),
        moved("ScaleAroundCenter", shape("A", solid(RED)), scaleX=0.5, scaleY=-1, centerX=300, centerY=350),
        moved("ScaleUniform", shape("A", solid(RED)), scale=0.6),
        moved("ScaleUniformAroundCenter", shape("A", solid(RED)), scale=0.6, centerX=300, centerY=350),
        moved("Rotate", shape("A", solid(RED)), angle=20),
        moved("RotateAroundCenter", shape("A", solid(RED)), angle=60, centerX=300, centerY=350),
        moved("Skew", shape("A", solid(RED)), xSkewAngle=20, ySkewAngle=0),
        moved("SkewAroundCenter", shape("A", solid(RED)), xSkewAngle=0, ySkewAngle=20, centerX=300, centerY=350),
        shape("B", moved("Rotate", linear("pad", (0, 0, 500, 0, 0, 500), *both), angle=45)),
        shape("B", layers(solid(GREEN), shape("A", solid(RED)))),  # clips
        {"Format": ot.PaintFormat.PaintColrGlyph, "Glyph": "c"},
        shape("A", linear("pad", (0, 0, 0, 700, 700, 0), (0, FOREGROUND, 1), (1, FOREGROUND, 0.2))),
        layers(solid(GLASS), shape("A", solid(BLUE))),  # bounded by its box alone
        shape("B", solid(RED)),  # which its box cuts
    ]
    return paints + [composite(mode) for mode in COMPOSITES] + make_more_paints()


def name_picture(index):
    return chr(ord("a") + index) if index < 26 else f"picture{index}"


def make_paints():
    """Glyphs of paints; the first letters beyond ASCII have layers of version 0."""
    paints = make_paint_list()
    names = [name_picture(i) for i in range(len(paints))] + ["v0"]
    characters = {(0x61 + i if i < 26 else 0xE000 + i - 26): name for i, name in enumerate(names[:-1])}
    builder = begin("Pietra Paints", "Regular", True, more_characters={**characters, 0xC0: "v0"}, more_glyphs=names)
    glyphs = true_type_glyphs()
    for name in names:
        pen = TTGlyphPen(None)
        draw(pen, "A", False)
        glyphs[name] = pen.glyph()
    builder.setupGlyf(glyphs)
    for name in names:
        ADVANCES[name] = 650
        POINTS[name] = POINTS["A"]
    font = finish(builder)
    font["COLR"] = buildCOLR({**dict(zip(names, paints)), "v0": [("B", BLUE), ("A", FOREGROUND)]},
                             clipBoxes={"y": (0, 0, 500, 500), "z": (0, 0, 300, 300), "picture69": (0, 0, 600, 700)},
                             glyphMap=font.getReverseGlyphMap())
    font["CPAL"] = buildCPAL(PALETTES, PALETTE_TYPES)
    return font


def png(width, height, color):
    """A picture with a darker upper left quarter."""
    rows = b""
    for y in range(height):
        rows += b"\0"
        for x in range(width):
            rows += bytes(c // 2 if x < width / 2 and y < height / 2 else c for c in color) + b"\xff"

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def make_bitmaps():
    """A is a bitmap of 10 pixels at 10 pixels an em, which lies at a corner of the outline."""
    font = make_shapes("Pietra Bitmaps")
    table = font["sbix"] = newTable("sbix")
    table.version, table.flags, table.numStrikes = 1, 1, 2
    for ppem in (4, 10):
        strike = Strike(ppem=ppem, resolution=72)
        data = png(ppem, ppem, (230, 120, 30))
        strike.glyphs["A"] = SbixGlyph(glyphName="A", graphicType="png ", originOffsetX=1, originOffsetY=-2,
                                       imageData=data)
        table.strikes[ppem] = strike
    return font


def make_documents():
    """A and B are one document, with a gradient; the acute is a document of its own, gzipped."""
    font = make_shapes("Pietra Documents")
    numbers = font.getReverseGlyphMap()
    both = ('<svg xmlns="http://www.w3.org/2000/svg"><defs><linearGradient id="g"><stop stop-color="red"/>'
            '<stop offset="1" stop-color="blue"/></linearGradient></defs>'
            f'<g id="glyph{numbers["A"]}"><rect y="-600" width="550" height="600" fill="url(#g)"/>'
            '<text y="-100" font-size="400">A</text></g>'
            f'<circle id="glyph{numbers["B"]}" cx="300" cy="-300" r="250" fill="seagreen"/></svg>')
    one = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 500">'
           f'<path id="glyph{numbers["acute"]}" d="M0 0L100 -200L200 0Z" fill="purple"/></svg>')
    table = font["SVG "] = newTable("SVG ")
    table.docList = [(both, numbers["A"], numbers["B"]), (one, numbers["acute"], numbers["acute"])]
    table.compressed = False
    return font


def without_wide(font):
    for table in font["cmap"].tables:
        for character in WIDE:
            table.cmap.pop(character, None)
    return font


def save(font, name, flavor=None):
    font.flavor = flavor
    font.save(os.path.join(FOLDER, name), reorderTables=True)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    save(make_shapes(), "shapes.ttf")
    save(make_shaping(), "shaping.ttf")
    save(make_capitals(), "capitals.ttf")
    save(make_cubic(), "cubic.otf")
    save(make_endless(), "endless.otf")
    save(make_variable(), "variable.ttf")
    save(make_variable_cubic(), "variable_cubic.otf")
    for flavor in ("woff", "woff2"):
        save(TTFont(os.path.join(FOLDER, "shapes.ttf"), recalcTimestamp=False), f"shapes.{flavor}", flavor)
    save(without_wide(make_paints()), "paints.ttf")
    save(without_wide(make_bitmaps()), "bitmaps.ttf")
    save(without_wide(make_documents()), "documents.ttf")
    collection = TTCollection()
    collection.fonts = [make_shapes("Pietra First"), make_shapes("Pietra Second", weight=700)]
    collection.save(os.path.join(FOLDER, "collection.ttc"))


main()
