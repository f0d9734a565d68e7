"""The strategies of brokers, by hand: what each chooses of given sites."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import pytest

from echelon.errors import InputError, PolicyError, UnknownNameError
from echelon.model import Job
from echelon.policies import (
    STRATEGIES,
    Information,
    OwnStrategy,
    Planned,
    broker,
    broker_named,
    broker_of,
    format_broker,
)
from echelon.policies.broker.contract import grid_state_of


def job(position=0, *, size=1, planned=10.0, submit=0.0):
    """Return a job as policies see it."""
    return Job(position, position + 1, submit, size, planned, planned)


@dataclass
class Sites:
    """A view made by hand: what each site is said to hold."""

    sizes: tuple
    counts: tuple = ()
    size_sums: tuple = ()
    time_sums: tuple = ()
    area_sums: tuple = ()
    frees: tuple = ()
    plans: dict = field(default_factory=dict)
    pasts: dict = field(default_factory=dict)
    drawn: float = 0.0
    last_site: int = -1
    now: float = 100.0
    first: int = 0
    up: tuple = ()
    machines_change: bool = False

    @property
    def in_service(self):
        return self.up or self.sizes

    @property
    def allowed(self):
        return range(self.first, len(self.sizes))

    def draw(self, job):
        return self.drawn

    def jobs(self, site):
        return self.counts[site]

    def size_sum(self, site):
        return self.size_sums[site]

    def time_sum(self, site):
        return self.time_sums[site]

    def area_sum(self, site):
        return self.area_sums[site]

    def free(self, site):
        return self.frees[site]

    def schedule(self, site, job=None):
        return self.plans[site] if job is None else [*self.plans[site], self.own(site, job)]

    def own(self, site, job):
        """Return the arriving job behind all others."""
        start = max([self.now, *(planned.end for planned in self.plans[site])])
        return Planned(job, start, start + job.planned_time)

    def past(self, site):
        return self.pasts.get(site, [])


def chosen(spec, view, one=None):
    return broker_named(spec).choose(job() if one is None else one, view)


@pytest.mark.parametrize(
    ("spec", "site"),
    [("ml", 1), ("mlp", 2), ("mpl", 0), ("mlb", 1), ("lbal-t", 2), ("max-ar", 2)],
)
def test_sums_decide(spec, site):
    """Each strategy goes by its own sum: sites 4, 8, 16 with 3, 2, 3 jobs."""
    view = Sites(
        (4, 8, 16),
        counts=(3, 2, 3),
        size_sums=(3, 8, 20),
        time_sums=(400.0, 900.0, 100.0),
        area_sums=(400.0, 90.0, 1000.0),
        frees=(1, 0, 8),
    )
    assert chosen(spec, view) == site


def test_load_balance_takes_the_site_that_levels_the_load():
    """With loads 2/4 and 2/8, a job of size 2 goes to the second site: then both are at a half."""
    assert chosen("lbal-s", Sites((4, 8), size_sums=(2, 2)), job(size=2)) == 1


@pytest.mark.parametrize("spec", ["lbal-s", "lbal-t", "lbal-w", "mlp", "mpl", "mlb", "ml", "max-ar"])
def test_ties_go_to_the_lowest_site(spec):
    """Among sites that are alike the first is chosen, whatever the number of sites."""
    for n in range(2, 9):
        same = {"counts": (3,) * n, "size_sums": (3,) * n, "time_sums": (0.1,) * n, "area_sums": (0.3,) * n}
        assert chosen(spec, Sites((7,) * n, frees=(4,) * n, **same), job(size=3, planned=0.7)) == 0


def test_counts_and_counts_a_processor_differ_on_unequal_sites():
    """Two jobs on 4 processors are more a processor than three on 16, but fewer."""
    view = Sites((4, 16), counts=(2, 3), size_sums=(2, 3))
    assert (chosen("ml", view), chosen("mlp", view)) == (0, 1)


def test_parallel_load_of_serial_jobs_is_their_number():
    """Where all sizes are 1, mpl and mlp choose the same."""
    view = Sites((4, 6, 9), counts=(3, 4, 7), size_sums=(3, 4, 7))
    assert chosen("mpl", view) == chosen("mlp", view) == 1


def test_random_takes_the_site_drawn_of_those_allowed():
    """The number u of a job stands for the allowed site at place floor(u k)."""
    sites = [chosen("random", Sites((1, 2, 3, 4), drawn=u, first=1)) for u in (0.0, 0.34, 0.67, 0.999)]
    assert sites == [1, 2, 3, 3]


def test_round_robin_goes_on_from_the_last_site():
    """After the last site comes the first that is allowed."""
    following = [chosen("round-robin", Sites((1, 2, 3), last_site=last, first=1)) for last in (-1, 0, 1, 2)]
    assert following == [1, 1, 2, 1]


def test_first_fit_wants_room_beside_all_that_wait():
    """The job of 3 fits beside the jobs of the second site; one of 5 nowhere, so the least load counts."""
    view = Sites((4, 8, 16), size_sums=(3, 5, 14))
    assert chosen("first-fit", view, job(size=3)) == 1
    assert chosen("first-fit", view, job(size=5)) == 1


def test_the_largest_site_is_taken_when_none_is_free():
    """Of sites without a free processor max-ar takes the last."""
    assert chosen("max-ar", Sites((4, 8, 8), frees=(0, 0, 0))) == 2


SCHEDULED = Sites(
    (4, 8),
    plans={
        0: [Planned(job(1, size=4, planned=20), 90.0, 110.0)],
        1: [
            Planned(job(2, size=1, planned=5, submit=80.0), 100.0, 105.0),
            Planned(job(3, size=8, planned=9, submit=96.0), 105.0, 114.0),
        ],
    },
)


@pytest.mark.parametrize(
    ("spec", "values"),
    [
        ("mct", (110.0, 114.0)),
        ("mct:of=after", (120.0, 124.0)),
        ("mct:of=job", (120.0, 124.0)),
        ("mst", (110.0, 114.0)),
        ("mwt", ((90 + 10) / 2, (20 + 9 + 14) / 3)),
        ("mwwt-s", ((4 * 90 + 2 * 10) / 2, (20 + 72 + 28) / 3)),
        ("mwwt-t", ((20 * 90 + 10 * 10) / 2, (5 * 20 + 9 * 9 + 10 * 14) / 3)),
        ("mwwt-w", ((80 * 90 + 20 * 10) / 2, (5 * 20 + 72 * 9 + 20 * 14) / 3)),
        ("mta", ((110 + 20) / 2, (25 + 18 + 24) / 3)),
        ("mwta-s", ((4 * 110 + 2 * 20) / 2, (25 + 8 * 18 + 2 * 24) / 3)),
        ("mwct-w", ((80 * 110 + 20 * 120) / 2, (5 * 105 + 72 * 114 + 20 * 124) / 3)),
    ],
)
def test_schedules_by_plan_are_measured(spec, values):
    """Each strategy of level 4 has the value that its formula gives by hand, at both sites."""
    arriving = job(9, size=2, planned=10, submit=100.0)
    rule = broker_named(spec)
    assert tuple(rule.value(arriving, site, SCHEDULED) for site in (0, 1)) == pytest.approx(values)


def test_a_site_without_jobs_is_done_now():
    """The completion time of a site where nobody is, is the present."""
    view = Sites((4, 8), plans={0: SCHEDULED.plans[0], 1: []})
    assert broker_named("mct").value(job(), 1, view) == view.now
    assert chosen("mct", view) == 1


@pytest.mark.parametrize(
    ("spec", "up", "sites"),
    [(spec, (2, 4), (0, 1)) for spec in ("mlp", "mpl", "mlb", "first-fit", "lbal-s", "lbal-t", "lbal-w")]
    + [("max-ar", (1, 4), (1, 0))],
)
def test_loads_are_by_the_processors_in_service(spec, up, sites):
    """When less of the first site's eight processors is left, the other site is the better one."""
    same = {"counts": (1, 1), "size_sums": (1, 1), "time_sums": (9.0, 9.0), "area_sums": (9.0, 9.0)}
    view = Sites((8, 4), frees=(1, 3), **same)
    assert chosen(spec, view, job(size=2)) == sites[0]
    assert chosen(spec, replace(view, up=up), job(size=2)) == sites[1]


