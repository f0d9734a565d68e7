"""The thesis on IRMASim with MPI jobs: planning, communication, contention, release, and a global experiment.

Source: Borja Cuevas Cuesta, "Modelado de la Red de Interconexión en IRMASim", bachelor thesis, Universidad de
Cantabria, Santander 2022. It added message-passing jobs and a model of their network to IRMASim, a
simulator of heterogeneous clusters.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from echelon.platforms.platform_writer import platform_text
from echelon.reproduce.irmasim.claims import CLAIMS, CONCLUSIONS
from echelon.reproduce.irmasim.experiments import (
    LARGE,
    NETWORK,
    QUICK_SEEDS,
    SEEDS,
    SMALL,
    experiments,
    machine_of,
)
from echelon.reproduce.irmasim.figures import global_printed, thesis_figures
from echelon.reproduce.irmasim.listings import listings
from echelon.reproduce.irmasim.pictures import pictures
from echelon.reproduce.irmasim.public_examples import SAVE_NOTE, public_examples, public_figures
from echelon.reproduce.irmasim.setups import TRACES, Mix, platform_of, workload_of
from echelon.reproduce.machinery.published_study import PublishedStudy
from echelon.workloads.irmasim import write_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.model import Platform


NOTES = (
    "L numbers are lines of the thesis as plain text. Jobs are numbered from 1 as there, nodes and "
    "cores from 0.",
    "A task's speed is weighted as the thesis' own numbers need it, not as its formula is printed: "
    "the compute share by what memory allows, the rest by what the network allows.",
    "What a node sends is the volume of each of its tasks that has a sibling elsewhere, once, over "
    "one second: the thesis compares bytes with bytes a second, and its tasks take a second. The "
    "total counts each pair of tasks in different nodes once, as its 800 MB do.",
    "A task that has ended keeps its traffic until its job ends; else the last one of E2a would be "
    "alone for an instant and end at 1.02 s instead of 1.0204 s.",
    "E2a and E3 are one run. Its cores are forced as the thesis shows them: handed out in the order of "
    "the trace, job 2 would have four of one node and send nothing. A branch of the public repository holds "
    "an early state of the thesis' program, and that explains both this and the order of E1c: equal "
    "arrivals leave its queue, a binary heap, in another order than they came in. So is the last digit of "
    "1.020408164 s explained: its times are rounded up to whole nanoseconds.",
    "E4: the edited bandwidths are not stated. Ours is 1 TB/s in the first node, 125 MB/s in the second.",
    "The power of the platform is not stated. That of a platform file in the same branch, 100 W a busy core, "
    "50 W a busy processor and 5 % of that an idle one, gives the printed 905 J of E2b; no power that rises "
    "with the busy cores gives the energy of E2a, too.",
    "Of the global experiment's platform the thesis states 30 nodes of four processors of four cores, 125 "
    "MB/s a node and clocks from 2.4 to 4.4 GHz; of its jobs only that both kinds occur. So our own mix is "
    "run with many seeds, and no digit of its table can be tested. The branch has a trace of ten sequential "
    "and two MPI jobs; its 64 tasks fit at once and its longest jobs are sequential, so it is another.",
    SAVE_NOTE,
)


def files() -> dict[str, Callable[[], bytes]]:
    """Return what writes each file, by its name: IRMASim's ``workload.json``, and platform files of ours."""
    jobs = {_slug(name): workload_of(name, trace.jobs) for name, trace in TRACES.items()}
    edited = {_slug(name): machine_of(trace) for name, trace in TRACES.items() if trace.wide}
    # An example that is run in several ways has its jobs and its machine before the comma.
    public = {_slug(one.name.partition(",")[0]): one for one in public_examples()}
    jobs |= {name: one.workload for name, one in public.items()} | {"mix-0": Mix().draw(0)}
    edited |= {name: platform_of(one.hardware) for name, one in public.items()}
    return {
        **{f"{name}.json": partial(write_json, workload) for name, workload in jobs.items()},
        **{f"{name}.toml": _platform(platform) for name, platform in edited.items()},
    }


def _slug(name: str) -> str:
    return name.lower().replace(" ", "-").replace("/", "-")


def _platform(platform: Platform) -> Callable[[], bytes]:
    return lambda: platform_text(platform).encode()


PUBLISHED = PublishedStudy(
    name="irmasim",
    title="MPI jobs in IRMASim: planning, communication, contention, release, and all of it together",
    source='Cuevas Cuesta, "Modelado de la Red de Interconexión en IRMASim", bachelor thesis, Universidad de '
    "Cantabria, Santander 2022",
    needs="nothing; the extra stats",
    takes="30 s",
    options=("quick",),
    settings=lambda *, quick=False: QUICK_SEEDS if quick else SEEDS,
    experiments=experiments,
    judged=CLAIMS.judge,
    points=CONCLUSIONS,
    setting=lambda _, seeds: {
        "platforms": f"{SMALL}, {LARGE}",
        "network": NETWORK,
        "execution": "speed; public examples: memory-v1 and the rules of each manager",
        "seeds": {"planning": seeds.planning, "global": seeds.mix},
    },
    figures=lambda study: thesis_figures(study.small),
    independent=lambda study: public_figures(study.public),
    tables=lambda _: [global_printed()],
    listings=lambda study, _: listings(study),
    pictures=pictures,
    notes=NOTES,
    files=lambda _: files(),
)
IRMASIM = PUBLISHED.study
