"""Specs of executions and network models: parsed, formatted, refused; users' own models."""

from __future__ import annotations

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.execution import (
    Constant,
    Execution,
    MemoryShare,
    MemoryV1,
    MemoryV2,
    Proportional,
    Traffic,
    execution_named,
    execution_of,
    format_network,
    network_named,
    network_of,
    speed_factor,
)


@pytest.mark.parametrize(
    ("spec", "execution", "canonical"),
    [
        ("fixed", Execution(fixed=True), "fixed"),
        ("speed", Execution(), "speed"),
        ("memory-v1", Execution(memory=MemoryV1()), "memory-v1"),
        ("speed+memory-v1", Execution(memory=MemoryV1()), "memory-v1"),
        (" memory-v2 + speed ", Execution(memory=MemoryV2()), "memory-v2"),
        ("memory-v1:steep=formula", Execution(memory=MemoryV1("formula")), "memory-v1:steep=formula"),
        ("memory-share(weights=demand)", Execution(memory=MemoryShare()), "memory-share"),
        ("memory-share:weights=equal", Execution(memory=MemoryShare("equal")), "memory-share:weights=equal"),
    ],
)
def test_execution_specs(spec, execution, canonical):
    """Words read to an execution, whose canonical specs read back to it."""
    assert execution_named(spec) == execution
    assert execution.spec == canonical
    assert execution_of(canonical) == execution_of(execution) == execution


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("fixed+memory-v1", "a fixed run time does not depend on memory-v1"),
        ("fixed+speed", "may join speed and one memory model"),
        ("memory-v1+memory-v2", "may join speed and one memory model"),
        ("speed+speed", "may join speed and one memory model"),
        ("speed+", "must be parts joined by single colons: memory-v1:steep=formula"),
        ("", "must be parts joined by single colons"),
        ("speed:clock=1", "execution speed: takes no parameters, got clock"),
        ("memory-v1:steep=odd", "memory-v1, steep: must be limit or formula, got 'odd'"),
        ("missing.py:Model", "missing.py:Model: no such file"),
    ],
)
def test_wrong_executions(spec, message):
    """What contradicts itself or does not fit is refused in one sentence."""
    with pytest.raises(InputError, match=message):
        execution_named(spec)


def test_unknown_names():
    """A near name is suggested, an unknown parameter too."""
    with pytest.raises(UnknownNameError, match="no execution is named 'memory-v3'; did you mean 'memory-v"):
        execution_named("memory-v3")
    with pytest.raises(
        UnknownNameError, match="no network model is named 'constnt'; did you mean 'constant'"
    ):
        network_named("constnt")
    with pytest.raises(UnknownNameError, match="no parameter of constant is named 'facto'"):
        network_named("constant:facto=1")
    for wrong, of in ((7, execution_of), (Execution, execution_of), (7, network_of), (Constant, network_of)):
        with pytest.raises(InputError, match="must be a spec or "):
            of(wrong)


@pytest.mark.parametrize(
    ("spec", "model"),
    [
        ("none", None),
        ("constant", Constant()),
        ("constant:factor=0.5:per=pair:over=time", Constant(0.5, "pair", "time")),
        ("constant:over=2", Constant(over=2.0)),
        ("proportional", Proportional()),
        ("proportional:weights=equal", Proportional("equal")),
    ],
)
def test_network_specs(spec, model):
    """Words read to a network model and back."""
    assert network_named(spec) == model
    assert format_network(model) == spec
    assert network_of(model) == network_of(spec) == model


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("constant:factor=0", "constant, factor: must be above 0 and at most 1, got 0.0"),
        ("constant:factor=1.1", "constant, factor: must be above 0 and at most 1"),
        ("constant:per=job", "constant, per: must be task or pair, got 'job'"),
        ("constant:over=0", "constant, over: must be 'time' or a finite time above 0"),
        ("constant:over=soon", "constant, over: must be time or a time in seconds"),
        ("proportional:weights=odd", "proportional, weights: must be demand or equal, got 'odd'"),
    ],
)
def test_wrong_networks(spec, message):
    """What does not fit a parameter is refused with model, parameter and value."""
    with pytest.raises(InputError, match=message):
        network_named(spec)


