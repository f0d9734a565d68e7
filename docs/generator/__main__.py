"""Make the reference pages from the code: ``python docs/generator``; ``--check`` only compares.

``--studies DIR`` first takes over what ``echelon reproduce all --out DIR`` left.
"""

from __future__ import annotations

import sys
from pathlib import Path

import architecture
import citation
import keywords
import published
import settings
import stubs
import study
from pages import MADE, PAGES
from rule_tables import with_tables

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"


def main(*, check: bool) -> list[str]:
    """Write every page, or only compare; return the names of those that were not as the code says."""
    readme = ROOT / "README.md"
    texts = {REFERENCE / name: f"{MADE}{make()}\n" for name, make in PAGES.items()}
    texts[REFERENCE / "study.schema.json"] = f"{study.schema()}\n"
    texts[REFERENCE / "scenario.schema.json"] = f"{settings.schema()}\n"
    texts[keywords.STUB] = keywords.stub()
    texts |= dict(stubs.stubs())
    texts |= {published.STUDIES / name: text for name, text in published.pages().items()}
    texts[readme] = with_tables(readme.read_text(encoding="utf-8"))
    texts[architecture.PAGE] = architecture.page(architecture.PAGE.read_text(encoding="utf-8"))
    texts[citation.FILE] = citation.citation_file()
    texts[citation.PAGE] = citation.page(citation.PAGE.read_text(encoding="utf-8"))
    stale = []
    for path, text in texts.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
            if not check:
                path.write_text(text, encoding="utf-8")
    return stale


if __name__ == "__main__":
    only_check = "--check" in sys.argv[1:]
    if "--studies" in sys.argv[1:]:
        published.take_over(Path(sys.argv[sys.argv.index("--studies") + 1]))
    found = main(check=only_check)
    if only_check and found:
        sys.exit(f"not as the code says: {', '.join(found)}; run make docs and commit them")
