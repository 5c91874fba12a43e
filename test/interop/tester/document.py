"""The description under test, and what it says of an operation."""

import functools
import json
import os
from pathlib import Path

import jsonschema_rs

DOCUMENT = json.loads(Path(os.environ["METACTION_DOCUMENT"]).read_text(encoding="utf-8"))


def resolved(node: dict) -> dict:
    """A node, or what it refers to with what stands beside the reference, such as the words about the place."""
    while "$ref" in node:
        target = DOCUMENT
        for step in node["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        node = {**target, **{name: value for name, value in node.items() if name != "$ref"}}
    return node


def input_schema(operation: dict) -> dict | None:
    """The schema of the body of an operation."""
    body = operation.get("requestBody")
    return resolved(body["content"]["application/json"]["schema"]) if body else None


def spelled_out(node: object) -> object:
    """A node with what it refers to in the place of the references, at every depth."""
    if isinstance(node, list):
        return [spelled_out(one) for one in node]
    return {name: spelled_out(value) for name, value in resolved(node).items()} if isinstance(node, dict) else node


@functools.cache
def texts_of(path: str, method: str) -> str:
    """Everything an operation says in words: of itself, of its headers and of its parameters."""
    operation = DOCUMENT["paths"][path][method]
    said = [DOCUMENT["info"]["description"], operation["description"]]
    said += [resolved(parameter)["description"] for parameter in operation["parameters"]]
    said.append(json.dumps(spelled_out(input_schema(operation)), ensure_ascii=False))
    return "\n".join(said)


def is_valid_input(operation: dict, body: object) -> bool:
    """Tests a body against the schema of an operation."""
    schema = {**(input_schema(operation) or {}), "components": DOCUMENT["components"]}
    return jsonschema_rs.Draft202012Validator(schema).is_valid(body)


def is_valid_header(operation: dict, name: str, value: object) -> bool:
    """Tests a header against the schema of an operation; one that is not described is valid."""
    parameters = [resolved(parameter) for parameter in operation["parameters"]]
    schemas = [p["schema"] for p in parameters if p["in"] == "header" and p["name"] == name]
    return all(jsonschema_rs.Draft202012Validator(schema).is_valid(value) for schema in schemas)
