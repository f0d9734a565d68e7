"""Where a client looks for its service, and which token it shows there."""

from __future__ import annotations

from pathlib import Path

import pytest

from echelon.client.address import Address, address_of, token_of
from echelon.errors import InputError


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("unix:///run/e.sock", Address("/run/e.sock")),
        ("/run/e.sock", Address("/run/e.sock")),
        ("http://127.0.0.1:8642", Address(host="127.0.0.1", port=8642)),
        ("http://[::1]:8642/", Address(host="::1", port=8642)),
        ("https://site.example/echelon/", Address("", "site.example", 443, True, "/echelon")),
    ],
)
def test_addresses_have_three_forms(given, expected):
    """A socket by its path, a host and a port, or a proxy with a path; written out, it is the same again."""
    assert address_of(given) == expected
    assert address_of(str(expected)) == expected


def test_where_it_comes_from(monkeypatch, tmp_path):
    """What is given overrides the variable, which overrides the socket in the service's folder."""
    monkeypatch.setenv("ECHELON_STATE", str(tmp_path))
    monkeypatch.delenv("ECHELON_SERVICE", raising=False)
    assert address_of().socket == str(tmp_path / "echelon.sock")
    monkeypatch.setenv("ECHELON_SERVICE", "http://h:1")
    assert address_of() == Address(host="h", port=1)
    monkeypatch.chdir(tmp_path)
    assert address_of("here.sock").socket == str(Path.cwd() / "here.sock")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("localhost:8642", "write http://localhost:8642 for a host and port"),
        ("ftp://h", "expected unix:///PATH, the path of a socket, or http://HOST:PORT"),
        ("unix://run/e.sock", "expected unix:///PATH"),
        ("http://h:99999", "Port out of range"),
        ("http://u:p@h", "expected unix"),
        ("http://", "expected unix"),
    ],
)
def test_what_is_no_address(given, sentence):
    """Anything else is refused with the forms there are."""
    with pytest.raises(InputError, match=sentence):
        address_of(given)


def test_tokens_come_from_three_places(monkeypatch, tmp_path):
    """What is given, the variable, the user's file; none at all is an empty one."""
    monkeypatch.setenv("ECHELON_STATE", str(tmp_path))
    monkeypatch.delenv("ECHELON_TOKEN", raising=False)
    assert token_of() == ""
    file = tmp_path / "token"
    file.write_text("ech_file\n")
    file.chmod(0o600)
    assert token_of() == "ech_file"
    monkeypatch.setenv("ECHELON_TOKEN", "ech_variable")
    assert token_of() == "ech_variable"
    assert token_of("ech_given") == "ech_given"


def test_a_token_that_others_read_is_refused(monkeypatch, tmp_path):
    """A file that others may read is not used, and the message says what to do."""
    monkeypatch.setenv("ECHELON_STATE", str(tmp_path))
    monkeypatch.delenv("ECHELON_TOKEN", raising=False)
    (tmp_path / "token").write_text("ech_file")
    (tmp_path / "token").chmod(0o640)
    with pytest.raises(InputError, match="may be read by others; forbid it: chmod 600 "):
        token_of()


@pytest.mark.parametrize("given", ["ech_a\r\nX-Evil: 1", "ech a", "ech_ü"])
def test_a_token_cannot_add_a_header(given):
    """What could not stand in a header is refused, and not shown."""
    with pytest.raises(InputError, match="is not a token") as caught:
        token_of(given)
    assert "ech" not in str(caught.value)
