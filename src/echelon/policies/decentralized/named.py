"""The words people type for an arrangement without a broker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.policies.decentralized.common_pool import CommonPool

if TYPE_CHECKING:
    from echelon.policies.decentralized.contract import Decentralized
    from echelon.policies.words import Words

ARRANGEMENTS: dict[str, type[CommonPool]] = {kind.name: kind for kind in (CommonPool,)}
"""All arrangements by name."""


def arrangement_named(parted: Words) -> Decentralized:
    """Return the arrangement that these words mean.

    Raises
    ------
    InputError
        If a parameter is wrong.
    """
    name, *rest = parted.names
    if rest or parted.settings:
        raise InputError("takes no parameters", field=f"broker {parted.text!r}")
    return ARRANGEMENTS[name]()
