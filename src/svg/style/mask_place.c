/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/mask_place.h"

#include "svg/css/css_token.h"
#include "svg/style/value.h"

static bool is_word(text word, const char *wanted)
{
    return text_equal_ignoring_case(word, text_of_string(wanted));
}

/* Reads a length. It needs a unit unless it is 0. */
static bool read_length(svg_document *document, text word, svg_length *length)
{
    const char last = word.count ? word.bytes[word.count - 1] : 0;
    const bool bare = last == '.' || (last >= '0' && last <= '9');
    return svg_length_parse_any(word, &document->units, length) && !(bare && length->number != 0);
}

/* ---- Positions ---- */

static bool is_across(text word)
{
    return is_word(word, "left") || is_word(word, "right");
}

static bool is_down(text word)
{
    return is_word(word, "top") || is_word(word, "bottom");
}

/* Places an image along one axis: by a word alone, or from the side that the word names. */
static bool read_side(svg_document *document, text word, text distance, bool down, svg_mask_place *place)
{
    svg_length *length = down ? &place->y : &place->x;
    const bool end = is_word(word, down ? "bottom" : "right");
    *(down ? &place->from_bottom : &place->from_right) = end;
    *length = (svg_length){is_word(word, "center") ? 50 : 0, SVG_UNIT_PERCENT};
    if (end || is_word(word, "center") || is_word(word, down ? "top" : "left"))
        return distance.count == 0 || (!is_word(word, "center") && read_length(document, distance, length));
    return distance.count == 0 && read_length(document, word, length);
}

/* Reads three or four words: sides, which may have distances behind them. */
static bool read_sides(svg_document *document, const text *words, unsigned count, svg_mask_place *place)
{
    text side[2], distance[2] = {TEXT(""), TEXT("")};
    unsigned sides = 0;
    for (unsigned i = 0; i < count; i++) {
        if (is_across(words[i]) || is_down(words[i]) || is_word(words[i], "center")) {
            if (sides == 2)
                return false;
            side[sides++] = words[i];
        } else if (sides == 0 || distance[sides - 1].count) {
            return false;
        } else {
            distance[sides - 1] = words[i];
        }
    }
    if (sides != 2)
        return false;
    const bool swapped = is_down(side[0]) || is_across(side[1]);
    return read_side(document, side[swapped], distance[swapped], false, place) &&
           read_side(document, side[!swapped], distance[!swapped], true, place);
}

static bool read_position(svg_document *document, const text *words, unsigned count, svg_mask_place *place)
{
    if (count > 2)
        return read_sides(document, words, count, place);
    const text center = TEXT("center"), second = count > 1 ? words[1] : center;
    const bool swapped = is_down(words[0]) || (count > 1 && is_across(second));
    if (swapped && count > 1 && !(is_across(second) || is_word(second, "center")))
        return false; /* a length stands behind the word of the other axis */
    if (swapped && count > 1 && !(is_down(words[0]) || is_word(words[0], "center")))
        return false;
    return read_side(document, swapped ? second : words[0], TEXT(""), false, place) &&
           read_side(document, swapped ? words[0] : second, TEXT(""), true, place);
}

/* ---- Sizes, repeats and boxes ---- */

static bool read_side_length(svg_document *document, text word, bool *given, svg_length *length)
{
    *given = !is_word(word, "auto");
    return !*given || (read_length(document, word, length) && !svg_length_is_negative(*length));
}

static bool read_size(svg_document *document, const text *words, unsigned count, svg_mask_place *place)
{
    const bool cover = is_word(words[0], "cover");
    if (cover || is_word(words[0], "contain")) {
        place->size = cover ? SVG_SIZE_COVER : SVG_SIZE_CONTAIN;
        return count == 1;
    }
    return read_side_length(document, words[0], &place->given_width, &place->width) &&
           (count == 1 || read_side_length(document, words[1], &place->given_height, &place->height));
}

static bool read_repeat_word(text word, uint8_t *repeat)
{
    static const char *const words[] = {"repeat", "no-repeat", "space", "round"};
    for (uint8_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        *repeat = i; /* as SVG_REPEAT_... */
        if (is_word(word, words[i]))
            return true;
    }
    return false;
}

static bool read_repeat(const text *words, unsigned count, svg_mask_place *place)
{
    const bool across = is_word(words[0], "repeat-x");
    if (across || is_word(words[0], "repeat-y")) {
        place->repeat_x = across ? SVG_REPEAT_TILES : SVG_REPEAT_NOT;
        place->repeat_y = across ? SVG_REPEAT_NOT : SVG_REPEAT_TILES;
        return count == 1;
    }
    return read_repeat_word(words[0], &place->repeat_x) && read_repeat_word(words[count > 1 ? 1 : 0], &place->repeat_y);
}

/* Elements of SVG have none of the boxes of CSS. The border box is the initial value of both properties, and means the
 * box with strokes to a clip, but that without them to an origin; so browsers do. */
static bool read_box(text word, uint8_t *box)
{
    static const struct {
        const char *word;
        uint8_t box;
    } words[] = {{"border-box", SVG_MASK_BOX_BORDER}, {"padding-box", SVG_MASK_BOX_FILL},
                 {"content-box", SVG_MASK_BOX_FILL},  {"fill-box", SVG_MASK_BOX_FILL},
                 {"stroke-box", SVG_MASK_BOX_STROKE}, {"view-box", SVG_MASK_BOX_VIEW},
                 {"no-clip", SVG_MASK_BOX_NONE}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        *box = words[i].box;
        if (is_word(word, words[i].word))
            return true;
    }
    return false;
}

