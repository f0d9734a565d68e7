"""Client: what a program asks of a service."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Self, Unpack
from urllib.parse import quote, urlencode

from echelon.client.address import address_of, token_of
from echelon.client.connection import Connection
from echelon.errors import InputError, ServiceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from echelon.client.answers import (
        ClusterAnswer,
        DecisionAnswer,
        EventAnswer,
        JobAnswer,
        JobFields,
        TokenAnswer,
    )
    from echelon.client.event_stream import EventStream

_PAGE = 500
"""Jobs of a listing that are asked for at once."""

_LONGEST_KEY = 255


class Client:
    """A service, as a program asks it: submit jobs, follow them, ask why, forecast.

    A request whose answer was lost is repeated. Each submission has a key of its own, by which the service
    knows it again, so a job is never submitted twice. Several threads may share a client.

    Parameters
    ----------
    address : str, optional
        ``unix:///PATH``, the path of a socket, or ``http://HOST:PORT``. Default: ``$ECHELON_SERVICE``, else
        the socket of a service that runs without a configuration.
    token : str, optional
        For services on TCP. Default: ``$ECHELON_TOKEN``, else what is in the file ``token`` of the folder of
        the service's state (``$ECHELON_STATE``, else ``~/.local/state/echelon``); no user but its owner may
        read it. A Unix socket needs none.
    timeout : float, default 30
        Seconds that the service may take for an answer.
    patience : float, default 30
        Seconds for which a request is repeated whose answer was lost or that the service is too busy for.

    Raises
    ------
    InputError
        If the address or the token cannot be one. Methods raise a ServiceError if no service answers, or if
        it refuses.

    Examples
    --------
    .. code-block:: python

        client = ec.Client()
        job = client.submit("./solver", "--cells", "1000", processors=16, time_limit=3600)
        (ended,) = client.wait(job["id"])
    """

    def __init__(
        self,
        address: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 30.0,
        patience: float = 30.0,
    ) -> None:
        self.address = address_of(address)
        needed = token_of(token) if token or not self.address.socket else ""
        self._connection = Connection(self.address, needed, timeout=timeout, patience=patience)

    def submit(self, *argv: str, key: str | None = None, **fields: Unpack[JobFields]) -> JobAnswer:
        """Submit a job; when this returns, the service will not lose it.

        Parameters
        ----------
        *argv : str
            Program and arguments; the same as the field ``command``.
        key : str, optional
            Of two submissions with the same key the second returns the job of the first: up to 255
            characters of ASCII without blanks. Default: random.
        **fields
            See `JobFields`: ``processors``, ``time_limit``, ``name`` ...

        Returns
        -------
        JobAnswer
            The job, with its ``id`` and ``number``.

        Raises
        ------
        ServiceError
            If the service refuses it or does not answer; where it may have the job nonetheless, the message
            has the key with which to submit it again.
        """
        body: dict[str, Any] = {**fields, **({"command": list(argv)} if argv else {})}
        named = new_key() if key is None else _header(key)
        try:
            job: JobAnswer = self._connection.ask("POST", "/v1/jobs", body, key=named)
        except ServiceError as error:
            if not error.is_unclear:
                raise
            raise ServiceError(
                f"{error.problem}; it may have the job: submit it again "
                f"with the key {named}, and it is one job",
                is_unclear=True,
            ) from error
        return job

    def submit_batch(
        self, jobs: Sequence[Mapping[str, Any]], keys: Sequence[str] | None = None
    ) -> list[JobAnswer]:
        """Submit many jobs at once: all or none of them.

        Parameters
        ----------
        jobs : sequence of mappings
            Each as the fields of `submit`, with its ``command``.
        keys : sequence of str, optional
            One a job. Default: random.

        Returns
        -------
        list of JobAnswer
            In the same order.
        """
        named = [new_key() for _ in jobs] if keys is None else keys
        body = [{**job, "idempotency_key": key} for job, key in zip(jobs, named, strict=True)]
        answers: list[JobAnswer] = self._connection.ask("POST", "/v1/jobs:batch", {"jobs": body})["jobs"]
        return answers

    def job(self, job: str | int) -> JobAnswer:
        """Return a job by its id or number."""
        answer: JobAnswer = self._connection.ask("GET", f"/v1/jobs/{_part(job)}")
        return answer

    def jobs(
        self,
        *,
        states: Sequence[str] = (),
        owner: str | None = None,
        cluster: str | None = None,
        limit: int | None = None,
    ) -> Iterator[JobAnswer]:
        """Yield the jobs that the user may see, by number.

        Parameters
        ----------
        states : sequence of str, default empty
            Only jobs in these states; empty: in all.
        owner, cluster : str, optional
            Only jobs of this user, or at this cluster.
        limit : int, optional
            At most so many. Default: all.
        """
        left, cursor = limit, ""
        while left is None or left > 0:
            asked = [("state", state) for state in states]
            size = _PAGE if left is None else min(left, _PAGE)
            filters = {"owner": owner, "cluster": cluster, "cursor": cursor, "limit": str(size)}
            asked += [(name, value) for name, value in filters.items() if value]
            page = self._connection.ask("GET", f"/v1/jobs?{urlencode(asked)}")
            yield from page["jobs"]
            left = None if left is None else left - len(page["jobs"])
            cursor = page.get("next") or ""
            if not cursor:
                return

    def cancel(self, job: str | int) -> JobAnswer:
        """Ask for the end of a job; one that a cluster has ends a little later."""
        return self._wish(job, "cancel")

    def hold(self, job: str | int) -> JobAnswer:
        """Hold a job that has not started, until it is released."""
        return self._wish(job, "hold")

    def release(self, job: str | int) -> JobAnswer:
        """Release a job that was held."""
        return self._wish(job, "release")

    def _wish(self, job: str | int, wish: str) -> JobAnswer:
        answer: JobAnswer = self._connection.ask("POST", f"/v1/jobs/{_part(job)}:{wish}")
        return answer

    def wait(
        self,
        *jobs: str | int,
        timeout: float | None = None,
        on_change: Callable[[JobAnswer], None] | None = None,
    ) -> list[JobAnswer]:
        """Wait until jobs have ended; a restart of the service in the meantime does not matter.

        Parameters
        ----------
        *jobs : str or int
            Ids or numbers.
        timeout : float, optional
            Seconds to wait at most. Default: no limit.
        on_change : callable, optional
            Is called with a job whose state has changed.

        Returns
        -------
        list of JobAnswer
            In the order given, each once. After a time-out some have not ended.
        """
        from echelon.client.waiting import wait_for

        return wait_for(self, jobs, timeout=timeout, on_change=on_change)

    def events(self, after: int | None = None) -> Iterator[EventAnswer]:
        """Yield events as they come, without an end; over restarts of the service.

        Parameters
        ----------
        after : int, optional
            The number of the last event that is known already. Default: only events to come.
        """
        with self.event_stream(after) as stream:
            while True:
                event = stream.next(30.0)
                if event is not None:
                    yield event
                elif stream.problem is not None and not stream.opened:
                    raise stream.problem

    def event_stream(self, after: int | None = None, job: str | None = None) -> EventStream:
        """Return the stream of events itself, of all or of one job, which also reports when none come."""
        from echelon.client.event_stream import EventStream

        return EventStream(self._connection, after, job)

    def decision(self, job: str | int) -> DecisionAnswer:
        """Return why a job is where it is: its decisions, forecasts, attempts and events."""
        decision: DecisionAnswer = self._connection.ask("GET", f"/v1/jobs/{_part(job)}/decision")
        return decision

    def forecast(self, *argv: str, **fields: Unpack[JobFields]) -> dict[str, Any]:
        """Return where and when a job would run, as the fields of `submit`; nothing is submitted.

        Returns
        -------
        dict
            ``candidates``, the clusters that were looked at, and ``chosen``, the name of one.
        """
        body: dict[str, Any] = {**fields, **({"command": list(argv)} if argv else {})}
        forecast: dict[str, Any] = self._connection.ask("POST", "/v1/forecasts", body)
        return forecast

    def clusters(self) -> list[ClusterAnswer]:
        """Return all clusters, in the order of the service's configuration."""
        answer: Any = self._connection.ask("GET", "/v1/clusters")
        clusters: list[ClusterAnswer] = answer["clusters"] if isinstance(answer, dict) else answer
        return clusters

    def drain(self, cluster: str) -> ClusterAnswer:
        """Dispatch no new jobs to a cluster; those that it has stay."""
        answer: ClusterAnswer = self._connection.ask("POST", f"/v1/clusters/{_part(cluster)}:drain")
        return answer

    def resume(self, cluster: str) -> ClusterAnswer:
        """Let a drained cluster have new jobs again."""
        answer: ClusterAnswer = self._connection.ask("POST", f"/v1/clusters/{_part(cluster)}:resume")
        return answer

    def select(self, **call: object) -> dict[str, Any]:
        """Return the sites that should run an application, best first, as a portal asks for them.

        Parameters
        ----------
        **call
            ``application``, ``version``, ``criteria``, ``processes`` and ``policy``, as of
            `echelon.MetaScheduler.select`.
        """
        selection: dict[str, Any] = self._connection.ask("POST", "/v1/select", call)
        return selection

    def outlook(self, hours: float = 6.0) -> dict[str, Any]:
        """Return the past and the planned runs at each cluster, so many hours back and ahead."""
        outlook: dict[str, Any] = self._connection.ask("GET", f"/v1/outlook?{urlencode({'hours': hours})}")
        return outlook

    def tokens(self) -> list[TokenAnswer]:
        """Return all tokens, without their texts; needs the scope ``admin``."""
        answer: Any = self._connection.ask("GET", "/v1/tokens")
        tokens: list[TokenAnswer] = answer["tokens"] if isinstance(answer, dict) else answer
        return tokens

    def new_token(
        self, user: str, scopes: Sequence[str], *, expires_in: float | None = None, label: str = ""
    ) -> TokenAnswer:
        """Make a token; its text is in the answer, and nowhere else. Needs the scope ``admin``.

        Parameters
        ----------
        user : str
            Whose requests it is for.
        scopes : sequence of str
            Of ``read``, ``submit``, ``script``, ``operate``, ``admin``.
        expires_in : float, optional
            Seconds for which it holds. Default: the service's.
        label : str, default ""
            What it is for.
        """
        body: dict[str, Any] = {"user": user, "scopes": list(scopes), "label": label}
        if expires_in is not None:
            body["expires_in"] = expires_in
        token: TokenAnswer = self._connection.ask("POST", "/v1/tokens", body, is_repeatable=False)
        return token

    def revoke_token(self, number: int) -> None:
        """Revoke a token; needs the scope ``admin``."""
        self._connection.ask("DELETE", f"/v1/tokens/{_part(number)}")

    def close(self) -> None:
        """Close the connection of this thread."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def new_key() -> str:
    """Return a key that no other submission has: 128 random bits."""
    return os.urandom(16).hex()


def _header(key: str) -> str:
    """Return a key that can stand in a header."""
    if not (0 < len(key) <= _LONGEST_KEY and key.isascii() and key.isprintable() and " " not in key):
        raise InputError(
            f"got {key!r:.60}, expected 1 to {_LONGEST_KEY} characters of ASCII without blanks", field="key"
        )
    return key


def _part(value: str | int) -> str:
    """Return one part of a path, whatever characters it has."""
    if not str(value):
        raise InputError("got an empty name, expected that of a job or a cluster")
    return quote(str(value), safe="")
