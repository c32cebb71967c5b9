/* What the network sees of a position: active rows of its first layer, as indices.
 *
 * The one definition, shared by the integer inference and by the float trainer, so that the two
 * cannot drift apart. A position is eight 32-bit planes (four of the side on roll, four of its
 * opponent; see board.pxd). It activates
 *
 *   base rows     one for each checker ("the k-th checker on slot s", k beyond 6 counted as 6, and
 *                 the k-th checker borne off), so that moving a checker changes exactly two;
 *   tactical rows one for each of BG_TACTICAL features, a bucket of a count worked out with bit
 *                 masks: shots, escapes, entering numbers, blocks, timing, gammon race, ...
 *
 * Everything here is integer arithmetic on the board alone.
 */
#ifndef BG_INPUTS_H
#define BG_INPUTS_H

#include <stdint.h>
#include <string.h>

#if defined(_MSC_VER)
#include <intrin.h>
static inline int bg_count(uint32_t x) { return (int)__popcnt(x); }
static inline int bg_low(uint32_t x) { unsigned long i; _BitScanForward(&i, x); return (int)i; }
static inline int bg_high(uint32_t x) { unsigned long i; _BitScanReverse(&i, x); return (int)i; }
#define BG_INLINE static __forceinline
#define BG_NOINLINE __declspec(noinline)
#else
static inline int bg_count(uint32_t x) { return __builtin_popcount(x); }
static inline int bg_low(uint32_t x) { return __builtin_ctz(x); }
static inline int bg_high(uint32_t x) { return 31 - __builtin_clz(x); }
#define BG_INLINE static inline __attribute__((always_inline))
#define BG_NOINLINE __attribute__((noinline))
#endif

/* ------------------------------------------------------------------ the layout of the first layer */

#define BG_STACK 6                       /* rows for the checkers on one slot */
#define BG_SIDE_BASE (25 * BG_STACK + 15) /* 25 slots, then 15 borne off */
#define BG_BASE_ROWS (2 * BG_SIDE_BASE)
#define BG_BASE_ACTIVE 30                /* every checker has its row, also those borne off */

/* Features worked out for each side, and how many buckets each has. */
#define BG_SIDE_FEATURES(X) \
    X(SHOTS, 37)            /* rolls of 36 that hit */ \
    X(DOUBLE_SHOTS, 16)     /* rolls that hit two blots or more */ \
    X(PIPS_HIT, 25)         /* pips the opponent loses on average to those hits */ \
    X(SHOTS_BOARD, 70)      /* shots in 10 steps x points made in the hitter's home board */ \
    X(ESCAPE_REAR, 37)      /* rolls that take the rearmost checker past the block ahead of it */ \
    X(ESCAPE_SECOND, 37)    /* the same for the second rearmost slot */ \
    X(ESCAPE_BAR, 37)       /* the same for a checker on the bar, were there one */ \
    X(ESCAPE_LEAST, 37)     /* the least over the bar and the opponent's home board */ \
    X(ENTER, 256)           /* the opponent's home points x my checkers on the bar (0 to 3) */ \
    X(MOBILITY, 24)         /* checkers that each die could move, over all dice */ \
    X(PIPS, 48)             /* pip count in fives */ \
    X(TIMING, 24)           /* pips to play in the outer boards before the home board must break */ \
    X(ANCHORS, 64)          /* my points in the opponent's home board */ \
    X(BACK, 16)             /* my checkers there or on the bar */ \
    X(DEEP, 16)             /* my checkers on my three lowest points */ \
    X(PRIME, 121)           /* longest run of my points: length 2 to 6 x lowest slot */ \
    X(ZONE, 16)             /* my checkers on slots 1 to 12: builders and attackers */ \
    X(GAP, 26)              /* slots between my rearmost checker and theirs: how much contact is left */ \
    X(PAST, 16)             /* my checkers that nothing can hit any more */ \
    X(SPREAD, 24)           /* second moment of my checkers */ \
    X(BLOTS, 8)             \
    X(OUTSIDE, 40)          /* pips to bring everything home, in threes */ \
    X(GAMMON, 192)          /* their checkers on the board x my pips to come home, in 12 steps */ \
    X(OUTER, 64)            /* my points on slots 7 to 12 */ \
    X(MIDDLE, 64)           /* my points on slots 13 to 18 */ \
    X(REAR, 130)            /* slot of my rearmost checker x its escapes in 5 steps */

