"""The page on a study in a real browser: the system's colors, and no scrolling sideways on a phone."""

from __future__ import annotations

import pytest

from echelon.reproduce import Claim, Figure, Quantity, Reproduction, Sample, Study
from echelon.reproduce.report.pages import reproduction_page

QUANTITY = Quantity("turnaround", "mean turnaround", "h", "mean(end - submit)")


@pytest.fixture
def page(tmp_path):
    """Return the file of a page with everything in it that is wide."""
    found = Reproduction(
        study=Study(
            "tiny", "A study with a title of some length", "Nobody, 1900", "nothing", lambda _: found
        ),
        setting={"input_sha256": 64 * "f", "policies": {"PQS-LARGEFIRST": "largest-first"}},
        printed=[Figure("PQS-LARGEFIRST", QUANTITY, "3086.38", "§ 6.3.2: L1263", 3086.377228)],
        samples=[Sample("Jobs of A", "table 1", tuple("abcdefgh"), [(620527.0,) * 8], [(620527.0,) * 8])],
        claims=[Claim("C1", "A is better than B. " * 9, "§§ 1 to 9", "does not hold", "It is not. " * 9)],
        charts=[],
        notes=["Made by hand."],
    )
    file = tmp_path / "report.html"
    file.write_text(reproduction_page(found, {}), encoding="utf-8")
    return file


def show(tab, page, *, width, dark):
    """Load the page in a window of that size; it has no charts to wait for."""
    tab.call(
        "Emulation.setDeviceMetricsOverride",
        width=width, height=844, deviceScaleFactor=1, mobile=width < 600,
    )  # fmt: skip
    theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    tab.call("Emulation.setEmulatedMedia", features=[theme])
    tab.call("Page.navigate", url=page.resolve().as_uri())
    tab.until("document.readyState === 'complete' && document.title.startsWith('A study')")


@pytest.mark.parametrize(("dark", "ground"), [(False, "rgb(246, 247, 249)"), (True, "rgb(17, 20, 23)")])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_follows_the_system_and_fits(tab, page, *, dark, ground, width):
    """Light or dark as the system is; only tables scroll, each in its own box; nothing is asked for."""
    tab.events.clear()
    show(tab, page, width=width, dark=dark)
    assert tab.value("getComputedStyle(document.body).backgroundColor") == ground
    assert tab.value("document.documentElement.scrollWidth <= innerWidth")
    assert tab.complaints() == []
    assert [url for url in tab.requests() if not url.startswith("file:")] == []
