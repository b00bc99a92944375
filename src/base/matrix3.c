/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/matrix3.h"

void matrix3_apply(const matrix3 m, const double v[3], double out[3])
{
    double result[3];
    for (int i = 0; i < 3; i++)
        result[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    for (int i = 0; i < 3; i++)
        out[i] = result[i];
}

void matrix3_invert(const matrix3 m, matrix3 out)
{
    matrix3 cofactors;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            cofactors[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
        }
    double determinant = m[0][0] * cofactors[0][0] + m[0][1] * cofactors[0][1] + m[0][2] * cofactors[0][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = cofactors[j][i] / determinant;
}
