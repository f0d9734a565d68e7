"""Every family: its rules by name and back, and a user's own rule with parameters."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

import echelon as ec
from echelon.errors import EchelonError, InputError, UnknownNameError
from echelon.families import FAMILIES
from echelon.policies.global_queue.several import job_queues
from echelon.rules import parameter_rows, parameters
from echelon.rules.spec import normalize

NAMES = [
    (family, name)
    for family in FAMILIES.names
    for name in FAMILIES.named(family).names
    if name != "held"  # which must be given its number
    and (family != "topologies" or name == "star")  # the others their sizes
    and family != "laws"  # all of them their parameters, see test_laws.py
]

ORDERED = Path(__file__).with_name("own_ordered.py")

OWN = '''
from dataclasses import dataclass
from typing import ClassVar

from echelon import Start, broker, metric, order, placement
from echelon.model import LocalChange, LocalUse
from echelon.policies import Order
from echelon.workloads.formats.known_formats import FORMATS
from echelon.workloads.synthetic.known_models import MODELS


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
        Of the machine.
    by : Order, optional
        An order.
    """

    share: float = 0.5
    by: "Order | None" = None
    name: ClassVar[str] = "tolerant"

    def decide(self, view):
        for job in view.queue:
            if job.processors <= view.free:
                yield Start(job)


@broker("least", information=1, source="none")
def least(job, site, view, *, weight: float = 1.0):
    """Weighted number of jobs at the site."""
    return weight * view.jobs(site)


@placement("tidy", source="none")
def tidy(core, job, *, weight: float = 1.0):
    """Busy nodes first."""
    return -weight * core.running


@metric("wide_wait", unit="s", source="none")
def wide_wait(jobs, *, share: float = 0.5):
    """Mean wait of the jobs that take more than a share of the machine."""
    return jobs.wait[jobs.size > jobs.processors * share].mean()


@dataclass(frozen=True)
class Constant:
    """One prediction for all.

    Parameters
    ----------
    seconds : float, default 60
        The prediction, in seconds.
    """

    seconds: float = 60.0
    name: ClassVar[str] = "constant"

    def memory(self):
        return self

    def predict(self, job):
        return self.seconds

    def learn(self, job, run_time):
        pass


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
class Hands:
    """Hand out nothing."""

    most: int = 3
    name: ClassVar[str] = "hands"

    def hand_out(self, view):
        return []


@dataclass(frozen=True)
class Few:
    """Accept while few jobs wait."""

    most: int = 3
    spec: ClassVar[str] = "few"

    def accepts(self, state):
        return state.waiting < self.most


@dataclass(frozen=True)
class Nowhere:
    """Never span clusters."""

    most: int = 3
    name: ClassVar[str] = "nowhere"

    def span(self, problem):
        return None


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


def night(platform, seed, *, share: float = 1.0):
    """One owner at midnight, at a share of the processor."""
    yield LocalChange(0.0, 0, 0, LocalUse(share, 0.1, 0.0))


