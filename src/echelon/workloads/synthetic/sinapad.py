"""Jobs of a scientific portal, as the SINAPAD study submitted them, and as its future work asks for them.

Source: Rodrigues, Ishii, Gomes & dos Reis, about 2014, section 4: copies of one sequential, CPU-bound program
of 60 s on its fastest machines, 10 % more or less, submitted all at once or one every 20 s. Its last section
names what is left to do: jobs of several kinds, data-intensive ones, and applications of jobs that wait for
each other. How those look is not described; the parameters for them are ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.model.jobs.dependencies import Dependencies
from echelon.model.streams import stream
from echelon.workloads.synthetic.model import Jobs, Model
from echelon.workloads.synthetic.parameter import TINIEST, Parameter, check_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn

NAME = "sinapad"
_FLOWS = ("none", "chain", "fork-join")
_MACHINES = 10
_SPREAD_MOST = 1e6

PARAMETERS: tuple[Parameter, ...] = (
    Parameter("interval", "s", 20.0, "time between submissions; 0: all at second 0", 0, 1e9),
    Parameter("work", "s", 60.0, "mean run time alone on a machine of speed 1", above=TINIEST, most=1e9),
    Parameter("variation", "1", 0.1, "largest deviation from the run time of the application", 0, 0.999),
    Parameter("applications", "1", 1, "number of programs; each job runs a random one", 1, 1e6),
    Parameter("spread", "1", 1.0, "longest application over the shortest; geometric steps", 1, _SPREAD_MOST),
    Parameter("io", "1", 0.0, "share of its run time in which an I/O-bound job does not compute", 0, 0.999),
    Parameter("io_jobs", "1", 1.0, "probability that a job is I/O-bound, if io is not 0", 0, 1),
    Parameter("flow", "1", 0, "shape of the dependencies within a workflow", choices=_FLOWS),
    Parameter("flow_jobs", "1", 5, "jobs of a workflow, which are submitted together", 1, 1e6),
)  # fmt: skip


def draw(values: Mapping[str, float], jobs: int, seed: int) -> Jobs:
    """Return `jobs` sequential jobs; each quantity has a stream of its own. Cost: O(n)."""
    check_whole(values, "applications", "flow_jobs")
    application = _random(seed, "applications").integers(0, int(values["applications"]), jobs)
    factor = _random(seed, "run times").uniform(1 - values["variation"], 1 + values["variation"], jobs)
    run = np.maximum(np.round(_works(values)[application] * factor, 3), 0.001)
    io_bound = (_random(seed, "kinds").random(jobs) < values["io_jobs"]) & (values["io"] > 0)
    return Jobs(
        _submissions(values, jobs),
        run,
        np.ones(jobs, dtype=np.int64),
        np.full(jobs, -1),
        more={
            "average_cpu_time": np.where(io_bound, np.round(run * (1 - values["io"]), 6), run),
            "executable": len(_kinds(values)) * application + io_bound + 1,
        },
        names={"executable": _names(values)},
        dependencies=_dependencies(_FLOWS[int(values["flow"])], int(values["flow_jobs"]), jobs),
    )


def _works(values: Mapping[str, float]) -> FloatColumn:
    """Return the run time of each application: geometric steps whose mean is the work asked for."""
    count = int(values["applications"])
    steps = values["spread"] ** np.linspace(0, 1, count)
    return np.asarray(values["work"] * steps / steps.mean(), dtype=np.float64)


def _kinds(values: Mapping[str, float]) -> tuple[str, ...]:
    """Return how the kinds of an application's programs differ in name: CPU-bound, then I/O-bound."""
    return ("", "-io") if values["io"] else ("",)


def _names(values: Mapping[str, float]) -> tuple[str, ...]:
    count = int(values["applications"])
    names = ["linpack"] if count == 1 else [f"application-{k}" for k in range(1, count + 1)]
    return tuple(f"{one}{kind}" for one in names for kind in _kinds(values))


def _submissions(values: Mapping[str, float], jobs: int) -> FloatColumn:
    """Return when jobs are submitted: at regular times, those of a workflow with its first one."""
    turn = np.arange(jobs)
    if values["flow"]:
        turn -= turn % int(values["flow_jobs"])
    return np.asarray(turn * values["interval"], dtype=np.float64)


def _dependencies(flow: str, size: int, jobs: int) -> Dependencies | None:
    """Return what jobs wait for: the one before; or all between the first and last for the first."""
    if flow == "none" or size == 1:
        return None
    turn = np.arange(jobs)
    place = turn % size
    if flow == "chain":
        after = turn[place > 0]
        return Dependencies.of_edges(jobs, after - 1, after)
    before, after = _fork_join(turn, place, size)
    return Dependencies.of_edges(jobs, before, after)


def _fork_join(turn: IntColumn, place: IntColumn, size: int) -> tuple[IntColumn, IntColumn]:
    """Return edges from the first job of a workflow to those between, and from these to its last one."""
    forked: NDArray[np.bool_] = (place > 0) & (place < size - 1)
    joined = turn[forked] - place[forked] + size - 1
    there = joined < len(turn)
    before = np.concatenate(((turn - place)[forked], turn[forked][there]))
    after = np.concatenate((turn[forked], joined[there]))
    if size > 2:
        return before, after
    last = turn[place == 1]
    return last - 1, last


def _random(seed: int, what: str) -> np.random.Generator:
    return stream(seed, f"{NAME}/{what}")


MODEL = Model(
    name=NAME,
    summary="Sequential jobs of a scientific portal: CPU-bound, or of several kinds, or in workflows.",
    source="Rodrigues et al., about 2014, section 4",
    parameters=PARAMETERS,
    draw=draw,
    machine=lambda _: _MACHINES,
    scaled=lambda _: {},
    can_be_fitted=False,
    jobs=40,
)
