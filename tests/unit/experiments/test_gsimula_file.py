"""GSimula's CONFIG.INI and grid_config.ini, read as scenarios."""

from __future__ import annotations

import pytest

from echelon.errors import InputError
from echelon.experiments.gsimula_file import UNUSED, parameters
from echelon.experiments.scenario_file import read_scenario_file

CONFIG = """\
; an experiment of two levels
&number of experiments
30
&Workload Name
jobs.swf      ; beside this file
&grid_number
2
&scheduling type
on line
&system runtime prediction
user
&selection strategies list
MLp, MPL  LBal_S
&first local scheduling
BEFF
&last local scheduling
BEFF
&admissible flag
1
&first admissible selection
0.5
&last admissible selection
1
&step admissible selection
0.25
&path local directory
results
"""
STEALING = "&grid scheduling levels\n1\n&step stealing\n50\n"
GRIDS = "&grid 1\n4 8\n&grid 2 ; three sites\n8, 16, 32\n"


@pytest.fixture
def written(tmp_path):
    """Return a function that reads a configuration with changes, beside a file of grids."""
    (tmp_path / "grid_config.ini").write_text(GRIDS)

    def read(text=CONFIG):
        file = tmp_path / "CONFIG.INI"
        file.write_text(text)
        return read_scenario_file(file)

    return read


def test_a_configuration_is_a_scenario(written, tmp_path):
    """Each parameter is a setting in our words, several values are a list, paths start from the file."""
    told = written()
    assert told.settings() == {
        "workload": str(tmp_path / "jobs.swf"),
        "platform": [8, 16, 32],
        "estimator": "request",
        "broker": ["mlp", "mpl", "lbal-s"],
        "policy": "easy",
        "admissible": [0.5, 0.75, 1.0],
        "out": str(tmp_path / "results"),
    }
    assert told.unused == ("number of experiments",)


@pytest.mark.parametrize(
    ("lines", "policy"),
    [
        ("&selection scheduler\nSJF\n&first local scheduling\nBEFF\n", "easy:sjf"),
        ("&selection scheduler\nFIFO\n&first local scheduling\nBEFF\n", "easy"),
        ("&selection scheduler\nLargest_First\n", "largest-first"),
    ],
)
def test_the_queue_of_a_site_has_the_order_of_the_selection_scheduler(written, lines, policy):
    """The order is part of the local policy, also without a local scheduler."""
    assert written(f"&workload name\nkth-sp2\n&grid number\n1\n{lines}").settings()["policy"] == policy


@pytest.mark.parametrize(
    ("lines", "ignored"),
    [
        (
            "&grid scheduling levels\n1\n&step stealing\n50\n&selection scheduler\nSJF\n",
            "selection scheduler",
        ),
        ("&grid scheduling levels\n2\n&step stealing\n50\n", "step stealing"),
        ("&step admissible selection\n0.5\n", "step admissible selection"),
    ],
)
def test_a_parameter_that_another_makes_useless_is_named(written, lines, ignored):
    """Queues under stealing, stealing in two levels and a range of admissibility that is not asked for."""
    assert written(f"&workload name\nkth-sp2\n&grid number\n1\n{lines}").unused == (ignored,)


@pytest.mark.parametrize(
    ("last", "step", "problem"),
    [
        ("nan", "0.1", "last admissible selection got 'nan', expected a number"),
        ("1e9", "1", r"got 0.1 to 1e\+09, expected factors above 0 up to 1"),
        ("0.05", "1", "the least one first"),
        ("1", "1e-9", "expected at most 1000 factors"),
    ],
)
def test_a_range_that_cannot_be_is_refused(written, last, step, problem):
    """Before its values are listed."""
    flags = "&workload name\nkth-sp2\n&admissible flag\n1\n&first admissible selection\n0.1\n"
    words = f"{flags}&last admissible selection\n{last}\n&step admissible selection\n{step}\n"
    with pytest.raises(InputError, match=problem):
        written(words)


