"""A metric of one's own: made with @metric, named FILE.py:NAME, measured beside the built-in ones."""

from __future__ import annotations

import math
import sys
from textwrap import dedent

import numpy as np
import pytest

from echelon import compare, measure, metric, simulate
from echelon.errors import InputError, UnknownNameError
from echelon.metrics import Measured, metric_in_file, names_metric, own_metrics
from echelon.testing import case

IN_FIVE_LINES = '''
from echelon import metric

@metric("wide_wait", unit="s", source="none", better="low")
def mean_wait_of_wide(jobs):
    """Mean wait of the jobs that take more than half of the machine."""
    return jobs.wait[jobs.size > jobs.processors / 2].mean()
'''


@pytest.fixture
def file(tmp_path):
    """Return a call that writes a file and gives its path."""

    def write(text, name="mine.py"):
        path = tmp_path / name
        path.write_text(dedent(text))
        return path

    return write


def made(function, name="mine", unit="1"):
    """Return a metric of `function`, which needs no docstring here."""
    function.__doc__ = "What it is."
    return metric(name, unit=unit, source="none")(function)


@pytest.fixture
def tiny():
    return case("easy-a-guarantee")


@pytest.fixture
def schedule(tiny):
    return simulate(tiny.workload, processors=tiny.processors, policy="easy").schedule


def test_a_metric_in_five_lines(file, tiny):
    """Named by its own name or by its function's, it stands behind the built-in ones, by hand worked."""
    path = file(IN_FIVE_LINES)
    result_without = simulate(tiny.workload, processors=4)
    for name in ("wide_wait", "mean_wait_of_wide"):
        result = simulate(tiny.workload, processors=4, policy="easy", metrics=[f"{path}:{name}"])
        assert list(result.metrics) == [*result_without.metrics, "wide_wait"]
        # Of 3, 4 and 1 processors, the first two are wide; they wait 0 s and 99 s.
        assert result.metrics["wide_wait"] == 49.5
    assert result.measure(f"{path}:wide_wait") == 49.5


def test_in_a_comparison(file, tiny):
    """Every policy is measured with it, and the table has its column."""
    found = compare(
        tiny.workload, policies=["fcfs", "easy"], processors=4, metrics=[f"{file(IN_FIVE_LINES)}:wide_wait"]
    )
    assert found.to_frame()["wide_wait"].to_list() == [49.5, 49.5]


@pytest.mark.parametrize(
    ("value", "expected", "kind"),
    [
        (3, 3, int),
        (2.5, 2.5, float),
        (np.int32(3), 3, int),
        (np.float32(2.5), 2.5, float),
        (np.array(2.5), 2.5, float),
        (10**30, 10**30, int),
    ],
)
def test_numbers_become_pythons_own(schedule, value, expected, kind):
    """Whatever sort of number comes, JSON can hold what is returned."""
    found = made(lambda jobs: value).value(Measured(schedule))
    assert found == expected
    assert type(found) is kind


def test_no_value_is_nan(schedule):
    """None is NaN, and so is the mean over no job, without numpy's warning."""
    assert math.isnan(made(lambda jobs: None).value(Measured(schedule)))
    assert math.isnan(made(lambda jobs: jobs.wait[jobs.size > 99].mean()).value(Measured(schedule)))


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        (lambda jobs: jobs.wait, r"must return one number, got ndarray"),
        (lambda jobs: "9", "must return one number, got str '9'"),
        (lambda jobs: True, "must return one number, got bool True"),
        (lambda jobs: np.bool_(True), "must return one number, got bool"),
        (lambda jobs: 1j, "must return one number, got complex"),
        (lambda jobs: math.inf, "must return a finite number or NaN, got inf"),
        (lambda jobs: -np.float64(math.inf), "must return a finite number or NaN, got -inf"),
        (lambda jobs: 1 / 0, "fails with ZeroDivisionError: division by zero"),
        (lambda jobs: jobs.waits, "fails with AttributeError: .*'waits'"),
        (lambda jobs: jobs.wait.sort(), "fails with ValueError"),
        (lambda jobs: sys.exit(3), "fails with SystemExit: 3"),
    ],
)
def test_functions_that_give_no_number(schedule, function, problem):
    """Each is told in one sentence, with the metric's name; no column can be changed for the next one."""
    with pytest.raises(InputError, match=f"^metric 'mine': {problem}") as caught:
        measure(schedule, [made(function)])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"name": "Wide-Wait"}, "must be named in snake case"),
        ({"name": ""}, "must be named in snake case"),
        ({"unit": " "}, "needs a short unit"),
        ({"unit": "s" * 21}, "needs a short unit"),
        ({"source": ""}, "needs a source"),
        ({"better": "less"}, "better must be 'low', 'high' or None, got 'less'"),
    ],
)
def test_wrong_values(values, problem):
    """A metric that does not say its name, unit or source is refused where it is made."""
    given = {"name": "mine", "unit": "s", "source": "none", **values}
    with pytest.raises(InputError, match=problem):
        metric(given.pop("name"), **given)


