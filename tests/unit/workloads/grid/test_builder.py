"""Building a grid's workload: whose jobs, when, and what is told of those left out."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.model import Instance
from echelon.workloads import GridRecipe, SiteLog, grid_workload, read_workload, write_workload
from echelon.workloads.grid import GRID1, GRID2, recipe_of, write_weeks
from echelon.workloads.grid.spec import grid_jobs, names_grid

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.workloads import GridWorkload

DAY = 86_400


def in_each_week(grid: GridWorkload) -> list[list[int]]:
    """Count the jobs of each experiment by home site."""
    sites = len(grid.recipe.site_names)
    return [np.bincount(week.int_column("partition"), minlength=sites + 1)[1:].tolist() for week in grid]


def test_weeks_hold_the_jobs_of_their_days(two_sites: GridRecipe) -> None:
    """Five days of an hourly and a two-hourly log are 120 and 60 jobs; a week begins at its midnight."""
    grid = grid_workload(two_sites)
    assert len(grid) == 2
    assert in_each_week(grid) == [[120, 60], [120, 60]]
    for week in grid:
        assert week.submit_time[0] == 0
        assert week.submit_time[-1] == 5 * DAY - 3600
        assert week.job_id.tolist() == list(range(1, 181))
    assert [one.by_week.tolist() for one in grid.contributions] == [[120, 120], [60, 60]]


def test_hours_of_both_readings(two_sites: GridRecipe) -> None:
    """A job of 9:00 in Stockholm comes at 0:00 Pacific time, or at 9:00 of its own clock."""
    with_user = read_workload(two_sites.logs[0].log)
    nine = (with_user.submit_time % DAY) == 21 * 3600  # the log begins at noon
    write_workload(with_user.with_columns(user=np.where(nine, 1, 2)), two_sites.logs[0].log)
    for hours, hour in (("converted", 0), ("own", 9)):
        week = grid_workload(two_sites, hours=hours).week(1)
        mine = week.user == week.names["user"].index("hourly:1") + 1
        assert set((week.submit_time[mine] % DAY).tolist()) == {hour * 3600}


def test_run_times_scale_the_load(two_sites: GridRecipe) -> None:
    """With a factor of 0.5 runs of 60 s and requests of 100 s are 30 and 50 s, and as many jobs come."""
    grid, half = grid_workload(two_sites), grid_workload(two_sites, run_times=0.5)
    assert set(half.jobs.run_time.tolist()) == {30.0}
    assert set(half.jobs.requested_time.tolist()) == {50.0}
    assert half.jobs.submit_time.tolist() == grid.jobs.submit_time.tolist()
    assert "times 0.5" in " ".join(value for _, value in half.week(1).header.lines)


def test_jobs_that_did_not_complete_are_left_out_on_request(log_of: Callable[..., str]) -> None:
    """Of jobs failed (0), completed (1) and canceled (5), and one that does not say, two are kept."""
    hours = 16 * 24
    log = log_of("mixed", [3600 * k for k in range(hours)], status=np.resize([0, 1, 5, -1], hours))
    recipe = GridRecipe("one", (SiteLog(log, "EAST", 8),), weeks=2)
    grid = grid_workload(recipe, filters="completed")
    assert set(grid.jobs.int_column("status").tolist()) == {1, -1}
    assert len(grid.jobs) == len(grid_workload(recipe).jobs) / 2
    assert [(one.reason, one.count) for one in grid.contributions[0].dropped] == [
        ("no completion", hours // 2)
    ]


def test_homes_and_users_are_kept(two_sites: GridRecipe, tmp_path: Path) -> None:
    """Partitions are named after the sites in every format, and equal users of two logs are two."""
    grid = grid_workload(two_sites)
    week = grid.week(2)
    assert week.names["partition"] == ("EAST", "WEST")
    assert week.names["user"] == ("hourly:7", "rare:7")
    homes = Instance.of(week, grid.platform).home_site
    assert set(homes.tolist()) == {0, 1}
    for ending in ("swf", "swf.gz", "csv", "parquet"):
        write_workload(week, tmp_path / f"week.{ending}")
        read = read_workload(tmp_path / f"week.{ending}")
        assert read == week
        assert read.names["partition"] == ("EAST", "WEST")
        assert np.array_equal(Instance.of(read, grid.platform).home_site, homes)


def test_a_folder_holds_one_grid_of_a_name(two_sites: GridRecipe, tmp_path: Path) -> None:
    """Weeks of an earlier merge that this one has not are removed; whatever else is there stays."""
    folder = tmp_path / "weeks"
    write_weeks(grid_workload(two_sites), folder)
    for other in ("pair-week-02.csv", "pair-week-two.swf.gz", "pair2-week-02.swf.gz"):
        (folder / other).write_text("not of this grid")
    write_weeks(grid_workload(two_sites, weeks=1), folder)
    assert {file.name for file in folder.iterdir()} == {
        *("pair-week-01.swf.gz", "summary.json"),
        *("pair-week-02.csv", "pair-week-two.swf.gz", "pair2-week-02.swf.gz"),
    }


def test_filters_drop_and_count(log_of: Callable[..., str]) -> None:
    """Jobs are dropped by reason; a log without requested processors is empty by the literal filters."""
    hours = [3600.0 * k for k in range(10 * 24)]
    run = np.full(len(hours), 60)
    run[50:55] = 0
    user = np.full(len(hours), 3)
    user[52:60] = -1
    path = log_of("holes", hours, run_time=run, user=user)
    recipe = GridRecipe("one", (SiteLog(path, "HOME"),), weeks=1)
    grid = grid_workload(recipe)
    assert {one.reason: one.count for one in grid.contributions[0].dropped} == {
        "run time <= 0": 5,
        "user id <= 0": 5,
    }
    assert len(grid.week(1)) == 110
    with pytest.raises(InputError, match="has no job after all filters"):
        grid_workload(recipe, filters="literal")
    assert len(grid_workload(recipe, filters="none").week(1)) == 120


def test_a_log_emptied_by_filters_is_told(two_sites: GridRecipe, log_of: Callable[..., str]) -> None:
    """One site without jobs leaves the others theirs, and is an anomaly of the workload."""
    hours = [3600.0 * k for k in range(16 * 24)]
    whole = SiteLog(log_of("whole", hours, requested_processors=np.full(len(hours), 2)), "THIRD")
    grid = grid_workload(replace(two_sites, logs=(*two_sites.logs, whole)), filters="literal")
    assert in_each_week(grid) == [[0, 0, 120]] * 2
    assert [one.kind for one in grid.jobs.anomalies] == ["no-jobs", "no-jobs"]
    assert "384 with requested processors <= 0" in grid.jobs.anomalies[0].sentence


def test_sizes_and_the_largest(log_of: Callable[..., str]) -> None:
    """Requested sizes replace allocated ones on request, larger jobs are dropped or told."""
    hours = [3600.0 * k for k in range(10 * 24)]
    count = len(hours)
    path = log_of(
        "both", hours, allocated_processors=np.full(count, 9), requested_processors=np.full(count, 2)
    )
    recipe = GridRecipe("one", (SiteLog(path, "HOME", 8),), weeks=1)
    week = grid_workload(recipe).week(1)
    assert {one.kind: one.count for one in week.anomalies} == {
        "larger-than-home": 120,
        "larger-than-every-site": 120,
    }
    asked = grid_workload(recipe, sizes="requested", largest=2)
    assert asked.week(1).processors.tolist() == [2] * 120
    assert asked.week(1).anomalies == ()
    with pytest.raises(InputError, match="has no job"):
        grid_workload(recipe, largest=8)


def test_short_logs(two_sites: GridRecipe) -> None:
    """A log of two weeks gives three only by beginning again, or not at all."""
    with pytest.raises(InputError, match=r"has 2 full weeks of mon-fri, expected 3"):
        grid_workload(two_sites, weeks=3)
    assert in_each_week(grid_workload(two_sites, weeks=3, short_logs="leave-out"))[2] == [0, 0]
    wrapped = grid_workload(two_sites, weeks=5, short_logs="wrap")
    assert in_each_week(wrapped) == [[120, 60]] * 5
    assert wrapped.week(1) == wrapped.week(3) == wrapped.week(5)
    assert wrapped.contributions[0].full_weeks == 2


def test_the_first_week_may_be_a_later_one(two_sites: GridRecipe) -> None:
    """Week 1 from the second full week on is week 2 from the first; a log is shorter then."""
    later = grid_workload(two_sites, first_week=2, weeks=1)
    assert later.week(1) == grid_workload(two_sites).week(2)
    assert later.contributions[0].full_weeks == 1
    with pytest.raises(InputError, match="has 1 full week"):
        grid_workload(two_sites, first_week=2)
    with pytest.raises(InputError, match="has 0 full weeks"):
        grid_workload(two_sites, first_week=40, weeks=1)


def test_a_partition_of_a_log_is_a_site(log_of: Callable[..., str]) -> None:
    """One log gives two sites their jobs by the names or codes of its partitions; unknown ones are errors."""
    hours = [3600.0 * k for k in range(10 * 24)]
    path = log_of("both", hours, partition=np.arange(240) % 3 + 1)
    log = read_workload(path)
    write_workload(replace(log, names={"partition": ("fs0", "fs1", "")}), path)
    text = (f"{path}#fs0@A:8", f"{path}#2@B:4")
    grid = grid_workload(recipe_of(text), weeks=1)
    assert in_each_week(grid) == [[40, 40]]
    assert grid.jobs.names["user"] == ("both#fs0:7", "both#2:7")
    for part, error in (("fs9", UnknownNameError), ("7", InputError)):
        with pytest.raises(error):
            grid_workload(recipe_of((f"{path}#{part}@A:8",)), weeks=1)


def test_preceding_jobs_stay_in_their_week(log_of: Callable[..., str]) -> None:
    """A preceding job is named by its new number, and forgotten if it is in no week or another."""
    hours = [3600.0 * k for k in range(16 * 24)]
    before = np.arange(len(hours))  # each waits for the job before it
    path = log_of("chain", hours, preceding_job=np.where(before > 0, before, -1))
    for week in grid_workload(GridRecipe("one", (SiteLog(path, "HOME"),), weeks=2)):
        assert week.int_column("preceding_job").tolist() == [-1, *range(1, 120)]


def test_ties_go_to_the_log_named_first(two_sites: GridRecipe) -> None:
    """Of jobs submitted at the same second, those of the first log come first."""
    week = grid_workload(two_sites).week(1)
    assert week.int_column("partition")[:6].tolist() == [1, 1, 2, 1, 1, 2]


def test_missing_logs_are_named_or_stood_in_for(
    two_sites: GridRecipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every missing log is named; stand-ins are marked in name, header, anomalies; each site has its own."""
    monkeypatch.setenv("ECHELON_DATA", "")
    logs = (*two_sites.logs, *GRID2.logs[:2])
    recipe = replace(two_sites, logs=logs)
    with pytest.raises(
        InputError, match=r"das2-fs2 of DAS2-Amsterdam, das2-fs3 of DAS2-Delft: .*its hash is unknown"
    ):
        grid_workload(recipe)
    grid = grid_workload(recipe, stand_ins="lublin")
    assert grid.stand_ins == ("DAS2-Amsterdam", "DAS2-Delft")
    week = grid.week(2)
    assert week.name == "pair-with-stand-ins-week-02"
    assert [one.kind for one in week.anomalies] == ["stand-in", "stand-in"]
    assert sum(note.startswith("stand-in: ") for note in week.header.all("Note")) == 2
    counts = in_each_week(grid)[1]
    assert counts[:2] == [120, 60]
    assert min(counts[2:]) > 100
    assert counts[2] != counts[3]
    drawn = week.int_column("partition") > 2
    assert week.processors[drawn].max() <= 64
    assert (week.requested_time[drawn] > 0).all()
    assert grid_workload(recipe, stand_ins="lublin", seed=1).week(1) != grid.week(1)


