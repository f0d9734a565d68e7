"""Finding and Check: the results of checking a user's own rule."""

from __future__ import annotations

from dataclasses import dataclass

from echelon.errors import InputError, PolicyError


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check.

    Parameters
    ----------
    name : str
        The subject of the check, a short text.
    passed : bool
        Whether the check passed.
    sentence : str
        The result: the extent of the check, or the first violation.
    required : bool, default True
        Whether a rule must pass; otherwise the finding is a note.
    """

    name: str
    passed: bool
    sentence: str
    required: bool = True


@dataclass(frozen=True, slots=True)
class Check:
    """All findings about one policy, metric, estimator, placement, broker, protocol ...

    Parameters
    ----------
    kind : str
        ``"policy"``, ``"metric"``, ``"estimator"``, ``"placement"``, ``"broker"``, ``"decentralized
        protocol"`` ...
    name : str
        Its name.
    findings : tuple of Finding
        In the order of the checks. After a run that fails, no further checks are made.
    """

    kind: str
    name: str
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether every required finding passed."""
        return all(finding.passed or not finding.required for finding in self.findings)

    def require(self) -> Check:
        """Return this check if it passed: ``check_policy("my.py:rule").require()`` makes a test.

        Raises
        ------
        PolicyError
            With the first required finding that failed.
        InputError
            The same, of a metric.
        """
        for finding in self.findings:
            if finding.required and not finding.passed:
                rule = f"fails the check {finding.name!r}: {finding.sentence}"
                if self.kind == "metric":
                    raise InputError(rule, field=f"metric {self.name!r}")
                subject = self.name if self.kind == "policy" else f"{self.kind} {self.name}"
                raise PolicyError(subject, time=0.0, job_id=None, broken_rule=rule)
        return self
