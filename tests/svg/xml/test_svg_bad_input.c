/* Broken, hostile and huge documents: each ends soon, in a picture or in one clear error with its line. Also encodings,
 * and what is forgiven. */
#include <libdeflate.h>

#include "base/utf8.h"
#include "svg/record.h"
#include "svg/tree/warnings.h"

/* Text that grows, for documents of megabytes. */
typedef struct builder {
    char *bytes;
    size_t count, capacity;
} builder;

static void add_bytes(builder *builder, const void *bytes, size_t count)
{
    if (count > builder->capacity - builder->count) {
        builder->capacity = (builder->capacity + count) * 2;
        builder->bytes = realloc(builder->bytes, builder->capacity);
        assert_non_null(builder->bytes);
    }
    memcpy(builder->bytes + builder->count, bytes, count);
    builder->count += count;
}

static void add(builder *builder, const char *format, ...)
{
    char piece[1200];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof piece);
    add_bytes(builder, piece, (size_t)length);
}

static void add_times(builder *builder, const char *piece, size_t times)
{
    size_t length = strlen(piece);
    for (size_t i = 0; i < times; i++)
        add_bytes(builder, piece, length);
}

static void assert_builder_fails(builder *builder, uint32_t line, const char *reason)
{
    assert_fails(builder->bytes, builder->count, line, reason);
    free(builder->bytes);
}

static void assert_calls(builder *builder, size_t calls)
{
    assert_int_equal(load_silently(builder->bytes, builder->count), calls);
    free(builder->bytes);
}

#define FAILS(document, line, reason) assert_fails(document, sizeof(document) - 1, line, reason)
#define SHAPE "<rect width='1' height='1'/>"

static void test_not_svg(void **state)
{
    (void)state;
    FAILS("", 0, "empty");
    FAILS(" \n\t ", 0, "empty");
    FAILS("\xef\xbb\xbf", 0, "empty");
    FAILS("hello", 1, "malformed XML");
    FAILS("\n\n<html/>", 3, "<html>");
    FAILS("<svg xmlns='http://www.w3.org/1999/xhtml'/>", 1, "name space http://www.w3.org/1999/xhtml, not of SVG's");
    FAILS("<x:svg/>", 1, "<x:svg>, whose prefix is not declared");
    FAILS(SVG_OPEN "\n<g>\0</g></svg>", 2, "malformed XML");
    FAILS("\0\0\0\0\0\0", 1, "malformed XML");
    FAILS(SVG_OPEN "\n<text>\xff\xfe</text></svg>", 2, "UTF-8), at byte 0xFF");
    FAILS(SVG_OPEN "\n<text>a & b</text></svg>", 2, "at \"&\"");
}

static void test_truncated(void **state)
{
    (void)state;
    FAILS(SVG_OPEN "\n<g>\n", 2, "begins in line 2");
    FAILS(SVG_OPEN "\n<g width='5", 2, "malformed XML");
    FAILS(SVG_OPEN "\n</g></svg>", 2, "mismatched end tag: what begins in line 1");
    FAILS(SVG_OPEN "</svg>\n<svg/>", 2, "junk after document element at \"<svg\"");
    FAILS(SVG_OPEN "<g id='a' id='b'/></svg>", 1, "duplicate attribute at \"id\"");
    const char *document = SVG_OPEN "<g><rect width='1' height='1' fill='url(#a) red'/></g></svg>";
    for (size_t count = 1; count < strlen(document); count++)
        assert_fails(document, count, 1, "");
}

static void test_sizes(void **state)
{
    (void)state;
    FAILS("<svg width='0' height='5'/>", 1, "nothing to draw");
    FAILS("\n<svg width='1e300' height='1e308in'/>", 2, "nothing to draw");
}

