"""The reproduction of the M-CISNE thesis as a whole, on a small scale."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.experiments.processes import Processes
from echelon.reproduce import STUDIES
from echelon.reproduce.machinery.experiments import Parts
from echelon.reproduce.multicluster.experiments import MulticlusterSettings, experiments
from echelon.reproduce.multicluster.speed import decisions_listing, gap_for, six_listing
from echelon.reproduce.multicluster.study import PUBLISHED

pytestmark = [pytest.mark.slow, pytest.mark.long]


@dataclass(frozen=True)
class Tiny(MulticlusterSettings):
    """Two seeds of few jobs."""

    @property
    def jobs(self):
        """Jobs of E1."""
        return 12

    @property
    def jobs_of_choices(self):
        """Jobs of the others."""
        return 2

    @property
    def owners(self):
        """Percents of nodes with owners."""
        return (60,)

    @property
    def clusters(self):
        """Sizes for which the program is timed."""
        return (2, 3)

    @property
    def program_seeds(self):
        """Of its answers."""
        return 1

    @property
    def nodes(self):
        """Nodes for which it is timed."""
        return (3, 4)

    @property
    def few(self):
        """Without what is only set beside the results, as there."""
        return Tiny(self.seeds, quick=True, beside=True)

    @property
    def other(self):
        """The same."""
        return self.few


@pytest.fixture(scope="module")
def whole():
    """Return the whole reproduction in one process."""
    settings = Tiny(2, quick=True)
    told = []
    with Processes(1) as processes:
        found = experiments(settings, processes, Parts(lambda what: told.append(what)))
    return PUBLISHED.reproduction(found, settings, 1.0), told


def test_it_has_all_its_parts(whole):
    """Tables, figures, claims, listings, pictures and notes, and all of it as JSON."""
    found, told = whole
    assert len(found.tables) == 8
    assert len(found.printed) == 11
    assert [claim.name for claim in found.claims] == [f"C{number}" for number in range(1, 27)]
    assert len(found.listings) == 15
    assert len(found.pictures) == 13
    assert found.notes[0].startswith("A preview only: 2 seeds")
    assert "in 8 of 8 runs" in found.notes[-1]
    assert json.dumps(found.to_dict())
    assert set(told) == set(found.setting["seconds_by_part"])


def test_the_page_is_written(whole, tmp_path):
    """The folder has the page, the results and a chart a picture."""
    from echelon.reproduce.report.folders import write_reproduction

    found, _ = whole
    written = write_reproduction(found, str(tmp_path), {"command": ["echelon"], "versions": {}})
    assert sum(path.suffix == ".png" for path in written) == len(found.pictures)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Table 3.10" in page or "table 3.10" in page
    assert "C26" in page


def test_settings_are_checked():
    """Too few seeds for an interval, and what is no number, are refused; quick takes less."""
    for seeds in (1, 0, -3, 1001, 2.5, True):
        with pytest.raises(InputError, match="from 2 to 1000"):
            MulticlusterSettings(seeds)
    full, quick = MulticlusterSettings.of(), MulticlusterSettings.of(quick=True)
    assert full.history_runs * 3 * full.jobs == 50_400
    assert (quick.jobs, quick.owners, len(quick.clusters)) == (200, (0, 60), 4)
    assert full.few.owners == (0, 60)
    assert full.few.jobs == full.jobs


def test_speed_is_told():
    """Six estimators by load; and decisions by clusters and load, each timed."""
    six = six_listing(20)
    assert [row[0] for row in six.rows] == ["dedicated", "shared", "high load"]
    listing = decisions_listing((1, 2), (4.0,), jobs_in_queues=10, jobs=None)
    assert [row[0] for row in listing.rows] == ["1", "2", "2"]
    jobs, load, seconds, each, asked = listing.rows[2][1:6]
    assert (jobs, load, asked) == (20, 4, 2)
    assert each == pytest.approx(1000 * seconds / 20)
    assert gap_for(100, 0.5) == pytest.approx(3.332)


def test_it_is_a_study():
    """It is found by its name, takes seeds, quick and speed, and asks no digits of a laboratory."""
    one = STUDIES["multicluster"]
    assert one.settings == ("seeds", "quick", "speed")
    assert not one.to_the_digit
    with pytest.raises(InputError, match="takes no weeks"):
        one.reproduce(weeks=2)
    with pytest.raises(InputError, match="from 2 to 1000"):
        one.reproduce(seeds=1)


def test_everything_measured_is_finite(whole):
    """No table has a hole where something was measured; of waits, where anybody waited."""
    found, _ = whole
    for table in found.tables:
        for row in table.rows:
            if table.name not in {"table 3.8", "table 3.9", "table 3.10"}:
                assert np.isfinite(row.got).all()
    others = [table for table in found.tables if table.name in {"table 3.4", "table 3.7", "table 3.11"}]
    assert len(others) == 3