/* One box is both that of the origin and that of the clip. `no-clip` is the clip alone. */
static bool read_boxes(const text *words, unsigned count, svg_mask_place *place)
{
    uint8_t first, second;
    if (!read_box(words[0], &first) || !read_box(words[count - 1], &second))
        return false;
    if (first == SVG_MASK_BOX_NONE) {
        place->clip = first;
        place->origin = second == SVG_MASK_BOX_NONE ? SVG_MASK_BOX_BORDER : second;
        return count == 1 || second != SVG_MASK_BOX_NONE;
    }
    place->origin = first;
    place->clip = second;
    return true;
}

/* ---- Layers ---- */

static bool add(text *words, unsigned *count, unsigned most, text word)
{
    if (*count == most)
        return false;
    words[(*count)++] = word;
    return true;
}

bool mask_words_take(mask_words *words, text word)
{
    uint8_t ignored;
    const bool size = words->slash && words->size_count < 2;
    if (text_equal(word, TEXT("/"))) {
        const bool good = words->position_count > 0 && !words->slash;
        words->slash = true;
        return good;
    }
    if (is_word(word, "repeat-x") || is_word(word, "repeat-y") || read_repeat_word(word, &ignored))
        return add(words->repeat, &words->repeat_count, 2, word);
    if (read_box(word, &ignored))
        return add(words->box, &words->box_count, 2, word);
    if (size && (is_word(word, "auto") || is_word(word, "cover") || is_word(word, "contain")))
        return add(words->size, &words->size_count, 2, word);
    const bool length =
        word.count && (svg_length_begins_function(word.bytes[0]) ? word.bytes[word.count - 1] == ')'
                                                                 : memchr("+-.0123456789", word.bytes[0], 13) != NULL);
    if (size && length)
        return add(words->size, &words->size_count, 2, word);
    if (length || is_across(word) || is_down(word) || is_word(word, "center"))
        return !words->slash && add(words->position, &words->position_count, 4, word);
    return false;
}

bool mask_words_read(svg_document *document, const mask_words *words, svg_mask_place *place)
{
    return (words->position_count == 0 || read_position(document, words->position, words->position_count, place)) &&
           (!words->slash || words->size_count > 0) &&
           (words->size_count == 0 || read_size(document, words->size, words->size_count, place)) &&
           (words->repeat_count == 0 || read_repeat(words->repeat, words->repeat_count, place)) &&
           (words->box_count == 0 || read_boxes(words->box, words->box_count, place));
}

/* ---- Properties ---- */

typedef bool read_item(svg_document *document, const text *words, unsigned count, svg_mask_place *place);

static bool read_repeat_item(svg_document *document, const text *words, unsigned count, svg_mask_place *place)
{
    (void)document;
    return count <= 2 && read_repeat(words, count, place);
}

static bool read_size_item(svg_document *document, const text *words, unsigned count, svg_mask_place *place)
{
    return count <= 2 && read_size(document, words, count, place);
}

static bool read_origin_item(svg_document *document, const text *words, unsigned count, svg_mask_place *place)
{
    (void)document;
    return count == 1 && read_box(words[0], &place->origin) && place->origin != SVG_MASK_BOX_NONE;
}

static bool read_clip_item(svg_document *document, const text *words, unsigned count, svg_mask_place *place)
{
    (void)document;
    return count == 1 && read_box(words[0], &place->clip);
}

/* Reads a list with commas, of which each item has at most four words. */
static svg_parsed read_list(svg_document *document, text value, read_item *read, svg_declaration *declaration)
{
    const size_t first = document->mask_places.count;
    bool good = value.count > 0 && value.bytes[value.count - 1] != ',';
    while (good && value.count) {
        text words[4], item = text_trim(css_take_part(&value));
        unsigned count = 0;
        while (item.count && count < 4)
            words[count++] = css_take_word(&item);
        svg_mask_place *place = array_push(&document->mask_places);
        if (!place)
            return SVG_PARSED_OUT_OF_MEMORY;
        *place = (svg_mask_place){.size = SVG_SIZE_GIVEN};
        good = count > 0 && item.count == 0 && read(document, words, count, place);
    }
    if (!good)
        document->mask_places.count = first;
    declaration->form = SVG_FORM_KEYWORD;
    declaration->reference = (uint32_t)first;
    declaration->count = (uint32_t)(document->mask_places.count - first);
    return good ? SVG_PARSED_GOOD : SVG_PARSED_BAD;
}

svg_parsed svg_parse_mask_position(svg_document *document, text value, svg_declaration *declaration)
{
    return read_list(document, value, read_position, declaration);
}

svg_parsed svg_parse_mask_size(svg_document *document, text value, svg_declaration *declaration)
{
    return read_list(document, value, read_size_item, declaration);
}

svg_parsed svg_parse_mask_repeat(svg_document *document, text value, svg_declaration *declaration)
{
    return read_list(document, value, read_repeat_item, declaration);
}

svg_parsed svg_parse_mask_origin(svg_document *document, text value, svg_declaration *declaration)
{
    return read_list(document, value, read_origin_item, declaration);
}

svg_parsed svg_parse_mask_clip(svg_document *document, text value, svg_declaration *declaration)
{
    return read_list(document, value, read_clip_item, declaration);
}
