"""The files of pages: all are used, and what is left out of scripts are comments and indents."""

from __future__ import annotations

import re
from pathlib import Path

import echelon.reports
from echelon.reports.page_files import lean_script, page_file
from echelon.reports.report import CHANGING, SCRIPTS

PAGE = Path(echelon.reports.__file__).parent / "page"


def test_every_script_is_on_a_page():
    """No file is forgotten in a list, and no list names one that is not there."""
    found = {file.relative_to(PAGE).as_posix() for file in PAGE.rglob("*.js")}
    lists = "".join(file.read_text(encoding="utf-8") for file in PAGE.parent.rglob("*.py"))
    assert {*SCRIPTS, *CHANGING} <= found
    assert [name for name in sorted(found) if f'"{name}"' not in lists] == []


def test_what_is_left_of_a_script_is_its_code():
    """Line by line; texts of several lines, whose indents would matter, are in none."""
    for name in (*SCRIPTS, *CHANGING):
        whole = page_file(name)
        code = [
            line.strip() for line in re.sub(r"^ *\/\*\*.*?\*\/ *$", "", whole, flags=re.M | re.S).splitlines()
        ]
        assert [line for line in code if line and not line.startswith("//")] == [
            line.strip() for line in lean_script(name).splitlines() if line.strip()
        ], name
        assert not any(
            line.count("`") % 2 for line in whole.splitlines() if not line.strip().startswith(("//", "*"))
        ), name
