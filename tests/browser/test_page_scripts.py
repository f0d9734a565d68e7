"""Parts of the page's scripts, each against its definition in numpy."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import echelon.reports
from echelon.plotting.study.letters import wrap_name
from echelon.quantities import bounds, duration, figure, quantity
from echelon.reports.study.svg import text_room

PAGE = Path(echelon.reports.__file__).parent / "page"


@pytest.fixture
def run_scripts(tab, tmp_path):
    """Give a function that runs scripts of the page, then an expression of theirs, and returns its value."""
    page = tmp_path / "empty.html"
    page.write_text("<html data-ready=true></html>")
    tab.open(page)

    def run(names, data, expression):
        scripts = "\n".join((PAGE / name).read_text(encoding="utf-8") for name in names)
        return tab.value(f"(() => {{ {scripts}\nconst data = {json.dumps(data)};\n{expression} }})()")

    return run


@pytest.mark.parametrize("n", [1, 7, 33, 5000])
def test_strips_have_mean_least_and_most_of_each_column(run_scripts, n):
    """The summaries of many steps give what looking at every step gives, from before the first to the end."""
    random = np.random.default_rng(n)
    time, value = np.sort(random.choice(9 * n, n, replace=False)) + 0.0, random.integers(0, 99, n)
    view = {"t0": -3.5, "t1": 9.0 * n + 2}
    found = run_scripts(
        ["base/data.js", "gantt/strip.js"],
        {"time": time.tolist(), "value": value.tolist(), "view": view},
        "const { mean, least, most } = sample(steps(data.time, data.value), data.view, 40);"
        "return [[...mean], [...least], [...most], peak(steps(data.time, data.value), data.view)];",
    )
    edges = np.linspace(view["t0"], view["t1"], 41)
    fine = np.unique(np.concatenate((edges, time)))
    held = np.concatenate(([0], value))[np.searchsorted(time, fine[:-1], side="right")]
    column = np.searchsorted(edges, fine[:-1], side="right") - 1
    assert found[3] == value.max()
    for at in range(40):
        here = column == at
        length = np.diff(fine)[here]
        assert found[0][at] == pytest.approx((held[here] * length).sum() / length.sum(), rel=1e-4, abs=1e-4)
        assert (found[1][at], found[2][at]) == (held[here].min(), held[here].max())


def schedule(n, seed):
    """Return random rectangles, each of one job, that may overlap: for finding them that does not matter."""
    random = np.random.default_rng(seed)
    return {
        "jobs": n,
        "start": random.integers(0, 10_000, n).tolist(),
        "run": np.floor(10 ** random.uniform(0, 4, n)).tolist(),
        "gantt": {
            "count": [1] * n,
            "first": random.integers(0, 100, n).tolist(),
            "height": random.integers(1, 20, n).tolist(),
        },
    }


@pytest.mark.parametrize(
    "view", [(0, 20_000, 0, 120), (3000, 3001, 0, 120), (5000, 7000, 40, 44), (-9, -1, 0, 9)]
)
def test_rectangles_of_a_part_are_all_found(run_scripts, view):
    """Those that touch a part of the schedule, short and long, and no others."""
    run = schedule(2000, 3)
    t0, t1, p0, p1 = view
    found = run_scripts(
        ["gantt/rectangles.js"],
        {"run": run, "view": {"t0": t0, "t1": t1, "p0": p0, "p1": p1}},
        "return new Rectangles(data.run).within(data.view, Infinity).filter((_, k) => k % 2);",
    )
    start, first = np.array(run["start"]), np.array(run["gantt"]["first"])
    end, high = start + np.array(run["run"]), first + np.array(run["gantt"]["height"])
    expected = np.flatnonzero((start <= t1) & (end >= t0) & (first < p1) & (high > p0))
    assert sorted(found) == expected.tolist()


def test_a_pixel_is_as_busy_as_the_jobs_on_it_and_has_the_color_of_the_majority(run_scripts):
    """Shares of random rectangles add up; any color with more than half of the busy part wins."""
    random = np.random.default_rng(11)
    cuts = [np.unique(random.uniform(0, 6, 40)) for _ in range(8)]
    boxes = [
        (left, right, row * 0.5, row * 0.5 + 0.5, int(random.integers(0, 3)))
        for row, edges in enumerate(cuts)
        for left, right in pairwise(edges)
        if random.random() < 0.8
    ]
    busy, color = run_scripts(
        ["gantt/tiles.js"],
        boxes,
        "const ballot = new Ballot(4);"
        "for (const [x0, x1, y0, y1, color] of data) ballot.add(x0, x1, y0, y1, color, 1);"
        "return [[...ballot.busy.slice(0, 24)], [...ballot.code.slice(0, 24)]];",
    )
    shares = np.zeros((6, 4, 3))
    for x0, x1, y0, y1, code in boxes:
        for x in range(6):
            for y in range(4):
                wide, tall = min(x1, x + 1) - max(x0, x), min(y1, y + 1) - max(y0, y)
                shares[x, y, code] += max(0, wide) * max(0, tall)
    total = shares.sum(axis=2)
    assert np.array(busy).reshape(6, 4) == pytest.approx(total, abs=1e-5)
    clear = shares.max(axis=2) > 0.501 * total
    assert clear.sum() > 5
    assert (np.array(color).reshape(6, 4) == shares.argmax(axis=2))[clear].all()


@pytest.mark.parametrize(
    ("span", "origin", "expected"),
    [
        ((0, 600), None, ["00:00\nday 0", "00:02", "00:04", "00:06", "00:08", "00:10"]),
        ((0.2, 0.36), None, ["00:00.20\nday 0", "00:00.25", "00:00.30", "00:00.35"]),
        ((0, 86_400 * 800), 893_500_000, ["1998-07", "1999-01", "1999-07", "2000-01", "2000-07"]),
        (
            (0, 86_400 * 30),
            893_500_000,
            ["1998-04-27", "1998-05-04", "1998-05-11", "1998-05-18", "1998-05-25"],
        ),
        ((0, 86_400 * 4000), None, ["day 0", "day 1000", "day 2000", "day 3000", "day 4000"]),
    ],
)
def test_ticks_of_a_time_axis_are_round(run_scripts, span, origin, expected):
    """Minutes, fractions of seconds, Mondays and months of the calendar, days counted where there is none."""
    labels = run_scripts(
        ["base/format.js", "charts/ticks.js"],
        {"span": span, "origin": origin},
        "return timeLabels(timeTicks(...data.span, 5, data.origin), data.origin);",
    )
    assert labels == expected


def test_ticks_are_round_on_the_clock_of_the_zone(run_scripts):
    """In Madrid midnight comes an hour earlier by UTC from 2024-03-31 on; so do the labels of other times."""
    zone = {"name": "Europe/Madrid", "from": [1_711_749_600, 1_711_846_800], "shift": [3600, 7200]}
    ticks, labels, moments = run_scripts(
        ["base/format.js", "charts/ticks.js"],
        {"zone": zone, "span": (0, 3 * 86_400), "origin": 1_711_749_600},
        "useZone(data.zone); const ticks = timeTicks(...data.span, 5, data.origin);"
        "const moments = [0, 97_199, 97_200].map((at) => moment(at, data.origin));"
        "return [ticks, timeLabels(ticks, data.origin), moments];",
    )
    assert [tick / 3600 for tick in ticks] == [1, 25, 48, 72]
    assert labels == ["2024-03-30", "2024-03-31", "2024-04-01", "2024-04-02"]
    assert moments == ["2024-03-29 23:00", "2024-03-31 01:59:59", "2024-03-31 03:00"]


def test_ink_stands_out_on_every_color(run_scripts):
    """Names of jobs and figures of classes have a contrast of 4.5 to 1 with whatever color is below them."""
    inks = run_scripts(
        ["base/format.js", "base/theme.js", "gantt/colors.js"],
        None,
        "const flat = [...CLASS_COLORS.light, ...CLASS_COLORS.dark, OTHERS.light, OTHERS.dark];"
        "return [...RAMP, ...flat.map(rgbOf)].map(rgb => [rgb, inkOn(rgb)]);",
    )
    assert len(inks) > 256 + 18
    for rgb, ink in inks:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in np.array(rgb) / 255]
        luminance = float(np.dot((0.2126, 0.7152, 0.0722), linear))
        contrast = (luminance + 0.05) / 0.05 if ink == "#000" else 1.05 / (luminance + 0.05)
        assert contrast >= 4.5, rgb


@pytest.mark.parametrize(
    ("low", "high"), [(45_000, 160_000), (90_000, 400_000), (130, 500), (1, 1e6), (3, 8)]
)
def test_labels_of_logarithmic_times_fit_beside_their_axis(run_scripts, low, high):
    """Few times on an axis are round in the unit that they are written in; the widest has its room."""
    labels, width, wide = run_scripts(
        ["base/format.js", "charts/log_chart.js"],
        [low, high],
        "const labels = logTicks(ROUND_TIMES, ...data, 9).map(shortTime);"
        "const pen = document.createElement('canvas').getContext('2d');"
        "pen.font = '12px system-ui, sans-serif';"
        "const widest = Math.max(...labels.map((label) => pen.measureText(label).width));"
        "return [labels, widthFor(labels, 56), widest];",
    )
    assert labels
    assert all(re.fullmatch(r"\d+ \w+", label) for label in labels), labels
    assert width >= 56
    assert width >= wide + 10


def test_an_axis_of_waits_has_room_above_users_who_never_wait(run_scripts):
    """If no user waits, the axis has a second and ten, and no part of a second."""
    ticks = run_scripts(
        ["base/format.js", "charts/log_chart.js"],
        [1, 1],
        "return [0, 10].map((top) => logTicks(ROUND_TIMES, ...logRange(data, top), 9));",
    )
    assert (len(ticks[0]), ticks[1]) == (3, [1, 10])


def test_numbers_of_studies_follow_the_same_rule(run_scripts):
    """A half width of hundreds is no rounder than elsewhere; bounds of an interval are in the range."""
    found = run_scripts(
        ["base/format.js", "study/scale.js"],
        [81.1, 168.2],
        "const measure = new Measure('mean_wait', { label: 'Mean wait', unit: 'min', factor: 1, least: 0 });"
        "const [mean, half] = data, cut = measure.isCut(mean, half);"
        "return [cut, measure.isCut(mean, 5), measure.said(54321.5), measure.said(null),"
        "  measure.intervalSaid(mean, half, false), measure.intervalSaid(mean, half, cut)];",
    )
    assert found == [True, False, figure(54321.5), "–", figure(168.2, 2), bounds(0, 81.1 + 168.2)]


def test_numbers_follow_the_rule_of_all_numbers(run_scripts):
    """What scripts write of a number, a time or an amount is what Python writes."""
    random = np.random.default_rng(4)
    values = (random.uniform(-1, 1, 500) * 10.0 ** random.integers(-9, 10, 500)).tolist()
    values += [0.0, 5.0, 99_995.0, 0.99999, 1234.0, 1e-6]
    found = run_scripts(
        ["base/format.js"], values, "return data.map((value) => [figure(value), duration(value)]);"
    )
    assert found == [[figure(value), duration(value)] for value in values]
    amounts = [abs(value) for value in values if abs(value) >= 1]
    found = run_scripts(["base/format.js"], amounts, "return data.map((value) => quantity(value, 'J'));")
    assert found == [quantity(value, "J") for value in amounts]


def test_clocks_that_are_put_on_or_back_keep_the_labels_round(run_scripts):
    """Across the end of daylight saving, days begin at midnight, hours are whole, months begin at the 1st."""
    zone = {"name": "Europe/Stockholm", "from": [0, 877_827_600], "shift": [7200, 3600]}  # 1997-10-26 03:00
    spans = [(0, 5 * 86_400), (86_400, 86_400 + 35 * 3600), (0, 200 * 86_400)]
    days, hours, months = run_scripts(
        ["base/format.js", "charts/ticks.js"],
        {"zone": zone, "spans": spans, "origin": 877_640_400},
        "useZone(data.zone);"
        "return data.spans.map(span => timeLabels(timeTicks(...span, 6, data.origin), data.origin));",
    )
    assert days == [f"1997-10-{day}" for day in range(24, 29)]
    assert [label.split("\n")[0] for label in hours] == ["00:00", "06:00", "12:00", "18:00", "00:00", "06:00"]
    assert months == ["1997-11", "1998-01", "1998-03", "1998-05"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1:2", [1, 2]),
        ("-1.5e3:", [-1500, "Infinity"]),
        (":7", ["-Infinity", 7]),
        ("2:1", None),
        (":", None),
        ("a:b", None),
        ("1", None),
        ("1:2:3", None),
    ],
)
def test_ranges_of_an_address_are_read_and_written(run_scripts, text, expected):
    """Either end may be left out; what does not ascend or is no number is none."""
    found = run_scripts(
        ["base/url_state.js"],
        text,
        "const range = readRange(data); return range"
        " ? [range.map(end => Number.isFinite(end) ? end : String(end)), readRange(writeRange(range)).join()]"
        " : [null, null];",
    )
    assert found[0] == expected
    if expected:
        assert found[1] == ",".join(map(str, expected))


def test_lengths_of_time_are_read_as_people_write_them(run_scripts):
    """With and without units; what is none is not read."""
    found = run_scripts(
        ["base/format.js", "tables/job_table.js"],
        ["90", "1.5 h", "2d", "10 MIN", " 3 s ", "x", "-1", "1 week", ""],
        "return data.map(text => readDuration(text) ?? null);",
    )
    assert found == [90, 5400, 172_800, 600, 3, None, None, None, None]


def test_rows_are_written_as_csv_that_is_read_back(run_scripts):
    """Commas, quotes and line ends are quoted; what is missing is empty."""
    rows = [["a,b", 'say "so"', "two\nlines", None], [1.5, "=1+1", "é", ""]]
    text = run_scripts(["base/download.js"], rows, "return csvText(data);")
    told = [["" if cell is None else str(cell) for cell in row] for row in rows]
    assert list(csv.reader(io.StringIO(text, newline=""))) == told


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([100, 1, 2], True),
        ([100, 90, 1], False),
        ([1, 1], False),
        ([0, 0], False),
        ([5], False),
        ([100, 1], True),
    ],
)
def test_one_value_flattens_the_rest_or_does_not(run_scripts, values, expected):
    """It does if at least half of them are next to nothing beside the largest."""
    assert run_scripts(["tables/run_choice.js"], values, "return isFlattened(data);") is expected


def test_names_of_rank_diagrams_are_broken_as_without_scripts(run_scripts):
    """The page's script needs as much room for a text, and breaks it into the same lines, as Python does."""
    names = [
        "easy:reservations=4",
        "",
        "a",
        "spain/uab/cluster-1 · policy=mine.py:Tolerant:share=0.5",
        "W" * 60,
        "EASY, narrow & short first (50 %_new)  1.92",
    ]
    names += ["調度 器:w=0.5", "no-parts-at-all-but-very-long-indeed:x=1,y=2"]
    found = run_scripts(
        ["study/letters.js"], names, "return data.map((name) => [textRoom(name), wrapped(name, 90)]);"
    )
    assert found == [[pytest.approx(text_room(name)), wrap_name(name, 90, text_room)] for name in names]
