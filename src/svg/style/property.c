#include "svg/style/property.h"

#include <stdlib.h>

#include "svg/css/css_token.h"
#include "svg/style/mask_value.h"
#include "svg/style/variable.h"

/* The functions has_... say which elements have lengths that CSS can set (SVG 2, chapter 7). */
static bool has_size(uint8_t element)
{
    return element == SVG_SVG || element == SVG_RECT || element == SVG_IMAGE || element == SVG_USE;
}

static bool has_center(uint8_t element)
{
    return element == SVG_CIRCLE || element == SVG_ELLIPSE;
}

static bool has_radius(uint8_t element)
{
    return element == SVG_CIRCLE;
}

static bool has_radii(uint8_t element)
{
    return element == SVG_ELLIPSE || element == SVG_RECT;
}

/* Whether a background has an image: a gradient, a url() and so on. */
static bool has_image(text value)
{
    static const text ends[] = {TEXT_LITERAL("gradient"),  TEXT_LITERAL("url"),        TEXT_LITERAL("image"),
                                TEXT_LITERAL("image-set"), TEXT_LITERAL("cross-fade"), TEXT_LITERAL("element")};
    for (;;) {
        css_token token = css_token_next(&value);
        if (token.kind == CSS_END || token.kind == CSS_URL)
            return token.kind == CSS_URL;
        for (size_t i = 0; token.kind == CSS_FUNCTION && i < sizeof ends / sizeof ends[0]; i++) {
            size_t count = ends[i].count;
            if (token.value.count >= count &&
                text_equal_ignoring_case((text){token.value.bytes + token.value.count - count, count}, ends[i]))
                return true;
        }
    }
}

void svg_property_warn(svg_warnings *warnings, uint32_t line, svg_name property, text value)
{
    switch (svg_property_meant(property)) {
#define LEFT_OUT_OF_VALUE(id, test, message) \
    case SVG_##id: \
        if (test(value)) \
            svg_warn(warnings, line, "%s", message); \
        break;
#include "svg/tree/property.def"
    default:
        break;
    }
}

/* Returns whether the property is kept as an attribute of the node. */
static bool is_attribute(svg_name property)
{
    switch (property) {
#define NODE_PROPERTY(id, name, kind, reader, state, note) case SVG_##id:
#define GEOMETRY(id, name, elements, automatic, negative) case SVG_##id:
#include "svg/tree/property.def"
        return true;
    default:
        return false;
    }
}

/* Reads none or path("..."). *good is false if it is neither. False: out of memory. */
static bool read_path(svg_document *document, svg_property_value *result, bool *good)
{
    text value = result->value;
    css_token token = css_token_next(&value), string = {.kind = CSS_END};
    text data = TEXT("");
    result->path = SVG_NO_PATH;
    *good = token.kind == CSS_IDENT && text_equal_ignoring_case(token.value, TEXT("none"));
    if (token.kind == CSS_FUNCTION && text_equal_ignoring_case(token.value, TEXT("path"))) {
        string = css_token_next_part(&value);
        token = css_token_next_part(&value);
        *good = string.kind == CSS_STRING && (css_token_is(&token, ')') || token.kind == CSS_END);
    }
    *good = *good && text_trim(value).count == 0;
    if (!*good || string.kind != CSS_STRING)
        return true;
    svg_path read;
    if (!css_token_decode(&string, &document->arena, &data) ||
        !svg_path_read(&document->paths, data, SVG_PATH_DATA, &read))
        return false;
    *good = !read.cut;
    return read.cut || svg_path_pool_add_read(&document->paths, &read, &result->path);
}

static bool add(const svg_property_value *value, svg_property_values *values)
{
    svg_property_value *added = array_push(values);
    if (added)
        *added = *value;
    return added != NULL;
}

/* Reads a length. In CSS it needs a unit unless it is 0. False: the value is not valid. */
static bool read_length(svg_document *document, bool may_be_automatic, bool may_be_negative, svg_property_value *result)
{
    text value = result->value;
    svg_length *length = &result->length;
    result->automatic = may_be_automatic && text_equal_ignoring_case(value, TEXT("auto"));
    if (result->automatic) { /* for shapes and images, a negative value stands for auto */
        *length = (svg_length){-1, SVG_UNIT_PX};
        return true;
    }
    char last = value.count ? value.bytes[value.count - 1] : 0;
    bool bare = (last >= '0' && last <= '9') || last == '.';
    return svg_length_parse_any(value, &document->units, length) && !(bare && length->number != 0) &&
           (!svg_length_is_negative(*length) || may_be_negative);
}

