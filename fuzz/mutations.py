"""Changes to sound inputs that readers get wrong: on bytes, and on the nodes of a JSON document."""

import copy
import json
import random

NASTY_BYTES = (
    b"\x00",
    b"\xff",
    b"\x80",
    b"\r",
    b"\n\n",
    b"\t",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"\xc2\xb2",
    b"=",
    b":",
    b"-",
    b"+",
)
NASTY_NUMBERS = (
    "0", "-1", "1", "2", "3", "7", "15", "16", "25", "26", "27", "63", "64", "65", "127", "128", "255", "256",
    "32767", "32768", "65535", "2147483647", "2147483648", "4294967296", "9223372036854775807",
    "9223372036854775808", "18446744073709551616", "1e9", "1e400", "1e999999999", "-0", "0.5", "NaN", "Infinity",
    "٣", "²", "1_0", "9" * 400,
)  # fmt: skip
NASTY_VALUES = (
    None, True, False, 0, -1, 1, 2, 15, 16, 26, 2**31, 2**63, 2**64, 10**400, 0.5, -0.0, 1e308, float("inf"),
    float("nan"), "", "0", "white", "black", "x" * 5000, "1e999999999", "\x00", "\ud800", "٣", "../../../etc/passwd",
    "/etc/passwd.toml", "<script>alert(1)</script>", [], {}, [[]], {"": None}, [1] * 2000,
)  # fmt: skip

DEEP = "nested deep"


def mutated_bytes(rng: random.Random, data: bytes, others: list[bytes]) -> bytes:
    """Return the input after one to eight small changes."""
    made = bytearray(data)
    for _ in range(1 << rng.randrange(4)):
        kind = rng.randrange(9)
        at = rng.randrange(len(made) + 1)
        end = min(len(made), at + (1 << rng.randrange(6)))
        if kind == 0 and made:
            made[rng.randrange(len(made))] ^= 1 << rng.randrange(8)
        elif kind == 1 and made:
            made[rng.randrange(len(made))] = rng.randrange(256)
        elif kind == 2:
            del made[at:end]
        elif kind == 3:
            made[at:at] = made[at:end] * rng.choice((1, 2, 40))
        elif kind == 4:
            made[at:end] = rng.choice(NASTY_BYTES)
        elif kind == 5:
            made[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 6)))
        elif kind == 6 and others:
            other = rng.choice(others)
            start = rng.randrange(len(other) + 1)
            made[at:end] = other[start : start + (1 << rng.randrange(8))]
        elif kind == 7:
            digits = [place for place, byte in enumerate(made) if 48 <= byte <= 57]
            if digits:
                start = stop = rng.choice(digits)
                while stop < len(made) and 48 <= made[stop] <= 57:
                    stop += 1
                made[start:stop] = rng.choice(NASTY_NUMBERS).encode()
        elif made:
            start = rng.randrange(len(made))
            made[start : start + 1] = bytes([rng.choice(made)])
    return bytes(made[:200_000])


def mutated_json(rng: random.Random, data: bytes) -> bytes:
    """Return the document with one to four of its nodes changed; JSON again, if of odd values."""
    document = json.loads(data)
    depth = 0
    for _ in range(rng.randint(1, 4)):
        places, nodes = [], [document]
        while nodes:
            node = nodes.pop()
            keys = node.keys() if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
            places += [(node, key) for key in keys]
            nodes += [node[key] for key in keys]
        if not places:
            break
        node, key = rng.choice(places)
        kind = rng.randrange(6)
        if kind == 0:
            del node[key]
        elif kind == 1 and isinstance(node, dict):
            node[rng.choice(("", "__class__", key + " ", key.upper(), "policy", "note"))] = node[key]
        elif kind == 2:
            other, place = rng.choice(places)
            if place in (other if isinstance(other, dict) else range(len(other))):
                node[key] = json.loads(json.dumps(other[place]))
        elif kind == 3 and isinstance(node[key], int) and abs(node[key]) < 2**70:
            node[key] = node[key] + rng.choice((-1, 1, 14, 255, 0.5))
        elif kind == 4:
            node[key], depth = DEEP, rng.choice((3, 40, 3000, 100_000))
        else:
            node[key] = copy.deepcopy(rng.choice(NASTY_VALUES))
    return json.dumps(document).replace(f'"{DEEP}"', "[" * depth + "]" * depth).encode()


def mutated(rng: random.Random, seeds: list[bytes], is_json: bool) -> bytes:
    """Return a changed seed, for a reader of text, bytes or JSON."""
    seed = rng.choice(seeds)
    if is_json and len(seed) < 20_000 and rng.random() < 0.8:
        try:
            return mutated_json(rng, seed)
        except (ValueError, RecursionError):
            pass
    return mutated_bytes(rng, seed, seeds)
