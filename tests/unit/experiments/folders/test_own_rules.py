"""Manifests of runs under rules that are not built in: what is recorded makes the same run again."""

from __future__ import annotations

import hashlib
import json

import pytest

from echelon import compare, generate, simulate
from echelon.experiments import manifest
from echelon.experiments.folders.own_rules import own_specs
from echelon.experiments.scenario import RUN
from echelon.families import FAMILIES

MINE = '''
from dataclasses import dataclass
from typing import ClassVar

from echelon import Start, broker, metric, order, placement
from echelon.execution import TimeShared
from echelon.model import LocalChange, LocalUse
from echelon.model.topology import Torus
from echelon.policies import Information, SlowdownModel
from echelon.policies.global_queue import Deliver
from echelon.workloads.formats.known_formats import FORMATS
from echelon.workloads.synthetic.known_models import MODELS


@order("aged", source="none")
def aged(job, view, *, weight: float = 0.5):
    """Planned time and weighted submit time, in seconds; the least first."""
    return job.planned_time + weight * job.submit_time


@dataclass(frozen=True)
class Tolerant:
    """Start what fits."""

    share: float = 0.5
    name: ClassVar[str] = "tolerant"

    def decide(self, view):
        for job in view.queue:
            if job.processors <= self.share * view.free:
                yield Start(job)
        for job in view.queue:
            if not view.running and job.processors <= view.free:
                yield Start(job)
                return


@broker("least", information=1, source="none")
def least(job, site, view, *, weight: float = 1.0):
    """Weighted number of jobs at the site."""
    return weight * view.jobs(site) - site


@placement("tidy", source="none")
def tidy(core, job, *, weight: float = 1.0):
    """Busy nodes first."""
    return -weight * core.running


@metric("wide_wait", unit="s", source="none")
def wide_wait(jobs, *, share: float = 0.5):
    """Mean wait of the jobs that take more than a share of the machine."""
    return jobs.wait[jobs.size >= jobs.processors * share].mean()


@dataclass(frozen=True)
class Constant:
    """One prediction for all, in seconds."""

    seconds: float = 60.0
    name: ClassVar[str] = "constant"

    def memory(self):
        return self

    def predict(self, job):
        return self.seconds

    def learn(self, job, run_time):
        pass


@dataclass(frozen=True)
class Seer:
    """What averages forecast."""

    alpha: float = 0.5
    name: ClassVar[str] = "seer"

    def forecaster(self, past):
        return SlowdownModel().forecaster(past)


@dataclass(frozen=True)
class Halved:
    """Tasks slow each other down by one factor."""

    factor: float = 0.5
    name: ClassVar[str] = "halved"
    scope: ClassVar[str] = "node"

    def check(self, hardware):
        pass

    def factors(self, loads, part):
        return [self.factor for _ in loads]


@dataclass(frozen=True)
class Slow:
    """Jobs slow each other down by one factor."""

    factor: float = 0.5
    name: ClassVar[str] = "slow"
    local: ClassVar[bool] = True

    def check(self, hardware):
        pass

    def factors(self, traffic, hardware):
        return [dict.fromkeys(one.tasks, self.factor) for one in traffic]


@dataclass(frozen=True)
class Turns:
    """A turn of one length."""

    length: float = 1.0
    name: ClassVar[str] = "turns"
    most: ClassVar[int] = 4

    def turn(self, tasks, cores):
        return self.length


@dataclass(frozen=True)
class Rough(TimeShared):
    """Tasks slow each other down."""

    name: ClassVar[str] = "rough"


@dataclass(frozen=True)
class Hands:
    """Send the jobs to clusters in which few jobs wait, to the broker's choice."""

    most: int = 3
    name: ClassVar[str] = "hands"

    def dispatch(self, view):
        for job in list(view.queue):
            sites = [site for site in view.able(job) if view.accepts(job, site)]
            sites = [site for site in sites if len(view.waiting(site)) < self.most]
            if sites:
                yield Deliver(job, view.choose(job, sites))


@dataclass(frozen=True)
class Few:
    """Accept while few jobs wait."""

    most: int = 3
    words: ClassVar[str] = "few"

    def accepts(self, state):
        return state.waiting < self.most


@dataclass(frozen=True)
class Small:
    """Leave out a site with many jobs."""

    most: int = 3
    name: ClassVar[str] = "small"
    information: ClassVar[Information] = Information.JOB_COUNTS

    def passes(self, job, site, view):
        return view.jobs(site) <= self.most


@dataclass(frozen=True)
class Nowhere:
    """Never span clusters."""

    most: int = 3
    name: ClassVar[str] = "nowhere"

    def span(self, problem):
        return None


@dataclass(frozen=True)
class Narrow:
    """Jobs of few tasks."""

    most: int = 3
    name: ClassVar[str] = "narrow"

    def meets(self, job, names):
        return job.processors <= self.most


@dataclass(frozen=True)
class Steady:
    """Always the same time between failures."""

    length: float = 60.0
    name: ClassVar[str] = "steady"

    @property
    def mean(self):
        return self.length

    def sample(self, rng, n):
        return [self.length] * n

    def remaining(self, rng, n):
        return [self.length / 2] * n


def night(platform, seed, *, share: float = 1.0):
    """One owner at midnight, at a share of the processor."""
    yield LocalChange(0.0, 0, 0, LocalUse(share, 0.1, 0.0))


@dataclass(frozen=True)
class Square(Torus):
    """A square that wraps around."""

    shape: tuple = ()
    side: int = 3

    def __post_init__(self):
        object.__setattr__(self, "shape", (self.side, self.side))
        super().__post_init__()


my_format = FORMATS.named("swf")
my_model = MODELS.named("poisson")
'''

