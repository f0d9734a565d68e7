"""The interface of a service over HTTP: a thin layer, which only the process that serves imports."""

from echelon.extras import FASTAPI, PROMETHEUS, UVICORN
from echelon.lazy import lazily

# Importing a module of this package needs all of them; the error names what to install.
for _extra in (FASTAPI, PROMETHEUS, UVICORN):
    _extra.load()

lazily(
    __name__,
    {
        "app": "app_of",
        "access.limits": "Limits",
        "server": "Server",
    },
)
