"""Study files: what they say, what they come to, and what is wrong with them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import EchelonError, InputError
from echelon.experiments.study.file.example import EXAMPLE
from echelon.experiments.study.file.study_file import read_study

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from echelon.experiments.study.plan.study import Study

SMALL = '[fixed]\nworkload = "lublin:jobs=10"\n'


@pytest.fixture
def told(tmp_path: Path) -> Callable[..., Study]:
    """Return a function that reads a study of the text given."""

    def read(text: str, **settings: Any) -> Study:
        file = tmp_path / "study.toml"
        file.write_text(text, encoding="utf-8")
        return read_study(file, **settings)

    return read


@pytest.fixture
def wrong(told: Callable[..., Study]) -> Callable[[str], list[str]]:
    """Return a function that gives the mistakes of a text, without the file's name."""

    def read(text: str) -> list[str]:
        with pytest.raises(InputError) as error:
            told(text)
        sentence = str(error.value)
        assert "\n" not in sentence
        # A sentence of a mistake may have a semicolon of its own, before what might have been meant.
        return re.split(r"; (?=line \d|\[|[a-z_]+: is missing)", error.value.problem)

    return read


def policies(study: Study) -> list[str]:
    return [case.settings["policy"] for case in study.search.first()]


def test_everything_a_file_can_say(told, tmp_path):
    """Every table reaches the study, with paths as seen from here."""
    (tmp_path / "log.swf").write_text("; MaxProcs: 4\n")
    study = told("""
        name = "all of it"
        description = "a test"
        out = "results"
        measures = ["mean_wait", "utilization"]
        [fixed]
        workload = "log.swf"
        window = [0, 86400]
        [axes]
        policy = ["fcfs", "easy"]
        seeds = [3, 5]
        [statistics]
        baseline = "fcfs"
        level = 0.9
        alpha = 0.01
        warm_up = 0.1
        cool_down = 0.2
        precision = 0.02
        pareto = [["mean_wait", "utilization"]]
        [execution]
        executor = "threads"
        workers = 2
    """)
    assert (study.name, study.description, study.out) == ("all of it", "a test", str(tmp_path / "results"))
    assert study.measures == ("mean_wait", "utilization")
    assert study.statistics.baseline == {"policy": "fcfs"}
    assert study.statistics.pareto == (("mean_wait", "utilization"),)
    assert (study.statistics.level, study.statistics.alpha, study.statistics.precision) == (0.9, 0.01, 0.02)
    assert (study.statistics.warm_up, study.statistics.cool_down) == (0.1, 0.2)
    assert (study.execution.executor, study.execution.workers) == ("threads", 2)
    assert study.seeds == (3, 5)
    assert study.text.startswith("\n        name")
    first = study.search.first()[0]
    assert first.settings == {
        "workload": str(tmp_path / "log.swf"),
        "window": [0, 86400],
        "policy": "fcfs",
        "seed": 3,
    }
    assert first.labels == {"policy": "fcfs", "seed": "3"}


def test_a_product_has_every_combination_once(told):
    """Axes multiply; what says what is scheduled varies slowest, and the seed slowest of all."""
    study = told(SMALL + '[axes]\npolicy = ["fcfs", "easy"]\nload = [1.0, 2.0]\nseeds = 2')
    found = [(c.labels["seed"], c.labels["load"], c.labels["policy"]) for c in study.search.first()]
    assert found == [(s, load, p) for s in ("0", "1") for load in ("1", "2") for p in ("fcfs", "easy")]
    assert study.search.size == 8
    assert study.search.next(()) == ()


def test_the_same_seed_gives_all_policies_the_same_jobs(told):
    """The seed of a run is also its drawn workload's: common random numbers."""
    cases = told(SMALL + '[axes]\npolicy = ["fcfs", "easy"]\nseeds = 2').search.first()
    assert [case.settings["workload"] for case in cases] == [
        "lublin:jobs=10:seed=0",
        "lublin:jobs=10:seed=0",
        "lublin:jobs=10:seed=1",
        "lublin:jobs=10:seed=1",
    ]
    assert [case.settings["seed"] for case in cases] == [0, 0, 1, 1]


