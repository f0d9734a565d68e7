"""The live page of a service in a real browser, before a real service with clusters of processes."""

from __future__ import annotations

import base64
import io
import json
import socket
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from echelon.backends import Snapshot
from echelon.client import Client
from echelon.service.api.server import Server
from echelon.service.configuration.config import read_config
from echelon.service.page import assets
from echelon.service.service import Service

pytestmark = pytest.mark.slow

CONFIG = """
[serve]
state = "state"
listen = "127.0.0.1:{port}"

[[cluster]]
name = "alpha"
backend = "process"
slots = 4
look_every = "0.2 s"

[[cluster]]
name = "beta"
backend = "process"
slots = 2
look_every = "0.2 s"
"""
OVER = "document.querySelector('#gantt .u-over')"
ROWS = "[...document.querySelectorAll('#jobs tbody tr')]"
TEXT = "document.getElementById({!r}).innerText"
KEEP = "try {{ sessionStorage.setItem('echelon-token', {}) }} catch {{}}"
RUNS = "/ 1 running/.test(document.getElementById('gantt').getAttribute('aria-label'))"
"""Whether the chart shows a job that runs."""
HOSTILE = "<img src=x onerror=document.title='forged'>"


class Running:
    """A service that answers, and what tests ask of it."""

    def __init__(self, folder, port):
        (folder / "serve.toml").write_text(CONFIG.format(port=port))
        self.folder, self.address = folder, f"http://127.0.0.1:{port}/"
        self.service = Service(read_config(folder / "serve.toml"))
        self.service.start()
        self.client = Client(str(self.service.config.socket))

    def answer(self):
        """Begin to answer, again."""
        self.server, ready = Server(self.service), threading.Event()
        self.thread = threading.Thread(target=self.server.run, args=(ready.set,))
        self.thread.start()
        assert ready.wait(10)

    def be_silent(self):
        """Stop to answer; the service itself goes on."""
        self.server.stop()
        self.thread.join(10)

    def submit(self, *command, **asked):
        """Submit a job that prints nothing into the folder of the tests."""
        return self.client.submit(*(command or ("sleep", "60")), directory=str(self.folder), **asked)

    def token(self, user, *scopes):
        """Return a new token."""
        return self.client.new_token(user, list(scopes))["token"]

    def cancel_all(self):
        """Leave no job."""
        for job in self.client.jobs(states=["open"]):
            self.client.cancel(job["id"])
        deadline = time.monotonic() + 10
        while list(self.client.jobs(states=["open"])) and time.monotonic() < deadline:
            time.sleep(0.05)


