"""Write the real output under every command of pages: ``python tests/docs/refresh_outputs.py PAGE...``.

A page is Markdown or a notebook.

For when a command's output was changed on purpose; read the diff before you commit it. What already holds,
with its ``...``, stays as it is. So do ``pycon`` blocks: people write them.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from test_notebooks import executed, read_notebook, write_notebook
from test_pages import FENCE, Block, commands, is_shown, prepare, ran, run_block

VARYING = re.compile(r"(simulated(?: (?:under|in) each of \d+ \w+)?) in \S+ s,")


def refreshed(page: Path) -> str:
    """Return the page's text with the outputs that come out now."""
    text, parts, last = page.read_text(encoding="utf-8"), [], 0
    namespace: dict[str, object] = {"__name__": "__page__"}
    for match in FENCE.finditer(text):
        block = Block(match[1], match[2], match[3], 0)
        parts.append(text[last : match.start(3)])
        if block.file is None and block.language == "console":
            parts += [f"$ {command}\n{_output(command, shown)}" for command, shown in commands(block.text)]
        else:
            if block.file is not None or block.language == "python":
                run_block(block, namespace, str(page))
            parts.append(block.text)
        last = match.end(3)
    return "".join(parts) + text[last:]


def _output(command: str, shown: str) -> str:
    _, got = ran(command)
    if shown.strip() and is_shown(shown, got):
        return shown
    return VARYING.sub(r"\1 in ... s,", got) if got.strip() else ""


if __name__ == "__main__":
    for path in [Path(argument).resolve() for argument in sys.argv[1:]]:
        with tempfile.TemporaryDirectory() as folder:
            prepare(Path(folder))
            if path.suffix == ".ipynb":
                write_notebook(executed(read_notebook(path)), path)
            else:
                path.write_text(refreshed(path), encoding="utf-8")
