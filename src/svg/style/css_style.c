/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/css_style.h"

#include <stdlib.h>

#include "base/error.h"
#include "svg/style/cascade.h"

#define SORT_STEPS 4u /* for each rule found, to sort it */

static css_element *last_element(css_style *style)
{
    return array_last(&style->tree.elements);
}

bool css_style_add_element(css_style *style, const svg_document *document, text local_name, text foreign_space)
{
    css_tree *tree = &style->tree;
    uint32_t node = (uint32_t)document->nodes.count - 1, parent = document->nodes.items[node].parent;
    css_element *element = array_push(&tree->elements);
    if (!element)
        return false;
    *element = (css_element){
        .type = css_name_intern(&tree->names, local_name),
        .class_begin = (uint32_t)tree->classes.count,
        .attribute_begin = (uint32_t)tree->attributes.count,
        .previous = SVG_NO_NODE,
        .last_child = SVG_NO_NODE,
        .position = 1,
    };
    if (document->nodes.items[node].element == SVG_FOREIGN)
        element->space = foreign_space.count ? css_name_intern(&tree->names, foreign_space) : CSS_NO_SPACE;
    if (parent != SVG_NO_NODE) {
        element->language = css_tree_element(tree, parent)->language;
        uint32_t *last = &css_tree_element(tree, parent)->last_child;
        element->previous = *last;
        *last = node;
        if (element->previous != SVG_NO_NODE)
            element->position = css_tree_element(tree, element->previous)->position + 1;
    }
    return element->type != 0 && (element->space || document->nodes.items[node].element != SVG_FOREIGN);
}

