/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/mask_value.h"

#include "svg/css/css_token.h"
#include "svg/style/css_gradient.h"
#include "svg/tree/document.h"
#include "svg/style/reference.h"

typedef struct mask_layer {
    text url;           /* all of its text; empty: there is none */
    text gradient;      /* the text of a gradient */
    uint32_t mode;      /* SVG_MASK_... */
    uint32_t composite; /* SVG_COMPOSITE_..., with the layers behind it */
    bool more;          /* it has positions, sizes, boxes or the like */
    bool moves;         /* they move a gradient, or give it another size */
    bool sized;         /* a slash was read, before a size */
    bool other;         /* it has an image that is neither */
} mask_layer;

/* Returns whether a layer has an image that is drawn. */
static bool shows(const mask_layer *layer)
{
    return layer->url.count > 0 || layer->gradient.count > 0;
}

/* Returns whether a word leaves a gradient as it is, which fills its box unless something else is said: words that
 * place and repeat it, and as a size those that fill the box too. */
static bool leaves_gradient(const mask_layer *layer, const css_token *token)
{
    static const text words[] = {
        TEXT_LITERAL("border-box"), TEXT_LITERAL("stroke-box"), TEXT_LITERAL("repeat"), TEXT_LITERAL("repeat-x"),
        TEXT_LITERAL("repeat-y"),   TEXT_LITERAL("no-repeat"),  TEXT_LITERAL("space"),  TEXT_LITERAL("round"),
        TEXT_LITERAL("left"),       TEXT_LITERAL("right"),      TEXT_LITERAL("top"),    TEXT_LITERAL("bottom"),
        TEXT_LITERAL("center"),     TEXT_LITERAL("auto"),       TEXT_LITERAL("cover"),  TEXT_LITERAL("contain"),
    };
    const text value = token->value;
    for (size_t i = 0; token->kind == CSS_IDENT && i < sizeof words / sizeof words[0]; i++)
        if (text_equal_ignoring_case(value, words[i]))
            return true;
    const bool percent = token->kind == CSS_NUMBER && value.bytes[value.count - 1] == '%';
    return css_token_is(token, '/') ||
           (layer->sized ? text_equal(value, TEXT("100%")) : percent || text_equal(value, TEXT("0")));
}

