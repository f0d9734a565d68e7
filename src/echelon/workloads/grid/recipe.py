"""Recipe: which logs make a grid's workload, and how. Ready ones: those of the published grid study."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError, UnknownNameError
from echelon.model import Platform, Site
from echelon.workloads.grid.calendar import Weekdays
from echelon.workloads.grid.spec import FIELDS, RECIPES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {one.name: one.choices for one in FIELDS if one.choices}
)
"""The values of each choice of a recipe, the default first."""

MOST_WEEKS = 5200


@dataclass(frozen=True, slots=True)
class SiteLog:
    """A log, and the site at which its jobs are submitted.

    Parameters
    ----------
    log : str
        WORKLOAD: a data set, a file, a model's spec, or ``das2-fs0`` ... ``das2-fs4``.
    site : str
        The site's name, as in the platform.
    processors : int, optional
        Processors of the site, >= 1. Default: the log's MaxProcs.
    partition : str, optional
        Name or code of the log's partition whose jobs alone are taken, where one log has several sites.
        The processors must be given then.
    """

    log: str
    site: str
    processors: int | None = None
    partition: str | None = None

    def __post_init__(self) -> None:
        if not self.log.strip() or not self.site.strip():
            raise InputError(f"must name a log and a site, got {self.log!r} at {self.site!r}", field="log")
        if self.processors is not None and self.processors < 1:
            raise InputError(f"must be at least 1, got {self.processors}", field=f"processors of {self.site}")
        if self.partition is not None and (not self.partition or self.processors is None):
            raise InputError(
                f"must have a name and its processors, LOG#PARTITION@SITE:PROCESSORS, got {self.partition!r}",
                field=f"partition of {self.site}",
            )

    @classmethod
    def parse(cls, spec: str) -> SiteLog:
        """Return the log of a spec such as ``kth-sp2@KTH:100`` or ``das2.gwf#fs0@VRIJE:144``.

        Without ``@`` the site is named like the log. What follows ``#`` is a partition, unless a file's name
        has it.

        Raises
        ------
        InputError
            If a part is empty, or the processors are no whole number.
        """
        log, at, rest = spec.rpartition("@")
        if not at:
            return cls(spec, spec)
        site, colon, size = rest.partition(":")
        if colon and not size.strip().isdecimal():
            raise InputError(f"must be LOG@SITE or LOG@SITE:PROCESSORS, got {spec!r}", field="log")
        processors = int(size) if colon else None
        whole, sign, part = log.rpartition("#")
        if not sign or Path(log).is_file():
            return cls(log.strip(), site.strip(), processors)
        return cls(whole.strip(), site.strip(), processors, part.strip())


@dataclass(frozen=True, slots=True)
class GridRecipe:
    """How the logs of several sites become the workload of a grid, in weekly experiments.

    Parameters
    ----------
    name : str
        For titles and file names.
    logs : tuple of SiteLog
        At least one; the order decides ties of jobs submitted at the same time.
    days : str, default ``"mon-fri"``
        Weekdays taken of each week.
    weeks : int, default 30
        Experiments, 1 to 5200: experiment k takes week k of every log, counted from its first one.
    first_week : int, default 1
        Which full week of every log is its first one here; those before it are left out.
    time_zone : str, default ``"America/Los_Angeles"``
        Of the grid's clock, a name of the tz database; daylight saving is that of each job's own date.
    hours : {"converted", "own"}, default "converted"
        ``converted``: every moment as the grid's clock showed it, so that nine in the morning in Stockholm is
        midnight on the Pacific coast. ``own``: every log keeps its own hours of the day.
    filters : {"known", "literal", "completed", "none"}, default "known"
        Jobs dropped for missing fields: see `transform.complete`; ``literal`` is the study's wording, and
        ``completed`` drops those that failed or were canceled, too.
    sizes : {"allocated", "requested"}, default "allocated"
        Which processors count where a log has both.
    largest : int, optional
        Only jobs of at most this many processors, >= 1. Default: all.
    run_times : float, default 1
        Factor on run times and requested times, > 0 and finite: the load changes by it, arrivals stay.
    short_logs : {"refuse", "wrap", "leave-out"}, default "refuse"
        What becomes of a log with fewer full weeks than experiments: an error; its weeks once more from the
        first (``wrap``; preceding jobs are forgotten then); or no jobs of it in the later experiments.
    stand_ins : {"refuse", "lublin"}, default "refuse"
        What becomes of a log that is not to be had: an error; or jobs of the Lublin-Feitelson model for its
        site's size, with requested times of the model ``popular``, marked in name, header and anomalies.
    sites : tuple of Site, default empty
        The platform, where it is not the logs' sites with their sizes.
    seed : int, default 0
        Of the stand-ins, >= 0.

    Raises
    ------
    InputError
        If a number is out of its bounds, there is no log, or a site is given one log twice.
    UnknownNameError
        If a choice has no such value.
    """

    name: str
    logs: tuple[SiteLog, ...]
    days: str = "mon-fri"
    weeks: int = 30
    first_week: int = 1
    time_zone: str = "America/Los_Angeles"
    hours: str = "converted"
    filters: str = "known"
    sizes: str = "allocated"
    largest: int | None = None
    run_times: float = 1.0
    short_logs: str = "refuse"
    stand_ins: str = "refuse"
    sites: tuple[Site, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.name.strip() or any(sign in self.name for sign in "/\\\0\n"):
            raise InputError(f"must be a valid file name, got {self.name!r}", field="name of the grid")
        if not self.logs:
            raise InputError("needs at least one log, got none", field=f"grid {self.name!r}")
        if twice := [log for log in dict.fromkeys(self.logs) if self.logs.count(log) > 1]:
            raise InputError(
                f"gives {twice[0].log} to site {twice[0].site!r} twice, which would duplicate its jobs; for "
                "two sites give LOG@SITE",
                field=f"grid {self.name!r}",
            )
        for choice, values in CHOICES.items():
            if getattr(self, choice) not in values:
                raise UnknownNameError(f"value of {choice}", str(getattr(self, choice)), values)
        _check_whole(self.weeks, "weeks", most=MOST_WEEKS)
        _check_whole(self.first_week, "first week", most=MOST_WEEKS)
        if self.largest is not None:
            _check_whole(self.largest, "largest")
        _check_whole(self.seed, "seed", least=0)
        if not (self.run_times > 0 and math.isfinite(self.run_times)):
            raise InputError(f"must be a finite number > 0, got {self.run_times}", field="run times")
        Weekdays.parse(self.days)

    @property
    def weekdays(self) -> Weekdays:
        """The days taken of each week."""
        return Weekdays.parse(self.days)

    @property
    def site_names(self) -> tuple[str, ...]:
        """Home sites of the jobs, each once, in the order of the logs: names of the codes of partitions."""
        return tuple(dict.fromkeys(log.site for log in self.logs))

    @property
    def platform(self) -> Platform | None:
        """The grid's sites; None where the size of one is only in its log's header."""
        if self.sites:
            return Platform(self.sites, self.name)
        sizes: dict[str, int] = {}
        for log in self.logs:
            if log.processors is not None:
                sizes.setdefault(log.site, log.processors)
        if len(sizes) < len(self.site_names):
            return None
        return Platform(tuple(Site(name, sizes[name]) for name in self.site_names), self.name)


def _check_whole(value: Any, name: str, *, least: int = 1, most: int | None = None) -> None:  # noqa: ANN401
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        bounds = f"from {least} to {most}" if most is not None else f">= {least}"
        raise InputError(f"must be a whole number {bounds}, got {value!r}", field=name)


_KTH = SiteLog("kth-sp2", "KTH", 100)
_HPC2N = SiteLog("hpc2n", "HPC2N", 240)
_CTC = SiteLog("ctc-sp2", "CTC", 430)
_LANL = SiteLog("lanl-cm5", "LANL", 1024)

GRID1 = GridRecipe(
    "grid1",
    (
        _KTH,
        SiteLog("sdsc-sp2", "SDSC-SP2", 128),
        _HPC2N,
        _CTC,
        _LANL,
        SiteLog("sdsc-blue", "SDSC-BLUE", 1152),
        SiteLog("sdsc-ds", "SDSC-DS", 1368),
    ),
)
"""Seven sites, 4442 processors, Monday to Friday. Source: Quezada Pina, CICESE 2012, Table 1."""

GRID2 = GridRecipe(
    "grid2",
    (
        SiteLog("das2-fs2", "DAS2-Amsterdam", 64),
        SiteLog("das2-fs3", "DAS2-Delft", 64),
        SiteLog("das2-fs4", "DAS2-Utrecht", 64),
        SiteLog("das2-fs1", "DAS2-Leiden", 64),
        _KTH,
        SiteLog("das2-fs0", "DAS2-Vrije", 144),
        _HPC2N,
        _CTC,
        _LANL,
    ),
    days="mon-thu",
)
"""Nine sites, 2194 processors, Monday to Thursday. Source: the same, Table 2."""

GRID3 = GridRecipe(
    "grid3",
    GRID2.logs,
    days=GRID2.days,
    largest=32,
    sites=tuple(
        Site(f"site-{place}", size) for place, size in enumerate((4, 4, 4, 4, 8, 8, 8, 16, 16, 32, 32), 1)
    ),
)
"""Grid 2's jobs of at most 32 processors on eleven sites of 136. Source: the same, section 4.1.

The jobs' home sites are those of Grid 2, which this platform does not have.
"""


def recipe_of(specs: Sequence[str]) -> GridRecipe:
    """Return the recipe for logs with specs such as ``kth-sp2@KTH``, or the ready one named alone.

    Raises
    ------
    InputError
        If there is no spec, or one is not ``LOG@SITE:PROCESSORS``.
    """
    if len(specs) == 1 and specs[0].lower() in RECIPES and not Path(specs[0]).is_file():
        return RECIPES[specs[0].lower()]
    return GridRecipe("grid", tuple(map(SiteLog.parse, specs)))
