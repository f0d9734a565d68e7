"""Tables of ours: the planning runs, readings of energy, the global experiment's sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.analysis import t_interval
from echelon.reproduce.irmasim.consistency import consistency
from echelon.reproduce.irmasim.data import thesis_numbers
from echelon.reproduce.machinery.listing import Listing, consistency_listing, listing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from echelon.reproduce.irmasim.experiments import Compared, Evidence, Experiments, GlobalExperiment
    from echelon.reproduce.irmasim.observed_run import ObservedRun
    from echelon.reproduce.machinery.listing import Row


def listings(evidence: Evidence) -> list[Listing]:
    """Return all of them, in the order in which they are shown."""
    return [
        consistency_listing(consistency()),
        planning_listing(evidence.small),
        energy_listing(evidence.small),
        global_listing(evidence.whole),
        power_listing(evidence.public),
    ]


@listing(
    "runs",
    "All runs, job by job",
    ("Experiment", "Job", "Tasks", "Cores", "Start, s", "End, s"),
    "Of the planning traces one choice of cores at random of many. The makespans that the text "
    "implies are 1 s for E1a and 2 s for E1b and E1c.",
    labels=6,
)
def planning_listing(experiments: Experiments) -> Iterable[Row]:
    """Return when the jobs of each trace start and end, and where they are."""
    runs = {name: runs[0] for name, runs in experiments.random.items()} | dict(experiments.runs)
    return [
        (
            name,
            str(job),
            str(run.tasks(job)),
            " ".join(map(str, run.cores(job))),
            f"{run.start(job):.9g}",
            f"{run.end(job):.10g}",
        )
        for name, run in runs.items()
        for job in range(1, run.jobs + 1)
    ]


@listing(
    "energy",
    "Energy of the experiments on communication, by reading",
    ("Experiment", "Reading", "Mean power, W", "Energy, J", "EDP, J s"),
    "By load: 100 W for each core with a task, 50 W for each processor with one, 2.5 W for each "
    "without. That gives the printed 905 J of E2b; the printed energy of E2a has the power of "
    "E2b.",
    labels=5,
)
def energy_listing(experiments: Experiments) -> Iterator[Row]:
    """Return what each way to read the energies of E2 gives."""
    printed = thesis_numbers()
    for name in ("E2a", "E2b"):
        power = printed["E2b", "energy"] / printed["E2b", "makespan"]
        run, rounded = experiments.runs[name], printed[name, "makespan"]
        joules = printed[name, "energy"]
        yield from [
            (name, "as printed", f"{joules / rounded:.2f}", f"{joules:.3f}",
             f"{printed[name, 'energy_delay_product']:.3f}"),
            _energy_row(name, f"{power:g} W always, makespan rounded", power * rounded, rounded),
            _energy_row(name, f"{power:g} W always, makespan in full", power * run.makespan, run.makespan),
            _energy_row(name, "power by load (ours)", run.energy, run.makespan),
            _energy_row(name, "power by load, used processors alone (public code)", run.energy_of_used,
                        run.makespan),
        ]  # fmt: skip


def _energy_row(name: str, reading: str, energy: float, makespan: float) -> Row:
    return (name, reading, f"{energy / makespan:.2f}", f"{energy:.3f}", f"{energy * makespan:.3f}")


@listing(
    "global",
    "The global experiment on our mixes",
    ("Mix", "Seeds", "Makespan without, s", "With, s", "Longer, %", "From", "To", "Dearer, %", "Volume, GB"),
    "Means over seeds, with the 95 % interval of the increase. Each row changes one thing of the "
    "mix as it is drawn by default: compute shares from 0 to 1, volumes from 1 to 100 MB a "
    "pair.",
)
def global_listing(whole: GlobalExperiment) -> Iterator[Row]:
    """Return how much longer and dearer the mix is with contention, by what the thesis leaves open."""
    yield _global_row("as drawn", whole.mix)
    for share, one in whole.by_share.items():
        yield _global_row(f"compute share {share:g}", one)
    for (low, high), one in whole.by_volume.items():
        yield _global_row(f"{low:g} to {high:g} MB a pair", one)


def _global_row(name: str, one: Compared) -> Row:
    interval = t_interval(one.longer)
    return (
        name,
        len(one.volume),
        *(float(column.mean()) for column in reversed(one.makespan)),
        *map(float, interval[:3]),
        float(one.dearer.mean()),
        float(one.volume.mean()) / 1e9,
    )


@listing(
    "power",
    "Energy of processors before their first task",
    ("Example", "Without, J (public code)", "With, J (ours)", "Difference, J"),
    "The public code works a processor's power out before it has cores, so that one draws 0 W "
    "until its first task; by its own parameters it should draw 5 % of its static power.",
    labels=4,
)
def power_listing(public: Mapping[str, ObservedRun]) -> Iterable[Row]:
    """Return energies of the public examples with and without the processors that never ran a task."""
    return [
        (name, f"{run.energy_of_used:.4f}", f"{run.energy:.4f}", f"{run.energy - run.energy_of_used:.4f}")
        for name, run in public.items()
    ]