def test_a_seed_in_words_or_of_the_workload_alone_stays(told):
    """Specs that say their seed keep it, and workload_seed comes before the run's."""
    study = told('[axes]\nworkload = ["lublin:seed=9", "poisson"]\nseeds = [4]\n[fixed]\nworkload_seed = 7')
    assert [case.settings["workload"] for case in study.search.first()] == ["lublin:seed=9", "poisson:seed=7"]
    assert all("workload_seed" not in case.settings for case in study.search.first())


def test_drawn_estimates_say_their_seed(told):
    """Where requested times are drawn, the settings say from which seed: also those of a log."""
    text = '[fixed]\nworkload = "kth-sp2"\nestimates_model = "factor:f=3"\n[axes]\nseeds = [4]'
    (case,) = told(text).search.first()
    assert case.settings["workload"] == "kth-sp2"
    assert case.settings["workload_seed"] == 4


def test_parameters_of_a_name_multiply(told):
    """A list as a parameter is a value each; the label may use it."""
    study = told(
        SMALL
        + '[axes]\npolicy = ["fcfs", { name = "easy", reservations = [1, 2], candidates = "sjf", '
        + 'label = "E{reservations}" }]'
    )
    assert policies(study) == [
        "fcfs",
        "easy:reservations=1:candidates=sjf",
        "easy:reservations=2:candidates=sjf",
    ]
    assert [case.labels["policy"] for case in study.search.first()] == ["fcfs", "E1", "E2"]


def test_templates_are_filled_by_axes_of_their_name(told):
    """A parameter multiplies what uses it, and nothing else; it is a label only there."""
    study = told(SMALL + '[axes]\npolicy = ["fcfs", "easy:reservations={k}"]\nk = [1, 4]')
    assert [case.labels for case in study.search.first()] == [
        {"policy": "fcfs"},
        {"policy": "easy:reservations=1", "k": "1"},
        {"policy": "easy:reservations=4", "k": "4"},
    ]


def test_a_template_alone_gives_the_value_itself(told):
    """A gap that is the whole text keeps the type: a number stays one."""
    study = told(SMALL + 'processors = "{n}"\n[axes]\nn = [128, 256]')
    assert [case.settings["processors"] for case in study.search.first()] == [128, 256]


def test_linked_axes_set_several_keys(told):
    """A table of keys is one value, named by its label or by what it says."""
    study = told(
        '[axes]\nmachine = [{ workload = "lublin:jobs=9", processors = 256, label = "big" }, '
        '{ workload = "kth-sp2" }]\nworkload_seed = [1, 2]'
    )
    assert [(case.labels["machine"], case.settings.get("processors")) for case in study.search.first()] == [
        ("big", 256),
        ("big", 256),
        ("kth-sp2", None),
    ]


def test_parameters_may_be_linked(told):
    """Templates are filled by tables, too: values that belong together, on axes and in cases."""
    study = told(
        SMALL + 'policy = "easy(reservations={k}):multifactor:half-life={age}"\n'
        '[axes]\npair = [{ k = 1, age = 60.0, label = "young" }, { k = 2, age = 3600.0 }]\n'
        "[[case]]\nk = 9\nage = 1.5"
    )
    assert policies(study) == [
        "easy(reservations=1):multifactor:half-life=60",
        "easy(reservations=2):multifactor:half-life=3600",
        "easy(reservations=9):multifactor:half-life=1.5",
    ]
    assert [case.labels for case in study.search.first()] == [
        {"pair": "young"},
        {"pair": "2, 3600"},
        {"k": "9", "age": "1.5"},
    ]


