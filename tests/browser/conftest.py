"""A headless browser to open reports in, driven through the DevTools protocol over a pipe."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from itertools import count

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


PLUMBING = """
import fcntl, os, sys
# The protocol wants its pipes at the descriptors 3 and 4, where other files may be open.
to_read, to_write = (fcntl.fcntl(int(text), fcntl.F_DUPFD, 10) for text in sys.argv[1:3])
os.dup2(to_read, 3)
os.dup2(to_write, 4)
os.execvp(sys.argv[3], sys.argv[3:])
"""


class Tab:
    """One page in a browser: what it shows, what it complains of, what it asks the network for."""

    def __init__(self, send, receive):
        self._send, self._receive, self._numbers = send, receive, count(1)
        self._session = None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        """Send a command and return its result; events met meanwhile are kept."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        self._send(message | ({"sessionId": self._session} if self._session else {}))
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def value(self, expression):
        """Return the value of a JavaScript expression, awaited if it is a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def open(self, path, *, width=1280, height=900, dark=False, ready="true"):
        """Load a file or an address in a window of that size and wait until its charts are drawn."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip
        theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[theme])
        self.call("Page.navigate", url=path if isinstance(path, str) else path.resolve().as_uri())
        self.until(f"document.documentElement?.dataset.ready === '{ready}'")

    def until(self, condition, seconds=20.0):
        """Wait until a JavaScript condition holds."""
        deadline = time.monotonic() + seconds
        while not self.value(condition):
            assert time.monotonic() < deadline, f"not within {seconds} s: {condition}; {self.complaints()}"
            time.sleep(0.02)

    def settle(self):
        """Wait until what was asked for is drawn."""
        self.value(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
        )

    def processor_time(self):
        """Return the processor time of all processes of the browser so far, in seconds."""
        session, self._session = self._session, None
        try:
            processes = self.call("SystemInfo.getProcessInfo")["processInfo"]
        finally:
            self._session = session
        return sum(process["cpuTime"] for process in processes)

    def mouse(self, kind, place, **more):
        """Send a mouse event, such as ``mouseMoved``, at a place (x, y) of the window."""
        self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], **more)

    def key(self, key):
        """Press and release a key."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key)
        self.settle()

    def screenshot(self, path):
        """Save what the window shows, the whole page."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        shot = self.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def complaints(self):
        """Return exceptions, console errors and warnings, and log entries of the page."""
        bad = ("Runtime.exceptionThrown", "Log.entryAdded")
        return [
            event
            for event in self.events
            if event.get("method") in bad
            or (
                event.get("method") == "Runtime.consoleAPICalled"
                and event["params"]["type"] in ("error", "warning")
            )
        ]

    def requests(self):
        """Return every address the page asked for."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event.get("method") == "Network.requestWillBeSent"
        ]


@contextmanager
def browser_tab(program, profile):
    """Start a browser with an empty profile, give a tab, and end the browser."""
    to_read, send_end = os.pipe()
    receive_end, to_write = os.pipe()
    command = [sys.executable, "-c", PLUMBING, str(to_read), str(to_write), program, *FLAGS]
    command.append(f"--user-data-dir={profile}")
    process = subprocess.Popen(command, pass_fds=(to_read, to_write), stderr=subprocess.DEVNULL)
    os.close(to_read)
    os.close(to_write)
    with os.fdopen(send_end, "wb", buffering=0) as sender, os.fdopen(receive_end, "rb") as receiver:

        def send(message):
            sender.write(json.dumps(message).encode() + b"\0")

        waiting = bytearray()

        def receive():
            while b"\0" not in waiting:
                part = receiver.read1(1 << 16)
                assert part, "the browser ended"
                waiting.extend(part)
            text, _, rest = waiting.partition(b"\0")
            waiting[:] = rest
            return json.loads(text)

        try:
            yield Tab(send, receive)
            send({"id": 0, "method": "Browser.close"})
            process.wait(10)
        finally:
            process.kill()
            process.wait()


@pytest.fixture(scope="session")
def tab(tmp_path_factory):
    """Give a browser's tab, or skip and say why there is none."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip(f"no browser to test the report in; one of {', '.join(BROWSERS)} is needed")
    with browser_tab(program, tmp_path_factory.mktemp("browser")) as tab:
        yield tab
