/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/number.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 number_wide;

#define MANTISSA_DIGITS 19 /* the largest count of digits that always fits 64 bits */
#define MANTISSA_BITS 53
#define SMALLEST_EXPONENT (-1074)
#define LARGEST_EXPONENT 971 /* exponent of the last bit of the largest double */

/* A number as it was written: mantissa x 10^exponent, and where to read the digits beyond the first 19 again. */
typedef struct number_decimal {
    uint64_t mantissa;               /* the first 19 significant digits */
    int64_t exponent;                /* exponent of the mantissa's last digit */
    bool truncated;                  /* digits that are not all 0 were left out */
    const char *digits, *digits_end; /* all digits, and the point among them */
} number_decimal;

const double number_exact_powers[NUMBER_EXACT_POWERS + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* Returns mantissa x 2^exponent. `sticky` says that the exact value lies a little above. The result is correctly
 * rounded if the mantissa has at least 54 bits or is exact. */
static double number_round(uint64_t mantissa, bool sticky, int exponent)
{
    int bits = 64 - __builtin_clzll(mantissa);
    int drop = bits - MANTISSA_BITS;
    if (exponent + drop < SMALLEST_EXPONENT)
        drop = SMALLEST_EXPONENT - exponent;
    if (drop > 64)
        return 0;
    if (drop > 0) {
        uint64_t kept = drop == 64 ? 0 : mantissa >> drop;
        uint64_t half = (uint64_t)1 << (drop - 1);
        uint64_t rest = mantissa & (half | (half - 1));
        kept += rest > half || (rest == half && (sticky || (kept & 1)));
        mantissa = kept;
        exponent += drop;
    }
    return exponent > LARGEST_EXPONENT ? HUGE_VAL : ldexp((double)mantissa, exponent);
}

static double number_round_wide(number_wide mantissa, bool sticky, int exponent)
{
    uint64_t high = (uint64_t)(mantissa >> 64);
    if (high) {
        int shift = 64 - __builtin_clzll(high);
        sticky = sticky || (mantissa & (((number_wide)1 << shift) - 1)) != 0;
        mantissa >>= shift;
        exponent += shift;
    }
    return number_round((uint64_t)mantissa, sticky, exponent);
}

/* Goes way 2, for a mantissa above 2^53 or an exponent beyond 22 digits. Returns false if the power does not fit 64
 * bits. */
static bool number_by_wide_division(uint64_t mantissa, int64_t exponent, double *value)
{
    if (exponent > MANTISSA_DIGITS || exponent < -MANTISSA_DIGITS)
        return false;
    uint64_t power = 1;
    for (int64_t i = exponent < 0 ? -exponent : exponent; i > 0; i--)
        power *= 10;
    if (exponent >= 0) {
        *value = number_round_wide((number_wide)mantissa * power, false, 0);
        return true;
    }
    /* The mantissa is normalized, so the quotient has at least 64 bits. */
    int shift = __builtin_clzll(mantissa);
    number_wide dividend = (number_wide)(mantissa << shift) << 64;
    *value = number_round_wide(dividend / power, dividend % power != 0, -64 - shift);
    return true;
}

/* ---- Way 4: big integers, least word first ---- */

#define BIG_DIGITS 800 /* a double's halfway point has at most 768 digits; those after them only break ties */
/* 10^801 has 84 words of 32 bits, 5^1200 has 88; the shifts of the long division take four more */
#define BIG_WORDS 128

typedef struct number_big {
    uint32_t words[BIG_WORDS];
    int count;
} number_big;

static void big_multiply_add(number_big *big, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < big->count; i++) {
        carry += (uint64_t)big->words[i] * factor;
        big->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        big->words[big->count++] = (uint32_t)carry;
}

static void big_multiply_power_of_five(number_big *big, int64_t power)
{
    for (; power >= 13; power -= 13)
        big_multiply_add(big, 1220703125, 0);
    for (; power > 0; power--)
        big_multiply_add(big, 5, 0);
}

static int big_bits(const number_big *big)
{
    return big->count * 32 - __builtin_clz(big->words[big->count - 1]);
}

static void big_shift_left(number_big *big, int shift)
{
    int words = shift / 32, bits = shift % 32;
    memmove(big->words + words, big->words, (size_t)big->count * sizeof big->words[0]);
    memset(big->words, 0, (size_t)words * sizeof big->words[0]);
    big->count += words;
    if (bits)
        big_multiply_add(big, (uint32_t)1 << bits, 0);
}

/* Subtracts factor * b from the words of a from `at` on, one word more than b has. Returns whether the result is
 * negative. The words then hold it modulo a power of 2. */
static bool big_subtract_product(number_big *a, int at, const number_big *b, uint64_t factor)
{
    uint64_t carry = 0;
    int64_t borrow = 0;
    for (int i = 0; i <= b->count; i++) {
        carry += i < b->count ? factor * b->words[i] : 0;
        borrow += (int64_t)a->words[at + i] - (uint32_t)carry;
        a->words[at + i] = (uint32_t)borrow;
        carry >>= 32;
        borrow >>= 32;
    }
    return borrow < 0;
}

static void big_add_back(number_big *a, int at, const number_big *b)
{
    uint64_t carry = 0;
    for (int i = 0; i <= b->count; i++) {
        carry += (uint64_t)a->words[at + i] + (i < b->count ? b->words[i] : 0);
        a->words[at + i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* Returns the next word of the quotient: the words of a from `at` on divided by b, whose highest bit is set. The first
 * guess is at most two too large (D. E. Knuth, The Art of Computer Programming, volume 2, 4.3.1, algorithm D, 1997). */
static uint32_t big_divide_step(number_big *a, int at, const number_big *b)
{
    int n = b->count;
    uint64_t head = (uint64_t)a->words[at + n] << 32 | a->words[at + n - 1];
    uint64_t word = head / b->words[n - 1], rest = head % b->words[n - 1];
    while (rest >> 32 == 0 && (word >> 32 || word * b->words[n - 2] > (rest << 32 | a->words[at + n - 2]))) {
        word--;
        rest += b->words[n - 1];
    }
    if (big_subtract_product(a, at, b, word)) {
        big_add_back(a, at, b);
        word--;
    }
    return (uint32_t)word;
}

/* Returns a * 2^63 / b, for a and b of as many bits, and whether anything remains. Overwrites both. */
static uint64_t big_divide(number_big *a, number_big *b, bool *remains)
{
    int shift = __builtin_clz(b->words[b->count - 1]) + (b->count == 1 ? 32 : 0);
    big_shift_left(b, shift);
    big_shift_left(a, shift + 63);
    while (a->count < b->count + 2)
        a->words[a->count++] = 0;
    uint64_t quotient = (uint64_t)big_divide_step(a, 1, b) << 32;
    quotient |= big_divide_step(a, 0, b);
    *remains = false;
    for (int i = 0; i < b->count; i++)
        *remains = *remains || a->words[i] != 0;
    return quotient;
}

/* Reads all digits as an integer, and gives the exponent of the last digit read. */
static void big_read_digits(const number_decimal *decimal, number_big *big, int64_t *exponent)
{
    int taken = 0, first = 0;
    bool rest = false;
    *big = (number_big){.count = 1};
    for (const char *c = decimal->digits; c < decimal->digits_end; c++) {
        if (*c == '.' || (!first && *c == '0'))
            continue;
        first = 1;
        if (taken < BIG_DIGITS) {
            big_multiply_add(big, 10, (uint32_t)(*c - '0'));
            taken++;
        } else {
            rest = rest || *c != '0';
        }
    }
    int mantissa_digits = taken < MANTISSA_DIGITS ? taken : MANTISSA_DIGITS;
    *exponent = decimal->exponent - (taken - mantissa_digits);
    if (rest) { /* one more digit stands for all the others */
        big_multiply_add(big, 10, 1);
        *exponent -= 1;
    }
}

static double number_by_long_division(const number_decimal *decimal)
{
    number_big dividend, divisor = {.words = {1}, .count = 1};
    int64_t exponent;
    big_read_digits(decimal, &dividend, &exponent);
    /* The binary exponent takes care of the factors 2 in the tens. */
    if (exponent >= 0)
        big_multiply_power_of_five(&dividend, exponent);
    else
        big_multiply_power_of_five(&divisor, -exponent);
    /* The shift brings the quotient into (2^62, 2^64). */
    int shift = big_bits(&divisor) - big_bits(&dividend);
    if (shift > 0)
        big_shift_left(&dividend, shift);
    else
        big_shift_left(&divisor, -shift);
    bool sticky;
    uint64_t quotient = big_divide(&dividend, &divisor, &sticky);
    return number_round(quotient, sticky, (int)exponent - shift - 63);
}

/* ---- All ways ---- */

static double number_of_decimal(const number_decimal *decimal)
{
    uint64_t mantissa = decimal->mantissa;
    int64_t exponent = decimal->exponent;
    double value, above;
    if (mantissa == 0 || exponent < -400)
        return 0;
    if (exponent > 400)
        return HUGE_VAL;
    if (!decimal->truncated) {
        if (mantissa <= (uint64_t)1 << MANTISSA_BITS && exponent >= -NUMBER_EXACT_POWERS &&
            exponent <= NUMBER_EXACT_POWERS)
            return exponent < 0 ? (double)mantissa / number_exact_powers[-exponent]
                                : (double)mantissa * number_exact_powers[exponent];
        if (number_by_wide_division(mantissa, exponent, &value))
            return value;
    } else if (number_by_wide_division(mantissa, exponent, &value) &&
               number_by_wide_division(mantissa + 1, exponent, &above) && value == above) {
        return value;
    }
    return number_by_long_division(decimal);
}

/* Adds the digits at `at` to the mantissa while it has room. Returns their end. */
static const char *number_read_digits(const char *at, const char *end, number_decimal *decimal, int *significant,
                                      bool fraction)
{
    for (; at < end; at++) {
        unsigned digit = (unsigned)*at - '0';
        if (digit > 9)
            break;
        if (*significant < MANTISSA_DIGITS) {
            decimal->mantissa = decimal->mantissa * 10 + digit;
            *significant += decimal->mantissa != 0;
            decimal->exponent -= fraction;
        } else {
            decimal->truncated = decimal->truncated || digit != 0;
            decimal->exponent += !fraction;
        }
    }
    return at;
}

static const char *number_read_exponent(const char *at, const char *end, number_decimal *decimal)
{
    const char *c = at + 1;
    bool negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+'))
        c++;
    if (c == end || (unsigned)*c - '0' > 9)
        return at;
    int64_t exponent = 0;
    for (; c < end && (unsigned)*c - '0' <= 9; c++)
        if (exponent < INT32_MAX)
            exponent = exponent * 10 + (*c - '0');
    decimal->exponent += negative ? -exponent : exponent;
    return c;
}

bool number_parse(const char **at, const char *end, double *value)
{
    const char *c = *at;
    bool negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+'))
        c++;
    number_decimal decimal = {.digits = c};
    int significant = 0;
    const char *point = number_read_digits(c, end, &decimal, &significant, false);
    bool any = point > c;
    c = point;
    if (c < end && *c == '.') {
        const char *fraction = number_read_digits(c + 1, end, &decimal, &significant, true);
        any = any || fraction > c + 1;
        c = fraction;
    }
    if (!any)
        return false;
    decimal.digits_end = c;
    if (c < end && (*c == 'e' || *c == 'E'))
        c = number_read_exponent(c, end, &decimal);
    double magnitude = number_of_decimal(&decimal);
    *value = negative ? -magnitude : magnitude;
    *at = c;
    return true;
}
