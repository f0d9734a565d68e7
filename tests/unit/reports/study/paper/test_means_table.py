"""Tables of means: rows, columns, units, intervals within their range, in three formats."""

from __future__ import annotations

import csv
import io
import re

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.experiments.study.results.stored_results import read_study_results
from echelon.plotting import MetricStyle, Style
from echelon.reports.study.paper.latex_table import escape
from echelon.reports.study.paper.means_table import study_table

from ....experiments.study.stores import HandMade, product  # noqa: TID252  (tests are no package)

pytest.importorskip("scipy", reason="scipy, the extra stats, is not installed")

ODD = "a_b % & = # {x} ^~ \\ $y$ <|> [z] * -- 'q'"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Return three policies, two loads, four seeds."""
    folder = tmp_path_factory.mktemp("table")
    product(folder)
    return read_study_results(folder)


def skewed(folder, names=("a", "b"), waits=((0.0, 1.0, 20.0), (60.0, 61.0, 62.0))):
    """Return a study of which the first interval would reach below 0."""
    made = HandMade(folder, axes=("policy", "seed"), outline={"values": {"policy": names}})
    for name, row in zip(names, waits, strict=True):
        for seed, wait in enumerate(row):
            made.add({"policy": name, "seed": seed}, {"mean_wait": wait, "utilization": 0.5 + seed / 1000})
    return read_study_results(folder)


def cells(text):
    """Return the cells of Markdown, row by row."""
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if "|" in line
    ]


def test_rows_are_the_configurations_and_columns_metrics(results):
    """By default the policies; means and bounds are those of the results, in full, in the metric's unit."""
    head, *rows = csv.reader(io.StringIO(study_table(results, measures=["mean_wait"]).to_csv()))
    assert head == ["policy", "mean_wait", "mean_wait_low", "mean_wait_high"]
    found = results.means("policy", "mean_wait")
    assert rows == [[one.value, repr(one.mean), repr(one.low), repr(one.high)] for one in found]


def test_one_metric_over_two_axes(results):
    """A column for each value of the axis across: the means of the runs with that value."""
    table = study_table(results, across="load", measures=["mean_wait"])
    head, *rows = csv.reader(io.StringIO(table.to_csv()))
    assert head[1::3] == ["mean_wait[load=0.8]", "mean_wait[load=1.2]"]
    heavy = results.where(load=1.2).means("policy", "mean_wait")
    assert [row[4] for row in rows] == [repr(one.mean) for one in heavy]
    assert table.across == (("Mean wait (s)", 2),)
    assert cells(table.to_markdown())[0] == ["Policy", "Mean wait (s), Load 0.8", "Mean wait (s), Load 1.2"]


def test_rows_of_two_axes(results):
    """A row for each combination that was run, its values in columns of their own."""
    table = study_table(results, by=["load", "policy"])
    assert table.heads == ("Load", "Policy")
    assert table.rows[:2] == (("0.8", "fcfs"), ("0.8", "easy"))
    assert len(table.rows) == 6


def test_what_was_not_run_is_empty(tmp_path):
    """A combination without a run has no mean in any format."""
    made = product(tmp_path, policies=("fcfs", "easy"), loads=(0.8,))
    made.add({"policy": "easy", "load": 1.2, "seed": 0}, {"mean_wait": 3.0})
    table = study_table(read_study_results(tmp_path), across="load", measures=["mean_wait"])
    assert cells(table.to_markdown())[2][2] == "–"
    assert table.to_csv().splitlines()[1].endswith(",,,")
    assert "{--}" in table.to_latex()


def test_no_bound_is_below_0(tmp_path):
    """If one interval would leave the range, the column has bounds, cut at it; another keeps half widths."""
    table = study_table(skewed(tmp_path))
    assert cells(table.to_markdown())[2:4] == [
        ["a", r"7 \[0 to 34.99\]", "50.10 ± 0.25"],
        ["b", r"61 \[58.52 to 63.48\]", "50.10 ± 0.25"],
    ]
    assert table.to_csv().splitlines()[1].split(",")[1:3] == ["7.0", "0.0"]
    assert r"a & 7 & [\num{0}, & \num{34.99}] & 50.10 & $\pm$ & 0.25 \\" in table.to_latex()
    assert not re.search(r"(?<![\de])-\d", table.to_csv())


def test_raw_statistics_are_not_cut(tmp_path):
    """The results keep the interval by t as it was computed."""
    (first, _) = skewed(tmp_path).means("policy", "mean_wait")
    assert first.low < -20
    assert first.high - first.mean == pytest.approx(first.mean - first.low)


