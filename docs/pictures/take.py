"""Take the pictures of the report, its summary and its schedules: ``make picture``. Needs Chromium.

The README shows what a person sees who says ``make demo``, opens the report and zooms to a busy week.
"""

from __future__ import annotations

import base64
import io
import json
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image

import echelon as ec

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "browser"))

from conftest import BROWSERS, Tab, browser_tab  # noqa: E402  (the browser that tests the report)

FOLDER = Path(__file__).parent
POLICIES = ["easy", "easy:shortest-first"]
COLOR = "wait"
AT, NOTCHES = 0.42, 11
"""Where in the log to zoom to, as a share of it, and by how many turns of the wheel."""
WIDTH, HEIGHT = 1280, 1400
COLORS = 256
"""Of the picture's palette: a page has few, and the file is a third as large."""
MOST_BYTES = 200_000

SUMMARY = """(box =>
  JSON.stringify({ x: box.x + scrollX, y: box.y + scrollY, width: 620, height: box.height })
)(document.getElementById('summary').getBoundingClientRect())"""
SECTION = "document.getElementById('time-section')"
CHARTS = """(section => {
  const box = section.getBoundingClientRect();
  const low = [...section.querySelectorAll('.uplot')].map(chart => chart.getBoundingClientRect().bottom);
  const height = Math.max(...low) - box.y;
  return JSON.stringify({ x: box.x + scrollX, y: box.y + scrollY, width: box.width, height });
})(document.getElementById('time-section'))"""


def take(folder: Path, program: str) -> dict[str, bytes]:
    """Return pictures, as PNG, of the summary of the report, and of its schedules, zoomed to some days."""
    page = ec.show_report(ec.compare("kth-sp2", policies=POLICIES), folder / "report.html")
    with browser_tab(program, folder / "profile") as tab:
        tab.open(page.path, width=WIDTH, height=HEIGHT)
        summary = _shot(tab, json.loads(tab.value(SUMMARY)))
        tab.value(f"{SECTION}.scrollIntoView()")
        tab.value(
            f"(c => {{ c.value = {COLOR!r}; c.dispatchEvent(new Event('change', {{ bubbles: true }})) }})"
            "(document.getElementById('color'))"
        )
        box = json.loads(
            tab.value(f"JSON.stringify({SECTION}.querySelector('.u-over').getBoundingClientRect())")
        )
        place = (box["x"] + AT * box["width"], box["y"] + box["height"] / 2)
        for _ in range(NOTCHES):
            tab.mouse("mouseWheel", place, deltaX=0, deltaY=-120)
            tab.settle()
        tab.mouse("mouseMoved", (5, 5))
        tab.value("new Promise(done => setTimeout(done, 300))")
        charts = _shot(tab, json.loads(tab.value(CHARTS)))
        complaints = tab.complaints()
    if complaints:
        raise SystemExit(f"the page complains: {complaints}")
    return {"report": charts, "report-summary": summary}


def _shot(tab: Tab, box: dict[str, float]) -> bytes:
    """Return a picture of a part of the page."""
    shot = tab.call("Page.captureScreenshot", format="png", clip={**box, "scale": 1})
    return base64.b64decode(shot["data"])


def main() -> None:
    """Write the pictures beside this script."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        raise SystemExit(f"needs a browser, one of {', '.join(BROWSERS)}")
    with tempfile.TemporaryDirectory() as folder:
        shots = take(Path(folder), program)
    for name, shot in shots.items():
        path = FOLDER / f"{name}.png"
        Image.open(io.BytesIO(shot)).convert("RGB").quantize(COLORS).save(path, optimize=True)
        size = path.stat().st_size
        sys.stdout.write(f"{path.relative_to(ROOT)}: {size:,} bytes\n")
        if size > MOST_BYTES:
            raise SystemExit(f"too large for a page: more than {MOST_BYTES:,} bytes")


if __name__ == "__main__":
    main()
