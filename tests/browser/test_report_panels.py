"""The panels of the report in a real browser: filled, readable anywhere, and answering."""

from __future__ import annotations

import itertools
import re

import numpy as np
import polars as pl
import pytest

from echelon.metrics import difference_edges, difference_histogram
from echelon.reports import RunTables, write_report

PANELS = ["bars", "log-waits", "distributions", "classes", "users", "groups", "changes", "shapes", "arrivals"]
WINDOWS = [{}, {"dark": True}, {"width": 390, "height": 844}]


def runs_of(policies, *, jobs=200, **facts):
    """Return runs of the same random jobs of five users, each policy with waits of its own."""
    random = np.random.default_rng(5)
    submit = np.sort(random.integers(0, 10**6, jobs)).astype(float)
    columns = {
        "job_id": np.arange(1, jobs + 1),
        "submit_time": submit,
        "run_time": random.integers(1, 50_000, jobs).astype(float),
        "processors": random.integers(1, 65, jobs),
        "user": random.integers(1, 6, jobs),
        "partition": [("main", "gpu")[place % 2] for place in range(jobs)],
    }
    logged = random.integers(0, 1000, jobs).astype(float)
    runs = []
    for place, policy in enumerate(policies):
        wait = random.integers(0, 1000 * 10 ** (place % 4), jobs) * (random.random(jobs) < 0.7)
        start = submit + wait
        table = pl.DataFrame({**columns, "start_time": start, "end_time": start + columns["run_time"]})
        metrics = {"jobs": jobs, "mean_wait": float(wait.mean()), "p99_wait": float(wait.max())}
        waits = pl.DataFrame(
            {"row": np.arange(jobs), "log_wait": logged, "simulated_wait": wait.astype(float)}
        )
        told = {"policy": policy, "processors": 6400, **facts}
        runs.append(RunTables(table, metrics, told, log_waits=waits))
    return runs


@pytest.fixture
def show(tab, tmp_path):
    """Give a function that writes a report and opens it in the tab, every panel filled."""

    def open_report(runs, **window):
        tab.events.clear()
        tab.open(write_report(runs, tmp_path / "report.html"), **window)
        tab.until("document.documentElement.dataset.filled === 'true'")
        tab.settle()
        return tab

    return open_report


def texts(tab, selector):
    """Return the texts of all elements that a selector finds."""
    return tab.value(f"[...document.querySelectorAll({selector!r})].map(e => e.textContent.trim())")


def press(tab, selector):
    """Click an element."""
    tab.value(f"document.querySelector({selector!r}).click()")
    tab.settle()


def choose(tab, selector, value):
    """Choose a value of a select."""
    tab.value(
        f"(s => {{ s.value = {value!r}; s.dispatchEvent(new Event('change')); }})"
        f"(document.querySelector({selector!r}))"
    )
    tab.settle()


@pytest.mark.parametrize("window", WINDOWS)
def test_every_panel_is_filled(show, window):
    """Light, dark and on a phone: each panel has its chart, nothing complains, nothing scrolls sideways."""
    tab = show(
        runs_of(["fcfs", "easy", "conservative"], unix_start_time=8e8, time_zone="US/Pacific"), **window
    )
    assert tab.complaints() == []
    assert tab.value("document.documentElement.scrollWidth <= innerWidth")
    sections = tab.value("[...document.querySelectorAll('main > section')].map(s => s.id)")
    assert [section for section in sections if section in PANELS] == PANELS
    for chart in ("wait-share", "slowdown-share", "users-chart", "shapes-chart"):
        box = f"document.querySelector('#{chart} canvas').getBoundingClientRect()"
        assert tab.value(f"{box}.width > 100 && {box}.right <= innerWidth"), chart
    assert len(texts(tab, "#classes .heat")) == 3
    assert len(texts(tab, "#arrivals .columns li")) == 24 + 7
    # The line at the height of the most jobs is as wide as the columns, not as their list.
    line = "getComputedStyle(list).borderTopWidth === '0px'"
    assert tab.value(f"[...document.querySelectorAll('.columns ol')].every((list) => {line})")
    assert len(texts(tab, "[data-bars] .bars li")) == 3
    assert len(texts(tab, "#changes-table tbody tr")) == 20


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("jobs", [1, 2])
def test_next_to_nothing_is_shown_without_complaint(show, window, jobs):
    """A page of one job, or of two under two policies, draws all it can."""
    tab = show(runs_of(["a", "b"][:jobs], jobs=jobs), **window)
    assert tab.complaints() == []
    assert tab.value("document.getElementById('trouble').hidden")


