"""How soon the page of a real year opens, and how fluid it is: ``python benchmarks/report_page.py``.

Writes the report of KTH-SP2 (28,467 jobs, 333 days) under one policy and under six, opens it in a headless
browser, and prints a line of JSON for each: size of the page, time from the navigation to the first Gantt
chart, by the clock and by the processors of all the browser's processes, and of panning by wheel and by
dragging at several zooms the frames/s and the processor time of a frame.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import echelon as ec
from echelon.reports import show_report

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.browser.conftest import BROWSERS, browser_tab

if TYPE_CHECKING:
    from collections.abc import Sequence

POLICIES = ("fcfs", "easy", "conservative", "sjf", "easy(candidates=shortest-first)", "largest-first")
ZOOMS = (0, 4, 8, 12)
"""How often the time is halved before panning."""
OPENINGS, FRAMES = 5, 90

OPENED = """
document.addEventListener('DOMContentLoaded', () => new MutationObserver((_, observer) => {
  if (!document.documentElement.dataset.ready) return;
  window.openedAfter = performance.now();
  observer.disconnect();
}).observe(document.documentElement, { attributes: true }));
"""
PAN = """(async (frames, way) => {
  const over = document.querySelector('#gantt .u-over'), box = over.getBoundingClientRect();
  const frame = () => new Promise(requestAnimationFrame), y = box.top + box.height / 2;
  const pointer = (kind, clientX) =>
    over.dispatchEvent(new PointerEvent(kind, { pointerId: 1, button: 0, clientX, clientY: y }));
  const wheel = (deltaX) =>
    over.dispatchEvent(new WheelEvent('wheel',
      { deltaX, deltaY: 0, cancelable: true, clientX: at(0), clientY: y }));
  const at = (i) => box.left + box.width * (.4 + .01 * (i % 40 < 20 ? i % 40 : 40 - i % 40));
  if (way === 'drag') pointer('pointerdown', at(0));
  const began = await frame();
  let last = began;
  for (let i = 0; i < frames; i++) {
    if (way === 'drag') pointer('pointermove', at(i));
    else wheel((i % 40 < 20 ? 1 : -1) * .02 * box.width);
    last = await frame();
  }
  pointer('pointerup', at(0));
  return 1000 * frames / (last - began);
})"""


def openings(tab: Any, path: Path) -> dict[str, float]:
    """Return seconds to the first Gantt chart, the median of several openings after one that warms up."""
    tab.call("Page.addScriptToEvaluateOnNewDocument", source=OPENED)
    seconds, work = [], []
    for _ in range(OPENINGS + 1):
        tab.call("Page.navigate", url="about:blank")
        before = tab.processor_time()
        tab.open(path, width=1400)
        work.append(tab.processor_time() - before)
        seconds.append(tab.value("window.openedAfter") / 1000)
        tab.until("document.documentElement.dataset.filled === 'true'", 60)
    return {"opened_s": round(median(seconds[1:]), 3), "opened_processor_s": round(median(work[1:]), 3)}


def panning(tab: Any) -> list[dict[str, Any]]:
    """Return frames/s and processor time of a frame, for each zoom and way of panning."""
    tab.value("document.getElementById('gantt').scrollIntoView({block: 'center'})")
    found = []
    for zoom in ZOOMS:
        tab.value("document.getElementById('zoom-all').click()")
        for _ in range(zoom):
            tab.value("document.getElementById('zoom-in').click()")
        tab.value("new Promise(done => setTimeout(done, 300))")
        tab.until("document.getElementById('gantt').dataset.missing === '0'")
        for way in ("wheel", "drag"):
            before = tab.processor_time()
            rate = tab.value(f"{PAN}({FRAMES}, '{way}')")
            work = 1000 * (tab.processor_time() - before) / FRAMES
            found.append(
                {"zoom": zoom, "way": way, "frames_s": round(rate, 1), "processor_ms": round(work, 1)}
            )
    return found


def measured(policies: Sequence[str], program: str) -> dict[str, Any]:
    """Return what is measured of the page of these policies."""
    with TemporaryDirectory() as folder, browser_tab(program, f"{folder}/profile") as tab:
        path = Path(folder, "report.html")
        show_report(ec.compare("kth-sp2", policies=list(policies)), path)
        told = {"policies": len(policies), "page_bytes": path.stat().st_size, **openings(tab, path)}
        return {**told, "panning": panning(tab)}


def main() -> None:
    """Measure the pages of one policy and of six."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.parse_args()
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        sys.exit(f"needs a browser, one of {', '.join(BROWSERS)}")
    for policies in (POLICIES[1:2], POLICIES):
        print(json.dumps(measured(policies, program)))


if __name__ == "__main__":
    main()
