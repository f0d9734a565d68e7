"""README and documentation: every block runs, and shows what really comes out.

How a page is read: ``python`` blocks run in order in one namespace a page; ``pycon`` blocks are doctests in
the same namespace; ``console`` blocks are commands after ``$`` with their output, where ``...`` stands for
anything. A comment ``<!-- file: NAME -->`` before a block saves it under that name instead. Blocks of ``sh``
and ``text`` are only read by people. All happens in a folder of the page's own, beside a copy of examples/.
A command that is echelon and its words alone, or python and a file, runs in this process, which starts once
for all of them; what needs a shell (a pipe, an exit code, another program) gets one, and the installed
program.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unittest import mock

import pytest
import typer

from echelon.cli import main
from echelon.cli.commands import app_of
from echelon.libraries.lookup import why_not
from echelon.libraries.names import LIBRARIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"(?:<!-- file: (\S+) -->\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IMPORT = re.compile(r"^(?:>>> )?import (\w+)", re.MULTILINE)
OPTIONAL = ("duckdb",)
"""What a page may import though neither Echelon nor one of its extras needs it."""
SHELL = re.compile(r"[|&;<>$`*?~#]")
"""What a shell would not hand to the program as it stands."""
TERMINAL = {"COLUMNS": "110", "NO_COLOR": "1", "TERM": "dumb", "ECHELON_DATA": ""}
SERVED = "<!-- runs with a service -->"
"""A page with this comment needs a service that runs."""
LINK = re.compile(r"\]\((?!https?:)([^)#]+)(#[^)]*)?\)")


class Block(NamedTuple):
    """One fenced block: the file it is saved as, or None; its language; its text; its line."""

    file: str | None
    language: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(match[1], match[2], match[3], text[: match.start()].count("\n") + 1)
        for match in FENCE.finditer(text)
    ]


def is_run(block: Block) -> bool:
    return block.language in ("python", "pycon", "console")


def imported(page: Path) -> list[str]:
    """Return the packages that blocks of Python import by name."""
    return IMPORT.findall("".join(block.text for block in blocks(page) if block.language != "text"))


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture(scope="module", autouse=True)
def _libraries_of_kernels() -> None:
    """Build libraries of kernels that are not there yet, so that no command on a page says that it does."""
    for name in LIBRARIES:
        assert why_not(name) is None


@pytest.mark.parametrize("page", [page for page in PAGES if any(map(is_run, blocks(page)))], ids=name_of)
def test_blocks_run_and_show_what_comes_out(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every block of the page runs, and where output is shown it is the real one."""
    if missing := [name for name in imported(page) if name in OPTIONAL and find_spec(name) is None]:
        pytest.skip(f"{missing[0]} is not installed")
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path)
    namespace: dict[str, object] = {"__name__": "__page__"}
    with service_for(page, monkeypatch):
        for block in blocks(page):
            run_block(block, namespace, f"{name_of(page)}, line {block.line}")


