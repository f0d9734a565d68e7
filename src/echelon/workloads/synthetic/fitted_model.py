"""FittedModel: a model with parameters of its own, kept in a TOML file and drawn from."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.quantities import is_number
from echelon.workloads.files.atomic import replacing
from echelon.workloads.synthetic.generation import generate
from echelon.workloads.synthetic.known_models import model_named
from echelon.workloads.synthetic.parameter import settle_values
from echelon.workloads.transform.popular_estimates import popular_estimates

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model import Workload

_KEYS = ("model", "jobs", "fitted_to", "parameters", "popular")


@dataclass(frozen=True, slots=True)
class FittedModel:
    """A model whose parameters were fitted to a log, or set.

    Parameters
    ----------
    model : str
        The model's name.
    parameters : mapping of str to float
        Those that are not as by default.
    jobs : int
        How many jobs the log had, and `generate` draws by default.
    popular : mapping of int to float, default empty
        The popular requested times of the log, in seconds, with their shares of the jobs.
    fitted_to : str, default ``""``
        The log's name.
    """

    model: str
    parameters: Mapping[str, float]
    jobs: int
    popular: Mapping[int, float] = field(default_factory=dict)
    fitted_to: str = ""

    def generate(self, jobs: int | None = None, *, seed: int = 0, estimates: bool | None = None) -> Workload:
        """Return jobs drawn from this model.

        Parameters
        ----------
        jobs : int, optional
            How many. Default: as many as the log had.
        seed : int, default 0
            >= 0.
        estimates : bool, optional
            Whether requested times are drawn, with the log's popular values. Default: if the log had any.
        """
        settings: dict[str, Any] = {"seed": seed, **self.parameters}
        workload = generate(self.model, self.jobs if jobs is None else jobs, **settings)
        if not (bool(self.popular) if estimates is None else estimates):
            return workload
        longest, head = max(self.popular, default=0), min(1.0, sum(self.popular.values()))
        return popular_estimates(workload, longest, known=self.popular, head=head, seed=seed)

    def write(self, path: str | Path) -> None:
        """Write it as TOML, whole or not at all; InputError if `path` cannot be written."""
        lines = [f"# Parameters of a model of workloads, fitted to {_text(self.fitted_to)}.", ""]
        lines += [f'model = "{self.model}"', f"jobs = {self.jobs}", f"fitted_to = {_text(self.fitted_to)}"]
        lines += ["", "[parameters]", *(f"{name} = {value!r}" for name, value in self.parameters.items())]
        if self.popular:
            lines += ["", "# Requested times in seconds, and their shares of the jobs.", "[popular]"]
            lines += [f"{time} = {share!r}" for time, share in self.popular.items()]
        with replacing(path) as file:
            file.write(("\n".join(lines) + "\n").encode())


def read_fitted_model(path: str | Path) -> FittedModel:
    """Return the model in a TOML file that `FittedModel.write` wrote, or a person.

    Raises
    ------
    InputError
        If the file cannot be read, is no TOML, or a key or value is not what it must be.
    UnknownNameError
        If there is no such model or parameter.
    """
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=str(path)) from error
    except ValueError as error:
        raise InputError(f"is not TOML: {error}", file=str(path)) from error
    if unknown := sorted(set(data) - set(_KEYS)):
        raise InputError(f"has the key {unknown[0]!r}; known are {', '.join(_KEYS)}", file=str(path))
    model = model_named(_value_of(data, "model", str, path))
    parameters = _numbers(data.get("parameters", {}), "parameters", path)
    settle_values(model.name, model.parameters, parameters)
    popular = _numbers(data.get("popular", {}), "popular", path)
    if not all(time.isdecimal() for time in popular):
        raise InputError("must be whole seconds with their shares", file=str(path), field="popular")
    if any(share < 0 for share in popular.values()) or sum(popular.values()) > 1 + 1e-9:
        problem = "must be shares >= 0 that sum to 1 or less"
        raise InputError(problem, file=str(path), field="popular")
    return FittedModel(
        model=model.name,
        parameters=parameters,
        jobs=_value_of(data, "jobs", int, path) if "jobs" in data else 10_000,
        popular={int(time): share for time, share in popular.items()},
        fitted_to=_value_of(data, "fitted_to", str, path) if "fitted_to" in data else "",
    )


def _value_of(data: dict[str, Any], key: str, kind: type, path: str | Path) -> Any:  # noqa: ANN401  (of that type)
    value = data.get(key)
    if not isinstance(value, kind) or isinstance(value, bool):
        expected = {str: "a string", int: "a whole number"}[kind]
        raise InputError(f"must be {expected}, got {value!r}", file=str(path), field=key)
    return value


def _numbers(table: Any, key: str, path: str | Path) -> dict[str, float]:  # noqa: ANN401  (anything a person writes)
    if not isinstance(table, dict):
        raise InputError(f"must be a table of numbers, got {table!r}", file=str(path), field=key)
    for name, value in table.items():
        if not is_number(value):
            raise InputError(f"must be a number, got {value!r}", file=str(path), field=f"{key}.{name}")
    return {name: float(value) for name, value in table.items()}


def _text(text: str) -> str:
    """Return `text` as a TOML string."""
    import json  # JSON's strings are TOML's basic strings, but for DEL

    return json.dumps(text).replace("\x7f", "\\u007f")
