"""The reference page on how fast tasks run: executions and network models."""

from __future__ import annotations

from typing import Any

import docstrings
import sources
from rules import described


def page() -> str:
    """Return the page."""
    from echelon.execution import (
        MEMORY_MODELS,
        NETWORK_MODELS,
        Execution,
        Load,
        MemoryModel,
        NetworkModel,
        Traffic,
        speed_factor,
    )
    from echelon.policies.sharing import SHARINGS, Sharing

    parts = [
        "# How fast tasks run\n\nOn a machine with nodes `--execution` says what the speed of a task depends "
        "on, and `--network` how jobs slow each other down at the network. Why and with what measure: "
        "[Contention](../explanation/contention.md). Parameters follow after colons, "
        "`constant:factor=0.7:over=time`; specs are joined by `+`, `speed+memory-v1`. `FILE.py:NAME` is "
        "your own model: a class or an object with the members of `MemoryModel`, `NetworkModel` or `Sharing` "
        "below.",
        "## Executions\n\n`fixed`: a job runs its run time wherever it is. `speed`: a task does operations "
        "at the speed of its core. A memory model is that and what tasks do to each other:",
        *(_model(kind) for kind in MEMORY_MODELS),
        "## Network models\n\n`none`: jobs do not slow each other down there.",
        *(_model(kind) for kind in NETWORK_MODELS),
        "## Both together\n\n" + docstrings.whole(speed_factor),
    ]
    parts += [
        "## Fewer cores than tasks\n\n`--sharing` lets a job start on fewer cores than it has tasks; `none`, "
        "the default, lets it wait. Whom and when: "
        "[Run a cluster down to its cores](../how-to/nodes.md#fewer-cores-than-tasks).",
        *(_model(kind) for kind in SHARINGS),
    ]
    for thing in (Execution, MemoryModel, Load, NetworkModel, Traffic, Sharing):
        parts += [f"## {thing.__name__}\n\n{docstrings.whole(thing)}", *_methods(thing)]
    return "\n\n".join(parts)


def _model(kind: Any) -> str:  # noqa: ANN401  (any class with a name and a source)
    cited = f"Source: {sources.cited(kind.source, kind.name)}."
    return f"### {kind.name}\n\n{cited}\n\n{described(kind.name, kind)}"


def _methods(thing: Any) -> list[str]:  # noqa: ANN401  (any class)
    if not getattr(thing, "_is_protocol", False):
        return []
    shown = [name for name in vars(thing) if not name.startswith("_")]
    return [f"### {thing.__name__}.{name}\n\n{docstrings.whole(vars(thing)[name])}" for name in shown]