def test_wrong_functions():
    """A metric takes the columns and nothing else, and has a docstring."""
    make = metric("mine", unit="s", source="none")
    with pytest.raises(InputError, match=r"a metric takes \(columns\), got"):
        make(lambda jobs, view: 0)
    with pytest.raises(InputError, match="needs a docstring"):
        make(lambda jobs: 0)


def test_names_that_are_taken(file):
    """A metric cannot hide a built-in one or another of one's own, and a built-in one needs no asking."""
    path = f"{file(IN_FIVE_LINES)}:wide_wait"
    with pytest.raises(InputError, match="metric 'wide_wait': the name is already taken"):
        own_metrics([path, path])
    with pytest.raises(InputError, match="metric 'mean_wait': the name is already taken"):
        own_metrics([made(lambda jobs: 0, "mean_wait")])
    with pytest.raises(InputError, match="metric 'policy': the name is already taken"):
        own_metrics([made(lambda jobs: 0, "policy")])
    with pytest.raises(InputError, match="metric 'mean_wait': is built in and always measured"):
        own_metrics(["mean_wait"])


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("mine", "must be a list of metrics, got 'mine'"),
        (["nonsense"], "metric 'nonsense': must be FILE.py:NAME"),
        ([3], "must be FILE.py:NAME or made with @metric, got int"),
        (["absent.py:mine"], "absent.py:mine: no such file; a metric is named FILE.py:NAME"),
    ],
)
def test_names_of_no_metric(given, problem):
    """Whatever is given in place of a metric is told."""
    with pytest.raises(InputError, match=problem):
        own_metrics(given)


def test_files_that_hold_no_such_metric(file):
    """A wrong name suggests the nearest, and a thing that is no metric says what it is."""
    path = file(IN_FIVE_LINES + "\nother = 3\n")
    with pytest.raises(UnknownNameError, match=r"no metric in .*mine.py is named 'wide_wiat'.*'wide_wait'"):
        metric_in_file(f"{path}:wide_wiat")
    with pytest.raises(InputError, match=r"other: must be a metric .use @metric.; got int"):
        metric_in_file(f"{path}:other")
    with pytest.raises(InputError, match="fails while it is loaded: SyntaxError"):
        metric_in_file(f"{file('this is no Python', 'bad.py')}:x")


def test_what_names_a_metric(file):
    """A metric's own name and its function's name one; other things and built-in names do not."""
    path = file(IN_FIVE_LINES + "\nother = 3\n")
    names = ("wide_wait", "mean_wait_of_wide", "other", "absent")
    assert [names_metric(f"{path}:{name}") for name in names] == [True, True, False, False]
    assert not names_metric("mean_wait")


def test_columns_for_metrics_of_ones_own(tiny):
    """Users' codes and planned times are there, a value a job, and read-only."""
    measured = Measured(simulate(tiny.workload, processors=4).schedule)
    assert measured.planned.tolist() == [100.0, 100.0, 1000.0]
    assert len(measured.user) == 3
    assert not any(
        column.flags.writeable
        for column in (measured.user, measured.wait, measured.end, measured.slowdown, measured.planned)
    )
