"""What all tests share: how hypothesis draws its examples, and a run inside a cluster made by hand."""

from __future__ import annotations

import gc
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

# Before numpy comes: in every worker of the tests it has a thread a core, and these wait for each other by
# spinning, which on busy cores was most of the time of all linear algebra. Processes of tests inherit it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")

import numpy as np
import pytest
from hypothesis import settings

from places import where_tested

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

ROOT = Path(__file__).parents[1]
PRINTED = pytest.StashKey[set[Path]]()
FILES = sorted(Path(__file__).parent.rglob("test_*.py"))

# The same examples every time, and no clock: a slow machine or an unlucky draw must not fail a change that is
# right. HYPOTHESIS_PROFILE=explore draws others, to look for what these miss; quick draws the first of them.
# Who needs more or fewer examples than most properties, whose budget is 100, says so by `budgets.examples`.
settings.register_profile("same", derandomize=True, deadline=None, max_examples=25)
settings.register_profile("quick", derandomize=True, deadline=None, max_examples=10)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take ``--for=FILE``: the tests of one file of the package."""
    parser.addoption(
        "--for", dest="source", metavar="FILE", help="run the tests of this file, see CONTRIBUTING.md"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Replace what was asked for by the tests of the file that ``--for`` names."""
    if source := config.getoption("source"):
        try:
            config.args = [str(path) for path in where_tested(Path(source))]
        except ValueError as error:
            raise pytest.UsageError(str(error)) from None
    elif hasattr(config, "workerinput") and config.args_source is config.ArgsSource.TESTPATHS:
        config.args = [str(path) for path in turned(FILES, config.workerinput)]
    # While tests are collected objects are made by the hundred thousand, and none is to be thrown away.
    gc.disable()


def turned(files: Sequence[Path], worker: Mapping[str, Any]) -> list[Path]:
    """Return the files in the order in which one of several workers collects them: each begins elsewhere.

    In a new checkout nothing is compiled. If all workers imported the same files at the same time, each would
    compile all of them. So each compiles a part and finds the parts of the others.
    """
    first = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    return [*files[first:], *files[:first]]


def pytest_sessionstart(session: pytest.Session) -> None:
    """Remember what jobs have printed here before."""
    session.config.stash[PRINTED] = printed()


def printed() -> set[Path]:
    """Return the files at the top of the checkout that jobs of a service write where no other is named."""
    return set(ROOT.glob("ech-*.out"))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail if a job of a test has printed into the checkout, which tests leave as it was.

    Where all tests of the file that ``--for`` names are left out, say how they are run, and end well.
    """
    if left := printed() - session.config.stash.get(PRINTED, printed()):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        sys.stderr.write(
            f"\njobs of tests have left {', '.join(map(str, sorted(left)))}; submit them elsewhere\n"
        )
    source, chosen = session.config.getoption("source"), session.config.getoption("markexpr")
    if source and chosen and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = pytest.ExitCode.OK
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        reporter.write_line(f"no test of {source} is {chosen}; all of them: python -m pytest --for={source}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what is marked `long` first, in the same order in every worker, wherever it began to collect."""
    places = {path: place for place, path in enumerate(FILES)}
    items.sort(key=lambda item: (item.get_closest_marker("long") is None, places.get(item.path, -1)))


def pytest_collection_finish() -> None:
    """Collect garbage again, but look no more at what stays until the end: that took a tenth of all time.

    What is made in a test is looked at less often than Python does: that took another twentieth.
    """
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many workers ``-n auto`` has: as many as there are cores to compute on.

    One more where slow tests run, too: those wait for processes of theirs, for sleeps, and for a browser.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + (config.getoption("markexpr") != "not slow")


@pytest.fixture
def small_cluster():
    """Return the run of `cluster_run` on nodes of whose power nothing is said."""
    return cluster_run(told=0.0)


@pytest.fixture
def powered_cluster():
    """Return the run of `cluster_run` on nodes whose power is known."""
    return cluster_run(told=1.0)


