# SPDX-License-Identifier: Apache-2.0
"""The types of REST's Swagger document hold for its golden answers, field by field."""

import copy
import json
from pathlib import Path

import pytest

jsonschema = pytest.importorskip("jsonschema")

CONTROLLER = Path(__file__).parents[2] / "app/controller/src"
GOLDEN = CONTROLLER / "test/resources/golden"
DOCUMENT = json.loads((CONTROLLER / "main/resources/apidoc/swagger.json").read_text(encoding="utf-8"))
ANSWERS = {"connection": "connection", "connections": "connections", "events": "events", "limits": "limits", "links": "links",
           "topology": "topology", "counters": "counters", "settings": "settings", "overlay": "overlay", "whatif": "whatif",
           "bound": "bound", "background-plan": "moves", "agents": "agents", "error": "error"}


def strict(schema):
    """Swagger's schema as one of JSON Schema that takes no further fields: what may be null says so in Swagger's own way."""
    if isinstance(schema, list):
        return [strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {name: strict(value) for name, value in schema.items()}
    if "properties" in schema:
        schema["additionalProperties"] = False
    return {"anyOf": [{"type": "null"}, schema]} if schema.pop("x-nullable", False) else schema


DEFINITIONS = strict(DOCUMENT["definitions"])


def problems(name, value):
    check = jsonschema.Draft4Validator({"$ref": f"#/definitions/{name}", "definitions": DEFINITIONS})
    return [f"{'/'.join(map(str, one.absolute_path))}: {one.message}" for one in check.iter_errors(value)]


@pytest.mark.parametrize("golden", ANSWERS)
def test_answers_have_the_types_of_the_document(golden):
    assert problems(ANSWERS[golden], json.loads((GOLDEN / f"{golden}.json").read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("field, wrong", [("expectedUpMbps", None), ("state", "asleep"), ("version", 1.5), ("clientToken", 7),
                                          ("subflows", [{}]), ("more", 1)])
def test_another_type_would_be_found(field, wrong):
    answer = json.loads((GOLDEN / "connection.json").read_text(encoding="utf-8"))
    changed = copy.deepcopy(answer) | {field: wrong}
    assert problems("connection", changed)


def test_words_are_those_of_the_controller():
    words = json.loads((GOLDEN / "words.json").read_text(encoding="utf-8"))
    for definition, field, kind in (("connection", "state", "ConnectionState"), ("subflow", "state", "SubflowState"),
                                    ("event", "type", "LifeEventType")):
        assert DOCUMENT["definitions"][definition]["properties"][field]["enum"] == words[kind]


def test_every_operation_has_a_name_of_its_own_and_the_type_of_its_answer():
    operations = [(path, verb, one) for path, verbs in DOCUMENT["paths"].items() for verb, one in verbs.items()]
    names = [one["operationId"] for *_, one in operations]
    assert len(names) == len(set(names))
    untyped = {f"{verb} {path}" for path, verb, one in operations if "schema" not in one["responses"].get("200", {"schema": 1})}
    # Text, events, and the answers to agents, which docs/agent.md describes.
    assert untyped == {"get /metrics", "get /stream", "post /agents/report/{host}"}
