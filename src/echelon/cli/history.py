"""``echelon history``: list the runs in a database of past runs."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.terminal import grid, show, show_json
from echelon.quantities import tally

if TYPE_CHECKING:
    from rich.table import Table

    from echelon.history.store import Experiment

_Address = Annotated[
    str,
    typer.Argument(
        metavar="FILE|URL", help="An SQLite file, sqlite:///FILE or postgresql://USER@HOST/DATABASE."
    ),
]
_Forget = Annotated[
    list[int] | None, typer.Option("--forget", metavar="N", help="Delete run N permanently; may be repeated.")
]
_Valid = Annotated[
    list[int] | None, typer.Option("--valid", metavar="N", help="Let estimators learn from run N.")
]
_NotValid = Annotated[
    list[int] | None,
    typer.Option("--not-valid", metavar="N", help="Do not let estimators learn from run N."),
]


def history(
    address: _Address,
    *,
    forget: _Forget = None,
    valid: _Valid = None,
    not_valid: _NotValid = None,
    json: options.Json = False,
) -> None:
    """List the runs of a history; delete runs, or choose which ones estimators learn from."""
    from echelon.history import open_history

    with open_history(address, create=False) as opened:
        for number in valid or ():
            opened.mark(number, is_valid=True)
        for number in not_valid or ():
            opened.mark(number, is_valid=False)
        for number in dict.fromkeys(forget or ()):
            opened.forget(number)
        experiments, shown = opened.experiments(), opened.address
    if json:
        show_json({"history": shown, "experiments": [_as_json(one) for one in experiments]})
    else:
        _list(experiments, shown)


def _as_json(one: "Experiment") -> dict[str, Any]:
    values = one._asdict()
    valid = values.pop("is_valid")
    return {**values, "recorded_at": f"{one.recorded_at.isoformat()}Z", "valid": valid}


def _list(experiments: "list[Experiment]", shown: str) -> None:
    jobs = sum(one.jobs for one in experiments)
    heads = ("", "recorded (UTC)", "workload", "platform", "policy", "estimator", "jobs", "valid")
    rows = [
        (
            *(str(one.number), f"{one.recorded_at:%Y-%m-%d %H:%M}", one.workload, one.platform, one.policy),
            *(one.estimator or "–", f"{one.jobs:,}", "yes" if one.is_valid else "no"),
        )
        for one in experiments
    ]
    table: list[str | Table] = [grid(heads, rows, numbers=(0, 6))] if rows else []
    show(f"{shown}: {tally(len(experiments), 'run')}, {tally(jobs, 'job')}", *table)