/* Features of the position as a whole. */
#define BG_SHARED_FEATURES(X) \
    X(LEAD, 61)             /* my pips less theirs, in threes */ \
    X(SHARE, 41)            /* the same as a share of all pips */ \
    X(BARS, 16)             /* my checkers on the bar x theirs, 0 to 3 */

enum {
#define X(name, size) BG_F_##name,
    BG_SIDE_FEATURES(X)
    BG_PER_SIDE,
#undef X
};

/* Offsets within one side's rows; the enum trick makes each offset the sum of the sizes before it. */
enum {
#define X(name, size) BG_O_##name, BG_O_##name##_LAST = BG_O_##name + (size) - 1,
    BG_SIDE_FEATURES(X)
    BG_SIDE_ROWS,
#undef X
};

enum {
    BG_O_SHARED_BEFORE = BG_BASE_ROWS + 2 * BG_SIDE_ROWS - 1,
#define X(name, size) BG_O_##name, BG_O_##name##_LAST = BG_O_##name + (size) - 1,
    BG_SHARED_FEATURES(X)
    BG_ROWS,
#undef X
};

enum {
#define X(name, size) BG_G_##name,
    BG_SHARED_FEATURES(X)
    BG_SHARED,
#undef X
};

#define BG_TACTICAL (2 * BG_PER_SIDE + BG_SHARED)
#define BG_ACTIVE (BG_BASE_ACTIVE + BG_TACTICAL)
#ifndef BG_PHASES
#define BG_PHASES 8
#endif
/* Raised whenever the meaning of a row or a number format changes: weights made before are then refused. */
#define BG_INPUTS_VERSION 2

/* ------------------------------------------------------------------------------------ bit helpers */

BG_INLINE uint32_t bg_mirror(uint32_t x) {
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0F0F0F0Fu) | ((x & 0x0F0F0F0Fu) << 4);
    x = ((x >> 8) & 0x00FF00FFu) | ((x & 0x00FF00FFu) << 8);
    return ((x >> 16) | (x << 16)) >> 6;
}

BG_INLINE void bg_turn(const uint32_t *planes, uint32_t *out) {
    for (int k = 0; k < 4; k++) {
        out[k] = bg_mirror(planes[4 + k]);
        out[4 + k] = bg_mirror(planes[k]);
    }
}

BG_INLINE int bg_at(const uint32_t *planes, int slot) {
    return (int)(((planes[0] >> slot) & 1) | ((planes[1] >> slot) & 1) << 1 | ((planes[2] >> slot) & 1) << 2 |
                 ((planes[3] >> slot) & 1) << 3);
}

BG_INLINE int bg_within(const uint32_t *planes, uint32_t mask) {
    return bg_count(planes[0] & mask) + 2 * bg_count(planes[1] & mask) + 4 * bg_count(planes[2] & mask) +
           8 * bg_count(planes[3] & mask);
}

BG_INLINE int bg_least(int a, int b) { return a < b ? a : b; }

/* -------------------------------------------------------------------------------------- base rows */

/* The row of the k-th checker (k from 1) of the side on roll (side 0) or its opponent (side 1) on a
 * slot seen by its owner: 25 its bar, 1 to 24 the points, 0 borne off. */
BG_INLINE int bg_base_row(int side, int slot, int k) {
    int row = slot ? (slot - 1) * BG_STACK + (k < BG_STACK ? k : BG_STACK) - 1 : 25 * BG_STACK + k - 1;
    return side * BG_SIDE_BASE + row;
}

