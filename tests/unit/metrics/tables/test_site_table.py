"""A schedule on a grid, site by site."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon import Workload
from echelon.errors import InputError
from echelon.metrics import measure, per_site
from echelon.model import Instance, Platform, Schedule


def placed(
    *, submit=(0, 0, 10), run=(10, 20, 10), size=(2, 1, 4), start=(0, 5, 10), site=(0, 0, 1), homes=None
):
    """Return a schedule on sites of 2, 4 and 8 processors called a, b and c."""
    platform = Platform.of_sizes([2, 4, 8])
    workload = Workload.from_columns(submit_time=submit, run_time=run, requested_time=run, processors=size)
    home = None if homes is None else np.array(homes)
    return Schedule(
        Instance.of(workload, platform), np.array(start, float), site=np.array(site), home_site=home
    )


def test_every_site_has_a_row_by_hand():
    """Sites are in the platform's order; one without jobs is there, its means unknown."""
    table = per_site(placed())
    assert table["site"].to_list() == ["site-1", "site-2", "site-3"]
    assert table["processors"].to_list() == [2, 4, 8]
    assert table["jobs"].to_list() == [2, 1, 0]
    assert table["area"].to_list() == [40, 40, 0]
    assert table["area_share"].to_list() == [0.5, 0.5, 0]
    # From the first submission at 0 to the last end at 25.
    assert table["utilization"].to_list() == [40 / (2 * 25), 40 / (4 * 25), 0]
    assert table["mean_wait"].to_list() == [2.5, 0, None]
    assert table["max_wait"].to_list() == [5, 0, None]
    assert table["mean_bounded_slowdown"].to_list() == [(1 + 25 / 20) / 2, 1, None]
    assert table["jobs_from_elsewhere"].to_list() == [None, None, None]


def test_jobs_from_elsewhere():
    """A job counts where it ran if its home is another site; one of unknown home does not."""
    assert per_site(placed(homes=(1, 0, 0)))["jobs_from_elsewhere"].to_list() == [1, 1, 0]
    assert per_site(placed(homes=(1, -1, 1)))["jobs_from_elsewhere"].to_list() == [1, 0, 0]


def test_one_machine_has_no_sites():
    """A schedule on one machine is refused."""
    workload = Workload.from_columns(submit_time=[0], run_time=[1], requested_time=[1], processors=[1])
    with pytest.raises(InputError, match="needs a schedule on a grid"):
        per_site(Schedule(Instance.of(workload, 2), np.array([0.0])))


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(1, 50), st.integers(0, 2)), min_size=1, max_size=30)
)
def test_sites_add_up_to_the_grid(jobs):
    """Jobs and areas add up to the grid's; utilizations weighted by processors have its as mean."""
    wait, run, site = map(list, zip(*jobs, strict=True))
    zeros, ones = [0] * len(jobs), [1] * len(jobs)
    schedule = placed(submit=zeros, run=run, size=ones, start=wait, site=site, homes=zeros)
    table, metrics = per_site(schedule), measure(schedule)
    assert table["jobs"].sum() == len(jobs)
    assert table["area"].sum() == sum(run)
    assert table["area_share"].sum() == pytest.approx(1)
    assert (table["utilization"] * table["processors"]).sum() / 14 == pytest.approx(metrics["utilization"])
    assert table["jobs_from_elsewhere"].sum() == sum(here != 0 for here in site)
