"""What the live page is made of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from echelon.reports.page_files import page_file
from echelon.service.page import assets
from echelon.service.page.assets import OF_REPORTS, OWN, STYLES, asset

FOLDER = Path(assets.__file__).parent
LOADED = ("page.css", "first.js", "library.js", "page.js", "icon.svg")


def test_every_script_of_the_folder_is_loaded_once():
    """No script is forgotten, none is there twice, and the early one stands alone."""
    assert sorted([*OWN, "first.js"]) == sorted(file.name for file in FOLDER.glob("*.js"))
    assert len({*OWN, *OF_REPORTS}) == len(OWN) + len(OF_REPORTS)


def test_the_scripts_of_reports_are_used_as_they_are():
    """The page's script and style hold those of reports, text for text."""
    script, style = asset("page.js").content.decode(), asset("page.css").content.decode()
    assert all(page_file(name) in script for name in OF_REPORTS)
    assert all(page_file(name) in style for name in STYLES)


def test_the_page_loads_what_there_is_and_nothing_inline():
    """Each file that it names exists; there is neither a script nor a style in it."""
    page = asset("page.html").content.decode()
    named = re.findall(r'(?:src|href)="(?!#)([^"]+)"', page)
    assert sorted(named) == sorted(f"page/{name}" for name in LOADED)
    assert all(asset(name) is not None for name in LOADED)
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", page)


@pytest.mark.parametrize("name", OWN)
def test_no_script_reads_text_as_html(name):
    """What jobs and clusters say is set as text: no script writes HTML, or runs a text."""
    script = (FOLDER / name).read_text(encoding="utf-8")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", script
    )


def test_no_address_of_elsewhere_is_in_its_own_files():
    """Nothing of the page's own names another host; the namespace of SVG is a name."""
    for name in (*OWN, "first.js", "page.css", "page.html"):
        assert not re.search(r"https?://|(?<!:)//\w+\.", (FOLDER / name).read_text(encoding="utf-8")), name


def test_other_names_are_no_files():
    """Neither files beside the page nor paths are given out."""
    for name in ("assets.py", "live.js", "../page.html", "", "report.html"):
        assert asset(name) is None