@contextlib.contextmanager
def service_for(page: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run a service without a configuration beside a page that asks for one."""
    if SERVED not in page.read_text(encoding="utf-8"):
        yield
        return
    pytest.importorskip("fastapi")
    # The path of a socket has at most 107 characters.
    with tempfile.TemporaryDirectory(prefix="echelon-") as state:
        monkeypatch.setenv("ECHELON_STATE", state)
        monkeypatch.delenv("ECHELON_SERVICE", raising=False)
        options = [sys.executable, "-m", "echelon", "serve"]
        with subprocess.Popen(options, stderr=subprocess.PIPE, text=True) as service:
            try:
                assert service.stderr is not None
                assert "serving local" in service.stderr.readline()
                yield
            finally:
                service.terminate()
                service.communicate(timeout=30)


def prepare(folder: Path) -> None:
    """Make `folder` what pages expect of the one they run in, and go there."""
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    os.chdir(folder)


def run_block(block: Block, namespace: dict[str, object], where: str) -> None:
    if block.file is not None:
        Path(block.file).write_text(block.text, encoding="utf-8")
    elif block.language == "python":
        exec(compile(block.text, where, "exec", dont_inherit=True), namespace)
    elif block.language == "pycon":
        run_doctest(block.text, namespace, where)
    elif block.language == "console":
        for command, shown in commands(block.text):
            code, got = ran(command)
            if not shown.strip():
                assert code == 0, f"{where}: $ {command}\nfails: {got}"
            elif not is_shown(shown, got):
                pytest.fail(f"{where}: $ {command}\nshown:\n{shown}\ngot:\n{got}")


def run_doctest(text: str, namespace: dict[str, object], where: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, namespace, where, where, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.REPORT_NDIFF)
    said: list[str] = []
    failed = runner.run(test, out=said.append, clear_globs=False).failed
    namespace |= test.globs
    assert not failed, "".join(said)


def commands(text: str) -> list[tuple[str, str]]:
    """Return the commands of a console block, each with the output shown below it."""
    before, *parts = re.split(r"^\$ (.*(?:\\\n.*)*)\n", text, flags=re.MULTILINE)
    assert not before, f"output before the first command: {before}"
    return list(zip(parts[::2], parts[1::2], strict=True))


def is_shown(shown: str, got: str) -> bool:
    """Return whether `shown` is what came out, save where it has ``...``."""
    return doctest.OutputChecker().check_output(plain(shown), plain(got), doctest.ELLIPSIS)


def ran(command: str) -> tuple[int, str]:
    """Return the command's exit code and what a person sees: its stdout and stderr."""
    program, *options = shlex.split(command.replace("\\\n", " "))
    here = None if SHELL.search(command) else HERE.get(program)
    code, said = ran_in_a_shell(command) if here is None else ran_here(here, options)
    assert "Traceback" not in said, said
    return code, plain(said)


def run_script(options: list[str]) -> int:
    """Run a file of Python as a program: modules beside it are imported again; its errors are the test's."""
    here = Path.cwd()
    with mock.patch.object(sys, "argv", options), mock.patch.object(sys, "path", [str(here), *sys.path]):
        runpy.run_path(options[0], run_name="__main__")
    for name, module in [*sys.modules.items()]:
        if here in Path(getattr(module, "__file__", None) or "/").parents:
            del sys.modules[name]
    return 0


HERE: dict[str, Callable[[list[str]], int]] = {"echelon": main, "python": run_script}
"""Programs that need no process of their own."""


def ran_here(program: Callable[[list[str]], int], options: list[str]) -> tuple[int, str]:
    said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with (
        mock.patch.dict(os.environ, TERMINAL),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
    ):
        code = program(options)
    return code, said.buffer.getvalue().decode()


def ran_in_a_shell(command: str) -> tuple[int, str]:
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    done = subprocess.run(
        command,
        shell=True,
        env={**os.environ, **TERMINAL, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    return done.returncode, done.stdout


def plain(text: str) -> str:
    """Return `text` without blanks at the ends of lines, and one newline at its end."""
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n")) + "\n"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    """Every link to a file of the repository finds it, and every anchor of a page its heading or mark."""
    for match in LINK.finditer(page.read_text(encoding="utf-8")):
        target = (page.parent / match[1]).resolve()
        assert target.exists(), f"{match[1]} in {name_of(page)}"
        if match[2]:
            assert match[2][1:] in anchors(target), f"{match[1]}{match[2]} in {name_of(page)}"


def anchors(page: Path) -> set[str]:
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    slugs = {re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}
    return slugs | set(re.findall(r'<a id="([^"]+)"', text))


def test_the_readme_has_one_picture() -> None:
    """It is a PNG that loads quickly, and it has a text for those who do not see it."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ((text, target),) = re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", readme)
    picture = (ROOT / target).read_bytes()
    assert len(text) > 40
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 200_000


DOCS = ROOT / "docs"


def linked_from(page: Path) -> set[Path]:
    """Return the files that a page links to."""
    return {(page.parent / match[1]).resolve() for match in LINK.finditer(page.read_text(encoding="utf-8"))}


def test_every_page_is_in_the_navigation() -> None:
    """The site's navigation leads to every page, and to none that is not there."""
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:")[1]
    named = re.findall(r": (\S+\.md)$", navigation, re.MULTILINE)
    assert sorted(named) == sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


def test_every_page_is_in_the_index() -> None:
    """Who begins at the index finds every page, decisions by their own index, each number once."""
    indexed = linked_from(DOCS / "index.md") | linked_from(DOCS / "decisions" / "index.md")
    assert [name_of(page) for page in DOCS.rglob("*.md") if page not in {*indexed, DOCS / "index.md"}] == []
    numbers = [page.name[:4] for page in DOCS.glob("decisions/[0-9]*.md")]
    assert len(set(numbers)) == len(numbers)


def test_contributing_names_every_room() -> None:
    """Each room and each single file of the package stands in the table of rooms, and nothing else does."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.split("## Where things are")[1].split("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| `") or "`__main__`" in line]
    named = {word for row in rows for word in re.findall(r"`(\w+)`", row)}
    package = ROOT / "src" / "echelon"
    rooms = {path.parent.name for path in package.glob("*/*.py")} | {
        path.stem for path in package.glob("*.py")
    }
    assert named == rooms - {"__init__"}


def test_rooms_import_only_rooms_above_them_in_contributing() -> None:
    """The table of rooms has each room below those that it imports; rooms of the first row come first."""
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Where things are")[1]
    rows = [line.split("|")[1] for line in table.split("\n## ")[0].splitlines() if line.startswith("| `")]
    place = {word: k for k, row in enumerate(rows) for word in re.findall(r"`(\w+)`", row)}
    page = (DOCS / "explanation" / "architecture.md").read_text(encoding="utf-8")
    generated = page.split("| Room | Imports |")[1].split("<!--")[0]
    imports = re.findall(r"^\| `(\w+)` \| (.*) \|$", generated, re.MULTILINE)
    assert len(imports) > 20
    below = [(room, one) for room, rooms in imports for one in re.findall(r"\w+", rooms) if room in place]
    assert [(room, one) for room, one in below if place[one] > place[room]] == []


FOREIGN = {"createdb", "export", "sacct", "source", ".venv/bin/jupyter"}
"""What blocks of `sh` may say besides commands of this repository; people run it, not the tests."""


def shell_lines() -> list[tuple[str, list[str]]]:
    """Return the arguments of each command in a block of `sh`, with the page and line of its block."""
    found = []
    for page in PAGES:
        for block in blocks(page):
            if block.language == "sh" and block.file is None:
                where = f"{name_of(page)}, line {block.line}"
                text = block.text.replace("\\\n", " ")
                found += [
                    (where, options)
                    for line in text.splitlines()
                    if (options := shlex.split(line, comments=True))
                ]
    return found


@pytest.mark.parametrize(("where", "options"), shell_lines())
def test_blocks_that_are_not_run_name_what_exists(where: str, options: list[str]) -> None:
    """A command that only people run is of make, echelon or pip, and its targets, options, extras exist."""
    program, *arguments = options
    if program == "make":
        targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        assert set(arguments) <= set(targets), where
    elif program == "echelon":
        command = typer.main.get_command(app_of()).commands[arguments.pop(0)]
        while commands_below := getattr(command, "commands", None):
            is_named = bool(arguments) and arguments[0] in commands_below
            command = commands_below[arguments.pop(0) if is_named else getattr(command, "default", where)]
        known = {word for option in command.params for word in (*option.opts, *option.secondary_opts)}
        own = arguments[: arguments.index("--")] if "--" in arguments else arguments
        assert {word for word in own if word.startswith("-")} <= known, where
    elif program == "pip":
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        extras = re.findall(r"\w+", "".join(re.findall(r"\[(.*?)\]", arguments[-1])))
        assert arguments[0] == "install", where
        assert set(extras) <= set(project["optional-dependencies"]), where
    elif program == ".venv/bin/python":
        assert arguments[0] == "-m" or (ROOT / arguments[0]).is_file(), where
    else:
        assert program in FOREIGN, where


def test_what_the_readme_shows_is_the_demo() -> None:
    """The README's first command is what `make demo` runs."""
    command, _ = commands(next(b.text for b in blocks(ROOT / "README.md") if b.language == "console"))[0]
    demo = re.search(
        r"^demo:.*\n\t\$\(BIN\)/(.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert demo is not None
    assert demo[1].replace("$(OUT)", "echelon-out") == command
