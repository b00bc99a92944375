/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/stroke_letters.h"

#include <assert.h>
#include <stddef.h>

/* Letters stand on a grid whose rows count from the top of digits: 2 is the top of small letters, 6 the base line, 8
 * the bottom of descenders. */
#define BASE_LINE 6
#define GAP 1.5 /* between letters */

/* Points are two digits each, a column and a row. A blank lifts the pen. */
typedef struct stroke_letter {
    char letter;
    uint8_t width; /* columns */
    const char *strokes;
} stroke_letter;

static const stroke_letter letters[] = {
    {' ', 2, ""},
    {',', 1, "151607"},
    {'.', 0, "0606"},
    {'0', 4, "103041453616050110"},
    {'1', 2, "012026"},
    {'2', 4, "01103041420646"},
    {'3', 4, "0110304142334445361605 1333"},
    {'4', 4, "36300444"},
    {'5', 4, "400003334445361605"},
    {'6', 4, "413010010516364544331304"},
    {'7', 4, "004016"},
    {'8', 4, "13334241301001021304051636454433"},
    {'9', 4, "051636454130100102133342"},
    {'_', 4, "0747"},
    {'a', 4, "4332120305163645 4246"},
    {'b', 4, "0006 0312324345361605"},
    {'c', 4, "4332120305163645"},
    {'d', 4, "4046 4332120305163645"},
    {'e', 4, "04444332120305163645"},
    {'f', 3, "30201116 0232"},
    {'g', 4, "4332120305163645 4247381807"},
    {'h', 4, "0006 0312324346"},
    {'i', 0, "0206 0000"},
    {'j', 1, "121708 1010"},
    {'k', 3, "0006 320436"},
    {'l', 1, "000516"},
    {'m', 4, "0206 03122326 23324346"},
    {'n', 4, "0206 0312324346"},
    {'o', 4, "123243453616050312"},
    {'p', 4, "0208 0312324345361605"},
    {'q', 4, "4248 4332120305163645"},
    {'r', 3, "0206 031232"},
    {'s', 4, "43321203143445361605"},
    {'t', 3, "10152636 0232"},
    {'u', 4, "0205163645 4246"},
    {'v', 4, "022642"},
    {'w', 4, "0216243642"},
    {'x', 4, "0246 4206"},
    {'y', 4, "0226 421808"},
    {'z', 4, "02420646"},
};

static const stroke_letter *find_letter(char letter)
{
    size_t i = 0;
    while (i + 1 < sizeof letters / sizeof letters[0] && letters[i].letter != letter)
        i++;
    assert(letters[i].letter == letter);
    return &letters[i];
}

double stroke_letters_width(const char *text, double height)
{
    double columns = 0;
    for (; *text; text++)
        columns += find_letter(*text)->width + (text[1] ? GAP : 0);
    return columns * height / BASE_LINE;
}

static void add_letter(pietra_path *path, const stroke_letter *letter, double unit, double x, double y)
{
    bool down = false;
    for (const char *at = letter->strokes; *at; at += *at == ' ' ? 1 : 2) {
        if (*at == ' ') {
            down = false;
            continue;
        }
        double point_x = x + unit * (at[0] - '0'), point_y = y + unit * (at[1] - '0' - BASE_LINE);
        if (down)
            pietra_path_line_to(path, point_x, point_y);
        else
            pietra_path_move_to(path, point_x, point_y);
        down = true;
    }
}

void stroke_letters_add(pietra_path *path, const char *text, double height, double x, double y)
{
    const double unit = height / BASE_LINE;
    for (; *text; text++) {
        const stroke_letter *letter = find_letter(*text);
        add_letter(path, letter, unit, x, y);
        x += unit * (letter->width + GAP);
    }
}
