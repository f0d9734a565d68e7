"""Platform files of a text: what is read of them, and the sentences by which they are refused."""

from __future__ import annotations

import pytest

from echelon.errors import InputError
from echelon.platforms import read_platform


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Return a function that reads a platform file of the text given."""
    monkeypatch.chdir(tmp_path)

    def read(text: str, name: str = "desk.toml"):
        (tmp_path / name).write_text(text)
        return read_platform(name)

    return read


@pytest.fixture
def wrong(read):
    """Return a function that gives the sentences by which a platform file is refused."""

    def wrong(text: str, name: str = "desk.toml") -> list[str]:
        with pytest.raises(InputError) as refused:
            read(text, name)
        return str(refused.value).removeprefix(f"{name}: ").split("; ")

    return wrong
