"""The client: how commands and programs talk to a service, by the standard library alone.

::

    import echelon as ec

    client = ec.Client()
    job = client.submit("./solver", "--cells", "1000", processors=16, time_limit=3600)
    client.wait(job["id"])
"""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "address": "Address address_of",
        "answers": (
            "FINAL ClusterAnswer DecisionAnswer EventAnswer ForecastAnswer JobAnswer JobFields TokenAnswer"
        ),
        "client": "Client",
        "connection": "",
        "event_stream": "",
        "places": "default_socket default_token_file state_folder",
        "plain_text": "escape",
        "problems": "",
        "waiting": "",
    },
    aliases={"plain": "escape"},
)
