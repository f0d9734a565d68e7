"""What a study file may say of its replications: seeds, shaken copies, blocks; and what is refused."""

import pytest

from echelon.errors import InputError
from echelon.experiments.study.file.study_file import read_study
from echelon.experiments.study.run.case_workload import workload_of

LOG = "; MaxProcs: 4\n" + "".join(
    f"{k + 1} {50 * k} -1 60 2 -1 -1 2 90 -1 1 1 1 1 1 1 -1 -1\n" for k in range(40)
)


@pytest.fixture
def told(tmp_path):
    """Return a function that reads a study on a log, or on what is said."""
    (tmp_path / "log.swf").write_text(LOG)

    def read(axes, workload="log.swf", fixed="", rest=""):
        text = (
            f'{rest}\n[fixed]\nworkload = "{workload}"\n{fixed}\n[axes]\npolicy = ["fcfs", "easy"]\n{axes}\n'
        )
        (tmp_path / "study.toml").write_text(text)
        return read_study(tmp_path / "study.toml")

    return read


def test_shaken_copies_are_seeds_that_shake(told):
    """Three copies are three seeds: under each all policies have the same submit times, moved by it."""
    study = told("shake = 3")
    assert (study.seeds, study.shake, study.blocks) == ((0, 1, 2), 30, None)
    cases = study.search.first()
    assert len(cases) == 6
    times = [tuple(workload_of(case.settings).submit_time) for case in cases]
    assert len(set(times)) == 3
    assert times[0] == times[1] != times[2]
    assert cases[0].settings["shake_by"] == 30
    assert study.search.first()[2].settings["workload_seed"] == 1


def test_how_far_to_shake_may_be_said(told):
    """A table says how many copies, and the largest shift of a submit time, in seconds."""
    study = told("shake = { copies = 2, seconds = 5 }")
    original = range(0, 2000, 50)
    moved = workload_of(study.search.first()[0].settings).submit_time - list(original)
    assert 3 <= abs(moved).max() <= 5


@pytest.mark.parametrize(
    ("length", "seconds"),
    [('"2min"', 120), ('"1.5h"', 5400), ('"30d"', 2_592_000), ('"1w"', 604_800), ("90", 90)],
)
def test_lengths_of_blocks(told, length, seconds):
    """A length has a unit, or is a number of seconds; each combination is run once."""
    study = told(f"blocks = {length}")
    assert (study.blocks, study.seeds) == (seconds, ())
    assert study.search.size == 2


@pytest.mark.parametrize(
    ("axes", "given", "told_of"),
    [
        ("shake = 1", {}, "got 1, expected a number of copies, a whole number >= 2"),
        ("shake = { copies = 3, second = 2 }", {}, "expected a number of copies"),
        ("shake = { copies = 3, seconds = 0 }", {}, "expected a number of copies"),
        ("shake = 3\nseeds = 3", {}, "defines the replications, and so does shake"),
        ('blocks = "1h"\nseeds = 3', {}, "defines the replications, and so does blocks"),
        ('blocks = "1h"\nshake = 3', {}, "defines the replications, and so does shake"),
        ("shake = 3", {"workload": "lublin:jobs=20"}, "give seeds instead"),
        ("shake = 3", {"fixed": "seed = 4"}, "is set by shake in [axes] for each copy"),
        ("shake = 3", {"fixed": "shake_by = 4"}, "is set by shake in [axes] for each copy"),
        ('blocks = "soon"', {}, "expected a length of time > 0"),
        ("blocks = 0", {}, "expected a length of time > 0"),
        ('blocks = "3y"', {}, "expected a length of time > 0"),
        ('blocks = "1h"', {"rest": 'measures = ["makespan"]'}, "makespan measures a whole run"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(told, axes, given, told_of):
    """What can be no replication is told with its line."""
    with pytest.raises(InputError) as error:
        told(axes, **given)
    assert told_of in str(error.value)
    assert "line " in str(error.value)
