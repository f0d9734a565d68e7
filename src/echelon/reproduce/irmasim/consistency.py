"""Whether the thesis' printed numbers follow from each other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.reproduce.irmasim.data import FIGURE_4_4, INCREASE, global_numbers, global_table, thesis_numbers
from echelon.reproduce.irmasim.queue_order import cores_in_order, job_order
from echelon.reproduce.irmasim.setups import COMPUTE_SHARE, MEGABYTE, PAIR_VOLUME, PENALTY, TRACES
from echelon.reproduce.machinery.listing import Check

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from echelon.reproduce.irmasim.setups import StudyJob

NODE_CORES = 8
"""Of each of the two nodes of the first experiments."""


def consistency() -> list[Check]:
    """Return every check of the printed numbers against each other, each recomputed."""
    return [*_speed_factor(), *_first_experiments(), *_global(), *_traces()]


def speed_factor(compute_share: float, memory: float, network: float) -> float:
    """Return the factor of a task's speed, each share of its time weighted by what slows it down."""
    return compute_share * memory + (1 - compute_share) * network


def _speed_factor() -> Iterator[Check]:
    factor, run_time = (thesis_numbers()["E3", name] for name in ("speed_factor", "contended_time"))
    yield Check(
        "S_f of E3, T_compute weighting memory and its complement the network, as in L733",
        f"{factor:.2f}", f"{speed_factor(COMPUTE_SHARE, 1, PENALTY):.2f}",
    )  # fmt: skip
    yield Check(
        "S_f of E3, T_compute weighting the network, as the formula is printed in L504 and L729",
        f"{factor:.2f}", f"{speed_factor(COMPUTE_SHARE, PENALTY, 1):.2f}",
        "the formula's labels are swapped; only weighted the other way T_compute = 1 cancels communication",
    )  # fmt: skip
    yield Check(
        "run time of job 2 of E3 in s, 1 / S_f", f"{run_time:.9f}", f"{1 / factor:.9f}",
        "50/49 is 1.020408163265...: the last digit was not rounded to the nearest",
    )  # fmt: skip
    yield Check(
        "run time of job 2 of E3 in s, 1 / S_f up to whole nanoseconds, as the program has times",
        f"{run_time:.9f}", f"{math.ceil(1e9 / factor) / 1e9:.9f}",
    )  # fmt: skip


def _first_experiments() -> Iterator[Check]:
    printed = thesis_numbers()
    energy, delay, makespan, volume = (
        printed["E2a", name] for name in ("energy", "energy_delay_product", "makespan", "volume")
    )
    power = printed["E2b", "energy"] / printed["E2b", "makespan"]
    exact = printed["E3", "contended_time"]
    yield Check("makespan of E2a, the run time of job 2", f"{makespan:.2f}", f"{exact:.2f}")
    yield Check("EDP of E2a, energy x makespan as printed", f"{delay:.2f}", f"{energy * makespan:.2f}")
    yield Check(
        f"energy of E2a, the {power:g} W of E2b x the rounded makespan",
        f"{energy:.1f}", f"{power * makespan:.1f}",
    )  # fmt: skip
    yield Check(
        f"energy of E2a, the {power:g} W of E2b x the makespan in full",
        f"{energy:.1f}", f"{power * exact:.1f}",
        "energy and EDP were made of the makespan rounded to 1.02 s",
    )  # fmt: skip
    busy = [sum(job.demand.tasks for job in TRACES[name].jobs) for name in ("E2a", "E2b")]
    yield Check(
        f"mean power of E2a in W, with {busy[0]} busy cores, by the {power:g} W of E2b with {busy[1]}",
        f"{energy / makespan:.0f}", f"{power * busy[0] / busy[1]:.0f}",
        "both have the same power: the platform draws it whatever runs, or the energy was not measured",
    )  # fmt: skip
    alone = printed["E2b", "energy_delay_product"]
    yield Check("EDP of E2b, energy x makespan", f"{alone:.1f}", f"{power:.1f}")
    pairs = remote_pairs(TRACES["E2a"].cores[2])
    yield Check(
        f"volume of E2a in MB, {pairs} pairs in different nodes x {PAIR_VOLUME / MEGABYTE:g} MB",
        f"{volume / MEGABYTE:.0f}", f"{pairs * PAIR_VOLUME / MEGABYTE:.0f}",
    )  # fmt: skip