/* Reads a transform. *good is false if it is not valid. False: out of memory. */
static bool read_transform(svg_document *document, svg_property_value *result, bool *good)
{
    static const svg_metrics any = {1, 1, 1, 1, 1, 1, NULL};
    pietra_transform transform;
    double dpi = document->units.dpi;
    result->relative = !svg_transform_parse(result->value, true, dpi, NULL, &transform);
    *good = !result->relative || svg_transform_parse(result->value, true, dpi, &any, &transform);
    if (!*good || result->relative)
        return true;
    pietra_transform *added = array_push(&document->transforms);
    if (!added)
        return false;
    *added = transform;
    result->transform = (uint32_t)(document->transforms.count - 1);
    return true;
}

/* Keeps the text. It is read where it is used. */
static bool read_text(svg_document *document, svg_property_value *result, bool *good)
{
    (void)document, (void)result;
    *good = true;
    return true;
}

/* Keeps translate, rotate or scale (CSS Transforms 2, 5). */
static bool read_individual_transform(svg_document *document, svg_property_value *result, bool *good)
{
    return read_text(document, result, good);
}

/* Reads the value of an attribute, only once for all nodes that will have it. *good is false if it is not valid. False:
 * out of memory. */
static bool read_attribute(svg_document *document, svg_property_value *result, bool *good)
{
    *good = false;
    switch ((svg_name)result->declaration.property) {
#define NODE_PROPERTY(id, name, kind, reader, state, note) \
    case SVG_##id: \
        return read_##reader(document, result, good);
#define GEOMETRY(id, name, elements, automatic, negative) \
    case SVG_##id: \
        *good = read_length(document, automatic, negative, result); \
        return true;
#include "svg/tree/property.def"
    default:
        return true;
    }
}

static bool collect_deferred(svg_document *document, svg_property_value *result, text value,
                             svg_property_values *values)
{
    uint32_t index;
    result->attribute = result->deferred = true;
    if (!svg_document_add_text(document, value, &index))
        return false;
    result->value = document->texts.items[index].value;
    return add(result, values);
}

static bool collect_attribute(svg_document *document, svg_property_value *result, text value,
                              svg_property_values *values)
{
    bool good;
    if (css_has_variable(value))
        return collect_deferred(document, result, value, values);
    result->attribute = true;
    result->value = value;
    if (!read_attribute(document, result, &good))
        return false;
    if (!good)
        return true;
    char *copy = arena_copy(&document->arena, value.bytes, value.count);
    result->value.bytes = copy;
    return copy && add(result, values);
}

/* Collects the properties of the shorthand `marker`. */
static bool collect_markers(svg_document *document, text value, bool important, svg_property_values *values)
{
    static const svg_name names[3] = {SVG_MARKER_START, SVG_MARKER_MID, SVG_MARKER_END};
    for (int i = 0; i < 3; i++) {
        svg_property_value result = {.attribute = false};
        svg_parsed parsed = svg_declaration_parse(document, names[i], value, &result.declaration);
        result.declaration.important = important;
        if (parsed == SVG_PARSED_OUT_OF_MEMORY || (parsed == SVG_PARSED_GOOD && !add(&result, values)))
            return false;
    }
    return true;
}

/* Warns of properties that are not known and that may change a picture that stands still or shows that it would not. */
static void warn_of_unknown(svg_warnings *warnings, uint32_t line, text name, text value)
{
    static const text left_out[] = {
        TEXT_LITERAL("all"),         TEXT_LITERAL("animation"),          TEXT_LITERAL("animation-name"),
        TEXT_LITERAL("mask-border"), TEXT_LITERAL("backdrop-filter"),    TEXT_LITERAL("background-image"),
        TEXT_LITERAL("offset-path"), TEXT_LITERAL("mask-border-source"),
    };
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
        if (text_equal(name, left_out[i]) && !text_equal_ignoring_case(value, TEXT("none")))
            svg_warn(warnings, line, "the property %.*s is left out", TEXT_PRINT(name));
}

/* Resets what the shorthand `mask` sets beside its layers. */
static bool reset_mask(bool important, svg_property_values *values)
{
    static const svg_name names[2] = {SVG_MASK_MODE, SVG_MASK_COMPOSITE};
    for (int i = 0; i < 2; i++) {
        svg_property_value result = {
            .declaration = {.property = (uint8_t)names[i], .form = SVG_FORM_INITIAL, .important = important}};
        if (!add(&result, values))
            return false;
    }
    return true;
}

