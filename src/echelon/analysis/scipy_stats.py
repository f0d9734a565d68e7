"""scipy.stats, where it is installed: the distributions behind intervals and tests."""

from __future__ import annotations

from typing import Any

from echelon.extras import SCIPY

NO_SCIPY = SCIPY.sentence
"""Said wherever they are left out."""


def scipy_stats() -> Any:  # noqa: ANN401  (a module without types)
    """Return the module ``scipy.stats``.

    Raises
    ------
    MissingExtraError
        If scipy is not installed; the message says what to install.
    """
    return SCIPY.load()
