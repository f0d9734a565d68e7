"""compare: several policies and other settings, on one workload or several."""

from __future__ import annotations

import pytest

from echelon import change_jobs, compare, generate, simulate, write_workload
from echelon.errors import InputError
from echelon.experiments.comparison import job_set_sentences
from echelon.experiments.comparison_axes import axes_of


def test_one_result_a_policy_in_the_order_asked_for(four_jobs):
    """Results and frame follow the policies; progress is asked for by each one's words."""
    asked = []
    found = compare(four_jobs, policies=["easy", "sjf"], progress=asked.append)
    assert asked == ["easy", "shortest-first"]
    frame = found.to_frame()
    assert frame["policy"].to_list() == ["easy", "shortest-first"]
    assert frame["mean_wait"].to_list() == [result.metrics["mean_wait"] for result in found.results]


@pytest.mark.parametrize(
    ("policies", "problem"),
    [([], "at least one policy"), (["sjf", "shortest-first"], "'shortest-first' twice")],
)
def test_no_policy_or_one_twice(four_jobs, policies, problem):
    """Nothing to compare, or the same under two names, is refused."""
    with pytest.raises(InputError, match=problem):
        compare(four_jobs, policies=policies)


def test_every_setting_can_vary_and_new_ones_vary_slowest(four_jobs):
    """The product runs over all lists: new settings in the order of the table, then as ever."""
    found = compare(four_jobs, processors=[8, 16], policies=["fcfs", "easy"], seed=[1, 2], cycles="event")
    assert [result.label for result in found.results] == [
        f"processors={size} seed={seed} + {policy}"
        for size in (8, 16)
        for seed in (1, 2)
        for policy in ("fcfs", "easy")
    ]
    assert found.to_frame().columns[:4] == ["run", "processors", "seed", "policy"]


def test_one_value_in_a_list_is_no_axis(four_jobs):
    """A list of one is that one, and the words of the run are as without it."""
    found = compare(four_jobs, processors=[8], policy=["fcfs", "easy"], estimates=["raise"])
    assert [result.label for result in found.results] == ["fcfs", "easy"]


def test_a_value_that_a_run_has_no_use_for_multiplies_nothing(four_jobs):
    """A placement is for the machine with nodes alone; one that no machine has use for is refused."""
    machines = ["irmasim-a", [8, 8]]
    found = compare(four_jobs, platform=machines, place=["first-fit", "best-fit"], engine="reference")
    assert [result.label.partition(" + ")[2] for result in found.results] == [
        "fcfs",
        "fcfs + best-fit",
        "mpl + fcfs",
    ]
    with pytest.raises(InputError, match="place: 'best-fit' applies to nodes"):
        compare(four_jobs, platform=[[8, 8], [16]], place="best-fit")


def test_both_spellings_at_once_are_refused(four_jobs):
    """A setting is given once."""
    with pytest.raises(InputError, match="policy: has the same meaning as policies; give one of the two"):
        compare(four_jobs, processors=8, policies=["fcfs"], policy="easy")


def test_lists_of_estimators_are_one_value():
    """A list of words is one value of a setting that is a list; a list of lists is several."""
    asked = axes_of({"watch": ["ibl", "li"]})
    assert asked.values["watch"] == [["ibl", "li"]]
    assert axes_of({"watch": [["ibl"], ["ibl", "li"]]}).values["watch"] == [["ibl"], ["ibl", "li"]]
    assert axes_of({"platform": [4, 8]}).values["platform"] == [[4, 8]]
    assert axes_of({"platform": ["grid1", "grid2"]}).values["platform"] == ["grid1", "grid2"]


def test_runs_that_complete_other_jobs_are_other_sets(four_jobs):
    """Given the same jobs, a run that loses one to a failure is of another set, and a sentence says so."""
    outage = {"node": 1, "down": 1, "up": 2}
    found = compare(four_jobs, policies=["fcfs"], outages=[[outage]], on_failure=["requeue", "kill", "slurm"])
    assert found.job_sets == (1, 2, 1)
    assert found.to_frame()["job_set"].to_list() == [1, 2, 1]
    assert job_set_sentences(found.results)[0].startswith("Not all runs completed the same jobs")
    assert job_set_sentences(found.results[:1]) == []


