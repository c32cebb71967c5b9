/* Evaluation and choice of a play over the steps of one SIMD level; included once a level.
 *
 * The including header defines BG_NAME and BG_TARGET and the level's add, move and finish.
 */

/* Six outcomes of one position, worked out from nothing. */
BG_TARGET static void BG_NAME(evaluate)(const BgWeights *w, BgScratch *s, const uint32_t *planes, double *out) {
    bg_base(planes, s->rows);
    int phase = bg_tactical(planes, s->rows + BG_BASE_ACTIVE);
    BG_NAME(add)(s->sum, w->bias, w, s->rows, BG_ACTIVE);
    BG_NAME(finish)(w, phase, s);
    bg_softmax(s->logits, bg_possible(planes), out);
}

/* Take the base rows of a position as the parent of those that follow. */
BG_TARGET static void BG_NAME(parent)(const BgWeights *w, BgScratch *s, const uint32_t *planes) {
    bg_base(planes, s->rows);
    BG_NAME(add)(s->base, w->bias, w, s->rows, BG_BASE_ACTIVE);
}

/* Six outcomes of a position that is a play away from the parent. */
BG_TARGET static void BG_NAME(child)(const BgWeights *w, BgScratch *s, const uint32_t *parent, const uint32_t *planes,
                                     double *out) {
    uint16_t gone[16], come[16];
    int n = bg_base_changes(parent, planes, gone, come);
    int phase = bg_tactical(planes, s->rows);
    BG_NAME(add)(s->sum, s->base, w, s->rows, BG_TACTICAL);
    BG_NAME(move)(s->sum, w, gone, come, n);
    BG_NAME(finish)(w, phase, s);
    bg_softmax(s->logits, bg_possible(planes), out);
}