static void test_forgiven(void **state)
{
    (void)state;
    const char *rect = "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n";
    assert_document("\xef\xbb\xbf \n<?xml version='1.0'?>" SVG_OPEN SHAPE "</svg>\n", rect);
    assert_document("<svg>" SHAPE "</svg>", rect);
    assert_document("<svg><defs><rect id='a' width='1' height='1'/></defs><use xlink:href='#a' inkscape:label='x'/><sodipodi:view/></svg>",
                    rect);
    assert_document("<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'><svg>" SHAPE "</svg>",
                    rect);
    assert_document("<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:rect width='1' height='1'/><rect width='2' height='2'/></s:svg>",
                    "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\nfill nonzero #000000 [] M0 0L2 0L2 2L0 2Z\n");
    assert_document("<svg><a title='a>b'>" SHAPE "</a><!-- <rect> --><![CDATA[<rect>]]></svg>", rect);
}

static void test_entities(void **state)
{
    (void)state;
    const char *rect = "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n";
    assert_document("<!DOCTYPE svg [<!ENTITY one '1'><!ENTITY shape \"<rect width='&one;' height='&#x31;'/>\">]><svg>&shape;<g>&shape;</g></svg>",
                    "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\nfill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n");
    assert_document("<!DOCTYPE svg [<!ENTITY ns 'http://www.w3.org/2000/svg'><!ENTITY st 'fill:lime'>]><svg xmlns='&ns;'>"
                    "<rect width='1' height='1' style='&st;;fill-opacity:.5'/></svg>",
                    "fill nonzero #00ff00-0.5 [] M0 0L1 0L1 1L0 1Z\n");
    assert_document("<!DOCTYPE svg [<!ATTLIST rect width CDATA '1'>]><svg><rect height='1'/></svg>", rect);
    FAILS("<svg>\n<text>&nothing;</text></svg>", 2, "undefined entity at \"&nothing;");
    FAILS("<!DOCTYPE svg [<!ENTITY a '&b;'><!ENTITY b '&a;'>]><svg><text>&a;</text></svg>", 1, "recursive entity reference at \"&a;");
}

/* Entities made of entities, one after the other, as many as the limit allows. */
static void test_entity_chains(void **state)
{
    (void)state;
    const int length = 1001;
    builder content = { 0 }, attribute = { 0 }, parameter = { 0 };
    add(&content, "<!DOCTYPE svg [<!ENTITY a0 'x'>");
    add(&parameter, "<!DOCTYPE svg [<!ENTITY %% a0 ''>");
    for (int i = 1; i < length; i++) {
        add(&content, "<!ENTITY a%d '&a%d;'>", i, i - 1);
        add(&parameter, "<!ENTITY %% a%d '&#37;a%d;'>", i, i - 1);
    }
    add(&content, "]><svg>");
    add_bytes(&attribute, content.bytes, content.count);
    add(&content, "<text>&a%d;</text>" SHAPE "</svg>", length - 1);
    add(&attribute, "<text id='&a%d;'/>" SHAPE "</svg>", length - 1);
    add(&parameter, "%%a%d;]><svg>" SHAPE "</svg>", length - 1);
    assert_calls(&content, 1);
    assert_calls(&attribute, 1);
    assert_calls(&parameter, 1);
}

static void test_parameter_entities(void **state)
{
    (void)state;
    const char *rect = "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n";
    assert_document("<!DOCTYPE svg [<!ENTITY % p \"<!ENTITY one '1'>\"> %p;]><svg><rect width='&one;' height='1'/></svg>", rect);
    assert_document("<!DOCTYPE svg [<!ENTITY % p SYSTEM 'nowhere'> %p; <!ENTITY one '1'>]><svg><rect width='&one;' height='1'/></svg>", rect);
    assert_document("<!DOCTYPE svg SYSTEM 'nowhere'><svg><text>&unknown;</text>" SHAPE "</svg>", rect);
    FAILS("<!DOCTYPE svg [<!ENTITY a '<g>'>]><svg>\n&a;</g></svg>", 2, "asynchronous entity at \"&a;\"");
    FAILS("<!DOCTYPE svg [<!ENTITY a SYSTEM 'x'>]><svg>\n<g id='&a;'/></svg>", 2, "external entity in attribute");
}