@pytest.fixture(scope="module")
def drawn():
    """Return forty drawn jobs."""
    return generate("lublin:jobs=40:processors=16:seed=3")


def test_changes_to_the_jobs_vary_before_all_other_settings(drawn):
    """Runs of the same jobs stand together, wherever the change is among the keywords."""
    found = compare(drawn, processors=[16, 32], load=[0.5, 2], policy=["fcfs", "easy"])
    assert [result.label for result in found.results] == [
        f"load={load} processors={size} + {policy}"
        for load in ("0.5", "2")
        for size in (16, 32)
        for policy in ("fcfs", "easy")
    ]
    assert found.to_frame().columns[:5] == ["run", "load", "processors", "policy", "job_set"]


@pytest.mark.parametrize(
    ("settings", "sets"),
    [
        ({"load": [1, 2]}, (1, 2)),
        ({"first": [5, 6]}, (1, 2)),
        ({"skip": [0, 1], "first": 5}, (1, 2)),
        ({"window": [(0, 3000), (3000, 9000)]}, (1, 2)),
        ({"scale_size": [8, 16]}, (1, 2)),
        ({"shake_by": [1, 1000]}, (1, 2)),
        ({"off_line": [False, True]}, (1, 2)),
        ({"dependencies_model": ["chains", "chains:share=0.9"]}, (1, 2)),
        ({"tasks": ["mpi", "mpi:memory=1e6"]}, (1, 2)),
        ({"estimates_model": ["popular", "factor:f=3"]}, (1, 1)),
        ({"repair_estimates": [False, True]}, (1, 1)),
        ({"workload_seed": [1, 2], "shake_by": 1000}, (1, 2)),
        ({"workload_seed": [1, 2], "estimates_model": "popular"}, (1, 1)),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_runs_of_changed_jobs_are_other_sets(drawn, settings, sets):
    """Other jobs, times of submission, sizes, tasks or dependencies are another set; estimates are not."""
    found = compare(drawn, processors=32, **settings)
    assert found.job_sets == sets
    assert bool(job_set_sentences(found.results)) == (sets == (1, 2))


def test_a_run_of_a_comparison_is_that_of_the_changed_jobs(drawn):
    """Each combination is what changing the jobs first and then simulating gives."""
    found = compare(drawn, processors=32, first=[20, 30], estimates_model=["popular", "factor:f=3"], seed=4)
    by_hand = [
        simulate(change_jobs(drawn, first=first, estimates_model=model, seed=4), processors=32, seed=4)
        for first in (20, 30)
        for model in ("popular", "factor:f=3")
    ]
    assert [one.jobs.equals(other.jobs) for one, other in zip(found.results, by_hand, strict=True)] == [
        True
    ] * 4


def test_the_jobs_may_have_a_seed_of_their_own(drawn):
    """With it the seed of the run leaves the jobs as they are; where nothing draws it is refused."""
    found = compare(drawn, processors=32, shake_by=1000, seed=[1, 2], workload_seed=5)
    assert found.job_sets == (1, 1)
    assert compare(drawn, processors=32, shake_by=1000, seed=[1, 2]).job_sets == (1, 2)
    with pytest.raises(InputError, match="workload-seed: seeds what changes to the jobs draw, but none"):
        compare(drawn, processors=32, load=2, workload_seed=[1, 2])


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"two_phase": [False, True]}, "two-phase: True applies to a multicluster"),
        ({"failures": ["none", "exponential:mean=90d"]}, "failures: .* but not for how long"),
        ({"place": ["first-fit", "best-fit"]}, "place: .* applies to nodes"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_a_setting_that_no_run_uses_is_refused_beside_its_default(four_jobs, settings, problem):
    """A run that asks for nothing does not excuse those that ask in vain."""
    with pytest.raises(InputError, match=problem):
        compare(four_jobs, processors=8, **settings)


def test_workloads_vary_slowest(drawn):
    """Each workload is run in every combination, on its own machine, as a simulation of it alone."""
    other = "lublin:jobs=30:processors=32:seed=4"
    found = compare([drawn, other], load=[1, 2], policies=["fcfs", "easy"])
    assert [result.label for result in found.results] == [
        f"workload={name} load={load} + {policy}"
        for name in ("lublin", other)
        for load in (1, 2)
        for policy in ("fcfs", "easy")
    ]
    alone = simulate(other, load=2, policy="easy")
    assert found.results[-1].metrics == alone.metrics
    assert found.to_frame().columns[:5] == ["run", "workload", "load", "policy", "job_set"]
    assert found.job_sets == (1, 1, 2, 2, 3, 3, 4, 4)


def test_formats_and_time_zones_vary(tmp_path):
    """A log without an ending of a format is read in each of the formats and zones given."""
    log = tmp_path / "log"
    log.write_text("; UnixStartTime: 0\n; MaxProcs: 4\n1 0 -1 10 2 -1 -1 2 10 -1 1 1 1 1 1 1 -1 -1\n")
    found = compare(log, format="swf", timezone=["UTC", "Europe/Madrid"])
    assert [result.label for result in found.results] == [
        "timezone=UTC + fcfs",
        "timezone=Europe/Madrid + fcfs",
    ]
    assert [result.time_zone for result in found.results] == ["UTC", "Europe/Madrid"]
    assert found.job_sets == (1, 1)
    with pytest.raises(InputError, match="line 1"):  # as a table, a comment is no head
        compare(log, format=["swf", "csv"])


def test_jobs_that_have_been_read_have_no_format(drawn):
    """Their format and time zone are a matter of `read_workload`, which the message names."""
    for function in (simulate, compare):
        with pytest.raises(InputError, match="timezone: applies to a workload that is read"):
            function(drawn, timezone="UTC", policy="easy")


def test_files_of_one_name_are_called_by_their_paths(tmp_path, drawn):
    """Two files of one name in two folders are two workloads, the same file twice is a mistake."""
    files = [tmp_path / folder / "log.swf" for folder in ("a", "b")]
    for file in files:
        file.parent.mkdir()
        write_workload(drawn, file)
    found = compare(files, processors=16)
    assert [dict(result.varied)["workload"] for result in found.results] == [str(file) for file in files]
    assert found.job_sets == (1, 1)
    with pytest.raises(InputError, match="workload: must all be different"):
        compare([files[0], files[0]], processors=16)


def test_jobs_of_one_name_are_numbered(drawn):
    """Jobs that a model drew twice are two workloads; the same jobs twice are a mistake."""
    found = compare([drawn, generate("lublin:jobs=20:processors=32:seed=9")], policy="easy")
    assert [dict(result.varied)["workload"] for result in found.results] == ["lublin", "lublin (2)"]
    with pytest.raises(InputError, match="workload: must all be different, got 'lublin' twice"):
        compare([drawn, drawn], policy="easy")


@pytest.mark.parametrize(
    ("source", "settings", "problem"),
    [
        (None, {}, "workload: got None, expected a path"),
        (["kth-sp2", 3], {}, "workload: got 3, expected a path"),
        ({"kth-sp2"}, {}, "workload: got {'kth-sp2'}, expected a path"),
        ("kth-sp2", {"format": [3]}, "format: got 3, expected the name of a workload format"),
        ("kth-sp2", {"timezone": [5]}, "timezone: got 5, expected a name of the tz database"),
    ],
)
def test_what_is_no_workload_format_or_zone_is_refused(source, settings, problem):
    """A value of another type is refused in one sentence, as for any other setting."""
    with pytest.raises(InputError, match=problem):
        compare(source, policy="easy", **settings)


def test_what_is_not_given_is_one_value_beside_others(drawn):
    """None is a value of every setting without a default: a run as if the setting were not given."""
    found = compare(drawn, policy="easy", max_time=[None, "1h"])
    assert [result.label for result in found.results] == ["max_time=None + easy", "max_time=1h + easy"]
    assert found.results[0].metrics == simulate(drawn, policy="easy").metrics
    sites = compare(drawn, platform=[32, 16], broker=[None, "mct"], policy="easy")
    assert [result.broker for result in sites.results] == ["mpl", "mct"]
