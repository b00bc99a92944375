/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stores lines from lanes into memory. Part of kernels_body.h. */

INLINE cpu_edge *put_pair(cpu_edge *at, vector_int pair, uint low, uint high)
{
    vector_half_int line = __builtin_shufflevector(pair, pair, 0, 1, 2, 3);
    memcpy(at, &line, sizeof *at);
    at += low;
    line = __builtin_shufflevector(pair, pair, 4, 5, 6, 7);
    memcpy(at, &line, sizeof *at);
    return at + high;
}

/* Stores those of LANES lines whose bits are set, and returns where the next ones go. There is no branch for each line,
 * so something is also written behind the last one. */
INLINE cpu_edge *put_lines(cpu_edge *at, vector_int ax, vector_int ay, vector_int bx, vector_int by, uint bits)
{
    vector_int a = __builtin_shufflevector(ax, ay, 0, 8, 1, 9, 4, 12, 5, 13);
    vector_int b = __builtin_shufflevector(bx, by, 0, 8, 1, 9, 4, 12, 5, 13);
    vector_int c = __builtin_shufflevector(ax, ay, 2, 10, 3, 11, 6, 14, 7, 15);
    vector_int d = __builtin_shufflevector(bx, by, 2, 10, 3, 11, 6, 14, 7, 15);
    at = put_pair(at, __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13), bits & 1u, bits >> 4 & 1u);
    at = put_pair(at, __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15), bits >> 1 & 1u, bits >> 5 & 1u);
    at = put_pair(at, __builtin_shufflevector(c, d, 0, 1, 8, 9, 4, 5, 12, 13), bits >> 2 & 1u, bits >> 6 & 1u);
    return put_pair(at, __builtin_shufflevector(c, d, 2, 3, 10, 11, 6, 7, 14, 15), bits >> 3 & 1u, bits >> 7 & 1u);
}
