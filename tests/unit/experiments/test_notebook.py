"""How results look in a notebook."""

from __future__ import annotations

import re

from echelon import Workload, compare, generate, metric, simulate


def cells(html: str) -> list[list[str]]:
    """Return the text of each cell, without its bar, a list a row."""
    rows = re.findall(r"<tr>(.*?)</tr>", re.sub(r"<div .*?</div>", "", html))
    return [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in rows]


@metric("share_of_nothing", unit="%", source="none", better="low")
def share_of_nothing(jobs):
    """Never a value."""
    return float("nan")


def test_a_run_is_its_main_metrics(four_jobs):
    """Twelve metrics and one's own, a row each, with units; a metric without a value is a dash."""
    shown = simulate(four_jobs, policy="easy", metrics=[share_of_nothing])._repr_html_()
    assert "<caption>easy on four: 3 jobs, 4 processors</caption>" in shown
    rows = dict(cells(shown))
    assert len(rows) == 13
    assert rows["Jobs"] == "3"
    assert rows["Mean wait"] == "33 s"
    assert rows["Utilization"] == "93.75 %"
    assert rows["Share of nothing (%)"] == "–"


def test_a_comparison_is_a_row_a_policy(four_jobs):
    """The best value of each column is bold, unless all are equal; one unit a column."""
    shown = compare(four_jobs, policies=["fcfs", "easy"], metrics=[share_of_nothing])._repr_html_()
    head, fcfs, easy = cells(shown)
    assert head[:3] == ["Policy", "Mean wait", "Median wait"]
    assert head[-1] == "Share of nothing (%)"
    assert fcfs[:2] == ["fcfs", "99 s"]
    assert easy[:2] == ["easy", "<b>33 s</b>"]
    assert [row[-1] for row in (fcfs, easy)] == ["–", "–"]
    assert "<b>" not in "".join(cells(compare(four_jobs, policies=["fcfs"])._repr_html_())[1])


def test_runs_of_other_jobs_have_no_best_value(four_jobs):
    """Under another time limit the jobs are others: no value is bold. The caption has each machine size."""
    alike = compare(four_jobs, policies=["fcfs", "easy"], processors=[4, 5])._repr_html_()
    others = compare(four_jobs, policies=["fcfs", "easy"], max_time=[50, 86_400])._repr_html_()
    assert ("<b>" in alike, "<b>" in others) == (True, False)
    assert "<caption>4 runs on four: 3 jobs, 4 processors or 5 processors</caption>" in alike


def test_a_caption_names_all_workloads(four_jobs):
    """A comparison of several workloads is not one on the first of them."""
    alone = Workload.from_columns(name="one", submit_time=[0], run_time=[9], processors=[1])
    shown = compare([four_jobs, alone], policy="easy", processors=4)._repr_html_()
    assert "<caption>2 runs on four and one: 3 jobs or 1 job, 4 processors</caption>" in shown


def test_one_job_on_one_processor_is_singular():
    """A caption counts as people do."""
    alone = Workload.from_columns(name="one", submit_time=[0], run_time=[9], processors=[1])
    shown = simulate(alone, policy="easy", processors=1)._repr_html_()
    assert "<caption>easy on one: 1 job, 1 processor</caption>" in shown


def test_bars_are_as_long_as_values(four_jobs):
    """The largest value of a column has a whole bar, others their share; of shares 100 % is the whole."""
    shown = compare(four_jobs, policies=["fcfs", "easy"], metrics=[share_of_nothing])._repr_html_()
    bars = [re.findall(r"width:([\d.]+)%", row) for row in re.findall(r"<tr>(.*?)</tr>", shown)]
    waits = [float(row[0]) for row in bars[1:]]
    assert waits == [100.0, 33.3]  # 99 s and 33 s
    used = cells(shown)[1][5]
    assert f"{float(bars[1][4]):.1f}" == f"{float(used.split()[0].removeprefix('<b>')):.1f}"
    assert len(bars[1]) == len(cells(shown)[1]) - 2  # neither the policy nor a value that is none has a bar


def test_names_are_text(four_jobs):
    """Whatever a workload is called, it is no markup."""
    from dataclasses import replace

    shown = simulate(replace(four_jobs, name="<script>alert(1)</script>"))._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


def test_a_comparison_of_placements_is_a_row_a_run():
    """Energy is beside the times, and a row is not a policy alone."""
    jobs = generate("irmasim-mix", jobs=8, most_tasks=8, node_cores=8)
    shown = compare(
        jobs, policies=["fcfs"], platform="irmasim-a", places=["first-fit", "worst-fit"]
    )._repr_html_()
    head, first, worst = cells(shown.replace("<b>", "").replace("</b>", ""))
    assert (head[0], head[-1]) == ("Run", "Energy (J)")
    assert (first[0], worst[0]) == ("fcfs", "fcfs + worst-fit")
    assert "<caption>2 runs on irmasim-mix" in shown
