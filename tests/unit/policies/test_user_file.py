"""A policy of one's own, in a file outside the package."""

from __future__ import annotations

from textwrap import dedent

import pytest

from echelon.engine import compiled
from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.errors import InputError, UnknownNameError
from echelon.policies import Easy, policy_named
from echelon.testing import case, check_policy, crowd

ORDER_IN_FIVE_LINES = '''
from echelon import order

@order("my-area", source="none")
def my_area(job, view):
    """Requested processors times planned time, in processor-seconds; the smallest first."""
    return job.processors * job.planned_time
'''

SCHEDULER_IN_FIFTEEN_LINES = '''
from echelon import Reserve, Start

class HeadFirst:
    """Promise the head its earliest start, then start whoever fits beside that promise."""

    name = "head-first"

    def decide(self, view):
        for job in view.queue:
            start = view.earliest_start(job)
            if start <= view.now and job.processors <= view.free:
                yield Start(job)
            elif not view.reservations:
                yield Reserve(job, start)
'''


@pytest.fixture
def file(tmp_path):
    """Return a call that writes a file and gives its path."""

    def write(text, name="mine.py"):
        path = tmp_path / name
        path.write_text(dedent(text))
        return path

    return write


@pytest.mark.slow
def test_an_order_in_five_lines(file):
    """Named by its own name or by its function's, alone or with a backfilling, it orders the queue."""
    path = file(ORDER_IN_FIVE_LINES)
    instance = crowd(4, 80).instance()
    expected = simulate(Scenario(instance, policy_named("easy:saf"))).start_time.tolist()
    for spec in (f"easy:{path}:my-area", f"easy:{path}:my_area", f"easy(reservations=1):{path}:my_area"):
        mine = policy_named(spec)
        assert simulate(Scenario(instance, mine)).start_time.tolist() == expected
        assert compiled.simulate(Scenario(instance, mine)).start_time.tolist() == expected
    assert policy_named(f"{path}:my-area").order.name == "my-area"
    assert check_policy(f"{path}:my-area").passed


def test_an_order_of_ones_own_for_candidates(file):
    """A user's order can also sort the backfilling candidates."""
    spec = f"easy(candidates={file(ORDER_IN_FIVE_LINES)}:my-area, fit=best-fit):largest-first"
    found = policy_named(spec)
    assert found.order.name == "largest-first"
    assert found.scheduler.candidates.name == "my-area"
    assert found.scheduler.fit == "best-fit"


@pytest.mark.slow
def test_a_scheduler_in_fifteen_lines(file):
    """A class with a name and decide(view) is a whole scheduler; it keeps the rules."""
    spec = f"{file(SCHEDULER_IN_FIFTEEN_LINES)}:HeadFirst"
    mine = policy_named(spec)
    schedule = simulate(Scenario(case("easy-c-extra-processors").instance(), mine))
    assert schedule.start_time.tolist() == [0, 100, 2]
    assert check_policy(spec).passed
    assert len(SCHEDULER_IN_FIFTEEN_LINES.strip().splitlines()) <= 15


def test_an_instance_is_taken_as_it_is(file):
    """A name may stand for a scheduler already made, parameters and all."""
    path = file("from echelon.policies import Easy\ntwo = Easy(reservations=2)\n")
    assert policy_named(f"{path}:two").scheduler == Easy(reservations=2)


@pytest.mark.parametrize(
    ("text", "name", "error", "message"),
    [
        ("x = 1", "rule", UnknownNameError, "no policy in .*mine.py is named 'rule'; there is none"),
        (ORDER_IN_FIVE_LINES, "my-aera", UnknownNameError, "did you mean 'my-area'"),
        (SCHEDULER_IN_FIFTEEN_LINES, "HeadFrist", UnknownNameError, "did you mean 'HeadFirst'"),
        ("x = 1", "x", InputError, "x: must be an order .* or have a name and decide.view.; got int"),
        ("def rule(job, view): return 0", "rule", InputError, "got function"),
        ("class A: pass", "A", InputError, "got A"),
        ("this is no Python", "x", InputError, "mine.py: fails while it is loaded: SyntaxError"),
        ("1 / 0", "x", InputError, "fails while it is loaded: ZeroDivisionError: division by zero"),
        ("import not_there_at_all", "x", InputError, "fails while it is loaded: ModuleNotFoundError"),
        (
            "class A:\n    name = 'a'\n    def __init__(self, k): 0\n    def decide(self, view): return []",
            "A",
            InputError,
            "policy .*A: cannot be made: TypeError",
        ),
    ],
)
def test_files_that_hold_no_policy(file, text, name, error, message):
    """Whatever is wrong with the file or the name in it is one sentence with the file's name."""
    with pytest.raises(error, match=message):
        policy_named(f"{file(text)}:{name}")


def test_no_such_file(tmp_path):
    """A missing file is told with the form that was expected."""
    with pytest.raises(InputError, match=r"no such file; a policy is named FILE.py:NAME"):
        policy_named(f"{tmp_path}/absent.py:rule")


def test_a_scheduler_is_no_order(file):
    """A whole scheduler cannot stand where an order is wanted."""
    with pytest.raises(InputError, match=r"HeadFirst: must be an order .use @order.; got HeadFirst"):
        policy_named(f"easy:{file(SCHEDULER_IN_FIFTEEN_LINES)}:HeadFirst")


def test_files_of_one_name_do_not_mix(file, tmp_path):
    """Two files with the same name in two folders are two policies."""
    (tmp_path / "a").mkdir()
    first = file(ORDER_IN_FIVE_LINES)
    second = file(ORDER_IN_FIVE_LINES.replace("return job", "return -job"), "a/mine.py")
    job = case("one-job").instance().jobs()[0]
    rules = [policy_named(f"{path}:my-area").order for path in (first, second)]
    assert [rule(job, None) for rule in rules] == [3, -3]