def test_priorities_are_a_table(told):
    """A parameter that gives names their numbers is a table in the file, also one of several."""
    study = told(
        SMALL + "[axes]\npolicy = ["
        '{ name = "easy:multifactor", half-life = [60, 90], qos = { high = 1.0, normal = 0.5 } },'
        '{ name = "multifactor", qos = [{ high = 1 }, { low = 1 }] }]'
    )
    assert policies(study) == [
        "easy:multifactor:half-life=60:qos=high=1+normal=0.5",
        "easy:multifactor:half-life=90:qos=high=1+normal=0.5",
        "multifactor:qos=high=1",
        "multifactor:qos=low=1",
    ]


def test_cases_may_be_listed(told):
    """Listed cases are run beside the axes' or instead, each with every seed."""
    listed = '[[case]]\npolicy = "plan"\nlabel = "all planned"\n'
    alone = told(SMALL + listed + "[axes]\nseeds = 2")
    assert alone.search.kind == "list"
    assert [case.labels for case in alone.search.first()] == [
        {"case": "all planned", "policy": "plan", "seed": "0"},
        {"case": "all planned", "policy": "plan", "seed": "1"},
    ]
    beside = told(
        SMALL + '[axes]\npolicy = ["fcfs", "plan"]\n[[case]]\npolicy = "easy"\n[[case]]\npolicy = "plan"'
    )
    assert policies(beside) == ["fcfs", "plan", "easy"]


def test_what_is_excluded_is_not_run(told):
    """A rule needs all its keys to agree, by value or by label, with stars, any of a list."""
    study = told(
        SMALL + '[axes]\npolicy = ["fcfs", { policy = "easy", label = "E" }, "plan"]\nload = [1.0, 2.0]\n'
        '[[exclude]]\npolicy = ["E", "pl*"]\nload = 2.0'
    )
    found = [(case.labels["policy"], case.labels["load"]) for case in study.search.first()]
    assert found == [("fcfs", "1"), ("E", "1"), ("plan", "1"), ("fcfs", "2")]


def test_a_study_of_one_run(told):
    """Without axes there is one run; without a name the file's is taken."""
    study = told(SMALL)
    assert (study.name, study.search.size) == ("study", 1)
    assert study.search.first()[0].settings == {"workload": "lublin:jobs=10"}


def test_a_fixed_seed_is_no_axis(told):
    """One seed for all runs is none of the replications, but the workload is drawn by it."""
    study = told(SMALL + "seed = 6")
    assert study.seeds == ()
    assert study.search.first()[0].settings == {"workload": "lublin:jobs=10:seed=6", "seed": 6}
    assert study.search.first()[0].labels == {}


def test_steps_are_written_as_people_do(told):
    """A range with a step is a list, without the errors of sums of tenths."""
    study = told(SMALL + "[axes]\nload = { low = 0.1, high = 0.5, step = 0.1 }")
    assert [case.settings["load"] for case in study.search.first()] == [0.1, 0.2, 0.3, 0.4, 0.5]


@pytest.mark.parametrize("kind", ["random", "latin-hypercube"])
def test_samples_are_the_same_for_every_workload(told, kind):
    """What is searched is drawn once, and run on every combination of what is scheduled."""
    study = told(
        '[fixed]\npolicy = "easy:reservations={k}"\n'
        '[axes]\nworkload = ["lublin", "poisson"]\nk = { low = 1, high = 100000 }\n'
        f'[search]\nkind = "{kind}"\nsamples = 20'
    )
    cases = study.search.first()
    assert study.search.size == len(cases) == 40
    assert [case.labels["k"] for case in cases[:20]] == [case.labels["k"] for case in cases[20:]]
    assert all(1 <= int(case.labels["k"]) <= 100000 for case in cases)
    assert len({case.labels["k"] for case in cases}) > 15


def test_random_samples_are_different_ones(told):
    """Samples that come twice are drawn again, until there are no others."""
    text = SMALL + 'policy = "easy:reservations={k}"\n[axes]\nk = [1, 2, 3, 4]\n[search]\nkind = "random"\n'
    assert told(text + "samples = 3").search.size == 3
    assert told(text + "samples = 50").search.size == 4


