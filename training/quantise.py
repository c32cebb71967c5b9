"""From float weights to the weights file that bgcore reads."""

import hashlib
import struct

import numpy as np

from training.trainer import BASE_ROWS, FEATURE_SIZES, INPUTS_VERSION

CHECKERS = 15
STACK = 6  # rows of a slot: the checkers beyond share the last, BG_STACK of inputs.h
MAGIC = b"bgcore network\r\n"
# Of the plays of a roll so many at least and at most are evaluated, between them those within the margin
# (points of equity) of the one that the filter ranks first: 7 or 8 of 16, for 0.0001 points a roll.
PLAYING = (5, 16, 0.2)
# For labels: 4 or 5 of 16, for 0.0005 points a roll, which cancel between the two sides.
LABELLING = (4, 8, 0.1)


def fixed(values, bits, kind):
    """Round to fixed point; refuse what does not fit."""
    scaled = np.rint(np.asarray(values, dtype=np.float64) * (1 << bits))
    limits = np.iinfo(kind)
    if scaled.min() < limits.min or scaled.max() > limits.max:
        raise ValueError(f"a weight of {np.abs(values).max()} does not fit {np.dtype(kind)} with {bits} bits")
    return scaled.astype(np.dtype(kind).newbyteorder("<"))


def pairs(weights):
    """(phase, input, output) as (phase, input / 2, output, input % 2): two inputs side by side."""
    phases, inputs, outputs = weights.shape
    return np.ascontiguousarray(weights.reshape(phases, inputs // 2, 2, outputs).transpose(0, 1, 3, 2))


def highest_sum(rows):
    """The most that the rows of one side's 15 checkers can add up to in any layout, for each unit."""
    points, off = rows[: 25 * STACK].reshape(25, STACK, -1), rows[25 * STACK :]
    beyond = np.repeat(points[:, -1:], CHECKERS - STACK, axis=1)
    slots = np.concatenate([np.concatenate([points, beyond], axis=1), off[None]])
    best = np.full((CHECKERS + 1, rows.shape[1]), -np.inf)
    best[0] = 0
    for slot in slots:
        stacks = np.concatenate([np.zeros((1, rows.shape[1])), np.cumsum(slot, axis=0)])
        best = np.stack([(best[: count + 1] + stacks[count::-1]).max(axis=0) for count in range(CHECKERS + 1)])
    return best[CHECKERS].astype(np.int64)


def widest_sum(rows, bias):
    """The furthest from nought that a row sum can get in any position, for each unit: a bound, not always reached."""

    def highest(sign):
        signed = rows.astype(np.int64) * sign
        sides = signed[:BASE_ROWS].reshape(2, BASE_ROWS // 2, -1)
        features = np.split(signed[BASE_ROWS:], np.cumsum(FEATURE_SIZES)[:-1])
        return (
            bias.astype(np.int64) * sign
            + sum(highest_sum(side) for side in sides)
            + sum(feature.max(axis=0) for feature in features)
        )

    return np.maximum(highest(1), highest(-1))


def filter_parts(ranker, least, most, margin):
    """The filter's part of the file; without one (None) all plays of a roll are evaluated."""
    if ranker is None:
        least = most = 0
        ranker = {"rows": np.zeros((BASE_ROWS, 32)), "bias": np.zeros(32), "out": np.zeros(32)}
    rows, bias = fixed(ranker["rows"], 11, np.int16), fixed(ranker["bias"], 11, np.int16)
    out = fixed(ranker["out"], 10, np.int16)
    if (np.abs(bias.astype(np.int64)) + 30 * np.abs(rows.astype(np.int64)).max(0)).max() >= 1 << 15:
        raise ValueError("the filter's row sum can leave 16 bits")
    if np.abs(out.astype(np.int64)).sum() * 4096 >= 1 << 31:
        raise ValueError("the filter's output can leave 32 bits")
    keep = np.zeros(16, dtype="<i4")
    keep[:3] = least, most, round(margin * (1 << 22))
    return bias, out, rows, keep


def quantise(arrays, ranker=None, keep=PLAYING):
    """The bytes of the weights file for a float network and its filter, and the widest the row sum can get."""
    rows, bias = fixed(arrays["rows"], 11, np.int16), fixed(arrays["bias"], 11, np.int16)
    w1 = fixed(arrays["w1"][:-1] + arrays["w1"][-1], 12, np.int16)
    w2 = fixed(arrays["w2"][:-1] + arrays["w2"][-1], 12, np.int16)
    b1 = fixed(arrays["b1"][:-1] + arrays["b1"][-1], 24, np.int32)
    b2 = fixed(arrays["b2"][:-1] + arrays["b2"][-1], 24, np.int32)
    for name, weights, biases in (("second", w1, b1), ("output", w2, b2)):
        most = (np.abs(weights.astype(np.int64)).sum(1) * 4096 + np.abs(biases)).max()
        if most >= 1 << 31:
            raise ValueError(f"the {name} layer can leave 32 bits")
    worst = widest_sum(rows, bias)
    if worst.max() >= 1 << 15:
        raise ValueError("the row sum can leave 16 bits")
    body = b"".join(part.tobytes() for part in (bias, rows, pairs(w1), b1, pairs(w2), b2, *filter_parts(ranker, *keep)))
    head = struct.pack(
        "<16s5I32s",
        MAGIC,
        INPUTS_VERSION,
        rows.shape[0],
        rows.shape[1],
        w1.shape[2],
        w1.shape[0],
        hashlib.sha256(body).digest(),
    )
    return head + body, int(worst.max())
