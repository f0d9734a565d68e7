"""Earlier names of settings: they work like the present ones, and nothing stored changes."""

from __future__ import annotations

import json

import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.experiments.folders.manifest import manifest
from echelon.experiments.scenario_file import keys_of_files, read_scenario_file
from echelon.experiments.settings.table import SETTINGS
from echelon.experiments.study.file.settings import settings_known
from echelon.experiments.study.file.study_file import read_study
from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.resolved_case import resolve

EARLIER = [(setting, name) for setting in SETTINGS for name in setting.earlier]
JOBS = ec.Workload.from_columns(
    submit_time=[0, 0, 1], run_time=[3, 3, 1], requested_time=[3, 3, 1], processors=[2, 2, 1]
)


@pytest.mark.parametrize(("setting", "name"), EARLIER, ids=lambda one: getattr(one, "name", one))
def test_an_earlier_name_finds_its_setting_and_is_not_listed(setting, name):
    """Tables of settings know it, but show the present name alone."""
    for table in (keys_of_files(), settings_known()):
        assert name in table
        assert table[name] is setting
        assert name not in [*table]


def test_keywords_take_earlier_names():
    """`passes` is `cycles`, in `simulate` and in `compare`; both together are an error."""
    for words in ("event", "pyss"):
        old, new = (
            ec.simulate(JOBS, processors=3, policy="easy", **{key: words}) for key in ("passes", "cycles")
        )
        assert old.schedule.counts == new.schedule.counts
        assert old.jobs.equals(new.jobs)
    assert len(ec.compare(JOBS, processors=3, policies=["easy"], passes=["instant", "event"]).results) == 2
    with pytest.raises(InputError, match="cycles: has the same meaning as passes; give one of the two"):
        ec.simulate(JOBS, processors=3, passes="event", cycles="event")


def test_files_take_earlier_names(tmp_path):
    """A scenario file may use either key, and a file with both is refused."""
    file = tmp_path / "one.toml"
    for key in ("passes", "cycles"):
        file.write_text(f'workload = "lublin:jobs=3"\n{key} = "event"\n')
        assert read_scenario_file(file)["cycles"] == "event"
    file.write_text('workload = "lublin:jobs=3"\npasses = "event"\ncycles = "event"\n')
    with pytest.raises(InputError, match=r"one\.toml: cycles: has the same meaning as passes"):
        read_scenario_file(file)


def test_stored_names_stay():
    """A manifest and the identity of a run have the key that they always had, whatever the user wrote."""
    told = manifest(ec.simulate(JOBS, processors=3, cycles="event"), [])
    assert told["passes"] == "event"
    assert "cycles" not in told
    found = [resolve(Case({"workload": "lublin:jobs=9", key: "event"})) for key in ("passes", "cycles")]
    assert found[0].key == found[1].key
    assert '"passes": "event"' in json.dumps(found[0].described)


def test_a_study_takes_an_earlier_name_as_an_axis(tmp_path):
    """An axis keeps the name that the file gives it, so that a stored study has its columns."""
    (tmp_path / "s.toml").write_text(
        '[fixed]\nworkload = "lublin:jobs=9"\npolicy = "easy"\n[axes]\npasses = ["instant", "event"]\n'
    )
    study = read_study(tmp_path / "s.toml")
    assert [axis.name for axis in study.axes] == ["passes"]


def test_the_command_line_takes_the_earlier_option(tmp_path, capsys):
    """``--passes`` works and is not in the help; given with ``--cycles``, it is an error."""
    from echelon.cli.main import main

    words = ["run", "lublin:jobs=9", "--policy", "easy", "--quiet"]
    assert main([*words, "--passes", "event"]) == 0
    assert main([*words, "--passes", "event", "--cycles", "event"]) == 2
    capsys.readouterr()
    main(["run", "--help"])
    shown = capsys.readouterr().out
    assert "--cycles" in shown
    assert "--passes" not in shown


def test_the_global_queue_is_stored_as_before():
    """`global_queue` is `global_queue`; manifests and identities of runs keep the first name."""
    tasks = ec.generate("nas", jobs=6)
    old, new = (
        ec.simulate(tasks, platform="cisne-16", policy="fcfs", **{key: "fpfs"})
        for key in ("upper_queue", "global_queue")
    )
    assert old.jobs.equals(new.jobs)
    told = manifest(new, [])
    assert (told["upper_queue"], "global_queue" in told) == ("fpfs", False)
    given = {"workload": "nas:jobs=6", "platform": "cisne-16"}
    found = [resolve(Case({**given, key: "fpfs"})) for key in ("upper_queue", "global_queue")]
    assert found[0].key == found[1].key


def test_a_file_of_ones_own_is_stored_under_the_first_name(tmp_path):
    """A queue in a user's file gives the run one identity by either name of the setting."""
    (tmp_path / "upper.py").write_text(
        "from echelon.policies.global_queue.head_first import HeadFirst\n\n\n"
        'class Mine(HeadFirst):\n    """The head first."""\n\n    name = "mine"\n'
    )
    given = {"workload": "nas:jobs=6", "platform": "cisne-16"}
    words = f"{tmp_path / 'upper.py'}:Mine"
    found = [resolve(Case({**given, key: words})) for key in ("upper_queue", "global_queue")]
    assert found[0].key == found[1].key
