"""What the site has beside the pages of docs: files that pages link to, and the search index as a script."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from markdown.extensions.toc import slugify
from mkdocs.structure.files import File, InclusionLevel

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
CONTRIBUTING = "CONTRIBUTING.md"


def on_config(config: MkDocsConfig) -> None:
    """Let no anchor begin with a digit: the theme takes it for a selector, which one of "1. Begin" is not."""
    config.mdx_configs.setdefault("toc", {})["slugify"] = anchor


def anchor(heading: str, separator: str) -> str:
    """Return the anchor of a heading."""
    plain = slugify(heading, separator)
    return f"step{separator}{plain}" if plain[:1].isdigit() else plain


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the examples and the page for contributors."""
    for path in (ROOT / CONTRIBUTING, *sorted((ROOT / "examples").rglob("*.*"))):
        name = path.relative_to(ROOT).as_posix()
        if "__pycache__" not in name:
            files.append(
                File.generated(config, name, abs_src_path=str(path), inclusion=InclusionLevel.NOT_IN_NAV)
            )
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Have links lead into the site: there the folder of the pages is the root of the repository."""
    if page.file.src_uri == CONTRIBUTING:
        return markdown.replace("](docs/", "](")
    above = "../" * page.file.src_uri.count("/")
    return markdown.replace(f"]({above}../", f"]({above}")


def on_post_build(config: MkDocsConfig) -> None:
    """Write the search index once more, as a script: a page opened from the disk can read no other file."""
    folder = Path(config.site_dir, "search")
    index = (folder / "search_index.json").read_text(encoding="utf-8")
    (folder / "search_index.js").write_text(f"window.searchIndex = {index}\n", encoding="utf-8")