def remote_pairs(cores: tuple[int, ...]) -> int:
    """Return how many pairs of tasks on these cores of the first platform are in different nodes."""
    first = sum(core < NODE_CORES for core in cores)
    return first * (len(cores) - first)


def _global() -> Iterator[Check]:
    table = global_table()
    energy, delay, makespan, volume = (
        global_numbers(name)
        for name in ("energy", "energy-delay product", "makespan", "communication volume")
    )
    for column, joules, product_, seconds in zip(table.columns, energy, delay, makespan, strict=True):
        yield Check(f"makespan of E5 {column}, EDP / energy", f"{seconds:.2f}", f"{product_ / joules:.2f}")
    slow = 1 if makespan[1] > makespan[0] else 0
    yield Check(
        "column of E5 with a volume above 0", "with communications",
        table.columns[0 if volume[0] > 0 else 1],
        "the heads are swapped: the run without communications is headed with them",
    )  # fmt: skip
    yield Check(
        "increase of the makespan in %, the column with a volume over the other",
        INCREASE, f"{100 * (makespan[slow] / makespan[1 - slow] - 1):.1f}",
    )  # fmt: skip
    watts = [joules / seconds for joules, seconds in zip(energy, makespan, strict=True)]
    yield Check(
        "factor of the energies of E5, if the power is the same in both",
        f"{energy[slow] / energy[1 - slow]:.1f}", f"{makespan[slow] / makespan[1 - slow]:.1f}",
        f"mean powers of {watts[1 - slow]:,.1f} W and {watts[slow]:,.1f} W, which is "
        f"{watts[1 - slow] / 480:.1f} and {watts[slow] / 480:.1f} W a core: the two runs had other "
        "parameters of power, so their energies cannot be compared",
    )  # fmt: skip


def _traces() -> Iterator[Check]:
    third = FIGURE_4_4[2].split()
    tasks = TRACES["E1b"].jobs[2].demand.tasks
    yield Check(
        "tasks of job 3 of E1b as figure 4.4 lists them, by the text", f"{len(third)}", f"{tasks}",
        f"task 4 is listed {third.count('4')} times",
    )  # fmt: skip
    yield from _orders()
    cores = TRACES["E2a"].cores[2]
    yield Check(
        "cores of job 2 of E2a (L690), handed out in the order in which the program takes jobs",
        _numbers(cores), _numbers(cores_in_order(TRACES["E2a"].jobs)[2]),
        "not the order of the trace, in which job 2 would have cores 4 to 7 of one node",
    )  # fmt: skip


def _orders() -> Iterator[Check]:
    jobs = TRACES["E1c"].jobs
    what = "jobs of E1c that start at once, with a head that blocks, "
    orders = {
        "in the order of the trace": list(range(1, len(jobs) + 1)),
        "in the order in which the program takes jobs": job_order(jobs),
    }
    for name, order in orders.items():
        started = _numbers(sorted(start_at_once(order, jobs, 2 * NODE_CORES)))
        why = "the run printed has job 3 overtake job 2, which needs another order"
        yield Check(what + name, "1 3", started, "" if started == "1 3" else why)


def start_at_once(order: Sequence[int], jobs: Sequence[StudyJob], cores: int) -> list[int]:
    """Return the jobs, numbered from 1, that start at once if the first that does not fit blocks the rest."""
    started: list[int] = []
    for number in order:
        cores -= jobs[number - 1].demand.tasks
        if cores < 0:
            break
        started.append(number)
    return started


def _numbers(values: Iterable[int]) -> str:
    return " ".join(map(str, values))
