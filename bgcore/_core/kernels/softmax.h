/* From integer logits to six probabilities, in float64 of a fixed order of operations.
 *
 * Additions, multiplications and divisions only, each rounded once (no contraction, no libm), so that
 * every IEEE 754 machine gives the same bits.
 */
#ifndef BG_SOFTMAX_H
#define BG_SOFTMAX_H

#include "shape.h"

/* exp(x) for -40 <= x <= 0: x = k ln 2 + r, a Taylor polynomial of degree 12 in r, scaled by 2^k.
 * The relative error is below 1e-14. */
BG_INLINE double bg_exp(double x) {
    double scaled = x * 1.4426950408889634;
    int64_t k = (int64_t)(scaled - 0.5);
    double n = (double)k;
    double r = (x - n * 0.69314718036912382) - n * 1.9082149292705877e-10;
    double p = 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    union {
        uint64_t bits;
        double value;
    } power;
    power.bits = (uint64_t)(k + 1023) << 52;
    return p * power.value;
}

BG_INLINE void bg_softmax(const int32_t *logits, int possible, double *out) {
    int32_t most = INT32_MIN;
    for (int k = 0; k < BG_OUTCOMES; k++)
        if ((possible >> k & 1) && logits[k] > most) most = logits[k];
    double total = 0;
    for (int k = 0; k < BG_OUTCOMES; k++) {
        double x = (double)((int64_t)logits[k] - most) * (1.0 / (1 << BG_LOGIT_BITS));
        if (x < -40.0) x = -40.0;
        out[k] = (possible >> k & 1) ? bg_exp(x) : 0.0;
        total += out[k];
    }
    for (int k = 0; k < BG_OUTCOMES; k++) out[k] /= total;
}

#endif
