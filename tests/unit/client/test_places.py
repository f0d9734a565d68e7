"""Where a service keeps its state."""

from __future__ import annotations

from pathlib import Path

from echelon.client.places import default_socket, default_token_file, state_folder


def test_the_state_has_three_places(monkeypatch, tmp_path):
    """The variable of Echelon, that of the desktop, else the usual folder of the user."""
    monkeypatch.setenv("ECHELON_STATE", str(tmp_path / "own"))
    assert state_folder() == tmp_path / "own"
    monkeypatch.delenv("ECHELON_STATE")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    assert state_folder() == tmp_path / "xdg" / "echelon"
    monkeypatch.delenv("XDG_STATE_HOME")
    assert state_folder() == Path.home() / ".local" / "state" / "echelon"
    assert {default_socket().parent, default_token_file().parent} == {state_folder()}
