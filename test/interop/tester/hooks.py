"""Hooks of schemathesis: the world of the examples, and the failures that are none."""

import atexit
from collections import Counter

import schemathesis
from example_world import headers, ids, restore_after, restore_model, restore_people, restore_session
from exclusions import reasons_of

restore_session()
restore_model()
restore_people()
excluded: Counter[str] = Counter()


@atexit.register
def tell_excluded() -> None:
    """Prints how many failures each reason excluded; one failure may have several."""
    print("\nExcluded:")
    for reason, count in excluded.most_common():
        print(f"{count:6} {reason}")


@schemathesis.auth(refresh_interval=None)
class Session:
    """Gives each call the access token of the present session."""

    def get(self, case, context):
        return headers["Authorization"]

    def set(self, case, data, context):
        case.headers["Authorization"] = data


def known(value: object) -> object:
    """A value with the ids that the service gave out in the place of those of the examples."""
    if isinstance(value, str):
        for written, given in ids.items():
            value = value.replace(written, given)
        return value
    if isinstance(value, dict):
        return {name: known(member) for name, member in value.items()}
    return [known(member) for member in value] if isinstance(value, list) else value


def examples_of(operation: dict) -> dict:
    """The example of each parameter of an operation."""
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example", {})
    query = {p["name"]: p["example"] for p in operation.get("parameters", []) if "example" in p}
    return {**query, **body}


def is_ref(name: str) -> bool:
    return name.endswith(("Ref", "Id")) or name in ("username", "type")


@schemathesis.hook
def map_case(context, case):
    """Lets half of the valid cases address what is there."""
    operation = context.operation.definition.raw
    examples = examples_of(operation)
    if case.meta is None or case.meta.generation.mode.is_negative:
        return case
    if "If-Match" in (case.headers or {}) and len(repr(case.headers)) % 4 > 0:
        # Few revisions are the newest, and then nothing of the call itself would be looked at.
        del case.headers["If-Match"]
    for part in (case.query, case.body):
        if not isinstance(part, dict):
            continue
        refs = [name for name in part if is_ref(name) and name in examples]
        if len(repr(part)) % 4 > 0:
            part.update({name: examples[name] for name in refs})
        part.update({name: known(value) for name, value in part.items()})
    return case


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code == 200 and (case.headers or {}).get("Dry-Run") != "true":
        restore_after(case.operation.definition.raw)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    reasons = reasons_of(failure, case, response)
    excluded.update(reasons)
    return not reasons
