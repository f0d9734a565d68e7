"""The page on a study in a real browser: all configurations as a table, charts that answer, an address."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections import defaultdict

import numpy as np
import pytest

from echelon.experiments.study.results.stored_results import read_study_results
from echelon.reports.study import study_page
from echelon.reports.study.quantity import Quantity

from ..unit.experiments.study.stores import HandMade  # noqa: TID252  (tests are no package)

pytest.importorskip("scipy", reason="scipy, the extra stats, is not installed")

EVIL = '<img src=x onerror="alert(1)"></script>'
POLICIES, ESTIMATES = ("fcfs", "easy", "sjf", EVIL), ("raise", "exact", "kill")

ROWS = """[...document.querySelectorAll('#configurations-table tbody tr')].map(row =>
    [...row.cells].map(cell => cell.textContent))"""
CHOSEN = """[...document.querySelectorAll('figure.drawn')].filter(one => one.querySelector('.chosen'))
    .map(one => [one.dataset.kind ?? 'explored',
                 [...one.querySelectorAll('.mark.chosen')].map(mark => mark.facts[0])])"""
SHAPES = """[...document.querySelectorAll('figure.drawn[data-kind]')].map(one => [one.dataset.kind,
    [...one.querySelector('svg').querySelectorAll('polyline, polygon, circle, rect, line, text')]
        .map(shape => [shape.tagName,
                       Object.fromEntries([...shape.attributes].map(({name, value}) => [name, value])),
                       shape.tagName === 'text' ? shape.textContent : ''])])"""
TOLD = """[...document.querySelectorAll('#%s .measure[data-measure=%s] figure[data-kind=%s] .mark')]
    .map(one => one.facts)"""
CHOOSE = """((id, value) => { const one = document.getElementById(id); one.value = value;
    one.dispatchEvent(new Event(one.type === 'search' ? 'input' : 'change')); })"""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Return a study of four policies by three ways to read estimates by two loads, with five seeds."""
    made = HandMade(
        tmp_path_factory.mktemp("study"),
        axes=("policy", "estimates", "load", "seed"),
        outline={"baseline": {"policy": "easy"}, "values": {"policy": POLICIES, "estimates": ESTIMATES}},
    )
    for place, policy in enumerate(POLICIES):
        for turn, estimates in enumerate(ESTIMATES):
            for load in (0.8, 1.2):
                for seed in range(5):
                    wait = 100 * load * (1 + place) + 7 * turn + (seed * 13 + place * 5 + turn) % 11
                    labels = {"policy": policy, "estimates": estimates, "load": load, "seed": seed}
                    metrics = {"mean_wait": wait, "mean_bounded_slowdown": 1 + wait / 50, "jobs": 5}
                    # The interval of the third policy would leave the range of the metric.
                    utilization = (0.98 if seed else 0.3) if place == 2 else 0.9 - 0.1 * place + seed / 100
                    made.add(labels, metrics | {"utilization": utilization})
    return read_study_results(made.folder)


@pytest.fixture(scope="module")
def page(results, tmp_path_factory):
    """Return the file of its page."""
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(study_page(results, baseline="easy"), encoding="utf-8")
    return file


@pytest.fixture
def show(tab, page):
    """Give a function that opens the page with choices in its address."""

    def open_page(fragment="", **window):
        tab.events.clear()
        tab.call("Page.navigate", url="about:blank")
        tab.open(page.resolve().as_uri() + (f"#{fragment}" if fragment else ""), **window)
        tab.settle()
        return tab

    return open_page


