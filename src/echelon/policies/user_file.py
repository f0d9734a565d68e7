"""A user's own policy, loaded from FILE.py:NAME."""

from __future__ import annotations

from echelon.errors import InputError, UnknownNameError
from echelon.policies.contract import Scheduler
from echelon.policies.order.rule import Order
from echelon.user_file import open_user_file


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
    file, name, things = open_user_file(words, kind="policy")
    orders = {value.name: value for value in things.values() if isinstance(value, Order)}
    found = things.get(name, orders.get(name))
    if found is None:
        schedulers = [key for key, value in things.items() if _is_scheduler(value)]
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
