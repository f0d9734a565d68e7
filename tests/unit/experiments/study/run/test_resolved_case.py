"""Equal input has one key, whatever specs it comes in; whatever changes a start time has another."""

from __future__ import annotations

import gzip
import hashlib
import re

import pytest

from echelon import Workload, write_swf
from echelon.errors import InputError, UnknownNameError
from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.identity import canonical_json
from echelon.experiments.study.run.resolved_case import resolve
from echelon.model import Header

BASE = {"workload": "lublin:jobs=40", "policy": "easy", "processors": 128}


def key(**changes):
    return resolve(Case({**BASE, **changes})).key


@pytest.fixture
def log(tmp_path):
    """Return the file of a log of 30 jobs on 8 processors."""
    jobs = Workload.from_columns(
        header=Header((("MaxProcs", "8"),)),
        submit_time=[10.0 * k for k in range(30)],
        run_time=[7.0 + k % 5 for k in range(30)],
        requested_time=[20.0] * 30,
        processors=[1 + k % 8 for k in range(30)],
    )
    write_swf(jobs, tmp_path / "log.swf")
    return tmp_path / "log.swf"


@pytest.mark.parametrize(
    "changes",
    [
        {"policy": "easy:fcfs"},
        {"policy": "easy:reservations=1"},
        {"policy": " easy : fifo "},
        {"workload": "lublin:jobs=40,seed=0"},
        {"workload": "LUBLIN:seed=0:jobs=40"},
        {"first": 40},
        {"first": 1000},
        {"seed": 0},
        {"passes": "instant"},
        {"estimates": "raise"},
        {"estimator": "request"},
        {"engine": "auto"},
        {"strict": False},
        {"load": 1},
        {"load": 1.0},
        {"skip": 0},
        {"metrics": []},
        {"platform": None},
        {"processors": None},
    ],
    ids=str,
)
def test_the_same_in_other_words(changes):
    """Aliases, defaults that are said, settings in another order, and other ways to the same jobs."""
    assert key(**changes) == key()


@pytest.mark.parametrize(
    "changes",
    [
        {"policy": "easy:shortest-first"},
        {"policy": "easy:reservations=2"},
        {"workload": "lublin:jobs=41"},
        {"workload": "lublin:jobs=40,seed=1"},
        {"workload": "lublin:jobs=40,batch_pa=-0.01"},
        {"processors": 256},
        {"first": 39},
        {"skip": 1},
        {"load": 1.01},
        {"window": [0, 20000]},
        {"scale_size": 64},
        {"estimates_model": "factor:f=3"},
        {"seed": 1},
        {"passes": "event"},
        {"estimates": "kill"},
        {"estimates": "exact"},
        {"estimator": "average"},
        {"platform": "grid1", "processors": None},
        {"strict": True},
    ],
    ids=str,
)
def test_other_input_has_another_key(changes):
    """Jobs, machine, rules, seed: each one counts."""
    assert key(**changes) != key()


def test_seeds_of_drawn_estimates_count():
    """Other draws of requested times are other jobs."""
    drawn = {"estimates_model": "factor:f=3"}
    assert key(**drawn, workload_seed=1) != key(**drawn, workload_seed=2)
    assert key(workload_seed=1) == key(workload_seed=2)


def test_a_log_is_its_jobs(log, tmp_path):
    """What a log is called, where it is, and how it is packed do not matter; what is in it does."""
    base = resolve(Case({"workload": str(log)}))
    copy = tmp_path / "elsewhere" / "copy.swf.gz"
    copy.parent.mkdir()
    copy.write_bytes(gzip.compress(log.read_bytes()))
    assert resolve(Case({"workload": str(copy), "processors": 8})).key == base.key
    text = log.read_text()
    log.write_text(re.sub(r"(?m)^(\s*30\s+\d+)", r"\g<1>1", text))
    assert resolve(Case({"workload": str(log)})).key != base.key
    assert base.described["machine"] == {"processors": 8}


