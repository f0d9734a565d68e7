"""``echelon serve``, ``serve check`` and ``serve migrate``: what each starts, and what it reports."""

from __future__ import annotations

import pytest

from echelon.service.store import Store


@pytest.fixture(autouse=True)
def _state(tmp_path, monkeypatch):
    monkeypatch.setenv("ECHELON_STATE", str(tmp_path / "state"))


@pytest.mark.parametrize(
    ("arguments", "config"),
    [
        ((), None),
        (("site.toml",), "site.toml"),
        (("run",), None),
        (("run", "site.toml"), "site.toml"),
        (("./check",), "check"),
    ],
)
def test_without_a_command_it_runs(echelon, monkeypatch, arguments, config):
    """The word that is no command is the configuration."""
    given = []
    monkeypatch.setattr("echelon.service.run.serve", lambda path, announce: given.append(path))
    assert echelon("serve", *arguments).code == 0
    assert [None if path is None else str(path) for path in given] == [config]


def test_help_is_the_groups(echelon):
    """Help without a command lists the commands."""
    out = echelon("serve", "--help").out
    assert [word in out for word in ("  run ", "  check ", "  migrate ")] == [True] * 3


def test_a_check_of_no_configuration(echelon):
    """The cores of this machine are tried, and nothing is submitted."""
    said = echelon("serve", "check", "--json")
    assert said.code == 0
    assert [(one["cluster"], one["what"]) for one in said.json["findings"]] == [
        *(("", "rules"), ("", "store"), ("local", "describe"), ("local", "look"), ("local", "claims"))
    ]
    assert "jobs claim themselves before they run" in echelon("serve", "check").out


def test_a_check_that_fails(echelon, tmp_path):
    """A cluster that cannot be had is reported, and the exit code is 1."""
    file = tmp_path / "site.toml"
    file.write_text('[[cluster]]\nname = "alpha"\nbackend = "process"\nslots = 0\n')
    said = echelon("serve", "check", file)
    assert said.code == 1
    assert "failed" in said.out
    assert "alpha" in said.out


def test_a_wrong_configuration_is_one_sentence(echelon, tmp_path):
    """The file and what is wrong in it."""
    file = tmp_path / "site.toml"
    file.write_text('[serve]\nbrokr = "ect"\n')
    sentence = echelon("serve", "check", file).sentence
    assert "site.toml" in sentence
    assert "brokr" in sentence


@pytest.mark.parametrize(
    ("serve", "wrong"),
    [
        ('database = "postgresql://nobody@127.0.0.1:1/x"', "127.0.0.1"),
        ('database = "site.toml"', "is not"),
        ('state = "site.toml"', "state: cannot be made"),
    ],
)
def test_a_check_of_a_store_that_cannot_be_had(echelon, tmp_path, serve, wrong):
    """What would keep the service from its start is found before, in one sentence."""
    file = tmp_path / "site.toml"
    file.write_text(f'[serve]\n{serve}\n\n[[cluster]]\nname = "alpha"\nbackend = "process"\n')
    said = echelon("serve", "check", file, "--json")
    assert said.code == 1
    assert any(wrong in one["detail"] for one in said.json["findings"] if not one["is_well"])


def test_a_check_of_a_damaged_store(echelon, tmp_path):
    """Its tables can be found, but not all of its pages can be read: it says what to do."""
    file = tmp_path / "state" / "echelon.db"
    file.parent.mkdir()
    Store.open(f"sqlite:///{file}", create=True).close()
    with file.open("r+b") as store:
        store.seek(5 * 4096)
        store.write(b"\xee" * 4096)
    said = echelon("serve", "check", "--json")
    (wrong,) = [one["detail"] for one in said.json["findings"] if not one["is_well"]]
    assert said.code == 1
    assert f"{file}: is damaged" in wrong
    assert wrong.endswith("; put a copy of it back")


def test_no_configuration(echelon, tmp_path):
    """The sentence says what the file should be."""
    assert "the configuration of a service" in echelon("serve", "check", tmp_path / "none.toml").sentence


def test_migrating(echelon, tmp_path):
    """Tables of this version stay; no tables are an error."""
    (tmp_path / "state").mkdir()
    assert "no such file" in echelon("serve", "migrate").sentence
    Store.open(f"sqlite:///{tmp_path}/state/echelon.db").close()
    assert echelon("serve", "migrate").out.startswith("The tables are of version ")
