/* The filter in float32: a small network on the base rows alone that ranks the plays of one roll.
 *
 * It is trained on whole rolls at once: only differences between plays of the same roll count, the
 * near-best plays most.
 */
#ifndef BG_FILTER_NET_H
#define BG_FILTER_NET_H

#include "float_net.h"

typedef struct {
    float *rows; /* BG_BASE_ROWS x 32 */
    float *bias; /* 32 */
    float *out;  /* 32 */
} FilterNet;

typedef struct {
    Vec sum[2], act[2];
    uint16_t rows[BG_BASE_ACTIVE];
} FilterPass;

static float filter_forward(const FilterNet *net, const uint32_t *planes, FilterPass *p) {
    Vec total = {0};
    float score = 0;
    bg_base(planes, p->rows);
    for (int v = 0; v < 2; v++) {
        Vec sum = ((const Vec *)net->bias)[v];
        for (int i = 0; i < BG_BASE_ACTIVE; i++) sum += ((const Vec *)(net->rows + 32 * p->rows[i]))[v];
        p->sum[v] = sum;
        p->act[v] = vec_act(sum);
        total += p->act[v] * ((const Vec *)net->out)[v];
    }
    for (int k = 0; k < LANES; k++) score += total[k];
    return score;
}

static void filter_step(FilterNet *net, const FilterPass *p, float error, float rate) {
    for (int v = 0; v < 2; v++) {
        Vec g = error * ((Vec *)net->out)[v];
        Vec step = 0.3f * rate * g * vec_slope(p->sum[v], g);
        ((Vec *)net->out)[v] -= rate * error * p->act[v];
        ((Vec *)net->bias)[v] -= step;
        for (int i = 0; i < BG_BASE_ACTIVE; i++) ((Vec *)(net->rows + 32 * p->rows[i]))[v] -= step;
    }
}

/* One step on the plays of a roll; returns the summed square of the weighted errors. */
static float filter_group(FilterNet *net, const uint32_t *planes, const float *equity, int n, float rate) {
    static __thread FilterPass pass[64];
    float score[64], weight[64], total = 0, mean_score = 0, mean_equity = 0, least = 1e9f, loss = 0;
    for (int i = 0; i < n; i++)
        if (equity[i] < least) least = equity[i];
    for (int i = 0; i < n; i++) {
        float gap = (equity[i] - least) / 0.12f;
        weight[i] = 1.0f / (1.0f + gap * gap);
        score[i] = filter_forward(net, planes + 8 * i, &pass[i]);
        total += weight[i];
        mean_score += weight[i] * score[i];
        mean_equity += weight[i] * equity[i];
    }
    for (int i = 0; i < n; i++) {
        float error = weight[i] * ((score[i] - mean_score / total) - (equity[i] - mean_equity / total));
        loss += error * error;
        filter_step(net, &pass[i], error, rate);
    }
    return loss;
}

#endif
