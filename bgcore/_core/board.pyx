"""Positions: immutable, hashable, validated once; boards in and out of the bit planes."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.string cimport memcpy, memset

import base64
import binascii

import numpy as np

from bgcore.errors import ArgumentError, NotationError, PositionError, binary, shown

cdef enum:
    # What row_faults() reports, one bit each; describe() in this module turns them into sentences.
    FAULT_MY_BAR = 1
    FAULT_THEIR_BAR = 2
    FAULT_MINE_TOO_MANY = 4
    FAULT_THEIRS_TOO_MANY = 8
    FAULT_BOTH_OFF = 16
    FAULT_BOTH_CLOSED_OUT = 32


# The eight bits of a byte, one to a byte, lowest first; filled at import, read-only from then on.
cdef uint64_t SPREAD[256]


cdef void fill_spread() noexcept:
    cdef int byte, bit
    for byte in range(256):
        SPREAD[byte] = 0
        for bit in range(8):
            SPREAD[byte] |= <uint64_t>(byte >> bit & 1) << (8 * bit)


fill_spread()


cdef inline uint64_t eight_counts(const uint32_t* planes, int shift) noexcept nogil:
    """The checkers on eight slots from ``shift`` on, one slot to a byte."""
    return (
        SPREAD[planes[0] >> shift & 0xFF] | SPREAD[planes[1] >> shift & 0xFF] << 1
        | SPREAD[planes[2] >> shift & 0xFF] << 2
    )


cdef void board_to_row(const Board* b, int8_t* row) noexcept nogil:
    """Write the 26 ints of a board; ``row`` must have room for 32 bytes."""
    cdef uint64_t mine, theirs, bytes_
    cdef int shift
    # Stacks of eight and more are rare: their plane is looked at only when one side has such a stack.
    cdef bint is_stacked = (b.mine[3] | b.theirs[3]) != 0
    for shift in range(0, 32, 8):
        mine = eight_counts(b.mine, shift)
        theirs = eight_counts(b.theirs, shift)
        if is_stacked:
            mine |= SPREAD[b.mine[3] >> shift & 0xFF] << 3
            theirs |= SPREAD[b.theirs[3] >> shift & 0xFF] << 3
        # Negate all eight bytes at once: 0x80 - t never borrows from its neighbour, and ^ 0x80 then
        # takes the bias away again; a slot is never held by both sides, so | joins them.
        theirs = (<uint64_t>0x8080808080808080 - theirs) ^ <uint64_t>0x8080808080808080
        bytes_ = mine | theirs
        memcpy(row + shift, &bytes_, 8)


cdef void row_to_board(const int8_t* row, Board* out) noexcept nogil:
    """Read 26 ints that row_faults() has found free of faults.

    Eight slots at a time as the bytes of a word: the product gathers one bit of each byte at the top.
    """
    cdef uint64_t word, minus, negative, mine, theirs
    cdef uint64_t ones = <uint64_t>0x0101010101010101, gather = <uint64_t>0x0102040810204080
    cdef int part, byte, k
    memset(out, 0, sizeof(Board))
    for part in range(4):
        word = 0
        for byte in range(8 if part < 3 else 2):
            word |= <uint64_t><uint8_t>row[8 * part + byte] << (8 * byte)
        minus = (word >> 7) & ones
        negative = minus * 255
        mine = word & ~negative
        theirs = ((word ^ negative) + minus) & negative
        for k in range(4):
            out.mine[k] |= <uint32_t>(((mine >> k) & ones) * gather >> 56) << (8 * part)
            out.theirs[k] |= <uint32_t>(((theirs >> k) & ones) * gather >> 56) << (8 * part)


cdef int row_faults(const int8_t* row) noexcept nogil:
    """Everything wrong with 26 ints as FAULT_ bits; 0 for a legal board."""
    cdef int slot, n, mine = 0, theirs = 0, faults = 0
    cdef int my_home_made = 0, their_home_made = 0
    for slot in range(26):    # no branches, so that it runs in vectors
        n = row[slot]
        mine += n if n > 0 else 0
        theirs -= n if n < 0 else 0
    if row[25] > 0 and row[0] < 0:
        for slot in range(1, 7):
            my_home_made += row[slot] >= 2
            their_home_made += row[25 - slot] <= -2
    if row[25] < 0:
        faults |= FAULT_MY_BAR
    if row[0] > 0:
        faults |= FAULT_THEIR_BAR
    if mine > 15:
        faults |= FAULT_MINE_TOO_MANY
    if theirs > 15:
        faults |= FAULT_THEIRS_TOO_MANY
    if mine == 0 and theirs == 0:
        faults |= FAULT_BOTH_OFF
    if my_home_made == 6 and their_home_made == 6:
        faults |= FAULT_BOTH_CLOSED_OUT
    return faults


def describe(int faults, row):
    """Turn FAULT_ bits into sentences; ``row`` is the board they were found in."""
    sentences = []
    mine = sum(int(n) for n in row if n > 0)
    theirs = -sum(int(n) for n in row if n < 0)
    if faults & FAULT_MINE_TOO_MANY:
        sentences.append(f"the side to move has {shown(mine)} checkers on the board, {shown(mine - 15)} more than 15")
    if faults & FAULT_THEIRS_TOO_MANY:
        sentences.append(f"the opponent has {shown(theirs)} checkers on the board, {shown(theirs - 15)} more than 15")
    if faults & FAULT_MY_BAR:
        held = shown(int(row[25]))
        sentences.append(f"slot 25 is the bar of the side to move and holds {held}: it must be 0 or positive")
    if faults & FAULT_THEIR_BAR:
        held = shown(int(row[0]))
        sentences.append(f"slot 0 is the opponent's bar and holds {held}: it must be 0 or negative")
    if faults & FAULT_BOTH_OFF:
        sentences.append("neither side has a checker on the board: both cannot have borne off all 15")
    if faults & FAULT_BOTH_CLOSED_OUT:
        sentences.append("both sides are on the bar against a closed home board: no play can lead there")
    return tuple(sentences)


cdef Position wrap(const Board* b):
    """A Position around planes that are known to be legal."""
    cdef Position position = Position.__new__(Position)
    position.board_bits = b[0]
    return position


cdef Position as_position(object value):
    """A Position that came as an argument; `ArgumentError` for anything else."""
    if isinstance(value, Position):
        return <Position>value
    raise ArgumentError(f"a Position is expected, not {type(value).__name__}")


cdef int read_half(const uint8_t* key, int bit, uint32_t* planes, bint is_mine) except -1:
    """Read one side of a position key from ``bit`` on; returns the bit after it, or 0 if it runs out."""
    cdef int slot, n
    for slot in range(1, 26):
        n = 0
        while bit < 80 and key[bit >> 3] >> (bit & 7) & 1:
            n += 1
            bit += 1
        if bit >= 80 or n > 15:
            return 0
        bit += 1
        while n:
            add_checker(planes, <uint32_t>1 << (slot if is_mine else 25 - slot))
            n -= 1
    return bit


@cython.final
cdef class Position:
    """A legal backgammon position, seen by the player whose turn it is; immutable and hashable.

    Build one with :meth:`starting`, :meth:`from_board`, :meth:`from_position_id` or :meth:`from_key`;
    :meth:`from_xgid` reads one together with its cube, dice and score.
    Pickles by its 10-byte key. Thread-safe: nothing about it ever changes.
    """

    def __init__(self):
        raise TypeError("use Position.starting() or one of Position.from_board(), .from_position_id(), .from_key()")

    @staticmethod
    def starting():
        """The opening position; it looks the same from both sides."""
        return Position.from_board((0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0))

    @staticmethod
    def from_board(board):
        """Build a position from a board list, naming every fault at once.

        Parameters
        ----------
        board : sequence of 26 int
            Seen by the player to move: ``[0]`` the opponent's bar (0 or negative), ``[1]..[24]`` the
            points (mine positive, the opponent's negative), ``[25]`` my bar. Checkers borne off are
            15 less those on the board. It is copied, never changed.

        Raises
        ------
        PositionError
            If it is not 26 whole numbers, or no legal position has this board; ``.faults`` lists all.
        """
        cdef int8_t row[32]
        cdef int slot, faults
        cdef Position position
        try:
            values = [n.__index__() for n in board]
        except (TypeError, AttributeError):
            raise PositionError("a board is a sequence of 26 whole numbers") from None
        if len(values) != 26:
            raise PositionError(f"a board has 26 numbers (bar, 24 points, bar), not {len(values)}")
        wild = [
            f"slot {slot} holds {shown(n)}: a side has only 15 checkers"
            for slot, n in enumerate(values) if not -15 <= n <= 15
        ]
        for slot in range(26):
            row[slot] = <int8_t>(values[slot] if -15 <= values[slot] <= 15 else 0)
        faults = row_faults(row)
        if faults or wild:
            mine = sum(n for n in values if n > 0)
            theirs = -sum(n for n in values if n < 0)
            faults &= ~(FAULT_MINE_TOO_MANY | FAULT_THEIRS_TOO_MANY | FAULT_BOTH_OFF)
            if mine > 15:
                faults |= FAULT_MINE_TOO_MANY
            if theirs > 15:
                faults |= FAULT_THEIRS_TOO_MANY
            if mine == 0 and theirs == 0:
                faults |= FAULT_BOTH_OFF
            sentences = (*wild, *describe(faults, values))
            raise PositionError("illegal position: " + "; ".join(sentences), sentences)
        position = Position.__new__(Position)
        row_to_board(row, &position.board_bits)
        return position

    @staticmethod
    def from_key(key):
        """Build a position from its 10-byte key (gnubg's position key: the bits of a Position ID).

        Parameters
        ----------
        key : bytes, bytearray or memoryview
            10 bytes.
        """
        cdef Position position = Position.__new__(Position)
        cdef const uint8_t* bits
        cdef int8_t row[32]
        cdef int bit, faults
        key = binary(key, "a position key is bytes")
        if len(key) != 10:
            raise NotationError(f"a position key has 10 bytes, not {len(key)}")
        bits = <const uint8_t*>PyBytes_AS_STRING(<bytes>key)
        memset(&position.board_bits, 0, sizeof(Board))
        bit = read_half(bits, 0, position.board_bits.theirs, False)
        bit = read_half(bits, bit, position.board_bits.mine, True) if bit else 0
        if bit == 0:
            raise NotationError("not a position key: its bits do not describe 25 slots of up to 15 checkers a side")
        while bit < 80:
            if bits[bit >> 3] >> (bit & 7) & 1:
                raise NotationError("not a position key: there are bits set behind the last slot")
            bit += 1
        shared = any_mine(&position.board_bits) & any_theirs(&position.board_bits)
        if shared:
            points = ", ".join(str(slot) for slot in range(26) if shared >> slot & 1)
            raise PositionError(f"illegal position: both sides have checkers on point {points}")
        if on_board(position.board_bits.mine) > 15 or on_board(position.board_bits.theirs) > 15:
            n = max(on_board(position.board_bits.mine), on_board(position.board_bits.theirs))
            raise PositionError(f"illegal position: a side has {n} checkers on the board, {n - 15} more than 15")
        board_to_row(&position.board_bits, row)
        faults = row_faults(row)
        if faults:
            sentences = describe(faults, [row[slot] for slot in range(26)])
            raise PositionError("illegal position: " + "; ".join(sentences), sentences)
        return position

    @staticmethod
    def from_position_id(text):
        """Build a position from a 14-character Position ID; the side to move is its second half.

        Parameters
        ----------
        text : str
            For example ``"4HPwATDgc/ABMA"``; blanks around it are dropped.

        Raises
        ------
        NotationError
            If it is not 14 base64 characters, or they do not decode to 25 slots a side.
        PositionError
            If both sides share a point, or no legal position has this board.
        """
        if not isinstance(text, str):
            raise ArgumentError(f"a Position ID is text, not {type(text).__name__}")
        text = text.strip()
        if len(text) != 14:
            raise NotationError(f"a Position ID has 14 characters, not {len(text)}: {text[:40]!r}")
        try:
            key = base64.b64decode(text + "==", validate=True)
        except (binascii.Error, ValueError):
            raise NotationError(f"a Position ID has only letters, digits, + and /: {text!r}") from None
        if base64.b64encode(key).decode("ascii")[:14] != text:
            raise NotationError(f"not a Position ID: the last character of {text!r} carries bits beyond the 80 used")
        return Position.from_key(key)

    @staticmethod
    def from_xgid(text):
        """Read an XGID; unpacks as ``position, context = Position.from_xgid(text)``.

        Parameters
        ----------
        text : str
            With or without ``XGID=``.

        Returns
        -------
        bgcore.codecs.situation.Situation
            The position seen by the side to move, with the cube, dice, score and rules around it.

        Raises
        ------
        NotationError
            Naming the field that is wrong, and what it may hold.
        """
        from bgcore.codecs.xgid import parse_xgid

        return parse_xgid(text)

    @property
    def key(self):
        """The 10-byte position key: the opponent's slots first, then mine, from the ace point to the bar."""
        cdef uint8_t bits[10]
        cdef int slot, n, bit = 0
        memset(bits, 0, 10)
        for slot in range(24, -1, -1):
            n = count_at(self.board_bits.theirs, slot)
            while n:
                bits[bit >> 3] |= 1 << (bit & 7)
                bit += 1
                n -= 1
            bit += 1
        for slot in range(1, 26):
            n = count_at(self.board_bits.mine, slot)
            while n:
                bits[bit >> 3] |= 1 << (bit & 7)
                bit += 1
                n -= 1
            bit += 1
        return PyBytes_FromStringAndSize(<char*>bits, 10)

    @property
    def position_id(self):
        """The 14-character Position ID; the side to move is its second half."""
        return base64.b64encode(self.key)[:14].decode("ascii")

    @property
    def board(self):
        """The board as a read-only numpy array of 26 int8; see :meth:`from_board` for its layout."""
        cdef int8_t row[32]
        board_to_row(&self.board_bits, row)
        array = np.frombuffer(PyBytes_FromStringAndSize(<char*>row, 26), dtype=np.int8)
        return array

    @property
    def pip_counts(self):
        """Pip counts ``(mine, opponent's)``; a checker on the bar counts 25."""
        return pips_mine(&self.board_bits), pips_theirs(&self.board_bits)

    @property
    def off(self):
        """Checkers borne off, ``(mine, opponent's)``."""
        return 15 - on_board(self.board_bits.mine), 15 - on_board(self.board_bits.theirs)

    @property
    def is_race(self):
        """Whether no checker can hit another any more; a finished game is a race."""
        return not is_contact(&self.board_bits)

    @property
    def outcome(self):
        """Points of a finished game, mine positive (1 single, 2 gammon, 3 backgammon); 0 while it goes on."""
        return outcome(&self.board_bits)

    def flip(self):
        """The same position seen by the other player."""
        cdef Position other = Position.__new__(Position)
        flip(&self.board_bits, &other.board_bits)
        return other

    def __eq__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        return is_same(&self.board_bits, &(<Position>other).board_bits)

    def __hash__(self):
        return <Py_hash_t>hash_board(&self.board_bits)

    def __reduce__(self):
        return Position.from_key, (self.key,)

    def __repr__(self):
        return f"Position.from_position_id({self.position_id!r})"

    def _repr_svg_(self):
        from bgcore.render.notebook import position_svg

        return position_svg(self)
