/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/mask_value.h"

#include "svg/css/css_token.h"
#include "svg/style/css_gradient.h"
#include "svg/style/mask_place.h"
#include "svg/style/reference.h"

/* A layer as it is written. */
typedef struct mask_layer {
    text url;           /* all of its text; empty: there is none */
    text gradient;      /* that of a gradient */
    uint32_t mode;      /* SVG_MASK_... */
    uint32_t composite; /* SVG_COMPOSITE_..., with the layers behind it */
    bool other;         /* it has an image that is neither */
    mask_words words;   /* its place */
} mask_layer;

/* Returns whether a layer has an image that is drawn. */
static bool shows(const mask_layer *layer)
{
    return layer->url.count > 0 || layer->gradient.count > 0;
}

static bool composite_of(text word, uint32_t *composite)
{
    bool several = text_equal_ignoring_case(word, TEXT("subtract")) || text_equal_ignoring_case(word, TEXT("exclude"));
    bool intersect = text_equal_ignoring_case(word, TEXT("intersect"));
    if (!several && !intersect && !text_equal_ignoring_case(word, TEXT("add")))
        return false;
    *composite = several ? SVG_COMPOSITE_SEVERAL_WAYS : intersect ? SVG_COMPOSITE_INTERSECT : SVG_COMPOSITE_ADD;
    return true;
}

static bool is_image(text name)
{
    static const text ends[] = {TEXT_LITERAL("gradient"),   TEXT_LITERAL("image"),   TEXT_LITERAL("image-set"),
                                TEXT_LITERAL("cross-fade"), TEXT_LITERAL("element"), TEXT_LITERAL("paint")};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const size_t count = ends[i].count;
        if (name.count >= count && text_equal_ignoring_case((text){name.bytes + name.count - count, count}, ends[i]))
            return true;
    }
    return false;
}

/* Takes an image. Returns false if it is none, or the layer has one already. */
static bool take_image(mask_layer *layer, const css_token *token, text whole)
{
    const bool url =
        token->kind == CSS_URL || (token->kind == CSS_FUNCTION && text_equal_ignoring_case(token->value, TEXT("url")));
    if (shows(layer) || layer->other || (!url && !is_image(token->value)))
        return false;
    if (url)
        layer->url = whole;
    else if (css_gradient_is_known(whole))
        layer->gradient = whole;
    else
        layer->other = true;
    return true;
}

/* Takes a layer of the mask shorthand (CSS Masking 1, 4.9) and the comma behind it. False: it is not valid. */
static bool take_mask_layer(text *rest, mask_layer *layer)
{
    *layer = (mask_layer){.mode = SVG_MASK_AS_SOURCE, .composite = SVG_COMPOSITE_ADD};
    for (;;) {
        const char *begin = rest->bytes;
        css_token token = css_token_next(rest);
        if (token.kind == CSS_END || token.kind == CSS_COMMA)
            return true;
        if (token.kind == CSS_SPACE)
            continue;
        if (token.kind == CSS_FUNCTION)
            css_token_skip_block(rest, '(');
        const text whole = text_trim(text_from(begin, rest->bytes));
        const bool ident = token.kind == CSS_IDENT;
        if ((token.kind == CSS_URL || token.kind == CSS_FUNCTION) && take_image(layer, &token, whole))
            continue;
        if (ident && text_equal_ignoring_case(token.value, TEXT("alpha")))
            layer->mode = SVG_MASK_ALPHA;
        else if (ident && text_equal_ignoring_case(token.value, TEXT("luminance")))
            layer->mode = SVG_MASK_LUMINANCE;
        else if (!(ident && (composite_of(token.value, &layer->composite) ||
                             text_equal_ignoring_case(token.value, TEXT("none")) ||
                             text_equal_ignoring_case(token.value, TEXT("match-source")))) &&
                 !mask_words_take(&layer->words, whole))
            return false;
    }
}

/* What all layers of a mask have. */
typedef struct mask_layers {
    mask_layer first;   /* first layer that shows */
    uint32_t count;     /* of those that show */
    bool images;        /* one of them is an image */
    uint32_t composite; /* of all layers */
    bool other;
} mask_layers;

/* Reads all layers. False: the value is not valid. */
static bool read_mask_layers(text value, mask_layers *layers)
{
    *layers = (mask_layers){.composite = SVG_COMPOSITE_ADD};
    if (value.count == 0)
        return false;
    for (bool begun = false; value.count;) {
        mask_layer layer;
        if (!take_mask_layer(&value, &layer))
            return false;
        layers->images = layers->images || layer.gradient.count || svg_reference_leads_elsewhere(layer.url);
        layers->other = layers->other || layer.other;
        if (shows(&layer) && layers->count++ == 0)
            layers->first = layer;
        /* The last layer has none behind it with which it is composited. */
        if (value.count) {
            layers->composite =
                begun && layers->composite != layer.composite ? SVG_COMPOSITE_SEVERAL_WAYS : layer.composite;
            begun = true;
        }
    }
    return true;
}

bool svg_mask_value_is_cut(text value)
{
    mask_layers layers;
    return read_mask_layers(value, &layers) &&
           (layers.other || (layers.count > 1 && layers.composite == SVG_COMPOSITE_SEVERAL_WAYS));
}

bool svg_mask_value_is_images(text value)
{
    while (value.count) {
        mask_layer layer;
        const mask_words *words = &layer.words;
        if (!take_mask_layer(&value, &layer) || layer.mode != SVG_MASK_AS_SOURCE ||
            layer.composite != SVG_COMPOSITE_ADD ||
            words->position_count + words->size_count + words->repeat_count + words->box_count > 0)
            return false;
    }
    return true;
}