static void test_name_spaces(void **state)
{
    (void)state;
    const char *rect = "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n", *link = "<defs><rect id='a' width='1' height='1'/></defs>";
    char document[1000];
    static const char *const drawn[] = {
        "<q:use xmlns:q='http://www.w3.org/2000/svg' href='#a'/>",
        "<use xmlns:q='http://www.w3.org/1999/xlink' q:href='#a'/>",
        "<g xmlns:xlink='urn:other'><g/></g><use xlink:href='#a'/>",
        "<g xmlns:xlink='urn:other'><g xmlns:xlink='http://www.w3.org/1999/xlink'><use xlink:href='#a'/></g><use xlink:href='#a'/></g>",
        "<x xmlns='urn:other'><use href='#a'/></x><use href='#a'/>",
        "<g xmlns=''><use href='#a'/></g>",
        "<g xmlns:svg=''><svg:use href='#a'/></g>",
        "<a:b:use xmlns:a='http://www.w3.org/2000/svg' href='#a'/><use href='#a' :href='#b' href:='#b'/>",
    };
    for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++) {
        snprintf(document, sizeof document, SVG_OPEN "%s%s</svg>", link, drawn[i]);
        assert_document(document, rect);
    }
    assert_document("<!DOCTYPE svg [<!ATTLIST svg xmlns CDATA #FIXED 'http://www.w3.org/2000/svg' xmlns:s CDATA #FIXED "
                    "'http://www.w3.org/2000/svg'>]><svg><s:rect width='1' height='1'/></svg>",
                    rect);
}

/* The files that they name do not exist, so opening one would give an error. */
static void test_external_entities(void **state)
{
    (void)state;
    const char *rect = "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n";
    assert_document("<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///nowhere/at/all'>]><svg>&a;" SHAPE "</svg>", rect);
    assert_document("<!DOCTYPE svg SYSTEM 'file:///nowhere/at/all.dtd' [<!ENTITY % p SYSTEM 'file:///nowhere/at/all'> %p;]>"
                    "<svg>" SHAPE "</svg>",
                    rect);
}

static void add_bomb(builder *builder, const char *seed)
{
    add(builder, "<!DOCTYPE svg [<!ENTITY a0 \"%s\">", seed);
    for (int i = 1; i < 12; i++) {
        add(builder, "<!ENTITY a%d \"", i);
        for (int j = 0; j < 10; j++)
            add(builder, "&a%d;", i - 1);
        add(builder, "\">");
    }
    add(builder, "]>");
}

static void test_entity_bombs(void **state)
{
    (void)state;
    builder text = { 0 }, attribute = { 0 }, elements = { 0 }, square = { 0 };
    add_bomb(&text, "lol");
    add(&text, "<svg><text>&a11;</text></svg>");
    assert_builder_fails(&text, 1, "entities and a DTD's defaults expand to");
    add_bomb(&attribute, "lol");
    add(&attribute, "<svg>\n<g id='&a11;'/></svg>");
    assert_builder_fails(&attribute, 2, "entities and a DTD's defaults expand to");
    add_bomb(&elements, "<g/>");
    add(&elements, "<svg>&a11;</svg>");
    assert_builder_fails(&elements, 1, "entities and a DTD's defaults expand to");
    add(&square, "<!DOCTYPE svg [<!ENTITY a '");
    add_times(&square, "x", 50000);
    add(&square, "'>]><svg><text>");
    add_times(&square, "&a;", 50000);
    add(&square, "</text></svg>");
    assert_builder_fails(&square, 1, "entities and a DTD's defaults expand to");
}

static void add_use_bomb(builder *builder, const char *seed, int levels)
{
    add(builder, "%s<defs><g id='a0'>%s</g>\n", SVG_OPEN, seed);
    for (int i = 1; i <= levels; i++) {
        add(builder, "<g id='a%d'>", i);
        for (int j = 0; j < 10; j++)
            add(builder, "<use href='#a%d'/>", i - 1);
        add(builder, "</g>\n");
    }
    add(builder, "</defs><use href='#a%d'/></svg>", levels);
}