def test_a_contest_is_read(told):
    """Measure, goal and rounds have defaults; groups are those of what is scheduled."""
    study = told(
        'measures = ["utilization"]\n[axes]\nworkload = ["lublin", "poisson"]\n'
        'policy = ["fcfs", "easy", "plan"]\nseeds = 9\n[search]\nkind = "successive-halving"'
    )
    search = study.search
    assert (search.measure, search.goal, search.eta, search.rounds) == ("utilization", "max", 3.0, 2)
    assert [len(group) for group in search.groups] == [3, 3]
    assert search.size == 2 * (3 * 3 + 1 * 6)


def test_all_mistakes_are_told_at_once(wrong):
    """Each has its line, the value got, what is expected, and the nearest name."""
    said = wrong(
        'measurs = ["x"]\n'  # 1
        'measures = ["mean_wiat"]\n'  # 2
        "[fixed]\n"  # 3
        'workload = "kth-sp"\n'  # 4
        "processors = -4\n"  # 5
        'estimate = "kill"\n'  # 6
        "[axes]\n"  # 7
        'policy = ["esay", { name = "easy", reservatons = [1] }, "easy", "easy"]\n'  # 8
        'polcy = ["easy"]\n'  # 9
        "load = { low = 2, high = 1 }\n"  # 10
        "k = []\n"  # 11
        "seeds = -1\n"  # 12
        "[search]\n"  # 13
        'kind = "randm"\n'  # 14
        "[statistics]\n"  # 15
        "level = 2\n"  # 16
        "[execution]\n"  # 17
        'executor = "thread"\n'  # 18
        "[[exclude]]\n"  # 19
        'polic = "easy"\n'  # 20
        "[[case]]\n"  # 21
        'policy = "plann"\n'  # 22
    )
    expected = {
        1: "unknown key 'measurs' (got ['x']), did you mean 'measures'?",
        2: "measures 1: no metric is named 'mean_wiat'; did you mean 'mean_wait'?",
        4: "fixed.workload: ",
        5: "fixed.processors: got -4, expected a whole number >= 1",
        6: "fixed: unknown key 'estimate' (got 'kill'), did you mean 'estimates'?",
        8: "axes, policy 1: no ",
        9: "axes: unknown axis 'polcy' (got ['easy']): neither a setting nor used by a template as {polcy}; "
        "did you mean 'policy'?",
        10: "axes.load: got {'low': 2, 'high': 1}, expected two numbers low < high, and log = true or false",
        11: "axes: unknown axis 'k' ",
        12: "axes.seeds: got -1, expected a number of seeds",
        14: "search.kind: got 'randm', expected one of product, list, random, latin-hypercube",
        16: "statistics.level: got 2, expected a number > 0 and < 1",
        18: "execution.executor: got 'thread', expected one of threads, processes, dask",
        20: "exclude 1: unknown key 'polic' (got 'easy'), did you mean 'policy'?",
        22: "case 1, policy: no ",
    }
    text = "\n".join(said)
    for line, start in expected.items():
        found = [one for one in said if re.match(rf"line {line}[,:]", one)]
        assert found, f"nothing of line {line} in\n{text}"
        assert any(start in one for one in found), found
    assert "did you mean 'kth-sp2'?" in text
    assert "no parameter of easy is named 'reservatons'; did you mean 'reservations'?" in text
    assert "axes, policy 4: got the value 'easy' twice, expected different ones" in text


