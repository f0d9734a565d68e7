"""Scenario files."""

from __future__ import annotations

import json
import pickle
from typing import TYPE_CHECKING

import pytest

from echelon import Workload, simulate
from echelon.errors import InputError
from echelon.experiments.scenario_file import ScenarioFile, keys_of_files, read_scenario_file
from echelon.experiments.settings.schema import scenario_schema

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def written(tmp_path: Path):
    """Return a function that reads a scenario of the text given."""

    def read(text: str) -> ScenarioFile:
        file = tmp_path / "scenario.toml"
        file.write_text(text)
        return read_scenario_file(file)

    return read


def test_every_key(written, tmp_path):
    """All that a file can say reaches the settings; paths start from the file's folder."""
    told = written(
        'workload = "log.swf"\nformat = "swf"\npolicy = "easy:sjf"\nprocessors = 8\nestimates = "kill"\n'
        'estimator = "average:alpha=1"\n'
        'passes = "event"\nengine = "reference"\nseed = 3\nstrict = true\nout = "results"\nreport = false\n'
    )
    assert told.settings() == {
        "workload": str(tmp_path / "log.swf"),
        "format": "swf",
        "policy": "easy:sjf",
        "processors": 8,
        "estimates": "kill",
        "estimator": "average:alpha=1",
        "cycles": "event",
        "engine": "reference",
        "seed": 3,
        "strict": True,
        "out": str(tmp_path / "results"),
        "report": False,
    }


def test_every_key_of_a_grid(written, tmp_path):
    """Sites, broker and admissibility reach the settings; files start from the folder, presets stay names."""
    (tmp_path / "sites.toml").write_text('[[site]]\nname = "a"\nprocessors = 4\n')
    told = written('workload = "x.swf"\nplatform = "sites.toml"\nbroker = "mct:of=job"\nadmissible = 0.5')
    assert told.settings() == {
        "workload": str(tmp_path / "x.swf"),
        "platform": str(tmp_path / "sites.toml"),
        "broker": "mct:of=job",
        "admissible": 0.5,
    }
    told = written('workload = "x.swf"\nplatform = "Grid1"\nadmissible = "0.5:equal-sizes"')
    assert (told["platform"], told["admissible"]) == ("Grid1", "0.5:equal-sizes")
    platform = {"clusters": [{"nodes": [{"type": "n"}]}]}
    held = {"platform": {"a": platform}, "node": {"n": {"cores": 4, "clock_rate": 1}}}
    (tmp_path / "p.json").write_text(json.dumps(held))
    for words in ("p.json", "p.json:a"):
        settings = written(f'workload = "x.swf"\nplatform = "{words}"').settings()
        assert settings["platform"] == str(tmp_path / words)
    (tmp_path / "mine.py").write_text(
        "from echelon import broker\n\n"
        '@broker("mine", information=0, source="none")\n'
        'def mine(job, site, view):\n    """The first."""\n    return site\n'
    )
    told = written('workload = "x.swf"\nplatform = "grid1"\nbroker = "mine.py:mine"')
    assert told["broker"] == f"{tmp_path / 'mine.py'}:mine"


def test_a_policy_in_a_table(written):
    """A policy may be a table of its name and parameters, where priorities are a table of their own."""
    table = '{ name = "easy:multifactor", age = 5, qos = { high = 1.0, normal = 0.5 } }'
    told = written(f'workload = "-"\npolicy = {table}\n')
    assert told["policy"] == "easy:multifactor:age=5:qos=high=1+normal=0.5"
    with pytest.raises(InputError, match="policy: multifactor, qos: priorities must be from 0 to 1, got 2"):
        written('workload = "-"\npolicy = { name = "multifactor", qos = { high = 2 } }')
    with pytest.raises(InputError, match=r"policy: names in a table must be without any of .* got 'a:b'"):
        written('workload = "-"\npolicy = { name = "multifactor", qos = { "a:b" = 1 } }')


def test_what_is_left_open_stays_open(written):
    """Only what the file says is in the settings; false and 0 count as said."""
    assert written('workload = "kth-sp2"\nseed = 0\nstrict = false\n').settings() == {
        "workload": "kth-sp2",
        "seed": 0,
        "strict": False,
    }


