"""Choices that a run would not use: of sites without a broker, of clusters that take jobs themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.policies import Metascheduler


def refuse_unused(field: str, given: object, brokers: Sequence[Metascheduler | None]) -> None:
    """Refuse a choice that no run would use, since sites exchange jobs without a broker in all of them.

    Parameters
    ----------
    field : str
        What was chosen: ``"policy"``, ``"policies"`` or ``"admissible"``.
    given : object
        The choice.
    brokers : sequence
        Of all runs.

    Raises
    ------
    InputError
        If every run is decentralized.
    """
    from echelon.policies import Decentralized

    alone = [broker for broker in brokers if isinstance(broker, Decentralized)]
    if alone and len(alone) == len(brokers):
        from echelon.policies import broker_words

        names = [broker_words(broker) for broker in alone]
        what = "broker, which admissibility is for" if field == "admissible" else "local policy"
        raise InputError(
            f"{given!r:.60} would not be used: under {', '.join(names)} sites exchange jobs and have no "
            f"{what}; leave it out, or name a broker",
            field=field,
        )


def refuse_unasked(field: str, given: object, rules: Sequence[MulticlusterRules | None]) -> None:
    """Refuse a broker that nobody asks, since the clusters of a multicluster take jobs themselves.

    Parameters
    ----------
    field : str
        What was chosen: ``"broker"`` or ``"brokers"``.
    given : object
        The choice.
    rules : sequence of MulticlusterRules, optional
        Of all runs.

    Raises
    ------
    InputError
        If the upper queue of every run asks no broker.
    """
    queues = [one.upper_queue for one in rules if one is not None]
    alone = [queue.name for queue in queues if not getattr(queue, "asks_broker", True)]
    if alone and len(alone) == len(rules):
        raise InputError(
            f"{given!r:.60} would not be used: under the upper queue {', '.join(dict.fromkeys(alone))} "
            "clusters take jobs themselves; leave it out",
            field=field,
        )


def unused_words(brokers: Sequence[Metascheduler | None]) -> str | None:
    """Return a sentence on the runs of a comparison that local policies do not apply to, or None.

    Parameters
    ----------
    brokers : sequence
        Of all runs.
    """
    from echelon.policies import Decentralized, broker_words

    names = dict.fromkeys(broker_words(broker) for broker in brokers if isinstance(broker, Decentralized))
    if not names:
        return None
    which = ", ".join(names)
    return f"Local policies and admissibility do not apply to {which}: sites exchange jobs themselves."