mine = FORMATS.named("swf")
my_model = MODELS.named("poisson")
'''

PARAMETERS = {
    "policies": [
        ("aged", "weight=2", "'weight', 2.0"),
        ("Tolerant", "share=0.7", "share=0.7"),
        ("Tolerant", "by=sjf", "by=Order(name='shortest-first'"),
    ],
    "estimators": [("Constant", "seconds=2", "seconds=2.0")],
    "brokers": [("least", "weight=2", "'weight', 2.0")],
    "placements": [("tidy", "weight=2", "'weight', 2.0")],
    "executions": [("Halved", "factor=0.25", "factor=0.25")],
    "network-models": [("Slow", "factor=0.25", "factor=0.25")],
    "global-queues": [("Hands", "most=2", "most=2")],
    "queue-limits": [("Few", "most=2", "most=2")],
    "co-allocations": [("Nowhere", "most=2", "most=2")],
    "laws": [("Steady", "length=2", "length=2.0")],
    "local-users": [("night", "share=0.5", "'share', 0.5")],
    "metrics": [("wide_wait", "share=0.25", "'share', 0.25")],
}
"""Rules of the file, a parameter of each, and how Python shows its value; formats and models have none."""

WITH_ORDERS = {
    "policies": "by_another",
    "estimators": "Estimator",
    "brokers": "site",
    "placements": "core",
    "sharings": "Sharing",
    "executions": "Memory",
    "executions-on-shared-nodes": "Shared",
    "network-models": "Net",
    "global-queues": "Queue",
    "queue-limits": "Limit",
    "memberships": "Criterion",
    "site-filters": "Filter",
    "co-allocations": "Spanning",
    "local-users": "owners",
    "topologies": "Switch",
    "monitoring": "Watched",
    "laws": "Length",
    "metrics": "wait",
}
"""A rule of `own_ordered.py` of every family whose own rules take parameters."""

CASES = [(family, *case) for family, cases in PARAMETERS.items() for case in cases]


@pytest.fixture
def own(tmp_path):
    """Return the path of a file with a rule of every family that takes one."""
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    return path


@pytest.mark.parametrize("family", FAMILIES.names)
def test_names_are_read_in_any_case_and_come_back(family):
    """Each built-in rule is made by its name, in capitals too, and its canonical spec names it again."""
    rules = FAMILIES.named(family)
    made = {name: rules.parse(name) for of, name in NAMES if of == family}
    assert [name for name in made if rules.parse(name.upper().replace("-", "_")) != made[name]] == []
    if family not in ("workload-models", "workload-formats", "metrics"):
        assert [name for name in made if rules.parse(rules.format(made[name])) != made[name]] == []


@pytest.mark.parametrize("family", FAMILIES.names)
def test_the_nearest_name_is_suggested(family):
    """A name that is nearly one is answered with that one."""
    rules = FAMILIES.named(family)
    name = max(rules.names, key=len)
    with pytest.raises(UnknownNameError, match="did you mean"):
        rules.parse(f"{name}x")


@pytest.mark.parametrize("family", FAMILIES.names)
def test_parameters_are_described(family):
    """Each parameter of a built-in rule has a row with its type and its default, and a sentence."""
    rules = FAMILIES.named(family)
    for known in rules.lists:
        for rule in known:
            rows = parameter_rows(rule, rules.named_types())
            assert [word for word, _ in rows] == list(parameters(rule))
            assert all("default" in text or "required" in text for _, text in rows)
            assert [word for word, text in rows if ". " not in text] == []


@pytest.mark.parametrize(("family", "name", "setting", "shown"), CASES)
def test_ones_own_takes_parameters(own, family, name, setting, shown):
    """A parameter after a colon or in parentheses reaches the rule; one that is none is refused."""
    rules, key = FAMILIES.named(family), setting.partition("=")[0]
    assert shown not in repr(rules.parse(f"{own}:{name}"))
    assert shown in repr(rules.parse(f"{own}:{name}:{setting}"))
    assert shown in repr(rules.parse(f"{own}:{name}({setting})"))
    assert rules.in_file(f"{own}:{name}:{setting}")
    with pytest.raises(
        UnknownNameError, match=f"no parameter of {name} is named '{key}s'; did you mean '{key}'"
    ):
        rules.parse(f"{own}:{name}:{key}s=1")
    with pytest.raises(EchelonError, match=r"must be|no order is named"):
        rules.parse(f"{own}:{name}:{key}=much")


@pytest.mark.parametrize("family", WITH_ORDERS)
def test_ones_own_takes_an_order(family):
    """A rule of any family takes its only order with its key and without, with the order's parameters."""
    rules, name = FAMILIES.named(family), f"{ORDERED}:{WITH_ORDERS[family]}"
    sjf, old, aged = "Order(name='shortest-first'", "max_age=259200.0", "('weight', 3.0)"
    shown = {
        "by=sjf": sjf,
        "sjf": sjf,
        f"{ORDERED}:aged:weight=3": aged,
    }
    if family != "global-queues":  # their view has no shares of users
        shown |= {"multifactor:max-age=3d": old, "by=multifactor(max-age=3d)": old}
    made = {words: repr(rules.parse(f"{name}:{words}")) for words in shown}
    assert [words for words in shown if shown[words] not in made[words]] == []
    assert sjf in repr(rules.parse(f"{name}(sjf)"))
    for wrong, says in (
        ("by=sjx", "no order is named 'sjx'; did you mean 'sjf'"),
        ("sjx", "no order is named 'sjx'; did you mean 'sjf'"),
        ("sjf:bx=1", "no parameter of .* is named 'bx'"),
        ("sjf:by=ljf", "by is set twice"),
    ):
        with pytest.raises(EchelonError, match=says):
            rules.parse(f"{name}:{wrong}")


@pytest.mark.slow
def test_orders_of_ones_own_rules_are_used_in_runs():
    """A global queue, a metric and a site filter of one's own go by the order that they are given."""
    lengths = [100, 60, 20, 80, 40, 10]
    times = {"submit_time": [0] * 6, "run_time": lengths, "requested_time": lengths}
    jobs = ec.Workload.from_columns(**times, processors=[16] * 6)
    for words, starts in (
        (":sjf", [210, 70, 10, 130, 30, 0]),
        (":by=ljf", [0, 180, 280, 100, 240, 300]),
    ):
        queue = f"{ORDERED}:Queue{words}"
        run = ec.simulate(
            jobs, platform="cisne-16-dedicated", global_queue=queue, metrics=[f"{ORDERED}:wait{words}"]
        )
        assert run.jobs["start_time"].to_list() == starts
        assert run.metrics[f"ordered:by={'shortest' if 'sjf' in words else 'longest'}-first"] in (13, 14)
    grid = {"platform": "grid3", "broker": "first-site", "site_filter": f"{ORDERED}:Filter:sjf"}
    sites = ec.simulate(ec.Workload.from_columns(**times, processors=[1] * 6), **grid).jobs["site"]
    assert [site == sites[5] for site in sites] == [one < 50 for one in lengths]


@pytest.mark.parametrize(("order", "lacks"), [("multifactor", "usage_share"), ("random", "draw")])
def test_a_global_queue_refuses_an_order_that_reads_more_than_its_view(order, lacks):
    """What the view of a global queue does not have is refused before the run."""
    says = f"cannot use the order {order}: a global queue has no {lacks} for it"
    with pytest.raises(InputError, match=f"^global queue ordered: {says}$"):
        FAMILIES.named("global-queues").parse(f"{ORDERED}:Queue:{order}")


def test_every_family_has_a_rule_with_an_order():
    """Only formats and models, which are read and drawn in other ways, take no parameters."""
    assert set(FAMILIES.names) - WITH_ORDERS.keys() == {"workload-formats", "workload-models"}


def test_two_orders_need_their_keys(tmp_path):
    """A rule with two orders is not guessed at: the bare word is refused, and both keys work."""
    path = tmp_path / "two.py"
    path.write_text(
        "from dataclasses import dataclass\nfrom echelon.policies import Order\n"
        "@dataclass(frozen=True)\nclass Two:\n    a: Order | None = None\n    b: Order | None = None\n"
        "    def accepts(self, state):\n        return True\n"
    )
    limits = FAMILIES.named("queue-limits")
    found = limits.parse(f"{path}:Two:a=sjf:b=ljf")
    assert (found.a.name, found.b.name) == ("shortest-first", "longest-first")
    with pytest.raises(InputError, match="takes key=value only, got sjf"):
        limits.parse(f"{path}:Two:sjf")


def test_a_type_that_no_text_has_is_said(tmp_path):
    """A parameter that only Python can give, or that has no annotation, says so instead of nothing."""
    path = tmp_path / "odd.py"
    path.write_text(
        "from dataclasses import dataclass, field\n"
        "@dataclass(frozen=True)\nclass Odd:\n    table: dict = field(default_factory=dict)\n"
        "    def accepts(self, state):\n        return True\n"
        "def users(platform, seed, *, bare=None):\n    return []\n"
    )
    limits, users = FAMILIES.named("queue-limits"), FAMILIES.named("local-users")
    with pytest.raises(InputError, match=r"Odd, table: must be given in Python \(it is a dict\), got 'x'"):
        limits.parse(f"{path}:Odd:table=x")
    with pytest.raises(InputError, match=r"bare: must be given in Python \(it has no annotation\), got 'x'"):
        users.parse(f"{path}:users:bare=x")


def test_a_metric_of_ones_own_is_formatted_once(own):
    """The spec of an own metric has each of its parameters once, as its name has."""
    metrics = FAMILIES.named("metrics")
    found = metrics.parse(f"{own}:wide_wait:share=0.25")
    assert metrics.format(found) == found.name == "wide_wait:share=0.25"
    assert metrics.format(metrics.parse("mean_wait")) == "mean_wait"


def test_global_queues_have_an_earlier_name():
    """The family of global queues is listed by its present name, and found by its earlier one, too."""
    assert "global-queues" in FAMILIES.names
    assert "upper-queues" not in FAMILIES.names
    assert FAMILIES.words["upper-queues"] == "global-queues"


def test_a_scheduler_of_ones_own_takes_an_order(own):
    """An own scheduler is followed by an order, built in or own, with parameters of both."""
    policies = FAMILIES.named("policies")
    found = policies.parse(f"{own}:Tolerant:share=0.5:shortest-first")
    assert (found.scheduler.share, found.order.name) == (0.5, "shortest-first")
    assert found.name == f"{own}:Tolerant:share=0.5:shortest-first"
    both = policies.parse(f"{own}:Tolerant:{own}:aged:share=0.9:weight=3")
    assert (both.scheduler.share, dict(both.order.rule.values)) == (0.9, {"weight": 3.0})
    with pytest.raises(UnknownNameError, match=r"no parameter of .*Tolerant is named 'shares'"):
        policies.parse(f"{own}:Tolerant:shares=0.9")


def test_a_value_that_is_a_rule_says_its_own_parameters(own):
    """An order inside a backfilling is written back with its parameters, which read back."""
    policies = FAMILIES.named("policies")
    found = policies.parse("easy(candidates=multifactor(max-age=3d))")
    assert found.name == "easy:candidates=multifactor(max-age=259200)"
    assert policies.parse(found.name) == found
    mine = policies.parse(f"easy(candidates={own}:aged:weight=3)")
    assert mine.name == "easy:candidates=aged(weight=3)"


def test_an_order_before_its_backfilling_is_answered_with_the_right_spec():
    """The refusal shows what to type, parameters and all; so it does for a placement."""
    for family, typed, right in (
        ("policies", "sjf:easy", "easy:sjf"),
        ("policies", "SJF:easy:reservations=2", "easy:SJF:reservations=2"),
        ("placements", "low-power:best-fit", "best-fit:low-power"),
    ):
        with pytest.raises(InputError, match=f"must name the .* before the .*: {right}$"):
            FAMILIES.named(family).parse(typed)


@pytest.mark.parametrize(
    ("family", "old", "new"),
    [
        ("brokers", "stealing:50", "stealing:threshold=50"),
        ("brokers", "exchange:easy", "exchange:algorithm=easy"),
        ("queue-limits", "held:3", "held:jobs=3"),
        ("queue-limits", "3", "at-most:jobs=3"),
        ("queue-limits", "stable:predicted", "stable:predicted=yes"),
    ],
)
def test_old_spellings_are_read(family, old, new):
    """A parameter without its key is that with it."""
    rules = FAMILIES.named(family)
    assert rules.parse(old) == rules.parse(new)
    assert rules.format(rules.parse(new)) == old


def test_formats_and_models_of_ones_own(own, tmp_path):
    """A file's format reads a log, and its model makes one, as the built-in ones do."""
    from echelon.workloads import generate, read_workload

    assert FAMILIES.named("workload-formats").parse(f"{own}:mine").name == "swf"
    log = tmp_path / "log.txt"
    log.write_text("1 0 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n")
    assert len(read_workload(log, format=f"{own}:mine")) == 1
    ours = generate(f"{own}:my_model:jobs=5,mean_gap=60")
    assert (
        ours.columns["submit_time"].tolist()
        == generate("poisson:jobs=5,mean_gap=60").columns["submit_time"].tolist()
    )


def test_parameters_are_named_in_any_case():
    """Capitals and underscores do, also for a backfilling whose settings are parted from its order's."""
    policies = FAMILIES.named("policies")
    assert policies.parse("EASY:Reservations=2") == policies.parse("easy:reservations=2")
    assert policies.parse("easy:Multifactor:MAX_AGE=3d") == policies.parse("easy:multifactor:max-age=3d")


def test_an_annotation_that_cannot_be_read_is_one_sentence(tmp_path):
    """A type that only type checkers know leaves the other parameters as they are."""
    path = tmp_path / "mine.py"
    path.write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass(frozen=True)\nclass Odd:\n    share: float = 0.5\n    view: SystemView | None = None\n"
        "    name = 'odd'\n    def decide(self, view):\n        return []\n"
    )
    policies = FAMILIES.named("policies")
    assert policies.parse(f"{path}:Odd:share=0.25").scheduler.share == 0.25
    with pytest.raises(InputError, match=r"Odd, view: must be SystemView . None, got 'x'"):
        policies.parse(f"{path}:Odd:view=x")


@pytest.mark.parametrize("text", ["", ":", "a=1", "easy(", "x" * 5000, "\0.py:rule"])
def test_whatever_is_typed_is_answered_in_one_sentence(text):
    """Nonsense is an error of ours in every family, never another."""
    taken = []
    for family in FAMILIES.names:
        with contextlib.suppress(EchelonError):
            FAMILIES.named(family).parse(text)
            taken.append(family)
    assert taken == []


def test_a_parameter_may_be_called_rule():
    """What a rule is made of is declared, not guessed: an allocator's own parameter called rule is one."""
    placements = FAMILIES.named("placements")
    assert placements.format(placements.parse("nearest:rule=mc1x1")) == "nearest:rule=mc1x1"


def test_a_spec_of_a_class_is_followed_by_parameters(own):
    """An own limit whose class says its spec is still told from one with another parameter."""
    limits = FAMILIES.named("queue-limits")
    formed = [limits.format(limits.parse(f"{own}:Few{words}")) for words in ("", ":most=1", ":most=2")]
    assert formed == ["few", "few:most=1", "few:most=2"]
    (queue,) = job_queues(f"all(limit={own}:Few:most=1)")
    assert queue.spec == "all(limit=few:most=1)"


def test_words_of_a_choice_are_read_in_any_case():
    """A parameter that takes words takes them in capitals, too, and is written as listed."""
    brokers, monitoring = FAMILIES.named("brokers"), FAMILIES.named("monitoring")
    assert brokers.parse("Exchange:EASY") == brokers.parse("exchange:easy")
    assert brokers.format(brokers.parse("mct:of=JOB")) == "mct:of=job"
    assert monitoring.parse("linear:phase=ZERO").phase == "zero"


def test_the_earlier_name_of_a_spec_is_read():
    """A rule of a user's own that says its spec as `words` is formatted by it; `spec` comes first."""

    class Earlier:
        name, words = "earlier", "earlier:by=words"

    class Present(Earlier):
        spec = "present:by=spec"

    brokers = FAMILIES.named("brokers")
    assert brokers.format(Earlier()) == "earlier:by=words"
    assert brokers.format(Present()) == "present:by=spec"


@pytest.mark.parametrize("family", FAMILIES.names)
def test_a_refusal_lists_names_without_aliases(family):
    """The rules are listed once each; a name near an alias is still told the alias."""
    rules = FAMILIES.named(family)
    known = rules.refusal("#").known
    assert {normalize(name) for name in known} >= {normalize(name) for name in rules.names}
    aliases = {alias for name in rules.names for alias in rules.aliases(name)}
    assert not aliases & set(known)
    for alias in aliases:
        assert f"did you mean {alias!r}?" in str(rules.refusal(alias))