BG_INLINE int bg_base_side(const uint32_t *own, int side, int is_mirrored, uint16_t *rows, int n) {
    uint32_t rest = own[0] | own[1] | own[2] | own[3];
    int total = 0;
    while (rest) {
        int bit = bg_low(rest);
        int slot = is_mirrored ? 25 - bit : bit;
        int count = bg_at(own, bit);
        rest &= rest - 1;
        total += count;
        for (int k = 1; k <= count; k++) rows[n++] = (uint16_t)bg_base_row(side, slot, k);
    }
    for (int k = 1; k <= 15 - total; k++) rows[n++] = (uint16_t)bg_base_row(side, 0, k);
    return n;
}

/* The same rows added up slot by slot: indices into BgWeights.stacks, one for each slot in use. */
BG_INLINE int bg_stack_row(int side, int slot, int count) { return (side * 26 + slot) * 16 + count; }

BG_INLINE int bg_stack_side(const uint32_t *own, int side, int is_mirrored, uint16_t *rows, int n) {
    int total = 0;
    for (uint32_t rest = own[0] | own[1] | own[2] | own[3]; rest; rest &= rest - 1) {
        int bit = bg_low(rest), count = bg_at(own, bit);
        total += count;
        rows[n++] = (uint16_t)bg_stack_row(side, is_mirrored ? 25 - bit : bit, count);
    }
    if (total < 15) rows[n++] = (uint16_t)bg_stack_row(side, 0, 15 - total);
    return n;
}

BG_INLINE int bg_stacked(const uint32_t *planes, uint16_t *rows) {
    return bg_stack_side(planes + 4, 1, 1, rows, bg_stack_side(planes, 0, 0, rows, 0));
}

/* All BG_BASE_ACTIVE base rows of a position. */
BG_INLINE void bg_base(const uint32_t *planes, uint16_t *rows) {
    int n = bg_base_side(planes, 0, 0, rows, 0);
    bg_base_side(planes + 4, 1, 1, rows, n);
}

/* Rows to take away and rows to add to get from one board to a result of its roll; both lists have the
 * returned length. Both boards are the mover's view, the rows those of the opponent's view after it:
 * the mover is side 1, and every slot is its owner's. */
BG_INLINE int bg_base_changes(const uint32_t *before, const uint32_t *after, uint16_t *gone, uint16_t *come) {
    int n_gone = 0, n_come = 0;
    for (int side = 0; side < 2; side++) {
        const uint32_t *a = before + 4 * side, *b = after + 4 * side;
        uint32_t rest = (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]);
        while (rest) {
            int bit = bg_low(rest), slot = side ? 25 - bit : bit;
            int old = bg_at(a, bit), new = bg_at(b, bit);
            rest &= rest - 1;
            for (int k = new + 1; k <= old; k++) gone[n_gone++] = (uint16_t)bg_base_row(!side, slot, k);
            for (int k = old + 1; k <= new; k++) come[n_come++] = (uint16_t)bg_base_row(!side, slot, k);
        }
        if (n_gone > n_come) {
            int off = 15 - bg_within(a, 0xFFFFFFFFu);
            while (n_come < n_gone) come[n_come++] = (uint16_t)bg_base_row(!side, 0, ++off);
        }
    }
    return n_gone;
}

/* ---------------------------------------------------------------------------------- tactical rows */

/* bg_escapes[w]: rolls of 36 that take a lone checker past the block ahead of it. Bit 11 of w is the
 * slot just ahead, bit 0 the one twelve pips on; a set bit is a point the opponent has made. The
 * block ends with the farthest such point within seven pips. */
static uint8_t bg_escapes[4096];

static int bg_escapes_with(int window, int die1, int die2, int end) {
    int steps = die1 == die2 ? 4 : 2, distance = 0;
    for (int i = 0; i < steps; i++) {
        distance += i % 2 ? die2 : die1;
        if (distance <= 12 && window >> (12 - distance) & 1) return 0;
        if (distance > end) return 1;
    }
    return 0;
}

