"""Take the picture of the live page: ``make picture``. Needs Chromium; takes about a minute and a half.

It is what a person sees whose service has run short jobs on two clusters of processes for a while.
"""

from __future__ import annotations

import base64
import io
import json
import random
import shutil
import socket
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from echelon.client import Client
from echelon.service.api.server import Server
from echelon.service.configuration.config import read_config
from echelon.service.service import Service

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "browser"))

from conftest import BROWSERS, Tab, browser_tab  # noqa: E402  (the browser that tests the page)

PICTURE = ROOT / "docs" / "how-to" / "pictures" / "live-page.png"
WIDTH, HEIGHT = 1280, 900
COLORS = 256
NOTCHES = 8
"""Turns of the wheel by which the chart is zoomed."""
CONFIG = """
[serve]
state = "state"
socket = "echelon.sock"
listen = "127.0.0.1:{port}"

[[cluster]]
name = "alpha"
backend = "process"
slots = 12
look_every = "0.5 s"

[[cluster]]
name = "beta"
backend = "process"
slots = 6
look_every = "0.5 s"
"""
NAMES = ("mesh", "solve", "render", "fold", "align", "train")


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, Client]]:
    """Run a service in a folder; give its address and a client."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    (folder / "serve.toml").write_text(CONFIG.format(port=port), encoding="utf-8")
    service = Service(read_config(folder / "serve.toml"))
    try:
        service.start()
        server = Server(service)
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}/", Client(str(service.config.socket))
        finally:
            server.stop()
            thread.join(10)
    finally:
        service.stop()


def work(client: Client, folder: Path) -> None:
    """Submit jobs for a minute, more than run at once."""
    draw = random.Random(4)
    for _ in range(5):
        jobs = []
        for _ in range(12):
            seconds = draw.choice([3, 6, 10, 16, 25])
            limit = seconds * draw.choice([1.2, 2, 3])
            sleep = {"command": ["sleep", str(seconds)], "directory": str(folder), "time_limit": limit}
            size = draw.choice([1, 2, 2, 3, 4, 6])
            jobs.append({**sleep, "name": f"{draw.choice(NAMES)}-{draw.randrange(90)}", "processors": size})
        client.submit_batch(jobs)
        time.sleep(11)


def take(folder: Path, program: str) -> bytes:
    """Return a picture of the page, as PNG."""
    with serving(folder) as (address, client):
        token = client.new_token("mara", ["read", "submit", "operate"])["token"]
        work(client, folder)
        with browser_tab(program, folder / "profile") as tab:
            kept = f"try {{ sessionStorage.setItem('echelon-token', {json.dumps(token)}) }} catch {{}}"
            tab.call("Page.addScriptToEvaluateOnNewDocument", source=kept)
            tab.open(address, width=WIDTH, height=HEIGHT)
            shot = _shot(tab)
            complaints = tab.complaints()
        for job in client.jobs(states=["open"]):
            client.cancel(job["id"])
    if complaints:
        raise SystemExit(f"the page complains: {complaints}")
    return base64.b64decode(shot)


def _shot(tab: Tab) -> str:
    tab.value(
        "(h => { h.value = '0.25'; h.dispatchEvent(new Event('change')); })(document.getElementById('hours'))"
    )
    tab.value("new Promise(done => setTimeout(done, 1500))")
    box = json.loads(
        tab.value("JSON.stringify(document.querySelector('#gantt .u-over').getBoundingClientRect())")
    )
    for _ in range(NOTCHES):
        tab.mouse("mouseWheel", (box["x"] + box["width"] / 2, box["y"] + 20), deltaX=0, deltaY=-120)
        tab.settle()
    tab.mouse("mouseMoved", (5, 5))
    tab.value("new Promise(done => setTimeout(done, 500))")
    shot: str = tab.call("Page.captureScreenshot", format="png")["data"]
    return shot


def main() -> None:
    """Write the picture among those of the pages."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        raise SystemExit(f"needs a browser, one of {', '.join(BROWSERS)}")
    with tempfile.TemporaryDirectory() as folder:
        shot = take(Path(folder), program)
    picture = Image.open(io.BytesIO(shot)).convert("RGB").quantize(COLORS)
    picture.save(PICTURE, optimize=True)
    sys.stdout.write(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
