"""OutageInput: what a run is given of outages: a file, tables of a scenario file, or `Outages`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.experiments.changes.parts import format_parts, parts_of, place_of
from echelon.experiments.settings.availability import BEGIN, SYSTEM
from echelon.model.machines.outages import Outages
from echelon.user_file import is_file

if TYPE_CHECKING:
    from echelon.availability.log_clock import LogClock
    from echelon.availability.machine_nodes import MachineNodes
    from echelon.availability.traces import FailureTrace


class FoundOutages(NamedTuple):
    """Outages of a machine, and clauses on what nothing models of them and on what a person should know."""

    outages: Outages
    not_modelled: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class TraceFile(NamedTuple):
    """A file of outages, or a trace that was read already, and how it is meant.

    Parameters
    ----------
    file : str
        As the user gave it.
    system : str, default ""
        Which of its systems is meant; empty: all.
    begin : str, default ""
        When its first outage begins, in seconds of the log or as a date; empty: by its own times.
    read : FailureTrace, optional
        The trace, if it was read already.
    """

    file: str
    system: str = ""
    begin: str = ""
    read: FailureTrace | None = None

    @classmethod
    def of_spec(cls, spec: str) -> TraceFile:
        """Return the file that a spec names, once it is seen to be there.

        Raises
        ------
        InputError
            If it is not.
        """
        options = {SYSTEM: "", BEGIN: ""}
        file = spec
        while (last := max(options, key=file.rfind)) in file:
            file, _, options[last] = file.rpartition(last)
            if not options[last].strip():
                raise InputError(f"got {spec!r:.80}, which says nothing after {last}", field="outages")
        if not is_file(Path(file)):
            raise InputError("no such file, expected a list of outages", file=file)
        return cls(file, options[SYSTEM], options[BEGIN])

    @property
    def spec(self) -> str:
        """How a person names it."""
        options = ((SYSTEM, self.system), (BEGIN, self.begin))
        return self.file + "".join(f"{key}{value}" for key, value in options if value)

    def on(self, nodes: MachineNodes, clock: LogClock, last: float) -> FoundOutages:
        """Return its outages on a machine; `last` is the end of the log, in seconds."""
        from echelon.availability.traces import place_trace, read_failure_trace

        trace = self.read
        if trace is None:
            trace = read_failure_trace(self.file, timezone=clock.time_zone or "UTC")
        trace = trace.of_system(self.system) if self.system else trace
        zero, notes = _zero(trace, clock, last) if not self.begin else (self._zero(trace, clock), ())
        placed = place_trace(trace, nodes, zero=zero)
        if zero is None:
            notes = tuple(f"{clause}{_first_on(placed.outages)}" for clause in notes)
        left = tuple(one.sentence for one in trace.anomalies if one.kind in _NOT_MODELLED)
        others = tuple(one.sentence for one in trace.anomalies if one.kind not in _NOT_MODELLED)
        return FoundOutages(placed.outages, left, (*notes, *placed.notes, *others))

    def _zero(self, trace: FailureTrace, clock: LogClock) -> float:
        """Return when the run's second 0 is, by the trace's clock, if its first outage begins as asked."""
        try:
            begin = clock.moment(self.begin).seconds
        except InputError as error:
            raise InputError(f"begin: {error.problem}", file=self.file) from error
        return float(trace.down.min(initial=np.inf)) - begin if len(trace) else 0.0


def _first_on(outages: Outages) -> str:
    """Return when the first outage on a machine is, if not at second 0: nodes of a trace may be left out."""
    if not len(outages):
        return ", none on this machine"
    first = float(outages.start.min())
    return f", the first on this machine at second {first:.0f}" if first > 0 else ""


_NOT_MODELLED = ("not-modeled", "cluster-events", "other-states")
"""Kinds of anomalies of a trace that say what it carries and nothing models."""

_ARCHIVED = ("fta", "lanl")
"""Formats of archives, whose machine is not the one that is simulated."""


def _zero(trace: FailureTrace, clock: LogClock, last: float) -> tuple[float | None, tuple[str, ...]]:
    """Return the Unix time of the run's second 0, and a note on it; None: that of the trace's first outage.

    Where trace and log have dates both are meant. But a trace of an archive that has no outage in the time
    of the log, and any trace of dates on a log without, begins with the run.
    """
    start = clock.unix_start_time if trace.is_dated else 0.0
    if not len(trace):
        return None, ()
    if start is None:
        if trace.numbering == "machine":
            raise InputError(
                "has dates, but the log's header does not say when it began (UnixStartTime); give seconds of "
                f"the log, or {trace.file}{BEGIN}0 for its first outage at second 0",
                file=trace.file,
            )
        return None, (f"the log has no dates: the first outage of {trace.file} is at second 0",)
    if ((trace.up > start) & (trace.down < start + last)).any():
        return start, ()
    if trace.is_dated and trace.format in _ARCHIVED:
        return None, (f"{trace.file} has no outage in the time of the log: its first one is at second 0",)
    return start, (
        f"{trace.file} has no outage in the time of the log; give {trace.file}{BEGIN}0 to have its first one "
        "at second 0",
    )


@dataclass(frozen=True, slots=True)
class OutageInput:
    """Outages as they were given.

    Parameters
    ----------
    parts : tuple
        Each a `TraceFile`, a table ``[[outage]]``, or `Outages`.
    """

    parts: tuple[Any, ...]

    def outages(self, nodes: MachineNodes, clock: LogClock, last: float = np.inf) -> FoundOutages:
        """Return the outages of a machine, of a log that ends at `last`, in seconds.

        Raises
        ------
        InputError
            If a node or site is none of the machine's, or a date cannot be placed in the log.
        """
        from echelon.availability.merging import join_outages
        from echelon.availability.outage_row import outage_rows

        tables = [part for part in self.parts if isinstance(part, Mapping)]
        rows = [
            row
            for number, table in enumerate(tables, start=1)
            for row in outage_rows(table, place_of(table, "outage", number), nodes, clock)
        ]
        sources = [FoundOutages(Outages.of(rows))]
        for part in self.parts:
            if isinstance(part, Outages):
                sources.append(FoundOutages(part))
            elif not isinstance(part, Mapping):
                sources.append(part.on(nodes, clock, last))
        return FoundOutages(
            join_outages(one.outages for one in sources),
            tuple(clause for one in sources for clause in one.not_modelled),
            tuple(clause for one in sources for clause in one.notes),
        )


def outages_of(spec: Any) -> OutageInput | None:  # noqa: ANN401  (a path, tables, outages, or several of them)
    """Return outages as given: a path, ``none``, `Outages`, a trace, tables of outages, or a list of these.

    Raises
    ------
    InputError
        If a file cannot be read as outages, or what is given is none of these.
    """
    if spec is None or isinstance(spec, OutageInput):
        return spec
    parts = parts_of(spec, _part)
    return OutageInput(parts) if parts else None


def format_outages(outages: OutageInput | None) -> str | None:
    """Return the file of outages, or tables as JSON; None if there are none."""
    return None if outages is None else format_parts(outages.parts, _spec)


def _part(source: Any) -> Any:  # noqa: ANN401  (as above)
    if isinstance(source, Mapping | Outages | TraceFile):
        return source
    if isinstance(source, str | Path):
        return TraceFile.of_spec(str(source))
    from echelon.availability.traces import FailureTrace

    if isinstance(source, FailureTrace):
        return TraceFile(source.file, read=source)
    raise InputError(f"must be a file, tables or Outages, got {source!r:.60}", field="outages")


def _spec(part: Any) -> Any:  # noqa: ANN401  (as above)
    if isinstance(part, Mapping):
        return dict(part)
    if isinstance(part, Outages):
        return f"{len(part)} outages of {len(set(part.node.tolist()))} nodes"
    return part.spec
