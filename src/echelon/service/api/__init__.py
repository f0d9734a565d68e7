"""The interface of a service over HTTP: a thin layer, which only the process that serves imports."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "app": "app_of",
        "limits": "Limits",
        "server": "Server",
    },
)
