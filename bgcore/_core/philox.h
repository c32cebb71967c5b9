/* Philox4x64-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3" (SC 2011), table 2 and section 3.3. A pure function: the same counter
 * and key give the same four words on every machine. */
#ifndef BG_PHILOX_H
#define BG_PHILOX_H

#include <stdint.h>
#if defined(_MSC_VER)
  #include <intrin.h>
#endif

static inline uint64_t bg_multiply(uint64_t a, uint64_t b, uint64_t *high)
{
#if defined(__SIZEOF_INT128__)
    unsigned __int128 product = (unsigned __int128)a * b;
    *high = (uint64_t)(product >> 64);
    return (uint64_t)product;
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
    *high = __umulh(a, b);
    return a * b;
#else
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + ((a0 * b0) >> 32);
    uint64_t carry = a0 * b1 + (uint32_t)middle;
    *high = a1 * b1 + (middle >> 32) + (carry >> 32);
    return a * b;
#endif
}

/* out: the four words of the block; it may not overlap counter. */
static inline void bg_philox(const uint64_t counter[4], const uint64_t key[2], uint64_t out[4])
{
    uint64_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint64_t k0 = key[0], k1 = key[1];
    for (int i = 0; i < 10; i++) {
        uint64_t high0, high1;
        uint64_t low0 = bg_multiply(UINT64_C(0xD2E7470EE14C6C93), c0, &high0);
        uint64_t low1 = bg_multiply(UINT64_C(0xCA5A826395121157), c2, &high1);
        c0 = high1 ^ c1 ^ k0;
        c1 = low1;
        c2 = high0 ^ c3 ^ k1;
        c3 = low0;
        k0 += UINT64_C(0x9E3779B97F4A7C15);
        k1 += UINT64_C(0xBB67AE8584CAA73B);
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

#endif
