/* The network's kernels alone, at one level of SIMD, so that they can be run on a processor that has no Python here:
 *
 *   kernels LEVEL WEIGHTS PAIRS > ANSWERS
 *
 * PAIRS holds parents and results of their rolls, eight 32-bit planes each. For each pair come back the six chances of
 * the parent, the filter's rank of the result and the six chances after it, as bytes. Used by test_simd.py.
 */
#include <stdio.h>

#include "kernels.h"

enum { HEADER = 68 };

int main(int argc, char **argv) {
    size_t size = (sizeof(BgWeights) + 63) / 64 * 64, room = (sizeof(BgScratch) + 63) / 64 * 64;
    BgWeights *weights = aligned_alloc(64, size);
    BgScratch *scratch = aligned_alloc(64, room);
    FILE *file = argc == 4 ? fopen(argv[2], "rb") : NULL, *pairs = argc == 4 ? fopen(argv[3], "rb") : NULL;
    uint32_t pair[2][8];
    double chances[6];
    if (!weights || !scratch || !file || !pairs) return 1;
    if (fseek(file, HEADER, SEEK_SET) || fread(weights, 1, BG_FILE_BYTES, file) != BG_FILE_BYTES) return 1;
    memset(scratch, 0, room);
    bg_inputs_init();
    bg_fill_stacks(weights);
    for (int level = 0; level < BG_LEVELS; level++) {
        const BgKernels *kernels = &bg_levels[level];
        if (strcmp(kernels->name, argv[1]) || !bg_is_supported(level)) continue;
        while (fread(pair, sizeof pair, 1, pairs)) {
            kernels->evaluate(weights, scratch, pair[0], chances);
            fwrite(chances, sizeof chances, 1, stdout);
            kernels->parent(weights, scratch, pair[0]);
            int32_t rank = kernels->rank(weights, scratch, pair[1]);
            fwrite(&rank, sizeof rank, 1, stdout);
            kernels->child(weights, scratch, pair[1], chances);
            fwrite(chances, sizeof chances, 1, stdout);
        }
        return 0;
    }
    return 2;
}
