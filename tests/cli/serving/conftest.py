"""Commands against a small service."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fake_server import FakeService, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeService]:
    """Return a service that answers at the usual place."""
    fake = FakeService()
    monkeypatch.setenv("ECHELON_STATE", str(tmp_path))
    monkeypatch.delenv("ECHELON_SERVICE", raising=False)
    monkeypatch.setenv("COLUMNS", "160")
    with serving(fake, tmp_path / "echelon.sock"):
        yield fake
