"""The shim of an entry: it makes arrays of the words of a frame, calls the entry, and writes what it returns.

Its source is a few lines of Python, written for the types of the entry's arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.extending import intrinsic
from numba.np import arrayobj

from echelon.libraries.frame import RETURNED

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.libraries.kernel import EntryKernel


def shim(entry: EntryKernel) -> Callable[..., int]:
    """Return a function of a pointer to the words of a frame, to be lowered.

    It returns -1 if the entry returns nothing, 0 for one number, n for a tuple of n.
    """
    writer = _Writer()
    arguments = ", ".join(writer.expression(argument) for argument in entry.sample())
    names = {**writer.names, "entry": entry.function, "write": _write}
    source = f"def shim(frame):\n    return write(frame, {writer.n_words}, entry({arguments}))\n"
    exec(source, names)  # written above
    entry_point: Callable[..., int] = names["shim"]
    return entry_point


class _Writer:
    """Writes expressions that make arguments of the words of a frame."""

    def __init__(self) -> None:
        self.n_words = 0
        self.names: dict[str, Any] = {}

    def expression(self, sample: Any) -> str:
        """Return the expression of an argument like `sample`."""
        if isinstance(sample, tuple):
            parts = ", ".join(self.expression(part) for part in sample)
            return f"{self._bind(type(sample))}({parts})"
        place = self.n_words
        if isinstance(sample, np.ndarray):
            self.n_words += 1 + sample.ndim
            return f"{self._bind(_maker(sample))}(frame, {place})"
        self.n_words += 1
        return f"frame[{place}] != 0" if isinstance(sample, bool) else f"frame[{place}]"

    def _bind(self, value: Any) -> str:
        name = f"name_{len(self.names)}"
        self.names[name] = value
        return name


def _maker(sample: np.ndarray[Any, Any]) -> Any:
    """Return a function that makes an array like `sample` of the words at some place in a frame."""
    array_type = types.Array(from_dtype(sample.dtype), sample.ndim, "C")

    @intrinsic  # type: ignore[untyped-decorator]
    def make(typing_context: Any, frame: Any, place: Any) -> Any:
        return array_type(frame, place), lambda *operands: _make(array_type, *operands)

    return make


def _make(array_type: Any, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Generate code that makes an array: its address stands at the place, its shape behind."""
    frame, place = arguments

    def load_word(k: int) -> Any:
        return builder.load(builder.gep(frame, [builder.add(place, ir.Constant(place.type, k))]))

    item = context.get_data_type(array_type.dtype)
    size = ir.Constant(place.type, context.get_abi_sizeof(item))
    shape = [load_word(1 + k) for k in range(array_type.ndim)]
    strides = [size]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    array = arrayobj.make_array(array_type)(context, builder)
    arrayobj.populate_array(
        array,
        data=builder.inttoptr(load_word(0), item.as_pointer()),
        shape=shape,
        strides=strides,
        itemsize=size,
        meminfo=None,
    )
    return array._getvalue()


@intrinsic  # type: ignore[untyped-decorator]
def _write(typing_context: Any, frame: Any, place: Any, value: Any) -> Any:
    """Write what an entry has returned into the frame, from `place` on."""
    parts = value.types if isinstance(value, types.BaseTuple) else [] if value == types.none else [value]
    how = -1 if value == types.none else len(parts) if isinstance(value, types.BaseTuple) else 0
    if len(parts) > RETURNED or not all(isinstance(part, types.Integer | types.Boolean) for part in parts):
        raise TypeError(f"an entry returns at most {RETURNED} whole numbers or truth values, got {value}")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, first, result = arguments
        word = context.get_value_type(types.int64)
        for k, part in enumerate(parts):
            number = builder.extract_value(result, k) if how > 0 else result
            slot = builder.gep(pointer, [builder.add(first, ir.Constant(first.type, k))])
            builder.store(context.cast(builder, number, part, types.int64), slot)
        return ir.Constant(word, how)

    return types.int64(frame, place, value), generate