@pytest.mark.parametrize("spec", ["mlp", "mpl", "mlb", "first-fit", "lbal-s", "lbal-t", "lbal-w"])
def test_a_site_without_anything_in_service_is_the_last(spec):
    """It is chosen only if no other has anything, although it has no job."""
    none = {"counts": (0, 5), "size_sums": (0, 9), "time_sums": (0.0, 9.0), "area_sums": (0.0, 9.0)}
    view = Sites((8, 8), up=(0, 1), **none)
    assert chosen(spec, view, job(size=2)) == 1
    assert chosen(spec, replace(view, up=(0, 0)), job(size=2)) == 0


NEVER = Planned(job(4, size=4), math.inf, math.inf)
"""A job that is never known to have room."""


def test_an_empty_site_that_is_down_completes_when_it_is_back():
    """The arriving job has room at 110 s behind the others of site 0, at 150 s at site 1, which is empty."""

    class Back(Sites):
        def own(self, site, job):
            return Planned(job, (110.0, 150.0)[site], (120.0, 160.0)[site])

    view = Back((4, 4), plans={0: SCHEDULED.plans[0], 1: []}, machines_change=True)
    rule = broker_named("mct")
    assert [rule.value(job(9), site, view) for site in (0, 1)] == [110.0, 150.0]
    assert chosen("mct", view, job(9)) == 0
    assert chosen("mct", replace(view, machines_change=False), job(9)) == 1


