"""The compiled engine: kernels over arrays, equal to the reference engine start time for start time."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.engine.compiled.engine import simulate, supports

__all__ = ["simulate", "supports"]

# Whoever imports a kernel does not need the rest.
lazily(__name__, {"engine": ("simulate", "supports")})