def test_the_last_step_stays_within_the_range(written):
    """Of 0.1 to 1 by 0.35 the factors are three."""
    flags = (
        "&workload name\nkth-sp2\n&grid number\n1\n&admissible flag\n1\n&first admissible selection\n0.1\n"
    )
    told = written(f"{flags}&last admissible selection\n1\n&step admissible selection\n0.35\n")
    assert told.settings()["admissible"] == [0.1, 0.45, 0.8]


def test_grids_that_are_not_text_are_refused(written, tmp_path):
    """A file of grids in another encoding, or with words for sizes, is one sentence."""
    text = "&workload name\nkth-sp2\n&grid number\n1\n"
    (tmp_path / "grid_config.ini").write_bytes(b"&grid 1\n\xff\n")
    with pytest.raises(InputError, match="is not text in UTF-8"):
        written(text)
    (tmp_path / "grid_config.ini").write_text("&grid 1\nmany\n")
    with pytest.raises(InputError, match="grid of line 1: got 'many', expected the processors of each site"):
        written(text)


def test_off_line_jobs_are_all_there_at_the_start(written):
    """The scheduling type off line is the setting of that name."""
    assert written("&workload name\nkth-sp2\n&scheduling type\noff line\n").settings() == {
        "workload": "kth-sp2",
        "off_line": True,
    }


def test_a_grid_of_one_level_steals(written):
    """The threshold is that of stealing, and sites have no local policy."""
    told = written(
        "&workload name\nkth-sp2\n&grid number\n1\n&grid scheduling levels\n1\n&step stealing\n50\n"
        "&first local scheduling\nBEFF\n"
    )
    assert told.settings() == {"workload": "kth-sp2", "platform": [4, 8], "broker": "stealing:50"}


def test_without_a_file_of_grids_the_numbers_are_those_of_the_study(written, tmp_path):
    """Grids 1 to 3 are presets."""
    (tmp_path / "grid_config.ini").unlink()
    told = written("&workload name\nkth-sp2\n&grid number\n3\n&admissible flag\n0\n")
    assert told.settings() == {"workload": "kth-sp2", "platform": "grid3"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("&workload name\n", "line 1: expected the value of 'workload name', got the end"),
        ("&workload name\n&grid number\n1\n", "line 2: expected the value of 'workload name', got '&grid"),
        ("kth-sp2\n", "line 1: expected a name after &, got 'kth-sp2'"),
        ("&workload name\nx\n&workload name\ny\n", "line 3: 'workload name' is given twice"),
        ("&workload nam\nx\n", "line 1: no parameter of GSimula is named 'workload nam'; did you mean"),
        ("&grid number\n1\n", "workload: is missing"),
        ("&workload name\n-\n&grid number\n7\n", "line 3: grid number: got '7', expected one of 1, 2"),
        ("&workload name\n-\n&scheduling type\nbatch\n", "expected on line"),
        ("&workload name\n-\n&admissible flag\nmaybe\n", "admissible flag: got 'maybe', expected 1 or 0"),
        ("&workload name\n-\n&grid scheduling levels\n3\n", "expected 1 or 2"),
        ("&workload name\n-\n&selection strategies list\nMPP\n", "broker: no broker is named 'mpp'"),
        (
            "&workload name\n-\n&admissible flag\n1\n&step admissible selection\n0\n",
            "got a step of 0, expected one above 0",
        ),
        (
            "&workload name\n-\n&admissible flag\n1\n&first admissible selection\nhalf\n",
            "first admissible selection got 'half', expected a number",
        ),
    ],
)
def test_a_mistake_is_one_sentence(written, text, problem):
    """It names the file, the line and what was expected."""
    with pytest.raises(InputError) as caught:
        written(text)
    assert "CONFIG.INI" in str(caught.value)
    assert problem in str(caught.value)


def test_names_are_read_in_any_case_and_spacing(tmp_path):
    """Underscores are blanks, and comments end a line."""
    found = parameters("&Grid__Number ; which\n\n 1 ; the first\n", tmp_path)
    assert found["grid number"] == ("1", 1)
    assert all(name == " ".join(name.lower().split()) for name in UNUSED)
