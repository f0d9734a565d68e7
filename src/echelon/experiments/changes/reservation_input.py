"""ReservationInput: what a run is given of reservations: a file, tables of a scenario file, or values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.experiments.changes.parts import format_parts, parts_of, place_of
from echelon.model.machines.reservations import Reservation

if TYPE_CHECKING:
    from echelon.availability.calendar import Calendar
    from echelon.availability.log_clock import LogClock


@dataclass(frozen=True, slots=True)
class ReservationInput:
    """Reservations as they were given.

    Parameters
    ----------
    parts : tuple
        Each a `ReservationFile`, a table ``[[reservation]]``, or a `Reservation`.
    """

    parts: tuple[Any, ...]

    @property
    def ready(self) -> tuple[Reservation, ...]:
        """Those given as values, which need no calendar."""
        return tuple(part for part in self.parts if isinstance(part, Reservation))

    def calendar(self, clock: LogClock) -> tuple[Calendar, tuple[str, ...]]:
        """Return the calendar of files and tables, and a clause on each thing that nothing models.

        Raises
        ------
        InputError
            If a cell or key is wrong; the message says where.
        """
        from echelon.availability.calendar import Calendar
        from echelon.availability.reservations.reservation_row import reservation_entry

        tables = [part for part in self.parts if isinstance(part, Mapping)]
        entries = [
            reservation_entry(table, place_of(table, "reservation", number), clock)
            for number, table in enumerate(tables, start=1)
        ]
        left: list[str] = []
        for part in self.parts:
            if not isinstance(part, Mapping | Reservation):
                calendar, omitted = part.calendar(clock)
                entries += calendar.entries
                left += omitted
        return Calendar(tuple(entries)), tuple(left)


def reservations_of(spec: Any) -> ReservationInput | None:  # noqa: ANN401  (a path, tables, values, or several)
    """Return reservations as given: a path, ``none``, a `Reservation`, a table, or a list of these.

    Raises
    ------
    InputError
        If a file cannot be read as reservations, or what is given is none of these.
    """
    if spec is None or isinstance(spec, ReservationInput):
        return spec
    parts = parts_of(spec, _part)
    return ReservationInput(parts) if parts else None


def format_reservations(reservations: ReservationInput | None) -> str | None:
    """Return the file of reservations, or tables and values as JSON; None if there are none."""
    return None if reservations is None else format_parts(reservations.parts, _spec)


def _part(source: Any) -> Any:  # noqa: ANN401  (as above)
    if isinstance(source, Mapping | Reservation) or hasattr(source, "calendar"):
        return source
    if isinstance(source, str | Path):
        from echelon.availability.reservations.reservation_file import read_reservations

        return read_reservations(source)
    raise InputError(f"must be a file, tables or reservations, got {source!r:.60}", field="reservations")


def _spec(part: Any) -> Any:  # noqa: ANN401  (as above)
    if isinstance(part, Mapping):
        return dict(part)
    return asdict(part) if isinstance(part, Reservation) else str(part.file)