def test_twenty_policies_with_long_names_fit_a_phone(show):
    """Names are whole, in as many lines as they need."""
    names = [
        f"a-policy(with={place},many=parameters,each=of-some-length):number-{place}" for place in range(20)
    ]
    tab = show(runs_of(names), width=390, height=844)
    assert tab.value("document.documentElement.scrollWidth <= innerWidth")
    assert texts(tab, "[data-bars='mean_wait'] .bar-name") == names
    assert texts(tab, "#summary-table thead th")[1:] == names
    assert tab.complaints() == []


def test_every_control_has_a_name(show):
    """Whoever hears the page learns what each control, chart and table is, by headings in order."""
    tab = show(runs_of(["fcfs", "easy"]))
    nameless = (
        "[...document.querySelectorAll('button, select, input, [role=img], [role=region], [tabindex=\"0\"]')]"
        ".filter(e => !e.hidden && !(e.ariaLabel || e.labels?.length || e.textContent.trim()))"
        ".map(e => e.outerHTML)"
    )
    assert tab.value(nameless) == []
    levels = tab.value("[...document.querySelectorAll('h1, h2, h3')].map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert tab.value("[...document.querySelectorAll('nav a')].every(a => document.querySelector(a.hash))")


def test_the_first_tab_stop_skips_to_the_summary(show):
    """A keyboard meets the skip link first, and sees that it does."""
    tab = show(runs_of(["fcfs"]))
    for kind in ("rawKeyDown", "keyUp"):
        tab.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
    tab.settle()
    assert tab.value("document.activeElement.className") == "skip"
    assert tab.value("document.activeElement.getBoundingClientRect().top >= 0")
    assert tab.value("document.activeElement.hash") == "#main"


def test_light_and_dark_by_hand(show):
    """The button changes page and charts, and says what it does next; then the system no longer matters."""
    tab = show(runs_of(["fcfs"]))
    drawn = "document.querySelector('#shapes-chart canvas').toDataURL()"
    before = tab.value(drawn)
    press(tab, "#theme")
    assert tab.value("getComputedStyle(document.body).backgroundColor") == "rgb(17, 20, 23)"
    assert tab.value("document.getElementById('theme').ariaLabel") == "Use light colors"
    assert tab.value(drawn) != before
    for theme in ("dark", "light"):
        tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
    assert tab.value("document.documentElement.dataset.theme") == "dark"
    press(tab, "#theme")
    assert tab.value(drawn) == before


def test_users_are_sorted_by_the_heading_pressed(show):
    """By work at first; by mean wait, most first, when that is pressed, and least first when it is again."""
    tab = show(runs_of(["fcfs"]))
    button = "#users-table th:nth-child(4) button"

    def waits():
        return tab.value(
            "[...document.querySelectorAll('#users-table tbody tr')].map(r => r.cells[3].textContent)"
        )

    press(tab, button)
    falling = waits()
    assert tab.value(f"document.querySelector({button!r}).parentElement.ariaSort") == "descending"
    press(tab, button)
    assert tab.value(f"document.querySelector({button!r}).parentElement.ariaSort") == "ascending"
    assert waits() == falling[::-1]
    assert len(set(falling)) == 5


def test_another_policy_has_other_users_waits(show):
    """The select changes table, chart and sentence."""
    tab = show(runs_of(["fcfs", "easy"]))
    seen = [texts(tab, "#users-table td"), texts(tab, "#users-summary")]
    drawn = tab.value("document.querySelector('#users-chart canvas').toDataURL()")
    choose(tab, "#users-run", "1")
    assert texts(tab, "#users-table td") != seen[0]
    assert texts(tab, "#users-summary") != seen[1]
    assert tab.value("document.querySelector('#users-chart canvas').toDataURL()") != drawn


def test_the_histogram_of_changes_is_the_metrics_one(show):
    """Columns of the page count what echelon.metrics counts, and exchanging the policies mirrors them."""
    runs = runs_of(["fcfs", "easy", "slow"])
    tab = show(runs)
    starts = [run.float_column("start_time") for run in runs]
    edges = difference_edges(float((np.maximum.reduce(starts) - np.minimum.reduce(starts)).max()))

    def columns():
        return [
            int(text.split()[0].replace(",", ""))
            for text in tab.value("[...document.querySelectorAll('#changes-histogram li')].map(e => e.title)")
        ]

    for first, second in ((0, 1), (0, 2), (2, 1)):
        choose(tab, "#changes-from", str(first))
        choose(tab, "#changes-to", str(second))
        expected = difference_histogram(starts[second] - starts[first], edges).jobs.tolist()
        assert columns() == expected
    press(tab, "#changes-swap")
    assert columns() == expected[::-1]


def test_the_words_on_changes_are_true(show):
    """How many start earlier, later and at the same time, and the job that moved most."""
    first, second = runs = runs_of(["fcfs", "easy"])
    tab = show(runs)
    moved = second.float_column("start_time") - first.float_column("start_time")
    (sentence,) = texts(tab, "#changes-summary")
    assert sentence.startswith(f"Under easy, {(moved < 0).sum()} jobs")
    assert f"{(moved > 0).sum()} jobs" in sentence
    assert f"{(moved == 0).sum()} jobs" in sentence
    largest = int(np.abs(moved).argmax())
    assert texts(tab, "#changes-table tbody th")[0] == str(first.jobs["job_id"][largest])
    choose(tab, "#changes-to", "0")
    assert texts(tab, "#changes-summary") == ["Choose two different policies."]
    assert texts(tab, "#changes-table tbody th") == ["No job moved."]


def test_the_statistic_of_the_classes_is_chosen(show):
    """Heat maps show what is chosen, a dash where no job is, and how many jobs there are."""
    tab = show(runs_of(["fcfs"]))
    waits = texts(tab, "#classes .heat td")
    assert sum(int(text.split("job")[0].split()[-1]) for text in texts(tab, "#classes .heat small")) == 200
    choose(tab, "#classes-statistic", "median_bounded_slowdown")
    assert texts(tab, "#classes .heat td") != waits
    assert tab.complaints() == []


@pytest.mark.parametrize("dark", [False, True])
def test_figures_on_heat_maps_can_be_read(show, dark):
    """Every figure, small print too, has the contrast with its cell that WCAG 2 asks for, 4.5 to 1."""
    tab = show(runs_of(["a", "b", "c", "d"], jobs=500), dark=dark)
    cells = tab.value(
        "[...document.querySelectorAll('#classes .heat td:not(.none)')]"
        ".flatMap(cell => [cell, ...cell.children]"
        ".map(each => [getComputedStyle(each).color, getComputedStyle(cell).backgroundColor,"
        " getComputedStyle(each).opacity]))"
    )
    assert len(cells) > 50
    assert {opacity for *_, opacity in cells} == {"1"}
    assert min(contrast(text, ground) for text, ground, _ in cells) >= 4.5


def contrast(first, second):
    """Return the contrast of two colors as CSS computes them, ``rgb(1, 2, 3)``, by WCAG 2."""
    low, high = sorted(map(luminance, (first, second)))
    return (high + 0.05) / (low + 0.05)


def luminance(color):
    parts = (int(part) / 255 for part in re.findall(r"\d+", color))
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("width", [390, 1280])
def test_long_names_of_users_stay_in_their_boxes(show, width):
    """A name of hundreds of letters is broken in legend and tables; the page does not scroll sideways."""
    runs = runs_of(["fcfs", "easy"])
    for run in runs:
        long = (pl.lit("a" * 300) + run.jobs["user"].cast(str)).alias("user")
        run.jobs.replace_column(run.jobs.get_column_index("user"), run.jobs.select(long).to_series())
    tab = show(runs, width=width)
    assert tab.value("document.documentElement.scrollWidth <= innerWidth")
    assert tab.complaints() == []


def test_classes_as_differences_to_the_first_policy(show):
    """Classes of the first policy differ by nothing; those of a slower one wait more, with a sign."""
    tab = show(runs_of(["fcfs", "slow"]))
    assert not tab.value("document.getElementById('classes-difference').closest('label').hidden")
    press(tab, "#classes-difference")
    cells = tab.value(
        "[...document.querySelectorAll('#classes .heat')].map(t => [...t.querySelectorAll('td:not(.none)')]"
        ".map(c => c.firstChild.textContent))"
    )
    assert {float(text.split()[0]) for text in cells[0]} == {0}
    assert all(text.startswith("+") for text in cells[1])
    assert tab.complaints() == []


def test_charts_speak(show):
    """Who does not see the lines hears what half and nine of ten of the jobs stay below."""
    tab = show(runs_of(["fcfs", "easy"]))
    label = tab.value("document.getElementById('wait-share').ariaLabel")
    assert label.startswith("Share of jobs that wait longer than a time. fcfs: half of the jobs up to ")
    assert "nine of ten up to" in label.split("easy:")[1]


def test_runs_and_axis_of_the_distributions(show):
    """A run's line goes when its box is cleared; a logarithmic axis draws, too."""
    tab = show(runs_of(["fcfs", "easy"]))
    drawn = "document.querySelector('#wait-share canvas').toDataURL()"
    seen = {tab.value(drawn)}
    for box in ("label:nth-of-type(1)", "label:nth-of-type(3)"):
        press(tab, f"#distributions-runs {box} input")
        seen.add(tab.value(drawn))
    assert len(seen) == 3
    assert tab.complaints() == []


def test_metric_runs_and_axis_of_the_traces(show):
    """Each metric has a chart of its own, also over a logarithmic axis, and a run goes with its box."""
    tab = show(runs_of(["fcfs", "easy"]))
    drawn = "document.querySelector('#traces-chart canvas').toDataURL()"
    seen = {tab.value(drawn)}
    metrics = texts(tab, "#traces-metric option")
    for place in range(1, len(metrics)):
        choose(tab, "#traces-metric", str(place))
        seen.add(tab.value(drawn))
    choose(tab, "#traces-metric", "0")
    for box in ("label:nth-of-type(3)", "label:nth-of-type(1)"):
        press(tab, f"#traces-runs {box} input")
        seen.add(tab.value(drawn))
    assert len(seen) == len(metrics) + 2
    assert "Mean wait as the run proceeds. easy: at the end" in tab.value(
        "document.getElementById('traces-chart').ariaLabel"
    )
    assert tab.complaints() == []


def test_pointing_reads_the_charts(show):
    """The shares under the pointer, and the jobs of the square nearest to it, are written out."""
    tab = show(runs_of(["fcfs", "easy"]))
    for chart, phrase in (
        ("wait-share", "longer than"),
        ("slowdown-share", "above"),
        ("traces", "easy"),
        ("shapes", "job"),
    ):
        host = f"#{chart}-chart" if chart in ("traces", "shapes") else f"#{chart}"
        tab.value(f"document.querySelector('{host}').scrollIntoView({{block: 'center'}})")
        tab.settle()
        box = tab.value(
            "(b => [b.left, b.top, b.width, b.height])"
            f"(document.querySelector('{host} .u-over').getBoundingClientRect())"
        )
        tab.mouse("mouseMoved", (box[0] + 0.85 * box[2], box[1] + 0.2 * box[3]))
        tab.settle()
        assert phrase in texts(tab, f"#{chart}-value")[0], chart


def test_the_summary_is_folded_and_unfolded(show):
    """The main metrics are seen at once, all of them when the button is pressed, and on paper."""
    tab = show(runs_of(["fcfs", "easy"]))
    seen = "document.querySelector('[data-metric=p99_wait]').checkVisibility()"
    assert not tab.value(seen)
    tab.call("Emulation.setEmulatedMedia", media="print")
    assert tab.value(seen)
    assert not tab.value("document.querySelector('nav').checkVisibility()")
    assert tab.value("document.querySelector('#users-table th button').checkVisibility()")
    tab.call("Emulation.setEmulatedMedia", media="screen")
    press(tab, "#summary-more")
    assert tab.value(seen)
    assert tab.value("document.getElementById('summary-more').ariaExpanded") == "true"


def test_the_command_can_be_copied(show):
    """The button takes the command to the clipboard or, where it may not, selects it."""
    tab = show(runs_of(["fcfs"], command=["echelon", "run", "x y.swf"]))
    press(tab, "#reproduction button.copy")
    tab.until("document.querySelector('#reproduction button.copy').textContent !== 'Copy'")
    (said,) = texts(tab, "#reproduction button.copy")
    assert said in ("Copied", "Selected")
    if said == "Selected":
        assert tab.value("getSelection().toString()") == "echelon run 'x y.swf'"
