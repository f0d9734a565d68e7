"""A frame: the arguments of an entry as a row of 64-bit words, which is all that crosses to machine code.

A whole number or a truth value is one word; an array is the address of its first byte and its shape; a tuple
is what it consists of, one behind the other. Behind them are the words for what is returned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

Leaf: TypeAlias = "tuple[np.dtype[Any], int] | type"
"""The type and the dimensions of an array, or `int`, or `bool`."""

RETURNED = 8
"""Words for what is returned: at most so many numbers."""


def leaves(arguments: tuple[Any, ...]) -> Iterator[Leaf]:
    """Yield the types of arguments, those inside tuples one by one."""
    for argument in arguments:
        if isinstance(argument, tuple):
            yield from leaves(argument)
        elif isinstance(argument, np.ndarray):
            yield argument.dtype, argument.ndim
        else:
            yield bool if isinstance(argument, bool) else int


def to_words(arguments: tuple[Any, ...], layout: list[Leaf]) -> list[int]:
    """Return the words of arguments.

    Parameters
    ----------
    arguments : tuple
        Arrays, whole numbers, truth values, and tuples of these.
    layout : list
        The result of `leaves` for a sample of them.

    Raises
    ------
    TypeError
        If an array is of another type or not in C order: machine code would read it wrongly.
    """
    numbers: list[int] = []
    _add(arguments, iter(layout), numbers)
    return numbers


def _add(arguments: tuple[Any, ...], expected: Iterator[Leaf], numbers: list[int]) -> None:
    for argument in arguments:
        if isinstance(argument, tuple):
            _add(argument, expected, numbers)
        elif isinstance(argument, np.ndarray):
            leaf = next(expected)
            if leaf != (argument.dtype, argument.ndim) or not argument.flags.c_contiguous:
                raise TypeError(
                    f"a kernel takes arrays in C order of (type, dimensions) {leaf}, "
                    f"got one of {(argument.dtype, argument.ndim)}, "
                    f"C order: {argument.flags.c_contiguous}"
                )
            numbers.append(argument.ctypes.data)
            numbers += argument.shape
        else:
            next(expected)
            numbers.append(int(argument))
