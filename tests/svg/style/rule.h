/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Asserting of a rule of a style sheet whether it applies. Includes svg/record.h. */
#ifndef PIETRA_TESTS_SVG_STYLE_RULE_H
#define PIETRA_TESTS_SVG_STYLE_RULE_H

#include "svg/expect.h"

#define LIME "fill nonzero #00ff00 [] M0 0L1 0L1 1L0 1Z\n"
#define BLACK "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n"
#define R "<rect width='1' height='1'/>"
#define K "<rect class='k' width='1' height='1'/>"

/* Asserts whether a sheet paints a rectangle lime, which has the id a and the class k. */
static inline void assert_rule(const char *rule, bool holds)
{
    char content[600];
    snprintf(content, sizeof content, "<style>%s</style><rect id='a' class='k' width='1' height='1'/>", rule);
    assert_content(content, holds ? "fill nonzero #00ff00 [] M0 0L1 0L1 1L0 1Z\n"
                                  : "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n");
}

#endif
