"""The build hook: which kernels go into which wheel, and where that wheel fits."""

from __future__ import annotations

import os
import platform
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BUILDER = """
import subprocess
from pathlib import Path
from echelon.errors import EchelonError

def build_libraries(names, cpus, folder):
    if (Path(__file__).parent / "fails").exists():
        raise EchelonError("no compiler is here")
    built = []
    for name in names or ["machine", "nodes"]:
        for cpu in cpus:
            folder.mkdir(parents=True, exist_ok=True)
            source, library = folder / "one.c", folder / f"{name}-{cpu}.so"
            source.write_text(SOURCE)
            subprocess.run(["cc", "-shared", "-fPIC", *FLAGS, source, "-o", library, "-lm"], check=True)
            source.unlink()
            built.append(library)
    return built

FLAGS = []
SOURCE = '''
#include <string.h>
void f(char *a, char *b, long n) { memmove(a, b, n); }
'''
"""
LOOKUP = "import shutil; linker = lambda: shutil.which('cc')\n"
PROCESSOR = "kinds = lambda: ('baseline', 'newer')\npreferred_kinds = lambda: ('newer', 'baseline')\n"
BUILD = "import sys; from hatchling.build import build_{0} as build; print(build(sys.argv[1]))"

LINUX_WITH_C = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc" or shutil.which("cc") is None or find_spec("elftools") is None,
    reason="needs Linux with glibc, a C compiler and pyelftools",
)


@pytest.fixture
def project(tmp_path):
    """Return a package like this one, whose libraries are built by a few lines of C."""
    root = tmp_path / "project"
    package = root / "src" / "echelon"
    (package / "libraries").mkdir(parents=True)
    for name in ("pyproject.toml", "README.md", "LICENSE", "hatch_build.py", ".gitignore"):
        shutil.copy(ROOT / name, root / name)
    for name in ("errors.py", "py.typed"):
        shutil.copy(ROOT / "src" / "echelon" / name, package / name)
    for name, text in (("build", BUILDER), ("processor", PROCESSOR), ("lookup", LOOKUP), ("__init__", "")):
        (package / "libraries" / f"{name}.py").write_text(text)
    (package / "__init__.py").write_text("")
    return root


