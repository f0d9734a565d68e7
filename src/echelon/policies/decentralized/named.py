"""The words people type for an arrangement without a broker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.lazy import Rules, by_word
from echelon.policies.order import order_named
from echelon.policies.words import arguments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.policies.decentralized.arrangement import Arrangement
    from echelon.policies.words import Words

_ARRANGEMENTS: Rules[type[Arrangement]] = Rules(
    __package__,
    {
        "exchange": "exchange.Exchange",
        "common-pool": "common_pool.CommonPool",
        "stealing": "stealing.Stealing",
    },
)

ARRANGEMENTS: Mapping[str, type[Arrangement]] = by_word(_ARRANGEMENTS)
"""All arrangements by name."""


def arrangement_named(parted: Words) -> Arrangement:
    """Return the arrangement that these words mean: ``stealing:25:fit=best-fit``, ``exchange:list``.

    Raises
    ------
    InputError
        If a parameter is wrong.
    UnknownNameError
        If there is no such parameter, or it has no such word.
    """
    name, *bare = parted.names
    kind, settings = ARRANGEMENTS[name], dict(parted.settings)
    if len(bare) > (1 if kind.bare_word else 0):
        takes = f"takes one bare word, its {kind.bare_word}" if kind.bare_word else "takes key=value only"
        raise InputError(f"{takes}, got {', '.join(bare)}", field=f"broker {parted.text!r}")
    if bare:
        if kind.bare_word in settings:
            raise InputError(f"{kind.bare_word} is set twice", field=f"broker {parted.text!r}")
        settings[kind.bare_word] = bare[0]
    return kind(**arguments(kind, name, settings, order_named))