static int compare_names(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void sort_classes(css_style *style)
{
    css_element *element = last_element(style);
    uint32_t *classes = style->tree.classes.items + element->class_begin, kept = 0;
    if (element->class_count < 2)
        return;
    qsort(classes, element->class_count, sizeof *classes, compare_names);
    for (uint32_t i = 0; i < element->class_count; i++)
        if (kept == 0 || classes[kept - 1] != classes[i])
            classes[kept++] = classes[i];
    style->tree.classes.count -= element->class_count - kept;
    element->class_count = kept;
}

static bool add_classes(css_style *style, text list)
{
    while (list.count) {
        size_t begin = 0, end;
        while (begin < list.count && text_is_space(list.bytes[begin]))
            begin++;
        for (end = begin; end < list.count && !text_is_space(list.bytes[end]);)
            end++;
        if (end > begin) {
            uint32_t *name = array_push(&style->tree.classes);
            if (!name)
                return false;
            *name = css_name_intern(&style->tree.names, (text){list.bytes + begin, end - begin});
            if (!*name)
                return false;
            last_element(style)->class_count++;
        }
        list = text_from(list.bytes + end, list.bytes + list.count);
    }
    sort_classes(style);
    return true;
}

bool css_style_add_attribute(css_style *style, text name, bool prefixed, text value)
{
    css_tree *tree = &style->tree;
    css_attribute *attribute = array_push(&tree->attributes);
    if (!attribute)
        return false;
    char *copy = arena_copy(&tree->names.arena, value.bytes, value.count);
    uint32_t interned = css_name_intern(&tree->names, name);
    *attribute = (css_attribute){interned | (prefixed ? CSS_PREFIXED : 0), {copy, value.count}};
    last_element(style)->attribute_count++;
    if (!copy || !interned)
        return false;
    if (!prefixed && text_equal(name, TEXT("class")))
        return add_classes(style, value);
    if (!prefixed && text_equal(name, TEXT("id")) && value.count) {
        last_element(style)->id = css_name_intern(&tree->names, value);
        return last_element(style)->id != 0;
    }
    return true;
}

bool css_style_set_language(css_style *style, text language, bool by_xml)
{
    css_element *element = last_element(style);
    if (element->has_xml_lang && !by_xml)
        return true;
    element->has_xml_lang = by_xml;
    element->language = css_name_intern(&style->tree.names, text_trim(language));
    return element->language != 0;
}

bool css_style_add_declarations(css_style *style, text list)
{
    char *copy = arena_copy(&style->tree.names.arena, list.bytes, list.count);
    last_element(style)->style = (text){copy, list.count};
    return copy != NULL;
}

bool css_style_add_text(css_style *style, text piece, uint32_t line)
{
    if (style->text.count == 0 || line != style->next_line) {
        css_line_mark *mark = array_push(&style->marks);
        if (!mark)
            return false;
        *mark = (css_line_mark){style->text.count, line};
    }
    char *place = array_push_many(&style->text, piece.count);
    if (!place)
        return false;
    memcpy(place, piece.bytes, piece.count);
    style->next_line = line + (uint32_t)text_count(piece, '\n');
    return true;
}

bool css_style_end_sheet(css_style *style, uint32_t line, css_origin origin)
{
    char *copy = arena_copy(&style->tree.names.arena, style->text.items, style->text.count);
    css_sheet_text *added = array_push(&style->texts);
    if (!copy || !added)
        return false;
    *added = (css_sheet_text){copy,  style->text.count, line, style->first_mark, style->marks.count - style->first_mark,
                              origin};
    style->first_mark = style->marks.count;
    style->text.count = 0;
    return true;
}

/* ---- Matching ---- */

typedef struct found_rule {
    uint32_t rank; /* rank of its layer */
    uint32_t specificity, order, block;
} found_rule;

/* Rules by the key of their rightmost compound. Those of one key are chained in their order. */
typedef struct rule_index {
    uint32_t *next;                  /* for each rule; SVG_NO_NODE: it is the last one */
    uint32_t *first[CSS_KEY_ID + 1]; /* first rule, by kind of key, then by name */
    uint32_t *above;                 /* how many ancestors of the current node have each name */
} rule_index;

typedef struct matcher {
    css_sheets *sheets;
    svg_document *document;
    css_style *style;
    rule_index index;
    ARRAY(found_rule) found;
    ARRAY(uint32_t) ancestors;
    svg_cascade cascade;
    svg_property_values own; /* those of the style attribute */
    uint32_t line;           /* line of the current element */
    bool is_foreign;         /* the current element is of another name space, and not drawn */
} matcher;

static bool build_index(matcher *matcher)
{
    const css_sheets *sheets = matcher->sheets;
    size_t names = matcher->style->tree.names.items.count + 1, rules = sheets->rules.count;
    rule_index *index = &matcher->index;
    index->next = malloc((rules + 1) * sizeof(uint32_t));
    index->above = calloc(names, sizeof(uint32_t));
    if (!index->next || !index->above)
        return false;
    for (int kind = CSS_KEY_ANY; kind <= CSS_KEY_ID; kind++) {
        index->first[kind] = malloc(names * sizeof(uint32_t));
        if (!index->first[kind])
            return false;
        memset(index->first[kind], 0xff, names * sizeof(uint32_t));
    }
    for (size_t i = rules; i-- > 0;) {
        const css_selector *selector = sheets->rules.items[i].selector;
        uint32_t *first = &index->first[selector->key_kind][selector->key];
        index->next[i] = *first;
        *first = (uint32_t)i;
    }
    return true;
}

/* Adds `change` to the counts of an element's names among the ancestors. */
static void count_names(matcher *matcher, uint32_t node, uint32_t change)
{
    const css_tree *tree = &matcher->style->tree;
    const css_element *element = css_tree_element(tree, node);
    uint32_t *above = matcher->index.above;
    above[element->type] += change;
    above[element->id] += change;
    for (uint32_t i = 0; i < element->class_count; i++)
        above[tree->classes.items[element->class_begin + i]] += change;
}

static void enter(matcher *matcher, uint32_t node)
{
    uint32_t parent = matcher->document->nodes.items[node].parent;
    while (matcher->ancestors.count && *array_last(&matcher->ancestors) != parent)
        count_names(matcher, matcher->ancestors.items[--matcher->ancestors.count], UINT32_MAX);
}

static bool leave(matcher *matcher, uint32_t node)
{
    if (matcher->document->nodes.items[node].end == node + 1)
        return true;
    uint32_t *place = array_push(&matcher->ancestors);
    if (place) {
        *place = node;
        count_names(matcher, node, 1);
    }
    return place != NULL;
}

static bool match_chain(matcher *matcher, uint32_t first, uint32_t node)
{
    css_tree *tree = &matcher->style->tree;
    for (uint32_t i = first; i != SVG_NO_NODE && !css_tree_is_spent(tree); i = matcher->index.next[i]) {
        const css_rule *rule = &matcher->sheets->rules.items[i];
        const css_selector *selector = rule->selector;
        bool possible = true;
        tree->steps++;
        for (unsigned k = 0; k < selector->required_count; k++)
            possible = possible && matcher->index.above[selector->required[k]] > 0;
        if (!possible || !css_selector_match(tree, selector, node))
            continue;
        found_rule *found = array_push(&matcher->found);
        if (!found)
            return false;
        const css_layer *layer = &matcher->sheets->layers.items.items[matcher->sheets->blocks.items[rule->block].layer];
        *found = (found_rule){layer->rank, selector->specificity, rule->order, rule->block};
    }
    return true;
}

static int compare_found(const void *a, const void *b)
{
    const found_rule *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->specificity != y->specificity)
        return x->specificity < y->specificity ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Finds the rules that match a node, and sorts the weakest first. */
static bool find_rules(matcher *matcher, uint32_t node)
{
    const css_tree *tree = &matcher->style->tree;
    const css_element *element = css_tree_element(tree, node);
    uint32_t **first = matcher->index.first;
    matcher->found.count = 0;
    bool good = match_chain(matcher, first[CSS_KEY_ANY][0], node) &&
                match_chain(matcher, first[CSS_KEY_TYPE][element->type], node) &&
                (element->id == 0 || match_chain(matcher, first[CSS_KEY_ID][element->id], node));
    for (uint32_t i = 0; good && i < element->class_count; i++)
        good = match_chain(matcher, first[CSS_KEY_CLASS][tree->classes.items[element->class_begin + i]], node);
    if (matcher->found.count > 1) {
        matcher->style->tree.steps += SORT_STEPS * matcher->found.count;
        qsort(matcher->found.items, matcher->found.count, sizeof(found_rule), compare_found);
    }
    return good;
}

/* ---- The cascade ---- */

static bool apply_values(matcher *matcher, uint32_t node, const svg_property_value *values, size_t count,
                         bool important)
{
    for (size_t i = 0; i < count; i++) {
        matcher->style->tree.steps++;
        if (!!values[i].declaration.important == important &&
            !svg_property_apply(matcher->document, node, &values[i], &matcher->cascade))
            return false;
    }
    return true;
}

/* Applies the rules that were found, from `begin` to `end`. */
static bool apply_rules(matcher *matcher, uint32_t node, size_t begin, size_t end, bool important)
{
    const css_sheets *sheets = matcher->sheets;
    bool good = true;
    for (size_t i = begin; i < end && good && !css_tree_is_spent(&matcher->style->tree); i++) {
        const css_block *block = &sheets->blocks.items[matcher->found.items[i].block];
        good = apply_values(matcher, node, sheets->values.items + block->begin, block->count, important);
    }
    return good;
}

/* Applies what is important. There the layers count the other way around. */
static bool apply_important(matcher *matcher, uint32_t node)
{
    const found_rule *found = matcher->found.items;
    bool good = true;
    for (size_t end = matcher->found.count, begin; end > 0 && good; end = begin) {
        for (begin = end - 1; begin > 0 && found[begin - 1].rank == found[end - 1].rank;)
            begin--;
        good = apply_rules(matcher, node, begin, end, true);
    }
    return good;
}

static bool collect_own(void *user, text name, text value, bool important)
{
    matcher *matcher = user;
    svg_warnings silent = {0};
    return svg_property_collect(matcher->document, matcher->is_foreign ? &silent : matcher->sheets->warnings,
                                matcher->line, name, value, important, &matcher->own);
}

static bool style_node(matcher *matcher, uint32_t node)
{
    svg_document *document = matcher->document;
    text own = css_tree_element(&matcher->style->tree, node)->style;
    enter(matcher, node);
    bool good = find_rules(matcher, node) && leave(matcher, node);
    if (!good || (matcher->found.count == 0 && own.count == 0))
        return good;
    matcher->cascade.declarations.count = matcher->own.count = 0;
    const svg_declaration_set set = document->sets.items[document->nodes.items[node].declarations];
    svg_declaration *base = array_push_many(&matcher->cascade.declarations, set.count);
    if (!base && set.count)
        return false;
    if (set.count)
        memcpy(base, document->declarations.items + set.begin, set.count * sizeof *base);
    matcher->line = document->nodes.items[node].line;
    matcher->is_foreign = document->nodes.items[node].element == SVG_FOREIGN;
    good = svg_declaration_list_walk(own, collect_own, matcher);
    good = good && apply_rules(matcher, node, 0, matcher->found.count, false) &&
           apply_values(matcher, node, matcher->own.items, matcher->own.count, false) &&
           apply_important(matcher, node) && apply_values(matcher, node, matcher->own.items, matcher->own.count, true);
    return good && svg_document_add_set(document, matcher->cascade.declarations.items,
                                        matcher->cascade.declarations.count, &document->nodes.items[node].declarations);
}

static void free_matcher(matcher *matcher)
{
    free(matcher->index.next);
    free(matcher->index.above);
    for (int kind = CSS_KEY_ANY; kind <= CSS_KEY_ID; kind++)
        free(matcher->index.first[kind]);
    array_free(&matcher->found);
    array_free(&matcher->ancestors);
    array_free(&matcher->cascade.declarations);
    array_free(&matcher->own);
}

pietra_result css_style_apply(css_style *style, svg_document *document, const css_medium *medium, css_importer importer,
                              svg_warnings *warnings, pietra_error *error)
{
    style->tree.document = document;
    css_sheets sheets = {
        .document = document, .tree = &style->tree, .warnings = warnings, .medium = *medium, .importer = importer};
    matcher matcher = {.sheets = &sheets, .document = document, .style = style};
    bool good = css_layers_begin(&sheets.layers);
    uint32_t line = 0;
    style->tree.most_steps = svg_budget_affordable(document->budget, SVG_LIMIT_selector_steps);
    for (size_t i = 0; i < style->texts.count && good && !document->budget->is_exceeded; i++) {
        line = style->texts.items[i].line;
        good = css_sheet_add(&sheets, &style->texts.items[i], style->marks.items);
    }
    if (good)
        css_layers_rank(&sheets.layers);
    good = good && build_index(&matcher);
    for (uint32_t node = style->tree.first_node; good && node < document->nodes.count; node++) {
        if (css_tree_is_spent(&style->tree) || document->budget->is_exceeded)
            break;
        line = document->nodes.items[node].line;
        good = style_node(&matcher, node);
    }
    free_matcher(&matcher);
    css_sheets_free(&sheets);
    pietra_result result = good ? svg_budget_check(document->budget, error, line) : PIETRA_ERROR_MEMORY;
    if (result != PIETRA_OK)
        return result;
    if (!svg_budget_take(document->budget, SVG_LIMIT_selector_steps, style->tree.steps))
        return svg_budget_error(document->budget, document->budget->refused, error, line);
    return PIETRA_OK;
}

void css_style_free(css_style *style)
{
    css_names_free(&style->tree.names);
    css_places_free(&style->tree);
    free(style->tree.type_counts);
    array_free(&style->tree.elements);
    array_free(&style->tree.classes);
    array_free(&style->tree.attributes);
    array_free(&style->text);
    array_free(&style->marks);
    array_free(&style->texts);
}