static void bg_inputs_init(void) {
    for (int window = 0; window < 4096; window++) {
        int end = 0, rolls = 0;
        for (int distance = 1; distance <= 7; distance++)
            if (window >> (12 - distance) & 1) end = distance;
        for (int a = 1; a <= 6; a++)
            for (int b = 1; b <= 6; b++)
                rolls += end == 0 || bg_escapes_with(window, a, b, end) || bg_escapes_with(window, b, a, end);
        bg_escapes[window] = (uint8_t)rolls;
    }
}

BG_INLINE int bg_escape(uint32_t made, int slot) { return bg_escapes[((uint64_t)made << 12 >> slot) & 0xFFF]; }

/* One side's view: its own checkers move from 25 down to 0. */
typedef struct {
    uint32_t any, made, blots, they, their_made, their_blots;
    int bar, their_bar, on_board, their_on_board, pips;
} BgSide;

typedef struct {
    int shots, doubles, pips;
} BgShots;

/* Without branches, because none of them could be foretold. ``two`` is nothing where ``hit`` is. */
BG_INLINE void bg_add_roll(BgShots *s, uint32_t hit, uint32_t two, int weight) {
    s->shots += hit ? weight : 0;
    s->pips += weight * bg_high(hit | 1);
    s->doubles += two ? weight : 0;
}

/* Rolls with which a side hits, if it were on roll: direct and combination shots, bar first. A roll
 * hits two blots if each die can hit another, or one checker can hit with both. */
BG_INLINE BgShots bg_shots(const BgSide *s) {
    BgShots total = {0, 0, 0};
    const uint32_t blots = s->their_blots, open = ~s->their_made;
    uint32_t land[7], hit[7];
    if (!blots) return total;
    if (s->bar == 0) {
        for (int d = 1; d <= 6; d++) {
            land[d] = (s->any >> d) & open;
            hit[d] = land[d] & blots;
        }
        for (int a = 1; a <= 6; a++) {
            for (int b = 1; b < a; b++) {
                uint32_t far = ((land[a] >> b) | (land[b] >> a)) & blots;
                uint32_t direct = hit[a] | hit[b];
                uint32_t two = direct & (direct - 1) & -(uint32_t)((hit[a] != 0) & (hit[b] != 0));
                two |= ((hit[a] >> b) | (hit[b] >> a)) & blots;
                bg_add_roll(&total, direct | far, two, 2);
            }
            uint32_t second = (land[a] >> a) & open, third = (second >> a) & open, fourth = (third >> a) & open;
            uint32_t all = (land[a] | second | third | fourth) & blots;
            bg_add_roll(&total, all, all & (all - 1), 1);
        }
        return total;
    }
    const uint32_t enter = s->their_made, rest = s->bar > 1 ? s->any : s->any & 0x1FFFFFFu;
    for (int a = 1; a <= 6; a++) {
        uint32_t in_a = (1u << (25 - a)) & ~enter;
        for (int b = 1; b < a; b++) {
            uint32_t in_b = (1u << (25 - b)) & ~enter, all = (in_a | in_b) & blots, two = all & (all - 1);
            if (s->bar == 1) {
                uint32_t then_b = in_a ? ((rest | in_a) >> b) & blots : 0;
                uint32_t then_a = in_b ? ((rest | in_b) >> a) & blots : 0;
                two = ((in_a & blots) && then_b) || ((in_b & blots) && then_a);
                all |= then_a | then_b;
            } else if (!in_a || !in_b) {
                two = 0;
            }
            bg_add_roll(&total, all, two, 2);
        }
        if (in_a) {
            uint32_t all = in_a & blots, front = rest | in_a;
            for (int steps = 4 - s->bar; steps > 0; steps--) {
                front = (front >> a) & open & 0x1FFFFFEu;
                all |= front & blots;
            }
            bg_add_roll(&total, all, all & (all - 1), 1);
        }
    }
    return total;
}