@contextmanager
def served(folder):
    """Run a service with two clusters that listens on TCP."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    running = Running(folder, port)
    try:
        running.answer()
        running.operator = running.token("mara", "read", "submit", "operate")
        try:
            yield running
        finally:
            running.be_silent()
    finally:
        running.service.stop()


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """Give a service that tests share."""
    with served(tmp_path_factory.mktemp("service")) as running:
        yield running
        running.cancel_all()


@pytest.fixture
def show(tab, running):
    """Give a function that opens the page as the user of a token; afterwards no job is left."""

    def open_page(token=None, **window):
        visit(tab, running.address, token or running.operator, **window)
        return tab

    yield open_page
    tab.call("Page.navigate", url="about:blank")
    running.cancel_all()


def visit(tab, address, token, **window):
    """Open the page of a service with a token that the tab has kept."""
    tab.events.clear()
    made = tab.call("Page.addScriptToEvaluateOnNewDocument", source=KEEP.format(json.dumps(token)))
    tab.open(address, **window)
    tab.call("Page.removeScriptToEvaluateOnNewDocument", identifier=made["identifier"])
    tab.until("document.getElementById('link').dataset.state === 'open'")
    tab.value("window.isSame = true")


def row(number, column):
    """Return the text of a job in a column of the table, as an expression."""
    found = f"{ROWS}.find(row => row.cells[0].innerText === '{number}')"
    return f"{found}?.querySelector('.{column}').innerText ?? ''"


def picture(tab):
    """Return the pixels of the chart, shape (height, width, 3)."""
    box = tab.value(
        f"(b => [b.left + scrollX, b.top + scrollY, b.width, b.height])({OVER}.getBoundingClientRect())"
    )
    clip = {**dict(zip(("x", "y", "width", "height"), box, strict=True)), "scale": 1}
    shot = tab.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
    with Image.open(io.BytesIO(base64.b64decode(shot["data"]))) as image:
        return np.asarray(image.convert("RGB"), dtype=int)


def asked(tab, part):
    """Return how many requests had an address with this in it."""
    return sum(part in one for one in tab.requests())


def open_card(tab, number):
    """Press the number of a job and wait for its card."""
    tab.until(f"{ROWS}.some(row => row.cells[0].innerText === '{number}')")
    tab.value(f"{ROWS}.find(row => row.cells[0].innerText === '{number}').querySelector('button').click()")
    tab.until(f"document.getElementById('job').open && {TEXT.format('job-title')}.startsWith('Job {number}')")


def press(tab, wish):
    """Press a button of the card once it can be pressed: none can while the service answers a wish."""
    button = f"document.querySelector('#job-wishes button[value={wish}]')"
    tab.until(f"{button}.offsetParent && !{button}.disabled")
    tab.value(f"{button}.click()")


def wishes(tab):
    """Return the buttons of the card that are offered."""
    return tab.value(
        "[...document.querySelectorAll('#job-wishes button')]"
        ".filter(one => one.offsetParent).map(one => one.value)"
    )


def test_a_token_is_asked_for_and_stays_in_the_tab(tab, running):
    """Without one nothing is shown, a wrong one is refused, a right one is kept for this tab."""
    tab.events.clear()
    tab.open(running.address, ready="token")
    assert tab.value("document.getElementById('live').hidden")
    give = (
        "(t => {{ document.getElementById('token').value = t;"
        "document.getElementById('token-form').requestSubmit(); }})({!r})"
    )
    tab.value(give.format("ech_" + "x" * 43))
    tab.until("document.getElementById('trouble').innerText.includes('not one of this service')")
    tab.value(give.format(running.operator))
    tab.until("document.getElementById('link').dataset.state === 'open'")
    assert tab.value("sessionStorage.getItem('echelon-token')") == running.operator
    assert (
        tab.value("JSON.stringify(localStorage) + document.cookie + location.href") == "{}" + running.address
    )
    assert "as mara" in tab.value(TEXT.format("caller"))
    assert tab.value(TEXT.format("zone")).startswith("times in ")
    assert tab.value("document.getElementById('token-section').hidden")
    tab.value("sessionStorage.clear()")


def test_jobs_come_run_and_end_without_loading_the_page_again(show, running):
    """A job appears, its state changes, it goes to those that have ended; the list is asked for only once."""
    tab = show()
    assert "No job waits or runs" in tab.value(TEXT.format("jobs-empty"))
    lists = asked(tab, "jobs?state=open")
    number = running.submit("sleep", "0.6", name="mesh-7", time_limit=60)["number"]
    tab.until(f"{row(number, 'state')} === 'running'")
    assert tab.value(row(number, "name")) == "mesh-7"
    assert tab.value(row(number, "cluster")) in ("alpha", "beta")
    tab.until("document.title.startsWith('1 running')")
    tab.until(f"!{row(number, 'state')}")
    tab.value(
        "(s => { s.value = 'ended'; s.dispatchEvent(new Event('change')) })(document.getElementById('state'))"
    )
    assert tab.value(row(number, "state")) == "completed"
    assert asked(tab, "jobs?state=open") == lists
    assert tab.value("window.isSame")
    assert tab.complaints() == []


def test_a_card_says_why_and_takes_wishes(show, running):
    """The decision on each cluster, the forecast against what happened, events; hold, release, cancel."""
    running.submit(processors=4, time_limit=600, name="wide")
    number = running.submit(processors=3, time_limit=300, name="next")["number"]
    tab = show()
    tab.until(f"{row(number, 'state')} === 'waiting'")
    open_card(tab, number)
    facts = tab.value(TEXT.format("job-facts"))
    for fact in (
        "Why this cluster",
        "alpha ✓",
        "has 2 processors, needs 3",
        "Forecast against what happened",
        "sleep 60",
    ):
        assert fact in facts
    assert wishes(tab) == ["hold", "cancel"]
    press(tab, "hold")
    tab.until(f"{TEXT.format('job-state')}.startsWith('held')")
    assert wishes(tab) == ["release", "cancel"]
    press(tab, "release")
    tab.until(f"{TEXT.format('job-state')}.startsWith('waiting')")
    press(tab, "cancel")
    assert tab.value("document.querySelector('#job-wishes [value=cancel]').innerText") == "Cancel it: sure?"
    assert running.client.job(number)["wanted"] == "run"
    press(tab, "cancel")
    tab.until(f"{TEXT.format('job-state')}.startsWith('canceled')")
    assert wishes(tab) == []
    events = tab.value("[...document.querySelectorAll('.events b')].map(one => one.innerText.trim())")
    assert events[0] == "canceled"
    assert {"held", "waiting", "queued"} <= set(events)
    tab.value("document.getElementById('job-close').click()")
    assert not tab.value("document.getElementById('job').open")
    assert tab.complaints() == []


def test_who_may_only_read_is_offered_nothing(show, running):
    """A reader's own view: jobs of others are gray, without names, and there are no buttons."""
    other = running.submit(processors=2, time_limit=600, name="secret")
    tab = show(running.token("jon", "read"))
    tab.until(RUNS)
    assert "No job waits or runs" in tab.value(TEXT.format("jobs-empty"))
    tab.value(f"document.getElementById('find-job').value = '{other['number']}'")
    tab.value("document.getElementById('find').requestSubmit()")
    tab.until(f"{TEXT.format('find-answer')}.startsWith('There is no job')")
    box = tab.value(f"(b => [b.left, b.top, b.width, b.height])({OVER}.getBoundingClientRect())")
    # It has just begun: most of its bar is a forecast, which is pale.
    pale = 0.45 * np.array([0xB3, 0xBA, 0xC2]) + 0.55 * np.array([0xF1, 0xF3, 0xF5])
    gray = np.abs(picture(tab) - pale).sum(axis=2) < 12
    assert gray.any()
    places = np.argwhere(gray)
    y, x = places[len(places) // 2]
    tab.mouse("mouseMoved", (box[0] + int(x), box[1] + int(y)))
    tab.until("!document.getElementById('card').hidden")
    assert "A job of others" in tab.value(TEXT.format("card"))
    assert "secret" not in tab.value("document.documentElement.innerHTML")


def test_the_gantt_shows_what_ran_what_runs_and_what_is_forecast(show, running):
    """Bars left and right of a line at now; planned ones are pale; a click on one opens its card."""
    running.client.wait(running.submit("sleep", "0.1", processors=4, time_limit=60)["id"], timeout=10)
    running.submit(processors=4, time_limit=300, name="first")
    number = running.submit(processors=3, time_limit=600, name="planned-one")["number"]
    tab = show(width=1400)
    tab.value(
        "(s => { s.value = '0.25'; s.dispatchEvent(new Event('change')) })(document.getElementById('hours'))"
    )
    tab.until("Number(document.getElementById('gantt').dataset.bars) >= 3")
    tab.until(
        "/1 running, 1 forecast to start/.test(document.getElementById('gantt').getAttribute('aria-label'))"
    )
    tab.settle()
    pixels = picture(tab)
    middle, height = pixels.shape[1] // 2, pixels.shape[0]
    ink = np.abs(pixels - [0x1B, 0x1F, 0x24]).sum(axis=2) < 12
    line = np.flatnonzero(ink.mean(axis=0) > 0.95)
    assert 1 <= len(line) <= 4
    assert line == pytest.approx(middle, abs=12)
    empty = np.abs(pixels - [0xF1, 0xF3, 0xF5]).sum(axis=2) < 6
    upper = slice(int(0.1 * height), int(0.6 * height))
    assert (~empty[upper, middle + 20 : middle + 300]).mean() > 0.3
    # Of 300 s in 900 s to the right the second job is planned for 600 s, and starts where the first ends.
    at = tab.value(
        "(b => [b.left + b.width * (0.5 + 600 / 1800), b.top + 0.4 * b.height])"
        f"({OVER}.getBoundingClientRect())"
    )
    tab.mouse("mouseMoved", at)
    tab.until("!document.getElementById('card').hidden")
    card = tab.value(TEXT.format("card"))
    assert card.startswith(f"Job {number} · planned-one")
    assert "starts, as forecast" in card
    for kind in ("mousePressed", "mouseReleased"):
        tab.mouse(kind, at, button="left", buttons=1, clickCount=1)
    tab.until(f"document.getElementById('job').open && {TEXT.format('job-title')}.startsWith('Job {number}')")
    tab.value("document.getElementById('job-close').click()")
    tab.value("document.getElementById('gantt').focus({preventScroll: true})")
    tab.key("]")
    assert tab.value("document.getElementById('spoken').textContent").startswith("Job ")
    assert tab.complaints() == []


def test_news_of_a_cluster_that_stops_answering_turns_stale(show, running, monkeypatch):
    """The age of the news counts up between answers, is called stale, and is young again afterwards."""
    tab = show()
    item = "document.querySelector('#clusters li')"
    assert tab.value(f"{item}.querySelector('h3').innerText") == "alpha"
    backend = running.service.clusters_at_work.at_work["alpha"].backend
    with monkeypatch.context() as patched:
        patched.setattr(
            backend,
            "look",
            lambda: Snapshot(time.time(), is_complete=False, problem="nobody answers <b>here</b>"),
        )
        tab.until(
            f"{item}.classList.contains('stale')"
            f" && /^stale: news \\d/.test({item}.querySelector('.news').innerText)"
        )
        tab.until(f"{item}.querySelector('.problem').innerText === 'Nobody answers <b>here</b>.'")
        age = f"Number({item}.querySelector('.news').innerText.match(/([\\d.]+) s old/)[1])"
        before = tab.value(age)
        tab.until(f"{age} > {before}")
        assert "out of reach" in tab.value(f"{item}.querySelector('.marks').innerText")
    tab.until(f"!{item}.classList.contains('stale')")
    assert tab.value("document.querySelectorAll('#clusters li.stale').length") == 0
    assert tab.complaints() == []


def test_the_page_finds_a_service_again(show, running):
    """While nobody answers it says so; afterwards it has what came meanwhile, without being loaded again."""
    tab = show()
    running.be_silent()
    try:
        tab.until("document.getElementById('link').dataset.state === 'closed'")
        assert "may be old" in tab.value(TEXT.format("trouble"))
    finally:
        running.answer()
    number = running.submit(name="meanwhile", hold=True)["number"]
    tab.until("document.getElementById('link').dataset.state === 'open'")
    tab.until(f"{row(number, 'state')} === 'held'")
    assert tab.value("document.getElementById('trouble').hidden")
    assert tab.value("window.isSame")


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    """Give a service that has more jobs than are asked for at once, with their numbers."""
    with served(tmp_path_factory.mktemp("crowd")) as running:
        jobs = [
            {"command": ["true"], "hold": True, "name": f"job-{k}", "processors": 1 + k % 2}
            for k in range(1200)
        ]
        numbers = [one["number"] for one in running.client.submit_batch(jobs)]
        running.submit("echo", HOSTILE, hold=True)
        yield running, numbers


def test_thousands_of_jobs_are_paged_filtered_and_sorted(tab, crowd):
    """There are never more than a page of rows, and a filter finds one job among all."""
    running, numbers = crowd
    visit(tab, running.address, running.operator)
    assert "1,201 jobs: 1,201 held." in tab.value(TEXT.format("count"))
    assert tab.value(f"{ROWS}.length") == 50
    tab.value("document.getElementById('later').click()")
    assert tab.value(f"Number({ROWS}[0].cells[0].innerText)") == numbers[50]
    find = (
        "(f => {{ f.value = {!r}; f.dispatchEvent(new Event('input')) }})(document.getElementById('filter'))"
    )
    tab.value(find.format("job-1199"))
    assert tab.value(f"{ROWS}.map(row => Number(row.cells[0].innerText))") == [numbers[-1]]
    tab.value(find.format("onerror"))
    assert tab.value(f"{ROWS}[0].querySelector('.name').innerText") == f"echo {HOSTILE}"
    assert tab.value("document.querySelectorAll('img').length") == 0
    tab.value(find.format(""))
    for _ in range(2):
        tab.value(
            "[...document.querySelectorAll('#jobs thead button')]"
            ".find(one => one.innerText.startsWith('Processors')).click()"
        )
    assert tab.value(f"{ROWS}[0].querySelector('.number').innerText") == "2"
    assert tab.value("document.querySelector('#jobs [aria-sort=descending]').innerText").startswith(
        "Processors"
    )
    drawn = tab.value(
        "(() => { const before = performance.now();"
        "document.getElementById('filter').dispatchEvent(new Event('input'));"
        "return performance.now() - before; })()"
    )
    assert drawn < 200
    assert tab.complaints() == []


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1400, 390])
def test_it_fits_windows_and_asks_nobody_else(show, running, width, dark):
    """Nothing is wider than the window, in light and dark; every request is to the service."""
    running.submit("sh", "-c", "sleep 60 # " + "x" * 300, processors=2, time_limit=600, name="a" * 32)
    tab = show(width=width, dark=dark)
    tab.until(RUNS)
    assert tab.value("document.documentElement.scrollWidth <= innerWidth")
    number = tab.value(f"{ROWS}[0].cells[0].innerText")
    open_card(tab, number)
    assert tab.value("(d => d.scrollWidth <= d.clientWidth)(document.getElementById('job'))")
    assert all(one.startswith(running.address) for one in tab.requests())
    assert tab.complaints() == []