def test_a_wrong_key_hides_no_mistake_beside_it(wrong):
    """A table with a wrong key is read on, and a baseline is looked for among what the file lists."""
    said = wrong(
        SMALL + "[axes]\n"
        'policy = ["fcfs", "easy"]\n'
        "load = [0.8, -1]\n"
        "[search]\n"
        'kind = "successive-halving"\n'
        "eta = 1\n"
        'measure = "mean_wiat"\n'
        "[statistics]\n"
        'baseline = "fcsf"\n'
        "level = 2\n"
        "warm_up = 0.7\n"
        "cool_down = 0.6\n"
        '[[case]]\npolicy = "sjf"\nlabel = "short"\n'
    )
    text = "\n".join(said)
    for one in (
        "axes, load 2: got -1",
        "search.eta: got 1, expected a number > 1",
        "search.measure: no metric is named 'mean_wiat'; did you mean 'mean_wait'?",
        "statistics.baseline: no value is labelled 'fcsf'; did you mean 'fcfs'?",
        "statistics.level: got 2",
        "statistics.warm_up: got 0.7 and cool_down 0.6, expected together < 1",
    ):
        assert one in text


@pytest.mark.parametrize("axes", ['polcy = ["fcfs"]\nload = [1, 2]', "load = {low = 1, high = 2, log = 3}"])
def test_a_baseline_on_an_axis_that_can_not_be_read_is_no_mistake(wrong, axes):
    """What is wrong is the axis; its labels are not known."""
    (said,) = wrong(SMALL + f'[axes]\n{axes}\n[statistics]\nbaseline = "fcfs"\n')
    assert "baseline" not in said


