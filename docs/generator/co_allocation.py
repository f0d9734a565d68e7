"""The reference page on co-allocation: the rules that find nodes of several clusters for one job."""

from __future__ import annotations

from typing import Any

import docstrings
import sources
from rules import described


def page() -> str:
    """Return the page."""
    from echelon.policies.coallocation import (
        CO_ALLOCATIONS,
        CoAllocation,
        Reading,
        Span,
        SpanningProblem,
        SpanningRule,
    )
    from echelon.policies.coallocation.binary_program import Programmed

    parts = [
        "# Co-allocation\n\nOn a multicluster `--co-allocate` says which nodes of several clusters one job "
        "may take together. What is asked, why it is linear, and how long it takes: "
        "[Co-allocation](../explanation/co-allocation.md). Parameters follow after colons, "
        "`non-saturated:seconds=2:at-most-longer=1.25`; `none` is no co-allocation. `FILE.py:NAME` is "
        "your own: a class or an object with the members of `CoAllocation` below.",
        "## All rules\n\n" + described("every co-allocation", SpanningRule),
        "## Binary programs\n\nThey need highspy: `pip install 'echelon-scheduling[exact]'`.\n\n"
        + described("every program", Programmed),
        *(_rule(kind) for kind in CO_ALLOCATIONS if issubclass(kind, Programmed)),
        "## Rules without a program",
        *(_rule(kind) for kind in CO_ALLOCATIONS if not issubclass(kind, Programmed)),
    ]
    shown = (CoAllocation, SpanningProblem, Span, Reading)
    parts += [f"## {thing.__name__}\n\n{docstrings.whole(thing)}" for thing in shown]
    parts += [_method(SpanningProblem, name) for name in ("traffic", "slowdowns", "time")]
    parts.append(_method(CoAllocation, "span"))
    return "\n\n".join(parts)


def _rule(kind: Any) -> str:  # noqa: ANN401  (any class with a name and a source)
    cited = f"Source: {sources.cited(kind.source, kind.name)}."
    return f"### {kind.name}\n\n{cited}\n\n{described(kind.name, kind)}"


def _method(kind: type, name: str) -> str:
    return f"### {kind.__name__}.{name}\n\n{docstrings.whole(vars(kind)[name])}"