def test_forecast_errors_are_drawn_and_summed_up(show, running):
    """Jobs that have started and ended are marks, with a sentence on how good their forecasts were."""
    running.client.wait(*(running.submit("true", time_limit=60)["id"] for _ in range(3)), timeout=10)
    tab = show()
    sentence = tab.value(TEXT.format("errors-summary"))
    assert sentence.startswith("Run times by request: of ")
    assert "half started within" in sentence
    assert tab.value("document.querySelector('#errors canvas').width") > 300
    assert tab.complaints() == []


def test_nothing_but_its_own_files_may_be_loaded(show, tab):
    """The policy of the page stops scripts in it and requests elsewhere."""
    show()
    tab.value(
        "document.body.append(Object.assign(document.createElement('script'),"
        "{ textContent: 'window.forged = 1' }))"
    )
    assert tab.value("fetch('http://localhost:1/').then(() => 'sent', () => 'stopped')") == "stopped"
    assert tab.value("window.forged") is None
    assert any("Content Security Policy" in json.dumps(one) for one in tab.complaints())
    tab.events.clear()


def packed(tab, bars, processors, wanted=None):
    """Return the rows that bars get, as lists of intervals."""
    script = (Path(assets.__file__).parent / "rows.js").read_text(encoding="utf-8")
    return tab.value(
        f"(() => {{ {script}; const rows = new Rows({processors}), wanted = {json.dumps(wanted)};"
        f"return {json.dumps(bars)}.map(([start, end, count]) =>"
        " rows.take(start, end, count, wanted ?? undefined)); })()"
    )


