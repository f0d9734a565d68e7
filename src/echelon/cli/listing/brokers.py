"""``echelon brokers``: the values of ``--broker``."""

from typing import TYPE_CHECKING, Annotated

import typer

from echelon.cli.listing.documents import about, entry, names_in, of_packages
from echelon.cli.terminal import facts, show

if TYPE_CHECKING:
    from rich.table import Table

    from echelon.policies import Metascheduler

_Name = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME]",
        help="Show the details of one broker, dispatcher or decentralized protocol.",
        autocompletion=names_in("brokers"),
    ),
]

LEVELS = (
    "the sites' sizes",
    "the numbers of their jobs",
    "the jobs' sizes",
    "their planned times",
    "the sites' schedules",
)
"""The information that a strategy needs of the sites, by level; each level includes the levels before it."""


def brokers(name: _Name = None) -> None:
    """List the brokers of a grid by the information that they need, or show the details of one."""
    if name is not None:
        _describe(name)
        return
    from echelon.policies import BROKER, DISPATCHERS, IMMEDIATE_STRATEGIES, PROTOCOLS, STRATEGIES, Information
    from echelon.policies.broker.contract import format_information

    levels: list[str | Table] = []
    for level, level_name in enumerate(LEVELS):
        rules = [kind for kind in STRATEGIES if kind.information == level]
        name = format_information(Information(level))
        levels += [
            f"Level {level}, {name}: {'also ' * (level > 0)}{level_name}",
            "",
            facts(map(entry, rules)),
            "",
        ]
    show(
        "Brokers: choose the site of each arriving job; by information level. After --broker, with "
        "--platform",
        "",
        *levels,
        "On time-shared machines only: choose the machine of each arriving job by loads and CPU times",
        "",
        facts(map(entry, IMMEDIATE_STRATEGIES)),
        "",
        "On time-shared machines only: choose which waiting jobs run, and where",
        "",
        facts(map(entry, DISPATCHERS)),
        "",
        "Decentralized protocols: how sites exchange waiting jobs. Also after --broker",
        "",
        facts(map(entry, PROTOCOLS.values())),
        "",
        *of_packages(BROKER),
        "Details of one: echelon brokers NAME. Your own: FILE.py:NAME",
    )


def _describe(name: str) -> None:
    from echelon.policies import BROKER

    broker = BROKER.parse(name)
    rows = [("source", getattr(broker, "source", "none"))]
    if needs := _needs(broker):
        rows.insert(0, ("needs", needs))
    show(f"--broker {BROKER.format(broker)}", "", facts(rows), "", *about(broker, BROKER))


def _needs(broker: "Metascheduler") -> str:
    """Return the information that a rule needs, as text; empty for a decentralized protocol."""
    from echelon.policies import Broker

    if getattr(broker, "immediate", False):
        goes_by = getattr(broker, "goes_by", "what its code reads from the view")
        return f"time-shared machines; uses {goes_by}"
    if not isinstance(broker, Broker):
        return ""
    from echelon.policies.broker.contract import format_information

    name = format_information(broker.information)
    return f"level {broker.information:d}, {name}: {', '.join(LEVELS[: broker.information + 1])}"
