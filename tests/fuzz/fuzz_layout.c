/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Any bytes, as a text element: its characters, the elements inside of it, and their attributes. A byte below 24 opens
 * or closes an element. One below 64 adds an attribute to the element that was just opened, with the value that the
 * next byte chooses. Other bytes are characters. */
#include "fuzz/document.h"

#include <stdio.h>

#define MOST_BYTES 3000u
#define MOST_DEPTH 40u
#define ROOM 200u /* bytes that one byte of input may give */

static const char head[] = "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='90' font-size='9'>"
                           "<path id='p' d='M0 50Q30 0 60 50T90 9'/><path id='q' d='M5 5h0'/><text id='t'>ref</text>"
                           "<linearGradient id='g'><stop/><stop offset='1' stop-color='red'/></linearGradient>"
                           "<text y='20'";
static const char tail[] = "</text></svg>";

static const char *const elements[] = {
    "tspan", "a", "textPath href='#p'", "textPath href='#q'", "tref href='#t'", "textPath path='M0 0L9 9M20 20h50'"};

static const char *const names[] = {"x",
                                    "y",
                                    "dx",
                                    "dy",
                                    "rotate",
                                    "textLength",
                                    "lengthAdjust",
                                    "font-size",
                                    "font-family",
                                    "font-weight",
                                    "font-style",
                                    "letter-spacing",
                                    "word-spacing",
                                    "text-anchor",
                                    "writing-mode",
                                    "direction",
                                    "unicode-bidi",
                                    "baseline-shift",
                                    "dominant-baseline",
                                    "alignment-baseline",
                                    "text-decoration",
                                    "white-space",
                                    "xml:space",
                                    "startOffset",
                                    "side",
                                    "fill",
                                    "stroke",
                                    "opacity",
                                    "display",
                                    "visibility",
                                    "font-variant",
                                    "text-rendering",
                                    "kerning",
                                    "xml:lang",
                                    "style",
                                    "font-size-adjust",
                                    "paint-order",
                                    "inline-size"};

static const char *const values[] = {"0",
                                     "5",
                                     "-3",
                                     "1e9",
                                     "1e-9",
                                     "1 2 3 4",
                                     "10 , -5",
                                     "50%",
                                     "2em",
                                     "spacingAndGlyphs",
                                     "Pietra Paints",
                                     "serif",
                                     "DejaVu Sans",
                                     "bold",
                                     "italic",
                                     "end",
                                     "middle",
                                     "tb",
                                     "rtl",
                                     "ltr",
                                     "embed",
                                     "bidi-override",
                                     "isolate",
                                     "isolate-override",
                                     "plaintext",
                                     "sub",
                                     "super",
                                     "hanging",
                                     "central",
                                     "text-before-edge",
                                     "underline overline",
                                     "line-through",
                                     "pre",
                                     "preserve",
                                     "nowrap",
                                     "right",
                                     "url(#g)",
                                     "none",
                                     "red",
                                     "hidden",
                                     "small-caps",
                                     "optimizeSpeed",
                                     "ja",
                                     "0.5",
                                     "text-transform:capitalize",
                                     "text-transform:uppercase",
                                     "text-orientation:upright",
                                     "stroke",
                                     "40",
                                     "white-space:pre;line-height:1.5",
                                     "white-space:pre-line;overflow-wrap:anywhere",
                                     "white-space:break-spaces;word-break:break-all",
                                     "line-break:anywhere;writing-mode:vertical-lr",
                                     "all-small-caps",
                                     "cap-height from-font"};

/* In UTF-8: letters that join, marks, digits of others, controls, emoji, and what no font has. */
static const char *const hard[] = {"a",
                                   "fi",
                                   " ",
                                   "\n",
                                   "\xd7\x90",
                                   "\xd8\xa8",
                                   "\xd9\xa0",
                                   "\xcc\x81",
                                   "\xe2\x80\x8d",
                                   "\xef\xb8\x8f",
                                   "\xef\xb8\x8e",
                                   "\xe2\x80\xaa",
                                   "\xe2\x80\xac",
                                   "\xe2\x80\xae",
                                   "\xe2\x81\xa6",
                                   "\xe2\x81\xa9",
                                   "\xf0\x9f\x98\x80",
                                   "\xf0\x9f\x87\xa9",
                                   "\xe4\xb8\xad",
                                   "\xe3\x80\x8c",
                                   "\xe0\xa4\x95\xe0\xa5\x8d",
                                   "\xe1\x84\x80",
                                   "\xc2\xad",
                                   "\xc2\xa0",
                                   "\xe2\x80\xa8",
                                   "\xee\x80\x80",
                                   "b",
                                   "c"};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct writer {
    char *out;
    size_t count;
    bool in_tag;    /* attributes may follow */
    uint64_t given; /* names that the open tag has */
    const char *open[MOST_DEPTH];
    size_t depth;
} writer;

static void end_tag(writer *writer)
{
    if (writer->in_tag)
        writer->out[writer->count++] = '>';
    writer->in_tag = false;
}

static void open_element(writer *writer, uint8_t which)
{
    end_tag(writer);
    if (writer->depth == MOST_DEPTH)
        return;
    const char *element = elements[which % COUNT(elements)];
    writer->count += (size_t)sprintf(writer->out + writer->count, "<%s", element);
    writer->open[writer->depth++] = element;
    writer->in_tag = true;
    writer->given = 0;
}

static void close_element(writer *writer)
{
    end_tag(writer);
    if (writer->depth == 0)
        return;
    const char *element = writer->open[--writer->depth];
    writer->count += (size_t)sprintf(writer->out + writer->count, "</%.*s>", (int)strcspn(element, " "), element);
}

static void add_attribute(writer *writer, uint8_t name, uint8_t value)
{
    name %= COUNT(names);
    if (!writer->in_tag || writer->given >> name & 1 || (writer->depth == 0 && name == 1))
        return;
    writer->given |= (uint64_t)1 << name;
    writer->count +=
        (size_t)sprintf(writer->out + writer->count, " %s='%s'", names[name], values[value % COUNT(values)]);
}

static void add_character(writer *writer, uint8_t which)
{
    end_tag(writer);
    writer->count += (size_t)sprintf(writer->out + writer->count, "%s", hard[which % COUNT(hard)]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    writer writer = {.in_tag = true};
    if (size > MOST_BYTES)
        return 0;
    writer.out = malloc(sizeof head + sizeof tail + ROOM * (size + MOST_DEPTH));
    if (!writer.out)
        return 0;
    writer.count = (size_t)sprintf(writer.out, "%s", head);
    for (size_t i = 0; i < size; i++) {
        const uint8_t next = i + 1 < size ? data[i + 1] : 0;
        if (data[i] >= 64)
            add_character(&writer, data[i]);
        else if (data[i] < 12)
            open_element(&writer, data[i]);
        else if (data[i] < 24)
            close_element(&writer);
        else
            add_attribute(&writer, data[i] - 24, next);
        i += data[i] >= 24 && data[i] < 64;
    }
    end_tag(&writer);
    while (writer.depth > 0)
        close_element(&writer);
    writer.count += (size_t)sprintf(writer.out + writer.count, "%s", tail);
    load_document(writer.out, writer.count, NULL);
    free(writer.out);
    return 0;
}
