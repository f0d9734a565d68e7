"""Runs whose reports the browser opens, and what a reader does there."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from echelon.reports import RunTables

if TYPE_CHECKING:
    from collections.abc import Sequence

NASTY = "</script><img src=x onerror='hacked=1'>"


def random_runs(
    waits: Sequence[int], *, jobs: int = 300, users: Sequence[object] = (), **facts: object
) -> list[RunTables]:
    """Return runs of the same random jobs, one for each longest wait in seconds."""
    random = np.random.default_rng(11)
    submit = np.sort(random.integers(0, 10**6, jobs)).astype(float)
    columns: dict[str, Any] = {
        "job_id": np.arange(1, jobs + 1),
        "submit_time": submit,
        "run_time": random.integers(1, 50_000, jobs).astype(float),
        "processors": random.integers(1, 65, jobs),
        "user": [users[k % len(users)] for k in range(jobs)] if users else random.integers(1, 6, jobs),
    }
    runs = []
    for place, most in enumerate(waits):
        start = submit + random.integers(0, most + 1, jobs)
        table = pl.DataFrame({**columns, "start_time": start, "end_time": start + columns["run_time"]})
        wait = start - submit
        metrics = {"jobs": jobs, "mean_wait": float(wait.mean()), "utilization": 0.5 + 0.1 * place}
        runs.append(RunTables(table, metrics, {"policy": f"policy-{place}", "processors": 6400, **facts}))
    return runs


def filled(tab: Any, path: Any, **window: Any) -> Any:
    """Open a report and wait until all of it is there; what was complained of before is forgotten."""
    tab.events.clear()
    tab.call("Page.navigate", url="about:blank")
    tab.open(path, **window)
    tab.until("document.documentElement.dataset.filled === 'true'")
    tab.settle()
    return tab


def choose(tab: Any, selector: str, value: object) -> None:
    """Choose a value of a select, or write one into a field."""
    tab.value(
        f"(s => {{ s.value = {str(value)!r}; s.dispatchEvent(new Event('change')); }})"
        f"(document.querySelector({selector!r}))"
    )
    tab.settle()


def press(tab: Any, selector: str, place: int = 0) -> None:
    """Click one of the elements that a selector finds."""
    tab.value(f"document.querySelectorAll({selector!r})[{place}].click()")
    tab.settle()


def texts(tab: Any, selector: str) -> list[str]:
    """Return the texts of all elements that a selector finds and that are shown."""
    return tab.value(
        f"[...document.querySelectorAll({selector!r})].filter(e => e.checkVisibility())"
        ".map(e => e.textContent.trim())"
    )


def seen(tab: Any) -> dict[str, float]:
    """Return the part of the schedule seen, as numbers."""
    data = tab.value("({...document.getElementById('gantt').dataset})")
    return {key: float(value) for key, value in data.items()}


def file_saved(tab: Any, section: str, kind: str) -> bytes:
    """Press an entry of a section's menu of downloads, and return the file that the reader would get."""
    tab.value(
        "(() => { window.files = []; const make = URL.createObjectURL;"
        "URL.createObjectURL = (file) => { window.files.push(file); URL.createObjectURL = make;"
        " return make(file); };"
        f"[...document.querySelectorAll('#{section} .download button')]"
        f".find(button => button.textContent === {kind!r}).click(); }})()"
    )
    tab.until("window.files.length === 1")
    packed = tab.value(
        "(async () => { const bytes = new Uint8Array(await window.files[0].arrayBuffer()); let text = '';"
        "for (let at = 0; at < bytes.length; at += 30000)"
        " text += String.fromCharCode(...bytes.subarray(at, at + 30000)); return btoa(text); })()"
    )
    return base64.b64decode(packed)
