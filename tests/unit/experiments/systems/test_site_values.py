"""Words that are wrong: of a platform's inner sites with their file and line, of a run with their setting."""

from __future__ import annotations

import json

import pytest

import echelon as ec
from echelon.errors import EchelonError, InputError, UnknownNameError
from echelon.experiments.scenario import scenario_of
from echelon.model import InnerSite
from echelon.platforms import read_platform
from echelon.platforms.serialization import platform_from_dict, to_dict

SITES = '[[site]]\nname = "a/x"\nprocessors = 8\n[[site]]\nname = "a/y"\nprocessors = 8\n'
QUEUES = (
    '[[group]]\npath = "a"\n[[group.queue]]\nname = "small"\njobs = ["tasks(most=4)"]\nqueue_limit = 2\n'
    '[[group.queue]]\nname = "rest"\nbroker = "ptt"\n'
)


@pytest.fixture
def refused(tmp_path, monkeypatch):
    """Return a function that gives the sentence which refuses a run on a platform file of this text."""
    monkeypatch.chdir(tmp_path)
    jobs = ec.read_workload("lublin:jobs=2,processors=4,seed=3")

    def refused(text, name="t.toml", **said):
        (tmp_path / name).write_text(text)
        with pytest.raises(EchelonError) as found:
            scenario_of(jobs, platform=read_platform(name), **said).broker  # noqa: B018
        return str(found.value)

    return refused


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ('broker = "mll"', "broker: no broker is named 'mll'; did you mean 'ml'?"),
        ('broker = "ptt:w=7"', "broker: ptt, w: must be from 0 to 1, got 7.0"),
        ('global_queue = "fpsf"', "global_queue: no global queue is named 'fpsf'; did you mean 'fpfs'?"),
        ('queue_order = "oldes"', "queue_order: no order of queues is named 'oldes'; did you mean 'oldest'?"),
        (
            'site_filter = "mpl-belo:3"',
            "site_filter: no site filter is named 'mpl-belo'; did you mean 'mpl-below'?",
        ),
        (
            'queues = "small(taks(most=4)); rest"',
            "queues: queue small: no membership is named 'taks'; did you mean 'tasks'?",
        ),
        (
            'admissible = "all"',
            "admissible: must be a number with 0 < a <= 1, alone or followed by :equal-sizes, got 'all'",
        ),
    ],
)
def test_wrong_specs_of_an_inner_site_have_file_line_and_table(refused, said, problem):
    """Every setting whose value is a spec names the place in the file, as keys and numbers do."""
    assert refused(f'{SITES}[[group]]\npath = "a"\n{said}\n') == f"t.toml: line 9, group 1, {problem}"


@pytest.mark.parametrize(
    ("right", "wrong", "problem"),
    [
        ("tasks(", "taks(", "line 11, group 1, queue 1, jobs: no membership is named 'taks'"),
        ("queue_limit = 2", 'queue_limit = "x"', "line 12, group 1, queue 1, queue_limit: no queue limit is"),
        ("ptt", "ptt:w=7", "line 15, group 1, queue 2, broker: ptt, w: must be from 0 to 1, got 7.0"),
        ('"rest"', '"small"', "line 9, group 1, queue: names queue 'small' twice"),
    ],
)
def test_wrong_specs_of_a_queue_have_the_line_of_its_key(refused, right, wrong, problem):
    """Each key of a ``[[group.queue]]`` table is told with its own line."""
    assert refused((SITES + QUEUES).replace(right, wrong)).startswith(f"t.toml: {problem}")


def test_a_level_of_information_too_low_for_a_broker_names_its_line(tmp_path, refused):
    """What a platform file says of information is told with its place, what a run says with its setting."""
    group = f'{SITES}[[group]]\npath = "a"\nbroker = "mct"\ninformation = "sites"\n'
    (tmp_path / "u.toml").write_text(group)
    jobs = ec.read_workload("lublin:jobs=2,processors=4,seed=3")
    with pytest.raises(InputError, match=r"^u.toml: line 10, group 1, information: the broker mct needs sch"):
        ec.simulate(jobs, platform="u.toml")
    with pytest.raises(InputError, match=r"^information: the broker mct needs schedules"):
        ec.simulate(jobs, platform="u.toml", information="schedules@a=job-counts")


