"""A model fitted to a log, jobs drawn from it, and how near they come to the log's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.metrics.schedule.goodness import ks_distance, total_variation
from echelon.metrics.tables.arrivals import arrivals
from echelon.workloads import write_workload
from echelon.workloads.files.atomic import replacing
from echelon.workloads.synthetic.character import Character, character
from echelon.workloads.synthetic.fits.fit import fit_model

if TYPE_CHECKING:
    from echelon.model import Workload
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.workloads.synthetic.fitted_model import FittedModel


class Quantities(NamedTuple):
    """What of a workload is compared; jobs without submit time, run time or size are left out.

    Attributes
    ----------
    size : IntColumn, shape (n,)
        In processors.
    run_time : FloatColumn, shape (n,)
        In seconds.
    gap : FloatColumn, shape (n - 1,)
        Between submissions, in seconds.
    by_hour : IntColumn, shape (24,)
        Submissions in each hour of the day.
    requested_time : FloatColumn, shape (m,)
        Users' estimates in seconds, of those jobs that have one.
    """

    size: IntColumn
    run_time: FloatColumn
    gap: FloatColumn
    by_hour: IntColumn
    requested_time: FloatColumn


def quantities(workload: Workload) -> Quantities:
    """Return what of a workload is compared. Cost: O(n log n)."""
    complete = (workload.submit_time >= 0) & (workload.run_time > 0) & (workload.processors > 0)
    submit = np.sort(workload.submit_time[complete])
    requested = workload.requested_time[complete]
    header = workload.header
    hours = arrivals(submit, unix_start_time=header.unix_start_time, time_zone=header.time_zone).by_hour
    return Quantities(
        size=workload.processors[complete],
        run_time=workload.run_time[complete],
        gap=np.diff(submit),
        by_hour=hours,
        requested_time=requested[requested > 0],
    )


@dataclass(frozen=True, slots=True)
class ModelFit:
    """A log, the model fitted to it, and jobs drawn from that.

    Parameters
    ----------
    log : Workload
        What the model was fitted to.
    fitted : FittedModel
        Model and parameters.
    sample : Workload
        Jobs of the model.
    seed : int
        With which they were drawn.
    """

    log: Workload
    fitted: FittedModel
    sample: Workload
    seed: int

    @property
    def distances(self) -> dict[str, float]:
        """How far the jobs drawn are from the log's, by quantity, 0 to 1.

        Kolmogorov-Smirnov distances of sizes, run times, gaps and requested times (if both have some), and
        the total variation of the arrivals by hour.
        """
        log, model = quantities(self.log), quantities(self.sample)
        distances = {
            "size": ks_distance(log.size, model.size),
            "run_time": ks_distance(log.run_time, model.run_time),
            "gap": ks_distance(log.gap, model.gap),
            "hour_of_day": total_variation(log.by_hour, model.by_hour),
        }
        if len(log.requested_time) and len(model.requested_time):
            distances["requested_time"] = ks_distance(log.requested_time, model.requested_time)
        return distances

    @property
    def characters(self) -> tuple[Character, Character]:
        """Figures of the log and of the jobs drawn, on one machine."""
        model = character(self.sample)
        return character(self.log, model.processors), model

    def to_dict(self) -> dict[str, object]:
        """Return all of it as plain values for JSON."""
        log, model = self.characters
        return {
            "log": self.log.name,
            "model": self.fitted.model,
            "parameters": dict(self.fitted.parameters),
            "seed": self.seed,
            "figures": {"log": log._asdict(), "model": model._asdict()},
            "distances": self.distances,
        }

    def write(self, folder: str | Path) -> list[Path]:
        """Write ``model.toml``, ``jobs.swf`` and ``fit.json`` into a folder and return the files.

        Raises
        ------
        InputError
            If the folder cannot be made or a file not written.
        """
        import json

        place = Path(folder)
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot be created as a folder: {error.strerror}", file=str(folder)) from error
        files = [place / name for name in ("model.toml", "jobs.swf", "fit.json")]
        self.fitted.write(files[0])
        write_workload(self.sample, files[1])
        with replacing(files[2]) as file:
            file.write((json.dumps(self.to_dict(), indent=2, allow_nan=False) + "\n").encode())
        return files


def fit_and_draw(
    log: Workload,
    model: str = "lublin-typeless",
    *,
    jobs: int | None = None,
    processors: int | None = None,
    seed: int = 0,
) -> ModelFit:
    """Fit a model to a log and draw jobs from it.

    Parameters
    ----------
    log : Workload
        In any order.
    model : str, default "lublin-typeless"
        A model's name.
    jobs : int, optional
        How many to draw. Default: as many as the log has.
    processors : int, optional
        Of the machine. Default: the log's MaxProcs.
    seed : int, default 0
        Of the draws.

    Raises
    ------
    InputError, UnknownNameError
        As `fit_model`.
    """
    fitted = fit_model(log, model, processors=processors)
    return ModelFit(log, fitted, fitted.generate(jobs, seed=seed), seed)