static void test_use_bombs(void **state)
{
    (void)state;
    builder bomb = { 0 }, empty = { 0 }, small = { 0 };
    add_use_bomb(&bomb, SHAPE, 10);
    assert_builder_fails(&bomb, 3, "steps of drawing");
    add_use_bomb(&empty, "", 10);
    assert_fails(empty.bytes, empty.count, 1, "steps of drawing");
    pietra_svg_options options = { .limits = { .steps = 100 } };
    pietra_error error;
    pietra_scene scene = { .silent = true };
    double width, height;
    assert_int_equal(pietra_scene_load_svg(&scene, empty.bytes, empty.count, &options, &error, &width, &height), PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "more than 100 steps"));
    free(empty.bytes);
    add_use_bomb(&small, SHAPE, 4);
    assert_calls(&small, 10000);
}

/* Visiting a long path takes as long as visiting many short ones. */
static void test_long_path_bombs(void **state)
{
    (void)state;
    builder bomb = { 0 };
    add(&bomb, "%s<path id='p' d='M0 0", SVG_OPEN);
    add_times(&bomb, "h1v1", 50000);
    add(&bomb, "'/>\n<g id='g'>");
    add_times(&bomb, "<use href='#p'/>", 100);
    add(&bomb, "</g>");
    add_times(&bomb, "<use href='#g'/>", 200);
    add(&bomb, "</svg>");
    assert_builder_fails(&bomb, 1, "steps of drawing");
}

static void test_clip_and_gradient_bombs(void **state)
{
    (void)state;
    builder clips = { 0 }, chain = { 0 };
    add(&clips, "%s<clipPath id='a0'>" SHAPE "</clipPath>", SVG_OPEN);
    for (int i = 1; i < 11; i++) {
        add(&clips, "<clipPath id='a%d'>", i);
        for (int j = 0; j < 10; j++)
            add(&clips, "<rect width='9' height='9' clip-path='url(#a%d)'/>", i - 1);
        add(&clips, "</clipPath>");
    }
    add(&clips, "<rect width='5' height='5' clip-path='url(#a10)'/></svg>");
    assert_builder_fails(&clips, 1, "steps of drawing");
    add(&chain, "%s<linearGradient id='a0'/>", SVG_OPEN);
    for (int i = 1; i < 20000; i++)
        add(&chain, "<linearGradient id='a%d' href='#a%d'/><rect width='9' height='9' fill='url(#a%d)'/>", i, i - 1, i);
    add(&chain, "</svg>");
    assert_builder_fails(&chain, 1, "steps of drawing");
}

static void test_deep_nests(void **state)
{
    (void)state;
    const size_t depth = 200000;
    builder plain = { 0 }, styled = { 0 }, uses = { 0 }, clipped = { 0 }, clip_chain = { 0 };
    add(&plain, SVG_OPEN);
    add_times(&plain, "<g>", depth);
    add(&plain, SHAPE);
    add_times(&plain, "</g>", depth);
    add(&plain, "</svg>");
    assert_calls(&plain, 1);
    add(&styled, SVG_OPEN);
    add_times(&styled, "<g fill='red' transform='rotate(1)'>", depth);
    add(&styled, SHAPE);
    add_times(&styled, "</g>", depth);
    add(&styled, "</svg>");
    assert_calls(&styled, 1);
    add(&uses, SVG_OPEN "<g id='a'/>");
    add_times(&uses, "<g><use href='#a'/>", depth);
    add(&uses, SHAPE);
    add_times(&uses, "</g>", depth);
    add(&uses, "</svg>");
    assert_calls(&uses, 1);
    add(&clipped, SVG_OPEN "<clipPath id='c'><circle r='9'/></clipPath>");
    add_times(&clipped, "<g clip-path='url(#c)'>", 60000);
    add(&clipped, SHAPE);
    add_times(&clipped, "</g>", 60000);
    add(&clipped, "</svg>");
    assert_calls(&clipped, 120001);
    add(&clip_chain, SVG_OPEN "<clipPath id='a0'><circle r='9'/></clipPath>");
    for (int i = 1; i < 20000; i++)
        add(&clip_chain, "<clipPath id='a%d' clip-path='url(#a%d)'><circle r='9'/></clipPath>", i, i - 1);
    add(&clip_chain, "<g clip-path='url(#a19999)'>" SHAPE "</g></svg>");
    assert_calls(&clip_chain, 40001);
}

