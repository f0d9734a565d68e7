"""What goes wrong between a client and a service, as errors with one sentence."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from echelon.client.plain_text import escape
from echelon.errors import ServiceError

if TYPE_CHECKING:
    from http.client import HTTPException

    from echelon.client.address import Address

_WITH_FIELD = (400, 413, 415, 422)
"""Statuses of a request that is wrong; in those of the state of things the sentence says all."""

_LONGEST = 2000
"""Characters of a service's sentence that are shown."""


def unreachable_error(address: Address, error: OSError) -> ServiceError:
    """Return the error of a connection that could not be made: nothing was sent."""
    if isinstance(error, PermissionError):
        return ServiceError(f"the socket of the service at {address} belongs to another user")
    if isinstance(error, ConnectionRefusedError | FileNotFoundError):
        return ServiceError(f"no service answers at {address}; start one with: echelon serve")
    if isinstance(error, TimeoutError):
        return ServiceError(f"no service answers at {address}: no connection in time")
    if address.socket and "too long" in str(error):
        return ServiceError(f"{address}: the path is longer than a socket's may be; choose a shorter one")
    return ServiceError(f"no service answers at {address}: {error.strerror or error}")


def loss_of(address: Address, error: OSError | HTTPException) -> ServiceError:
    """Return the error of an answer that did not come, or not as a whole."""
    how = "has not come in time" if isinstance(error, TimeoutError) else "was lost"
    return ServiceError(f"the answer of the service at {address} {how}", is_unclear=True)


def refusal_of(address: Address, status: int, body: bytes) -> ServiceError:
    """Return the error that a service has answered: of ``application/problem+json``, its detail."""
    sentence, field = "", None
    with suppress(ValueError, AttributeError):
        problem = json.loads(body)
        sentence = str(problem.get("detail") or problem.get("title") or "")
        field = str(problem["field"]) if problem.get("field") else None
    if not sentence:
        return ServiceError(f"the service at {address} answered with status {status}", status=status)
    if status == 401:
        sentence += "; set ECHELON_TOKEN, or put a token into the token file"
    if field is None or status not in _WITH_FIELD or sentence.startswith(f"{field}:"):
        return ServiceError(escape(sentence)[:_LONGEST], status=status)
    return ServiceError(escape(sentence)[:_LONGEST], status=status, field=escape(field)[:_LONGEST])