def test_names_and_standard_input_are_no_paths(written, tmp_path):
    """A data set's name stays one unless a file of that name lies beside; - stays standard input."""
    assert written('workload = "kth-sp2"')["workload"] == "kth-sp2"
    assert written('workload = "-"')["workload"] == "-"
    assert written('workload = "lublin:jobs=9,seed=1"')["workload"] == "lublin:jobs=9,seed=1"
    assert written('workload = "grid1:week=3"')["workload"] == "grid1:week=3"
    (tmp_path / "kth-sp2").write_text("")
    assert written('workload = "kth-sp2"')["workload"] == str(tmp_path / "kth-sp2")


def test_a_rule_of_ones_own_lies_beside_the_file(written, tmp_path):
    """FILE.py:NAME starts from the file's folder, too."""
    (tmp_path / "rule.py").write_text(
        "from echelon import order\n\n"
        '@order("mine", source="none")\n'
        'def mine(job, view):\n    """Submit time, in seconds."""\n    return job.submit_time\n'
    )
    told = written('workload = "x.swf"\npolicy = "easy:rule.py:mine"')
    assert told["policy"] == f"easy:{tmp_path / 'rule.py'}:mine"
    (tmp_path / "guess.py").write_text(
        "class Guess:\n    name = 'guess'\n    def memory(self):\n        return self\n"
    )
    told = written('workload = "x.swf"\nestimator = "guess.py:Guess"')
    assert told["estimator"] == f"{tmp_path / 'guess.py'}:Guess"
    told = written('workload = "x.swf"\npolicy = "easy(candidates=rule.py:mine)"')
    assert told["policy"] == f"easy(candidates={tmp_path / 'rule.py'}:mine)"


def test_all_errors_together(written):
    """One error tells every key that is wrong: what it got, what is expected, the nearest name."""
    with pytest.raises(InputError) as caught:
        written(
            'policy = "esay"\nprocesors = 3\nseed = "x"\nprocessors = 0\nengine = "fast"\n'
            "foo = 1\nstrict = 1\n"
        )
    assert caught.value.file.endswith("scenario.toml")
    assert set(caught.value.problem.split("; ")) >= {
        "workload: is missing, expected a path, the name of a data set or a model with its parameters",
        "did you mean 'easy'?",
        "processors: got 0, expected a whole number >= 1",
        "seed: got 'x', expected a whole number >= 0",
        "strict: got 1, expected true or false",
        "unknown key 'procesors' (got 3), did you mean 'processors'?",
        "known are: auto, compiled, reference",
    }
    assert "unknown key 'foo' (got 1), known are workload" in caught.value.problem


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("workload = = 3", "is not TOML"),
        ('workload = ""', "workload: got '', expected a path"),
        ("workload = 3", "workload: got 3, expected a path"),
        ('workload = "x"\nseed = true', "seed: got True, expected a whole number"),
        ('workload = "x"\nprocessors = 4.5', "processors: got 4.5, expected a whole number"),
        ('[run]\nworkload = "x"', "unknown key 'run'"),
        ('workload = "x"\npolicy = "nowhere.py:rule"', "no such file"),
        ('workload = "x"\nestimator = "mean"', "estimator: no estimator is named 'mean'"),
        ('workload = "x"\nplatform = "none.toml"', "none.toml: no such file, expected a platform"),
        ('workload = "x"\nplatform = "grid4"', "is named 'grid4'"),
        ('workload = "x"\nplatform = [4]', "platform: got 4, expected a platform file"),
        ('workload = "x"\nprocessors = []', "processors: got an empty list, expected a whole number"),
        ('workload = "x"\nprocessors = [4, 0]', "processors: got 0, expected a whole number"),
        ('workload = "x"\nmax_time = "-1h"', "max_time: must be a time > 0"),
        ('workload = "x"\nmax_time = 0', "max_time: got 0, expected a time > 0"),
        ('workload = "x"\ntimezone = "Mars"', "timezone: time zone: must be a name of the tz database"),
        ('workload = "x"\ndecision_time = true', "decision_time: got True, expected own, equal, or seconds"),
        ('workload = "x"\ndecision_time = -1', "decision_time: must be own, equal or a time"),
        ('workload = "x"\nwatch = [3]', "watch: got 3, expected a list of estimators"),
        ('workload = "x"\nbroker = "lball-s"', "did you mean 'lbal-s'"),
        ('workload = "x"\nadmissible = 0', "must be a number with 0 < a <= 1, got 0"),
        ('workload = "x"\nadmissible = nan', "must be a number with 0 < a <= 1, got nan"),
        ('workload = "x"\nadmissible = true', "must be a number with 0 < a <= 1, got True"),
        ('workload = "x"\nadmissible = [1, 2]', "must be a number with 0 < a <= 1, got 2"),
    ],
)
def test_one_error(written, text, problem):
    """Each kind of error is told in words of the file."""
    with pytest.raises(InputError) as caught:
        written(text)
    assert problem in str(caught.value)


