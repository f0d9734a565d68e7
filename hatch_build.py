"""Build hook: with the package its kernels become shared libraries, and a wheel of them fits one platform.

``ECHELON_BUILD_KERNELS`` says which are built: ``all`` (the default), ``none``, or names joined by commas.
A wheel holds them for every processor of its kind, an editable install for the one that it is made on.
"""

from __future__ import annotations

import os
import platform
import re
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WANTED = "ECHELON_BUILD_KERNELS"
BUILT = "libraries/built"
"""Where libraries are in the package."""

_REQUIREMENTS = ("llvmlite", "numba>=0.68,<0.69", "numpy>=2.0")
_ELF_READER = "pyelftools"
_LINKER = "ziglang"

_OLDEST_GLIBC = 17
"""2.17: no installer asks for less, whatever a library would do with."""

_OF_LINUX = re.compile(r"lib[cm]\.so\.6|ld-linux[\w.-]*\.so\.\d")
"""What every Linux with glibc has."""


class KernelsHook(BuildHookInterface):
    """Builds kernels into wheels and editable installs."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return what building needs, on this machine."""
        self._find_sources()
        from echelon.libraries.lookup import linker
        from echelon.libraries.processor import kinds

        if names_wanted() == [] or not kinds():
            return []
        reader = [_ELF_READER] if sys.platform.startswith("linux") else []
        return [*_REQUIREMENTS, *reader, *([] if linker() else [_LINKER])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the kernels before the files are packed; without any the wheel fits every platform."""
        names = names_wanted()
        if names == []:
            return
        self._find_sources()
        if version == "editable":
            self._build(names, Path(self.root, "src", "echelon", BUILT), best=True)
            return
        self._scratch = tempfile.TemporaryDirectory(prefix="echelon-kernels-")
        folder = Path(self._scratch.name)
        libraries = self._build(names, folder, best=False)
        if libraries:
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform_tag(libraries)}"
            build_data["force_include"] |= {
                str(file): f"echelon/{BUILT}/{file.relative_to(folder).as_posix()}"
                for file in sorted(folder.rglob("*"))
                if file.is_file()
            }

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was built to be packed."""
        if hasattr(self, "_scratch"):
            self._scratch.cleanup()

    def _find_sources(self) -> None:
        """Have Python import the package from here: it builds itself, before it is installed."""
        sources = str(Path(self.root, "src"))
        if sources not in sys.path[:1]:
            sys.path.insert(0, sources)

    def _build(self, names: Sequence[str] | None, folder: Path, *, best: bool) -> list[Path]:
        """Build into `folder`, for the best kind of processor that this one is or for all kinds.

        Where nothing can be built a sentence says why: the package then runs in its reference engine.
        """
        from echelon.errors import EchelonError
        from echelon.libraries.build import build_libraries
        from echelon.libraries.processor import kinds, preferred

        if sys.platform == "darwin":
            _oldest_macos()
        try:
            return build_libraries(names, preferred()[:1] if best else kinds(), folder)
        except EchelonError as error:
            self.app.display_warning(
                f"No kernels are built: {error}; Echelon will run in its reference engine."
            )
            return []


def names_wanted() -> list[str] | None:
    """Return the libraries to build by the environment; None is all."""
    wanted = os.environ.get(WANTED, "all").strip()
    if wanted in ("all", "none"):
        return None if wanted == "all" else []
    return [name.strip() for name in wanted.split(",") if name.strip()]


def platform_tag(libraries: Iterable[Path]) -> str:
    """Return the platforms that these libraries run on, as installers call them."""
    if sys.platform == "darwin":
        return f"macosx_{_oldest_macos().replace('.', '_')}_{platform.machine()}"
    if sys.platform.startswith("linux"):
        return linux_tag(libraries)
    return re.sub(r"[-.]", "_", sysconfig.get_platform())


def linux_tag(libraries: Iterable[Path]) -> str:
    """Return the tag by the newest glibc of which these libraries use a symbol.

    One that needs more than libc and libm fits this machine only, and no index takes it.
    """
    found = [_needs(file) for file in libraries if file.suffix == ".so"]
    if not all(_OF_LINUX.fullmatch(name) for names, _ in found for name in names):
        return f"linux_{platform.machine()}"
    newest = max([_OLDEST_GLIBC, *(minor for _, minor in found)])
    return f"manylinux_2_{newest}_{platform.machine()}"


def _needs(file: Path) -> tuple[list[str], int]:
    """Return the libraries that a library names, and the minor version of glibc that it asks for."""
    from elftools.elf.elffile import ELFFile

    with file.open("rb") as stream:
        library = ELFFile(stream)
        dynamic = library.get_section_by_name(".dynamic")
        names = [tag.needed for tag in dynamic.iter_tags("DT_NEEDED")]
        versions = library.get_section_by_name(".gnu.version_r")
        asked = [one.name for _, some in versions.iter_versions() for one in some] if versions else []
    return names, max((int(name.split(".")[1]) for name in asked if name.startswith("GLIBC_2.")), default=0)


def _oldest_macos() -> str:
    """Return the macOS that compilers aim at; they read it from the environment, too."""
    oldest = "11.0" if platform.machine() == "arm64" else "10.13"
    return os.environ.setdefault("MACOSX_DEPLOYMENT_TARGET", oldest)
