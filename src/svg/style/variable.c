/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/variable.h"

#include <stdlib.h>

#include "svg/css/color.h"
#include "svg/css/css_token.h"
#include "svg/css/css_wide.h"
#include "svg/style/declaration.h"

#define DEEPEST_CHAIN 64u /* how deep properties that refer to each other, and fallbacks, may nest */

/* The progress of a custom property while a scope is made. Its own var() are replaced when it is first asked for. */
typedef enum progress { PROGRESS_RAW, PROGRESS_OPEN, PROGRESS_DONE, PROGRESS_INVALID } progress;

typedef struct pending {
    uint32_t name;
    text value;
    uint8_t progress;
    bool circular;
} pending;

typedef ARRAY(char) buffer;

typedef struct resolver {
    svg_document *document;
    uint32_t scope; /* scope of names that are not pending */
    pending *own;   /* sorted by name, as in a declaration set */
    size_t own_count;
    uint32_t open[DEEPEST_CHAIN]; /* indices into own */
    size_t depth;
} resolver;

bool svg_variable_declare(svg_document *document, text name, text value, svg_declaration *declaration)
{
    memset(declaration, 0, sizeof *declaration);
    declaration->property = SVG_CUSTOM;
    declaration->form = SVG_FORM_VARIABLE;
    declaration->reference = css_name_intern(&document->custom_names, name);
    return declaration->reference && svg_document_add_text(document, value, &declaration->count);
}

bool svg_variable_defer(svg_document *document, text value, svg_declaration *declaration)
{
    uint16_t property = declaration->property;
    memset(declaration, 0, sizeof *declaration);
    declaration->property = property;
    declaration->form = SVG_FORM_VARIABLE;
    return svg_document_add_text(document, value, &declaration->reference);
}

/* ---- Replacing ---- */

static bool append(resolver *resolver, text value, buffer *out)
{
    const uint64_t most = resolver->document->budget->most[SVG_LIMIT_value_bytes];
    if (value.count > most || out->count > most - value.count) {
        svg_budget_exceed(resolver->document->budget, SVG_LIMIT_value_bytes);
        return false;
    }
    if (!svg_budget_charge(resolver->document->budget, SVG_LIMIT_replaced_bytes, value.count))
        return false;
    if (value.count == 0)
        return true;
    char *place = array_push_many(out, value.count);
    if (place)
        memcpy(place, value.bytes, value.count);
    else
        svg_budget_lack_memory(resolver->document->budget);
    return place != NULL;
}

static bool replace(resolver *resolver, text value, unsigned nest, buffer *out);