ONE, NODES, GRID, SHARED = "one machine", "nodes", "grid", "multicluster"

RULES = [
    ("policies", ONE, {"policy": "{file}:aged:weight=2"}),
    ("policies", ONE, {"policy": "easy:{file}:aged:weight=2"}),
    ("policies", ONE, {"policy": "easy(candidates={file}:aged)"}),
    ("policies", ONE, {"policy": "{file}:Tolerant:share=0.9:shortest-first"}),
    ("estimators", ONE, {"estimator": "{file}:Constant:seconds=90", "policy": "easy"}),
    ("laws", ONE, {"failures": "{file}:Steady:length=90000", "repair_times": "{file}:Steady:length=60"}),
    ("placements", NODES, {"place": "best-fit:{file}:tidy:weight=2"}),
    ("executions", NODES, {"execution": "speed+{file}:Halved:factor=0.75"}),
    ("network-models", NODES, {"execution": "speed", "network": "{file}:Slow:factor=0.75"}),
    ("sharings", NODES, {"sharing": "{file}:Turns:length=2"}),
    ("brokers", GRID, {"broker": "{file}:least:weight=2"}),
    ("policies", GRID, {"policy": "easy@KTH={file}:aged"}),
    ("global-queues", SHARED, {"global_queue": "{file}:Hands:most=2"}),
    ("queue-limits", SHARED, {"queue_limit": "{file}:Few:most=2"}),
    ("memberships", SHARED, {"queues": "narrow({file}:Narrow(most=2)); rest"}),
    ("site-filters", SHARED, {"site_filter": "{file}:Small:most=2+mpl-below:3"}),
    ("co-allocations", SHARED, {"co_allocate": "{file}:Nowhere:most=2"}),
    ("executions-on-shared-nodes", SHARED, {"execution": "{file}:Rough:interference=0.2"}),
    ("local-users", SHARED, {"local_users": "{file}:night:share=0.5"}),
    ("estimators", SHARED, {"watch": ["{file}:Seer:alpha=0.3", "sdpn"]}),
]
"""A rule of each family, where it is used, and the settings that name it."""

