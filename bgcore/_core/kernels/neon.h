/* 128-bit arithmetic of AArch64. */
#define BG_NAME(x) bg_neon_##x
#define BG_TARGET

static void bg_neon_add(int16_t *sum, const int16_t *from, const int16_t *table, const uint16_t *rows, int n) {
    for (int part = 0; part < BG_HIDDEN; part += 128) {
        int16x8_t acc[16];
        for (int v = 0; v < 16; v++) acc[v] = vld1q_s16(from + part + 8 * v);
        for (int i = 0; i < n; i++) {
            const int16_t *row = table + rows[i] * BG_HIDDEN + part;
            for (int v = 0; v < 16; v++) acc[v] = vaddq_s16(acc[v], vld1q_s16(row + 8 * v));
        }
        for (int v = 0; v < 16; v++) vst1q_s16(sum + part + 8 * v, acc[v]);
    }
}

static void bg_neon_move(int16_t *sum, const BgWeights *w, const uint16_t *gone, const uint16_t *come, int n) {
    for (int i = 0; i < n; i++) {
        const int16_t *out = w->rows[gone[i]], *in = w->rows[come[i]];
        for (int j = 0; j < BG_HIDDEN; j += 8)
            vst1q_s16(sum + j, vsubq_s16(vaddq_s16(vld1q_s16(sum + j), vld1q_s16(in + j)), vld1q_s16(out + j)));
    }
}

static void bg_neon_finish(const BgWeights *w, int phase, BgScratch *s) {
    const int16x8_t low = vdupq_n_s16(0), high = vdupq_n_s16(1 << BG_SUM_BITS);
    for (int j = 0; j < BG_HIDDEN; j += 8) {
        int16x8_t t = vminq_s16(vmaxq_s16(vld1q_s16(s->sum + j), low), high);
        int32x4_t a = vshrq_n_s32(vmull_s16(vget_low_s16(t), vget_low_s16(t)), 2 * BG_SUM_BITS - BG_ACT_BITS);
        int32x4_t b = vshrq_n_s32(vmull_s16(vget_high_s16(t), vget_high_s16(t)), 2 * BG_SUM_BITS - BG_ACT_BITS);
        vst1q_s16(s->act + j, vcombine_s16(vmovn_s32(a), vmovn_s32(b)));
    }
    int32x4_t acc[BG_SECOND / 4];
    for (int v = 0; v < BG_SECOND / 4; v++) acc[v] = vld1q_s32(w->b1[phase] + 4 * v);
    for (int i = 0; i < BG_HIDDEN / 2; i++) {
        int16_t even = s->act[2 * i], odd = s->act[2 * i + 1];
        for (int v = 0; v < BG_SECOND / 4; v++) {
            int16x4x2_t pair = vld2_s16(w->w1[phase][i][4 * v]);
            acc[v] = vmlal_n_s16(vmlal_n_s16(acc[v], pair.val[0], even), pair.val[1], odd);
        }
    }
    const int32x4_t zero = vdupq_n_s32(0), top = vdupq_n_s32(1 << BG_ACT_BITS);
    for (int v = 0; v < BG_SECOND / 4; v++) {
        int32x4_t t = vminq_s32(vmaxq_s32(vshrq_n_s32(acc[v], BG_LOGIT_BITS - BG_ACT_BITS), zero), top);
        vst1_s16(s->hidden + 4 * v, vmovn_s32(vshrq_n_s32(vmulq_s32(t, t), BG_ACT_BITS)));
    }
    int32x4_t l0 = vld1q_s32(w->b2[phase]), l1 = vld1q_s32(w->b2[phase] + 4);
    for (int i = 0; i < BG_SECOND / 2; i++) {
        int16x4x2_t a = vld2_s16(w->w2[phase][i][0]), b = vld2_s16(w->w2[phase][i][4]);
        int16_t even = s->hidden[2 * i], odd = s->hidden[2 * i + 1];
        l0 = vmlal_n_s16(vmlal_n_s16(l0, a.val[0], even), a.val[1], odd);
        l1 = vmlal_n_s16(vmlal_n_s16(l1, b.val[0], even), b.val[1], odd);
    }
    vst1q_s32(s->logits, l0);
    vst1q_s32(s->logits + 4, l1);
}

#include "evaluate.h"
#undef BG_NAME
#undef BG_TARGET