@pytest.mark.parametrize("window", [{"width": 1400}, {"dark": True}, {"width": 390, "height": 800}])
def test_the_page_draws_without_complaint_or_request(show, window):
    """Light, dark and on a phone: every chart has marks, no error, no request, no sideways scrolling."""
    tab = show(**window)
    kinds = tab.value("[...document.querySelectorAll('figure.drawn')].map(one => one.dataset.kind)")
    assert set(kinds) >= {"intervals", "boxes", "curves", "ranks", "front", "profile"}
    assert tab.value(
        "[...document.querySelectorAll('figure.drawn svg')].every(one => one.querySelector('.mark'))"
    )
    assert tab.complaints() == []
    assert [address.split(":")[0] for address in tab.requests() if address != "about:blank"] == ["file"]
    assert tab.value("document.documentElement.scrollWidth <= innerWidth")
    assert tab.value("document.images.length") == 0


def test_the_table_says_what_the_results_say(show, results):
    """Means, intervals, differences, p-values and pairs for a chosen baseline are those of `compare`."""
    tab = show("rows=1&baseline=0.0")
    rows = {row[0]: row[1:] for row in tab.value(ROWS)}
    assert list(rows) == list(POLICIES)
    found = {one.value: one for one in results.compare("policy", "mean_wait", baseline="fcfs")}
    for mean in results.means("policy", "mean_wait"):
        n, average, half, *pair = rows[mean.value]
        assert int(n) == mean.experiments
        scale = mean.mean / float(average.replace(",", ""))
        assert float(half) == pytest.approx((mean.high - mean.mean) / scale, rel=0.05)
        if mean.value == "fcfs":
            assert pair[0] == "baseline"
            continue
        one = found[mean.value]
        assert float(pair[0]) == pytest.approx(one.found.difference / scale, rel=1e-3)
        assert float(pair[2]) == pytest.approx(one.found.percent, rel=5e-3)
        assert pair[4] == f"{one.found.below} · {one.found.equal} · {one.found.above}"
        assert (
            pair[3] == "< 0.0001"
            if one.adjusted < 1e-4
            else math.isclose(float(pair[3]), one.adjusted, rel_tol=0.1)
        )


def drawn_without_scripts(page):
    """Return the kind of each chart and its shapes, as they are in the file."""
    figures = r'<figure class="drawn" data-kind="(\w+)">.*?(<svg.*?</svg>)'
    tags = ("polyline", "polygon", "circle", "rect", "line", "text")
    return [
        (
            kind,
            [(one.tag, one.attrib, one.text or "") for one in ET.fromstring(svg).iter() if one.tag in tags],
        )
        for kind, svg in re.findall(figures, page.read_text(encoding="utf-8"), re.DOTALL)
    ]