static bool collect_one(svg_document *document, svg_name name, text value, bool important, svg_property_values *values,
                        bool *good)
{
    svg_property_value result = {.attribute = false};
    const svg_parsed parsed = svg_declaration_parse(document, name, value, &result.declaration);
    result.declaration.important = important;
    *good = parsed == SVG_PARSED_GOOD;
    return parsed == SVG_PARSED_GOOD ? add(&result, values) : parsed == SVG_PARSED_BAD;
}

/* Collects the properties of the shorthand `font` (CSS Fonts 4, section 2.7): up to four words in any order, a size, a
 * line height, families. What it does not name gets its initial value. */
static bool collect_font(svg_document *document, text value, bool important, svg_property_values *values)
{
    static const svg_name words[4] = {SVG_FONT_STYLE, SVG_FONT_WEIGHT, SVG_FONT_STRETCH, SVG_FONT_VARIANT};
    static const svg_name reset[] = {SVG_FONT_STYLE,      SVG_FONT_WEIGHT,           SVG_FONT_STRETCH,
                                     SVG_FONT_VARIANT,    SVG_FONT_FEATURE_SETTINGS, SVG_FONT_KERNING,
                                     SVG_FONT_SIZE_ADJUST};
    const size_t before = values->count;
    bool good = false, size = false;
    for (size_t i = 0; i < sizeof reset / sizeof reset[0]; i++)
        if (!collect_one(document, reset[i], TEXT("initial"), important, values, &good))
            return false;
    for (int taken = 0; taken < 5 && value.count && !size; taken++) {
        text word = css_take_word(&value);
        good = text_equal_ignoring_case(word, TEXT("normal"));
        for (int i = 0; i < 4 && !good; i++)
            if (!collect_one(document, words[i], word, important, values, &good))
                return false;
        if (good)
            continue;
        const size_t slash = text_find(word, '/');
        bool height_follows = slash + 1 == word.count;
        if (!collect_one(document, SVG_FONT_SIZE, (text){word.bytes, slash}, important, values, &size))
            return false;
        if (slash == word.count && value.count && value.bytes[0] == '/')
            height_follows = css_take_word(&value).count == 1;
        if (height_follows)
            css_take_word(&value);
        break;
    }
    if (!collect_one(document, SVG_FONT_FAMILY, value, important, values, &good))
        return false;
    if (!size || !good)
        values->count = before;
    return true;
}

bool svg_property_collect(svg_document *document, svg_warnings *warnings, uint32_t line, text name, text value,
                          bool important, svg_property_values *values)
{
    svg_property_value result = {.attribute = false};
    bool custom = text_starts_with(name, TEXT("--"));
    svg_name property = custom ? SVG_CUSTOM : svg_name_find_property(name);
    if (property == SVG_UNKNOWN) {
        warn_of_unknown(warnings, line, name, value);
        return true;
    }
    svg_budget_spend(document->budget, SVG_STEP_declaration, 1);
    svg_budget_spend(document->budget, SVG_STEP_style_byte, value.count);
    if (custom) {
        if (!svg_variable_declare(document, name, value, &result.declaration))
            return false;
        result.declaration.important = important;
        return add(&result, values);
    }
    if (name.bytes[0] != '-') /* what is written for vendors' programs is not missed */
        svg_property_warn(warnings, line, property, value);
    result.declaration.property = (uint8_t)property;
    result.declaration.important = important;
    if (is_attribute(property))
        return collect_attribute(document, &result, value, values);
    if (property == SVG_MARKER)
        return collect_markers(document, value, important, values);
    if (property == SVG_FONT)
        return collect_font(document, value, important, values);
    svg_parsed parsed = svg_declaration_parse(document, property, value, &result.declaration);
    result.declaration.important = important;
    if (parsed != SVG_PARSED_GOOD)
        return parsed == SVG_PARSED_BAD;
    if ((property == SVG_MASK || property == SVG_WEBKIT_MASK) && !reset_mask(important, values))
        return false;
    return add(&result, values);
}