@pytest.mark.parametrize("spec", ["mct", "mct:of=after", "mwt", "mwwt-w", "mta", "mwct-w"])
def test_of_sites_with_jobs_that_never_start_the_better_is_chosen(spec):
    """At both sites a job never has room; at the first the arriving job has none, either."""

    class Down(Sites):
        def own(self, site, job):
            return Planned(job, *((math.inf, math.inf), (100.0, 110.0))[site])

    view = Down((4, 4), plans={0: [NEVER], 1: [NEVER]}, machines_change=True)
    assert [broker_named(spec).value(job(9), site, view) for site in (0, 1)] == [math.inf] * 2
    assert chosen(spec, view, job(9)) == 1


def test_a_value_may_be_infinite_where_machines_change():
    """Elsewhere no job is planned to wait forever, and the rule has a mistake."""
    rule = broker("odd", information=0, source="none")(_valued(math.inf))
    assert rule.choose(job(), Sites((2, 2), machines_change=True)) == 0
    with pytest.raises(PolicyError, match="finite"):
        rule.choose(job(), Sites((2, 2)))


def test_means_over_all_assigned_jobs_count_those_that_ended():
    """With jobs=assigned the two that ended without waiting lower the mean wait from 50 to 25 s."""
    past = [Planned(job(5), 0.0, 10.0), Planned(job(6), 0.0, 10.0)]
    view = Sites((4,), plans={0: SCHEDULED.plans[0]}, pasts={0: past})
    arriving = job(9, submit=100.0)
    assert broker_named("mwt").value(arriving, 0, view) == 50.0
    assert broker_named("mwt:jobs=assigned").value(arriving, 0, view) == 25.0


def test_specs_and_back():
    """Every strategy is found by its name, and its spec leads back to it."""
    for kind in STRATEGIES:
        assert format_broker(broker_named(kind.name)) == kind.name
    assert format_broker(broker_named("mct(of=after):grid-state=actual")) == "mct:belief=execution:of=after"
    assert broker_of(broker_named("mpl")) == broker_named("mpl")


