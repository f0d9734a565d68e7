"""Wrong addresses get one sentence, without any password."""

from __future__ import annotations

import subprocess
import sys

import pytest

from echelon.databases.address import Address
from echelon.errors import EchelonError, InputError, MissingExtraError, UnknownNameError
from echelon.history import open_history


def sentence_of(address):
    with pytest.raises(EchelonError) as caught:
        open_history(address).close()
    assert isinstance(caught.value, InputError | UnknownNameError)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("name", ["history.db", "sqlite:///{here}/history.db"])
def test_a_file_is_made(tmp_path, monkeypatch, name):
    """A name, a path and an URL of SQLite name a file."""
    monkeypatch.chdir(tmp_path)
    with open_history(name.format(here=tmp_path)) as history:
        assert "history.db" in history.address
    assert (tmp_path / "history.db").is_file()
    open_history(tmp_path / "history.db", create=False).close()


def test_what_is_no_address_is_told(tmp_path):
    """Nothing, folders, folders that are not there, other databases and files that hold no database."""
    assert sentence_of(" ") == (
        "history: must be a file, sqlite:///FILE or postgresql://USER@HOST/DATABASE, got an empty address"
    )
    assert sentence_of(tmp_path).endswith("is a folder, expected a file")
    assert "there is no folder" in sentence_of(tmp_path / "none" / "h.db")
    assert sentence_of("mysql://me@host/db") == (
        "no kind of database is named 'mysql'; known are: postgresql, sqlite."
    )
    assert "a file takes none" in sentence_of(f"sqlite:///{tmp_path}/h.db?mode=ro")
    assert "three before a file" in sentence_of("sqlite://history.db")
    assert "did you mean 'postgresql'?" in sentence_of("postgre://me@host/db")
    text = tmp_path / "jobs.csv"
    text.write_text("job_id,submit_time\n" * 100, encoding="utf-8")
    assert sentence_of(text) == f"{text}: file is not a database"
    assert text.read_text(encoding="utf-8").startswith("job_id")


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:geheim@127.0.0.1:1/db",
        "postgres://me:geheim@127.0.0.1:1/db",
        "postgresql://me@127.0.0.1:1/db?password=geheim",
        "postgresql://me:geheim@127.0.0.1:port/db",
        "postgresql://me:ge@heim@127.0.0.1:1/db",
        "postgresql://me:geheim@127.0.0.1:1/db?geheim=geheim",
        "postgresql://me:geheim@[127/db",
        "sqlite://me:geheim@host/file.db",
    ],
)
def test_a_password_is_never_shown(address):
    """Servers that cannot be reached and URLs that cannot be read are told without the password in them."""
    pytest.importorskip("psycopg")
    sentence = sentence_of(address)
    assert "geheim" not in sentence
    assert "heim" not in sentence


def test_a_server_that_does_not_answer_is_named():
    """Where, and what was tried."""
    pytest.importorskip("psycopg")
    sentence = sentence_of("postgresql://me:geheim@127.0.0.1:1/db")
    assert sentence.startswith("postgresql://me@127.0.0.1:1/db: ")
    assert "refused" in sentence


def test_urls_of_postgresql_go_to_psycopg():
    """The short names that people write are those of the driver that is installed."""
    for kind in ("postgres", "postgresql", "postgresql+psycopg", "PostgreSQL"):
        assert Address.of(f"{kind}://me@host/db", field="history").url.drivername == "postgresql+psycopg"


@pytest.mark.parametrize("missing", ["sqlalchemy", "psycopg"])
def test_a_missing_library_is_named(monkeypatch, missing):
    """Without the extra, the sentence says what to install."""
    for name in [one for one in sys.modules if one.startswith(("echelon.history.", missing))]:
        if name.startswith(missing) or missing == "sqlalchemy":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtraError, match=r"echelon-scheduling\[history\]"):
        open_history("postgresql://me@127.0.0.1:1/db")


def test_experiences_need_no_database():
    """What a schedule leaves behind is worked out without SQLAlchemy."""
    code = "import sys, echelon.history; print('sqlalchemy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
