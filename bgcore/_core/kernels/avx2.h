/* 256-bit integer arithmetic of x86-64. */
#define BG_NAME(x) bg_avx2_##x
#define BG_TARGET __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))

/* Sixteen registers hold half the row sum at a time. */
BG_TARGET static void bg_avx2_add(int16_t *sum, const int16_t *from, const int16_t *table, const uint16_t *rows, int n) {
    for (int half = 0; half < BG_HIDDEN; half += 128) {
        __m256i acc[8];
        for (int v = 0; v < 8; v++) acc[v] = _mm256_load_si256((const __m256i *)(from + half) + v);
        for (int i = 0; i < n; i++) {
            const __m256i *row = (const __m256i *)(table + rows[i] * BG_HIDDEN + half);
            for (int v = 0; v < 8; v++) acc[v] = _mm256_add_epi16(acc[v], _mm256_load_si256(row + v));
        }
        for (int v = 0; v < 8; v++) _mm256_store_si256((__m256i *)(sum + half) + v, acc[v]);
    }
}

BG_TARGET static void bg_avx2_move(int16_t *sum, const BgWeights *w, const uint16_t *gone, const uint16_t *come, int n) {
    for (int half = 0; half < BG_HIDDEN; half += 128) {
        __m256i acc[8];
        for (int v = 0; v < 8; v++) acc[v] = _mm256_load_si256((const __m256i *)(sum + half) + v);
        for (int i = 0; i < n; i++) {
            const __m256i *out = (const __m256i *)(w->rows[gone[i]] + half);
            const __m256i *in = (const __m256i *)(w->rows[come[i]] + half);
            for (int v = 0; v < 8; v++)
                acc[v] = _mm256_sub_epi16(_mm256_add_epi16(acc[v], _mm256_load_si256(in + v)), _mm256_load_si256(out + v));
        }
        for (int v = 0; v < 8; v++) _mm256_store_si256((__m256i *)(sum + half) + v, acc[v]);
    }
}

BG_TARGET static void bg_avx2_finish(const BgWeights *w, int phase, BgScratch *s) {
    const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi16(1 << BG_SUM_BITS);
    const __m256i *sum = (const __m256i *)s->sum;
    __m256i *act = (__m256i *)s->act;
    for (int v = 0; v < BG_HIDDEN / 16; v++) {
        __m256i t = _mm256_min_epi16(_mm256_max_epi16(_mm256_load_si256(sum + v), zero), one);
        t = _mm256_slli_epi16(t, BG_SQUARE_SHIFT);
        _mm256_store_si256(act + v, _mm256_mulhi_epi16(t, t));
    }
    const int32_t *pairs = (const int32_t *)s->act;
    const __m256i *b1 = (const __m256i *)w->b1[phase], *w1 = (const __m256i *)w->w1[phase];
    __m256i a0 = _mm256_load_si256(b1), a1 = _mm256_load_si256(b1 + 1);
    __m256i a2 = _mm256_load_si256(b1 + 2), a3 = _mm256_load_si256(b1 + 3);
    for (int i = 0; i < BG_HIDDEN / 2; i++) {
        __m256i x = _mm256_set1_epi32(pairs[i]);
        a0 = _mm256_add_epi32(a0, _mm256_madd_epi16(x, _mm256_load_si256(w1 + 4 * i)));
        a1 = _mm256_add_epi32(a1, _mm256_madd_epi16(x, _mm256_load_si256(w1 + 4 * i + 1)));
        a2 = _mm256_add_epi32(a2, _mm256_madd_epi16(x, _mm256_load_si256(w1 + 4 * i + 2)));
        a3 = _mm256_add_epi32(a3, _mm256_madd_epi16(x, _mm256_load_si256(w1 + 4 * i + 3)));
    }
    const __m256i top = _mm256_set1_epi32(1 << BG_ACT_BITS);
#define HIDDEN(a)                                                                                       \
    a = _mm256_srai_epi32(a, BG_LOGIT_BITS - BG_ACT_BITS);                                              \
    a = _mm256_min_epi32(_mm256_max_epi32(a, zero), top);                                               \
    a = _mm256_srli_epi32(_mm256_mullo_epi32(a, a), BG_ACT_BITS)
    HIDDEN(a0);
    HIDDEN(a1);
    HIDDEN(a2);
    HIDDEN(a3);
#undef HIDDEN
    /* packs interleaves the 128-bit halves; the permutation puts the units back in order */
    __m256i *hidden = (__m256i *)s->hidden;
    _mm256_store_si256(hidden, _mm256_permute4x64_epi64(_mm256_packs_epi32(a0, a1), 0xD8));
    _mm256_store_si256(hidden + 1, _mm256_permute4x64_epi64(_mm256_packs_epi32(a2, a3), 0xD8));
    const int32_t *h = (const int32_t *)s->hidden;
    const __m256i *w2 = (const __m256i *)w->w2[phase];
    __m256i l0 = _mm256_load_si256((const __m256i *)w->b2[phase]), l1 = zero;
    for (int i = 0; i < BG_SECOND / 2; i += 2) {
        l0 = _mm256_add_epi32(l0, _mm256_madd_epi16(_mm256_set1_epi32(h[i]), _mm256_load_si256(w2 + i)));
        l1 = _mm256_add_epi32(l1, _mm256_madd_epi16(_mm256_set1_epi32(h[i + 1]), _mm256_load_si256(w2 + i + 1)));
    }
    _mm256_store_si256((__m256i *)s->logits, _mm256_add_epi32(l0, l1));
}

#include "evaluate.h"
#undef BG_NAME
#undef BG_TARGET
