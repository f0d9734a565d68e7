"""The interface's libraries are extras, and nothing that clients use imports them."""

from __future__ import annotations

import subprocess
import sys

import pytest

LIBRARIES = ("fastapi", "starlette", "uvicorn", "prometheus_client", "pydantic", "sqlalchemy")


@pytest.mark.slow
@pytest.mark.parametrize("library", ["fastapi", "prometheus_client", "uvicorn"])
def test_a_missing_library_is_named(library):
    """Without a library whoever would serve reads one sentence with what to install."""
    code = f"import sys; sys.modules[{library!r}] = None\nimport echelon.service.api.server"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = done.stderr.splitlines()[-1]
    assert "MissingExtraError" in last
    name = {"fastapi": "FastAPI", "prometheus_client": "prometheus-client"}.get(library, library)
    assert f"need {name}, which is not installed" in last
    assert "pip install 'echelon-scheduling[serve]'" in last


@pytest.mark.slow
def test_clients_import_no_server():
    """The client and what the configuration needs of this room leave the libraries of the server alone."""
    modules = "echelon.client.client, echelon.service.tokens, echelon.service.configuration.applications"
    code = f"import sys, {modules}; print(*sorted(set({LIBRARIES!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
