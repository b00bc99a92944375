#!/usr/bin/env python3
"""make_fonts.py: makes the fonts of tests/font/fonts anew. Needs fontTools and brotli; the tests do not.

All shapes are our own. `shapes` has quadratic outlines, with a composite; `cubic` cubic ones (CFF); `variable` and
`variable_cubic` vary in weight and width (gvar with HVAR and MVAR; CFF2). `shaping` has a ligature, a kerning pair and two
Hebrew letters."""
import os

from fontTools.designspaceLib import AxisDescriptor
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTCollection, TTFont
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


def begin(family, style, is_ttf, weight=400, width=5, italic=False, more_characters={}):
    builder = FontBuilder(1000, isTTF=is_ttf)
    builder.setupGlyphOrder(ORDER)
    builder.setupCharacterMap({**CHARACTERS, **WIDE, **more_characters})
    builder.family, builder.style, builder.weight, builder.width, builder.italic = family, style, weight, width, italic
    return builder


def finish(builder):
    builder.setupHorizontalMetrics({name: (ADVANCES[name], left_side(name)) for name in ORDER})
    builder.setupHorizontalHeader(ascent=900, descent=-300, lineGap=50)
    builder.setupVerticalMetrics({name: (1000, 100) for name in ORDER})
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


def make_cubic():
    builder = begin("Pietra Cubic", "Regular", False)
    builder.setupCFF("PietraCubic", {}, {name: char_string(name) for name in ORDER}, {})
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


def save(font, name, flavor=None):
    font.flavor = flavor
    font.save(os.path.join(FOLDER, name), reorderTables=True)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    save(make_shapes(), "shapes.ttf")
    save(make_shaping(), "shaping.ttf")
    save(make_cubic(), "cubic.otf")
    save(make_variable(), "variable.ttf")
    save(make_variable_cubic(), "variable_cubic.otf")
    for flavor in ("woff", "woff2"):
        save(TTFont(os.path.join(FOLDER, "shapes.ttf"), recalcTimestamp=False), f"shapes.{flavor}", flavor)
    collection = TTCollection()
    collection.fonts = [make_shapes("Pietra First"), make_shapes("Pietra Second", weight=700)]
    collection.save(os.path.join(FOLDER, "collection.ttc"))


main()
