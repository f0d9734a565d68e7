"""The documentation site in a real browser, opened from the disk and from a server."""

from __future__ import annotations

import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("mkdocs", reason="the group docs is not installed")

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
RESULTS = "[...document.querySelectorAll('#mkdocs-search-results a')].map(a => a.getAttribute('href'))"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site; a link to nowhere, or a page that is not in the navigation, is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def served(site):
    """Serve the site on this machine; give its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def opened(tab, address, **window):
    """Open a page and wait until its scripts have run."""
    tab.events.clear()
    tab.call("Page.navigate", url="about:blank")
    tab.until("location.href === 'about:blank'")
    tab.call(
        "Emulation.setDeviceMetricsOverride",
        **{"width": 1400, "height": 900, "deviceScaleFactor": 1, "mobile": False, **window},
    )
    scheme = {"name": "prefers-color-scheme", "value": "light"}
    tab.call("Emulation.setEmulatedMedia", features=[scheme])
    tab.call("Page.navigate", url=address)
    tab.until("document.readyState === 'complete' && location.href !== 'about:blank'")


def found(tab, query):
    """Type a query into the search; return the addresses of what it finds."""
    tab.value("document.querySelector('[data-bs-target=\"#mkdocs_search_modal\"]').click()")
    tab.value(f"document.getElementById('mkdocs-search-query').value = {query!r}")
    # The worker of a served page reads the index first, and then listens.
    tab.until(
        "document.getElementById('mkdocs-search-query').dispatchEvent(new KeyboardEvent('keyup'))"
        f" && {RESULTS}.length > 0"
    )
    return tab.value(RESULTS)


def complaints(tab):
    """Return what the page complains of; the worker of the search also says what it does."""
    return [one for one in tab.complaints() if one["params"].get("entry", {}).get("level") != "info"]


def test_the_search_works_from_the_disk_and_from_a_server(tab, site, served):
    """A word leads to the same pages, the one about it first, and none of it comes from elsewhere."""
    from_disk, from_server = [], []
    for address, links in ((site.as_uri(), from_disk), (served, from_server)):
        opened(tab, f"{address}/how-to/install.html")
        links += found(tab, "conservative backfilling AccaSim")
        assert complaints(tab) == []
        assert {url.split("/how-to")[0] for url in tab.requests() if "/how-to" in url} == {address}
        assert all(url.startswith((address, "data:", "about:")) for url in tab.requests())
    assert from_disk == from_server
    assert "coming-from/accasim.html" in from_disk[0]
    assert (site / "how-to" / from_disk[0].split("#")[0]).resolve().is_file()


def test_every_page_is_at_the_side(tab, site):
    """The groups of the page are open, its entry is marked, and every page can be reached."""
    opened(tab, (site / "how-to" / "failures.html").as_uri())
    side = "document.getElementById('site-navigation')"
    assert tab.value(f"{side}.querySelector('[aria-current]').innerText") == "Find out what failures cost"
    opens = f"[...{side}.querySelectorAll('details[open] > summary')].map(one => one.innerText)"
    assert tab.value(opens) == ["How to", "Predict"]
    links = tab.value(f"[...{side}.querySelectorAll('li a')].map(one => one.href)")
    assert len(links) > 150
    missing = [link for link in links if not (site / link.removeprefix(site.as_uri() + "/")).is_file()]
    assert missing == []
    assert tab.value("document.querySelector('.site-headings').innerText").startswith("On this page")


def test_a_narrow_window_has_the_pages_in_a_drawer(tab, site):
    """They come with a press, and nothing is wider than the window."""
    opened(tab, (site / "coming-from" / "pyss.html").as_uri(), width=390, mobile=True)
    shown = "getComputedStyle(document.getElementById('site-navigation')).visibility"
    assert tab.value(shown) == "hidden"
    tab.value("document.querySelector('.site-pages').click()")
    tab.until(f"{shown} === 'visible'")
    assert tab.value("document.documentElement.scrollWidth") == 390
    assert tab.complaints() == []


def test_a_reader_chooses_light_or_dark(tab, site):
    """The choice holds at once and on the next page."""
    for page in ("index.html", "faq.html"):
        opened(tab, (site / page).as_uri())
        if page == "index.html":
            assert tab.value("document.documentElement.dataset.bsTheme") == "light"
            tab.value("document.querySelector('[data-bs-theme-value=dark]').click()")
        assert tab.value("document.documentElement.dataset.bsTheme") == "dark"
        bar = tab.value("getComputedStyle(document.querySelector('.navbar')).backgroundColor")
        assert max(int(part) for part in bar[4:-1].split(",")) < 100
        assert tab.complaints() == []


def test_pages_outside_the_documents_are_there(site):
    """The examples that pages link to, and what contributors read."""
    assert (site / "examples" / "cluster.toml").read_bytes() == (ROOT / "examples/cluster.toml").read_bytes()
    assert 'href="explanation/semantics.html"' in (site / "CONTRIBUTING.html").read_text(encoding="utf-8")


def test_headings_that_begin_with_a_number_have_anchors(tab, site):
    """The script that marks the heading in view takes each anchor for a selector: no digit begins it."""
    opened(tab, (site / "tutorial" / "first-steps.html").as_uri())
    assert (
        tab.value("document.querySelector('.site-headings a').getAttribute('href')") == "#step-1-see-it-work"
    )
    assert tab.value("!!document.querySelector('#step-1-see-it-work')")
    assert tab.complaints() == []