def cluster_run(*, told):
    """Return three jobs on two nodes: of processors of 2 + 2 cores, and of one with 4 that are faster.

    Job 1 holds its cores until its last task ends, job 2 gives each back at once, job 3 wakes node 1 up.
    If `told` is 1, not 0, 2594 J are drawn in all: by node 0 65 W until 10 s, then 30 W; by node 1 85 W, 75 W
    from 5 s, 65 W from 6 s, 2 W from 10 s while it is off, 30 W from 12 s while it wakes up, 95 W from 14 s::

        7 . . . . . . w c c c c      (w: the node wakes up, -: the task has ended)
        6 b b b . . . w c c c c
        5 b b - . . . w c c c c      (core 5 is given back at 5 s)
        4 a a a - - . w c c c c
        3 . . . . . . . . . . .
        2 a a a a a . . . . . .
        1 a a a a - . . . . . .
        0 a a a a - . . . . . .
        t 0 2 4 6 8   12   16  20   (s)
    """
    from echelon import Workload
    from echelon.engine.contract import Scenario
    from echelon.engine.nodes.rules import NodeRules
    from echelon.engine.system_model import NodeLevelMachine
    from echelon.execution import execution_of
    from echelon.experiments import Result
    from echelon.model import (
        Cluster,
        Core,
        Demand,
        Demands,
        Hardware,
        Holdings,
        Instance,
        Node,
        Processor,
        Schedule,
        Sleep,
        Sleeps,
        TaskGroup,
    )
    from echelon.policies import policy
    from echelon.policies.placement import placement_of

    slow = Processor((Core(1e9, dynamic_power=5 * told),) * 2, static_power=20 * told, idle_share=0.5)
    thin = Node((slow, slow), power=10 * told, name="thin")
    quick = Processor((Core(2e9, dynamic_power=10 * told),) * 4, static_power=40 * told, idle_share=0.25)
    sleep = Sleep(power=2 * told, wake_time=2.0, wake_power=30 * told)
    fast = Node((quick,), power=15 * told, sleep=sleep, name="fast")
    demands = (
        Demand((TaskGroup(4, 8e9),), communication_volume=1e6, compute_share=0.9),
        Demand((TaskGroup(2, 1e10),), sequential=True),
        Demand((TaskGroup(4, 16e9),)),
    )
    workload = Workload.from_columns(
        name="three",
        submit_time=[0, 0, 2],
        run_time=[10, 6, 10],
        requested_time=[10, 6, 10],
        processors=[4, 2, 4],
    )
    hardware = Hardware((Cluster((thin, fast)),), name="small")
    instance = Instance.of(replace(workload, demands=Demands.of(demands)), hardware)
    instance = replace(instance, run_time=np.array([10.0, 6.0, 10.0]))
    holdings = Holdings(
        job=np.array([0, 0, 0, 1, 1, 2]),
        group=np.zeros(6, dtype=np.int64),
        processor=np.array([0, 1, 2, 2, 2, 2]),
        tasks=np.array([2, 1, 1, 1, 1, 4]),
        first_core=np.array([0, 2, 3, 4, 5, 6, 10]),
        cores=np.array([0, 1, 2, 4, 5, 6, 4, 5, 6, 7]),
        start=np.array([0.0, 0.0, 0.0, 0.0, 0.0, 12.0]),
        begin=np.array([0.0, 0.0, 0.0, 0.0, 0.0, 14.0]),
        end=np.array([8.0, 10.0, 5.0, 5.0, 6.0, 22.0]),
        release=np.array([10.0, 10.0, 10.0, 5.0, 6.0, 22.0]),
        level=np.zeros(6, dtype=np.int64),
        speed=np.array([1e9, 1e9, 2e9, 2e9, 2e9, 2e9]),
        bandwidth=np.zeros(6),
    )
    schedule = Schedule(
        instance,
        np.array([0.0, 0.0, 12.0]),
        end=np.array([10.0, 6.0, 22.0]),
        holdings=holdings,
        sleeps=Sleeps(np.array([1]), np.array([10.0]), np.array([12.0])),
    )
    rules = NodeRules(placement_of("first-fit"), execution_of("speed"))
    return Result(
        Scenario(instance, policy("fcfs"), system_model=NodeLevelMachine(rules)), schedule, "reference", 0.1
    )


@pytest.fixture
def shared_run():
    """Return the schedule of `multicluster_run`."""
    return multicluster_run()


def multicluster_run():
    """Return four jobs on two clusters whose nodes hold two tasks each: c spans both, a and b share a node.

    Job c would take 4 s alone on dedicated nodes, the others take what they would there.
    Nodes of "small" are numbered 0 and 1, of "large" 0 to 2; all times are in seconds. Owners are at work at
    node 0 of small for 30 s, 1.5 times slower than alone, and at node 0 of large for 10 s, undisturbed::

        large 2  . . . . d d d d d d c c c c c
        large 1  . . . . . . . . . . c c c c c
        large 0  . . . . . . . . . . c c c c c
        small 1  a a a a a . . . . . c c c c c
        small 0  a ab ....  a until 10, b from 2 to 12
        t        0   4   8  12  16  20  24  28
    """
    from echelon import Workload
    from echelon.model import (
        Forecasts,
        Instance,
        OwnerDelays,
        Platform,
        Schedule,
        SharedCluster,
        Site,
        SocialContract,
        TaskPlaces,
        Workstation,
    )

    contract = SocialContract(mpl=2)
    small = Site("small", SharedCluster((Workstation(),) * 2, contract))
    slow = Workstation(power=0.5, name="slow")
    large = Site("large", SharedCluster((Workstation(), Workstation(), slow), contract))
    alone, ran = [10, 10, 4, 12], np.array([10.0, 10.0, 10.0, 12.0])
    workload = Workload.from_columns(
        submit_time=[0, 0, 5, 6],
        run_time=alone,
        requested_time=alone,
        processors=[2, 1, 4, 1],
        user=[1, 2, 1, 2],
    )
    instance = Instance.of(workload, Platform((small, large), "two"), spanning=True)
    instance = replace(instance, run_time=ran)

    def whole(*values):
        return np.array(values, dtype=np.int64)

    def times(*values):
        return np.array(values, dtype=np.float64)

    nan = np.nan
    return Schedule(
        instance,
        times(0, 2, 20, 8),
        site=whole(0, 0, 1, 1),
        end=times(10, 12, 30, 20),
        places=TaskPlaces(
            whole(0, 0, 1, 2, 2, 2, 2, 3), whole(0, 0, 0, 0, 1, 1, 1, 1), whole(0, 1, 0, 1, 0, 1, 2, 2)
        ),
        delivered=times(0, 1, 20, 8),
        forecasts=(
            Forecasts("sdpn", times(0, 0, nan, 4), times(10, 5, nan, 12), times(0.001, 0.002, nan, 0.003)),
            Forecasts("smith", times(1, 1, nan, 1), times(20, 20, nan, 24), times(0.1, 0.1, nan, 0.1)),
        ),
        owner_delays=OwnerDelays(
            whole(0, 0, 1, 1, 1), whole(0, 1, 0, 1, 2), times(30, 0, 10, 0, 0), times(45, 0, 10, 0, 0)
        ),
    )


