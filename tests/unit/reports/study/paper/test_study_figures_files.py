"""Figures of a study as files: which there are, their width, their letters, what they leave out."""

from __future__ import annotations

import re
import warnings

import pytest

from echelon.errors import InputError, MissingExtraError, UnknownNameError
from echelon.experiments.study.results.stored_results import read_study_results
from echelon.plotting import MetricStyle, Style, figure_bytes
from echelon.reports.study.paper.figures import write_study_figures

from ....experiments.study.stores import HandMade, product  # noqa: TID252  (tests are no package)

pytest.importorskip("scipy", reason="scipy, the extra stats, is not installed")

ODD = ("a_b % & =", "$x$", "<c>", "_d")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Return four policies with names that formats read as commands, two loads, four seeds."""
    folder = tmp_path_factory.mktemp("figures")
    product(folder, policies=ODD, pareto=[["mean_wait", "mean_bounded_slowdown", "utilization"]])
    return read_study_results(folder)


def names(written):
    """Return the stems of files."""
    return {path.stem for path in written}


@pytest.fixture
def undrawn(monkeypatch):
    """Make files of figures empty: all are made, and none is written by matplotlib."""
    monkeypatch.setattr("echelon.reports.figure_files.figure_bytes", lambda figure, kind, **_: b"")


@pytest.mark.slow
@pytest.mark.usefixtures("undrawn")
def test_letters_that_the_font_lacks_are_told_once(results, tmp_path):
    """A font without Cyrillic letters: one sentence names them; a second font of the style has them."""
    labels = {ODD[0]: "Жы", ODD[1]: "ы"}
    for fonts, told in ((("cmss10",), ["Жы"]), (("cmss10", "DejaVu Sans"), [])):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            _, missing = write_study_figures(
                results, tmp_path, "png", style=Style(font=fonts, labels=labels), measures=["mean_wait"]
            )
        assert [re.search("lacks (.*); a box", sentence)[1] for sentence in missing] == told


@pytest.mark.usefixtures("undrawn")
def test_every_figure_of_a_study(results, tmp_path):
    """Each compared axis, each axis of numbers, each pair of a front, each measure has its figures."""
    written, missing = write_study_figures(
        results, tmp_path / "new", "png", measures=["mean_wait", "utilization"]
    )
    assert missing == []
    assert names(written) == {
        *(f"{kind}-policy-{name}" for kind in KINDS for name in ("mean-wait", "utilization")),
        *("along-load-mean-wait", "along-load-utilization", "effects-mean-wait", "effects-utilization"),
        "pareto-mean-wait-mean-bounded-slowdown-by-utilization",
        "pareto-mean-wait-utilization-by-mean-bounded-slowdown",
        "pareto-mean-bounded-slowdown-utilization-by-mean-wait",
    }


KINDS = ("intervals", "bars", "distribution", "ranks", "profile")


@pytest.mark.slow
@pytest.mark.usefixtures("undrawn")
def test_one_configuration_and_one_seed(tmp_path):
    """What compares nothing has intervals; one run each has no distribution of its own to rank."""
    alone = HandMade(tmp_path / "a", axes=("seed",), name="only")
    for seed in range(3):
        alone.add({"seed": seed}, {"mean_wait": 5.0 + seed})
    written, _ = write_study_figures(
        read_study_results(tmp_path / "a"), tmp_path, "png", measures=["mean_wait"]
    )
    assert names(written) == {f"{kind}-study-mean-wait" for kind in ("intervals", "bars", "distribution")}
    product(tmp_path / "b", seeds=[0], loads=[1.0])
    written, _ = write_study_figures(
        read_study_results(tmp_path / "b"), tmp_path, "png", measures=["mean_wait"]
    )
    assert names(written) == {"intervals-policy-mean-wait", "bars-policy-mean-wait"}


@pytest.fixture
def first_drawn(monkeypatch):
    """Return a call after which the first figure alone is drawn, until it is called again."""

    def once():
        turns = iter([figure_bytes])
        monkeypatch.setattr(
            "echelon.reports.figure_files.figure_bytes",
            lambda *given, **style: next(turns, lambda *_, **__: b"")(*given, **style),
        )

    return once


@pytest.mark.slow
def test_files_in_the_style_of_a_paper(results, tmp_path, first_drawn):
    """A PDF is as wide as a column and embeds its font; an SVG has letters, labels and names as they are.

    Every figure is drawn as SVG, and the one that is read as PDF, twice.
    """
    style = Style(
        columns=2,
        labels={"$x$": "EASY & co"},
        metrics={"mean_wait": MetricStyle("Average wait", "min")},
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (svg, *_), _ = write_study_figures(results, tmp_path, "svg", style=style, measures=["mean_wait"])
        first_drawn()
        (pdf, *_), _ = write_study_figures(results, tmp_path, "pdf", style=style, measures=["mean_wait"])
    text = svg.read_text(encoding="utf-8")
    assert {"EASY &amp; co", "a_b % &amp; =", "&lt;c&gt;", "Average wait (min)"} <= set(
        re.findall(r">\u200b?([^<>\n]+)</text>", text)
    )
    content = pdf.read_bytes()
    (width,) = re.findall(rb"/MediaBox \[ 0 0 (\S+)", content)
    assert float(width) == pytest.approx(183 / 25.4 * 72)
    assert b"/CIDFontType2" in content
    assert b"/Type3" not in content
    first_drawn()
    again, _ = write_study_figures(results, tmp_path / "again", "pdf", style=style, measures=["mean_wait"])
    assert again[0].read_bytes() == content


@pytest.mark.slow
def test_intervals_are_drawn_within_the_range(tmp_path, monkeypatch):
    """A lower bound below 0 is drawn at 0, in intervals, bars and curves."""
    drawn = {}
    monkeypatch.setattr(
        "echelon.reports.figure_files.figure_bytes",
        lambda figure, kind, **_: drawn.update({len(drawn): figure}) or b"",
    )
    made = HandMade(tmp_path / "s", axes=("policy", "load", "seed"))
    for policy in ("a", "b"):
        for load in (1, 2):
            for seed, wait in enumerate((0.0, 1.0, 20.0)):
                made.add({"policy": policy, "load": load, "seed": seed}, {"mean_wait": wait * load})
    results = read_study_results(tmp_path / "s")
    written, _ = write_study_figures(results, tmp_path, "png", measures=["mean_wait"])
    found = dict(zip([path.stem for path in written], drawn.values(), strict=True))
    (intervals,) = found["intervals-policy-mean-wait"].axes
    assert min(min(line.get_xdata()) for line in intervals.lines) == 0
    (curves,) = found["along-load-mean-wait"].axes
    assert min(band.get_paths()[0].get_extents().y0 for band in curves.collections) == 0
    (bars,) = found["bars-policy-mean-wait"].axes
    assert min(part[0][0] for bar in bars.collections for part in bar.get_segments()) == 0


def test_what_is_refused(results, tmp_path, monkeypatch):
    """An unknown format and metric, a study without a run, and a machine without matplotlib."""
    with pytest.raises(UnknownNameError, match="figure format"):
        write_study_figures(results, tmp_path, "gif")
    with pytest.raises(UnknownNameError, match="mean_wiat"):
        write_study_figures(results, tmp_path, "png", measures=["mean_wiat"])
    HandMade(tmp_path / "none")
    with pytest.raises(InputError, match="has no finished run yet, so no figures"):
        write_study_figures(read_study_results(tmp_path / "none"), tmp_path, "png")
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"figures need matplotlib, which is not installed; run: pip"):
        write_study_figures(results, tmp_path, "png")


@pytest.mark.slow
def test_what_cannot_be_drawn_is_reported(tmp_path):
    """A metric of your own may be negative: its bars are left out with the reason, the others are drawn."""
    made = HandMade(tmp_path / "s", axes=("policy",))
    own = {"name": "gain", "unit": "1", "formula": "", "source": "none", "better": "high"}
    for policy, gain in (("a", -1.0), ("b", 2.0)):
        made.add({"policy": policy}, {"gain": gain}, own=[own])
    results = read_study_results(tmp_path / "s")
    written, missing = write_study_figures(results, tmp_path, "svg", measures=["gain"])
    assert names(written) == {"intervals-policy-gain"}
    assert missing == ["No bars-policy-gain.svg: bar a: must be a number >= 0, got -1.0."]
