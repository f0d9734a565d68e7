"""Build hooks: kernels as shared libraries, a wheel of one platform, a long description with whole addresses.

``ECHELON_BUILD_KERNELS`` says which are built: ``all`` (the default), ``none``, or names joined by commas.
A wheel holds them for every processor of its kind, an editable install for the one that it is made on.
``ECHELON_BUILT_KERNELS`` names a folder where some may be already, such as that of a checkout: those of the
same sources are taken from there, by the digest in their names, and what is missing is built there.
``ECHELON_ADDRESS`` replaces the address of the project in ``pyproject.toml``, of which links are made.
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
from hatchling.metadata.plugin.interface import MetadataHookInterface

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ADDRESS = "ECHELON_ADDRESS"
WANTED = "ECHELON_BUILD_KERNELS"
READY = "ECHELON_BUILT_KERNELS"
BUILT = "libraries/built"
"""Where libraries are in the package."""

_REQUIREMENTS = ("llvmlite", "numba>=0.68,<0.69", "numpy>=2.0")
_ELF_READER = "pyelftools"
_LINKER = "ziglang"

_OLDEST_GLIBC = 17
"""2.17: no installer asks for less, whatever a library would do with."""

_OF_LINUX = re.compile(r"lib[cm]\.so\.6|ld-linux[\w.-]*\.so\.\d")
"""What every Linux with glibc has."""


_LINK = re.compile(r"(!?)\[([^\[\]]*)\]\((?!https?:|#)([^()\s]+)\)")
"""A link or a picture of Markdown that leads to a file beside it."""

_FENCED = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->\n*", re.DOTALL)


class AddressHook(MetadataHookInterface):
    """Makes the long description and the project's URLs of its address."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add both; each link leads to the tag of the version."""
        address = os.environ.get(ADDRESS, self.config.get("address", "")).rstrip("/")
        version = metadata["version"]
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        text = long_description(text, lambda path: address_of(path, address, version))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = project_urls(address, version)


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
        folder = Path(os.environ.get(READY) or self._scratch.name)
        libraries = self._build(names, folder, best=False)
        if libraries:
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform_tag(libraries)}"
            # The list of its sources is beside each library.
            lists = {folder / f"{file.name.split('-')[0]}.sources" for file in libraries}
            build_data["force_include"] |= {
                str(file): f"echelon/{BUILT}/{file.name}"
                for file in sorted({*libraries, *lists})
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
        from echelon.libraries.processor import kinds, preferred_kinds

        if sys.platform == "darwin":
            _oldest_macos()
        try:
            return build_libraries(names, preferred_kinds()[:1] if best else kinds(), folder)
        except EchelonError as error:
            self.app.display_warning(
                f"No kernels are built: {error}; Echelon will run in its reference engine."
            )
            return []


def long_description(readme: str, address_of: Callable[[str], str]) -> str:
    """Return the README as a package index shows it: beside it is no file that a link could lead to.

    `address_of` gives the address of a path. Where it gives none a link becomes its text, and a picture goes.
    """

    def linked(match: re.Match[str]) -> str:
        mark, text, path = match.groups()
        if address := address_of(f"{mark}{path}"):
            return f"{mark}[{text}]({address})"
        return "" if mark else text

    parts = _FENCED.split(readme)
    # Every second part is fenced: what stands there is not Markdown.
    parts[::2] = [_LINK.sub(linked, _COMMENT.sub("", part)) for part in parts[::2]]
    return re.sub(r"\n{3,}", "\n\n", "".join(parts))


def address_of(path: str, address: str, version: str) -> str:
    """Return where a path of the repository is shown, or a picture (``!PATH``) is; "" without an address."""
    kind = "raw" if path.startswith("!") else "blob"
    return address and f"{address}/{kind}/v{version}/{path.removeprefix('!')}"


def project_urls(address: str, version: str) -> dict[str, str]:
    """Return what an index shows beside the long description; nothing without an address."""
    if not address:
        return {}
    pages = {"Documentation": "docs/index.md", "Changes": "CHANGELOG.md", "Citation": "CITATION.cff"}
    return {
        "Homepage": address,
        "Source": address,
        "Issues": f"{address}/issues",
        **{name: address_of(path, address, version) for name, path in pages.items()},
    }


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