@pytest.fixture
def result_of():
    """Return what makes a result of a schedule on a multicluster, as if some policy had made it."""
    from echelon.engine.contract import Scenario
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.engine.system_model import tree_of_sites
    from echelon.experiments import Result
    from echelon.policies import broker_named, policy_named
    from echelon.policies.global_queue.registry import global_queue, queue_limit

    def make(schedule):
        rules = MulticlusterRules(global_queue("nb.rs"), queue_limit(3))
        scenario = Scenario(
            schedule.instance,
            policy_named("fcfs"),
            system_model=tree_of_sites(broker_named("tat"), rules=rules),
        )
        return Result(scenario, schedule, "reference", 0.1)

    return make


@pytest.fixture
def shared_result(shared_run, result_of):
    """Return the schedule of `multicluster_run` as a result."""
    return result_of(shared_run)


RULES_MODULE = '''
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from echelon import Start, metric, order
from echelon.execution import TimeShared
from echelon.workloads import FORMATS
from echelon.workloads.synthetic.model import Jobs, Model
from echelon.workloads.synthetic.parameter import Parameter


@order("aged", source="none")
def aged(job, view, *, weight: float = 0.5):
    """Planned time and weighted submit time, in seconds; the least first."""
    return job.planned_time + weight * job.submit_time


@dataclass(frozen=True)
class Tolerant:
    """Start what fits.

    Parameters
    ----------
    share : float, default 0.5
        Of the machine, 0 to 1.
    """

    share: float = 0.5
    name: ClassVar[str] = "tolerant"

    def decide(self, view):
        for job in view.queue:
            if job.processors <= view.free:
                yield Start(job)


@metric("wide_wait", unit="s", source="none")
def wide_wait(jobs, *, share: float = 0.5):
    """Mean wait of the jobs that take more than a share of the machine."""
    return jobs.wait[jobs.size > jobs.processors * share].mean()


def draw(values, jobs, seed):
    """Return jobs of one processor, one a period."""
    times = np.arange(jobs) * values["period"]
    ones = np.ones(jobs, dtype=np.int64)
    return Jobs(times, np.full(jobs, 10.0), ones, -ones)


period = Parameter("period", "s", 60.0, "time between jobs", above=0, most=1e6)
ticks = Model("ticks", "A job a period.", "none", (period,), draw, lambda values: 4, lambda processors: {})
lines = replace(FORMATS.named("swf"), name="lines", suffixes=(".lines",))


@dataclass(frozen=True)
class Latency:
    """Every task has its turn within a latency.

    Parameters
    ----------
    latency : float, default 6
        In seconds.
    """

    latency: float = 6.0
    most: int = 4
    name: ClassVar[str] = "latency"

    def turn(self, tasks, cores):
        return self.latency * cores / tasks


class Alike(TimeShared):
    """As built in."""


number = 3
'''

RULE_POINTS = """
[echelon.orders]
Aged = {module}:aged
number = {module}:number
fcfs = {module}:number

[echelon.schedulers]
tolerant = {module}:Tolerant
broken = {module}_that_is_gone:Tolerant

[echelon.metrics]
wide_wait = {module}:wide_wait

[echelon.sharings]
latency = {module}:Latency

[echelon.shared_node_executions]
alike = {module}:Alike

[echelon.workload_models]
ticks = {module}:ticks
kth-sp2 = {module}:ticks

[echelon.formats]
lines = {module}:lines
"""


@pytest.fixture
def install_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Path]]:
    """Return a call that installs a package of rules into a folder, for this test alone."""

    def write(name: str, points: str = RULE_POINTS) -> Path:
        folder = tmp_path / name
        about = folder / f"{name}-1.0.dist-info"
        about.mkdir(parents=True)
        (folder / f"{name}_rules.py").write_text(RULES_MODULE)
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(points.format(module=f"{name}_rules"))
        monkeypatch.syspath_prepend(str(folder))
        return folder

    yield write
    for module in [name for name in sys.modules if name.endswith("_rules") and "." not in name]:
        del sys.modules[module]