static const svg_scope_entry *find_entry(const svg_document *document, uint32_t scope, uint32_t name)
{
    const svg_scope *found = &document->scopes.items[scope];
    size_t low = found->begin, high = low + found->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const svg_scope_entry *entry = &document->scope_entries.items[middle];
        if (entry->name == name)
            return entry;
        if (entry->name < name)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static void settle(resolver *resolver, uint32_t index)
{
    pending *own = &resolver->own[index];
    buffer out = {0};
    if (!css_has_variable(own->value)) { /* it stays as it is, whatever its length */
        own->progress = PROGRESS_DONE;
        return;
    }
    resolver->open[resolver->depth++] = index;
    own->progress = PROGRESS_OPEN;
    bool good = replace(resolver, own->value, 0, &out) && !own->circular;
    resolver->depth--;
    char *copy = good ? arena_copy(&resolver->document->arena, out.items, out.count) : NULL;
    if (good && !copy)
        svg_budget_lack_memory(resolver->document->budget);
    own->value = (text){copy, out.count};
    own->progress = copy ? PROGRESS_DONE : PROGRESS_INVALID;
    array_free(&out);
}

/* Returns the first of the pending properties whose name does not come before this one. */
static size_t find_own(const resolver *resolver, uint32_t name)
{
    size_t low = 0, high = resolver->own_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (resolver->own[middle].name < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the value of a custom property. The bytes are NULL if it has none. */
static text look_up(resolver *resolver, uint32_t name)
{
    size_t i = find_own(resolver, name);
    if (i == resolver->own_count || resolver->own[i].name != name) {
        const svg_scope_entry *entry = find_entry(resolver->document, resolver->scope, name);
        return entry ? entry->value : (text){NULL, 0};
    }
    pending *own = &resolver->own[i];
    if (own->progress == PROGRESS_OPEN) /* all properties from there on refer to each other */
        for (size_t k = resolver->depth; k-- > 0;) {
            resolver->own[resolver->open[k]].circular = true;
            if (resolver->open[k] == i)
                break;
        }
    if (own->progress == PROGRESS_RAW && resolver->depth < DEEPEST_CHAIN)
        settle(resolver, (uint32_t)i);
    return own->progress == PROGRESS_DONE ? own->value : (text){NULL, 0};
}

/* Returns the number of a name. 0: out of memory. */
static uint32_t intern_name(svg_document *document, const css_token *token)
{
    text decoded;
    uint32_t number =
        css_token_decode(token, &document->arena, &decoded) ? css_name_intern(&document->custom_names, decoded) : 0;
    if (!number)
        svg_budget_lack_memory(document->budget);
    return number;
}

/* Replaces a var(), given what stands in its parentheses. */
static bool replace_variable(resolver *resolver, text inside, unsigned nest, buffer *out)
{
    css_token name = css_token_next_part(&inside);
    if (name.kind != CSS_IDENT || !text_starts_with(name.value, TEXT("--")))
        return false;
    css_token comma = css_token_next_part(&inside);
    if (comma.kind != CSS_COMMA && comma.kind != CSS_END)
        return false;
    uint32_t number = intern_name(resolver->document, &name);
    if (!number)
        return false;
    text value = look_up(resolver, number);
    if (value.bytes)
        return append(resolver, value, out);
    return comma.kind == CSS_COMMA && nest < DEEPEST_CHAIN && replace(resolver, inside, nest + 1, out);
}

static bool replace(resolver *resolver, text value, unsigned nest, buffer *out)
{
    while (value.count) {
        css_token token = css_token_next(&value);
        if (token.kind != CSS_FUNCTION || !text_equal_ignoring_case(token.value, TEXT("var"))) {
            if (!append(resolver, token.raw, out))
                return false;
            continue;
        }
        const char *begin = value.bytes;
        css_token_skip_block(&value, '(');
        text inside = text_from(begin, value.bytes);
        if (inside.count && inside.bytes[inside.count - 1] == ')')
            inside.count--;
        if (!replace_variable(resolver, inside, nest, out))
            return false;
    }
    return true;
}

/* ---- Scopes ---- */

/* Adds a property to the scope. There is room for it. */
static void add_own(svg_document *document, const pending *own)
{
    if (own->progress == PROGRESS_DONE)
        *array_push(&document->scope_entries) = (svg_scope_entry){own->name, own->value};
}

/* Fills a scope with the parent's entries that are not declared again, and with the valid ones of its own. */
static bool fill_scope(resolver *resolver, uint32_t *index)
{
    svg_document *document = resolver->document;
    svg_scope parent = document->scopes.items[resolver->scope];
    svg_scope scope = {.begin = (uint32_t)document->scope_entries.count};
    if (document->scope_entries.count + parent.count + resolver->own_count >
        document->budget->most[SVG_LIMIT_variables]) {
        svg_budget_exceed(document->budget, SVG_LIMIT_variables);
        *index = resolver->scope;
        return true;
    }
    if (!array_reserve(&document->scope_entries, parent.count + resolver->own_count) ||
        !array_reserve(&document->scopes, 1))
        return false;
    size_t k = 0;
    for (uint32_t i = 0; i <= parent.count; i++) {
        svg_scope_entry entry = {UINT32_MAX, {NULL, 0}};
        if (i < parent.count)
            entry = document->scope_entries.items[parent.begin + i];
        for (; k < resolver->own_count && resolver->own[k].name < entry.name; k++)
            add_own(document, &resolver->own[k]);
        if (i < parent.count && (k == resolver->own_count || resolver->own[k].name != entry.name))
            *array_push(&document->scope_entries) = entry;
    }
    scope.count = (uint32_t)document->scope_entries.count - scope.begin;
    *index = (uint32_t)document->scopes.count;
    *array_push(&document->scopes) = scope;
    return true;
}

static bool make_scope(svg_document *document, uint32_t parent, uint32_t set_index, uint32_t *index)
{
    const svg_declaration_set *set = &document->sets.items[set_index];
    resolver resolver = {.document = document, .scope = parent};
    resolver.own = calloc(set->count, sizeof *resolver.own);
    if (!resolver.own)
        return false;
    for (uint32_t i = 0; i < set->count; i++) {
        const svg_declaration *declaration = &document->declarations.items[set->begin + i];
        bool custom = declaration->property == SVG_CUSTOM;
        text value = custom ? document->texts.items[declaration->count].value : TEXT("inherit");
        const css_wide wide = css_wide_of(text_trim(value));
        if (wide == CSS_WIDE_INHERIT || wide == CSS_WIDE_UNSET)
            continue;
        bool initial = wide == CSS_WIDE_INITIAL;
        bool whole = !initial && !document->texts.items[declaration->count].has_variable;
        uint8_t progress = initial ? PROGRESS_INVALID : whole ? PROGRESS_DONE : PROGRESS_RAW;
        resolver.own[resolver.own_count++] = (pending){declaration->reference, value, progress, false};
    }
    for (uint32_t i = 0; i < resolver.own_count; i++)
        if (resolver.own[i].progress == PROGRESS_RAW)
            settle(&resolver, i);
    bool good = fill_scope(&resolver, index);
    free(resolver.own);
    return good;
}

static bool have_empty_scope(svg_document *document)
{
    if (document->scopes.count)
        return true;
    svg_scope *empty = array_push(&document->scopes);
    if (empty)
        *empty = (svg_scope){0, 0};
    return empty != NULL;
}

/* Finds or makes the scope of a set that has custom properties. */
static uint32_t scope_below(svg_document *document, uint32_t parent, uint32_t set)
{
    uint32_t key[2] = {parent, set};
    uint64_t hash = hash_bytes(key, sizeof key);
    hash_walk walk = hash_find(&document->scope_table, hash);
    for (; hash_found(&walk); hash_next(&walk)) {
        const svg_scope_key *known = &document->scope_keys.items[walk.value];
        if (known->parent == parent && known->set == set)
            return known->scope;
    }
    uint32_t scope;
    if (!have_empty_scope(document) || !make_scope(document, parent, set, &scope) ||
        !array_reserve(&document->scope_keys, 1) ||
        !hash_insert(&document->scope_table, hash, (uint32_t)document->scope_keys.count)) {
        svg_budget_lack_memory(document->budget);
        return parent;
    }
    *array_push(&document->scope_keys) = (svg_scope_key){parent, set, scope};
    return scope;
}

uint32_t svg_variable_scope_of(svg_document *document, uint32_t parent, uint32_t set_index)
{
    const svg_declaration_set *set = &document->sets.items[set_index];
    /* Custom properties sort last. */
    bool declares = set->count && document->declarations.items[set->begin + set->count - 1].property == SVG_CUSTOM;
    return declares ? scope_below(document, parent, set_index) : parent;
}

bool svg_variable_replace(svg_document *document, uint32_t scope, text value, text *replaced)
{
    resolver resolver = {.document = document, .scope = scope};
    buffer out = {0};
    if (!have_empty_scope(document)) {
        svg_budget_lack_memory(document->budget);
        return false;
    }
    bool good = replace(&resolver, value, 0, &out) && !css_has_variable((text){out.items, out.count});
    text trimmed = text_trim((text){out.items, out.count});
    char *copy = good ? arena_copy(&document->arena, trimmed.bytes, trimmed.count) : NULL;
    if (good && !copy)
        svg_budget_lack_memory(document->budget);
    *replaced = (text){copy, trimmed.count};
    array_free(&out);
    return copy != NULL;
}

/* ---- Declarations ---- */

static bool is_for_color(const svg_resolved *known, const pietra_color *color)
{
    return !known->colored ||
           (known->has_color == (color != NULL) && (!color || memcmp(&known->color, color, sizeof *color) == 0));
}

/* What a declaration refers to counts too, because the same limit bounds its memory. */
static uint64_t kept_bytes(const svg_declaration *declaration)
{
    if (declaration->form == SVG_FORM_LENGTHS)
        return declaration->count * sizeof(svg_length);
    bool layers = declaration->property == SVG_MASK && declaration->form == SVG_FORM_KEYWORD &&
                  declaration->keyword == SVG_REFERENCE_LAYERS;
    return layers ? (declaration->count >> 8) * sizeof(svg_mask_layer) : 0;
}

/* Reads the replaced value with the current colour. False: out of memory. */
static bool read_resolved(svg_document *document, text value, svg_resolved *resolved)
{
    const pietra_color *color = document->current_color;
    svg_parsed parsed = css_has_variable(value) ? SVG_PARSED_BAD
                                                : svg_declaration_parse(document, (svg_name)resolved->property, value,
                                                                        &resolved->declaration);
    arena_free(&document->scratch);
    resolved->good = parsed == SVG_PARSED_GOOD;
    resolved->has_color = color != NULL;
    resolved->color = color ? *color : (pietra_color){0, 0, 0, 0};
    return parsed != SVG_PARSED_OUT_OF_MEMORY;
}

/* Resolves a declaration for the first time. False: out of memory. */
static bool make_resolved(svg_document *document, svg_resolved *resolved)
{
    resolver resolver = {.document = document, .scope = resolved->scope};
    buffer out = {0};
    bool good = replace(&resolver, document->texts.items[resolved->reference].value, 0, &out), fits = true;
    if (good) {
        text value = {out.items, out.count};
        fits = read_resolved(document, value, resolved);
        uint8_t form = resolved->declaration.form;
        bool other = resolved->good && form != SVG_FORM_PAINT && form != SVG_FORM_VARIABLE;
        resolved->colored = !other && svg_color_mentions_current(value);
        if (resolved->colored) {
            char *copy = arena_copy(&document->arena, value.bytes, value.count);
            resolved->replaced = (text){copy, value.count};
            fits = fits && copy;
        }
    }
    array_free(&out);
    if (resolved->good)
        svg_budget_charge(document->budget, SVG_LIMIT_replaced_bytes, kept_bytes(&resolved->declaration));
    return fits;
}

static svg_resolved *add_resolved(svg_document *document, const svg_resolved *key, uint64_t hash)
{
    svg_resolved made = *key;
    if (!svg_budget_charge(document->budget, SVG_LIMIT_replaced_bytes, sizeof made))
        return NULL;
    if (!make_resolved(document, &made) || !array_reserve(&document->resolutions, 1) ||
        !hash_insert(&document->resolution_table, hash, (uint32_t)document->resolutions.count)) {
        svg_budget_lack_memory(document->budget);
        return NULL;
    }
    svg_resolved *added = array_push(&document->resolutions);
    *added = made;
    return added;
}

/* Finds or makes what a declaration resolves to. NULL: out of memory, or the budget is spent. */
static svg_resolved *find_resolved(svg_document *document, const svg_resolved *key)
{
    const uint32_t numbers[4] = {key->scope, key->reference, key->file, key->property};
    uint64_t hash = hash_bytes(numbers, sizeof numbers);
    hash_walk walk = hash_find(&document->resolution_table, hash);
    for (; hash_found(&walk); hash_next(&walk)) {
        svg_resolved *known = &document->resolutions.items[walk.value];
        if (known->scope == key->scope && known->reference == key->reference && known->file == key->file &&
            known->property == key->property)
            return known;
    }
    return add_resolved(document, key, hash);
}

bool svg_variable_resolve(svg_document *document, uint32_t scope, const svg_declaration *deferred,
                          svg_declaration *declaration)
{
    const svg_resolved key = {
        .scope = scope, .reference = deferred->reference, .file = document->file, .property = deferred->property};
    svg_resolved *resolved = NULL;
    if (have_empty_scope(document))
        resolved = find_resolved(document, &key);
    else
        svg_budget_lack_memory(document->budget);
    if (resolved && !is_for_color(resolved, document->current_color)) {
        if (!svg_budget_charge(document->budget, SVG_LIMIT_replaced_bytes, resolved->replaced.count))
            return false;
        if (!read_resolved(document, resolved->replaced, resolved))
            svg_budget_lack_memory(document->budget);
    }
    if (resolved)
        *declaration = resolved->declaration;
    return resolved && resolved->good;
}
