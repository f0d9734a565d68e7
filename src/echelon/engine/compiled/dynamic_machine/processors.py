"""Processors: which are free and which a job holds, in kernels: words of bits, and intervals in the log."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.dynamic_machine.state import FREE, FULL, LAST, PLACES, WORD
from echelon.libraries.kernel import kernel

# For counting bits: what a compiler knows as that.
_ONES, _PAIRS, _FOURS, _BYTES = (np.uint64(int(byte * 8, 16)) for byte in ("55", "33", "0F", "01"))
_1, _2, _4, _56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


@kernel
def count_bits(word):
    """Return how many bits of a word are set."""
    bits = np.uint64(word)
    bits -= (bits >> _1) & _ONES
    bits = (bits & _PAIRS) + ((bits >> _2) & _PAIRS)
    return np.int64((((bits + (bits >> _4)) & _FOURS) * _BYTES) >> _56)


@kernel
def count(words):
    """Return how many processors are in a row."""
    total = 0
    for w in range(len(words)):
        total += count_bits(words[w])
    return total


@kernel
def bits_between(low, high, w):
    """Return the bits of word `w` of the processors from `low` to `high`."""
    bits = FULL
    if low > w * WORD:
        bits = (bits << (low - w * WORD)) & FULL
    if high < w * WORD + WORD - 1:
        bits &= (1 << (high - w * WORD + 1)) - 1
    return bits


@kernel
def lowest_bits(bits, most):
    """Return the lowest bits of a word, at most so many."""
    if count_bits(bits) <= most:
        return bits
    rest = bits
    for _ in range(most):
        rest &= rest - 1
    return bits & ~rest


@kernel
def is_held(st, x):
    """Return whether a job holds processor `x`."""
    return (st.words[FREE, x >> PLACES] >> (x & LAST)) & 1 == 0 and st.nodes[x].cover == 0


@kernel
def holder_of(st, x):
    """Return the job that holds processor `x`, which some job does."""
    low = x
    while st.holder[low] < 0:
        low -= 1
    return int(st.holder[low])


@kernel
def take(st, job, size, row):
    """Let `job` hold the lowest of a row's free processors, and log them."""
    machine, chosen, free = st.machine[0], st.words[row], st.words[FREE]
    left, last, n, w = size, -2, machine.intervals - 1, machine.lowest
    while left > 0:
        bits = chosen[w]
        while bits != 0 and left > 0:
            # The lowest neighbors among the bits: adding the lowest bit carries beyond them.
            lowest = bits & -bits
            run = bits & ~(bits + lowest)
            shift, length = count_bits(lowest - 1), count_bits(run)
            if length > left:
                length = left
                run = ((1 << left) - 1) << shift
            low = w * WORD + shift
            if low != last + 1:
                n += 1
                st.intervals[n].low = low
                st.holder[low] = job
            last = low + length - 1
            st.intervals[n].high = last
            bits ^= run
            free[w] ^= run
            left -= length
        w += 1
    machine.intervals = n + 1
    machine.free -= size
    if row == FREE:
        machine.lowest = w - 1


@kernel
def give_back(st, row, size):
    """Let the processors be free that the attempt in this row of the log holds; none of them is down."""
    machine, free = st.machine[0], st.words[FREE]
    begin = st.attempts[row].first
    last = st.attempts[row + 1].first if row + 1 < machine.attempts else machine.intervals
    machine.lowest = min(machine.lowest, st.intervals[begin].low >> PLACES)
    for k in range(begin, last):
        low, high = int(st.intervals[k].low), int(st.intervals[k].high)
        st.holder[low] = -1
        first = low >> PLACES
        if first == high >> PLACES:
            free[first] |= ((1 << (high - low + 1)) - 1) << (low & LAST)
        else:
            for w in range(first, (high >> PLACES) + 1):
                free[w] |= bits_between(low, high, w)
    machine.free += size


@kernel
def go_down(st, x):
    """Let processor `x`, which no job holds, be down."""
    st.words[FREE, x >> PLACES] &= ~(1 << (x & LAST))
    st.machine[0].free -= 1


@kernel
def come_up(st, x):
    """Let processor `x`, which was down, be free."""
    st.words[FREE, x >> PLACES] |= 1 << (x & LAST)
    st.machine[0].free += 1
    st.machine[0].lowest = min(st.machine[0].lowest, x >> PLACES)