static bool is_mask_word(text word)
{
    static const text words[] = {
        TEXT_LITERAL("no-clip"),  TEXT_LITERAL("border-box"), TEXT_LITERAL("padding-box"), TEXT_LITERAL("content-box"),
        TEXT_LITERAL("fill-box"), TEXT_LITERAL("stroke-box"), TEXT_LITERAL("view-box"),    TEXT_LITERAL("repeat"),
        TEXT_LITERAL("repeat-x"), TEXT_LITERAL("repeat-y"),   TEXT_LITERAL("no-repeat"),   TEXT_LITERAL("space"),
        TEXT_LITERAL("round"),    TEXT_LITERAL("left"),       TEXT_LITERAL("right"),       TEXT_LITERAL("top"),
        TEXT_LITERAL("bottom"),   TEXT_LITERAL("center"),     TEXT_LITERAL("auto"),        TEXT_LITERAL("cover"),
        TEXT_LITERAL("contain"),
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (text_equal_ignoring_case(word, words[i]))
            return true;
    return false;
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

/* Takes a part of a position, a size, a box or the like. */
static void note_place(mask_layer *layer, const css_token *token)
{
    layer->more = true;
    layer->moves = layer->moves || !leaves_gradient(layer, token);
    layer->sized = layer->sized || css_token_is(token, '/');
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
        if (token.kind == CSS_FUNCTION)
            css_token_skip_block(rest, '(');
        bool url =
            token.kind == CSS_URL || (token.kind == CSS_FUNCTION && text_equal_ignoring_case(token.value, TEXT("url")));
        text whole = text_trim(text_from(begin, rest->bytes));
        if (url && layer->url.count == 0)
            layer->url = whole;
        else if (token.kind == CSS_FUNCTION && !url && layer->gradient.count == 0 && css_gradient_is_known(whole))
            layer->gradient = whole;
        else if (token.kind == CSS_FUNCTION && !url)
            layer->other = true;
        else if (token.kind == CSS_IDENT && text_equal_ignoring_case(token.value, TEXT("alpha")))
            layer->mode = SVG_MASK_ALPHA;
        else if (token.kind == CSS_IDENT && text_equal_ignoring_case(token.value, TEXT("luminance")))
            layer->mode = SVG_MASK_LUMINANCE;
        else if (token.kind == CSS_IDENT && composite_of(token.value, &layer->composite))
            continue;
        else if (token.kind == CSS_NUMBER || css_token_is(&token, '/') ||
                 (token.kind == CSS_IDENT && is_mask_word(token.value)))
            note_place(layer, &token);
        else if (token.kind != CSS_SPACE &&
                 !(token.kind == CSS_IDENT && (text_equal_ignoring_case(token.value, TEXT("none")) ||
                                               text_equal_ignoring_case(token.value, TEXT("match-source")))))
            return false;
    }
}

/* What all layers of a mask have. */
typedef struct mask_layers {
    mask_layer first;   /* first layer that shows */
    uint32_t count;     /* layers that show */
    bool gradients;     /* one of them is a gradient */
    uint32_t composite; /* composite of all layers */
    bool more, other;
    bool elsewhere; /* a url() leads out of the document */
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
        layers->more = layers->more || (layer.more && layer.url.count) || (layer.moves && layer.gradient.count);
        layers->gradients = layers->gradients || layer.gradient.count;
        layers->other = layers->other || layer.other;
        layers->elsewhere = layers->elsewhere || svg_reference_leads_elsewhere(layer.url);
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
    return read_mask_layers(value, &layers) && (layers.more || layers.other || layers.elsewhere ||
                                                (layers.count > 1 && layers.composite == SVG_COMPOSITE_SEVERAL_WAYS));
}

bool svg_mask_longhand_is_cut(text name, text value)
{
    static const text names[] = {TEXT_LITERAL("mask-size"), TEXT_LITERAL("mask-position"), TEXT_LITERAL("mask-repeat"),
                                 TEXT_LITERAL("mask-origin"), TEXT_LITERAL("mask-clip")};
    const mask_layer layer = {.sized = text_equal(name, names[0])};
    bool known = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        known = known || text_equal(name, names[i]);
    while (known) {
        const css_token token = css_token_next(&value);
        if (token.kind == CSS_END)
            break;
        if (token.kind != CSS_SPACE && token.kind != CSS_COMMA && !leaves_gradient(&layer, &token))
            return true;
    }
    return false;
}

static svg_parsed add_layer(svg_document *document, const mask_layer *layer)
{
    uint32_t link = 0, gradient = 0;
    text url = layer->url, id;
    if (layer->url.count
            ? !svg_document_add_link(document, svg_reference_scan(document, &url, &id) ? id : TEXT(""), &link)
            : !svg_document_add_text(document, layer->gradient, &gradient))
        return SVG_PARSED_OUT_OF_MEMORY;
    svg_mask_layer *added = array_push(&document->mask_layers);
    if (!added)
        return SVG_PARSED_OUT_OF_MEMORY;
    *added = (svg_mask_layer){link, layer->url.count ? 0 : gradient + 1, layer->mode};
    document->stroke_boxes = document->stroke_boxes || layer->url.count == 0;
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
    while (value.count && count < most && parsed == SVG_PARSED_GOOD) {
        mask_layer layer;
        (void)take_mask_layer(&value, &layer);
        if (!shows(&layer))
            continue;
        parsed = add_layer(document, &layer);
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
    if (layers.gradients || (layers.count > 1 && !one))
        return add_mask_layers(document, value, one ? 1 : UINT32_MAX, one ? SVG_COMPOSITE_ADD : layers.composite,
                               declaration);
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