def test_files_that_can_not_be_read(tmp_path):
    """Missing files, folders and other encodings are told as such."""
    (tmp_path / "latin.toml").write_bytes(b'workload = "\xe9"')
    for name, problem in (("no.toml", "no such file"), (".", "cannot be read"), ("latin.toml", "UTF-8")):
        with pytest.raises(InputError, match=problem):
            read_scenario_file(tmp_path / name)


def test_every_key_is_described():
    """Reference pages and error messages need a description of each key."""
    assert all(setting.expected and setting.about for setting in keys_of_files().values())


CHANGING = """
workload = "log.swf"
outages = "down.csv"
repair = "estimate:2h"

[[reservation]]
name = "course"
nodes = 2
start = 2026-12-01T08:00:00
end = "+4h"
users = ["ann", "bob"]

[[reservation]]
start = 5
end = 9

[[outage]]
node = 3
down = 40
up = 60
"""


def test_tables_of_reservations_and_outages(written, tmp_path):
    """Tables are rows of the setting of their plural; a file that is named beside them comes first."""
    (tmp_path / "down.csv").write_text("node,down,up\n1,5,6\n")
    told = written(CHANGING).settings()
    assert told["outages"] == [str(tmp_path / "down.csv"), {"node": 3, "down": 40, "up": 60}]
    assert [row.get("name") for row in told["reservations"]] == ["course", None]
    assert told["repair"] == "estimate:2h"
    assert written('workload = "a"\nreservations = "none"\n')["reservations"] == "none"


def test_wrong_tables_are_named(written):
    """An unknown key of a table names the nearest; a table that is none says what is expected."""
    with pytest.raises(InputError, match=r"\[\[reservation\]\]: unknown key 'sart', did you mean 'start'"):
        written('workload = "a"\n[[reservation]]\nsart = 5\n')
    with pytest.raises(InputError, match=r"outage: got 5, expected tables \[\[outage\]\]"):
        written('workload = "a"\noutage = 5\n')
    with pytest.raises(InputError, match=r"unknown key 'reservatio'.*'reservation"):
        written('workload = "a"\nreservatio = 5\n')


def test_tables_know_where_they_stand(written):
    """What only the machine shows to be wrong names the file and the table, too."""
    jobs = Workload.from_columns(submit_time=[0], run_time=[1], processors=[1])
    text = 'workload = "a"\n[[outage]]\ndown = 1\nup = 2\n[[outage]]\nnode = 9\ndown = 5\n'
    told = written(text).settings()
    with pytest.raises(InputError, match=r"scenario.toml, \[\[outage\]\] 2: names node 9, but there are 4"):
        simulate(jobs, processors=4, outages=told["outages"])
    assert pickle.loads(pickle.dumps(told["outages"])) == told["outages"]
    told = written('workload = "a"\n[[reservation]]\nstart = 5\nend = 9\nnodes = 9\n').settings()
    with pytest.raises(InputError, match=r"scenario.toml, \[\[reservation\]\] 1: needs 9 nodes, but there"):
        simulate(jobs, processors=4, reservations=told["reservations"])


def test_the_schema_knows_tables():
    """Editors offer the keys of tables, and mark others."""
    properties = scenario_schema()["properties"]
    assert properties["reservation"]["items"]["properties"].keys() >= {
        "name",
        "nodes",
        "start",
        "end",
        "flags",
    }
    assert properties["outage"]["items"]["additionalProperties"] is False
    one, several = properties["on_failure"]["anyOf"]
    assert one["enum"] == several["items"]["enum"] == ["requeue", "kill", "slurm"]