BG_INLINE int bg_longest_prime(uint32_t made) {
    /* 1 + 24 * (length - 2) + lowest slot - 1, or 0 for no two points in a row */
    uint32_t run = made & (made >> 1);
    int length = 2;
    if (!run) return 0;
    while (length < 6 && (run & (made >> length))) run &= made >> length++;
    return 1 + 24 * (length - 2) + bg_low(run) - 1;
}

BG_INLINE void bg_side_rows(const uint32_t *own, const uint32_t *their, BgSide *s, int base, uint16_t *rows) {
    static const uint8_t shot_step[37] = {0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7,
                                          7, 7, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
    static const uint8_t escape_step[37] = {0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3,
                                            3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
    s->any = own[0] | own[1] | own[2] | own[3];
    s->made = (own[1] | own[2] | own[3]) & 0x1FFFFFEu;
    s->blots = s->any & ~s->made & 0x1FFFFFEu;
    s->they = their[0] | their[1] | their[2] | their[3];
    s->their_made = (their[1] | their[2] | their[3]) & 0x1FFFFFEu;
    s->their_blots = s->they & ~s->their_made & 0x1FFFFFEu;
    s->bar = bg_at(own, 25);
    s->their_bar = bg_at(their, 0);
    s->on_board = bg_within(own, 0xFFFFFFFFu);
    s->their_on_board = bg_within(their, 0xFFFFFFFFu);

    int pips = 0, squares = 0, outside = 0, timing = 0;
    for (uint32_t rest = s->any; rest; rest &= rest - 1) {
        int slot = bg_low(rest), count = bg_at(own, slot);
        pips += slot * count;
        squares += slot * slot * count;
        if (slot > 6) {
            outside += (slot - 6) * count;
            if (slot < 19) timing += (slot - 6) * count;
        }
    }
    s->pips = pips;
    int n = s->on_board ? s->on_board : 1;
    int spread = (squares * n - pips * pips) / (n * n); /* variance of the slots, 0 to about 140 */

    BgShots shots = bg_shots(s);
    int rear = s->any ? bg_high(s->any) : 0;
    uint32_t behind = s->any & ~(1u << rear);
    int second = behind ? bg_high(behind) : 0;
    int escape = bg_escape(s->their_made, rear), least = bg_escape(s->their_made, 25);
    int from_bar = least;
    for (int slot = 20; slot < 25; slot++) least = bg_least(least, bg_escape(s->their_made, slot));

    int mobility = 0;
    if (s->bar) {
        mobility = 6 - bg_count((s->their_made >> 19) & 0x3F);
    } else {
        for (int d = 1; d <= 6; d++) mobility += bg_count((s->any >> d) & ~s->their_made & 0x1FFFFFEu);
    }
    int front = s->they ? bg_low(s->they) : 25; /* their rearmost checker, in my view */
    int gap = rear > front ? rear - front : 0;
    int home = bg_count(s->made & 0x7E);

#define PUT(name, value) rows[BG_F_##name] = (uint16_t)(base + BG_O_##name + (value))
    PUT(SHOTS, shots.shots);
    PUT(DOUBLE_SHOTS, bg_least(shots.doubles, 15));
    PUT(PIPS_HIT, bg_least(shots.pips / 36, 24));
    PUT(SHOTS_BOARD, shot_step[shots.shots] * 7 + home);
    PUT(ESCAPE_REAR, escape);
    PUT(ESCAPE_SECOND, bg_escape(s->their_made, second));
    PUT(ESCAPE_BAR, from_bar);
    PUT(ESCAPE_LEAST, least);
    PUT(ENTER, (int)((s->their_made >> 19) & 0x3F) * 4 + bg_least(s->bar, 3));
    PUT(MOBILITY, bg_least(mobility / 2, 23));
    PUT(PIPS, bg_least(pips / 5, 47));
    PUT(TIMING, bg_least(timing / 3, 23));
    PUT(ANCHORS, (int)((s->made >> 19) & 0x3F));
    PUT(BACK, bg_within(own, 0x3F80000u));
    PUT(DEEP, bg_within(own, 0xEu));
    PUT(PRIME, bg_longest_prime(s->made));
    PUT(ZONE, bg_within(own, 0x1FFEu));
    PUT(GAP, gap);
    PUT(PAST, front > 0 ? bg_within(own, (1u << front) - 1) : 0);
    PUT(SPREAD, bg_least(spread / 4, 23));
    PUT(BLOTS, bg_least(bg_count(s->blots), 7));
    PUT(OUTSIDE, bg_least(outside / 3, 39));
    PUT(GAMMON, s->their_on_board * 12 + (outside ? bg_least(1 + outside / 8, 11) : 0));
    PUT(OUTER, (int)((s->made >> 7) & 0x3F));
    PUT(MIDDLE, (int)((s->made >> 13) & 0x3F));
    PUT(REAR, rear * 5 + escape_step[escape]);
#undef PUT
}

/* Which of the output stacks answers: race, bear-off with contact, bar fights, back games, ... */
BG_INLINE int bg_phase(const uint32_t *planes, const BgSide *me, const BgSide *they) {
    int front = me->they ? bg_low(me->they) : 25;
    int rear = me->any ? bg_high(me->any) : 0;
    if (rear <= front) return 0;
    if (me->on_board < 15 || they->on_board < 15) return 1;
    if (me->bar > 1 || they->bar > 1) return 2;
    int mine_back = bg_within(planes, 0x3F80000u), their_back = bg_within(planes + 4, 0x7Fu);
    if (mine_back > 2) return 3;
    if (their_back > 2) return 4;
    if (mine_back == 0) return 5;
    if (their_back == 0) return 6;
    return 7;
}

/* The BG_TACTICAL tactical rows of a position, feature by feature, and the phase it belongs to. */
BG_INLINE int bg_tactical(const uint32_t *planes, uint16_t *rows) {
    uint32_t turned[8];
    BgSide me, they;
    bg_turn(planes, turned);
    bg_side_rows(planes, planes + 4, &me, BG_BASE_ROWS, rows);
    bg_side_rows(turned, turned + 4, &they, BG_BASE_ROWS + BG_SIDE_ROWS, rows + BG_PER_SIDE);
    rows += 2 * BG_PER_SIDE;
    int lead = me.pips - they.pips, total = me.pips + they.pips + 20;
    int step = lead / 3, share = 100 * lead / total / 2;
    rows[BG_G_LEAD] = (uint16_t)(BG_O_LEAD + (step < -30 ? 0 : step > 30 ? 60 : step + 30));
    rows[BG_G_SHARE] = (uint16_t)(BG_O_SHARE + (share < -20 ? 0 : share > 20 ? 40 : share + 20));
    rows[BG_G_BARS] = (uint16_t)(BG_O_BARS + bg_least(me.bar, 3) * 4 + bg_least(they.bar, 3));
    return BG_PHASES > 1 ? bg_phase(planes, &me, &they) : 0;
}

/* ---------------------------------------------------------------------------- impossible outcomes */

/* Bit i is set if exclusive outcome i (win single, gammon, backgammon, lose single, gammon,
 * backgammon) can still happen: a side with a checker off cannot lose a gammon, and once contact is
 * gone only a side that still has a checker in the winner's home board can lose a backgammon. */
BG_INLINE int bg_possible(const uint32_t *planes) {
    uint32_t mine = planes[0] | planes[1] | planes[2] | planes[3], their = planes[4] | planes[5] | planes[6] | planes[7];
    int is_race = bg_high(mine | 1) <= bg_low(their | 0x4000000u);
    int possible = 0x3F;
    if (bg_within(planes, 0xFFFFFFFFu) < 15) possible &= 0x0F;
    else if (is_race && !(mine & 0x3F80000u)) possible &= 0x1F;
    if (bg_within(planes + 4, 0xFFFFFFFFu) < 15) possible &= 0x39;
    else if (is_race && !(their & 0x7Fu)) possible &= 0x3B;
    return possible;
}

#endif
