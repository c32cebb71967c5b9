/* 512-bit integer arithmetic of x86-64, with the 16-bit dot products of VNNI. */
#define BG_NAME(x) bg_avx512_##x
#define BG_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,avx2,bmi,bmi2,popcnt,lzcnt")))

BG_TARGET static void bg_avx512_add(int16_t *sum, const int16_t *from, const int16_t *table, const uint16_t *rows, int n) {
    __m512i acc[BG_HIDDEN / 32];
    for (int v = 0; v < BG_HIDDEN / 32; v++) acc[v] = _mm512_load_si512((const __m512i *)from + v);
    for (int i = 0; i < n; i++) {
        const __m512i *row = (const __m512i *)(table + rows[i] * BG_HIDDEN);
        for (int v = 0; v < BG_HIDDEN / 32; v++) acc[v] = _mm512_add_epi16(acc[v], _mm512_load_si512(row + v));
    }
    for (int v = 0; v < BG_HIDDEN / 32; v++) _mm512_store_si512((__m512i *)sum + v, acc[v]);
}

BG_TARGET static void bg_avx512_move(int16_t *sum, const BgWeights *w, const uint16_t *gone, const uint16_t *come, int n) {
    __m512i acc[BG_HIDDEN / 32];
    for (int v = 0; v < BG_HIDDEN / 32; v++) acc[v] = _mm512_load_si512((const __m512i *)sum + v);
    for (int i = 0; i < n; i++) {
        const __m512i *out = (const __m512i *)w->rows[gone[i]], *in = (const __m512i *)w->rows[come[i]];
        for (int v = 0; v < BG_HIDDEN / 32; v++)
            acc[v] = _mm512_sub_epi16(_mm512_add_epi16(acc[v], _mm512_load_si512(in + v)), _mm512_load_si512(out + v));
    }
    for (int v = 0; v < BG_HIDDEN / 32; v++) _mm512_store_si512((__m512i *)sum + v, acc[v]);
}

BG_TARGET static void bg_avx512_finish(const BgWeights *w, int phase, BgScratch *s) {
    const __m512i zero = _mm512_setzero_si512(), one = _mm512_set1_epi16(1 << BG_SUM_BITS);
    const __m512i *sum = (const __m512i *)s->sum;
    __m512i *act = (__m512i *)s->act;
    for (int v = 0; v < BG_HIDDEN / 32; v++) {
        __m512i t = _mm512_min_epi16(_mm512_max_epi16(_mm512_load_si512(sum + v), zero), one);
        t = _mm512_slli_epi16(t, BG_SQUARE_SHIFT);
        _mm512_store_si512(act + v, _mm512_mulhi_epi16(t, t));
    }
    /* four chains, so that the dot products do not wait for each other */
    const int32_t *pairs = (const int32_t *)s->act;
    const __m512i *b1 = (const __m512i *)w->b1[phase], *w1 = (const __m512i *)w->w1[phase];
    __m512i a0 = _mm512_load_si512(b1), a1 = _mm512_load_si512(b1 + 1), c0 = zero, c1 = zero;
    for (int i = 0; i < BG_HIDDEN / 2; i += 2) {
        __m512i x = _mm512_set1_epi32(pairs[i]), y = _mm512_set1_epi32(pairs[i + 1]);
        a0 = _mm512_dpwssd_epi32(a0, x, _mm512_load_si512(w1 + 2 * i));
        a1 = _mm512_dpwssd_epi32(a1, x, _mm512_load_si512(w1 + 2 * i + 1));
        c0 = _mm512_dpwssd_epi32(c0, y, _mm512_load_si512(w1 + 2 * i + 2));
        c1 = _mm512_dpwssd_epi32(c1, y, _mm512_load_si512(w1 + 2 * i + 3));
    }
    const __m512i top = _mm512_set1_epi32(1 << BG_ACT_BITS);
    a0 = _mm512_srai_epi32(_mm512_add_epi32(a0, c0), BG_LOGIT_BITS - BG_ACT_BITS);
    a1 = _mm512_srai_epi32(_mm512_add_epi32(a1, c1), BG_LOGIT_BITS - BG_ACT_BITS);
    a0 = _mm512_min_epi32(_mm512_max_epi32(a0, zero), top);
    a1 = _mm512_min_epi32(_mm512_max_epi32(a1, zero), top);
    a0 = _mm512_srli_epi32(_mm512_mullo_epi32(a0, a0), BG_ACT_BITS);
    a1 = _mm512_srli_epi32(_mm512_mullo_epi32(a1, a1), BG_ACT_BITS);
    _mm256_store_si256((__m256i *)s->hidden, _mm512_cvtepi32_epi16(a0));
    _mm256_store_si256((__m256i *)s->hidden + 1, _mm512_cvtepi32_epi16(a1));
    const int32_t *h = (const int32_t *)s->hidden;
    const __m256i *w2 = (const __m256i *)w->w2[phase];
    __m256i l0 = _mm256_load_si256((const __m256i *)w->b2[phase]), l1 = _mm256_setzero_si256();
    for (int i = 0; i < BG_SECOND / 2; i += 2) {
        l0 = _mm256_dpwssd_epi32(l0, _mm256_set1_epi32(h[i]), _mm256_load_si256(w2 + i));
        l1 = _mm256_dpwssd_epi32(l1, _mm256_set1_epi32(h[i + 1]), _mm256_load_si256(w2 + i + 1));
    }
    _mm256_store_si256((__m256i *)s->logits, _mm256_add_epi32(l0, l1));
}

#include "evaluate.h"
#undef BG_NAME
#undef BG_TARGET
