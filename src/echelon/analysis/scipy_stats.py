"""scipy.stats, where it is installed: the distributions behind intervals and tests."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from echelon.errors import MissingExtraError

NO_SCIPY = (
    "intervals and tests need scipy, which is not installed; say: pip install 'echelon-scheduling[stats]'"
)
"""Said wherever they are left out."""


def scipy_stats() -> Any:  # noqa: ANN401  (a module without types)
    """Return the module ``scipy.stats``.

    Raises
    ------
    MissingExtraError
        If scipy is not installed; the message says what to install.
    """
    try:
        return import_module("scipy.stats")
    except ImportError as error:
        raise MissingExtraError(NO_SCIPY) from error
