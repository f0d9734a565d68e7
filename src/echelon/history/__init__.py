"""History: the experiences of finished runs on multiclusters, kept in a database."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.history.experiences import experiences_of
    from echelon.history.opening import open_history

__all__ = ["experiences_of", "open_history"]

lazily(
    __name__,
    {
        "experiences": ("experiences_of",),
        "opening": ("open_history",),
    },
)