def test_a_platform_is_its_sites(tmp_path):
    """A platform file, its copy under another name, and the sizes themselves are one machine."""
    sites = '[[site]]\nname = "site-1"\nprocessors = 4\n[[site]]\nname = "site-2"\nprocessors = 128\n'
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text('name = "One"\n' + sites)
    two.write_text('name = "Two"\nsource = "a paper"\n' + sites)
    grid = {"processors": None, "broker": "mct"}
    keys = {key(platform=platform, **grid) for platform in (str(one), str(two))}
    assert len(keys) == 1
    two.write_text(sites.replace("4", "5"))
    assert key(platform=str(two), **grid) not in keys
    assert key(platform=str(one), broker="mst", processors=None) not in keys


def test_own_rules_are_what_their_file_says(tmp_path):
    """A rule of one's own goes by the text of its file and its name, not by where the file is."""
    rule = (
        "from echelon import order\n\n\n@order('mine', source='none')\ndef {}(job, view):\n"
        '    """Smallest first."""\n    return job.processors{}\n'
    )
    here, there = tmp_path / "rule.py", tmp_path / "there" / "same.py"
    there.parent.mkdir()
    here.write_text(rule.format("mine", ""))
    there.write_text(rule.format("mine", ""))
    first = key(policy=f"easy:{here}:mine")
    assert key(policy=f"easy:{there}:mine") == first
    assert str(tmp_path) not in str(resolve(Case({**BASE, "policy": f"{here}:mine"})).described)
    here.write_text(rule.format("mine", " * 1.0"))
    assert key(policy=f"easy:{here}:mine") != first


def test_own_metrics_count(tmp_path):
    """A metric of one's own is in metrics.json, so that it is part of the run."""
    (tmp_path / "own.py").write_text(
        "from echelon import metric\n\n\n@metric('longest', unit='s', source='none')\ndef longest(m):\n"
        '    """max(run)"""\n    return float(m.run.max())\n'
    )
    resolved = resolve(Case({**BASE, "metrics": [f"{tmp_path}/own.py:longest"]}))
    assert [own.name for own in resolved.metrics] == ["longest"]
    assert resolved.key != key()


def test_nodes_and_multiclusters_are_told():
    """What decides inside machines is in the resolved input, as canonical specs."""
    nodes = resolve(Case({"workload": "nas:jobs=20", "platform": "cisne-16", "policy": "fcfs"})).described
    assert nodes["local_users"] == "none"
    assert nodes["upper_queue"] == "fcfs"
    assert nodes["machine"]["sites"]


def test_machines_without_queues_are_told(tmp_path):
    """Speeds of their cores and how loads are watched are part of the input."""
    platform = tmp_path / "desk.toml"
    site = '[[site]]\nname = "{}"\nprocessors = 4\nqueue = "none"\nspeed = {}\n'
    base = {"workload": "sinapad:jobs=20", "platform": str(platform)}
    keys = set()
    for speed in (1.0, 0.5):
        platform.write_text(site.format("a", 1.0) + site.format("b", speed))
        keys.add(resolve(Case(base)).key)
    told = resolve(Case({**base, "monitoring": "exponential", "decision_time": 2})).described
    assert told["monitoring"].startswith("exponential")
    assert "policy" not in told
    for change in ({"monitoring": "exponential"}, {"decision_time": 2}, {"experience": "cold"}):
        keys.add(resolve(Case({**base, **change})).key)
    assert len(keys) == 5
    assert resolve(Case({**base, "monitoring": "linear", "broker": "wall-time"})).key in keys


def test_what_jobs_wait_for_is_told(tmp_path):
    """A log whose jobs follow each other is another input with and without heeding that."""
    log = tmp_path / "log.swf"
    line = "{} {} 0 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 {} {}\n"
    log.write_text(line.format(1, 0, -1, -1) + line.format(2, 5, 1, 60))
    base = {"workload": str(log), "processors": 4}
    kept, ignored = (resolve(Case({**base, "dependencies": word})).key for word in ("keep", "ignore"))
    assert kept != ignored
    assert resolve(Case(base)).key == kept
    assert key(dependencies="ignore") == key()


