/* The reference: plain C for every step. The other levels equal it bit for bit. */
#define BG_NAME(x) bg_scalar_##x
#define BG_TARGET

static void bg_scalar_add(int16_t *sum, const int16_t *from, const int16_t *table,
                          const uint16_t *rows, int n) {
    memmove(sum, from, sizeof(int16_t) * BG_HIDDEN);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < BG_HIDDEN; j++) sum[j] = (int16_t)(sum[j] + table[rows[i] * BG_HIDDEN + j]);
}

static void bg_scalar_move(int16_t *restrict sum, const BgWeights *w, const uint16_t *gone, const uint16_t *come, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < BG_HIDDEN; j++) sum[j] = (int16_t)(sum[j] + w->rows[come[i]][j] - w->rows[gone[i]][j]);
}

static void bg_scalar_finish(const BgWeights *w, int phase, BgScratch *s) {
    int32_t second[BG_SECOND];
    memcpy(second, w->b1[phase], sizeof second);
    memcpy(s->logits, w->b2[phase], sizeof s->logits);
    for (int i = 0; i < BG_HIDDEN; i++) {
        int32_t t = s->sum[i];
        t = t < 0 ? 0 : t > 1 << BG_SUM_BITS ? 1 << BG_SUM_BITS : t;
        t = t * t >> (2 * BG_SUM_BITS - BG_ACT_BITS);
        for (int j = 0; j < BG_SECOND; j++) second[j] += t * w->w1[phase][i / 2][j][i % 2];
    }
    for (int j = 0; j < BG_SECOND; j++) {
        int32_t t = second[j] >> (BG_LOGIT_BITS - BG_ACT_BITS);
        t = t < 0 ? 0 : t > 1 << BG_ACT_BITS ? 1 << BG_ACT_BITS : t;
        t = t * t >> BG_ACT_BITS;
        for (int k = 0; k < 8; k++) s->logits[k] += t * w->w2[phase][j / 2][k][j % 2];
    }
}

#include "evaluate.h"
#undef BG_NAME
#undef BG_TARGET