def test_an_item_of_a_long_list_has_its_own_line(wrong):
    """Of a list over several lines the line of the wrong item is told."""
    (said,) = wrong(SMALL + '[axes]\npolicy = [\n  "fcfs",\n  # "x",\n  "esay",\n]')
    assert said.startswith("line 7, axes, policy 2: ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[axes]\npolicy = ['easy']", "workload is missing, expected it in [fixed] or among the axes"),
        ("[fixed]\nworkload = '-'", "is standard input"),
        (SMALL + "out = 'x'", "cannot be set in a study: each run has a folder"),
        (SMALL + "history = 'x.sqlite'", "depends on their order"),
        (SMALL + "[axes]\nout = ['a', 'b']", "cannot be an axis"),
        (SMALL + "[axes]\nworkload = ['poisson']", "is both an axis and in [fixed]"),
        (SMALL + "[axes]\nload = 1.0", "got 1.0, expected a list of values, or a range"),
        (SMALL + "[axes]\nload = [1.0, 'much']", "line 4, axes, load 2: got 'much', expected a number > 0"),
        (SMALL + "[axes]\nload = [inf]", "got inf, expected a number > 0"),
        (SMALL + "[axes]\nload = [2020-01-01]", "got datetime.date(2020, 1, 1), expected a number > 0"),
        (SMALL + "[axes]\nload = {low=0, high=1, log=true}", "expected low > 0, as log = true"),
        (SMALL + "[axes]\nload = {low=0.5, high=1}", "is a range, from which only a search draws"),
        (SMALL + "[axes]\nload = {low=0.5, hihg=1}", "unknown key 'hihg' (got 1), did you mean 'high'?"),
        (SMALL + "[axes]\nload = {low=0.5, high=1, step=0}", "expected a step > 0, without log"),
        (SMALL + "[axes]\nseeds = 3\nseed = [1]", "means the same as seeds"),
        (SMALL + "seed = 1\n[axes]\nseeds = 3", "the seed is also in [fixed]"),
        (SMALL + "[axes]\nseeds = [1, 1]", "expected a number of seeds, a list of different whole numbers"),
        (SMALL + "[axes]\nseeds = 0", "got 0, expected a number of seeds"),
        (SMALL + "policy = 'easy:reservations={k}'", "but no axis is named 'k'"),
        (SMALL + "[axes]\nm = [{policy='easy'}, {polic='x'}]", "unknown key 'polic' (got 'x')"),
        (SMALL + "[axes]\nm = [{policy='easy', seed=1}]", "belongs to all runs: give seeds in [axes]"),
        (SMALL + "[axes]\nm = [{policy='easy'}]\npolicy = ['fcfs']", "sets 'policy', which 'm' also does"),
        (SMALL + "[axes]\npolicy = [{load = 1.0}]", "does not set 'policy', the setting of its axis"),
        (
            SMALL + "[axes]\npolicy = [{name='easy', reservations={low=1,high=2}}]",
            "a range is an axis of its own",
        ),
        (SMALL + "[axes]\npolicy = [{name='easy', reservations=[]}]", "got [], expected a number"),
        (SMALL + "[axes]\nload = [{name='x'}]", "got {'name': 'x'}, expected a number > 0"),
        (
            SMALL + "[axes]\npolicy = [{policy='easy', label='A'}, {policy='fcfs', label='A'}]",
            "the label 'A' twice",
        ),
        (
            SMALL + "[axes]\npolicy = ['sjf', 'easy:sjf', 'shortest-first']",
            "got 'shortest-first', which is the same as 'sjf', expected different ones",
        ),
        (
            SMALL + "[axes]\npolicy = ['easy', {name='easy', reservations=[1, 2]}]",
            "got 'easy:reservations=1', which is the same as 'easy', expected different ones",
        ),
        (
            SMALL + "[axes]\nbroker = ['mct']",
            "broker = mct can never run: broker: 'mct' applies to several sites",
        ),
        (
            SMALL + "platform = 'grid1'\nplace = 'first-fit'",
            "can never run: place: 'first-fit' applies to nodes",
        ),
        (SMALL + "[[exclude]]\npolicy = 'easy'", "excludes nothing, expected a combination of the study"),
        (SMALL + "[axes]\nload = [1.0]\n[[exclude]]\nload = 1.0", "leaves no run"),
        (SMALL + "[[exclude]]\n", "expected keys with values"),
        (SMALL + "[search]\nsamples = 3", "does not apply to a search of kind 'product'"),
        (SMALL + "[search]\nkind = 'random'\nsamples = 2", "draws from no axis"),
        (SMALL + "[axes]\npolicy=['easy']\n[search]\nkind = 'random'", "samples: is missing"),
        (SMALL + "[axes]\npolicy=['easy']\n[search]\nkind = 'list'", "expected no axes but seeds"),
        (
            SMALL + "[axes]\npolicy=['easy']\n[search]\nkind='random'\nsamples=2\nwithin=['polcy']",
            "no axis is named 'polcy'; did you mean 'policy'?",
        ),
        (
            SMALL + "[[case]]\npolicy='easy'\n[axes]\npolicy=['easy']\n[search]\nkind='successive-halving'",
            "whose contests no [[case]] can join",
        ),
        (
            SMALL + "[axes]\npolicy=['easy','fcfs']\n[search]\nkind='successive-halving'\nrounds=3",
            "got 3, expected at most 1",
        ),
        (
            SMALL + "[axes]\npolicy=['easy','fcfs']\n[search]\nkind='successive-halving'\nresource='jobs'",
            "expected `first`, the number of jobs in the last round",
        ),
        (
            SMALL + "[axes]\npolicy=['easy','fcfs']\n[search]\nkind='successive-halving'\nmeasure='jobs'",
            "is missing, expected min or max: jobs has no better direction",
        ),
        (SMALL + "[axes]\npolicy=['easy','fcfs']\n[statistics]\nbaseline='fcf'", "did you mean 'fcfs'?"),
        (SMALL + "[axes]\npolicy=['easy']\n[statistics]\nbaseline={polic='easy'}", "unknown key 'polic'"),
        (
            SMALL + "[axes]\npolicy=['easy']\n[statistics]\nbaseline={policy='fcfs'}",
            "no value is labelled 'fcfs'",
        ),
        (SMALL + "[statistics]\nwarm_up=0.5\ncool_down=0.5", "expected together < 1"),
        (SMALL + "[statistics]\npareto=[['mean_wait', 'wait']]", "no metric is named 'wait'"),
        (SMALL + "[statistics]\npareto=[['mean_wait', 'mean_wait']]", "expected different measures"),
        ("measures = ['mean_wait', 'mean_wait']\n" + SMALL, "got 'mean_wait' twice"),
        ("axes = 3\n" + SMALL, "line 1, axes: got 3, expected a table of lists and ranges"),
        ("case = 3\n" + SMALL, "line 1, case: got 3, expected a list of tables"),
        ("x", "is not TOML"),
    ],
)
def test_a_mistake_is_told(wrong, text, said):
    """Every kind of mistake is one sentence that says what is wrong."""
    assert said in "; ".join(wrong(text))


