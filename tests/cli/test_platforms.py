"""``echelon platforms``."""

from __future__ import annotations

from pathlib import Path

from echelon.platforms import PRESETS, platform_named

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_all_platforms_are_listed(echelon):
    """Each preset is there with its sites, processors and source."""
    said = echelon("platforms")
    assert (said.code, said.err) == (0, "")
    rows = {arguments[0]: arguments[1:] for line in said.out.splitlines()[:20] if (arguments := line.split())}
    assert rows["grid1"] == ["7", "4,442", "1,368", "–"]
    assert rows["grid3"] == ["11", "136", "32", "–"]
    assert rows["irmasim-b"] == ["1", "480", "480", "30"]
    flat = " ".join(said.out.split())
    assert [name for name in PRESETS if platform_named(name).source not in flat] == []


def test_one_platform_is_shown(echelon):
    """A grid's sites are numbered from the smallest on, with their power where that is known."""
    said = echelon("platforms", "Grid1")
    rows = [line.split() for line in said.out.splitlines()]
    assert ["1", "KTH", "100", "32", "24", "17.8", "26", "2.289"] in rows
    assert ["7", "SDSC-DS", "1,368", "225", "120", "115", "125", "1"] in rows
    assert "no unit" in " ".join(said.out.split())
    assert "efficiency" not in echelon("platforms", "grid2").out


def test_a_file_is_shown_and_sites_without_power_have_a_dash(echelon, tmp_path):
    """A platform of one's own is shown the same way, with what is unknown left open."""
    path = tmp_path / "mine.toml"
    path.write_text(
        '[[site]]\nname = "b"\nprocessors = 4000\n[site.power]\nsite_idle = 1\nboard_idle = 2\n'
        'core_idle = 3\ncore_working = 4\nefficiency = 1\n[[site]]\nname = "a a"\nprocessors = 1\n'
    )
    lines = echelon("platforms", path).out.splitlines()
    assert lines[0] == "mine: 2 sites, 4,001 processors"
    assert ["2", "a", "a", "1", *"–––––"] in [line.split() for line in lines]


def test_json_has_exact_figures(echelon):
    """--json prints what a file would say, and how many processors there are in all."""
    one = echelon("platforms", "grid1", "--json").json
    assert one["processors"] == 4442
    assert one["sites"][0]["power"]["efficiency"] == 2.289
    listed = echelon("platforms", "--json").json["platforms"]
    assert [told["name"] for told in listed] == list(PRESETS)
    assert listed[0] == one
    assert "power" not in listed[2]["sites"][0]


def test_wrong_files_are_refused_with_all_errors(echelon, tmp_path):
    """Two errors of a file come in one sentence, with exit code 2."""
    path = tmp_path / "mine.toml"
    path.write_text('[[site]]\nname = "a"\nprocessors = -3\n[[site]]\nprocessors = 4\n')
    said = echelon("platforms", path)
    assert said.code == 2
    assert "line 3, site 1, processors: got -3" in said.sentence
    assert "line 4, site 2, name: is missing" in said.sentence
    assert echelon("platforms", "grid4").sentence.endswith("did you mean 'grid3'?")


def test_a_multicluster_is_shown(echelon):
    """Nodes, what parallel tasks may use of them, and links are in two tables; all names are listed."""
    said = echelon("platforms", "cisne-e4")
    rows = [line.split() for line in said.out.splitlines()]
    assert said.out.startswith("cisne-e4: 2 clusters, 20 nodes, 80 tasks at once\n")
    assert ["heterogeneous", "10", "4", "65", "–", "100", "12.5", "0", "mpi,", "pvm"] in rows
    assert ["heterogeneous", "5-9", "5", "multiprocessor", "1", "2", "0.512", "12.5"] in rows
    listed = [line.split() for line in echelon("platforms").out.splitlines()]
    assert ["multicluster-50x200", "50", "40,000", "800", "10,000"] in listed


def test_what_json_says_of_a_multicluster_can_be_read(echelon, tmp_path):
    """The output of --json is a platform file."""
    path = tmp_path / "again.json"
    path.write_text(echelon("platforms", "cisne-844", "--json").out)
    assert platform_named(str(path)) == platform_named("cisne-844")


def test_a_tree_is_shown_as_an_indented_list(echelon):
    """Inner sites stand over what is below them, with the brokers of the file; leaves are numbered."""
    said = echelon("platforms", EXAMPLES / "platforms" / "federation.toml")
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0] == "federation: 6 sites in 2 inner sites, 936 processors"
    tree = [line.rstrip() for line in lines if line.startswith((" 1 ", " 4 ", "     "))]
    assert [line for line in tree if "/" in line or "all sites" in line][:3] == [
        "     all sites            936                     mct      –                   2       300",
        "       spain/             416                     mpl      0.75                –        60",
        "         uab/             160                     –        –                   –         –",
    ]
    assert any(line.startswith(" 1         nodes          128   8 nodes") for line in tree)
    assert any(line.startswith(" 4     italy              512   processors") for line in tree)
    assert "A dash beside an inner site: the run decides." in lines
    text = " ".join(said.out.split())
    assert "spain/uab/nodes: 8 nodes, 16 processors, 128 cores, joined by mesh:4x2" in text
    assert "spain/uab/lab 16 2 50" in text


def test_sites_of_several_kinds_are_shown_with_their_power(echelon, tmp_path):
    """Without paths the sites stand right below the root, each with its kind and what it draws."""
    path = tmp_path / "mixed.toml"
    path.write_text(
        '[[site]]\nname = "b"\nprocessors = 40\n[site.power]\nsite_idle = 1\nboard_idle = 2\n'
        "core_idle = 3\ncore_working = 4\nefficiency = 1\n"
        '[[site]]\nname = "a"\nprocessors = 1\nqueue = "none"\nspeed = 0.5\n'
    )
    said = echelon("platforms", path)
    rows = [line.split() for line in said.out.splitlines()]
    assert said.out.startswith("mixed: 2 sites, 41 processors\n")
    assert ["1", "b", "40", "processors", "–", "1", "2", "3", "4", "1"] in rows
    assert ["2", "a", "1", "time-shared", "0.5", *"–––––"] in rows
    assert "A dash beside an inner site" not in said.out


def test_sites_of_all_kinds_run_together(echelon, tmp_path):
    """Nodes, shared nodes, counted processors and time-shared machines are sites of one tree."""
    said = echelon(
        "run",
        "lublin:jobs=100,processors=64,seed=1",
        "--platform",
        EXAMPLES / "platforms" / "federation.toml",
    )
    assert said.code == 0
    assert "Sites were chosen at the root by the broker mct; in spain, spain/uab by mpl." in said.out
    assert "refresh 300@spain=60@spain/uab=0" in said.out
