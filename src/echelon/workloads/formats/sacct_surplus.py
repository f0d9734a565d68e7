"""Lines of Slurm's accounting with more cells than fields: a job's name may hold the separator itself."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.model.jobs.workload import Anomaly
from echelon.workloads.formats.sacct_records import UNKNOWN_TEXTS
from echelon.workloads.formats.status import status_number
from echelon.workloads.formats.text.durations import seconds_of_duration, seconds_of_limit, unix_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FREE_TEXT = ("jobname", "comment", "admincomment", "systemcomment", "extra", "workdir", "submitline", "wckey")
"""Fields in which people write what they like; sacct prints it as it is, with any ``|`` in it."""


def _number_first(text: str) -> float:
    return float(text.split("_")[0].split("+")[0].split(".")[0])


_STRICT: dict[str, Callable[[str], float]] = {
    **dict.fromkeys(("jobid", "jobidraw"), _number_first),
    **dict.fromkeys(("submit", "eligible", "start", "end"), lambda text: unix_seconds(text, UTC)),
    **dict.fromkeys(("elapsed", "elapsedraw", "totalcpu", "cputime", "cputimeraw"), seconds_of_duration),
    **dict.fromkeys(("timelimit", "timelimitraw"), seconds_of_limit),
    **dict.fromkeys(("alloccpus", "ncpus", "reqcpus", "allocnodes", "nnodes", "reqnodes"), float),
    "state": status_number,
}
"""Fields whose cells show whether they are in their column: their readers, which raise ValueError."""


class SurplusCells:
    """What is made of lines with too many cells, and which lines that were."""

    def __init__(self) -> None:
        self.joined: list[int] = []
        self.left_out: list[int] = []

    def __call__(self, line: int, cells: list[str], names: list[str]) -> list[str] | None:
        """Return the cells of a line, the surplus joined into one field of free text, or None.

        It goes where all other fields then hold what they must; None if it could go nowhere or into several
        fields.
        """
        fields = [name.lower() for name in names]
        places = [place for place, field in enumerate(fields) if field in FREE_TEXT]
        surplus = len(cells) - len(fields)
        ways = [way for place in places if _fits(way := _join_cells(cells, place, surplus), fields)]
        if len(ways) != 1:
            self.left_out.append(line)
            return None
        self.joined.append(line)
        return ways[0]

    def check(self, kept: int, file: str) -> None:
        """Raise InputError if more lines were left out than `kept`: that is no table of sacct."""
        if len(self.left_out) > kept:
            problem = (
                f"{len(self.left_out)} of {kept + len(self.left_out)} lines have more cells than the header "
                "line, and it is unclear in which field; print the table without fields of free text"
            )
            raise InputError(problem, file=file, line=self.left_out[0])

    def anomalies(self) -> Iterator[Anomaly]:
        """Yield what a person should know of such lines."""
        if self.joined:
            sentence = (
                f"{len(self.joined)} lines have the separator in a field of free text such as JobName; "
                "rejoined"
            )
            yield Anomaly("separator-in-text", len(self.joined), sentence, self.joined[0])
        if self.left_out:
            sentence = (
                f"{len(self.left_out)} lines have more cells than fields, and it is unclear which field "
                "contains the separator; not kept"
            )
            yield Anomaly("surplus-cells", len(self.left_out), sentence, self.left_out[0])


def _join_cells(cells: list[str], place: int, surplus: int) -> list[str]:
    end = place + 1 + surplus
    return [*cells[:place], "|".join(cells[place:end]), *cells[end:]]


def _fits(cells: list[str], fields: list[str]) -> bool:
    """Return whether every field that must hold a number, a time or a state holds one."""
    return all(
        field not in _STRICT or _reads(_STRICT[field], text.strip())
        for field, text in zip(fields, cells, strict=True)
    )


def _reads(parse: Callable[[str], float], text: str) -> bool:
    if text.lower() in UNKNOWN_TEXTS:
        return True
    try:
        parse(text)
    except (ValueError, OverflowError):
        return False
    return True
