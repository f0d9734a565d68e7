"""Clusters: seen, drained, opened again."""

from __future__ import annotations


def test_a_cluster_is_drained_and_opened(api):
    """Its mode is what was asked for last, alone and in the list."""
    assert api.call("POST", "/v1/clusters/alpha:drain").content["mode"] == "drained"
    modes = {one["name"]: one["mode"] for one in api.call("GET", "/v1/clusters").content["clusters"]}
    assert modes == {"alpha": "drained", "beta": "open"}
    assert api.call("POST", "/v1/clusters/alpha:resume").content["mode"] == "open"
    assert api.call("GET", "/v1/clusters/alpha").content["mode"] == "open"


def test_unknown_clusters(api):
    """What is no cluster is 404 and says which there are."""
    for method, path in (
        *(("GET", "/v1/clusters/gamma"), ("GET", "/v1/clusters/gamma/queue")),
        *(("POST", "/v1/clusters/gamma:drain"), ("GET", "/v1/clusters/a\0b")),
    ):
        answer = api.call(method, path)
        assert (answer.status, "alpha, beta" in answer.content["detail"]) == (404, True)


def test_other_methods_say_which_there_are(api):
    """A method that is not possible is 405 with those that are."""
    answer = api.call("DELETE", "/v1/jobs")
    assert (answer.status, answer.headers["allow"]) == (405, "GET, POST")
    assert api.call("GET", "/v1/clusters/alpha:drain").status == 404
    assert api.call("PUT", "/v1/clusters/alpha:drain").headers["allow"] == "GET, POST"
