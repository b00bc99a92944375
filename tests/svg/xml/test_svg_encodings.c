/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Packed documents, and documents in every encoding that is read. */
#include <libdeflate.h>

#include "svg/xml/builder.h"

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
    builder packed = {0}, two = {0}, blanks = {0}, bomb = {0}, long_first = {0};
    pack(document, strlen(document), &packed);
    assert_int_equal(load_silently(packed.bytes, packed.count), 1);
    for (size_t count = 2; count < packed.count; count++)
        assert_fails(packed.bytes, count, 0, "gzip");
    packed.bytes[packed.count - 6] ^= 1; /* this spoils the checksum */
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
    assert_builder_fails(&bomb, 0, "134217728 bytes after gzip is unpacked");
}

/* The same document in UTF-8, in UTF-16 of both byte orders and in Latin-1, long enough for several pieces. */
static void test_encodings(void **state)
{
    (void)state;
    const uint8_t marks[2][2] = {{0xff, 0xfe}, {0xfe, 0xff}};
    builder latin = {0}, wide;
    add(&latin, "<?xml version='1.0' encoding='ISO-8859-1'?>%s", SVG_OPEN);
    for (int i = 0; i < 20000; i++)
        add(&latin, "<g id='\xe9%d' title='a>b'>" SHAPE "</g>", i);
    add(&latin, "<use href='#\xe9"
                "7'/></svg>");
    assert_int_equal(load_silently(latin.bytes, latin.count), 20001);
    for (int order = 0; order < 2; order++) {
        wide = (builder){0};
        add_bytes(&wide, marks[order], 2);
        for (size_t i = 43; i < latin.count; i++) {
            uint8_t pair[2] = {(uint8_t)latin.bytes[i], 0};
            add_bytes(&wide, order ? (uint8_t[]){pair[1], pair[0]} : pair, 2);
        }
        assert_calls(&wide, 20001);
    }
    free(latin.bytes);
    /* Without a declaration the parser gets pieces. A '>' within an attribute may stand at the end of any of them. */
    for (size_t shift = 0; shift < 40; shift++) {
        builder plain = {0};
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
    assert_document(
        "<?xml version='1.0' encoding='windows-1252'?><svg><defs><rect id='\x80\xe9' width='1' height='1'/></defs>"
        "<use href='#\x80\xe9'/></svg>",
        rect);
    assert_document(
        "<?xml version='1.0' encoding = \"Shift_JIS\"?><svg><defs><rect id='\x93\xfa' width='1' height='1'/></defs>"
        "<use href='#\x93\xfa'/></svg>",
        rect);
    assert_document("<?xml version='1.0' encoding='latin1'?><svg>" SHAPE "</svg>", rect);
    FAILS("<?xml version='1.0' encoding='nonsense'?>\n<svg/>", 1, "the encoding nonsense is not known");
    FAILS("\n<?xml version='1.0' encoding='windows-1252'?>\n<svg>\n<g id='\x81'/></svg>", 4,
          "not in the encoding windows-1252");
    FAILS("<?xml version='1.0' encoding='us-ascii'?>\n<svg id='\xe9'/>", 2, "at byte 0xE9");
    FAILS("<?xml version='1.0' encoding='UTF-16'?>\n<svg/>", 1, "encoding");
    const char *document = "<?xml version='1.0' encoding='UTF-8'?>\n<svg>" SHAPE "\n</g></svg>";
    for (int order = 0; order < 4; order++) { /* two and four bytes a character, where another width is declared */
        size_t unit = order < 2 ? 2 : 4;
        builder wide = {0};
        for (const char *at = document; *at; at++) {
            char bytes[4] = {0};
            bytes[order % 2 ? unit - 1 : 0] = *at;
            add_bytes(&wide, bytes, unit);
        }
        assert_builder_fails(&wide, 3, "mismatched end tag: what begins in line 2");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gzip),
        cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_other_encodings),
    };
    return cmocka_run_group_tests_name("svg encodings", tests, NULL, NULL);
}