def test_a_file_that_is_none(tmp_path):
    """A missing file, a folder, and bytes that are no text are told apart."""
    with pytest.raises(InputError, match="no such file, expected a study in TOML"):
        read_study(tmp_path / "x.toml")
    with pytest.raises(InputError, match="cannot be read"):
        read_study(tmp_path)
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="is not UTF-8 text"):
        read_study(tmp_path / "x.toml")
    (tmp_path / "x.toml").write_text("a = " + "[" * 5000)
    with pytest.raises(InputError):
        read_study(tmp_path / "x.toml")


def test_too_many_runs_are_refused_before_they_are_made(told):
    """A product is counted first; the number to allow is told."""
    text = SMALL + "[axes]\nload = { low = 1, high = 1000 }\nskip = { low = 1, high = 1000 }\nseeds = 1000"
    text = text.replace("1000 }", "1000, step = 1 }")
    with pytest.raises(InputError, match="1,000,000,000 runs, expected at most 1,000,000; --max 1000000000"):
        told(text)
    with pytest.raises(InputError, match="2 runs, expected at most 1"):
        told(SMALL + "[axes]\nseeds = 2", most=1)


def test_own_metrics_can_be_measures(told, tmp_path):
    """What [fixed] loads of one's own may be named."""
    (tmp_path / "m.py").write_text(
        "from echelon import metric\n\n\n@metric('my_wait', unit='s', better='low', source='none')\n"
        'def my_wait(m):\n    """A wait."""\n    return float(m.wait.mean())\n'
    )
    study = told('measures = ["my_wait"]\n' + SMALL + 'metrics = ["m.py:my_wait"]')
    assert study.measures == ("my_wait",)
    assert study.search.first()[0].settings["metrics"] == [f"{tmp_path / 'm.py'}:my_wait"]


def test_the_example_is_a_study(told):
    """What init writes is read without a mistake, and describes some runs."""
    assert told(EXAMPLE).search.size == 170


TEXTS = st.text(st.characters(codec="utf-8"), max_size=30) | st.just("x" * 5000)
VALUES = st.recursive(
    st.one_of(st.booleans(), st.integers(-3, 9), st.floats(), TEXTS.map(lambda text: text[:8])),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "low", "policy"]), inner)
    ),
    max_leaves=4,
)
KEYS = st.sampled_from(
    ["policy", "workload", "load", "seeds", "k", "first", "search", "kind", "case", "label"]
)


@pytest.mark.slow
@given(
    st.dictionaries(
        st.sampled_from(
            ["name", "fixed", "axes", "case", "exclude", "search", "statistics", "execution", "x"]
        ),
        st.one_of(VALUES, st.dictionaries(KEYS, VALUES), st.lists(st.dictionaries(KEYS, VALUES), max_size=2)),
        max_size=5,
    )
)
def test_garbage_is_told_or_read(tmp_path_factory, content):
    """Whatever a file says, it is read, or refused in our words."""
    file = tmp_path_factory.mktemp("garbage") / "s.toml"
    file.write_text(_toml(content), encoding="utf-8")
    try:
        study = read_study(file, most=1000)
    except EchelonError:
        return
    assert study.search.size >= 1


def _toml(content: dict[str, Any]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in content.items())


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(letter):08x}" for letter in value) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_value(one)}" for key, one in value.items()) + "}"
    return repr(value)