static bool apply_length(svg_document *document, uint32_t node, const svg_property_value *value)
{
    svg_name name = (svg_name)value->declaration.property;
    if (value->automatic && document->nodes.items[node].element == SVG_SVG) {
        svg_document_drop_attribute(document, node, name); /* a viewport without the attribute has auto */
        return true;
    }
    svg_attribute *attribute = svg_document_set_attribute(document, node, name);
    if (!attribute)
        return false;
    attribute->number = value->length.number;
    attribute->unit = (uint8_t)value->length.unit;
    return true;
}

static bool apply_path(svg_document *document, uint32_t index, const svg_property_value *value)
{
    svg_node *node = &document->nodes.items[index];
    if (node->element == SVG_PATH) {
        node->path = value->path;
        node->path_styled = true;
    }
    return true;
}

/* Returns the attribute that has the name of the property transform on an element (SVG 2, 14.2.2.1 and 14.3.2). */
static svg_name transform_of(uint8_t element)
{
    switch ((svg_name)element) {
    case SVG_LINEAR_GRADIENT:
    case SVG_RADIAL_GRADIENT:
        return SVG_GRADIENT_TRANSFORM;
    case SVG_PATTERN:
        return SVG_PATTERN_TRANSFORM;
    default:
        return SVG_TRANSFORM;
    }
}

static bool apply_transform(svg_document *document, uint32_t node, const svg_property_value *value)
{
    svg_attribute *attribute =
        svg_document_set_attribute(document, node, transform_of(document->nodes.items[node].element));
    if (!attribute)
        return false;
    attribute->unit = value->relative;
    if (value->relative) {
        attribute->bytes = value->value.bytes;
        attribute->count = (uint32_t)value->value.count;
    } else {
        attribute->transform = value->transform;
    }
    return true;
}

static bool apply_text(svg_document *document, uint32_t node, const svg_property_value *value)
{
    svg_attribute *attribute = svg_document_set_attribute(document, node, (svg_name)value->declaration.property);
    if (!attribute)
        return false;
    attribute->bytes = value->value.bytes;
    attribute->count = (uint32_t)value->value.count;
    return true;
}

static bool apply_individual_transform(svg_document *document, uint32_t node, const svg_property_value *value)
{
    document->transforms_individually = true;
    return apply_text(document, node, value);
}

static bool apply_attribute(svg_document *document, uint32_t node, const svg_property_value *value)
{
    const uint8_t element = document->nodes.items[node].element;
    switch ((svg_name)value->declaration.property) {
#define NODE_PROPERTY(id, name, kind, reader, state, note) \
    case SVG_##id: \
        return apply_##reader(document, node, value);
#define GEOMETRY(id, name, elements, automatic, negative) \
    case SVG_##id: \
        return !has_##elements(element) || apply_length(document, node, value);
#include "svg/tree/property.def"
    default:
        return true;
    }
}

/* Drops a deferred value of the last node that has any. */
static void drop_deferred(svg_document *document, uint32_t node, uint8_t property)
{
    for (size_t i = document->deferred.count; i > 0 && document->deferred.items[i - 1].node == node; i--)
        if (document->deferred.items[i - 1].property == property)
            document->deferred.items[i - 1].property = SVG_UNKNOWN;
}

static bool defer(svg_document *document, uint32_t node, const svg_property_value *value)
{
    svg_deferred *deferred = array_push(&document->deferred);
    if (deferred)
        *deferred = (svg_deferred){node, value->declaration.property, value->value};
    return deferred != NULL;
}

bool svg_property_apply(svg_document *document, uint32_t node, const svg_property_value *value, svg_cascade *cascade)
{
    if (value->attribute) {
        drop_deferred(document, node, value->declaration.property);
        return value->deferred ? defer(document, node, value) : apply_attribute(document, node, value);
    }
    svg_declaration declaration = value->declaration;
    declaration.important = 0;
    uint64_t moved = cascade->moved;
    bool good = svg_cascade_add(cascade, &declaration);
    svg_budget_spend(document->budget, SVG_STEP_moved_declaration, cascade->moved - moved);
    return good;
}

/* ---- var() ---- */

/* What became of a deferred value in a scope. */
typedef struct settled_value {
    uint32_t scope;
    uint8_t property;
    const char *raw; /* equal texts have one address */
    bool some;       /* if false, the value is invalid and so counts as unset */
    svg_property_value value;
} settled_value;

typedef struct settler {
    svg_document *document;
    ARRAY(settled_value) known;
    hash_table table;
    uint32_t *scopes; /* the scope of each node */
} settler;