def test_bars_that_fit_never_lie_on_each_other(tab):
    """Random schedules on a machine get as many rows as they have processors, each row one job at a time."""
    random = np.random.default_rng(3)
    for processors in (1, 7, 64):
        ends, bars, now = np.zeros(processors), [], 0.0
        for _ in range(150):
            count, length = int(random.integers(1, processors + 1)), float(random.integers(1, 50))
            now = max(now, float(np.sort(ends)[count - 1]))
            bars.append((now, now + length, count))
            ends[np.argsort(ends, kind="stable")[:count]] = now + length
        held = np.full(processors, -1.0)
        for (start, end, count), intervals in zip(bars, packed(tab, bars, processors), strict=True):
            rows = np.concatenate([np.arange(first, first + height) for first, height in intervals])
            assert len(rows) == len(set(rows.tolist())) == count
            assert (held[rows] <= start).all()
            held[rows] = end


def test_bars_that_do_not_fit_are_drawn_all_the_same(tab):
    """Jobs known at different times may overlap: they get what is free first; a bar keeps its rows."""
    assert packed(tab, [(0, 10, 3), (5, 20, 3)], 4) == [[[0, 3]], [[0, 2], [3, 1]]]
    assert packed(tab, [(0, 10, 9)], 4) == [[[0, 4]]]
    assert packed(tab, [(0, 10, 2)], 4, [[2, 2]]) == [[[2, 2]]]
