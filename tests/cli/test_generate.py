"""``echelon generate``."""

from __future__ import annotations

import pytest

from echelon import generate, read_workload
from echelon.workloads import MODELS, transform


def test_lists_the_models(echelon):
    """Without a model: all of them, each with its source, and the parameters with unit and default."""
    said = echelon("generate")
    assert said.code == 0
    for model in MODELS:
        assert f"  {model.name} " in said.out
    assert "Lublin and Feitelson, JPDC 2003" in said.out
    assert "a number between 0 and 40, default 7. Log2 of the largest size." in said.out
    assert "Tsafrir, Etsion and Feitelson, JSSPP 2005" in said.out


def test_writes_what_python_generates(echelon, tmp_path):
    """The file holds the jobs of the same spec in Python; what it is like is told."""
    said = echelon(
        *("generate", "lublin", "--jobs", 300, "--processors", 64, "--seed", 7),
        *("--set", "batch_pa=0", "--set", "interactive_pa=0", "--out", tmp_path / "made.swf.gz"),
    )
    assert (said.code, said.err) == (0, "")
    expected = generate("lublin", 300, processors=64, seed=7, batch_pa=0, interactive_pa=0)
    assert read_workload(tmp_path / "made.swf.gz") == expected
    assert said.out.startswith("lublin: 300 jobs\n")
    assert "64 processors" in said.out
    assert "Written to" in said.out


def test_estimates_are_drawn_if_wanted(echelon, tmp_path):
    """--estimates-model gives every job a requested time, in generate and in convert."""
    made = tmp_path / "made.swf"
    arguments = ("--estimates-model", "factor:f=2", "--seed", 3)
    assert echelon("generate", "poisson", "--jobs", 50, "--out", made, *arguments).code == 0
    drawn = read_workload(made)
    assert drawn == transform.factor_estimates(generate("poisson", 50, seed=3), 2, seed=3)
    said = echelon("convert", made, tmp_path / "other.swf", "--estimates-model", "popular", "--seed", 4)
    assert "Changed: requested times drawn: popular values" in said.out
    assert read_workload(tmp_path / "other.swf") == transform.popular_estimates(drawn, seed=4)


def test_to_stdout(capfdbinary, tmp_path):
    """With --out - there is SWF on stdout, and nothing else."""
    from echelon.cli import main

    assert main(["generate", "poisson", "--jobs", "5", "--out", "-"]) == 0
    out, err = capfdbinary.readouterr()
    assert err == b""
    (tmp_path / "piped.swf").write_bytes(out)
    assert read_workload(tmp_path / "piped.swf") == generate("poisson", 5)


def test_fits_a_model_to_a_log(echelon, tmp_path):
    """With --fit a folder holds the model, jobs drawn from it, figures and a page; more can be drawn."""
    log = tmp_path / "log.swf"
    assert echelon("generate", "lublin", "--jobs", 400, "--out", log).code == 0
    out = tmp_path / "fit"
    said = echelon("generate", "poisson", "--fit", log, "--seed", 5, "--out", out)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("poisson fitted to log: 400 jobs, 400 drawn\n")
    assert sorted(file.name for file in out.iterdir()) == [
        "fit.json",
        "jobs.swf",
        "model.toml",
        "report.html",
    ]
    again = tmp_path / "again.swf"
    assert echelon("generate", out / "model.toml", "--seed", 5, "--out", again).code == 0
    assert read_workload(again) == read_workload(out / "jobs.swf")


def test_a_fit_as_json_and_without_files(echelon):
    """--json gives parameters, figures of both and distances; nothing is written without --out."""
    said = echelon(
        "generate", "--fit", "lublin-typeless:jobs=300", "--jobs", 50, "--json", "--no-report"
    ).json
    assert said["model"] == "lublin-typeless"
    assert (said["figures"]["log"]["jobs"], said["figures"]["model"]["jobs"]) == (300, 50)
    assert set(said["distances"]) == {"size", "run_time", "gap", "hour_of_day"}
    assert said["written"] == []


