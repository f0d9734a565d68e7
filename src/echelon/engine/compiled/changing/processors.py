"""Processors: which are free and which a job holds, in kernels: words of bits, and intervals in the log."""

from __future__ import annotations

from echelon.engine.compiled.changing.state import DOWN, FREE, FULL, HELD, WORD
from echelon.libraries.kernel import kernel


@kernel
def count_bits(word):
    """Return how many bits of a word are set."""
    word -= (word >> 1) & 0x55555555
    word = (word & 0x33333333) + ((word >> 2) & 0x33333333)
    return ((((word + (word >> 4)) & 0x0F0F0F0F) * 0x01010101) >> 24) & 0xFF


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
def has(words, x):
    """Return whether processor `x` is in a set."""
    return (words[x // WORD] >> (x % WORD)) & 1 == 1


@kernel
def take(st, job, size, row):
    """Let `job` hold the lowest of a row's free processors, and log them."""
    machine, chosen, free, held = st.machine[0], st.words[row], st.words[FREE], st.words[HELD]
    left, last, n, w = size, -2, machine.intervals - 1, machine.lowest
    while left > 0:
        bits = chosen[w]
        if bits == 0:
            w += 1
            continue
        # The lowest neighbors among the bits: adding the lowest bit carries beyond them.
        lowest = bits & -bits
        run = bits & ~(bits + lowest)
        shift, length = count_bits(lowest - 1), count_bits(run)
        if length > left:
            length = left
            run = ((1 << left) - 1) << shift
        low = w * WORD + shift
        if low == last + 1:
            st.intervals[n].high = low + length - 1
        else:
            n += 1
            st.intervals[n].low, st.intervals[n].high = low, low + length - 1
        last = low + length - 1
        for x in range(low, low + length):
            st.owner[x] = job
        # The row itself may be that of the free ones.
        chosen[w] = bits & ~run
        free[w] &= ~run
        held[w] |= run
        left -= length
    machine.intervals = n + 1
    machine.free -= size
    machine.lowest = w if row == FREE else machine.lowest


@kernel
def give_back(st, row):
    """Take back what the attempt in this row of the log holds; those that are up are free then."""
    machine, free, held, down = st.machine[0], st.words[FREE], st.words[HELD], st.words[DOWN]
    last = st.attempts[row + 1].first if row + 1 < machine.attempts else machine.intervals
    for k in range(st.attempts[row].first, last):
        low, high = int(st.intervals[k].low), int(st.intervals[k].high)
        first = low // WORD
        machine.lowest = min(machine.lowest, first)
        for w in range(first, high // WORD + 1):
            bits = bits_between(low, high, w)
            held[w] &= ~bits
            bits &= ~down[w]
            free[w] |= bits
            machine.free += count_bits(bits)


@kernel
def go_down(st, x):
    """Let processor `x`, which no job holds, be down."""
    machine, bit = st.machine[0], 1 << (x % WORD)
    st.words[FREE, x // WORD] &= ~bit
    st.words[DOWN, x // WORD] |= bit
    machine.free -= 1
    machine.down += 1


@kernel
def come_up(st, x):
    """Let processor `x`, which was down, be free."""
    machine, bit = st.machine[0], 1 << (x % WORD)
    st.words[FREE, x // WORD] |= bit
    st.words[DOWN, x // WORD] &= ~bit
    machine.free += 1
    machine.down -= 1
    machine.lowest = min(machine.lowest, x // WORD)
