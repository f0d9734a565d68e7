"""The live page as it is sent, and who looks at it."""

from __future__ import annotations

import pytest


def header(answer, name):
    """Return a header of an answer."""
    found = dict(answer.headers)
    return found[name] if name in found else found[name.encode()].decode()


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/", "text/html"), ("/page/page.js", "text/javascript"), ("/page/page.css", "text/css")],
)
def test_the_page_needs_no_token_and_may_load_its_own_files_only(api, kind, path):
    """Over TCP without a token it is sent, with a policy without inline scripts and other hosts."""
    answer = api.call("GET", path, tcp=True)
    assert answer.status == 200
    assert header(answer, "content-type").startswith(kind)
    policy = header(answer, "content-security-policy")
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert header(answer, "x-content-type-options") == "nosniff"


def test_a_file_is_sent_again_only_if_it_has_changed(api):
    """With the tag of the file the answer is 304, without another tag it is the file."""
    tag = header(api.call("GET", "/page/page.js", tcp=True), "etag")
    assert api.call("GET", "/page/page.js", tcp=True, headers=[("if-none-match", tag)]).status == 304
    assert api.call("GET", "/page/page.js", tcp=True, headers=[("if-none-match", '"x"')]).status == 200


@pytest.mark.parametrize("name", ["page.html", "assets.py", "..%2f..%2fapp.py", "live.js"])
def test_there_is_nothing_else(api, name):
    """Names of other files are answered with a problem."""
    assert api.call("GET", f"/page/{name}", tcp=True).status == 404


def test_who_calls_is_said(api):
    """A user learns name and scopes; over TCP without a token nobody calls."""
    assert api.call("GET", "/v1/caller", uid=0).content["scopes"] == [
        *("read", "submit", "script", "operate", "admin")
    ]
    assert api.call("GET", "/v1/caller", tcp=True).status == 401