def test_json(echelon):
    """Exact figures, and whether anything was written."""
    said = echelon("generate", "lublin-typeless", "--jobs", 50, "--json").json
    assert said["model"] == "lublin-typeless"
    assert said["figures"]["jobs"] == 50
    assert said["figures"]["processors"] == 128
    assert said["written"] is None


def test_a_model_is_a_workload(echelon):
    """info, run and convert take a model's spec where they take a file."""
    said = echelon("info", "lublin:jobs=40,seed=2", "--json")
    assert said.code == 0
    assert said.json["jobs"] == 40


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["lublim"], "echelon: no model is named 'lublim'; did you mean 'lublin'?"),
        (["lublin", "--set", "x"], "echelon: parameter: must be key=number, got 'x'"),
        (["lublin", "--jobs", 0], "echelon: jobs: must be between 1 and 50000000, got 0"),
        (["poisson", "--json", "--out", "-"], "echelon: --json: cannot go to stdout together with --out -"),
        (
            ["poisson", "--fit", "kth-sp2", "--set", "a=1"],
            "echelon: --fit: takes no --set and writes a folder",
        ),
        (["none.toml"], "echelon: none.toml: cannot be read (No such file or directory)"),
        (
            ["none.toml", "--set", "a=1"],
            "echelon: none.toml: has its parameters in the file; change them there",
        ),
        (["--fit", "poisson:jobs=3"], "echelon: poisson: lublin-typeless needs at least 10 jobs"),
        (["poisson", "--out", "x.abc"], "echelon: x.abc: has no extension of a format that can be written"),
    ],
)
def test_bad_arguments_get_one_sentence(echelon, arguments, sentence):
    """Exit code 2, one sentence, no file."""
    said = echelon("generate", *arguments)
    assert said.code == 2
    assert said.sentence.startswith(sentence)


def test_tasks_are_written_where_there_is_room_for_them(echelon, tmp_path):
    """Jobs with tasks go to workload.json; of another format it is said what it cannot hold."""
    file = tmp_path / "mix.json"
    said = echelon("generate", "irmasim-mix", "--jobs", 20, "--out", file)
    assert (said.code, "cannot hold" in said.out) == (0, False)
    assert read_workload(file) == read_workload("irmasim-mix:jobs=20")
    lost = echelon("generate", "irmasim-mix", "--jobs", 20, "--out", tmp_path / "mix.swf")
    assert "cannot hold the demands of the jobs' tasks" in lost.out
    assert "--out FILE.json" in echelon("generate", "irmasim-mix", "--jobs", 2).out


def test_applications_are_written_as_a_table_and_told(echelon, tmp_path):
    """CSV holds which applications jobs run, info shows them, convert keeps them, SWF loses them in words."""
    path = tmp_path / "x.csv"
    said = echelon("generate", "nas:gap=4", "--jobs", 90, "--set", "library=both", "--out", path)
    assert (said.code, "cannot hold" in said.out) == (0, False)
    shown = echelon("info", path).out
    assert ["mg.B.8", "8", "39", "42.1", "62", "2.92", "pvm"] in [
        line.split()[:1] + line.split()[2:] for line in shown.splitlines() if "mg.B.8" in line
    ]
    told = echelon("info", path, "--json").json["applications"]
    assert sum(one["jobs"] for one in told) == 90
    assert "Nothing was lost" in echelon("convert", path, tmp_path / "x.parquet").out
    assert "Lost: which applications" in echelon("convert", path, tmp_path / "x.swf").out
    assert "--out FILE.csv" in echelon("generate", "nas", "--jobs", 5, "--out", tmp_path / "y.swf").out
    assert echelon("generate", "nas:jobs=5", "--out", "-").out.startswith("job_id,submit_time")
    assert echelon("generate", "nas:mix=much").sentence.endswith("communication, got 'much'")
