"""The report in a frame, as a notebook shows it."""

from __future__ import annotations

import echelon as ec


def test_the_report_works_in_a_notebooks_frame(tab, tmp_path):
    """In a frame without an address of its own the page draws its charts, without complaint or request."""
    workload = ec.Workload.from_columns(
        name='of "three" & more', submit_time=[0, 1, 2], run_time=[90, 9, 9], processors=[1, 2, 1]
    )
    compared = ec.compare(workload, policies=["fcfs", "easy"], processors=2)
    shown = ec.show_report(compared, tmp_path / "report.html")
    page = tmp_path / "notebook.html"
    page.write_text(
        f"<!doctype html><meta charset='utf-8'><title>Notebook</title>{shown._repr_html_()}"
        "<script>const ready = setInterval(() => { if (document.querySelector('iframe').contentDocument"
        "?.documentElement?.dataset.ready) { document.documentElement.dataset.ready = 'true';"
        " clearInterval(ready) } }, 20)</script>",
        encoding="utf-8",
    )
    tab.events.clear()
    tab.open(page)
    drawn = "document.querySelector('iframe').contentDocument.querySelectorAll('canvas').length"
    assert tab.value(drawn) > 2
    assert tab.complaints() == []
    assert {address.split(":")[0] for address in tab.requests()} <= {"file", "data", "about", "blob"}
