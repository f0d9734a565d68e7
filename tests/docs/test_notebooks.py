"""The notebooks in examples/: every cell runs and shows what stands below it.

They are run without Jupyter: the cells in order, in one namespace, the value of a cell's last expression
shown as Jupyter would.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
LONGEST = 20_000
"""Letters of HTML kept in the file; a whole report is not."""


def read_notebook(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def write_notebook(notebook: dict[str, Any], path: Path) -> None:
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return the notebook with the outputs that come out now."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    cells = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            outputs = _run("".join(cell["source"]), namespace, count)
            cells.append({**cell, "execution_count": count, "outputs": outputs})
        else:
            cells.append(cell)
    return {**notebook, "cells": cells}


def _run(source: str, namespace: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Return what a cell prints, and its last expression's value as a notebook shows it."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), f"cell {count}", "exec", dont_inherit=True), namespace)
        value = None
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"cell {count}", "eval"), namespace)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        shown = {"data": _shown(value), "execution_count": count, "metadata": {}}
        outputs.append({**shown, "output_type": "execute_result"})
    return outputs


def _shown(value: Any) -> dict[str, list[str]]:
    data = {"text/plain": _lines(repr(value))}
    html = value._repr_html_() if hasattr(value, "_repr_html_") else ""
    return {"text/html": _lines(html), **data} if 0 < len(html) <= LONGEST else data


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def test_there_is_one() -> None:
    """The first look is a notebook."""
    assert EXAMPLES / "first_look.ipynb" in NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_cells_show_what_comes_out(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run from the top, each cell gives the output in the file; a report is written beside it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ECHELON_DATA", "")
    notebook = read_notebook(path)
    again = executed(notebook)
    for stored, now in zip(notebook["cells"], again["cells"], strict=True):
        assert stored == now, f"{path.name}, cell {stored['id']}: say tests/docs/refresh_outputs.py {path}"
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_the_file_is_a_notebook(path: Path) -> None:
    """Format 4.5: every cell has a name of its own; no cell is empty; the file stays small."""
    notebook = read_notebook(path)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    names = [cell["id"] for cell in notebook["cells"]]
    assert len(set(names)) == len(names)
    assert all("".join(cell["source"]).strip() for cell in notebook["cells"])
    assert path.stat().st_size < 100_000
