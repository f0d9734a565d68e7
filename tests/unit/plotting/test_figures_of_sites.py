"""Figures of grids: bars of sites, their load over time, migration between them."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure

from echelon.errors import InputError, UnknownNameError
from echelon.model import Platform, Site
from echelon.plotting import figure_bytes, plot_migration, plot_site_load, plot_sites

FIGURES = {
    "jobs": lambda run, **ax: plot_sites({"mct": run}, **ax),
    "utilization": lambda run, **ax: plot_sites({"mct": run, "mst": run}, quantity="utilization", **ax),
    "load": plot_site_load,
    "migration": plot_migration,
    "migration-work": partial(plot_migration, count="work"),
}


@pytest.fixture
def grid():
    """Give jobs a and b at home on small (2) and large (4), c from small on large."""
    table = pl.DataFrame(
        {
            "submit_time": [0.0, 0.0, 0.0],
            "start_time": [0.0, 0.0, 50.0],
            "end_time": [100.0, 50.0, 100.0],
            "processors": [2, 4, 2],
            "site": ["small", "large", "large"],
            "home_site": ["small", "large", "small"],
        }
    )
    return SimpleNamespace(jobs=table, platform=Platform((Site("small", 2), Site("large", 4))))


def many(sites):
    """Return jobs on so many sites, each from the next one."""
    names = [f"site-{k}" for k in range(sites)]
    table = pl.DataFrame(
        {
            "submit_time": np.zeros(sites),
            "start_time": np.zeros(sites),
            "end_time": np.arange(sites) + 1.0,
            "processors": np.ones(sites, dtype=np.int64),
            "site": names,
            "home_site": [*names[1:], names[0]],
        }
    )
    return SimpleNamespace(jobs=table, platform=Platform(tuple(Site(name, 1) for name in names)))


@pytest.mark.slow
@pytest.mark.parametrize("plot", FIGURES.values(), ids=FIGURES)
def test_it_draws_into_given_axes_or_new_ones(plot, grid):
    """Given axes are used and returned; without, a figure is made that can be written."""
    left, right = Figure().subplots(1, 2)
    assert plot(grid, ax=left) is left
    assert left.get_xlabel()
    assert not right.has_data()
    assert len(figure_bytes(plot(grid).figure, "svg")) > 1000


@pytest.mark.parametrize("plot", FIGURES.values(), ids=FIGURES)
def test_one_machine_has_no_sites(plot, grid):
    """Jobs of one machine are refused, and so is a platform of one site."""
    for run in (grid.jobs.drop("site"), grid.jobs.with_columns(site=pl.lit("cluster"))):
        with pytest.raises(InputError, match="ran on one machine"):
            plot(run)


@pytest.mark.slow
@pytest.mark.parametrize("plot", FIGURES.values(), ids=FIGURES)
def test_three_hundred_sites(plot):
    """Many sites are put together or cut down, and at most some dozens of names are written."""
    ax = plot(many(300))
    assert len(ax.get_yticklabels()) <= 60
    ax.figure.draw_without_rendering()
    assert sum(bool(label.get_text()) for label in ax.get_yticklabels()) > 5


def test_bars_are_shares(grid):
    """Large ran two of three jobs and 300 of 500 processor-seconds, and was busy for three quarters."""

    def widths(quantity):
        ax = plot_sites({"mct": grid}, quantity=quantity)
        names = [text.get_text() for text in ax.get_yticklabels()]
        return dict(zip(names, [bar.get_width() for bar in ax.patches], strict=True))

    assert widths("jobs") == pytest.approx({"large": 200 / 3, "small": 100 / 3})
    assert widths("work") == pytest.approx({"large": 60.0, "small": 40.0})
    assert widths("utilization") == pytest.approx({"large": 75.0, "small": 100.0})


def test_load_is_a_row_a_site(grid):
    """The small site is always full, the large one only in the first half."""
    shown = plot_site_load(grid).images[0].get_array()
    assert shown.shape[0] == 2
    assert (shown[0, 0], shown[0, -1], shown[1, 0], shown[1, -1]) == pytest.approx((100, 100, 100, 50))


def test_migration_writes_its_cells(grid):
    """Each cell with jobs says how many; the title says how much ran away from home."""
    jobs, work = plot_migration(grid), plot_migration(grid, count="work")
    assert sorted((*text.get_position(), text.get_text()) for text in jobs.texts) == [
        *((0, 0, "1"), (1, 0, "1"), (1, 1, "1"))
    ]
    assert jobs.get_title(loc="left") == "33.3 % of the jobs away from home"
    assert sorted(text.get_text() for text in work.texts) == ["20.0", "40.0", "40.0"]


def test_what_is_wrong(grid):
    """Unknown names, no run, no home and different sites are one sentence each."""
    with pytest.raises(UnknownNameError, match="age"):
        plot_sites({"mct": grid}, quantity="age")
    with pytest.raises(UnknownNameError, match="age"):
        plot_migration(grid, count="age")
    with pytest.raises(InputError, match="at least one job"):
        plot_sites({})
    with pytest.raises(InputError, match="none is known"):
        plot_migration(SimpleNamespace(jobs=grid.jobs.drop("home_site"), platform=grid.platform))
    with pytest.raises(InputError, match="have different sites"):
        plot_sites({"a": grid, "b": many(3)})


@pytest.mark.slow
def test_names_are_shown_letter_by_letter(grid):
    """Whatever sites are called, no name is a formula or stops a figure."""
    names = {"small": "a$b^$", "large": "_日本"}
    table = grid.jobs.with_columns(pl.col("site", "home_site").replace(names))
    run = SimpleNamespace(jobs=table, platform=Platform((Site("a$b^$", 2), Site("_日本", 4))))
    for plot in FIGURES.values():
        assert figure_bytes(plot(run).figure, "svg").startswith(b"<?xml")
