"""The grid study on its own logs, in a reduced form: one week, few factors, every third other reading.

The logs are found through ECHELON_DATA or the cache; without them these tests skip.
"""

from __future__ import annotations

import csv
import json
from functools import cache

import pytest

from echelon.reproduce import Reproduction, reproduce
from echelon.reproduce.grid import experiments
from echelon.reproduce.grid.data import EIGHTEEN
from echelon.workloads.files import datasets
from echelon.workloads.grid import GRID1, site_logs

pytestmark = [pytest.mark.slow, pytest.mark.long]


@pytest.fixture(scope="module")
def found() -> Reproduction:
    missing = [log.log for log in GRID1.logs if datasets.find(log.log) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)}: neither in a folder of ECHELON_DATA nor in the cache")
    with pytest.MonkeyPatch.context() as patch:
        # Each log is read once, not for every reading of the grid: workloads are frozen.
        patch.setattr(site_logs, "read_workload", cache(site_logs.read_workload))
        patch.setattr(experiments, "READINGS", experiments.READINGS[::3])
        return reproduce("grid", weeks=1, quick=True)


def test_every_table_is_there(found):
    """All twelve parts of the tables; what is of Grid 2 says why it has no number."""
    numbers = ("3", "4", "5", "6", "7", "8 a", "8 b", "9 a", "9 b", "10", "12", "13")
    assert [table.name for table in found.tables] == [f"table {number}" for number in numbers]
    for table in found.tables:
        untested = [row for row in table.rows if row.got is None]
        assert all("missing" in row.untested for row in untested)
        assert bool(table.figures) != table.name.endswith("b") or not untested
    assert "Grid 1" in found.setting["grids"]
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["study"] == "grid"


def test_what_no_choice_of_weeks_changes(found):
    """Random is far behind on Grid 1, sizes of sites order who may take from whom, the bounds are kept."""
    tables = {table.name: table for table in found.tables}
    rank = dict(zip(tables["table 4"].columns, tables["table 4"].rows[4].got, strict=True))
    assert rank["Random"] >= 7
    moved = [row.got for row in tables["table 8 a"].rows[:-1]]
    assert all(not jobs for k, row in enumerate(moved) for jobs in row[: k + 1])
    assert moved[0][1] > 0
    verdicts = {claim.name: claim.verdict for claim in found.claims}
    assert verdicts["C7a"] == verdicts["C7b"] == "holds"
    assert verdicts["T13"] == "not testable"


def test_its_files(found):
    """The values of every week, strategy and metric are a file a grid."""
    rows = list(csv.DictReader(found.files["grid-1-two-levels.csv"]().decode().splitlines()))
    assert [row["strategy"] for row in rows] == list(EIGHTEEN)
    assert all(float(row["rho"]) >= 1 and float(row["t_w"]) >= 0 for row in rows)
    assert {picture.name for picture in found.pictures} >= {
        "sweep-grid-1",
        "bounds-on-line",
        "migration-jobs-grid-1",
    }