/* Adds the link of a url() that points into the document, or the address of an image. */
static bool add_url(svg_document *document, text url, svg_mask_layer *layer)
{
    text id, address;
    if (svg_reference_leads_elsewhere(url)) {
        const bool good =
            svg_reference_address(document, url, &address) && svg_document_add_text(document, address, &layer->image);
        layer->image++;
        return good;
    }
    return svg_document_add_link(document, svg_reference_scan(document, &url, &id) ? id : TEXT(""), &layer->link);
}

static svg_parsed add_layer(svg_document *document, const mask_layer *layer, uint32_t index)
{
    svg_mask_layer made = {.mode = layer->mode, .index = index};
    if (!mask_words_read(document, &layer->words, &made.place))
        return SVG_PARSED_BAD;
    if (layer->gradient.count) {
        if (!svg_document_add_text(document, layer->gradient, &made.gradient))
            return SVG_PARSED_OUT_OF_MEMORY;
        made.gradient++;
    } else if (!add_url(document, layer->url, &made)) {
        return SVG_PARSED_OUT_OF_MEMORY;
    }
    svg_mask_layer *added = array_push(&document->mask_layers);
    if (!added)
        return SVG_PARSED_OUT_OF_MEMORY;
    *added = made;
    document->stroke_boxes = document->stroke_boxes || made.gradient || made.image;
    return SVG_PARSED_GOOD;
}

/* Adds the layers that show: at most this many. */
static svg_parsed add_mask_layers(svg_document *document, text value, uint32_t most, uint32_t composite,
                                  svg_declaration *declaration)
{
    svg_parsed parsed = SVG_PARSED_GOOD;
    uint32_t count = 0;
    declaration->form = SVG_FORM_KEYWORD;
    declaration->keyword = SVG_REFERENCE_LAYERS;
    declaration->reference = (uint32_t)document->mask_layers.count;
    for (uint32_t index = 0; value.count && count < most && parsed == SVG_PARSED_GOOD; index++) {
        mask_layer layer;
        (void)take_mask_layer(&value, &layer);
        if (!shows(&layer))
            continue;
        parsed = add_layer(document, &layer, index);
        count++;
    }
    declaration->count = count << 8 | composite;
    return parsed;
}

/* Keeps all layers that show. If they are composited in several ways, it keeps only the first. */
svg_parsed svg_parse_mask(svg_document *document, text value, svg_declaration *declaration)
{
    mask_layers layers;
    if (!read_mask_layers(value, &layers))
        return SVG_PARSED_BAD;
    const bool one = layers.count > 0 && (layers.count == 1 || layers.composite == SVG_COMPOSITE_SEVERAL_WAYS);
    if (layers.images || (layers.count > 1 && !one))
        return add_mask_layers(document, value, one ? 1 : UINT32_MAX, one ? SVG_COMPOSITE_ADD : layers.composite,
                               declaration);
    svg_mask_place ignored = {.size = SVG_SIZE_GIVEN};
    if (layers.count && !mask_words_read(document, &layers.first.words, &ignored))
        return SVG_PARSED_BAD;
    svg_parsed parsed = svg_parse_reference(document,
                                            layers.count   ? layers.first.url
                                            : layers.other ? TEXT("")
                                                           : TEXT("none"),
                                            declaration);
    declaration->count = layers.count ? layers.first.mode : SVG_MASK_AS_SOURCE;
    return parsed;
}

/* Takes the next word of a list with commas. False: the list is not valid. */
static bool take_list_word(text *value, text *word)
{
    css_token token;
    *word = TEXT("");
    while (value->count) {
        token = css_token_next(value);
        if (token.kind == CSS_COMMA)
            return word->count && text_trim(*value).count;
        if (token.kind == CSS_IDENT && word->count == 0)
            *word = token.value;
        else if (token.kind != CSS_SPACE)
            return false;
    }
    return word->count;
}

svg_parsed svg_parse_mask_mode(svg_document *document, text value, svg_declaration *declaration)
{
    uint32_t modes = 0, count = 0;
    (void)document;
    do {
        text word;
        if (!take_list_word(&value, &word))
            return SVG_PARSED_BAD;
        uint32_t mode = text_equal_ignoring_case(word, TEXT("alpha"))       ? SVG_MASK_ALPHA
                        : text_equal_ignoring_case(word, TEXT("luminance")) ? SVG_MASK_LUMINANCE
                                                                            : SVG_MASK_AS_SOURCE;
        if (mode == SVG_MASK_AS_SOURCE && !text_equal_ignoring_case(word, TEXT("match-source")))
            return SVG_PARSED_BAD;
        if (count < SVG_MOST_MASK_MODES)
            modes |= mode << 2 * count++;
    } while (value.count);
    declaration->form = SVG_FORM_KEYWORD;
    declaration->keyword = (uint8_t)count;
    declaration->count = modes;
    return SVG_PARSED_GOOD;
}

svg_parsed svg_parse_mask_composite(svg_document *document, text value, svg_declaration *declaration)
{
    uint32_t all = SVG_COMPOSITE_ADD, composite;
    (void)document;
    for (bool begun = false; value.count || !begun; begun = true) {
        text word;
        if (!take_list_word(&value, &word) || !composite_of(word, &composite))
            return SVG_PARSED_BAD;
        all = begun && all != composite ? SVG_COMPOSITE_SEVERAL_WAYS : composite;
    }
    declaration->form = SVG_FORM_KEYWORD;
    declaration->keyword = (uint8_t)all;
    return SVG_PARSED_GOOD;
}
