"""The page of a study: whole, safe, and right for studies of every shape."""

import random
import re
import xml.etree.ElementTree as ET

import polars as pl
import pytest

from echelon.errors import UnknownNameError
from echelon.experiments.study.results.stored_results import read_study_results
from echelon.reports.study import study_page, write_study_report
from echelon.reports.study.comparison import chance
from echelon.reports.study.quantity import Quantity

from ...experiments.study.stores import HandMade, five_jobs, product  # noqa: TID252  (tests are no package)

pytest.importorskip("scipy", reason="scipy, the extra stats, is not installed")


def still(page):
    """Return a page without its scripts and their data."""
    return re.sub(r"<script.*?</script>", "", page, flags=re.S)


def charts(page):
    """Return the charts of a page, each read as XML."""
    return [ET.fromstring(found) for found in re.findall(r"<svg.*?</svg>", still(page), re.S)]


def titles(page):
    return re.findall(r'<h2 id="[^"]*">([^<]*)</h2>', page)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    product(
        folder, baseline={"policy": "fcfs"}, pareto=[["mean_wait", "mean_bounded_slowdown", "utilization"]]
    )
    return read_study_results(folder)


@pytest.mark.slow
def test_sections_of_a_product(results):
    """Policies are compared, loads have curves, three measures three planes."""
    page = study_page(results)
    assert titles(page) == [
        *("Summary", "Configurations", "By policy", "Along load", "Pareto fronts", "Main effects"),
        "How to reproduce",
    ]
    # Three measures: intervals, boxes, ranks and a profile each, a curve each; three planes.
    assert len(charts(page)) == 3 * 4 + 3 + 3
    assert 'aria-label="Mean ranks: fcfs 3.00, easy 1.00, conservative 2.00"' in page


@pytest.mark.slow
def test_no_profile_is_left_out(tmp_path):
    """Of 20 policies all have a line, and no two lines or keys of the legend look the same."""
    names = [f"p{number}" for number in range(20)]
    made = product(tmp_path, policies=names, loads=(0.8,), seeds=range(2))
    page = study_page(read_study_results(made.folder), measures=["mean_wait"])
    drawn = page.split('aria-label="Performance profile')[1].split("</figure>")[0]
    styles = re.findall(r'<polyline points="[^"]*" style="([^"]*)"', drawn)
    assert len(styles) == len(set(styles)) == 20
    keys = re.findall(r"<li>(<i .*?</i>) (p[0-9]+)</li>", drawn)
    assert [name for _, name in keys] == names
    assert len({key for key, _ in keys}) == 20


@pytest.mark.slow
def test_an_axis_with_too_many_values_says_so(tmp_path):
    """Of 41 policies no charts are drawn; the page says how many there are, and where all of them are."""
    made = product(tmp_path, policies=[f"p{number}" for number in range(41)], loads=(0.8,), seeds=range(2))
    page = study_page(read_study_results(made.folder), measures=["mean_wait"])
    assert "41 values are too many for charts" in page
    assert "By policy" in titles(page)


@pytest.mark.slow
def test_the_page_is_the_same_in_whatever_order_runs_ended(tmp_path):
    """Runs side by side end in any order: ranks, ties and sums of the page come in the study's order."""
    policies = ("plan", "fcfs", "easy", "conservative")  # no policy by this name gains: a tie with fcfs
    pages = []
    for seed in range(3):
        made = product(tmp_path / f"{seed}", policies=policies, name="a study")
        log = made.folder / "log.jsonl"
        lines = log.read_text().splitlines(keepends=True)
        random.Random(seed).shuffle(lines)
        log.write_text("".join(lines))
        pages.append(study_page(read_study_results(made.folder)))
    assert 'aria-label="Mean ranks: plan 3.50, fcfs 3.50, easy 1.00, conservative 2.00"' in pages[0]
    assert all(page == pages[0] for page in pages)


@pytest.mark.slow
def test_figures_are_those_of_the_results(results):
    """The table says runs, mean, difference and pairs as the results have them."""
    page = study_page(results, measures=["mean_wait"])
    table = page.split('class="compared"')[1].split("</table>")[0]
    (row,) = re.findall(r'<th scope="row">easy</th>(.*?)</tr>', table, re.S)
    cells = [re.sub(r"<[^>]+>", " ", cell).split() for cell in row.split("</td>")]
    assert cells[0] == ["8"]
    assert cells[2][0] == "-10"
    assert cells[6] == ["4", "·", "0", "·", "0"]


def test_the_page_loads_nothing_and_holds_no_markup_of_others(tmp_path):
    """Names of policies, problems and the study file are text, whatever they hold."""
    evil = '<script>alert("1")</script>'
    made = HandMade(tmp_path, axes=("policy",), name=evil)
    for policy in (evil, "b"):
        made.add({"policy": policy}, {"mean_wait": 1.0, "utilization": 0.5})
    made.fail({"policy": "c"}, evil)
    page = study_page(read_study_results(tmp_path), file=evil, command=["echelon", evil])
    assert "<script>alert" not in page
    assert "src=" not in page
    assert "url(" not in still(page)
    assert evil not in page
    assert charts(page)