def test_a_missing_log_that_appears_is_read(
    two_sites: GridRecipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of DAS-2 in a folder of ECHELON_DATA is used, also by a process that found none before."""
    monkeypatch.setenv("ECHELON_DATA", str(tmp_path))
    recipe = replace(two_sites, logs=(two_sites.logs[0], GRID2.logs[0]), stand_ins="lublin")
    assert grid_workload(recipe).stand_ins == ("DAS2-Amsterdam",)
    (tmp_path / "DAS2-fs2-2003-1.swf").write_bytes(Path(two_sites.logs[1].log).read_bytes())
    assert grid_workload(recipe).stand_ins == ()
    assert in_each_week(grid_workload(recipe)) == [[120, 60]] * 2


def test_two_logs_of_one_site(two_sites: GridRecipe) -> None:
    """Logs may share a site and two sites a log, whose users are two then; sizes must agree."""
    first, second = two_sites.logs
    shared = grid_workload(replace(two_sites, logs=(first, replace(second, site="EAST", processors=8))))
    assert in_each_week(shared) == [[180], [180]]
    twice = grid_workload(replace(two_sites, logs=(first, replace(first, site="WEST"))))
    assert twice.jobs.names["user"] == ("hourly@EAST:7", "hourly@WEST:7")
    with pytest.raises(InputError, match="8 processors by one log and 16 by another"):
        grid_workload(replace(two_sites, logs=(first, replace(second, site="EAST"))))


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"weks": 3}, UnknownNameError),
        ({"time_zone": "Mars/Olympus"}, InputError),
        ({"days": "someday"}, InputError),
        ({"short_logs": "loop"}, UnknownNameError),
    ],
)
def test_wrong_changes_are_refused(two_sites: GridRecipe, change: dict[str, str], error: type) -> None:
    """An unknown field, zone, day or word is one sentence."""
    with pytest.raises(error):
        grid_workload(two_sites, **change)


def test_weeks_are_counted_from_one(two_sites: GridRecipe) -> None:
    """There is no week 0, and none beyond the last."""
    grid = grid_workload(two_sites)
    for number in (0, 3, -1):
        with pytest.raises(InputError, match="from 1 to 2"):
            grid.week(number)
    with pytest.raises(UnknownNameError):
        grid_workload("grid9")


def test_specs_are_understood_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """grid1:week=3 names a week; a file of that name comes first; a wrong spec is one sentence."""
    monkeypatch.chdir(tmp_path)
    assert names_grid("grid1:week=3")
    assert names_grid("GRID2")
    assert not names_grid("grid9:week=3")
    Path("grid1").write_text("", encoding="utf-8")
    assert not names_grid("grid1")
    for text in (
        "grid1:week",
        "grid1:week=x",
        "grid1:week=1:week=2",
        "grid1:weeks=0",
        "grid1:run-times=x",
        "grid1:run-times=0",
    ):
        with pytest.raises(InputError):
            grid_jobs(text)
    with pytest.raises(UnknownNameError, match="stand-ins"):
        grid_jobs("grid1:stand-in=lublin")


@pytest.fixture(scope="module")
def grid1() -> GridWorkload:
    """Return Grid 1 from the real logs, or skip."""
    if not os.environ.get("ECHELON_DATA"):
        pytest.skip("ECHELON_DATA names no folder with the seven logs")
    from echelon.workloads import find

    if missing := [log.log for log in GRID1.logs if find(log.log) is None]:
        pytest.skip(f"not on this machine: {', '.join(missing)}")
    return grid_workload(GRID1)


def test_grid1_of_the_study(grid1: GridWorkload) -> None:
    """Thirty weeks of seven logs: their sizes stay near what the study's migration tables imply.

    Tables 8 and 9 give, by size class, 6434, 258, 41, 142, 111 and 5 jobs an experiment. Our versions of the
    logs are newer: the classes that hold whole machines of the small sites agree within a fifth.
    """
    assert len(grid1) == 30
    assert [one.given for one in grid1.contributions] == [14486, 14183, 15869, 39690, 28867, 35971, 41697]
    classes = np.bincount(np.searchsorted(grid1.platform.sizes, grid1.jobs.processors), minlength=8) / 30
    assert np.allclose(classes[:5], [6434, 258, 41, 142, 111], rtol=0.2)
    assert classes[7] * 30 == 28
    assert grid1.summary()["larger_than_every_site"] == 28


def test_grid1_week_by_its_spec(grid1: GridWorkload) -> None:
    """The third week of Grid 1 is the same by its spec, and simulates without a dropped job."""
    week = read_workload("grid1:week=3")
    assert week == grid1.week(3)
    assert len(week.digest) == 64
    assert Instance.of(week, grid1.platform).dropped == ()


def test_grid2_of_the_study_where_its_logs_are_here(grid1: GridWorkload) -> None:
    """Without DAS-2, whose jobs are small, the larger sizes are as often as the study's tables imply.

    Those are 16, 121, 1 and 46 jobs an experiment of 65 to 100, to 144, to 240 and to 430 processors.
    """
    assert len(grid1) == 30
    here = tuple(log for log in GRID2.logs if not log.log.startswith("das2"))
    grid = grid_workload(replace(GRID2, logs=here))
    found = np.bincount(np.searchsorted([64, 100, 144, 240, 430], grid.jobs.processors), minlength=6) / 30
    assert np.allclose(found[1:5], [16, 121, 1, 46], rtol=0.2)