OTHERWISE = {"topologies", "metrics", "workload-models", "workload-formats", "monitoring"}
"""Families that no setting of a rule names, each with a test below; monitoring has no own rules."""


def test_every_family_is_tried():
    """A family that is added needs a row here."""
    assert {family for family, _, _ in RULES} | OTHERWISE == {*FAMILIES.names}


@pytest.fixture
def file(tmp_path):
    """Return the path of a file with a rule of every family that takes one."""
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


@pytest.fixture(scope="module")
def jobs():
    """Return the jobs by the kind of machine."""
    plain = generate("lublin:jobs=40:processors=16:seed=3")
    return {ONE: plain, GRID: plain, NODES: plain, SHARED: generate("nas:jobs=30:gap=6")}


MACHINES = {
    ONE: {"processors": 16},
    NODES: {"platform": "irmasim-a"},
    GRID: {"platform": "grid1"},
    SHARED: {"platform": "cisne-844"},
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("machine", "settings"),
    [row[1:] for row in RULES],
    ids=[f"{family}-{next(iter(settings))}" for family, _, settings in RULES],
)
def test_what_is_recorded_makes_the_same_run_again(file, jobs, machine, settings):
    """A rule of each family is recorded by its spec as given, which gives the same schedule again."""
    given = {key: _named(value, file) for key, value in settings.items()}
    first = simulate(jobs[machine], **MACHINES[machine], **given)
    record = json.loads(json.dumps(manifest(first)))
    again = {name: record[RUN[name].stored] for name in given}
    second = simulate(jobs[machine], **MACHINES[machine], **again)
    assert again == given
    assert second.schedule.start_time.tolist() == first.schedule.start_time.tolist()
    assert second.schedule.end_time.tolist() == first.schedule.end_time.tolist()
    assert record["rule_files"] == [_recorded(file)]
    assert record["label"] == first.label


def _named(value, file):
    return [one.format(file=file) for one in value] if isinstance(value, list) else value.format(file=file)


def _recorded(file):
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return {"file": str(file), "path": str(file.resolve()), "sha256": digest}


def test_tables_call_rules_by_their_short_names(file, jobs):
    """Reports and labels have the name of a rule; the record has the spec, and both names."""
    from echelon.reports.result_report import run_tables

    result = simulate(jobs[ONE], processors=16, policy=f"easy:{file}:aged:weight=2")
    record = manifest(result)
    assert (result.label, result.policy) == ("easy:aged:weight=2",) * 2
    assert record["policy"] == f"easy:{file}:aged:weight=2"
    assert record["names"] == {"policy": "easy:aged:weight=2"}
    shown = run_tables(result, record)
    assert (shown.policy, shown.label) == ("easy:aged:weight=2",) * 2


def test_metrics_are_recorded_with_their_specs(file, jobs):
    """The spec of each own metric measures the same again."""
    specs = [f"{file}:wide_wait:share=0.25", f"{file}:wide_wait"]
    result = simulate(jobs[ONE], processors=16, metrics=specs)
    record = manifest(result)
    assert [one["spec"] for one in record["own_metrics"]] == specs
    assert record["rule_files"] == [_recorded(file)]
    again = simulate(jobs[ONE], processors=16, metrics=[one["spec"] for one in record["own_metrics"]])
    assert again.metrics == result.metrics


def test_each_run_of_a_comparison_has_its_specs(file, jobs):
    """The specs of a run are those that it used, and built-in rules are recorded as ever."""
    found = compare(jobs[ONE], processors=16, policies=["easy", f"{file}:aged"])
    records = [manifest(result) for result in found.results]
    assert [record["policy"] for record in records] == ["easy", f"{file}:aged"]
    assert ["rule_files" in record for record in records] == [False, True]


