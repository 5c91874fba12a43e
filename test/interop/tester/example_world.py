"""Keeps what the examples of the description address: without it every call would end in 404."""

import json
import os
import time
from pathlib import Path

import requests

URL = os.environ["METACTION_URL"]
ADMINISTRATOR = json.loads(os.environ["METACTION_ADMINISTRATOR"])
MODEL = json.loads(Path(__file__).with_name("crm.json").read_text(encoding="utf-8"))
PEOPLE = {"grace": "Grace Hopper", "retired": "Retired"}

# The ids of the examples, and those that the service gave out for the same objects.
ids: dict[str, str] = {}
headers: dict[str, str] = {}


def send(action: str, payload: dict) -> requests.Response:
    return requests.post(f"{URL}/api/{action}", json=payload, headers=headers, timeout=30)


def call(action: str, *also: int, **payload: object) -> dict:
    """The answer of an action; an error where it ends neither well nor in one of the statuses given."""
    answer = send(action, payload)
    # The random sign-ins of the run have wrong passwords, which limits those from its address.
    while answer.status_code == 429:
        time.sleep(int(answer.headers["Retry-After"]))
        answer = send(action, payload)
    if answer.status_code not in (200, *also):
        raise RuntimeError(f"{action}: {answer.text}")
    return answer.json()


def restore_session() -> None:
    """Signs in again, so that a call of `auth/logout` does not end the run."""
    headers["Authorization"] = f"Bearer {call('auth/login', **ADMINISTRATOR)['access_token']}"


def restore_model() -> None:
    """Makes the model of the examples anew, and the tags that mark it."""
    call("model/model_delete", 404, modelRef="key:crm")
    restore_tags()
    call("model/import", content=MODEL)


def restore_tags() -> None:
    call("tag/tag_group_create", 409, key="privacy")
    call("tag/tag_global_create", 409, groupRef="key:privacy", key="personal")


def restore_people() -> None:
    """Makes anew whoever and whatever role of the examples is gone or has another name."""
    call("auth/role_create", 409, key="auditor", name="Auditor")
    call("auth/role_add_permission", roleRef="key:auditor", permissionKey="model_read")
    for username, fullname in PEOPLE.items():
        password = "Moth in the relay 1947"
        call("auth/user_create", 409, username=username, fullname=fullname, password=password, admin=False)
        call("auth/user_change_fullname", username=username, fullname=fullname)
    call("auth/user_disable", username="retired")
    actors = {row["subject"]: row["id"] for row in call("auth/actor_list")["items"]}
    tokens = call("auth/token_list")["items"]
    token = tokens[0]["id"] if tokens else call("auth/token_create", name="Nightly export")["id"]
    # An actor may have a few dozen only.
    for one in tokens[1:]:
        call("auth/token_revoke", tokenId=one["id"])
    ids.update(
        {
            "0198c0de-0000-7000-8000-0000000000a1": actors["grace"],
            "0198c0de-0000-7000-8000-0000000000b1": actors["retired"],
            "0198c0de-0000-7000-8000-0000000000c1": token,
        }
    )


RESTORE = {"model": restore_model, "batch": restore_model, "tag": restore_model, "auth": restore_people}


def restore_after(operation: dict) -> None:
    """Makes anew what the examples may have lost by an operation that did its work."""
    name = operation["operationId"]
    if name == "logout":
        restore_session()
    if operation["x-intent"] == "delete" or name.endswith(("UpdateKey", "Restore", "Disable", "Revoke", "Run", "tokenCreate")):
        RESTORE[operation["tags"][0]]()