def test_the_key_is_the_hash_of_the_told():
    """The name of a run's folder can be had from its scenario.json with sha256sum."""
    resolved = resolve(Case(BASE))
    assert hashlib.sha256(canonical_json(resolved.described)).hexdigest() == resolved.key


@pytest.mark.parametrize(
    ("settings", "error", "sentence"),
    [
        ({}, InputError, "workload: is missing"),
        ({"workload": "lublin:jobs=9", "history": "a.sqlite"}, InputError, "history: a run that learns"),
        ({"workload": "lublin:jobs=9", "polcy": "easy"}, UnknownNameError, "did you mean 'policy'"),
        ({"workload": "nowhere.swf"}, InputError, "no such file or data set"),
        ({"workload": "lublin:jobs=9", "policy": "eassy"}, UnknownNameError, "did you mean 'easy'"),
        ({"workload": "lublin:jobs=9", "broker": "mct"}, InputError, "applies to several sites"),
    ],
)
def test_wrong_settings_are_one_sentence(settings, error, sentence):
    """What cannot be run says why."""
    with pytest.raises(error, match=sentence):
        resolve(Case(settings))


def test_changes_of_the_machine_are_part_of_the_key():
    """Whatever changes the machine changes the key; specs that mean the same, and none, do not."""
    assert key(failures="none", maintenance="none") == key()
    law = {"failures": "exponential:mean=100h", "repair_times": "constant:1h"}
    same = {"failures": "exponential(mean=360000)", "repair_times": "constant:3600"}
    assert key(**law) == key(**same) != key()
    several = [key(**law), key(**law, repair="known"), key(maintenance="0/1h"), key(maintenance="0/2h")]
    assert len({*several}) == 4


def test_a_file_of_outages_is_known_by_what_is_in_it(tmp_path):
    """Its name does not matter, its content does, for reservations, too."""
    one, other, third = (tmp_path / f"{name}.csv" for name in "abc")
    for file, down in ((one, 5), (other, 5), (third, 6)):
        file.write_text(f"node,down,up\n1,{down},9\n")
    keys = [key(outages=str(file)) for file in (one, other, third)]
    assert keys[0] == keys[1] != keys[2]
    kept = tmp_path / "r.csv"
    kept.write_text("start,end\n0,5\n")
    before = key(reservations=str(kept))
    kept.write_text("start,end\n0,60\n")
    assert key(reservations=str(kept)) != before


def test_cancellations_are_part_of_the_key_where_there_are_some(tmp_path):
    """Kept jobs make another run; in a log without any, the same one."""
    log = Workload.from_columns(
        submit_time=[0, 1],
        wait_time=[0, 5],
        run_time=[5, -1],
        requested_time=[9, 9],
        status=[1, 5],
        processors=[1, 1],
    )
    write_swf(log, tmp_path / "log.swf")
    mine = {"workload": str(tmp_path / "log.swf"), "processors": 2}
    assert key(**mine) != key(**mine, cancellations="keep")
    assert key() == key(cancellations="keep") == key(cancellations="ignore")


def test_what_a_run_of_a_study_does_not_use_is_left_out():
    """Beside an axis of failures a law of repairs may be fixed: the run without failures is the plain one."""
    fixed = {**BASE, "repair_times": "constant:2h", "checkpoint_cost": 30, "checkpoint": "daly"}
    axes = {"failures": "none"}
    assert resolve(Case({**fixed, "failures": "none"}, axes)).key == key()
    failing = resolve(Case({**fixed, "failures": "exponential:mean=20d"}, axes))
    assert failing.key != key()
    with pytest.raises(InputError, match="applies to failures"):
        resolve(Case({**fixed, "failures": "none"}))