static void test_long_attributes(void **state)
{
    (void)state;
    builder path = { 0 }, id = { 0 }, style = { 0 }, transform = { 0 };
    add(&path, SVG_OPEN "<path d='M0 0");
    add_times(&path, "L10 10", 2700000);
    add(&path, "'/></svg>");
    assert_calls(&path, 1);
    add(&id, SVG_OPEN "<g id='");
    add_times(&id, "0123456789abcdef", 1000000);
    add(&id, "'>" SHAPE "</g></svg>");
    assert_calls(&id, 1);
    add(&style, SVG_OPEN "<rect width='1' height='1' style='");
    add_times(&style, "fill:red;", 1700000);
    add(&style, "'/></svg>");
    assert_calls(&style, 1);
    add(&transform, SVG_OPEN "<rect width='1' height='1' transform='");
    add_times(&transform, "scale(1)", 2000000);
    add(&transform, "'/></svg>");
    assert_calls(&transform, 1);
}

static void test_crowded_tags(void **state)
{
    (void)state;
    builder attributes = { 0 }, spaces = { 0 }, defaults = { 0 };
    add(&attributes, SVG_OPEN "\n<g");
    for (int i = 0; i < 100000; i++)
        add(&attributes, " a%d=''", i);
    add(&attributes, "/></svg>");
    assert_builder_fails(&attributes, 2, "attributes");
    add(&spaces, SVG_OPEN);
    for (int i = 0; i < 50000; i++)
        add(&spaces, "<g xmlns:a%d='urn:%d'>", i, i);
    add_times(&spaces, "</g>", 50000);
    add(&spaces, "</svg>");
    assert_builder_fails(&spaces, 1, "name spaces");
    add(&defaults, "<!DOCTYPE svg [<!ATTLIST g");
    for (int i = 0; i < 3000; i++)
        add(&defaults, " a%d CDATA 'x'", i);
    add(&defaults, ">]>" SVG_OPEN);
    add_times(&defaults, "<g/>", 200000);
    add(&defaults, "</svg>");
    builder declared = { 0 };
    add(&declared, "<!DOCTYPE svg [\n<!ATTLIST g");
    for (int i = 0; i < 50000; i++)
        add(&declared, " a%d CDATA 'x'", i);
    add(&declared, ">]>" SVG_OPEN "<g/></svg>");
    assert_builder_fails(&declared, 2, "attributes of one element");
    assert_builder_fails(&defaults, 1, "defaults");
}

/* A number that overflows spoils its own attribute, its element, or the rest of its path. */
static void test_numbers(void **state)
{
    (void)state;
    assert_content("<rect width='NaN' height='inf'/><rect width='1e999' height='1'/><circle r='1e308' cx='1e308'/>", "");
    assert_content("<g transform='scale(1e200)'><g transform='scale(1e200)'>" SHAPE "</g></g>", "");
    assert_content("<path d='M0 0L1e999 0L1 1'/>", "");
    assert_content("<rect x='1e9' width='1e38' height='1'/>", "fill nonzero #000000 [] M1e+09 0L1e+38 0L1e+38 1L1e+09 1Z\n");
    assert_content("<line x2='1e9' stroke='red' stroke-dasharray='1e-4'/>", "stroke 1 butt miter 4 (0.0001) 0 #ff0000 [] M0 0L1e+09 0\n");
}

static void pack(const void *bytes, size_t count, builder *packed)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(1);
    size_t bound = libdeflate_gzip_compress_bound(compressor, count);
    void *member = malloc(bound);
    assert_non_null(member);
    add_bytes(packed, member, libdeflate_gzip_compress(compressor, bytes, count, member, bound));
    free(member);
    libdeflate_free_compressor(compressor);
}

