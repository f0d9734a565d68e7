"""Job lines of the Standard Workload Format, read by a compiled loop over the file's bytes.

The loop takes plain decimal numbers itself, exactly: a mantissa below 2**53 divided by a power of ten up to
10**22 are two exact float64, so their quotient is correctly rounded (Clinger, "How to read floating point
numbers accurately", PLDI 1990). Any other token it puts on a list for `echelon.workloads.formats.swf_line`,
and at a line with too few fields it stops. It knows no message and raises nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.libraries.kernel import entry_kernel
from echelon.model.jobs.fields import FIELDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

N_FIELDS = len(FIELDS)
FLOAT_FIELDS = tuple(place for place, spec in enumerate(FIELDS) if spec.kind == "float")
INT_FIELDS = tuple(place for place, spec in enumerate(FIELDS) if spec.kind == "int")

COMMENTS, WIDE, FIRST_WIDE, WIDEST, TABBED, FIRST_TABBED, N_TALLIES = range(7)
"""Places in the tally: comments between jobs; lines of more than 18 columns, the first one, the most columns;
lines with tabs, the first one."""

# Row of each field in the table of its kind.
_ROW = np.array(
    [(FLOAT_FIELDS if spec.kind == "float" else INT_FIELDS).index(i) for i, spec in enumerate(FIELDS)]
)
_IS_FLOAT = np.array([spec.kind == "float" for spec in FIELDS])
_POWERS = np.array([10.0**k for k in range(23)])
_WHOLE_POWERS = np.array([10**k for k in range(16)])
_EXACT = 2**53
_SPACE, _TAB, _FEED, _RETURN, _SEMICOLON, _DOT, _PLUS, _MINUS, _ZERO = (ord(c) for c in " \t\n\r;.+-0")


def _sample() -> tuple[Any, ...]:
    """Return arguments of the types that `read_jobs` takes."""
    data, floats, ints = np.zeros(1, dtype=np.uint8), np.zeros((1, 1)), np.zeros((1, 1), dtype=np.int64)
    return data, 0, 0, 0, floats, ints, np.zeros(1, dtype=np.int32), ints, np.zeros(1, dtype=np.int64)


@entry_kernel("swf", _sample, or_python=True)
def read_jobs(  # noqa: C901, PLR0912, PLR0915, PLR0917  (one flat loop is what compiles well)
    data: NDArray[np.uint8],
    position: int,
    line: int,
    row: int,
    floats: NDArray[np.float64],
    ints: NDArray[np.int64],
    lines: NDArray[np.int32],
    deferred: NDArray[np.int64],
    tally: NDArray[np.int64],
) -> tuple[int, int, int, int, bool]:
    """Read job lines from `position` on, until data end, room for deferred tokens ends, or a line is short.

    Parameters
    ----------
    data : ndarray of uint8
        The file's bytes.
    position, line, row : int
        Byte where to begin, its 1-based line number, and the job to fill first.
    floats, ints : ndarray, shapes (8, n) and (10, n)
        Filled: the fields of each kind, in the format's order; n must hold all jobs.
    lines : ndarray of int32, shape (n,)
        Filled: each job's line number.
    deferred : ndarray of int64, shape (m, 3), m >= 18
        Filled: job, field (0-based) and byte position of each token left to the caller.
    tally : ndarray of int64, shape (N_TALLIES,)
        Added to.

    Returns
    -------
    position, line, row, n_deferred, short
        Where it stopped, and whether because the line there has fewer than 18 fields.

    Notes
    -----
    Cost: O(bytes), about 3 ns a byte.
    """
    end = data.size
    n_deferred = 0
    while position < end and n_deferred + N_FIELDS <= deferred.shape[0]:
        first = position
        field = 0
        tabs = False
        while True:
            while position < end and (data[position] == _SPACE or data[position] == _TAB):
                if data[position] == _TAB:
                    tabs = True
                position += 1
            if position == end or data[position] == _FEED:
                break
            if data[position] == _RETURN and (position + 1 == end or data[position + 1] == _FEED):
                position += 1
                break
            if field == 0 and data[position] == _SEMICOLON:
                tally[COMMENTS] += 1
                while position < end and data[position] != _FEED:
                    position += 1
                break
            token = position
            sure = False
            if field < N_FIELDS:
                negative = data[position] == _MINUS
                if negative or data[position] == _PLUS:
                    position += 1
                mantissa = np.int64(0)
                digits = 0
                decimals = 0
                dots = 0
                while position < end and mantissa < _EXACT:
                    byte = np.int64(data[position])
                    if _ZERO <= byte < _ZERO + 10:
                        mantissa = mantissa * 10 + (byte - _ZERO)
                        digits += 1
                        decimals += dots
                    elif byte == _DOT and dots == 0:
                        dots = 1
                    else:
                        break
                    position += 1
                sure = bool(digits > 0 and mantissa < _EXACT and decimals < 23)
            # To the token's end; a token with characters after its digits is not a plain number.
            while position < end:
                byte = np.int64(data[position])
                if byte in (_SPACE, _TAB, _FEED):
                    break
                if byte == _RETURN and (position + 1 == end or data[position + 1] == _FEED):
                    break
                sure = False
                position += 1
            if field < N_FIELDS:
                if sure and _IS_FLOAT[field]:
                    value = np.float64(mantissa)
                    if decimals > 0:
                        value /= _POWERS[decimals]
                    floats[_ROW[field], row] = -value if negative else value
                elif sure and decimals < 16 and mantissa % _WHOLE_POWERS[decimals] == 0:
                    mantissa //= _WHOLE_POWERS[decimals]
                    ints[_ROW[field], row] = -mantissa if negative else mantissa
                else:
                    deferred[n_deferred, 0] = row
                    deferred[n_deferred, 1] = field
                    deferred[n_deferred, 2] = token
                    n_deferred += 1
            field += 1
        if 0 < field < N_FIELDS:
            lines[row] = line
            return first, line, row, n_deferred, True
        if field >= N_FIELDS:
            lines[row] = line
            if field > N_FIELDS:
                if tally[WIDE] == 0:
                    tally[FIRST_WIDE] = line
                tally[WIDE] += 1
                tally[WIDEST] = max(tally[WIDEST], field)
            if tabs:
                if tally[TABBED] == 0:
                    tally[FIRST_TABBED] = line
                tally[TABBED] += 1
            row += 1
        position += 1  # over the line feed
        line += 1
    return min(position, end), line, row, n_deferred, False
