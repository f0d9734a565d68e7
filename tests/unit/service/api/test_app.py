"""The application: its description is complete and true, whatever it is asked."""

from __future__ import annotations

import json
import re
from urllib.parse import quote, unquote

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from budgets import examples
from echelon.service.api.access.limits import Limits
from fake_service import FakeService
from service_interface import Interface

ODD = (None, True, 0, -1, 1, 2**31, 2**70, 1.5, 1e308, "", "x", "\0", "\n", "../..", "1:00", "4G", "ech_")
WILD = st.recursive(
    st.sampled_from(ODD) | st.text(max_size=8) | st.integers() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)
NAMES = ("1", "2", "0", "99", "alpha", "beta", "f" * 32, "open", "RUNNING", "mara", "", "-1", "%00", "ä")
TEXTS = st.sampled_from(NAMES) | st.text(max_size=10)
API = Interface(FakeService(), Limits(keep_alive=0.01))
SCHEMA = API.call("GET", "/v1/openapi.json", tcp=True).content
OPERATIONS = [
    (method.upper(), path, operation)
    for path, item in SCHEMA["paths"].items()
    for method, operation in item.items()
]


def resolved(schema):
    """Return what a reference leads to."""
    while "$ref" in schema:
        schema = SCHEMA["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def fits(value, schema):
    """Return whether a value is one of a schema, by the keywords that are used here."""
    schema = resolved(schema)
    if "anyOf" in schema:
        return any(fits(value, one) for one in schema["anyOf"])
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    checks = {
        "null": value is None,
        "string": isinstance(value, str),
        "boolean": isinstance(value, bool),
        "integer": isinstance(value, int) and not isinstance(value, bool),
        "number": isinstance(value, int | float) and not isinstance(value, bool),
        "array": isinstance(value, list) and all(fits(one, schema.get("items", {})) for one in value),
        "object": isinstance(value, dict) and _fits_object(value, schema),
    }
    good = not kinds or any(checks[kind] for kind in kinds)
    return good and ("enum" not in schema or value in schema["enum"])


def _fits_object(value, schema):
    known = schema.get("properties", {})
    more = schema.get("additionalProperties", True)
    return set(schema.get("required", ())) <= value.keys() and all(
        fits(one, known[name]) if name in known else more is not False and (more is True or fits(one, more))
        for name, one in value.items()
    )


def references(part):
    """Yield every reference in a part of the description."""
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        for one in part.values():
            yield from references(one)
    elif isinstance(part, list):
        for one in part:
            yield from references(one)


def test_the_description_is_whole():
    """Every reference leads somewhere, and every route has its own name."""
    for reference in references(SCHEMA):
        assert reference.rpartition("/")[2] in SCHEMA["components"]["schemas"], reference
    names = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(set(names)) == len(names) == len(OPERATIONS) > 20
    assert SCHEMA["openapi"].startswith("3.1")
    assert SCHEMA["components"]["securitySchemes"]["token"]["scheme"] == "bearer"


@pytest.mark.parametrize(
    ("method", "path", "operation"), OPERATIONS, ids=lambda one: one if isinstance(one, str) else ""
)
def test_each_route_describes_itself(method, path, operation):
    """A route has a summary, a description, described parameters, and examples that fit their schemas."""
    assert operation["summary"]
    assert operation["description"].endswith(".")
    assert re.findall(r"{(\w+)}", path) == [
        one["name"] for one in operation.get("parameters", ()) if one["in"] == "path"
    ]
    for parameter in operation.get("parameters", ()):
        assert parameter["description"].endswith("."), parameter
    if body := operation.get("requestBody"):
        given_schema = body["content"]["application/json"]["schema"]
        shown = resolved(given_schema)["examples"]
        assert shown
        assert all(fits(one, given_schema) for one in shown)
    for status, answer in operation["responses"].items():
        assert answer["description"], status
        for media_type, content in answer.get("content", {}).items():
            assert (media_type == "application/problem+json") == (int(status) >= 400)
            assert fits(content["example"], content.get("schema", {})), (status, content)


def test_nothing_is_loaded_from_elsewhere(api):
    """There are no pages that load programs from other sites."""
    for path in ("/docs", "/redoc", "/v1/docs", "/openapi.json"):
        assert api.call("GET", path).status == 404


@st.composite
def values(draw, schema):
    """Draw something like what a schema wants; sometimes anything."""
    schema = resolved(schema)
    if draw(st.integers(0, 7)) == 0:
        return draw(WILD)
    if "enum" in schema:
        return draw(st.sampled_from(schema["enum"]))
    if "anyOf" in schema:
        return draw(values(draw(st.sampled_from(schema["anyOf"]))))
    kind = schema.get("type", "string")
    kind = kind if isinstance(kind, str) else draw(st.sampled_from(kind))
    if kind == "array":
        return draw(st.lists(values(schema.get("items", {})), max_size=3))
    if kind == "object":
        known = schema.get("properties", {})
        chosen = draw(st.sets(st.sampled_from(sorted(known)), max_size=4)) if known else set()
        chosen |= set(schema.get("required", ()))
        return {name: draw(values(known[name])) for name in sorted(chosen)}
    numbers = {"integer": st.integers(-5, 200), "number": st.floats(0, 1e6), "boolean": st.booleans()}
    return draw(numbers.get(kind, st.none() if kind == "null" else TEXTS))


@st.composite
def requests(draw):
    """Draw a request to a route, more or less as it is described."""
    method, path, operation = draw(st.sampled_from(OPERATIONS))
    path = re.sub(r"{\w+}", lambda _: quote(draw(TEXTS), safe=""), path)
    parameters = operation.get("parameters", ())
    query = [
        f"{quote(one['name'])}={quote(draw(TEXTS))}"
        for one in parameters
        if one["in"] == "query" and draw(st.booleans())
    ]
    headers = [
        (one["name"], draw(st.text(st.characters(max_codepoint=255), max_size=10)))
        for one in parameters
        if one["in"] == "header" and draw(st.booleans())
    ]
    body = None
    if "requestBody" in operation:
        body = json.dumps(draw(values(operation["requestBody"]["content"]["application/json"]["schema"])))
        body = body.encode()
        if draw(st.integers(0, 9)) == 0:
            cut = draw(st.integers(0, len(body)))
            body = body[:cut] + draw(st.binary(max_size=4)) + body[cut + draw(st.integers(0, 2)) :]
    return method, path, operation, "&".join(query), headers, body


@examples(600, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(requests())
def test_any_request_is_answered_as_described(request_):
    """Whatever is sent, the answer has a status that the route describes, in its form, and is no fault."""
    method, path, operation, query, headers, body = request_
    if path == "/v1/events":
        API.app.state.feed.close()
    answer = API.call(method, f"{unquote(path)}?{query}", body, headers=headers)
    if "/" in unquote(path.removeprefix("/v1/jobs/").removeprefix("/v1/clusters/")):
        assert answer.status in (404, 405, *map(int, operation["responses"]))
        return
    assert answer.status not in (500, 503), answer.content
    assert str(answer.status) in operation["responses"] or answer.status in (404, 405), answer.content
    if answer.status >= 400:
        assert answer.headers["content-type"] == "application/problem+json"
        described = operation["responses"].get(str(answer.status), {"content": {}})["content"]
        for content in described.values():
            assert fits(answer.content, content["schema"])
    elif isinstance(answer.content, dict | list):
        content = operation["responses"][str(answer.status)]["content"]["application/json"]
        assert fits(answer.content, content["schema"]), answer.content
