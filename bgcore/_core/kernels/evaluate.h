/* Evaluation and choice of a play over the steps of one SIMD level; included once a level.
 *
 * The including header defines BG_NAME and BG_TARGET and the level's add, move and finish.
 */

/* Kept apart from its callers: inlined there it runs short of registers. */
BG_TARGET BG_NOINLINE static int BG_NAME(tactical)(const uint32_t *planes, uint16_t *rows) {
    return bg_tactical(planes, rows);
}

/* Six outcomes of one position, worked out from nothing. */
BG_TARGET static void BG_NAME(evaluate)(const BgWeights *w, BgScratch *s, const uint32_t *planes, double *out) {
    int n = bg_stacked(planes, s->rows);
    BG_NAME(add)(s->sum, w->bias, w->stacks[0], s->rows, n);
    int phase = BG_NAME(tactical)(planes, s->rows);
    BG_NAME(add)(s->sum, s->sum, w->rows[0], s->rows, BG_TACTICAL);
    BG_NAME(finish)(w, phase, s);
    bg_softmax(s->logits, bg_possible(planes), out);
}

/* Take a position as the parent of the plays that follow: its base rows, seen by the opponent. Kept
 * from call to call, so that the 21 rolls of a position share it. */
BG_TARGET static void BG_NAME(parent)(const BgWeights *w, BgScratch *s, const uint32_t *board) {
    uint32_t turned[8];
    if (memcmp(s->parent, board, sizeof s->parent) == 0) return;
    memcpy(s->parent, board, sizeof s->parent);
    bg_turn(board, turned);
    bg_base(turned, s->rows);
    BG_NAME(add)(s->base, w->bias, w->rows[0], s->rows, BG_BASE_ACTIVE);
    for (int j = 0; j < BG_FILTER; j++) {
        int16_t sum = w->filter_bias[j];
        for (int i = 0; i < BG_BASE_ACTIVE; i++) sum = (int16_t)(sum + w->filter_rows[s->rows[i]][j]);
        s->filter_base[j] = sum;
    }
}

/* How the filter ranks a result of the parent's roll (both in the mover's view): the lower the better. */
BG_TARGET static int32_t BG_NAME(rank)(const BgWeights *w, const BgScratch *s, const uint32_t *result) {
    uint16_t gone[16], come[16];
    int16_t sum[BG_FILTER];
    int32_t total = 0;
    int n = bg_base_changes(s->parent, result, gone, come);
    memcpy(sum, s->filter_base, sizeof sum);
    for (int i = 0; i < n; i++) {
        const int16_t *in = w->filter_rows[come[i]], *out = w->filter_rows[gone[i]];
        for (int j = 0; j < BG_FILTER; j++) sum[j] = (int16_t)(sum[j] + in[j] - out[j]);
    }
    for (int j = 0; j < BG_FILTER; j++) {
        int32_t t = sum[j] < 0 ? 0 : sum[j] > 1 << BG_SUM_BITS ? 1 << BG_SUM_BITS : sum[j];
        total += (t * t >> (2 * BG_SUM_BITS - BG_ACT_BITS)) * w->filter_out[j];
    }
    return total;
}

/* Six outcomes for the opponent of a result of the parent's roll (in the mover's view). */
BG_TARGET static void BG_NAME(child)(const BgWeights *w, BgScratch *s, const uint32_t *result, double *out) {
    uint16_t gone[16], come[16];
    uint32_t planes[8];
    int n = bg_base_changes(s->parent, result, gone, come);
    bg_turn(result, planes);
    int phase = BG_NAME(tactical)(planes, s->rows);
    BG_NAME(add)(s->sum, s->base, w->rows[0], s->rows, BG_TACTICAL);
    BG_NAME(move)(s->sum, w, gone, come, n);
    BG_NAME(finish)(w, phase, s);
    bg_softmax(s->logits, bg_possible(planes), out);
}