static void test_gzip(void **state)
{
    (void)state;
    const char *document = SVG_OPEN SHAPE "</svg>";
    builder packed = { 0 }, two = { 0 }, blanks = { 0 }, bomb = { 0 }, long_first = { 0 };
    pack(document, strlen(document), &packed);
    assert_int_equal(load_silently(packed.bytes, packed.count), 1);
    for (size_t count = 2; count < packed.count; count++)
        assert_fails(packed.bytes, count, 0, "gzip");
    packed.bytes[packed.count - 6] ^= 1; /* of the checksum */
    assert_fails(packed.bytes, packed.count, 0, "gzip");
    free(packed.bytes);
    FAILS("\x1f\x8bjunk that is no gzip", 0, "gzip");
    pack(document, 50, &two);
    pack(document + 50, strlen(document) - 50, &two);
    assert_calls(&two, 1);
    /* The last member is the shortest, and the room for all is guessed from its size. */
    add(&blanks, "%s", SVG_OPEN SHAPE);
    add_times(&blanks, "                ", 100000);
    pack(blanks.bytes, blanks.count, &long_first);
    pack("</svg>", 6, &long_first);
    assert_calls(&long_first, 1);
    add_times(&blanks, "                ", 20000000);
    pack(blanks.bytes, blanks.count, &bomb);
    free(blanks.bytes);
    assert_builder_fails(&bomb, 0, "134217728 bytes that are unpacked");
}

/* The same document in UTF-8, in UTF-16 of both byte orders and in Latin-1, long enough for several pieces. */
static void test_encodings(void **state)
{
    (void)state;
    const unsigned char marks[2][2] = { { 0xff, 0xfe }, { 0xfe, 0xff } };
    builder latin = { 0 }, wide;
    add(&latin, "<?xml version='1.0' encoding='ISO-8859-1'?>%s", SVG_OPEN);
    for (int i = 0; i < 20000; i++)
        add(&latin, "<g id='\xe9%d' title='a>b'>" SHAPE "</g>", i);
    add(&latin, "<use href='#\xe9" "7'/></svg>");
    assert_int_equal(load_silently(latin.bytes, latin.count), 20001);
    for (int order = 0; order < 2; order++) {
        wide = (builder){ 0 };
        add_bytes(&wide, marks[order], 2);
        for (size_t i = 43; i < latin.count; i++) {
            unsigned char pair[2] = { (unsigned char)latin.bytes[i], 0 };
            add_bytes(&wide, order ? (unsigned char[]){ pair[1], pair[0] } : pair, 2);
        }
        assert_calls(&wide, 20001);
    }
    free(latin.bytes);
    /* Without a declaration the parser gets pieces. A '>' within an attribute may stand at the end of any of them. */
    for (size_t shift = 0; shift < 40; shift++) {
        builder plain = { 0 };
        add(&plain, SVG_OPEN "%*s", (int)shift, "");
        add_times(&plain, "<g title='a>b>c>d>e>f>g>h'/>" SHAPE, 4000);
        add(&plain, "</svg>");
        assert_calls(&plain, 4000);
    }
    assert_document("<svg><defs><rect id='\xc3\xa9' width='1' height='1'/></defs><use href='#\xc3\xa9'/></svg>",
                    "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n");
}

/* Encodings that the parser does not know are converted. */
static void test_other_encodings(void **state)
{
    (void)state;
    const char *rect = "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n";
    assert_document("<?xml version='1.0' encoding='windows-1252'?><svg><defs><rect id='\x80\xe9' width='1' height='1'/></defs>"
                    "<use href='#\x80\xe9'/></svg>",
                    rect);
    assert_document("<?xml version='1.0' encoding = \"Shift_JIS\"?><svg><defs><rect id='\x93\xfa' width='1' height='1'/></defs>"
                    "<use href='#\x93\xfa'/></svg>",
                    rect);
    assert_document("<?xml version='1.0' encoding='latin1'?><svg>" SHAPE "</svg>", rect);
    FAILS("<?xml version='1.0' encoding='nonsense'?>\n<svg/>", 1, "the encoding nonsense is not known");
    FAILS("\n<?xml version='1.0' encoding='windows-1252'?>\n<svg>\n<g id='\x81'/></svg>", 4, "not in the encoding windows-1252");
    FAILS("<?xml version='1.0' encoding='us-ascii'?>\n<svg id='\xe9'/>", 2, "at byte 0xE9");
    FAILS("<?xml version='1.0' encoding='UTF-16'?>\n<svg/>", 1, "encoding");
    const char *document = "<?xml version='1.0' encoding='UTF-8'?>\n<svg>" SHAPE "\n</g></svg>";
    for (int order = 0; order < 4; order++) { /* of two and four bytes, which do not match the declared one */
        size_t unit = order < 2 ? 2 : 4;
        builder wide = { 0 };
        for (const char *at = document; *at; at++) {
            char bytes[4] = { 0 };
            bytes[order % 2 ? unit - 1 : 0] = *at;
            add_bytes(&wide, bytes, unit);
        }
        assert_builder_fails(&wide, 3, "mismatched end tag: what begins in line 2");
    }
}