@pytest.mark.parametrize(("state", "earlier"), [("planned", "allocation"), ("actual", "execution")])
def test_a_grid_state_has_an_earlier_name_that_specs_keep(state, earlier):
    """The earlier parameter and values are read everywhere; canonical specs, which keys hold, keep them."""
    for text in (f"mpl:belief={earlier}", f"mpl:grid-state={state}", f"mpl:grid_state={earlier}"):
        assert broker_named(text) == broker_named(f"mpl:grid-state={state}")
        assert format_broker(broker_named(text)) == ("mpl" if state == "actual" else "mpl:belief=allocation")

    @broker("mine", information=1, source="none", belief=earlier)
    def mine(job, site, view):
        """Return the same for every site."""
        return 0

    assert mine.grid_state == state
    declared = type("Own", (), {"name": "own", "information": 1, "belief": earlier, "choose": min})()
    assert grid_state_of(broker_of(declared)) == state
    del type(declared).belief
    assert grid_state_of(broker_of(declared)) == "actual"


def test_a_grid_state_is_set_once():
    """The earlier name of a parameter is not a second parameter."""
    with pytest.raises(InputError, match="broker mpl: grid-state is set twice; belief is its earlier name"):
        broker_named("mpl:belief=execution:grid-state=actual")


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("mplp", UnknownNameError, "did you mean 'mpl'"),
        ("mct:off=job", UnknownNameError, "parameter of mct"),
        ("mct:of=task", InputError, "must be before or after or job"),
        ("mpl:grid-state=hope", InputError, "must be planned or actual"),
        ("", InputError, "joined by single colons: mct:of=job"),
    ],
)
def test_wrong_specs_are_named(spec, error, said):
    """What is wrong with the spec of a broker is said with what would be right."""
    with pytest.raises(error, match=said):
        broker_named(spec)


def test_levels_grow():
    """The strategies stand by what they need, from nothing to schedules, but for two that need sizes."""
    levels = [kind.information for kind in STRATEGIES]
    assert levels[:-2] == sorted(levels[:-2])
    assert levels[-2:] == [Information.JOB_SIZES] * 2


@broker("fewest", information=1, source="none")
def fewest(job, site, view):
    """Jobs at the site."""
    return view.jobs(site)


def test_a_strategy_of_ones_own():
    """A function of (job, site, view) is a broker, with ties to the lowest site."""
    assert isinstance(fewest, OwnStrategy)
    assert fewest.choose(job(), Sites((2, 2, 2), counts=(2, 1, 1))) == 1


@pytest.mark.parametrize("wrong", [float("nan"), "little", None])
def test_a_value_that_is_no_number_is_refused(wrong):
    """The error names the broker and the job."""
    rule = broker("odd", information=0, source="none")(_valued(wrong))
    with pytest.raises(PolicyError, match=r"odd.*job 1"):
        rule.choose(job(), Sites((2, 2)))


def _valued(value):
    def rule(job, site, view):
        """Return what no site can cost."""
        return value

    return rule


def test_a_broker_must_be_described():
    """A function with other arguments, without a docstring, or of no level is refused."""
    with pytest.raises(InputError, match="takes"):
        broker("x", information=0, source="none")(lambda job, view: 0)
    with pytest.raises(InputError, match="docstring"):
        broker("x", information=0, source="none")(lambda job, site, view: 0)
    with pytest.raises(InputError, match="level from 0 to 4"):
        broker("x", information=5, source="none")


def test_the_first_site_is_found_without_a_look_at_the_others():
    """A job costs the same among three sites and among 3,000, also where not all are allowed."""

    class Allowed(tuple):
        def index(self, *_):
            raise AssertionError("looked for a site among those allowed")

    view = SimpleNamespace(allowed=Allowed(range(7, 3000)))
    assert broker_named("first-site").choose(None, view) == 7


def test_the_nearest_declaration_of_a_grid_state_counts():
    """A class may declare the state by the present name where its base has the earlier one, or inherit it."""
    base = type("Base", (), {"name": "base", "belief": "allocation"})
    present, earlier = type("Present", (base,), {"grid_state": "actual"}), type("Same", (base,), {})
    assert [grid_state_of(kind()) for kind in (base, present, earlier)] == ["planned", "actual", "planned"]
    again = type("Again", (present,), {"belief": "allocation"})
    assert grid_state_of(again()) == "planned"
