"""Pages, folders and figures of runs on trees of sites, of some of which alone something is known."""

from __future__ import annotations

import json
import re

import pytest
from matplotlib import pyplot as plt
from tests.unit.metrics.test_trees_of_sites import BESIDES, nodes, random_jobs, run_at_home

import echelon as ec
from echelon.errors import InputError
from echelon.experiments import manifest, write_run
from echelon.model import Platform, Site, TimeSharedMachine, Workload
from echelon.plotting import plot_power
from echelon.reports import report_page
from echelon.reports.checks import check_jobs, check_nodes
from echelon.reports.folder import read_folder
from echelon.reports.page_data.charts import chart_data
from echelon.reports.panels import nodes as node_panel
from echelon.reports.panels import power, site_load, sites
from echelon.reports.result_report import run_tables


@pytest.fixture(scope="module")
def three():
    """Return a run of a job in a node of known power, one in a node of unknown power, one on processors."""
    return run_at_home(
        BESIDES,
        ["x/known", "x/unknown", "plain"],
        submit_time=[0, 0, 0],
        run_time=[100, 50, 200],
        processors=[1, 2, 3],
    )


def tables_of(result):
    """Return what a report knows of a result."""
    return run_tables(result, manifest(result))


def text_of(page):
    """Return the text of a page, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


@pytest.mark.slow
def test_a_page_says_whose_energy_it_shows(three):
    """The panel and the assumptions name the one site of known power, and say that there are others."""
    run = tables_of(three)
    sites = "x/known, as that of the other 2 sites is unknown"
    assert f"Energy is the power of {sites}, over time" in power.PANEL.content([run], ["x"]).body
    assert f"Power known of {sites}" in text_of(report_page([run], title="x"))


def test_a_page_of_sites_of_known_power_has_no_other_to_name():
    """Energy is that of all sites, and no site is said to be unknown."""
    both = Platform((Site("a", nodes(1, 2, power=10)), Site("b", nodes(1, 2, power=20))), "both")
    jobs = Workload.from_columns(submit_time=[0], run_time=[10], processors=[2])
    result = ec.simulate(jobs, platform=both, policy="easy")
    page = report_page([tables_of(result)], title="x")
    assert "Energy is the power of all sites over time" in page
    assert "unknown" not in power.PANEL.content([tables_of(result)], ["x"]).body


def test_nodes_and_jobs_of_unknown_power_have_no_energy_on_the_page(three):
    """The table of nodes has a dash there, the column of jobs -1, which the card of a job leaves out."""
    run = tables_of(three)
    (table,) = node_panel.PANEL.content([run], ["x"]).data["tables"]
    assert dict(zip(table["name"], table["energy"], strict=True)) == {
        "x/known node 0": 2500,
        "x/unknown node 1": None,
    }
    drawn = json.loads(chart_data([run], ["x"]).json)["runs"][0]
    assert (drawn["sites"]["parts"], drawn["labels"]["nodes"]["texts"]) == (True, ["", "0", "1"])
    assert {"energy"} <= drawn["columns"].keys()


@pytest.mark.slow
def test_a_folder_is_read_back_with_what_is_unknown(three, tmp_path):
    """Jobs and nodes without energy are no damage where there are several sites, and the page is the same."""
    write_run(three, tmp_path, manifest(three))
    (again,) = read_folder(tmp_path)
    assert report_page([again], title="x") == report_page([tables_of(three)], title="x")
    for file in tmp_path.glob("*.parquet"):
        file.unlink()
    (text,) = read_folder(tmp_path)
    assert text.jobs["energy"].to_list() == [1500, None, None]
    with pytest.raises(InputError, match="energy"):
        check_jobs(again.jobs)
    with pytest.raises(InputError, match="energy"):
        check_nodes(three.nodes.drop("site"))


def test_a_manifest_has_each_node_once(three):
    """The platform has the nodes of its sites; the hardware beside it is just counted."""
    told = manifest(three)
    assert told["hardware"] == {"nodes": 2, "cores": 4}
    assert [site["name"] for site in told["platform"]["sites"]] == ["x/known", "x/unknown", "plain"]
    assert (told["policy"], told["label"]) == ("easy", "home + easy")


def test_a_cap_of_each_of_several_sites_is_no_line_over_their_sum():
    """Each site keeps the cap by itself: it is told as such, and not drawn over the power of both."""
    both = Platform((Site("a", nodes(1, 2, power=10)), Site("b", nodes(1, 2, power=20))), "both")
    one = Platform((Site("a", nodes(1, 2, power=10)), Site("b", 2)), "one")
    jobs = Workload.from_columns(submit_time=[0, 0], run_time=[10, 20], processors=[2, 2])
    told = {}
    for platform in (both, one):
        result = ec.simulate(jobs, platform=platform, power_cap=100)
        run = tables_of(result)
        labels = [line.get_label() for line in plot_power(result).lines]
        drawn = json.loads(chart_data([run], ["x"]).json)["runs"][0]["power"]["cap"]
        told[platform.name] = (drawn, any("cap" in label for label in labels))
        assert ("100 W in each site" in power.PANEL.content([run], ["x"]).body) == (platform is both)
        plt.close("all")
    assert told == {"both": (None, False), "one": (100, True)}


def test_utilization_of_sites_is_that_of_their_table():
    """The page's table of sites, made of the run's tables, has the utilizations of ``sites.csv``."""
    platform = Platform(
        (Site("a", nodes(2, 4)), Site("plain", 6), Site("desk", TimeSharedMachine(6, 2.0))), "p"
    )
    result = ec.simulate(random_jobs(40, 2, most=4), platform=platform, broker="mct", policy="easy")
    found = sites.PANEL.content([tables_of(result)], ["x"]).data[0]
    shown = dict(zip(found["name"], found["utilization"], strict=True))
    expected = dict(result.sites.select("site", "utilization").rows())
    assert shown == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("sizes", "said"), [((2, 4), "the largest"), ((4, 2), "the last one of the platform")]
)
def test_the_map_of_sites_says_which_is_on_top(sizes, said):
    """Sites are stacked in the platform's order, which need not be that of their sizes."""
    jobs = Workload.from_columns(submit_time=[0, 0], run_time=[10, 20], processors=[2, 2])
    platform = Platform((Site("g/a", sizes[0]), Site("g/b", sizes[1])), "p")
    run = tables_of(ec.simulate(jobs, platform=platform))
    assert f"A row is a site, {said} on top" in site_load.PANEL.content([run], ["x"]).body