def by_look(shapes):
    """Return the coordinates of all shapes by tag, look and text, without those that only answer pointers."""
    found = defaultdict(list)
    for tag, attributes, text in shapes:
        look = {key: attributes.get(key, "") for key in ("class", "style", "text-anchor", "r")}
        if look["class"] == "room" or "stroke-opacity:0" in look["style"]:
            continue
        places = [attributes.get(key, "") for key in ("points", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy")]
        places.append(attributes.get("width", ""))
        numbers = [float(number) for number in re.findall(r"-?[\d.]+(?:e-?\d+)?", " ".join(places))]
        found[tag, *look.values(), text if tag == "text" else ""].append(numbers)
    return {look: sorted(places) for look, places in found.items()}


def test_charts_are_drawn_as_without_scripts_and_tell_what_python_computes(show, page, results):
    """Each shape has the place, color and text that Python gave it; marks tell quantiles, means, fronts."""
    tab = show()
    ours, theirs = drawn_without_scripts(page), tab.value(SHAPES)
    assert [kind for kind, _ in theirs] == [kind for kind, _ in ours]
    for (kind, still), (_, alive) in zip(ours, theirs, strict=True):
        expected, found = by_look(still), by_look(alive)
        assert found.keys() == expected.keys(), kind
        for look, places in expected.items():
            assert len(found[look]) == len(places), (kind, look)
            for one, other in zip(found[look], places, strict=True):
                # Python rounds to a tenth of a pixel.
                np.testing.assert_allclose(one, other, atol=0.11, err_msg=f"{kind} {look}")
    for measure in results.measures:
        quantity = Quantity.of(results, measure)
        columns = results.experiments("policy", measure)
        for name, *told in tab.value(TOLD % ("by-0", measure, "boxes")):
            box = np.quantile(quantity.factor * columns.column(name), (0.5, 0.25, 0.75, 0, 1))
            assert numbers_of(told[:3]) == pytest.approx(box, rel=1e-7)
        marks = tab.value(TOLD % ("by-0", measure, "intervals"))
        for (name, mean, interval, count), one in zip(marks, results.means("policy", measure), strict=True):
            bounds = [quantity.factor * value for value in quantity.metric.within(one.low, one.high)]
            assert (name, count) == (one.value, f"n = {one.experiments}")
            assert numbers_of([mean]) == pytest.approx([quantity.factor * one.mean], rel=1e-7)
            assert numbers_of([interval])[1:] == pytest.approx(bounds, rel=1e-7)
    choices = tab.value(
        "[...document.querySelectorAll('figure[data-kind=front] g.mark:has(.room)')].map(one => one.facts)"
    )
    wanted = {tuple(numbers_of(told[1:3])): told[-1] for told in choices}
    assert {"on the front", "behind the front"} <= set(wanted.values())
    for values, word in wanted.items():
        better = [one for one in wanted if one != values and all(np.less_equal(one, values))]
        assert word == ("behind the front" if better else "on the front"), values

    # The chart of configurations is computed on the page; its intervals do not leave the range either.
    tab.value(f"{CHOOSE}('level', '1'); {CHOOSE}('metric', 'utilization')")
    tab.settle()
    told = tab.value("[...document.querySelectorAll('#explored-chart .mark')].map(one => one.facts)")
    for (name, _, interval, _), one in zip(told, results.means("policy", "utilization"), strict=True):
        bounds = [100 * value for value in results.metric("utilization").within(one.low, one.high)]
        assert name == one.value
        assert numbers_of([interval])[1:] == pytest.approx(bounds, rel=1e-6)


def numbers_of(texts):
    """Return the numbers that texts tell, without thousands separators."""
    return [float(one.replace(",", "")) for one in re.findall(r"-?\d[\d,.]*", " ".join(texts))]


def test_sorting_filtering_and_choosing_stay_in_the_address(show):
    """What the reader chooses is told by the address, and an opened address shows the same again."""
    tab = show()
    assert len(tab.value(ROWS)) == 24
    tab.value(f"{CHOOSE}('filter', 'estimates=exact load=1.2')")
    tab.value(f"{CHOOSE}('metric', 'mean_bounded_slowdown')")
    tab.value(f"{CHOOSE}('baseline', '0.2-1.1')")
    tab.value(f"{CHOOSE}('scale', 'log')")
    tab.value(f"{CHOOSE}('below', 'one')")
    tab.value("document.querySelectorAll('#configurations-table thead button')[4].click()")
    tab.value("document.querySelectorAll('#configurations-table tbody input')[0].click()")
    tab.settle()
    shown, address = tab.value(ROWS), tab.value("location.hash.slice(1)")
    assert [row[:3] for row in shown] == [[policy, "exact", "1.2"] for policy in reversed(POLICIES)]
    assert [row[6] for row in shown].index("baseline") == 1
    assert tab.value("[...document.querySelectorAll('.measure')].filter(one => !one.hidden).length") == 4
    again = show(address)
    assert again.value(ROWS) == shown
    assert again.value("location.hash.slice(1)") == address
    names = "[...document.querySelectorAll('#explored-chart .mark')].map(one => one.facts[0])"
    assert len(again.value(names)) == 3  # one of four is hidden
    assert EVIL + " · exact · 1.2" not in again.value(names)
    assert again.value("document.querySelector('#explored-chart svg').textContent.includes('logarithmic')")


def test_a_row_is_highlighted_in_all_charts(show):
    """Pressing a configuration marks it where a chart has it, and a second press ends it; so does a mark."""
    tab = show()
    row = "document.querySelectorAll('#configurations-table tbody tr')[8]"
    assert tab.value(f"{row}.textContent").startswith("easyexact0.8")
    tab.value(f"{row}.querySelector('.pick').click()")
    tab.settle()
    chosen = tab.value(CHOSEN)
    assert {kind for kind, _ in chosen} == {
        "explored",
        "intervals",
        "boxes",
        "curves",
        "ranks",
        "front",
        "profile",
    }
    assert all(
        "easy" in names[0] or names[0] in ("exact", "0.8") for kind, names in chosen if kind != "curves"
    )
    assert tab.value("location.hash") == "#chosen=0.1-1.1-2.0"
    assert tab.value(f"{row}.classList.contains('chosen')")
    tab.value(f"{row}.querySelector('.pick').click()")
    assert tab.value(CHOSEN) == []


def test_charts_answer_to_pointer_and_keyboard(show):
    """A pointer on a mark, or the arrow keys, tell mean, interval and n; Enter highlights."""
    tab = show()
    figure = "document.querySelector('#by-0 figure[data-kind=intervals] svg')"
    tab.value(f"{figure}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
    tab.settle()
    box = tab.value(f"(({{x, y}}) => [x, y])({figure}.querySelector('.mark circle').getBoundingClientRect())")
    tab.mouse("mouseMoved", (box[0] + 3, box[1] + 3))
    told = tab.value("document.getElementById('mark-card').textContent")
    assert told.startswith("fcfsMean wait: ")
    assert "95 % from " in told
    assert told.endswith("n = 5")
    tab.value(f"{figure}.focus()")
    tab.key("ArrowDown")
    tab.key("ArrowDown")
    assert tab.value("document.getElementById('mark-spoken').textContent").startswith("easy, Mean wait: ")
    tab.key("Enter")
    assert tab.value("location.hash").startswith("#chosen=0.1")


def test_panels_are_saved_and_metrics_defined(show):
    """Each panel with charts has a menu whose CSV holds its figures; a metric's heading defines it."""
    tab = show()
    menus = tab.value("[...document.querySelectorAll('section:has(.download)')].map(one => one.id)")
    assert set(menus) >= {"configurations", "by-0", "by-all", "along-0", "pareto", "effects"}
    kept = """(async id => { let text = ''; const make = URL.createObjectURL;
        URL.createObjectURL = blob => { text = blob.text(); return make(blob); };
        const buttons = [...document.querySelectorAll(`#${id} .download button`)];
        buttons.find(one => one.textContent === '%s').click();
        for (let turn = 0; turn < 100 && text === ''; turn++) await new Promise(done => setTimeout(done, 20));
        URL.createObjectURL = make; return text; })('%s')"""
    table = tab.value(kept % ("CSV", "configurations"))
    assert table.startswith("policy,estimates,load,n,")
    assert len(table.splitlines()) == 25
    assert "curves of mean_wait\r\nname,load,mean,low,high,experiments\r\n" in tab.value(
        kept % ("CSV", "along-0")
    )
    assert tab.value(kept % ("SVG", "along-0")).startswith("<svg ")
    assert "PNG" in tab.value(kept % ("PNG", "along-0"))[:8]
    tab.value("document.querySelector('#by-0 h3 button').focus()")
    assert "mean" in tab.value("document.getElementById('definition').textContent")


def test_garbage_in_the_address_is_ignored(show):
    """Choices that the page does not know, or that are none, leave it as it begins."""
    tab = show(
        "chosen=9.9-x&hidden=999,a&scale=cubic&metric=nothing&rows=77&baseline=0&sort=zz&below=%3Cb%3E"
    )
    assert len(tab.value(ROWS)) == 24
    assert tab.value(CHOSEN) == []
    assert tab.complaints() == []
