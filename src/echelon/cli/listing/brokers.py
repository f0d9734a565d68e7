"""``echelon brokers``: what can stand after ``--broker``."""

from typing import TYPE_CHECKING, Annotated

import typer

from echelon.cli.listing.documents import about, entry, of_packages

if TYPE_CHECKING:
    from rich.table import Table

    from echelon.policies import Metascheduler

_Name = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME]",
        help="Who or what says where jobs go, to be told all about it.",
    ),
]

LEVELS = (
    "the sites' sizes",
    "the numbers of their jobs",
    "the jobs' sizes",
    "their planned times",
    "the sites' schedules",
)
"""What a strategy asks of the sites, by its level of information; each level includes those before it."""


def brokers(name: _Name = None) -> None:
    """List who can choose the sites of jobs on a grid, by what each needs to know, or say all about one."""
    if name is not None:
        _describe(name)
        return
    from echelon.cli.terminal import facts, show
    from echelon.policies import ARRANGEMENTS, BROKER, DISPATCHERS, IMMEDIATE_STRATEGIES, STRATEGIES

    levels: list[str | Table] = []
    for level, known in enumerate(LEVELS):
        rules = [kind for kind in STRATEGIES if kind.information == level]
        levels += [f"Level {level}: {'also ' * (level > 0)}{known}", "", facts(map(entry, rules)), ""]
    show(
        "Brokers: which site runs the job that arrives, by what each knows. After --broker, with --platform",
        "",
        *levels,
        "On machines without queues only: which of them runs the job that arrives, by loads and CPU times",
        "",
        facts(map(entry, IMMEDIATE_STRATEGIES)),
        "",
        "On machines without queues only: which of the jobs that wait run where",
        "",
        facts(map(entry, DISPATCHERS)),
        "",
        "Without a broker: how sites exchange waiting jobs. After --broker, too",
        "",
        facts(map(entry, ARRANGEMENTS.values())),
        "",
        *of_packages(BROKER),
        "All about one: echelon brokers NAME. Your own: FILE.py:NAME",
    )


def _describe(name: str) -> None:
    from echelon.cli.terminal import facts, show
    from echelon.policies import BROKER

    found = BROKER.parse(name)
    rows = [("source", getattr(found, "source", "none"))]
    if needs := _needs(found):
        rows.insert(0, ("needs", needs))
    show(f"--broker {BROKER.format(found)}", "", facts(rows), "", *about(found, BROKER))


def _needs(found: "Metascheduler") -> str:
    """Return what a rule needs to know, for people; nothing of an arrangement."""
    from echelon.policies import Broker

    if getattr(found, "immediate", False):
        goes_by = getattr(found, "goes_by", "what it asks the view")
        return f"machines without queues; goes by {goes_by}"
    if not isinstance(found, Broker):
        return ""
    return f"level {found.information:d}: {', '.join(LEVELS[: found.information + 1])}"
