/* The network in float32, for training: forward, backward and one step of stochastic descent.
 *
 * Same inputs and same shape as the integer network (bgcore/_core/kernels): a row sum of BG_HIDDEN
 * units, squared clipped to 0..1, 32 units of the position's phase, squared clipped, six logits.
 * While training, the second and third layers of a phase are the sum of a shared part (the last
 * index) and the phase's own, so that rare phases start from what all of them have learnt; merged on
 * export. Vector types are GCC's, compiled for the machine at hand; nothing here needs to be exact.
 */
#ifndef BG_FLOAT_NET_H
#define BG_FLOAT_NET_H

#include <math.h>

#include "inputs.h"
#include "shape.h"

typedef float Vec __attribute__((vector_size(64), aligned(64)));
typedef int IntVec __attribute__((vector_size(64), aligned(64)));
#define LANES 16
#define HV (BG_HIDDEN / LANES)
#define SHARED BG_PHASES

/* Name and buckets of every tactical feature in row order: for the initial weights, reports and experiments. */
#define X(name, size) #name,
static const char *const feature_names[BG_TACTICAL] = {
    BG_SIDE_FEATURES(X) BG_SIDE_FEATURES(X) BG_SHARED_FEATURES(X)
};
#undef X
#define X(name, size) size,
static const int feature_sizes[BG_TACTICAL] = {
    BG_SIDE_FEATURES(X) BG_SIDE_FEATURES(X) BG_SHARED_FEATURES(X)
};
#undef X

typedef struct {
    float *rows;  /* BG_ROWS x BG_HIDDEN */
    float *bias;  /* BG_HIDDEN */
    float *w1;    /* (BG_PHASES + 1) x BG_HIDDEN x 32 */
    float *b1;    /* (BG_PHASES + 1) x 32 */
    float *w2;    /* (BG_PHASES + 1) x 32 x 8 */
    float *b2;    /* (BG_PHASES + 1) x 8 */
    float *scale; /* BG_ROWS: the learning rate of each row, relative */
} FloatNet;

typedef struct {
    Vec sum[HV];       /* the accumulator before clipping */
    Vec z[2];          /* second layer before clipping */
    float act[BG_HIDDEN] __attribute__((aligned(64)));
    float hidden[32] __attribute__((aligned(64)));
    float probs[8];
    uint16_t rows[BG_ACTIVE];
    int phase, possible;
} Pass;

static inline Vec vec_clip(Vec x) {
    Vec zero = {0}, one = zero + 1.0f;
    x = (Vec)((IntVec)x & (x > zero));
    IntVec over = x > one;
    return (Vec)(((IntVec)x & ~over) | ((IntVec)one & over));
}

/* What a unit passes on: its clipped sum squared. (BG_UNSQUARED, the clipped sum, is for training/ablate.py.) */
static inline Vec vec_act(Vec x) {
    Vec c = vec_clip(x);
#ifdef BG_UNSQUARED
    return c;
#else
    return c * c;
#endif
}

/* The slope used backwards: 2x inside; a small leak outside, but only for steps that lead back in. */
static inline Vec vec_slope(Vec x, Vec grad) {
    Vec zero = {0}, one = zero + 1.0f, leak = zero + 0.05f;
#ifdef BG_UNSQUARED
    Vec inside = one;
#else
    Vec inside = 2.0f * x + 0.02f;
#endif
    IntVec low = x <= zero, high = x >= one;
    IntVec back = (low & (grad < zero)) | (high & (grad > zero));
    return (Vec)(((IntVec)inside & ~(low | high)) | ((IntVec)leak & back));
}

static void float_add(const FloatNet *net, Vec *sum, const uint16_t *rows, int n) {
    Vec acc[HV];
    for (int v = 0; v < HV; v++) acc[v] = sum[v];
    for (int i = 0; i < n; i++) {
        const Vec *row = (const Vec *)(net->rows + (size_t)rows[i] * BG_HIDDEN);
        for (int v = 0; v < HV; v++) acc[v] += row[v];
    }
    for (int v = 0; v < HV; v++) sum[v] = acc[v];
}

