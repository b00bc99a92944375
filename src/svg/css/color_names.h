/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The colour keywords of CSS Color 3, section 4.3, in byte order: X(name, 0xRRGGBB). */
#ifndef PIETRA_SVG_CSS_COLOR_NAMES_H
#define PIETRA_SVG_CSS_COLOR_NAMES_H

/* clang-format off */
#define SVG_COLOR_NAMES(X) \
    X("aliceblue", 0xf0f8ff) X("antiquewhite", 0xfaebd7) X("aqua", 0x00ffff) X("aquamarine", 0x7fffd4) \
    X("azure", 0xf0ffff) X("beige", 0xf5f5dc) X("bisque", 0xffe4c4) X("black", 0x000000) X("blanchedalmond", 0xffebcd) \
    X("blue", 0x0000ff) X("blueviolet", 0x8a2be2) X("brown", 0xa52a2a) X("burlywood", 0xdeb887) \
    X("cadetblue", 0x5f9ea0) X("chartreuse", 0x7fff00) X("chocolate", 0xd2691e) X("coral", 0xff7f50) \
    X("cornflowerblue", 0x6495ed) X("cornsilk", 0xfff8dc) X("crimson", 0xdc143c) X("cyan", 0x00ffff) \
    X("darkblue", 0x00008b) X("darkcyan", 0x008b8b) X("darkgoldenrod", 0xb8860b) X("darkgray", 0xa9a9a9) \
    X("darkgreen", 0x006400) X("darkgrey", 0xa9a9a9) X("darkkhaki", 0xbdb76b) X("darkmagenta", 0x8b008b) \
    X("darkolivegreen", 0x556b2f) X("darkorange", 0xff8c00) X("darkorchid", 0x9932cc) X("darkred", 0x8b0000) \
    X("darksalmon", 0xe9967a) X("darkseagreen", 0x8fbc8f) X("darkslateblue", 0x483d8b) X("darkslategray", 0x2f4f4f) \
    X("darkslategrey", 0x2f4f4f) X("darkturquoise", 0x00ced1) X("darkviolet", 0x9400d3) X("deeppink", 0xff1493) \
    X("deepskyblue", 0x00bfff) X("dimgray", 0x696969) X("dimgrey", 0x696969) X("dodgerblue", 0x1e90ff) \
    X("firebrick", 0xb22222) X("floralwhite", 0xfffaf0) X("forestgreen", 0x228b22) X("fuchsia", 0xff00ff) \
    X("gainsboro", 0xdcdcdc) X("ghostwhite", 0xf8f8ff) X("gold", 0xffd700) X("goldenrod", 0xdaa520) \
    X("gray", 0x808080) X("green", 0x008000) X("greenyellow", 0xadff2f) X("grey", 0x808080) X("honeydew", 0xf0fff0) \
    X("hotpink", 0xff69b4) X("indianred", 0xcd5c5c) X("indigo", 0x4b0082) X("ivory", 0xfffff0) X("khaki", 0xf0e68c) \
    X("lavender", 0xe6e6fa) X("lavenderblush", 0xfff0f5) X("lawngreen", 0x7cfc00) X("lemonchiffon", 0xfffacd) \
    X("lightblue", 0xadd8e6) X("lightcoral", 0xf08080) X("lightcyan", 0xe0ffff) X("lightgoldenrodyellow", 0xfafad2) \
    X("lightgray", 0xd3d3d3) X("lightgreen", 0x90ee90) X("lightgrey", 0xd3d3d3) X("lightpink", 0xffb6c1) \
    X("lightsalmon", 0xffa07a) X("lightseagreen", 0x20b2aa) X("lightskyblue", 0x87cefa) X("lightslategray", 0x778899) \
    X("lightslategrey", 0x778899) X("lightsteelblue", 0xb0c4de) X("lightyellow", 0xffffe0) X("lime", 0x00ff00) \
    X("limegreen", 0x32cd32) X("linen", 0xfaf0e6) X("magenta", 0xff00ff) X("maroon", 0x800000) \
    X("mediumaquamarine", 0x66cdaa) X("mediumblue", 0x0000cd) X("mediumorchid", 0xba55d3) X("mediumpurple", 0x9370db) \
    X("mediumseagreen", 0x3cb371) X("mediumslateblue", 0x7b68ee) X("mediumspringgreen", 0x00fa9a) \
    X("mediumturquoise", 0x48d1cc) X("mediumvioletred", 0xc71585) X("midnightblue", 0x191970) X("mintcream", 0xf5fffa) \
    X("mistyrose", 0xffe4e1) X("moccasin", 0xffe4b5) X("navajowhite", 0xffdead) X("navy", 0x000080) \
    X("oldlace", 0xfdf5e6) X("olive", 0x808000) X("olivedrab", 0x6b8e23) X("orange", 0xffa500) \
    X("orangered", 0xff4500) X("orchid", 0xda70d6) X("palegoldenrod", 0xeee8aa) X("palegreen", 0x98fb98) \
    X("paleturquoise", 0xafeeee) X("palevioletred", 0xdb7093) X("papayawhip", 0xffefd5) X("peachpuff", 0xffdab9) \
    X("peru", 0xcd853f) X("pink", 0xffc0cb) X("plum", 0xdda0dd) X("powderblue", 0xb0e0e6) X("purple", 0x800080) \
    X("rebeccapurple", 0x663399) X("red", 0xff0000) X("rosybrown", 0xbc8f8f) X("royalblue", 0x4169e1) \
    X("saddlebrown", 0x8b4513) X("salmon", 0xfa8072) X("sandybrown", 0xf4a460) X("seagreen", 0x2e8b57) \
    X("seashell", 0xfff5ee) X("sienna", 0xa0522d) X("silver", 0xc0c0c0) X("skyblue", 0x87ceeb) \
    X("slateblue", 0x6a5acd) X("slategray", 0x708090) X("slategrey", 0x708090) X("snow", 0xfffafa) \
    X("springgreen", 0x00ff7f) X("steelblue", 0x4682b4) X("tan", 0xd2b48c) X("teal", 0x008080) X("thistle", 0xd8bfd8) \
    X("tomato", 0xff6347) X("turquoise", 0x40e0d0) X("violet", 0xee82ee) X("wheat", 0xf5deb3) X("white", 0xffffff) \
    X("whitesmoke", 0xf5f5f5) X("yellow", 0xffff00) X("yellowgreen", 0x9acd32)
/* clang-format on */

#endif
