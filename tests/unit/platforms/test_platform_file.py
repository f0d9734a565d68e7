"""Platform files: what is read, and that everything wrong with one is said at once, each with its place."""

from __future__ import annotations

import pytest

from echelon.errors import InputError
from echelon.model import Power
from echelon.platforms import read_platform_file

LINE = 'name = "a"\nprocessors = 4\n'


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Return a function that reads a platform file of the text given, called grid.toml."""
    monkeypatch.chdir(tmp_path)

    def read(text: str | bytes):
        path = tmp_path / "grid.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_platform_file("grid.toml")

    return read


@pytest.fixture
def wrong(read):
    """Return a function that gives the sentences by which a platform file is refused."""

    def wrong(text: str | bytes) -> list[str]:
        with pytest.raises(InputError) as refused:
            read(text)
        said = str(refused.value)
        assert said.startswith("grid.toml: ")
        return said.removeprefix("grid.toml: ").split("; ")

    return wrong


def test_sites_are_read_in_the_order_of_the_file(read):
    """Names, sizes, power and source are those of the file; a platform without a name has the file's."""
    found = read(
        'source = "made up"\n[[site]]\nname = "b"\nprocessors = 8\n'
        "[site.power]\nsite_idle = 1\nboard_idle = 2.5\ncore_idle = 0\ncore_working = 3\nefficiency = 1.5\n"
        f"[[site]]\n{LINE}"
    )
    assert (found.name, found.source, found.names, found.processors) == ("grid", "made up", ("b", "a"), 12)
    assert found.sites[1].power is None
    assert found.sites[0].power == Power(1, 2.5, 0, 3, 1.5)


@pytest.mark.parametrize(
    "text",
    [
        f"[[site]]\r\n{LINE}".replace("\n", "\r\n"),
        b"\xef\xbb\xbf" + f"[[site]]\n{LINE}".encode(),
        'site = [{name = "a", processors = 4}]',
        '[["site"]]\n"name" = \'a\'\n"processors" = 4',
    ],
    ids=["other line ends", "byte order mark", "in one line", "quoted keys"],
)
def test_other_ways_to_write_the_same(read, text):
    """Whatever TOML lets a person write for one site of four processors is read as that."""
    assert [(site.name, site.processors) for site in read(text).sites] == [("a", 4)]


def test_all_errors_at_once_by_their_lines(wrong):
    """Every error is told with its line and site, the value got and what is expected, in the file's order."""
    assert wrong(
        'name = 7\nsauce = "x"\n'
        '[[site]]\nname = "a"\nprocessors = 0\n'
        '[[site]]\nname = "a"\nprocesors = 4\n'
        "[[site]]\nname = ' '\nprocessors = true\n"
        "[site.power]\nsite_idle = -1\nboard_idle = nan\ncore_idle = 'much'\ncore_working = inf\n"
        "efficiency = 0\n"
    ) == [
        "line 1, name: got 7, expected text in quotes",
        "line 2: unknown key 'sauce' (got 'x'), did you mean 'source'?",
        "line 5, site 1, processors: got 0, expected a whole number from 1 to 2147483647",
        "line 6, site 2, processors: is missing, expected a whole number from 1 to 2147483647",
        "line 7, site 2, name: got 'a', as site 1 (line 4) is named, expected another name",
        "line 8, site 2: unknown key 'procesors' (got 4), did you mean 'processors'?",
        "line 10, site 3, name: got ' ', expected a name in quotes",
        "line 11, site 3, processors: got True, expected a whole number from 1 to 2147483647",
        "line 13, site 3, power.site_idle: got -1, expected a number >= 0",
        "line 14, site 3, power.board_idle: got nan, expected a number >= 0",
        "line 15, site 3, power.core_idle: got 'much', expected a number >= 0",
        "line 16, site 3, power.core_working: got inf, expected a number >= 0",
        "line 17, site 3, power.efficiency: got 0, expected a number > 0",
    ]


