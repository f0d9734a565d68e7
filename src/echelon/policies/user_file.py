"""A user's own policy, loaded from FILE.py:NAME."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.policies.contract import Scheduler
from echelon.policies.order.rule import Order

if TYPE_CHECKING:
    from types import ModuleType


def load_from_file(words: str) -> Order | Scheduler:
    """Return the order or scheduler that ``FILE.py:NAME`` names.

    NAME is a Python name in that file or the registered name of an order in it. A class is called
    without arguments.

    Raises
    ------
    InputError
        If the file is missing, fails while it runs, or NAME is neither an order nor a scheduler.
    UnknownNameError
        If the file holds no such name.
    """
    file, name = words.rsplit(":", 1)
    module = _module(Path(file), words)
    orders = {value.name: value for value in vars(module).values() if isinstance(value, Order)}
    found = vars(module).get(name, orders.get(name))
    if found is None:
        schedulers = [key for key, value in vars(module).items() if _is_scheduler(value)]
        raise UnknownNameError(f"policy in {file}", name, [*orders, *schedulers])
    if isinstance(found, Order):
        return found
    if isinstance(found, type):
        found = _made(found, file)
    if not isinstance(found, Scheduler):
        raise InputError(
            f"must be an order (use @order) or have a name and decide(view), got {type(found).__name__}",
            file=file,
            field=name,
        )
    return found


def _made(kind: type, file: str) -> object:
    try:
        return kind()
    except (Exception, SystemExit) as error:
        problem = f"must be made without arguments, but fails with {type(error).__name__}: {error}"
        raise InputError(problem, file=file, field=kind.__name__) from error


def _is_scheduler(value: object) -> bool:
    return (
        isinstance(value, type)
        and getattr(value, "_is_protocol", False) is False
        and hasattr(value, "decide")
    )


def _module(path: Path, words: str) -> ModuleType:
    if not path.is_file():
        raise InputError("no such file; a policy of one's own is named FILE.py:NAME", file=words)
    # The module's name holds the whole path, so that two files of one name do not share an entry.
    spec = importlib.util.spec_from_file_location(f"echelon_user_policy:{path.resolve()}", path)
    if spec is None or spec.loader is None:
        raise InputError("can not be loaded as Python", file=str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise InputError(
            f"fails while it is loaded: {type(error).__name__}: {error}", file=str(path)
        ) from error
    return module
