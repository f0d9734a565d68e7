"""The page of a run on sites of all kinds in a real browser: every panel is drawn."""

from __future__ import annotations

import pytest
from tests.unit.reports.mixed_tables import mixed_run

from echelon import simulate
from echelon.experiments import manifest
from echelon.model import Cluster, Core, Hardware, Node, Platform, Processor, Site, Workload
from echelon.reports import write_report
from echelon.reports.result_report import run_tables


@pytest.fixture
def page(tab, tmp_path):
    """Return a tab with the report of a run on processors, nodes, a time-shared machine and shared nodes."""
    tab.events.clear()
    path = tmp_path / "report.html"
    write_report([mixed_run(copies=True)], path)
    tab.open(path)
    tab.until("document.documentElement.dataset.filled === 'true'")
    tab.settle()
    return tab


def test_nothing_goes_wrong_on_the_page(page):
    """The scripts complain of nothing, and the page asks the network for nothing."""
    assert page.complaints() == []
    assert [request for request in page.requests() if not request.startswith(("file:", "data:"))] == []


def test_the_panels_of_all_kinds_are_drawn(page):
    """The maps of sites, machines and nodes have a canvas each, and the table of nodes has both sizes."""
    for name in ("site_load", "machine_load", "nodes"):
        assert page.value(f"document.querySelectorAll('#{name} canvas').length") >= 1, name
    heads = page.value("[...document.querySelectorAll('#nodes th[scope=col]')].map(e => e.innerText.trim())")
    assert any(head.startswith("Cores") for head in heads)
    assert any(head.startswith("Task slots") for head in heads)


def test_the_gantt_names_the_sites(page):
    """The Gantt stacks the four sites, which can be chosen to be looked at."""
    chosen = page.value("[...document.getElementById('site').options].map(o => o.innerText)")
    assert [name for name in chosen if "/" in name] != []
    assert page.value("document.getElementById('site-label').textContent") == "Site"


@pytest.fixture
def tree(tab, tmp_path):
    """Return a tab with the report of a run in which a job of two nodes is suspended for another one."""
    core = Core(1e9, dynamic_power=5)
    machine = Hardware((Cluster((Node((Processor((core, core), static_power=10),)),) * 2),))
    platform = Platform((Site("far/away/nodes", machine), Site("plain", 1)), "tree")
    jobs = Workload.from_columns(
        submit_time=[0, 10], run_time=[100, 20], requested_time=[100, 20], processors=[4, 4]
    )
    result = simulate(jobs, platform=platform, policy="srtf")
    tab.events.clear()
    path = tmp_path / "report.html"
    write_report([run_tables(result, manifest(result))], path)
    tab.open(path)
    tab.until("document.documentElement.dataset.filled === 'true'")
    tab.settle()
    return tab


def test_the_card_of_a_job_in_nodes_of_a_tree(tree):
    """Its parts in two nodes are no copies and no interruptions; it ran 100 s, and has nodes and energy."""
    tree.value("document.getElementById('find-job').value = '1'")
    tree.value("document.getElementById('find').requestSubmit()")
    tree.settle()
    card = tree.value("document.getElementById('card').innerText.split(/\\n+/).map(s => s.trim())")
    told = dict(zip(card[1::2], card[2::2], strict=True))
    assert (told["ran"], told["interrupted"]) == ("100 s", "for 20 s")
    assert (told["nodes"], told["site"]) == ("0-1", "far/away/nodes")
    assert told["energy"].endswith("J")
    assert "copies" not in told