def built(project, what="wheel", kernels=None, ready=None):
    """Build and return the file."""
    asked = {"ECHELON_BUILD_KERNELS": kernels, "ECHELON_BUILT_KERNELS": ready}
    environment = {name: value for name, value in os.environ.items() if name not in asked}
    environment |= {name: str(value) for name, value in asked.items() if value is not None}
    done = subprocess.run(
        [sys.executable, "-c", BUILD.format(what), str(project.parent / "dist")],
        capture_output=True,
        text=True,
        check=False,
        cwd=project,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return project.parent / "dist" / done.stdout.splitlines()[-1], done.stderr + done.stdout


def libraries_in(wheel):
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        return sorted(name for name in archive.namelist() if name.endswith(".so"))


def tags_of(wheel):
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/WHEEL"))
        return re.findall(r"^(?:Tag|Root-Is-Purelib): (.*)$", archive.read(name).decode(), re.MULTILINE)


@pytest.mark.slow
@LINUX_WITH_C
def test_a_wheel_holds_all_kernels_for_all_processors_of_its_platform(project):
    """It is of any Python and of one platform, and what is built for it is not left in the sources."""
    wheel, _ = built(project)
    platform_of = f"manylinux_2_17_{platform.machine()}"
    assert wheel.name.endswith(f"-py3-none-{platform_of}.whl")
    assert tags_of(wheel) == ["false", f"py3-none-{platform_of}"]
    assert libraries_in(wheel) == [
        f"echelon/libraries/built/{name}-{kind}.so"
        for name in ("machine", "nodes")
        for kind in ("baseline", "newer")
    ]
    assert not (project / "src" / "echelon" / "libraries" / "built").exists()


@pytest.mark.slow
@LINUX_WITH_C
@pytest.mark.parametrize(
    ("symbol", "flags", "tag"),
    [
        # glibc 2.29 has a faster pow under a version of its own, on x86-64 and ARM alike.
        ("double pow(double, double); double g(double x) { return pow(x, x); }", [], r"manylinux_2_29_\w+"),
        # Not a library that every Linux has: such a wheel is for this machine alone.
        ("", ["-Wl,--no-as-needed", "-lgcc_s"], r"linux_\w+"),
    ],
    ids=["a newer symbol", "another library"],
)
def test_the_platform_is_what_the_libraries_ask_for(project, symbol, flags, tag):
    """The tag names the oldest glibc that has every symbol, and no index's platform if more is needed."""
    builder = project / "src" / "echelon" / "libraries" / "build.py"
    text = builder.read_text().replace("FLAGS = []", f"FLAGS = {flags!r}")
    builder.write_text(text.replace("#include <string.h>", f"#include <string.h>\n{symbol}"))
    wheel, _ = built(project)
    assert re.search(rf"-py3-none-({tag})\.whl$", wheel.name)


@pytest.mark.slow
@LINUX_WITH_C
def test_kernels_are_chosen_by_the_environment(project):
    """Names joined by commas are those that are built."""
    wheel, _ = built(project, kernels="swf, nodes")
    assert {Path(name).name.split("-")[0] for name in libraries_in(wheel)} == {"swf", "nodes"}


@pytest.mark.slow
def test_a_wheel_without_kernels_fits_everywhere(project):
    """Where none are wanted the wheel is of any platform, and the builder is not even imported."""
    (project / "src" / "echelon" / "libraries" / "build.py").write_text("raise AssertionError\n")
    wheel, _ = built(project, kernels="none")
    assert tags_of(wheel) == ["true", "py3-none-any"]
    assert libraries_in(wheel) == []


@pytest.mark.slow
def test_where_nothing_can_be_built_the_wheel_has_no_kernels(project):
    """One sentence says why, and the package runs in its reference engine on any platform."""
    (project / "src" / "echelon" / "libraries" / "fails").touch()
    wheel, said = built(project)
    assert tags_of(wheel) == ["true", "py3-none-any"]
    assert "No kernels are built: no compiler is here; Echelon will run in its reference engine." in said


@pytest.mark.slow
@LINUX_WITH_C
def test_an_editable_install_has_kernels_for_this_processor(project):
    """They are in the sources, where the package finds them, and not in the wheel that points there."""
    wheel, _ = built(project, "editable", kernels="machine")
    folder = project / "src" / "echelon" / "libraries" / "built"
    assert [file.name for file in folder.iterdir()] == ["machine-newer.so"]
    assert libraries_in(wheel) == []


@pytest.mark.slow
@LINUX_WITH_C
def test_kernels_that_were_built_before_are_packed_from_where_they_are(project, tmp_path):
    """Of that folder the wheel gets what the builder returns, with the list of its sources, alone."""
    ready = tmp_path / "ready"
    ready.mkdir()
    for name in ("machine.sources", "other.sources", "machine-newer-old.so"):
        (ready / name).touch()
    wheel, _ = built(project, kernels="machine", ready=ready)
    with zipfile.ZipFile(wheel) as archive:
        packed = {Path(name).name for name in archive.namelist() if "/libraries/built/" in name}
    assert packed == {"machine-baseline.so", "machine-newer.so", "machine.sources"}
    assert (ready / "machine-newer.so").exists()


@pytest.mark.slow
@LINUX_WITH_C
def test_what_a_checkout_built_for_itself_is_not_packed(project):
    """A wheel holds what was built for it: a library in the sources may be of older sources."""
    folder = project / "src" / "echelon" / "libraries" / "built"
    folder.mkdir()
    (folder / "old-newer.so").touch()
    wheel, _ = built(project, kernels="machine")
    assert {Path(name).name for name in libraries_in(wheel)} == {"machine-baseline.so", "machine-newer.so"}


@pytest.mark.slow
@pytest.mark.parametrize("kernels", ["all", "machine", "none"])
@pytest.mark.parametrize("compiler", [True, False])
def test_what_building_needs(project, tmp_path, kernels, compiler):
    """All are of the group `build`; a linker is wanted only without a C compiler, for no kernels nothing."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    if compiler:
        (bin_folder / "cc").write_text("#!/bin/sh\n")
        (bin_folder / "cc").chmod(0o755)
    code = "from hatchling.build import get_requires_for_build_wheel as needs; print(*needs(), sep='\\n')"
    environment = {"PATH": str(bin_folder), "ECHELON_BUILD_KERNELS": kernels}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=project, env=environment
    )
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    allowed = {one.split(";")[0] for one in groups["build"]} - {"hatchling", "editables"}
    found = set(done.stdout.split())
    assert found == (set() if kernels == "none" else allowed | (set() if compiler else set(groups["linker"])))


README = """# Name

<!-- made from the code -->
![A picture of it](docs/a.png)

See [how](docs/how-to/install.md#extras), [a
page](docs/index.md), [else](https://e.example) and [below](#name).

```sh
echo [not](a/link.md)
```
"""
ADDRESSED = """# Name

![A picture of it](https://code.example/us/name/raw/v1.2/docs/a.png)

See [how](https://code.example/us/name/blob/v1.2/docs/how-to/install.md#extras), [a
page](https://code.example/us/name/blob/v1.2/docs/index.md), [else](https://e.example) and [below](#name).

```sh
echo [not](a/link.md)
```
"""
WITHOUT = """# Name

See how, a
page, [else](https://e.example) and [below](#name).

```sh
echo [not](a/link.md)
```
"""


@pytest.mark.parametrize(
    ("declared", "given", "text"),
    [
        ("", None, WITHOUT),
        ("https://code.example/us/name", None, ADDRESSED),
        ("", "https://code.example/us/name/", ADDRESSED),
        ("https://other.example", "https://code.example/us/name", ADDRESSED),
        ("https://other.example", "", WITHOUT),
    ],
    ids=["no address", "declared", "of the environment", "both", "taken away"],
)
def test_one_address_makes_the_long_description_and_the_urls(project, monkeypatch, declared, given, text):
    """One line, or the environment, says where everything is; a link to nowhere becomes its text."""
    (project / "README.md").write_text(README)
    monkeypatch.delenv("ECHELON_ADDRESS", raising=False)
    if given is not None:
        monkeypatch.setenv("ECHELON_ADDRESS", given)
    metadata = {"version": "1.2"}
    hook = runpy.run_path(str(project / "hatch_build.py"))["AddressHook"]
    hook(str(project), {"address": declared}).update(metadata)
    assert metadata["readme"] == {"content-type": "text/markdown", "text": text}
    urls = metadata["urls"]
    assert urls == {} if text is WITHOUT else urls["Homepage"] == "https://code.example/us/name"


@pytest.mark.slow
def test_a_wheel_of_the_source_archive_keeps_its_links(project, monkeypatch):
    """What the archive says is not made again, where the address may be another."""
    monkeypatch.setenv("ECHELON_ADDRESS", "https://code.example/us/name")
    (project / "README.md").write_text(README)
    archive, _ = built(project, "sdist")
    shutil.rmtree(project)
    shutil.unpack_archive(archive, project.parent)
    (unpacked,) = project.parent.glob("echelon_scheduling-*/")
    unpacked.rename(project)
    monkeypatch.delenv("ECHELON_ADDRESS")
    wheel, _ = built(project, kernels="none")
    with zipfile.ZipFile(wheel) as packed:
        name = next(name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        assert "https://code.example/us/name/raw/" in packed.read(name).decode()