static void count_warning(void *user, uint32_t line, const char *message)
{
    char *log = user;
    snprintf(log + strlen(log), 1000 - strlen(log), "%u %s\n", line, message);
}

static void test_warnings(void **state)
{
    (void)state;
    static const char document[] = "<svg>\n<text/><text/>\n<foo/><foo/>\n<rect width='1' height='1' filter='url(#f)'/><g mask='url(#m)'/>\n"
                                   "<style/><image/><defs><foreignObject/></defs></svg>";
    char log[1000] = "";
    pietra_svg_options options = { .warning = count_warning, .warning_user = log };
    pietra_scene scene = { .silent = true };
    double width, height;
    assert_int_equal(pietra_scene_load_svg(&scene, document, sizeof document - 1, &options, NULL, &width, &height), PIETRA_OK);
    assert_string_equal(log, "3 <foo> is not known and left out\n2 <text> is left out\n4 filters are left out\n");
}

/* Documents in images share one amount of bytes to which entities may expand, so they cannot use it up repeatedly. */
static void test_entities_of_images(void **state)
{
    (void)state;
    builder inner = { 0 }, outer = { 0 };
    char log[1000] = "";
    pietra_svg_options options = { .warning = count_warning, .warning_user = log };
    pietra_scene scene = { .silent = true };
    add(&inner, "<!DOCTYPE svg [<!ENTITY a '%0900d'>]>" SVG_OPEN SHAPE "<desc>", 0);
    add_times(&inner, "&a;", 1000);
    add(&inner, "</desc></svg>");
    add(&outer, SVG_OPEN "<image width='9' height='9' href=\"data:image/svg+xml,");
    for (size_t i = 0; i < inner.count; i++)
        add(&outer, "%%%02x", (unsigned char)inner.bytes[i]);
    add(&outer, "\"/></svg>");
    assert_int_equal(pietra_scene_load_svg(&scene, outer.bytes, outer.count, &options, NULL, NULL, NULL), PIETRA_OK);
    assert_non_null(strstr(log, "limit \"entity_bytes\""));
    free(outer.bytes);
    assert_calls(&inner, 1);
}

static void test_warnings_of_properties(void **state)
{
    (void)state;
    static const char plain[] = "<svg><path/>\n<path style='stroke-linejoin:miter-clip;mask:url(#a) top'/>"
                                "<path mask='url(#a), url(#b)'/></svg>";
    static const char styled[] = "<svg>\n<style>path{mask:url(#a) exclude, url(#b)}</style><path style='mask:url(#a) intersect, none, url(#b)'/>\n"
                                 "<path style='mask-mode:alpha'/></svg>";
    static const char left_out[] = "of a mask places, sizes and other images are left out, and layers that are subtracted or put together in "
                                   "several ways\n";
    char log[1000] = "";
    pietra_svg_options options = { .warning = count_warning, .warning_user = log };
    pietra_scene scene = { .silent = true };
    assert_int_equal(pietra_scene_load_svg(&scene, plain, sizeof plain - 1, &options, NULL, NULL, NULL), PIETRA_OK);
    assert_true(log[0] == '2' && log[1] == ' ');
    assert_string_equal(log + 2, left_out);
    log[0] = '\0';
    assert_int_equal(pietra_scene_load_svg(&scene, styled, sizeof styled - 1, &options, NULL, NULL, NULL), PIETRA_OK);
    assert_true(log[0] == '2' && log[1] == ' ');
    assert_string_equal(log + 2, left_out);
}

