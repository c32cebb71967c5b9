/* The shape of the network and its fixed-point scales: what the weights file, the kernels and the
 * trainer agree on.
 *
 *   sum      int16, 1.0 = 2^11   bias + the active rows
 *   act      int16, 1.0 = 2^12   clip(sum, 0, 1) squared
 *   second   int32, 1.0 = 2^24   bias + act * w1 (w1: int16, 1.0 = 2^12), one set a phase
 *   hidden   int16, 1.0 = 2^12   clip(second, 0, 1) squared
 *   logits   int32, 1.0 = 2^24   bias + hidden * w2 (w2: int16, 1.0 = 2^12)
 *
 * Probabilities are the softmax of the logits over the outcomes that are still possible.
 */
#ifndef BG_SHAPE_H
#define BG_SHAPE_H

#include <stddef.h>
#include <stdint.h>

#include "inputs.h"

/* Other values of these two are for experiments (training/ablate.py): 128 to 512, and 1 or 8. */
#ifndef BG_HIDDEN
#define BG_HIDDEN 256 /* units of the row sum, a multiple of 128 */
#endif
#define BG_SECOND 32  /* units of the second layer */
#define BG_FILTER 32  /* units of the filter that ranks the plays of a roll */
#define BG_OUTCOMES 6 /* win single, gammon, backgammon, lose single, gammon, backgammon */

#define BG_STACKS (2 * 26 * 16)

#define BG_SUM_BITS 11
#define BG_ACT_BITS 12
#define BG_WEIGHT_BITS 12
#define BG_LOGIT_BITS 24
#define BG_SQUARE_SHIFT ((16 + BG_ACT_BITS) / 2 - BG_SUM_BITS) /* before a product that keeps the upper 16 bits */

/* Pairs of inputs lie side by side, so that one multiply-and-add instruction takes both:
 * w1[phase][input / 2][output][input % 2], w2[phase][input / 2][output][input % 2] with 8 outputs. */
typedef struct BgWeights {
    int16_t bias[BG_HIDDEN];
    int16_t rows[BG_ROWS][BG_HIDDEN];
    int16_t w1[BG_PHASES][BG_HIDDEN / 2][BG_SECOND][2];
    int32_t b1[BG_PHASES][BG_SECOND];
    int16_t w2[BG_PHASES][BG_SECOND / 2][8][2];
    int32_t b2[BG_PHASES][8];
    /* The filter: base rows alone, clipped squares, one output that counts within a roll only (the lower
     * the better for the mover). Of the plays of a roll at least keep[0] and at most keep[1] are
     * evaluated, and of those between the ones within keep[2] (1.0 = 2^22) of the first; all if both are 0. */
    int16_t filter_bias[BG_FILTER];
    int16_t filter_out[BG_FILTER];
    int16_t filter_rows[BG_BASE_ROWS][BG_FILTER];
    int32_t keep[16];
    /* Not in the file: the sums of the base rows of 1 to 15 checkers on a slot (0: borne off), so that a
     * position worked out from nothing adds one row for each slot in use. */
    int16_t stacks[BG_STACKS][BG_HIDDEN];
} BgWeights;

#define BG_FILE_BYTES offsetof(BgWeights, stacks)

/* Work out what is not in the file. */
static inline void bg_fill_stacks(BgWeights *w) {
    memset(w->stacks, 0, sizeof w->stacks);
    for (int side = 0; side < 2; side++)
        for (int slot = 0; slot < 26; slot++)
            for (int k = 1; k < 16; k++) {
                int at = bg_stack_row(side, slot, k);
                const int16_t *row = w->rows[bg_base_row(side, slot, k)];
                for (int j = 0; j < BG_HIDDEN; j++) w->stacks[at][j] = (int16_t)(w->stacks[at - 1][j] + row[j]);
            }
}

/* What one thread needs besides the weights; aligned to 64 bytes by whoever allocates it. */
typedef struct {
    int16_t base[BG_HIDDEN]; /* the parent's base rows */
    int16_t filter_base[BG_FILTER];
    int16_t sum[BG_HIDDEN];
    int16_t act[BG_HIDDEN];
    int16_t hidden[BG_SECOND];
    int32_t logits[8];
    uint16_t rows[BG_ACTIVE + 3];
    uint32_t parent[8]; /* whose base rows those are; no position is all zero */
} BgScratch;

#endif