/* Everything after the row sum. */
static void float_finish(const FloatNet *net, Pass *p) {
    const float *own1 = net->w1 + (size_t)p->phase * BG_HIDDEN * 32, *all1 = net->w1 + (size_t)SHARED * BG_HIDDEN * 32;
    const float *own2 = net->w2 + p->phase * 256, *all2 = net->w2 + SHARED * 256;
    const Vec *ob = (const Vec *)(net->b1 + p->phase * 32), *ab = (const Vec *)(net->b1 + SHARED * 32);
    Vec z0 = ob[0] + ab[0], z1 = ob[1] + ab[1];
    for (int v = 0; v < HV; v++) *(Vec *)(p->act + v * LANES) = vec_act(p->sum[v]);
    for (int i = 0; i < BG_HIDDEN; i++) {
        float a = p->act[i];
        if (a == 0.0f) continue;
        const Vec *o = (const Vec *)(own1 + i * 32), *s = (const Vec *)(all1 + i * 32);
        z0 += a * (o[0] + s[0]);
        z1 += a * (o[1] + s[1]);
    }
    p->z[0] = z0;
    p->z[1] = z1;
    *(Vec *)p->hidden = vec_act(z0);
    *(Vec *)(p->hidden + 16) = vec_act(z1);
    float logit[8], most = -1e30f, total = 0;
    for (int k = 0; k < 8; k++) logit[k] = net->b2[p->phase * 8 + k] + net->b2[SHARED * 8 + k];
    for (int j = 0; j < 32; j++)
        for (int k = 0; k < 8; k++) logit[k] += p->hidden[j] * (own2[j * 8 + k] + all2[j * 8 + k]);
    for (int k = 0; k < 6; k++)
        if (p->possible >> k & 1 && logit[k] > most) most = logit[k];
    for (int k = 0; k < 6; k++) {
        p->probs[k] = p->possible >> k & 1 ? expf(logit[k] - most) : 0.0f;
        total += p->probs[k];
    }
    for (int k = 0; k < 6; k++) p->probs[k] /= total;
}

static void float_forward(const FloatNet *net, const uint32_t *planes, Pass *p) {
    bg_base(planes, p->rows);
    p->phase = bg_tactical(planes, p->rows + BG_BASE_ACTIVE);
    p->possible = bg_possible(planes);
    for (int v = 0; v < HV; v++) p->sum[v] = ((const Vec *)net->bias)[v];
    float_add(net, p->sum, p->rows, BG_ACTIVE);
    float_finish(net, p);
}

/* One step towards ``target`` (six outcomes, need not be clipped) from a finished forward pass. */
static void float_step(FloatNet *net, Pass *p, const float *target, float rate, float row_rate) {
    float *own1 = net->w1 + (size_t)p->phase * BG_HIDDEN * 32, *all1 = net->w1 + (size_t)SHARED * BG_HIDDEN * 32;
    float *own2 = net->w2 + p->phase * 256, *all2 = net->w2 + SHARED * 256;
    float d[8] = {0}, dh[32] __attribute__((aligned(64)));
    for (int k = 0; k < 6; k++) d[k] = p->possible >> k & 1 ? p->probs[k] - target[k] : 0.0f;
    for (int j = 0; j < 32; j++) {
        float total = 0, h = p->hidden[j] * rate;
        for (int k = 0; k < 8; k++) {
            total += d[k] * (own2[j * 8 + k] + all2[j * 8 + k]);
            own2[j * 8 + k] -= h * d[k];
            all2[j * 8 + k] -= h * d[k];
        }
        dh[j] = total;
    }
    for (int k = 0; k < 8; k++) {
        net->b2[p->phase * 8 + k] -= rate * d[k];
        net->b2[SHARED * 8 + k] -= rate * d[k];
    }
    Vec d0 = *(Vec *)dh, d1 = *(Vec *)(dh + 16);
    d0 *= vec_slope(p->z[0], d0);
    d1 *= vec_slope(p->z[1], d1);
    float back[BG_HIDDEN] __attribute__((aligned(64)));
    Vec r0 = rate * d0, r1 = rate * d1;
    for (int i = 0; i < BG_HIDDEN; i++) {
        Vec *o = (Vec *)(own1 + i * 32), *s = (Vec *)(all1 + i * 32);
        Vec t = (o[0] + s[0]) * d0 + (o[1] + s[1]) * d1;
        float total = 0;
        for (int k = 0; k < LANES; k++) total += t[k];
        back[i] = total;
        float a = p->act[i];
        if (a != 0.0f) {
            o[0] -= a * r0;
            o[1] -= a * r1;
            s[0] -= a * r0;
            s[1] -= a * r1;
        }
    }
    Vec *ob = (Vec *)(net->b1 + p->phase * 32), *ab = (Vec *)(net->b1 + SHARED * 32);
    ob[0] -= r0;
    ob[1] -= r1;
    ab[0] -= r0;
    ab[1] -= r1;
    Vec step[HV];
    for (int v = 0; v < HV; v++) {
        Vec g = *(Vec *)(back + v * LANES);
        step[v] = row_rate * g * vec_slope(p->sum[v], g);
        ((Vec *)net->bias)[v] -= step[v];
    }
    for (int i = 0; i < BG_ACTIVE; i++) {
        Vec *row = (Vec *)(net->rows + (size_t)p->rows[i] * BG_HIDDEN);
        float s = net->scale[p->rows[i]];
        for (int v = 0; v < HV; v++) row[v] -= s * step[v];
    }
}

#endif