def test_labels_and_units_of_a_style(results):
    """Values, axes and metrics are called as the style says; CSV keeps keys and units."""
    style = Style(
        labels={"easy": "EASY"},
        axes={"policy": "Scheduler"},
        metrics={"mean_wait": MetricStyle("Wait", "min")},
    )
    table = study_table(results, measures=["mean_wait"], style=style)
    head, _, _, easy, _ = cells(table.to_markdown())
    assert head == ["Scheduler", "Wait (min)"]
    assert easy[0] == "EASY"
    mean = results.means("policy", "mean_wait")[1].mean
    assert easy[1].split()[0] == f"{mean / 60:.3f}"
    assert table.to_csv().splitlines()[2].startswith(f"EASY,{mean!r},")


def test_a_study_of_one_configuration(tmp_path):
    """What compares nothing has one row, with its interval over the seeds."""
    made = HandMade(tmp_path, axes=("seed",), name="only")
    for seed in range(3):
        made.add({"seed": seed}, {"mean_wait": 50.0 + seed})
    assert cells(study_table(read_study_results(tmp_path), measures=["mean_wait"]).to_markdown())[2] == [
        "only",
        "51 ± 2.5",
    ]


def test_a_study_of_one_seed(tmp_path):
    """One run each has means without intervals, in one column of LaTeX."""
    product(tmp_path, seeds=[0], loads=(1.0,))
    table = study_table(read_study_results(tmp_path), measures=["mean_wait"])
    assert table.to_markdown().endswith("\nMeans, without intervals.\n")
    assert r"\begin{tabular}{l S[table-format=3]}" in table.to_latex()
    assert r"easy & 90 \\" in table.to_latex()


def test_names_are_text_in_every_format(tmp_path):
    """Letters that a format reads as commands are escaped, in cells, heads and the comment."""
    table = study_table(skewed(tmp_path, names=(ODD, "b")))
    assert next(csv.reader(io.StringIO(table.to_csv().splitlines()[1])))[0] == ODD
    assert r"a\_b % & = \# \{x\} ^\~ \\ \$y\$ \<\|\> \[z\] \* -- 'q'" in table.to_markdown()
    latex = table.to_latex()
    assert escape(ODD) in latex
    assert escape(ODD) == (
        r"a\_b \% \& = \# \{x\} \textasciicircum{}\textasciitilde{} \textbackslash{} \$y\$ "
        r"\textless{}\textbar{}\textgreater{} {[}z] {*} -{}- 'q'"
    )


def test_latex_is_balanced(results):
    """Every row has as many cells as the table has columns, whatever is above it."""
    for options in ({}, {"across": "load"}, {"by": ["policy", "load"], "measures": ["jobs", "utilization"]}):
        table = study_table(results, **options)
        lines = table.to_latex().splitlines()
        (begin,) = [line for line in lines if line.startswith(r"\begin{tabular}")]
        inside = re.sub(r"@\{[^}]*\}|\[[^]]*\]|\\begin\{tabular\}", "", begin)
        columns = sum(inside.count(kind) for kind in "lrcS")
        for line in (line for line in lines if line.endswith(r"\\")):
            spans = [int(width) for width in re.findall(r"\\multicolumn\{(\d+)\}", line)]
            assert len(re.findall(r"(?<!\\\\)&", line)) + 1 + sum(spans) - len(spans) == columns, line


def test_numbers_with_powers_of_ten(tmp_path):
    """What is below a millionth has a power of ten; siunitx writes it."""
    made = HandMade(tmp_path, axes=("policy",))
    for name, value in (("a", 3.2e-9), ("b", 0.5)):
        made.add({"policy": name}, {"mean_slowdown": value})
    latex = study_table(read_study_results(tmp_path), measures=["mean_slowdown"]).to_latex()
    assert r"a & \num{3.2e-09} \\" in latex
    assert r"\begin{tabular}{l r}" in latex


def test_what_is_refused(results, tmp_path):
    """Unknown axes and metrics, an axis used twice, no metric, and no run."""
    for wrong in ({"by": ["plicy"]}, {"across": "lod"}, {"measures": ["mean_wiat"]}):
        with pytest.raises(UnknownNameError, match="did you mean"):
            study_table(results, **wrong)
    with pytest.raises(InputError, match="axis policy: is named twice"):
        study_table(results, by=["policy"], across="policy")
    with pytest.raises(InputError, match="needs at least one metric"):
        study_table(results, measures=[])
    HandMade(tmp_path)
    with pytest.raises(InputError, match="has no finished run yet"):
        study_table(read_study_results(tmp_path), measures=["mean_wait"])