/* The memory of a path counts like that of the text from which it was made. */
static bool settle_value(svg_document *document, const svg_deferred *deferred, settled_value *settled)
{
    bool good = false;
    size_t before = document->paths.arena.total_bytes;
    settled->value =
        (svg_property_value){.declaration = {.property = deferred->property}, .attribute = true, .path = SVG_NO_PATH};
    if (!svg_variable_replace(document, settled->scope, deferred->value, &settled->value.value))
        return true;
    if (!read_attribute(document, &settled->value, &good))
        return false;
    svg_budget_charge(document->budget, SVG_LIMIT_replaced_bytes, document->paths.arena.total_bytes - before);
    settled->some = good;
    return true;
}

/* Finds or makes what becomes of a value. NULL: out of memory. */
static const settled_value *find_settled(settler *settler, const svg_deferred *deferred)
{
    settled_value made = {
        .scope = settler->scopes[deferred->node], .property = deferred->property, .raw = deferred->value.bytes};
    const uintptr_t key[3] = {made.scope, made.property, (uintptr_t)made.raw};
    uint64_t hash = hash_bytes(key, sizeof key);
    hash_walk walk = hash_find(&settler->table, hash);
    for (; hash_found(&walk); hash_next(&walk)) {
        const settled_value *known = &settler->known.items[walk.value];
        if (known->scope == made.scope && known->property == made.property && known->raw == made.raw)
            return known;
    }
    svg_budget_charge(settler->document->budget, SVG_LIMIT_replaced_bytes, sizeof made);
    if (!settle_value(settler->document, deferred, &made) || !array_reserve(&settler->known, 1) ||
        !hash_insert(&settler->table, hash, (uint32_t)settler->known.count))
        return NULL;
    *array_push(&settler->known) = made;
    return array_last(&settler->known);
}

/* Drops the attribute that the property overrides on this node. */
static void drop_overruled(svg_document *document, uint32_t node, svg_name property)
{
    const uint8_t element = document->nodes.items[node].element;
    switch (property) {
    case SVG_TRANSFORM:
        svg_document_drop_attribute(document, node, transform_of(element));
        break;
#define GEOMETRY(id, name, elements, automatic, negative) \
    case SVG_##id: \
        if (has_##elements(element)) \
            svg_document_drop_attribute(document, node, property); \
        break;
#include "svg/tree/property.def"
    case SVG_D:
        break;
    default:
        svg_document_drop_attribute(document, node, property);
    }
}

/* Applies a deferred value. If it turns out invalid, the property is unset. False: out of memory. */
static bool settle(settler *settler, const svg_deferred *deferred)
{
    svg_document *document = settler->document;
    const settled_value *settled = find_settled(settler, deferred);
    svg_name property = (svg_name)deferred->property;
    if (!settled)
        return false;
    drop_overruled(document, deferred->node, property);
    return (!settled->some && property != SVG_D) || apply_attribute(document, deferred->node, &settled->value);
}

static pietra_result settle_nodes(settler *settler, uint32_t count, pietra_error *error)
{
    svg_document *document = settler->document;
    size_t next = 0;
    for (uint32_t node = 0; node < count; node++) {
        uint32_t parent = document->nodes.items[node].parent, set = document->nodes.items[node].declarations;
        settler->scopes[node] =
            svg_variable_scope_of(document, parent == SVG_NO_NODE ? 0 : settler->scopes[parent], set);
        for (; next < document->deferred.count && document->deferred.items[next].node == node; next++) {
            const svg_deferred deferred = document->deferred.items[next];
            if (deferred.property != SVG_UNKNOWN && !settle(settler, &deferred))
                return PIETRA_ERROR_MEMORY;
        }
        pietra_result result = svg_budget_check(document->budget, error, document->nodes.items[node].line);
        if (result != PIETRA_OK)
            return result;
    }
    return PIETRA_OK;
}

pietra_result svg_property_settle(svg_document *document, pietra_error *error)
{
    settler settler = {.document = document};
    if (document->deferred.count == 0)
        return PIETRA_OK;
    uint32_t count = array_last(&document->deferred)->node + 1;
    settler.scopes = malloc(count * sizeof *settler.scopes);
    pietra_result result = settler.scopes ? settle_nodes(&settler, count, error) : PIETRA_ERROR_MEMORY;
    document->deferred.count = 0;
    array_free(&settler.known);
    hash_free(&settler.table);
    free(settler.scopes);
    return result;
}
