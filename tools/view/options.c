/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* for getopt_long */

#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "say.h"

enum { OPTION_DEVICE = 256, OPTION_BACKGROUND, OPTION_ALLOW_EXTERNAL, OPTION_FONT_FILE, OPTION_HELP };

static const struct option table[] = {
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"background", required_argument, NULL, OPTION_BACKGROUND},
    {"full-screen", no_argument, NULL, 'f'},
    {"allow-external", no_argument, NULL, OPTION_ALLOW_EXTERNAL},
    {"use-font-file", required_argument, NULL, OPTION_FONT_FILE},
    {"quiet", no_argument, NULL, 'q'},
    {"version", no_argument, NULL, 'V'},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

static void print_help(void)
{
    puts("Usage: pietra-view [options] FILE.svg|FOLDER...\n"
         "\n"
         "Shows SVG files in a window, and shows them anew when they change.\n"
         "\n"
         "      --device DEVICE       auto, cpu, gpu or gpu:NAME; default: auto\n"
         "      --background COLOR    a CSS colour; default: white\n"
         "  -f, --full-screen         begins with the whole screen\n"
         "      --allow-external      reads images, style sheets and used elements below the document's folder\n"
         "      --use-font-file FILE  adds the fonts of a file before those of the system; may be given again\n"
         "  -q, --quiet               prints no warnings of what is not drawn\n"
         "  -V, --version             prints the version and ends\n"
         "      --help                prints this and ends\n"
         "\n"
         "Mouse: drag moves the picture, the wheel zooms at the pointer, a click prints the element under it.\n"
         "\n"
         "  n, Space, Page Down  the next file            + -            zoom\n"
         "  p, Backspace, Page Up  the one before         r, Shift+r     turn by 15 degrees\n"
         "  0, Home              fit the picture in       1              a CSS pixel a pixel\n"
         "  Cursor keys          move the picture         f, F11         the whole screen\n"
         "  h                    heat maps, one by one    t              times of the stages\n"
         "  i                    the element under the pointer\n"
         "  F5                   read the file again      q, Escape      end\n"
         "\n"
         "Status: 0 ended by the user; 1 bad arguments; 2 there is no such device, or no window.");
}

static bool set_device(options *options, const char *text)
{
    static const struct {
        const char *name;
        device_choice choice;
    } names[] = {{"auto", CHOOSE_AUTO}, {"cpu", CHOOSE_CPU}, {"gpu", CHOOSE_GPU}};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i].name) == 0) {
            options->device = names[i].choice;
            options->gpu_name = NULL;
            return true;
        }
    }
    if (strncmp(text, "gpu:", 4) != 0 || !text[4]) {
        say(NULL, 0, "--device: \"%s\" is not auto, cpu, gpu or gpu:NAME", text);
        return false;
    }
    options->device = CHOOSE_GPU;
    options->gpu_name = text + 4;
    return true;
}

static bool add_font_file(options *options, const char *path)
{
    pietra_error error;

    if (pietra_fonts_add_file(options->fonts, path, &error) == PIETRA_OK)
        return true;
    say(NULL, 0, "%s", error.message);
    return false;
}

/* `argument` is that which was read last. */
static bool set(options *options, int option, const char *value, const char *argument)
{
    switch (option) {
    case OPTION_DEVICE:
        return set_device(options, value);
    case OPTION_BACKGROUND:
        if (pietra_color_parse(value, &options->background))
            return true;
        say(NULL, 0, "--background: \"%s\" is no CSS colour", value);
        return false;
    case 'f':
        options->full_screen = true;
        return true;
    case OPTION_ALLOW_EXTERNAL:
        options->allow_external = true;
        return true;
    case OPTION_FONT_FILE:
        return add_font_file(options, value);
    case 'q':
        options->quiet = true;
        return true;
    default:
        say(NULL, 0, "%s: %s; --help lists the options", argument,
            option == ':' ? "a value is missing" : "there is no such option");
        return false;
    }
}

static void take_font_warning(void *user, uint32_t line, const char *message)
{
    (void)user;
    say(NULL, line, "%s", message);
}

options_result options_read(int count, char **arguments, options *options)
{
    int option;
    pietra_error error;

    *options = (struct options){.background = {1, 1, 1, 1}, .fonts = pietra_fonts_create()};
    if (!options->fonts) {
        say(NULL, 0, "out of memory");
        return OPTIONS_BAD;
    }
    while ((option = getopt_long(count, arguments, ":fqV", table, NULL)) != -1) {
        if (option == OPTION_HELP)
            print_help();
        else if (option == 'V')
            printf("pietra-view %s\n", pietra_version());
        else if (!set(options, option, optarg, arguments[optind - 1]))
            return OPTIONS_BAD;
        if (option == OPTION_HELP || option == 'V')
            return OPTIONS_END;
    }
    options->paths = arguments + optind;
    options->path_count = (size_t)(count - optind);
    if (!options->path_count) {
        say(NULL, 0, "no FILE is given; --help says what can be");
        return OPTIONS_BAD;
    }
    if (!options->quiet)
        pietra_fonts_set_warning(options->fonts, take_font_warning, NULL);
    if (pietra_fonts_add_system(options->fonts, NULL, &error) != PIETRA_OK) {
        say(NULL, 0, "%s", error.message);
        return OPTIONS_BAD;
    }
    return OPTIONS_RUN;
}

void options_destroy(options *options)
{
    pietra_fonts_destroy(options->fonts);
    options->fonts = NULL;
}