@pytest.mark.parametrize("got", ["-4", "0", "4.0", "4.5", '"4"', "[4]", "2147483648", "1979-05-27", "nan"])
def test_what_is_no_size(wrong, got):
    """A size is a whole number of processors, at least one, and no more than any machine has."""
    (said,) = wrong(f'[[site]]\nname = "a"\nprocessors = {got}')
    assert said.startswith("line 3, site 1, processors: got ")
    assert said.endswith("expected a whole number from 1 to 2147483647")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "site: got none, expected at least one [[site]] table with name and processors"),
        (
            "site = []",
            "line 1, site: got none, expected at least one [[site]] table with name and processors",
        ),
        (
            f"[site]\n{LINE}",
            "line 1, site: got {'name': 'a', 'processors': 4}, expected at least one [[site]] table with "
            "name and processors",
        ),
        ("site = 3", "line 1, site: got 3, expected at least one [[site]] table with name and processors"),
        ("site = [4]", "line 1, site 1: got 4, expected a [[site]] table with name and processors"),
        (f"[[site]]\n{LINE}power = 3", "line 4, site 1, power: got 3, expected a [site.power] table"),
        (
            f"[[site]]\n{LINE}power.cores = 3",
            "line 4, site 1, power: unknown key 'cores' (got 3), "
            "known are site_idle, board_idle, core_idle, core_working, efficiency",
        ),
        (f"[[sites]]\n{LINE}", "line 1: unknown key 'sites'"),
        (f"[[site]]\n{LINE}[site.extra]\nx = 1", "line 4, site 1: unknown key 'extra' (got {'x': 1})"),
    ],
)
def test_what_is_no_list_of_sites(wrong, text, said):
    """What stands where sites should is told, with its line."""
    assert any(sentence.startswith(said) for sentence in wrong(text))


def test_a_site_without_anything(wrong):
    """What is missing is told at the head of its table."""
    assert wrong("\n[[site]]\n[site.power]\n") == [
        "line 2, site 1, name: is missing, expected a name in quotes",
        "line 2, site 1, processors: is missing, expected a whole number from 1 to 2147483647",
        *(
            f"line 3, site 1, power.{key}: is missing, expected a number >= 0"
            for key in ("site_idle", "board_idle", "core_idle", "core_working")
        ),
        "line 3, site 1, power.efficiency: is missing, expected a number > 0",
    ]


def test_a_power_too_large_for_any_number(wrong):
    """A whole number beyond floating point is refused as any other, not by a failure inside."""
    huge = "1" + "0" * 400
    power = (
        f"[site.power]\nsite_idle = {huge}\nboard_idle = 1\ncore_idle = 1\ncore_working = 1\nefficiency = 1"
    )
    (said,) = wrong(f"[[site]]\n{LINE}{power}")
    assert said.startswith("line 5, site 1, power.site_idle: got 1000")


def test_texts_that_look_like_tables_move_no_line(wrong):
    """Lines inside texts and comments are counted, but no table or key is found in them."""
    assert wrong(
        'source = """\n[[site]]\nname = "x" # no comment\n"""\n# [[site]]\n'
        "[[site]] # '''\nname = 'a # b'\nprocessors = 0 # '''\n"
    ) == ["line 8, site 1, processors: got 0, expected a whole number from 1 to 2147483647"]


def test_more_than_any_grid_has(wrong):
    """Sites that are each possible may be too many together."""
    site = "[[site]]\nname = '{}'\nprocessors = 2147483647\n"
    assert wrong(site.format("a") + site.format("b")) == [
        "all sites together have 4294967294 processors, expected at most 2147483647"
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[[site]\n", "is not TOML: "),
        ("name = 'a'\nname = 'b'", "is not TOML: "),
        (f"[[site]]\n{LINE}x = {'1' * 5000}", "is not TOML: "),
        (b"name = '\xff'", "is not UTF-8 text: byte 8 is 0xff"),
        (b"\x00", "is not TOML: "),
    ],
)
def test_what_is_no_toml(wrong, content, said):
    """A file that is not TOML is refused with what its parser says."""
    assert wrong(content)[0].startswith(said)


def test_files_that_can_not_be_read(tmp_path):
    """A file that is not there, or is a folder, is refused by its name."""
    with pytest.raises(InputError, match=r"none\.toml: no such file, expected a platform in TOML"):
        read_platform_file(tmp_path / "none.toml")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        read_platform_file(tmp_path)
