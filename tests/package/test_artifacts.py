"""What is released, in the folder `ECHELON_DIST`: the archives, and the wheel in an environment of its own.

``make package`` builds both there, the wheel from the source archive, and runs these tests.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from packaging.metadata import Metadata
from packaging.utils import parse_wheel_filename

from echelon.libraries.names import LIBRARIES
from echelon.libraries.processor import kinds

ROOT = Path(__file__).parents[2]
DIST = Path(os.environ.get("ECHELON_DIST", ROOT / "dist"))
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = DECLARED["project"]
ADDRESS = os.environ.get(
    "ECHELON_ADDRESS", DECLARED["tool"]["hatch"]["metadata"]["hooks"]["custom"]["address"]
)
"""Of the project, when the archives were built: "" while it has none."""

SCRIPTS = ("echelon", "echelon-scheduling")
MOST_MEGABYTES = 350
"""An environment with the plain package, pip included."""

pytestmark = pytest.mark.skipif("ECHELON_DIST" not in os.environ, reason="built and tested by make package")


def only(pattern):
    """Return the one file of the folder that fits."""
    (found,) = DIST.glob(pattern)
    return found.resolve()


@pytest.fixture(scope="module")
def wheel():
    with zipfile.ZipFile(only("*.whl")) as archive:
        assert archive.testzip() is None
        yield archive


@pytest.fixture(scope="module")
def metadata(wheel):
    name = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return Metadata.from_email(wheel.read(name), validate=True)


def tracked(folder):
    """Return the files under a folder of the checkout that git keeps."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", folder], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [PurePosixPath(name) for name in listed.split("\0") if name]


def test_the_metadata_is_what_the_project_says(metadata):
    """Name, version, Python, license, README and requirements are told as indexes want them."""
    assert (metadata.name, str(metadata.version)) == (PROJECT["name"], PROJECT["version"])
    assert str(metadata.requires_python) == PROJECT["requires-python"]
    assert (metadata.license_expression, metadata.license_files) == ("MIT", ["LICENSE"])
    assert metadata.description_content_type == "text/markdown"
    plain = {one.name for one in metadata.requires_dist if one.marker is None}
    assert plain == {one.partition(">")[0] for one in PROJECT["dependencies"]}
    assert set(metadata.provides_extra) == set(PROJECT["optional-dependencies"])


LINK = re.compile(r"(!?)\[[^\[\]]*\]\(([^()]*)\)")


def test_the_long_description_leads_only_where_something_is(metadata):
    """Its links are whole addresses of files that the checkout has; without an address there are none."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = LINK.findall(metadata.description)
    if not ADDRESS:
        assert found == []
        return
    assert len(found) == len(LINK.findall(readme)), "no link and no picture of the README is lost"
    assert [target.split("/docs/")[1] for mark, target in found if mark] == ["pictures/report.png"]
    for mark, target in found:
        where = f"{ADDRESS}/{'raw' if mark else 'blob'}/v{PROJECT['version']}/"
        assert target.startswith(where)
        assert (ROOT / target.removeprefix(where)).exists(), target


def test_the_long_description_is_the_readme(metadata):
    """Every block of commands and every heading of it is there, and no comment for those who write it."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for part in (r"^```.*?^```$", r"^#+ .*?$"):
        found = [re.findall(part, text, re.MULTILINE | re.DOTALL) for text in (readme, metadata.description)]
        assert found[0] == found[1]
    assert "<!--" not in metadata.description


def test_the_urls_follow_from_the_address(metadata):
    """Homepage, source, issues, documentation, changes and citation, or none while there is no address."""
    urls = metadata.project_urls or {}
    if not ADDRESS:
        assert urls == {}
        return
    assert set(urls) == {"Homepage", "Source", "Issues", "Documentation", "Changes", "Citation"}
    assert all(url.startswith(ADDRESS) for url in urls.values())


