/* The network's kernels and the one resolver that picks a level of SIMD.
 *
 * Every level is compiled into the same module by per-function targets; bg_resolve picks the best one
 * that the processor has, or the one that was asked for. All levels give the same bits.
 */
#ifndef BG_KERNELS_H
#define BG_KERNELS_H

#include <stdlib.h>

#include "shape.h"
#include "softmax.h"

#include "scalar.h"
#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__))
#define BG_HAS_X86 1
#include <immintrin.h>
#include "avx2.h"
#include "avx512.h"
#endif
#if defined(__aarch64__) && (defined(__GNUC__) || defined(__clang__))
#define BG_HAS_NEON 1
#include <arm_neon.h>
#include "neon.h"
#endif

typedef struct {
    const char *name;
    void (*evaluate)(const BgWeights *, BgScratch *, const uint32_t *, double *);
    void (*parent)(const BgWeights *, BgScratch *, const uint32_t *);
    int32_t (*rank)(const BgWeights *, const BgScratch *, const uint32_t *);
    void (*child)(const BgWeights *, BgScratch *, const uint32_t *, double *);
} BgKernels;

#define BG_TABLE(level) {#level, bg_##level##_evaluate, bg_##level##_parent, bg_##level##_rank, bg_##level##_child}

/* From the plainest to the fastest. */
static const BgKernels bg_levels[] = {
    BG_TABLE(scalar),
#ifdef BG_HAS_X86
    BG_TABLE(avx2),
    BG_TABLE(avx512),
#endif
#ifdef BG_HAS_NEON
    BG_TABLE(neon),
#endif
};
#define BG_LEVELS ((int)(sizeof bg_levels / sizeof bg_levels[0]))

/* Whether this processor can run a level. */
static int bg_is_supported(int level) {
#ifdef BG_HAS_X86
    __builtin_cpu_init();
    if (level == 1)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (level == 2)
        return bg_is_supported(1) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
#endif
    return level >= 0 && level < BG_LEVELS;
}

#endif
