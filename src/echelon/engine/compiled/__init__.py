"""The compiled engine: kernels over arrays, equal to the reference engine start time for start time."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.engine.compiled.engine import simulate, supports

__all__ = ["simulate", "supports"]


def __getattr__(name: str) -> object:
    """Load the engine when it is asked for: whoever imports a kernel does not need the rest."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("echelon.engine.compiled.engine"), name)
