"""The words people type for an execution or a network model, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.execution.constant import Constant
from echelon.execution.contract import MemoryModel, NetworkModel
from echelon.execution.execution import Execution
from echelon.execution.memory_share import MemoryShare
from echelon.execution.memory_v1 import MemoryV1
from echelon.execution.memory_v2 import MemoryV2
from echelon.execution.own_model import OwnMemoryModel, OwnNetworkModel
from echelon.execution.proportional import Proportional
from echelon.execution.time_shared import TimeShared
from echelon.user_file import is_in_file, open_user_file
from echelon.words import Words, arguments, made, settings_of

if TYPE_CHECKING:
    from collections.abc import Mapping

MEMORY_MODELS: tuple[type[MemoryV1 | MemoryV2 | MemoryShare], ...] = (MemoryV1, MemoryV2, MemoryShare)
"""Every built-in memory model."""

NETWORK_MODELS: tuple[type[Constant | Proportional], ...] = (Constant, Proportional)
"""Every built-in network model."""

_MEMORY = {kind.name: kind for kind in MEMORY_MODELS}
_NETWORK = {kind.name: kind for kind in NETWORK_MODELS}


def execution_named(words: str) -> Execution:
    """Return the execution people mean by `words`.

    Parameters
    ----------
    words : str
        ``"fixed"``, ``"speed"``, ``"memory-v1"``, ``"memory-v2"`` or ``"memory-share"``, with parameters
        after colons, ``"memory-share:weights=equal"``; or a user's own memory model, ``"my.py:Model"``.
        Joined by ``+``: ``"speed+memory-v1"`` is ``"memory-v1"``.

    Raises
    ------
    UnknownNameError
        If a word names nothing.
    InputError
        If words contradict each other, a parameter is wrong, or a user's file cannot be loaded.
    """
    parts = [Words.parted(part, kind="execution") for part in words.split("+")]
    names = [":".join(part.names) for part in parts]
    bare = [name for name, part in zip(names, parts, strict=True) if name in ("fixed", "speed")]
    for name, part in zip(names, parts, strict=True):
        if name in bare and part.settings:
            raise InputError(f"takes no parameters, got {part.settings[0][0]}", field=f"execution {name}")
    models = [_memory_model(part) for name, part in zip(names, parts, strict=True) if name not in bare]
    if len(models) > 1 or len(set(bare)) < len(bare) or len(set(bare)) > 1:
        raise InputError(
            "may join speed and one memory model by +, as in speed+memory-v1", field=f"execution {words!r}"
        )
    return Execution(bare == ["fixed"], models[0] if models else None)


def time_shared_named(words: str) -> TimeShared:
    """Return the execution on shared nodes that people mean by `words`.

    Parameters
    ----------
    words : str
        ``"time-shared"``, with parameters after colons: ``"time-shared:interference=0.2:noise=0.05"``.

    Raises
    ------
    UnknownNameError
        If words name another execution, or a parameter is unknown.
    InputError
        If a parameter is wrong.
    """
    parted = Words.parted(words, kind="execution")
    name = ":".join(parted.names)
    if name != TimeShared.name:
        raise UnknownNameError("execution on shared nodes", name, [TimeShared.name])
    return TimeShared(**arguments(TimeShared, name, dict(parted.settings)))


def time_shared_of(given: str | Execution | TimeShared | None) -> TimeShared:
    """Return `given` as an execution on shared nodes: words, one itself, or None for the usual one.

    Raises
    ------
    InputError
        If it is none of them.
    """
    if given is None:
        return TimeShared()
    if isinstance(given, str):
        return time_shared_named(given)
    if isinstance(given, TimeShared):
        return given
    raise InputError(f"must be words or an execution of shared nodes, got {given!r:.80}", field="execution")


def time_shared_words(given: TimeShared) -> str:
    """Return the canonical words of an execution on shared nodes; a parameter at its default is not said."""
    return ":".join([given.name, *settings_of(given)])


def execution_of(given: str | Execution | TimeShared) -> Execution:
    """Return `given` as an execution: words, or an execution itself.

    Raises
    ------
    InputError
        If it is neither.
    """
    if isinstance(given, str):
        return execution_named(given)
    if isinstance(given, Execution):
        return given
    raise InputError(f"must be words or an execution, got {given!r:.80}", field="execution")


def network_named(words: str) -> NetworkModel | None:
    """Return the network model people mean by `words`; None for ``"none"``.

    Parameters
    ----------
    words : str
        ``"none"``, ``"constant"`` or ``"proportional"``, with parameters after colons,
        ``"constant:factor=0.7:per=pair"``; or a user's own model, ``"my.py:Model"``.

    Raises
    ------
    UnknownNameError
        If a word names nothing.
    InputError
        If a parameter is wrong, or a user's file cannot be loaded.
    """
    parted = Words.parted(words, kind="network")
    name, settings = ":".join(parted.names), dict(parted.settings)
    if name == "none" and not settings:
        return None
    if is_in_file(name):
        found = _from_file(name, settings, "network model")
        if not isinstance(found, NetworkModel):
            raise InputError(
                f"must have name, local, check(hardware) and factors(traffic, hardware), got "
                f"{type(found).__name__}",
                field=f"network {name}",
            )
        return OwnNetworkModel(words.strip(), found)
    if name not in _NETWORK:
        raise UnknownNameError("network model", name, ["none", *_NETWORK])
    return _NETWORK[name](**arguments(_NETWORK[name], name, settings))


def network_of(given: str | NetworkModel | None) -> NetworkModel | None:
    """Return `given` as a network model: words, a model itself, or None for none.

    Raises
    ------
    InputError
        If it is none of them.
    """
    if isinstance(given, str):
        return network_named(given)
    if given is None or (isinstance(given, NetworkModel) and not isinstance(given, type)):
        return given
    raise InputError(f"must be words or a network model, got {given!r:.80}", field="network")


def network_words(given: NetworkModel | None) -> str:
    """Return the canonical words of a network model; a parameter at its default is not said."""
    if given is None:
        return "none"
    return given.name if isinstance(given, OwnNetworkModel) else ":".join([given.name, *settings_of(given)])


def _memory_model(parted: Words) -> MemoryModel:
    name, settings = ":".join(parted.names), dict(parted.settings)
    if is_in_file(name):
        found = _from_file(name, settings, "memory model")
        if not isinstance(found, MemoryModel):
            raise InputError(
                "must have name, scope, check(hardware) and factors(loads, part), got "
                f"{type(found).__name__}",
                field=f"execution {name}",
            )
        return OwnMemoryModel(parted.text.strip(), found)
    if name == TimeShared.name:
        raise InputError(
            "is for shared nodes; say which with a platform that is a multicluster", field=f"execution {name}"
        )
    if name not in _MEMORY:
        raise UnknownNameError("execution", name, ["fixed", "speed", *_MEMORY])
    return _MEMORY[name](**arguments(_MEMORY[name], name, settings))


def _from_file(name: str, settings: Mapping[str, str], kind: str) -> object:
    file, own, things = open_user_file(name, kind=kind)
    if own not in things:
        known = [key for key, value in things.items() if hasattr(value, "factors")]
        raise UnknownNameError(f"{kind} in {file}", own, known)
    found = things[own]
    if isinstance(found, type):
        return made(found, name, settings, field=f"{kind} {name}")
    if settings:
        raise InputError(f"takes no parameters, got {', '.join(settings)}", field=f"{kind} {name}")
    return found
