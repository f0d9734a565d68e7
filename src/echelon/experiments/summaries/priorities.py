"""Sentences on queues and partitions that have no priority under an order that weighs them."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.experiments.systems.grid import has_local_policy
from echelon.rules.parameter import bearer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.experiments.result import Result
    from echelon.model import Instance
    from echelon.policies.order.priorities import Priorities

_MOST_NAMED = 8
"""Most names that are listed, the first by code."""


def priority_sentences(result: Result) -> list[str]:
    """Return sentences on whose priority is not given, and which names given the log does not have.

    Parameters
    ----------
    result : Result
        A run; rules other than multifactor and preemptive-priority mind no queues.

    Returns
    -------
    list of str
        One sentence on all columns without any priority, one on each with some; none if all have one, their
        weight is 0, or the log knows neither queues nor partitions.
    """
    scenario = result.scenario
    if not has_local_policy(scenario):
        # Time-shared machines have no queue to order, and decentralized sites have their own orders.
        return []
    lines = [line for asked in _find_askers(result) for line in _sentences(result.instance, asked)]
    return list(dict.fromkeys(lines))


class _Asked(NamedTuple):
    """A rule that asks for priorities: its name, and those of each column that counts."""

    name: str
    priorities: dict[str, Priorities]


def _find_askers(result: Result) -> Iterator[_Asked]:
    """Yield the rules of a policy that say which priorities they ask for; most have no such method."""
    named = [column for column, names in result.instance.workload.names.items() if names]
    usual = result.scenario.policy
    for policy in (usual, *(one for _, one in usual.elsewhere)):
        candidates = getattr(policy.scheduler, "candidates", None)
        for rule in (policy.order, candidates, policy.scheduler):
            if rule is not None and (ask := getattr(bearer(rule), "asked_priorities", None)) is not None:
                yield _Asked(rule.name, ask(named))


def _sentences(instance: Instance, asked: _Asked) -> Iterator[str]:
    from echelon.policies.order.multifactor import PRIORITIES

    held = {column: _names_of(instance, column) for column in asked.priorities}
    if bare := {column: names for column, names in held.items() if names and not asked.priorities[column]}:
        nouns = " and no ".join(bare)
        factors = "that factor is" if len(bare) == 1 else "those factors are"
        terms = ":".join(f"{PRIORITIES[column]}={names[0]}=1" for column, names in bare.items())
        yield f"No {nouns} has a priority: {factors} 0 for every job; give some, as in {asked.name}:{terms}."
    for column, names in held.items():
        if not asked.priorities[column]:
            continue
        listed = [name for name, _ in asked.priorities[column].factors]
        if without := [name for name in names if name not in listed]:
            yield f"Without a priority, so with factor 0: {column} {_join(without)}."
        names_in_log = [*dict.fromkeys([*names, *instance.workload.names.get(column, ())])]
        for name in listed:
            if name not in names_in_log:
                hint = _hint(name, names_in_log, column)
                yield f"The log has no {column} {name!r}, which has a priority{hint}"


def _names_of(instance: Instance, column: str) -> list[str]:
    """Return what the log calls the queues or partitions of the jobs, by code."""
    from echelon.policies.order.priorities import name_of_code

    codes = np.unique(instance.workload.int_column(column)[instance.kept])
    names = instance.workload.names.get(column, ())
    return [name_of_code(code, names) for code in codes.tolist() if code >= 0]


def _hint(name: str, names: list[str], column: str) -> str:
    if not names:
        return f": it has no {column}s."
    if near := difflib.get_close_matches(name, names, n=1):
        return f"; did you mean {near[0]!r}?"
    return f"; its {column}s are {_join(names)}."


def _join(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more