def test_the_extra_all_holds_every_other(metadata):
    """`all` brings what any extra needs."""
    of = {name: set() for name in metadata.provides_extra}
    for one in metadata.requires_dist:
        for name in of:
            if one.marker is not None and one.marker.evaluate({"extra": name}):
                of[name].add((one.name, str(one.specifier)))
    assert of["all"] == set.union(*(needs for name, needs in of.items() if name != "all"))


def test_the_wheel_is_the_package_and_nothing_else(wheel):
    """Every file of the sources is in it as it is, with types and license; tests and documents are not."""
    names = set(wheel.namelist())
    sources = {name.relative_to("src").as_posix(): name for name in tracked("src/echelon")}
    assert "echelon/py.typed" in sources
    for name, source in sources.items():
        assert wheel.read(name) == (ROOT / source).read_bytes(), name
    others = {name for name in names - set(sources) if not name.startswith("echelon/libraries/built/")}
    assert {PurePosixPath(name).parts[0] for name in others} == {
        f"echelon_scheduling-{PROJECT['version']}.dist-info"
    }
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in others)


def test_the_wheel_holds_every_kernel_for_every_processor(wheel):
    """It is of one platform and of no one Python, as machine code but for that it runs on."""
    built = [PurePosixPath(name).name for name in wheel.namelist() if "/libraries/built/" in name]
    found = {tuple(name.split("-")[:2]) for name in built if not name.endswith(".sources")}
    assert found == {(name, kind) for name in LIBRARIES for kind in kinds()}
    tags = parse_wheel_filename(only("*.whl").name)[3]
    assert {(tag.interpreter, tag.abi) for tag in tags} == {("py3", "none")}
    assert "any" not in {tag.platform for tag in tags}
    # Such a tag says that nothing but the system's own libraries is needed.
    assert sys.platform != "linux" or all(tag.platform.startswith("manylinux_2_") for tag in tags)