@pytest.mark.parametrize("runs", [0, 1, 2])
def test_hardly_any_run(tmp_path, runs):
    """No run, one, and two that are alike: a page each, with what can be said."""
    made = HandMade(tmp_path, axes=("policy", "seed"), outline={"cases": 9})
    for seed in range(runs):
        made.add({"policy": "easy", "seed": seed}, {"mean_wait": 0.0, "utilization": 0.0, "jobs": 5})
    page = study_page(read_study_results(tmp_path))
    assert "This study is not finished" in page
    assert titles(page)[0] == "Summary"


@pytest.mark.slow
def test_values_that_no_run_has(tmp_path):
    """A metric that is null for a whole policy leaves a dash and a gap, no failure."""
    made = HandMade(tmp_path, axes=("policy", "load", "seed"), outline={"measures": ["energy"]})
    for policy, energy in (("a", 3.0), ("b", None), ("c", 5.0)):
        for seed in range(3):
            made.add(
                {"policy": policy, "load": 1 + seed % 2, "seed": seed}, {"energy": energy, "mean_wait": 1.0}
            )
    page = study_page(read_study_results(tmp_path))
    assert len(charts(page)) >= 3


@pytest.mark.slow
def test_an_axis_of_very_many_values_is_shown_along_it(tmp_path):
    """A parameter drawn at random has a curve, no table of a hundred rows."""
    made = HandMade(tmp_path, axes=("w",))
    for place in range(60):
        made.add({"w": place / 60}, {"mean_wait": 10 + place, "utilization": 0.5})
    page = study_page(read_study_results(tmp_path))
    assert titles(page) == ["Summary", "Configurations", "Along w", "Pareto fronts", "How to reproduce"]


@pytest.mark.slow
def test_a_parameter_that_only_some_runs_have(tmp_path):
    """Runs without it are not on its curve, and do no harm."""
    made = HandMade(tmp_path, axes=("policy", "k", "seed"))
    for seed in range(2):
        made.add({"policy": "fcfs", "seed": seed}, {"mean_wait": 9.0 + seed, "utilization": 0.5})
        for k in (1, 4):
            labels = {"policy": f"easy:reservations={k}", "k": k, "seed": seed}
            made.add(labels, {"mean_wait": 3.0 + k + seed, "utilization": 0.5})
    page = study_page(read_study_results(tmp_path))
    assert "Along k" in titles(page)


@pytest.mark.slow
def test_a_contest_says_that_means_are_of_other_runs(results, tmp_path):
    """Where some combinations have more runs than others the page says so, and only there."""
    made = HandMade(tmp_path, axes=("k", "seed"))
    for k, seeds in ((1, 1), (2, 3)):
        for seed in range(seeds):
            made.add({"k": k, "seed": seed}, {"mean_wait": 3.0 + k + seed, "utilization": 0.5})
    assert "each mean covers its own runs" in study_page(read_study_results(tmp_path))
    assert "each mean covers its own runs" not in study_page(results)


@pytest.mark.slow
def test_without_scipy_the_page_says_what_is_missing(results, monkeypatch):
    """Means and curves remain; intervals and tests are told to need scipy."""
    monkeypatch.setitem(results.__dict__, "can_test", False)
    page = study_page(results)
    assert "Intervals and tests" in titles(page)
    assert "p (t, Holm)" in page
    assert "Mean ranks:" not in page


@pytest.mark.slow
def test_warm_up_is_told(tmp_path):
    """The page says what was left out, and what MSER-5 suggests where jobs are enough."""
    made = product(tmp_path, seeds=range(2))
    assert made.folder.exists()
    page = study_page(read_study_results(tmp_path, warm_up=0.2))
    assert "leave out the first 20 % and the last 0 %" in page
    assert "MSER-5" not in page


def test_unknown_measures_and_baselines_are_refused(results):
    """With the nearest name."""
    with pytest.raises(UnknownNameError, match="did you mean 'mean_wait'"):
        study_page(results, measures=["mean_wiat"])
    with pytest.raises(UnknownNameError, match="did you mean 'easy'"):
        study_page(results, baseline="eazy")


def test_the_page_is_written_whole(results, tmp_path):
    """An older page is replaced."""
    (tmp_path / "report.html").write_text("old")
    assert write_study_report(tmp_path, "new").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_one_unit_for_a_measure(results):
    """Waits of about 100 s are told in minutes only where most are long."""
    quantity = Quantity.of(results, "mean_wait")
    assert (quantity.unit, quantity.whole(60.0)) in {("s", "60 s"), ("min", "1 min")}
    assert Quantity.of(results, "utilization").whole(0.5) == "50 %"


