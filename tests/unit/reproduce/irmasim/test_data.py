"""The thesis' printed numbers as they are kept, and which of them follow from each other."""

from __future__ import annotations

from echelon.reproduce.irmasim import consistency as module
from echelon.reproduce.irmasim.consistency import consistency, speed_factor
from echelon.reproduce.irmasim.data import global_numbers, thesis_numbers
from echelon.reproduce.irmasim.figures import QUANTITIES, global_printed
from echelon.reproduce.irmasim.public_examples import MEASURES, public_examples
from echelon.reproduce.machinery.printed_table import printed_figures


def test_every_printed_figure_has_a_measure():
    """Each line names a quantity we compute, of the thesis and of the public code, at some place."""
    thesis, public = (printed_figures("irmasim", table) for table in ("thesis", "public"))
    assert (len(thesis), len(public)) == (13, 36)
    assert {line.quantity for line in thesis} <= set(QUANTITIES)
    assert {line.quantity for line in public} <= {measure.quantity.name for measure in MEASURES}
    assert all(line.where for line in (*thesis, *public))


def test_every_public_example_is_asked_for():
    """Examples and printed figures have the same names, but for the thesis' traces on the public code."""
    printed = {line.subject for line in printed_figures("irmasim", "public")}
    ours = {one.name for one in public_examples()}
    assert printed - ours == {"trace E2a, without contention", "trace E2b"}
    assert ours <= printed


def test_the_thesis_contradicts_itself_in_eight_places():
    """The checks that fail are those known, and each of them says what that means."""
    failing = [check for check in consistency() if not check.holds]
    assert [(check.printed, check.follows) for check in failing] == [
        ("0.98", "0.82"),
        ("1.020408164", "1.020408163"),
        ("923.1", "923.5"),
        ("905", "1131"),
        ("with communications", "without communications"),
        ("45.1", "1.1"),
        ("6", "4"),
        ("1 3", "1 2"),
    ]
    assert all(check.note for check in failing)


def test_checks_are_worked_out_from_what_is_printed(monkeypatch):
    """With another printed power the energies of E2a follow no longer: nothing is remembered."""
    numbers = dict(thesis_numbers()) | {("E2b", "energy"): 800.0}
    monkeypatch.setattr(module, "thesis_numbers", lambda: numbers)
    follows = {check.what: check.follows for check in consistency()}
    assert follows["energy of E2a, the 800 W of E2b x the rounded makespan"] == "816.0"


def test_a_compute_share_of_one_cancels_communication_as_weighted_and_memory_as_printed():
    """Weights as the numbers need them: T_compute = 1 makes S_f = S_m whatever S_c."""
    assert speed_factor(1, 0.7, 0.1) == 0.7
    assert speed_factor(0, 0.7, 0.1) == 0.1


def test_the_global_table_is_not_testable_and_its_heads_are_swapped():
    """No cell has a figure of ours; four are known to stand under the other head."""
    table = global_printed()
    assert not table.figures
    assert len(table.untested) == 1
    volumes = {
        column: one.right for (labels, column), one in table.misprints.items() if "volume" in labels[0]
    }
    assert volumes == {"with communications": "3348000000", "without communications": "0"}
    assert global_numbers("makespan") == (24.41, 26.53)