static void test_warnings_of_brackets(void **state)
{
    (void)state;
    static const char *const open[] = { "a{", "a", "a{fill:rgb(0}", "@media screen{a{fill:red}", "a{fill:red}b{" };
    static const char *const closed[] = { "", "a{}", "@import 'x'", "/* {", "a{fill:rgb(0)}" };
    for (size_t i = 0; i < 10; i++) {
        char document[200], log[1000] = "";
        pietra_svg_options options = { .warning = count_warning, .warning_user = log };
        pietra_scene scene = { .silent = true };
        snprintf(document, sizeof document, "<svg><style>%s</style></svg>", i < 5 ? open[i] : closed[i - 5]);
        assert_int_equal(pietra_scene_load_svg(&scene, document, strlen(document), &options, NULL, NULL, NULL), PIETRA_OK);
        if ((strstr(log, "a bracket is not closed") != NULL) != (i < 5))
            fail_msg("%s: %s", document, log);
    }
}

static void test_warnings_are_one_line(void **state)
{
    (void)state;
    static const char document[] = "<svg><style>rect\n!x{fill:red}</style><rect width='1' height='1'/></svg>";
    char log[1000] = "";
    pietra_svg_options options = { .warning = count_warning, .warning_user = log };
    pietra_scene scene = { .silent = true };
    assert_int_equal(pietra_scene_load_svg(&scene, document, sizeof document - 1, &options, NULL, NULL, NULL), PIETRA_OK);
    assert_ptr_equal(strchr(log, '\n'), log + strlen(log) - 1);
}

static void test_warnings_harm_no_terminal(void **state)
{
    (void)state;
    static const char document[] = "<svg><style>!\xc2\x9b\xe2\x80\xae\x7f{fill:red}</style><rect width='1' height='1'/></svg>";
    char log[1000] = "";
    pietra_svg_options options = { .warning = count_warning, .warning_user = log };
    pietra_scene scene = { .silent = true };
    assert_int_equal(pietra_scene_load_svg(&scene, document, sizeof document - 1, &options, NULL, NULL, NULL), PIETRA_OK);
    assert_string_equal(log, "1 the rules of a selector that is not understood are left out: !   \n");
}

/* Characters of two to four bytes are reported whole or not at all, wherever the end falls in them. */
static void test_warnings_end_in_whole_characters(void **state)
{
    (void)state;
    static const char *const characters[] = { "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80" };
    for (size_t i = 0; i < 12; i++) {
        char long_name[400] = "abcd", log[1000] = "";
        svg_warnings warnings = { .function = count_warning, .user = log };
        long_name[i % 4] = '\0';
        while (strlen(long_name) < 300)
            strcat(long_name, characters[i / 4]);
        svg_warn(&warnings, 7, "%s", long_name);
        size_t told = strlen(log) - 3; /* without the line, a blank and a line feed */
        assert_in_range(told, 196, 199);
        assert_memory_equal(log + 2, long_name, told);
        assert_true(utf8_is_valid(long_name, told));
        svg_warnings_free(&warnings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_svg),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_forgiven),
        cmocka_unit_test(test_entities),
        cmocka_unit_test(test_external_entities),
        cmocka_unit_test(test_entity_chains),
        cmocka_unit_test(test_parameter_entities),
        cmocka_unit_test(test_name_spaces),
        cmocka_unit_test(test_entity_bombs),
        cmocka_unit_test(test_use_bombs), cmocka_unit_test(test_long_path_bombs),
        cmocka_unit_test(test_clip_and_gradient_bombs),
        cmocka_unit_test(test_deep_nests),
        cmocka_unit_test(test_long_attributes),
        cmocka_unit_test(test_crowded_tags),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_gzip),
        cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_other_encodings),
        cmocka_unit_test(test_entities_of_images),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_warnings_of_properties), cmocka_unit_test(test_warnings_of_brackets),
        cmocka_unit_test(test_warnings_are_one_line), cmocka_unit_test(test_warnings_harm_no_terminal),
        cmocka_unit_test(test_warnings_end_in_whole_characters),
    };
    return cmocka_run_group_tests_name("svg bad input", tests, NULL, NULL);
}
