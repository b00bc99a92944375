/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "completions.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "option_table.h"

static bool names_file(const option *option)
{
    return option->value && strcmp(option->value, "FILE") == 0;
}

static bool names_folder(const option *option)
{
    return option->value && (strcmp(option->value, "DIR") == 0 || strcmp(option->value, "BASE") == 0);
}

/* Prints a text within single quotes, with an escape before each of some characters, and one for quotes. */
static void print_quoted(const char *text, const char *escaped, const char *quote)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs(quote, stdout);
        else
            printf("%s%c", strchr(escaped, *text) ? "\\" : "", *text);
}

/* ---- bash ---- */

/* Prints a branch for options whose values are completed in one way. */
static void print_bash_branch(bool (*chosen)(const option *), const char *action)
{
    const char *before = "";

    printf("        ");
    for (size_t i = 0; i < option_table_count; i++) {
        const option *option = &option_table[i];
        if (!option->help || !chosen(option))
            continue;
        printf("%s--%s", before, option->name);
        if (option->letter)
            printf(" | -%c", option->letter);
        before = " | ";
    }
    printf(") %s ;;\n", action);
}

/* Its value can be completed in no way. */
static bool is_free(const option *option)
{
    return option->value && !names_file(option) && !names_folder(option) && !option->words;
}

static void print_bash(void)
{
    puts("# Completions of render(1) for bash, made by render --completions bash.\n"
         "_render()\n"
         "{\n"
         "    local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} equals= words=\n"
         "    # bash makes a word of the = in --option=value\n"
         "    [[ $current == = ]] && equals=1 current=\n"
         "    [[ $option == = && COMP_CWORD -gt 1 ]] && equals=1 option=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "    compopt -o filenames\n"
         "    case $option in");
    print_bash_branch(names_file, "mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); return");
    print_bash_branch(names_folder, "mapfile -t COMPREPLY < <(compgen -d -- \"$current\"); return");
    print_bash_branch(is_free, "COMPREPLY=(); return");
    for (size_t i = 0; i < option_table_count; i++) {
        const option *option = &option_table[i];
        if (option->words)
            printf("        --%s) %swords='%s' ;;\n", option->name,
                   option_value_is_optional(option) ? "[[ -n $equals ]] && " : "", option->words);
    }
    printf("    esac\n"
           "    if [[ -z $words && $current == -* ]]; then\n"
           "        words='");
    for (size_t i = 0; i < option_table_count; i++)
        if (option_table[i].help)
            printf("%s--%s", i > 0 ? " " : "", option_table[i].name);
    puts("'\n"
         "    fi\n"
         "    if [[ -n $words ]]; then\n"
         "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "    else\n"
         "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
         "    fi\n"
         "}\n"
         "complete -F _render render");
}

/* ---- zsh ---- */

static void print_zsh_option(const option *option)
{
    const char *equals = !option->value ? "" : option_value_is_optional(option) ? "=-" : "=";

    if (option->letter)
        printf("        '(-%c --%s)'{-%c%s,--%s%s}'[", option->letter, option->name, option->letter,
               option->value ? "+" : "", option->name, equals);
    else
        printf("        '--%s%s[", option->name, equals);
    print_quoted(option->help, "[]\\", "'\\''");
    putchar(']');
    if (option->value) {
        printf(":%s%s:", option_value_is_optional(option) ? ":" : "", option->name);
        if (option->words)
            printf("(%s)", option->words);
        else
            fputs(names_file(option) ? "_files" : names_folder(option) ? "_files -/" : " ", stdout);
    }
    puts("' \\");
}

static void print_zsh(void)
{
    puts("#compdef render\n"
         "# Completions of render(1) for zsh, made by render --completions zsh.\n"
         "_render()\n"
         "{\n"
         "    _arguments -s -S \\");
    for (size_t i = 0; i < option_table_count; i++)
        if (option_table[i].help)
            print_zsh_option(&option_table[i]);
    puts("        '*:file:_files'\n"
         "}\n"
         "# zsh runs a file of its folders when they are first needed, as _render; other files are sourced.\n"
         "if [[ ${funcstack[1]} == _render ]]; then\n"
         "    _render \"$@\"\n"
         "else\n"
         "    compdef _render render\n"
         "fi");
}

/* ---- fish ---- */

static void print_fish(void)
{
    puts("# Completions of render(1) for fish, made by render --completions fish.");
    for (size_t i = 0; i < option_table_count; i++) {
        const option *option = &option_table[i];
        if (!option->help)
            continue;
        printf("complete -c render -l %s", option->name);
        if (option->letter)
            printf(" -s %c", option->letter);
        if (names_file(option))
            printf(" -r -F");
        else if (names_folder(option))
            printf(" -x -a '(__fish_complete_directories)'");
        else if (option->value && !option_value_is_optional(option))
            printf(" -x -a '%s'", option->words ? option->words : "");
        printf(" -d '");
        print_quoted(option->help, "\\", "\\'");
        puts("'");
    }
}

status completions_print(const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        print_bash();
    else if (strcmp(shell, "zsh") == 0)
        print_zsh();
    else
        print_fish();
    return fflush(stdout) == 0 ? STATUS_DRAWN : report_errno("-", "write");
}
