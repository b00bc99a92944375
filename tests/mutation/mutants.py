# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where a line of the sources can be changed, and into what."""
import collections
import os
import random
import re

SOURCES = (".c", ".h", ".comp", ".glsl")
ROOTS = ("src", "tools/render", "shaders")

Mutant = collections.namedtuple("Mutant", "path line before after kind")

OPERAND = r"(?:\w+(?:(?:\.|->)\w+)*)"
SIGNS = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<"}
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
LOGIC = {"&&": "||", "||": "&&"}
CHOICES = {"min": "max", "max": "min", "fmin": "fmax", "fmax": "fmin", "true": "false", "false": "true"}

# Stands in a change for the text that it replaces, whose literals are blank in the code.
AS_IT_IS = "\0"


def as_spaces(match):
    return re.sub(r"[^\n]", " ", match[0])


def blank(text):
    """The text with comments and literals as spaces: what is left is code, at the same places."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
    return pattern.sub(as_spaces, text)


def code_lines(text):
    """(number of the line from 0, its code) for each line that may be changed."""
    code = blank(text)
    # What a bug alone can break is checked by whoever calls; a change of the check itself says nothing.
    code = re.sub(r"\b(?:assert|_?[sS]tatic_assert)\s*\(.*?;", as_spaces, code, flags=re.DOTALL)
    continued = False
    for number, line in enumerate(code.splitlines()):
        directive = continued or line.lstrip().startswith("#")
        continued = directive and line.rstrip().endswith("\\")
        if directive and not re.match(r"\s*#define \w+ .*\d", line):
            continue
        if line.strip(" \t{}();,"):
            yield number, line


def binary(table, pattern, kind):
    """A kind of change: an operator between two operands becomes another."""
    expression = re.compile(rf"(?<=[\w)\]] )({pattern})(?= [-!~(\w])")
    return lambda code: [(match.span(1), table[match[1]], kind) for match in expression.finditer(code)]


def numbers(code):
    found = []
    for match in re.finditer(r"(?<![\w.])(\d+\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)(f?)\b", code):
        value = float(match[1])
        found.append((match.span(1), repr(value * 0.5) if value else "1.0", "constant"))
    for match in re.finditer(r"(?<![\w.])(0x[0-9a-fA-F]+|\d+)([uUlL]*)(?![\w.])", code):
        value = int(match[1], 16) if match[1].startswith("0x") else int(match[1])
        form = "0x%x" if match[1].startswith("0x") else "%d"
        found.append((match.span(1), form % (value + 1), "constant"))
        if value:
            found.append((match.span(1), form % (value - 1), "constant"))
    return found


def names(code):
    pattern = re.compile(r"\b(" + "|".join(CHOICES) + r")\b(?=\(|[;,) ])")
    return [(match.span(1), CHOICES[match[1]], "choice") for match in pattern.finditer(code)]


def negations(code):
    found = [(match.span(), "", "negation") for match in re.finditer(r"(?<![\w)\]])!(?=[\w(])", code)]
    minus = re.compile(r"(?<=[(,=?:] )-(?=[a-zA-Z(])|(?<=\()-(?=[a-zA-Z(])")
    return found + [(match.span(), "", "sign") for match in minus.finditer(code)]


def checks(code):
    match = re.match(r"\s*(?:(?:\} )?else )?if \((.*)\)(?: \{)?\s*$", code)
    return [(match.span(1), f"0 != 0 && ({AS_IT_IS})", "dropped check")] if match and balanced(match[1]) else []


def glsl_checks(code):
    return [(span, text.replace("0 != 0", "false"), kind) for span, text, kind in checks(code)]


def statements(code):
    match = re.match(r"\s*((?!return|goto|break|continue|case|default|typedef|else|do\b)[a-zA-Z_][\w.\[\]>*-]*"
                     r"(?:\(.*\)| (?:[-+*/|&^]|<<|>>)?= .*));$", code)
    # The semicolon stays: it may be all that an if decides.
    return [(match.span(1), "", "dropped statement")] if match and balanced(match[1]) else []


def swaps(code):
    found = []
    pair = rf"(?<![\w.)\]] )(?<![\w.>])({OPERAND})( (?:-|/|%|<<|>>) |, )({OPERAND})(?![\w.\[(>])(?! [*/%.])"
    for match in re.finditer(pair, code):
        if match[1] != match[3] and (match[2] != ", " or re.search(r"\w\($", code[:match.start()])):
            found.append((match.span(), match[3] + match[2] + match[1], "swap"))
    return found


def balanced(code):
    depth = 0
    for c in code:
        depth += (c == "(") - (c == ")")
        if depth < 0:
            return False
    return depth == 0


KINDS = (binary(SIGNS, r"<<|>>|[-+*/%&|^]", "sign"), binary(COMPARISONS, "<=|>=|==|!=|[<>]", "comparison"),
         binary(LOGIC, "&&|[|]{2}", "logic"), numbers, names, negations, statements, swaps)


def compound(code):
    return [(match.span(1), SIGNS[match[1]], "sign") for match in re.finditer(r" ([-+*/%&|^]|<<|>>)= ", code)]


def changes_of(path, line, code):
    """Kind -> the lines that a line can become. The kind is drawn first: else most changes were of constants."""
    drop = glsl_checks if path.startswith("shaders/") and not path.endswith(".h") else checks
    kinds = collections.defaultdict(list)
    for find in KINDS + (drop, compound):
        for (start, end), text, kind in find(code):
            kinds[kind].append(line[:start] + text.replace(AS_IT_IS, line[start:end]) + line[end:])
    return kinds


def find_sources(root):
    for top in ROOTS:
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders.sort()
            for name in sorted(files):
                if name.endswith(SOURCES):
                    yield os.path.relpath(os.path.join(folder, name), root)


def mutants_of(root, path, seed):
    """(order, change) for each line that can be changed. Its text draws both: no edit elsewhere alters them."""
    with open(os.path.join(root, path)) as file:
        text = file.read()
    lines = text.splitlines()
    seen = collections.Counter()
    for number, code in code_lines(text):
        kinds = changes_of(path, lines[number], code)
        if kinds:
            line = lines[number].strip()
            draw = random.Random(f"{seed} {path} {seen[line]} {line}")
            seen[line] += 1
            kind = draw.choice(sorted(kinds))
            yield draw.random(), Mutant(path, number + 1, lines[number], draw.choice(kinds[kind]), kind)


def draw_mutants(root, seed, only=None):
    """Folder -> its mutants, in the order in which they are tried. Kernels come last: what includes them is most."""
    folders = collections.defaultdict(list)
    for path in find_sources(root):
        folder = os.path.dirname(path)
        if only is None or folder == only or folder.startswith(only + "/"):
            folders[folder] += mutants_of(root, path, seed)
    return {folder: [mutant for _, mutant in sorted(mutants)]
            for folder, mutants in sorted(folders.items(), key=lambda item: (item[0].startswith("shaders/"), item[0]))
            if mutants}


def share(folders, count):
    """How many of `count` each folder gets: two, and of the rest as many as its lines are of all lines."""
    least = {folder: min(2, len(mutants)) for folder, mutants in folders.items()}
    rest, total = max(0, count - sum(least.values())), sum(len(mutants) for mutants in folders.values())
    exact = {folder: rest * len(mutants) / total for folder, mutants in folders.items()}
    shares = {folder: least[folder] + int(exact[folder]) for folder in folders}
    by_remainder = sorted(folders, key=lambda folder: (int(exact[folder]) - exact[folder], folder))
    for folder in by_remainder[:max(0, count - sum(shares.values()))]:
        shares[folder] += 1
    return shares
