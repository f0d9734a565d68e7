"""Users' own rules that fail or answer nonsense: one sentence says whose fault it is."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.engine.reference import simulate
from echelon.errors import InputError, PolicyError
from echelon.model import Forecast, Job, LocalChange, LocalUse, SharedCluster, Workstation
from echelon.policies.global_queue import Copy, Deliver, Spread
from echelon.testing.multiclusters import cluster_case

CLUSTER = SharedCluster((Workstation(),) * 2)
STRANGER = Job(0, 99, 0.0, 1, 5.0)


def refusal(kind=PolicyError, jobs=((0, 5, 1), (0, 5, 2)), clusters=1, **rules):
    """Return the sentence with which a run is refused."""
    with pytest.raises(kind) as refused:
        simulate(cluster_case(jobs, [CLUSTER] * clusters).scenario(**rules))
    sentence = str(refused.value)
    assert "\n" not in sentence
    return sentence


class Upper:
    """An upper queue that does what it is told."""

    name = "mine"

    def __init__(self, does):
        self.does = does

    def dispatch(self, view):
        return self.does(view)


def endless(view):
    """Ask for nodes of several clusters forever."""
    while True:
        yield Spread(view.queue[0])


@pytest.mark.parametrize(
    ("does", "says"),
    [
        (lambda view: 1 / 0, "fails with ZeroDivisionError"),
        (lambda view: 5, "fails with TypeError"),
        (lambda view: ["job"], "gave 'job'; expected Deliver"),
        (lambda view: [Deliver(view.queue[0], 7)], "was dispatched to (7,)"),
        (lambda view: [Deliver(view.queue[0], "a")], "was dispatched to ('a',)"),
        (lambda view: [Deliver(STRANGER, 0)], "does not wait in the global queue"),
        (lambda view: [Deliver(view.queue[0], 0), Deliver(view.queue[0], 0)] * 2, "does not wait"),
        (lambda view: [Copy(view.queue[0], ())], "was dispatched to ()"),
        (lambda view: [Copy(view.queue[0], (0, 0))], "was dispatched to (0, 0)"),
        (endless, "gives more than 100 dispatches per job in one cycle"),
    ],
)
def test_an_global_queue(does, says):
    """What it hands out must wait there, and be for clusters that can hold it."""
    sentence = refusal(upper=Upper(does))
    assert sentence.startswith("policy 'mine' at t = 0 s: ")
    assert says in sentence


class Mind:
    """An estimator, and what it has learned, that do what they are told."""

    name = "guess"

    def __init__(self, says, learns=None, makes=None):
        self.says, self.learns, self.makes = says, learns, makes

    def memory(self):
        raise NotImplementedError

    def forecaster(self, past):
        return self if self.makes is None else self.makes()

    def forecast(self, job, view):
        return self.says() if callable(self.says) else self.says

    def learn(self, experience, job, said):
        if self.learns is not None:
            self.learns()


def broken():
    """Fail."""
    raise ValueError("no idea")


@pytest.mark.parametrize(
    ("mind", "says"),
    [
        (Mind(broken), "makes forecast(job, view) fail with ValueError: no idea"),
        (Mind(5.0), "makes forecast 5.0; expected a Forecast of seconds >= 0"),
        (Mind(Forecast(0.0, -1.0)), "expected a Forecast of seconds >= 0"),
        (Mind(Forecast(float("nan"), 1.0)), "expected a Forecast of seconds >= 0"),
        (Mind(Forecast("0", 1.0)), "expected a Forecast of seconds >= 0"),
        (Mind(Forecast(np.complex128(1), 1.0)), "expected a Forecast of seconds >= 0"),
        (Mind(None, learns=broken), "makes learn(...) fail with ValueError: no idea"),
        (Mind(None, makes=broken), "makes forecaster(past) fail with ValueError: no idea"),
    ],
)
@pytest.mark.parametrize("watched", [False, True])
def test_an_estimator(mind, says, watched):
    """It says seconds, or None; whether it decides or only watches."""
    sentence = refusal(watched=(mind,)) if watched else refusal(estimator=mind)
    assert sentence.startswith("policy 'estimator guess'")
    assert says in sentence


class Spanning:
    """A co-allocation that answers what it is told."""

    name = "wide"

    def __init__(self, answer):
        self.answer = answer

    def span(self, problem):
        return self.answer(problem)


class Nodes:
    """An answer with nodes."""

    def __init__(self, *nodes):
        self.nodes = nodes


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda problem: 1 / 0, "fail with ZeroDivisionError"),
        (lambda problem: 5, "fail with AttributeError"),
        (lambda problem: Nodes(0, 1), "was given (0, 1); expected 3 different nodes of 4"),
        (lambda problem: Nodes(0, 1, 1), "expected 3 different nodes of 4"),
        (lambda problem: Nodes(0, 1, 4), "expected 3 different nodes of 4"),
        (lambda problem: Nodes(-1, 1, 2), "expected 3 different nodes of 4"),
        (lambda problem: Nodes("a", [1], None), "fail with ValueError"),
    ],
)
def test_a_co_allocation(answer, says):
    """It names as many different nodes as tasks, of those it was offered."""
    sentence = refusal(jobs=((0, 5, 3),), clusters=2, co_allocation=Spanning(answer))
    assert sentence.startswith("policy 'wide' at t = 0 s: job 1 ")
    assert says in sentence


class Broken:
    """A broker that does what it is told."""

    name, information, grid_state = "mine", 0, "actual"

    def __init__(self, site):
        self.site = site

    def choose(self, job, view):
        return self.site()


@pytest.mark.parametrize(
    ("site", "says"),
    [
        (broken, "makes the broker fail with ValueError: no idea"),
        (lambda: 3, "was assigned to 3; expected one of the sites 0, 1"),
        (lambda: "a", "was assigned to 'a'"),
        (lambda: None, "was assigned to None"),
    ],
)
def test_a_broker(site, says):
    """It chooses one of the clusters that can hold the job and take it now."""
    sentence = refusal(clusters=2, broker=Broken(site))
    assert sentence.startswith("policy 'mine' at t = 0 s: job 1 ")
    assert says in sentence


class Users:
    """Owners who follow a script."""

    spec = "mine"

    def __init__(self, *changes):
        self.told = changes

    def changes(self, platform, seed):
        for change in self.told:
            yield LocalChange(*change) if isinstance(change, tuple) else change()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ([broken], "fail with ValueError: no idea"),
        ([lambda: 5], "fail with TypeError"),
        ([(2.0, 0, 0, LocalUse(0.5)), (1.0, 0, 0, LocalUse())], "changes must come by finite time"),
        ([(float("nan"), 0, 0, LocalUse(0.5))], "changes must come by finite time"),
        ([(0.0, 1, 0, LocalUse(0.5))], "node 0 of site 1, which is not there"),
        ([(0.0, 0, 2, LocalUse(0.5))], "node 2 of site 0, which is not there"),
        ([(0.0, 0, 0, LocalUse(1.5))], "shares of processors and memory from 0 to 1"),
        ([(0.0, 0, 0, LocalUse(0.5, 0.5, float("inf")))], "finite traffic"),
    ],
)
def test_owners(changes, says):
    """They come by time, to nodes that are there, and take shares of them."""
    sentence = refusal(InputError, local_users=Users(*changes))
    assert sentence.startswith("local users: ")
    assert says in sentence