def test_wrong_parameters_in_python():
    """A value of a wrong type is refused the same way as its specs."""
    for make in (
        lambda: Constant(per="job"),
        lambda: Constant(over="soon"),
        lambda: Proportional("odd"),
        lambda: MemoryV1("odd"),
        lambda: MemoryShare("odd"),
    ):
        with pytest.raises(InputError, match="must be "):
            make()


OWN = '''
from dataclasses import dataclass

@dataclass(frozen=True)
class Halved:
    """Everything at a half."""
    factor: float = 0.5
    name = "halved"
    scope = "processor"
    local = True
    def check(self, hardware): ...
    def factors(self, loads, part): return [self.factor] * len(loads)

plain = Halved()
other = 7
'''


def test_own_models(tmp_path):
    """A user's own memory or network model is a class or an object in a file, with parameters."""
    file = tmp_path / "own.py"
    file.write_text(OWN)
    quarter = execution_named(f"speed+{file}:Halved:factor=0.25")
    assert quarter.memory.factors([1], None) == [0.25]
    assert quarter.spec == f"{file}:Halved:factor=0.25"
    assert execution_named(f"speed+{file}:plain").memory.factors([1, 2], None) == [0.5, 0.5]
    assert format_network(network_named(f"{file}:Halved")) == f"{file}:Halved"
    with pytest.raises(UnknownNameError, match="did you mean 'Halved'"):
        execution_named(f"{file}:Halve")
    for named in (execution_named, network_named):
        with pytest.raises(InputError, match=r"must have name, .* got int"):
            named(f"{file}:other")
        with pytest.raises(InputError, match="takes no parameters, got factor"):
            named(f"{file}:plain:factor=1")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return [0.0]", "must return factors above 0 and at most 1, got 0.0"),
        ("return [float('nan')]", "must return factors above 0 and at most 1, got nan"),
        ("return [1.5]", "must return factors above 0 and at most 1, got 1.5"),
        ("return ['fast']", "must return factors above 0 and at most 1, got 'fast'"),
        ("return []", "must return one factor for each of 1 loads, got 0"),
        ("return None", "factors fails with TypeError"),
        ("return 1 / 0", "factors fails with ZeroDivisionError: division by zero"),
    ],
)
def test_wrong_answers_of_own_memory_models(tmp_path, body, message):
    """A factor that is none stops the run in one sentence, not in the engine."""
    file = tmp_path / "own.py"
    file.write_text(OWN.replace("return [self.factor] * len(loads)", body))
    model = execution_named(f"{file}:plain").memory
    model.check(None)
    with pytest.raises(InputError, match=rf"model .*own.py:plain: {message}"):
        model.factors([1], None)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return [{0: 1.0}]", "must return a factor for each node of each job"),
        ("return []", "must return a factor for each node of each job"),
        ("return [{0: 1.0, 1: -1}]", "must return factors above 0 and at most 1, got -1"),
        ("raise SystemExit", "factors fails with SystemExit"),
    ],
)
def test_wrong_answers_of_own_network_models(tmp_path, body, message):
    """As of memory models; every node of every job needs its factor."""
    file = tmp_path / "own.py"
    file.write_text(OWN.replace("return [self.factor] * len(loads)", body))
    model = network_named(f"{file}:plain")
    with pytest.raises(InputError, match=message):
        model.factors([Traffic({0: 1, 1: 2}, 1.0, 1.0)], None)


def test_own_models_need_a_scope(tmp_path):
    """A scope that is neither word is refused when the model is named."""
    file = tmp_path / "own.py"
    file.write_text(OWN.replace('scope = "processor"', 'scope = "rack"'))
    with pytest.raises(InputError, match="scope must be 'processor' or 'node', got 'rack'"):
        execution_named(f"{file}:plain")


def test_speed_factor():
    """The thesis' 49/50; a compute share of 1 leaves memory alone, one of 0 communication."""
    assert speed_factor(0.9, 1.0, 0.8) == 49 / 50
    assert speed_factor(1.0, 0.3, 0.8) == 0.3
    assert speed_factor(0.0, 0.3, 0.8) == 0.8
