"""The interface of a service called without a network, as a server would call it."""

from __future__ import annotations

import asyncio
import json
import os
from types import SimpleNamespace

ME = os.geteuid() if hasattr(os, "geteuid") else 0


class Interface:
    """Calls an application as a server would; by default from the Unix socket of the service's own user."""

    def __init__(self, service, limits=None):
        from echelon.service.api.app import app_of

        self.service = service
        self.app = app_of(service, limits)
        self.runner = asyncio.Runner()
        self.body = b""
        """Of the answer that is under way, as far as it has come."""

    def call(self, method, path, body=None, *, token=None, uid=ME, headers=(), tcp=False, parts=None):
        """Return status, headers and content of an answer; ``parts`` is the body as it arrives."""
        if body is not None:
            parts = [body if isinstance(body, bytes) else json.dumps(body).encode()]
        path, _, query = path.partition("?")
        sent = [
            (b"host", b"localhost"),
            *((name.encode(), value.encode("latin-1")) for name, value in headers),
        ]
        if parts is not None and not any(name == b"content-type" for name, _ in sent):
            sent.append((b"content-type", b"application/json"))
        if token:
            sent.append((b"authorization", f"Bearer {token}".encode()))
        if ("host", "") in headers:
            sent = [one for one in sent if one[0] != b"host"]
        elif sum(name == b"host" for name, _ in sent) > 1 and ("x-twice", "1") not in headers:
            sent = sent[1:]
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "server": ("10.0.0.7", 8642) if tcp or token else ("/run/echelon.sock", None),
            "client": None,
            "scheme": "http",
            "method": method,
            "root_path": "",
            "path": path,
            "raw_path": path.encode("utf-8", "surrogatepass"),
            "query_string": query.encode(),
            "headers": sent,
            "state": {},
        }
        if not tcp and token is None:
            scope["echelon.peer_uid"] = uid
        return self.runner.run(self._call(scope, list(parts or [b""])))

    async def _call(self, scope, parts):
        sent = []
        self.body = b""
        gone = asyncio.Event()

        async def receive():
            if not parts:
                await gone.wait()
                return {"type": "http.disconnect"}
            part = parts.pop(0)
            if isinstance(part, float):
                await asyncio.sleep(part)
                part = b""
            return {"type": "http.request", "body": part, "more_body": bool(parts)}

        async def send(message):
            sent.append(message)
            self.body += message.get("body", b"")

        try:
            await self.app(scope, receive, send)
        except RuntimeError as error:
            # What fails is answered, and then raised for the log of the server.
            if "on purpose" not in str(error):
                raise
        finally:
            gone.set()
        status = sent[0]["status"]
        headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        content = b"".join(message.get("body", b"") for message in sent[1:])
        is_json = "json" in headers.get("content-type", "")
        return SimpleNamespace(
            status=status, headers=headers, content=json.loads(content) if is_json else content
        )

    def token(self, user="mara", scopes=("read", "submit"), **changes):
        """Return a new token."""
        from echelon.service.tokens import hash_of, new_token

        token = new_token()
        row = self.service.store.add_token(hash_of(token), user, scopes, changes.pop("expires_at", None), "")
        for name, value in changes.items():
            setattr(row, name, value)
        return token