def test_rules_by_site_are_recorded_as_text(file, jobs):
    """A mapping of sites to specs is recorded as the text of it, which reads back."""
    given = {"": "fcfs", "KTH": f"{file}:aged:weight=3"}
    result = simulate(jobs[GRID], platform="grid1", policy=given)
    record = manifest(result)
    assert record["policy"] == f"fcfs@KTH={file}:aged:weight=3"
    assert record["names"] == {"policy": result.policy}
    again = simulate(jobs[GRID], platform="grid1", policy=record["policy"])
    assert again.schedule.start_time.tolist() == result.schedule.start_time.tolist()


@pytest.mark.slow
def test_rules_that_a_platform_names_are_recorded(file, jobs, tmp_path, monkeypatch):
    """What a platform says of its sites is recorded by their specs, but for what the run says itself."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "tree.toml"
    path.write_text(
        'name = "tree"\n[[group]]\npath = "up"\nbroker = "mine.py:least:weight=2"\n'
        '[[site]]\nname = "a"\nprocessors = 16\npolicy = "mine.py:aged:weight=3"\n'
        '[[site]]\nname = "up/c"\nprocessors = 16\n[[site]]\nname = "up/d"\nprocessors = 16\n'
    )
    first = simulate(jobs[GRID], platform=str(path))
    record = manifest(first)
    assert record["policy"] == "fcfs@a=mine.py:aged:weight=3"
    assert record["broker"] == "mpl@up=mine.py:least:weight=2"
    assert record["rule_files"] == [_recorded(file) | {"file": "mine.py"}]
    again = simulate(jobs[GRID], platform=str(path), policy=record["policy"], broker=record["broker"])
    assert again.schedule.start_time.tolist() == first.schedule.start_time.tolist()
    other = manifest(simulate(jobs[GRID], platform=str(path), broker="mct@up=ml"))
    assert other["broker"] == "mct@up=ml"


def test_a_topology_of_a_file_is_recorded(file, jobs, tmp_path):
    """The topology that a machine's file names is recorded with the machine, and its file with the others."""
    path = tmp_path / "machine.toml"
    path.write_text(
        'name = "row"\ntopology = "mine.py:Square:side=2"\n[[node]]\ncount = 4\n'
        'processor = { cores = 8, clock = "2.4 GHz" }\n'
    )
    record = manifest(simulate(jobs[NODES], platform=str(path)))
    assert record["hardware"]["topology"] == f"{file}:Square:side=2"
    assert record["rule_files"] == [_recorded(file)]
    assert FAMILIES.named("topologies").parse(record["hardware"]["topology"]).nodes == 4


def test_a_rule_given_as_an_object_is_recorded_by_name(jobs):
    """An object has no spec: its name is recorded, and no file."""
    from echelon import order

    @order("mine", source="none")
    def mine(job, view):
        """Submit time, in seconds; the least first."""
        return job.submit_time

    record = manifest(simulate(jobs[ONE], processors=16, policy=mine))
    assert record["policy"] == "mine"
    assert {"names", "rule_files"}.isdisjoint(record)


def test_a_rule_of_a_package_is_recorded_by_its_declared_name(install_rules, jobs):
    """A package may declare a rule under a name of its own choice, which alone names it again."""
    install_rules("shared")
    install_rules("other", "[echelon.orders]\nyoung = other_rules:aged\n")
    result = simulate(jobs[ONE], processors=16, policy="easy:young:weight=2")
    record = manifest(result)
    assert (record["policy"], result.label) == ("easy:young:weight=2", "easy:aged:weight=2")
    assert record["names"] == {"policy": "easy:aged:weight=2"}
    assert record["rule_files"] == []
    again = simulate(jobs[ONE], processors=16, policy=record["policy"])
    assert again.schedule.start_time.tolist() == result.schedule.start_time.tolist()


def test_only_rules_are_specs(install_rules, jobs):
    """A path or an address that has the name of a package's rule in it is none."""
    install_rules("shared")
    simulate(jobs[ONE], processors=16, policy="aged")
    given = {"policy": "aged", "history": "postgresql://aged:word@host/past", "platform": "aged/grid.toml"}
    assert own_specs(given) == (("policy", "aged"),)
