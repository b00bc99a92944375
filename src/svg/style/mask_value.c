#include "svg/style/mask_value.h"

#include "svg/css/css_token.h"
#include "svg/tree/document.h"
#include "svg/style/reference.h"

typedef struct mask_layer {
    text url;           /* all of its text; empty: there is none */
    uint32_t mode;      /* SVG_MASK_... */
    uint32_t composite; /* SVG_COMPOSITE_..., with the layers behind it */
    bool more;          /* it has positions, sizes, boxes or the like */
    bool other;         /* it has an image that is no url() */
} mask_layer;

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
        if (url && layer->url.count == 0)
            layer->url = text_from(begin, rest->bytes);
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
            layer->more = true;
        else if (token.kind != CSS_SPACE &&
                 !(token.kind == CSS_IDENT && (text_equal_ignoring_case(token.value, TEXT("none")) ||
                                               text_equal_ignoring_case(token.value, TEXT("match-source")))))
            return false;
    }
}

/* What all layers of a mask have. */
typedef struct mask_layers {
    mask_layer first; /* first layer with a url() */
    uint32_t urls;
    uint32_t composite; /* of all layers */
    bool more, other;
    bool elsewhere; /* a url() leads out of the document */
} mask_layers;

static bool leads_elsewhere(text url)
{
    if (url.count == 0)
        return false;
    const char *end = url.bytes + url.count, *at = memchr(url.bytes, '(', url.count);
    at = text_skip_space(at ? at + 1 : end, end);
    if (at < end && (*at == '"' || *at == '\''))
        at = text_skip_space(at + 1, end);
    return at < end && *at != '#';
}

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
        layers->more = layers->more || (layer.more && layer.url.count);
        layers->other = layers->other || layer.other;
        layers->elsewhere = layers->elsewhere || leads_elsewhere(layer.url);
        if (layer.url.count && layers->urls++ == 0)
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
                                                (layers.urls > 1 && layers.composite == SVG_COMPOSITE_SEVERAL_WAYS));
}

/* Adds the layers with a url(), of which there are several. */
static svg_parsed add_mask_layers(svg_document *document, text value, const mask_layers *layers,
                                  svg_declaration *declaration)
{
    declaration->form = SVG_FORM_KEYWORD;
    declaration->keyword = SVG_REFERENCE_LAYERS;
    declaration->reference = (uint32_t)document->mask_layers.count;
    declaration->count = layers->urls << 8 | layers->composite;
    while (value.count) {
        mask_layer layer;
        text id;
        (void)take_mask_layer(&value, &layer);
        if (layer.url.count == 0)
            continue;
        svg_mask_layer *added = array_push(&document->mask_layers);
        if (!added)
            return SVG_PARSED_OUT_OF_MEMORY;
        added->mode = layer.mode;
        if (!svg_document_add_link(document, svg_reference_scan(document, &layer.url, &id) ? id : TEXT(""),
                                   &added->link))
            return SVG_PARSED_OUT_OF_MEMORY;
    }
    return SVG_PARSED_GOOD;
}

/* Keeps all layers with a url(). If they are composited in several ways, it keeps only the first. */
svg_parsed svg_parse_mask(svg_document *document, text value, svg_declaration *declaration)
{
    mask_layers layers;
    if (!read_mask_layers(value, &layers))
        return SVG_PARSED_BAD;
    if (layers.urls > 1 && layers.composite != SVG_COMPOSITE_SEVERAL_WAYS)
        return add_mask_layers(document, value, &layers, declaration);
    svg_parsed parsed = svg_parse_reference(document,
                                            layers.urls    ? layers.first.url
                                            : layers.other ? TEXT("")
                                                           : TEXT("none"),
                                            declaration);
    declaration->count = layers.urls ? layers.first.mode : SVG_MASK_AS_SOURCE;
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