@pytest.mark.parametrize(
    ("value", "said"), [(0.0342, "0.034"), (1e-9, "< 0.0001"), (float("nan"), "–"), (1.0, "1")]
)
def test_chances_as_people_read_them(value, said):
    """Two digits, and no powers of ten."""
    assert chance(value) == said


def seeded(folder, certain=(), seeds=4):
    """Return results of three policies on a log with seeds; no chance enters some of them."""
    made = HandMade(folder, axes=("policy", "seed"), outline={"replications": seeds})
    for place, policy in enumerate(("fcfs", "easy", "random")):
        for seed in range(1 if policy in certain else seeds):
            wait = 100.0 - 10 * place + seed**2
            labels = {"policy": policy, "seed": seed}
            made.add(labels, {"jobs": 5, "mean_wait": wait}, chance=policy not in certain)
    return read_study_results(folder)


def test_a_study_without_chance_has_no_interval_and_no_test(tmp_path):
    """Means and exact differences stand alone, and one sentence says why."""
    page = study_page(seeded(tmp_path, ("fcfs", "easy", "random")), measures=["mean_wait"])
    assert page.count("The runs are not random: another seed would give the same run.") == 1
    table = page.split('class="compared"')[1].split("</table>")[0]
    assert "±" not in table
    assert "+10" in table
    assert "0.0001" not in table
    assert "Mean ranks" not in still(page)


@pytest.mark.slow
def test_what_no_chance_enters_is_told_beside_what_is_drawn(tmp_path):
    """One of three policies is drawn: the sentence counts the others, whose means have no interval."""
    page = study_page(seeded(tmp_path, ("fcfs", "easy")), measures=["mean_wait"])
    assert "No randomness enters 2 of 3 combinations" in page
    (row,) = re.findall(r'<th scope="row">easy</th>(.*?)</tr>', page, re.S)
    assert "±" not in row.split("</td>")[1]
    (row,) = re.findall(r'<th scope="row">random</th>(.*?)</tr>', page, re.S)
    assert "±" in row.split("</td>")[1]


@pytest.mark.slow
def test_blocks_are_named_and_their_dependence_told(tmp_path):
    """Waits of 0, 0, 10 and 10 s in four blocks have r = 0.25: not more than independent blocks may have."""
    made = HandMade(tmp_path, axes=("policy",), outline={"blocks": 10.0})
    for policy, shift in (("fcfs", 0.0), ("easy", 1.0)):
        jobs = five_jobs().with_columns(
            submit_time=pl.Series([0.0, 12.0, 24.0, 36.0, 40.0]),
            start_time=pl.Series([0.0, 12.0 + shift, 34.0, 46.0, 50.0]),
            end_time=pl.Series([10.0, 22.0 + shift, 44.0, 56.0, 60.0]),
        )
        made.add({"policy": policy}, {"jobs": 5, "mean_wait": 6.0, "makespan": 60}, jobs=jobs)
    page = study_page(read_study_results(tmp_path), measures=["mean_wait"])
    assert "An experiment is one of the 4 blocks of 10 s." in page
    assert "Replications are blocks of 10 s of each run" in page
    assert "Lag-1 autocorrelation of the blocks&#x27; mean_wait: 0.25 to 0.27, no more" in page


@pytest.mark.slow
def test_runs_of_unlike_numbers_of_blocks_are_told(tmp_path):
    """A log of 40 s has four blocks of 10 s, one of 20 s two: both numbers are named, and what counts."""
    made = HandMade(tmp_path, axes=("policy", "workload"), outline={"blocks": 10.0})
    for policy in ("fcfs", "easy"):
        for name, length in (("long", 40.0), ("short", 20.0)):
            submit = pl.Series([0.0, 0.3, 0.6, 0.9, 1.0]) * length
            jobs = five_jobs().with_columns(submit_time=submit, start_time=submit, end_time=submit + 10)
            made.add({"policy": policy, "workload": name}, {"jobs": 5, "mean_wait": 0.0}, jobs=jobs)
    page = study_page(read_study_results(tmp_path), measures=["mean_wait"])
    assert "2 to 4 blocks of 10 s" in page
    assert "Some runs have 2 blocks and others up to 4: a mean over several runs covers the blocks" in page


@pytest.mark.slow
def test_without_scipy_no_interval_is_announced(results, monkeypatch):
    """What would have been shaded or drawn is not named, and one sentence says what to install."""
    monkeypatch.setitem(results.__dict__, "can_test", False)
    page = study_page(results)
    assert "shaded, their" not in page
    assert "Means with intervals" not in page
    assert "pip install &#x27;echelon-scheduling[stats]&#x27;" in page


@pytest.mark.slow
def test_the_command_of_the_page_can_be_pasted(results):
    """A folder with a space is quoted as a shell needs it."""
    page = study_page(results, command=["echelon", "study", "report", "my study"])
    assert "<code>echelon study report &#x27;my study&#x27;</code>" in page