def test_wrong_specs_of_a_multicluster_have_their_line(refused):
    """The global queue of shared nodes is read elsewhere, and told like any other."""
    lab = '[[site]]\nname = "lab"\ncontract = { mpl = 2 }\n[[site.node]]\ncount = 3\n'
    said = refused(f'{lab}[[group]]\npath = ""\nglobal_queue = "fpsf"\n')
    assert (
        said == "t.toml: line 8, group 1, global_queue: no global queue is named 'fpsf'; did you mean 'fpfs'?"
    )
    assert refused(f'{lab}[[group]]\npath = ""\nadmissible = "most"\n').startswith(
        "t.toml: line 8, group 1, admissible: must be a number with 0"
    )


def test_wrong_specs_of_a_json_file_have_their_path(refused, tmp_path):
    """In JSON, places are paths in the file."""
    (tmp_path / "right.toml").write_text(SITES + '[[group]]\npath = "a"\nbroker = "ml"\n')
    told = json.dumps(to_dict(read_platform("right.toml"))).replace('"ml"', '"mll"')
    assert refused(told, "t.json") == "t.json: group[0].broker: no broker is named 'mll'; did you mean 'ml'?"


def test_wrong_specs_without_a_file_name_the_inner_site():
    """A platform made in Python has no lines: its path and key are told; names keep their kind of error."""
    jobs = ec.read_workload("lublin:jobs=2,processors=4,seed=3")
    sites = (ec.Site("a/x", 4), ec.Site("a/y", 4))
    for said, kind, problem in (
        ({"broker": "mll"}, UnknownNameError, "^inner site 'a', broker: no broker is named 'mll'"),
        ({"site_filter": "mpl-below:0"}, InputError, "^inner site 'a', site_filter: site filter mpl-below: "),
    ):
        with pytest.raises(kind, match=problem):
            scenario_of(jobs, platform=ec.Platform(sites, inner=(InnerSite("a", **said),)))


def test_where_a_file_says_it_is_no_part_of_a_platform(refused, tmp_path):
    """Platforms that differ in the lines of their files alone are equal, and are stored alike."""
    for name, text in (("one.toml", SITES + QUEUES), ("two.toml", "\n\n" + SITES + QUEUES)):
        (tmp_path / name).write_text(f'name = "t"\n{text}')
    one, two = read_platform("one.toml"), read_platform("two.toml")
    assert (one, hash(one.inner), to_dict(one)) == (two, hash(two.inner), to_dict(two))
    assert one.inner[0].places != two.inner[0].places
    assert platform_from_dict(to_dict(one)).inner[0].places == {}


def test_an_unknown_inner_site_names_the_setting_that_named_it(refused):
    """Of several settings by path, the one with the typo is told."""
    said = refused(SITES, broker="mct@a=ml", refresh="5@b=9")
    assert said == "refresh: no inner site is named 'b'; known are: a."


def test_wrong_specs_of_queues_name_the_queue_and_what_of_it():
    """In the spec of a run, too, a queue with a wrong criterion or rule is told by name."""
    jobs = ec.read_workload("lublin:jobs=2,processors=4,seed=3")
    for spec, problem in (
        ("x(rule=fpsf); y", "^queue x, rule: no global queue is named 'fpsf'"),
        ("x(tasks(mst=1)); y", "^queue x: no parameter of tasks is named 'mst'"),
        ("x(rul=fpfs); y", "^queue x: no parameter is named 'rul'; did you mean 'rule'"),
        ("x; y(broker=ptt:w=7)", "^queue y, broker: ptt, w: must be from 0 to 1, got 7.0"),
    ):
        with pytest.raises(EchelonError, match=problem):
            scenario_of(jobs, platform=[4, 4], queues=spec)