def test_the_source_archive_is_the_checkout():
    """It holds sources, tests, documents, locks and the build hook, and nothing that is built."""
    with tarfile.open(only("*.tar.gz")) as archive:
        names = {PurePosixPath(*PurePosixPath(name).parts[1:]) for name in archive.getnames()}
    for folder in ("src", "tests", "docs", "examples", "benchmarks"):
        assert set(tracked(folder)) <= names
    assert {
        PurePosixPath(name)
        for name in ("CITATION.cff", "hatch_build.py", "pyproject.toml", "requirements.lock")
    } <= names
    assert not [name for name in names if "built" in name.parts or name.suffix in (".so", ".pyc")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a log of a hundred jobs."""
    draw, submit = random.Random(1), 0
    lines = []
    for job in range(1, 101):
        submit += draw.randrange(60)
        run = draw.randrange(1, 900)
        lines.append(
            f"{job} {submit} -1 {run} {draw.randrange(1, 17)} -1 -1 -1 {run + draw.randrange(600)}"
            " -1 1 1 1 -1 -1 -1 -1 -1\n"
        )
    made = tmp_path_factory.mktemp("own")
    (made / "own.swf").write_text("".join(lines))
    return made


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Return an environment in which the wheel is installed, and what it needs, and nothing else."""
    made = tmp_path_factory.mktemp("environment")
    venv.create(made, with_pip=True, symlinks=os.name != "nt")
    python = next(iter([*made.glob("bin/python"), *made.glob("Scripts/python.exe")]))
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--require-hashes", "-r", ROOT / "requirements-plain.lock"], check=True)
    subprocess.run([*pip, "--no-deps", only("*.whl")], check=True)
    return python


@pytest.fixture
def echelon(environment, folder):
    """Return a function that runs a command where no compiler is, and nothing of this process is known."""

    def run(*words, out):
        kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}
        return subprocess.run(
            [environment, "-m", "echelon", *words, "--out", out],
            cwd=folder,
            env={**kept, "PATH": str(environment.parent), "HOME": str(folder), "USERPROFILE": str(folder)},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.parametrize("script", SCRIPTS)
def test_both_scripts_run(environment, script):
    """The package's own name starts it, too, so that tools that run a package by its name find it."""
    (file,) = environment.parent.glob(f"{script}{'.exe' if os.name == 'nt' else ''}")
    done = subprocess.run([file, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"echelon {PROJECT['version']}\n"


RUN = ("run", "own.swf", "--processors", "16", "--policy", "conservative", "--quiet")


def engine_of(folder):
    return json.loads((folder / "run.json").read_text(encoding="utf-8"))["engine"]


def built(environment):
    """Return the libraries of an environment."""
    (found,) = environment.parents[1].glob("[lL]ib/**/echelon/libraries/built")
    return sorted(file for file in found.iterdir() if file.suffix != ".sources")


def test_the_wheel_runs_where_no_compiler_is(echelon, folder):
    """A person's own log runs at once in the compiled engine: nothing is compiled, and nothing is said."""
    done = echelon(*RUN, out="first")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert engine_of(folder / "first") == "compiled"


def test_the_environment_is_light(environment):
    """What compiles kernels is not there, nor any extra, and all of it is less than 350 MB on the disk."""
    words = [environment, "-m", "pip", "--disable-pip-version-check", "list", "--format", "json"]
    listed = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    others = ("numba", "llvmlite", "ziglang", "matplotlib", "scipy", "dask", "sqlalchemy", "highspy")
    assert {one["name"].lower() for one in listed}.isdisjoint(others)
    files = [file for file in environment.parents[1].rglob("*") if file.is_file() and not file.is_symlink()]
    assert sum(file.stat().st_size for file in files) / 1e6 < MOST_MEGABYTES


def test_every_kind_of_processor_gives_the_same_bytes(echelon, environment, folder):
    """What an older processor runs, and the reference engine, write the same jobs as this one does."""
    assert echelon(*RUN, out="this").returncode == 0
    jobs = (folder / "this" / "jobs.csv").read_bytes()
    assert jobs.count(b"\n") == 101
    away = [file for file in built(environment) if "-newer-" in file.name]
    for file in away:
        file.rename(f"{file}.away")
    try:
        assert echelon(*RUN, out="older").returncode == 0
    finally:
        for file in away:
            Path(f"{file}.away").rename(file)
    assert engine_of(folder / "older") == "compiled"
    assert (folder / "older" / "jobs.csv").read_bytes() == jobs
    assert echelon(*RUN, "--engine", "reference", out="reference").returncode == 0
    assert (folder / "reference" / "jobs.csv").read_bytes() == jobs


@pytest.mark.parametrize("harm", ["gone", "damaged", "cut short"])
def test_without_a_library_everything_works(echelon, environment, folder, harm):
    """One sentence says what is wrong and what to do; the jobs are those of the compiled engine."""
    files = built(environment)
    kept = {file: file.read_bytes() for file in files}
    assert echelon(*RUN[:-1], out="there").returncode == 0
    for file in files:
        if harm == "gone":
            file.unlink()
        else:
            file.write_bytes(b"\x7fELF" if harm == "damaged" else kept[file][: len(kept[file]) // 2])
    try:
        done = echelon(*RUN[:-1], out="without")
    finally:
        for file, content in kept.items():
            file.write_bytes(content)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("\n") == 1
    assert engine_of(folder / "without") == "reference"
    jobs = [(folder / name / "jobs.csv").read_bytes() for name in ("there", "without")]
    assert jobs[0] == jobs[1]


def test_an_extra_that_is_missing_is_named(echelon):
    """A plain install says what to type to have figures, before it simulates anything."""
    done = echelon(*RUN, "--figures", "png", out="figures")
    assert done.returncode != 0
    assert done.stderr.count("\n") == 1
    assert "pip install 'echelon-scheduling[figures]'" in done.stderr
