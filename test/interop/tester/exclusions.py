"""What schemathesis finds and is no fault, each with its reason.

A rule that JSON Schema has no words for has to stand in the text of the operation, or of the service: an exclusion
counts only where the text is found there.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from document import DOCUMENT, is_valid_header, is_valid_input, texts_of
from schemathesis import Case, Response

# Statuses of well-formed requests that meet a state in which they cannot be done: used bootstrap, other revision,
# impossible content.
STATES = (410, 412, 422)


class Rule(NamedTuple):
    """A rule of parameters in words: why no schema has it, the refusal it ends in, and the words that describe it."""

    reason: str
    refusal: str
    words: str


RULES = (
    Rule("a cursor is what another answer gave out", r"no cursor|not a cursor|cursor of this list|start again without a cursor", r"of the `Link` header of the previous page"),
    Rule("two parameters exclude each other", r"[Gg]ive (either|the version|only one)|together", r"[Ee]ither|not both|[Nn]ot together"),
    Rule("what is inline has no past", r"has no versions and revisions", r"with content neither"),
    Rule("only what is inline has a format", r"a model has none", r"The format of this content"),
    Rule("no schema of any value leaves out names of members", r"has a member __proto__", r"A body must not contain a member `__proto__`"),
    Rule("two headers exclude each other", r"Idempotency-Key cannot apply", r"Not allowed with `Dry-Run`"),
    Rule("patterns of all languages know no classes of letters", r"may contain only letters", r"letters, spaces and - ' \. ,"),
    Rule("patterns of all languages know no classes of letters", r"must not contain white space|without white space", r"without white space"),
    Rule("a username has an end, and a ref to it more forms", r"is not a valid username", r"Names a user of the built-in provider"),
    Rule("the strength of a password is no pattern", r"must have at least|white space only|common password|holds the name", r"Common and published passwords are refused"),
    Rule("not every date is in the calendar", r"is not a valid point in time", r"A point in time in ISO 8601"),
    Rule("a query holds lists and objects as JSON text", r"expected (a list|an object)", r"As JSON text"),
    Rule("only the service knows what new actors get", r"new actors get cannot have", r"role that new actors get"),
    Rule("a rule between two members", r"a model scope must have|a global scope must not have an id", r"Id of the model, or its ref by id; only with `model`"),
    Rule("a rule between two parameters", r"is also the key of", r"different from the key of role A"),
    Rule("a rule between two parameters", r"allowed only with modelKey|requires create|with create", r"only with `modelKey`"),
    Rule("a rule between two parameters", r"keeps its key; omit modelKey|name comes from the source|allowed only with into|missing label", r"[Nn]ot together with `into`|[Oo]nly with `into`|required for content that is merged"),
    Rule("no schema of any value says which characters its texts may have", r"contains the control character", r"[Tt]exts without NUL|[Tt]exts are without NUL"),
    Rule("two keywords may contradict each other", r"is greater than the maximum|must be (greater than|at least) |is not one of the values of enum", r"is not above the maximum|no two that contradict each other"),
    Rule("a schema of schemas would be a union", r"must be one of string, number", r"A type is one of string"),
    Rule("a schema of schemas would refer to itself", r"is not a supported keyword; a schema may have|is nested deeper than|expected a (string|number|schema), got|must be a list with", r"A JSON Schema \(2020-12\) with the keywords"),
    Rule("only the service knows what is defined", r"only defined for|see property/definition_get", r"must match the definition"),
    Rule("members of a free object have no pattern", r"is not a valid key; use 1 to", r"names of properties"),
    Rule("no pattern tells which texts are patterns", r"is not a supported pattern", r"A pattern has no lookaround"),
    Rule("clients would have a class of their own for a union", r"expected a JSON object or a text", r"a JSON object, or the text of a file"),
    Rule("only the service knows who is disabled", r"is disabled; enable it", r"must not be disabled"),
    Rule("only the service knows who calls", r"your own account", r"the caller's own account"),
    Rule("only the service knows what a batch touches", r"is of a model that no entry concerns", r"Run only if each of these"),
)


def faults_of(response: Response) -> list[str]:
    """What a problem document names as wrong, one sentence each."""
    problem = response.json()
    return [fault["detail"] for fault in problem.get("errors", [])] or [problem["detail"]]


def rules_of(case: Case, response: Response) -> set[str] | None:
    """The reasons of the rules behind a refusal; none where a fault in it has no rule that stands in the text."""
    said = texts_of(case.path, case.method.lower())
    reasons = set()
    for fault in faults_of(response):
        rules = [rule for rule in RULES if re.search(rule.refusal, fault) and re.search(rule.words, said)]
        if not rules:
            return None
        reasons.add(rules[0].reason)
    return reasons


def is_state(failure: Exception, case: Case, response: Response) -> bool:
    """What is asked for cannot be done in the state that it meets, and the operation says in which status that ends."""
    if type(failure).__name__ != "RejectedPositiveData" or response.status_code not in STATES:
        return False
    return str(response.status_code) in case.operation.definition.raw["responses"]


def is_no_valid_case(failure: Exception, case: Case, _response: Response) -> bool:
    """The coverage phase says `0` in the place of a header whose pattern it cannot fill, and takes it for valid."""
    if type(failure).__name__ != "RejectedPositiveData":
        return False
    return any(not is_valid_header(case.operation.definition.raw, *header) for header in (case.headers or {}).items())


def is_absent_value(failure: Exception, case: Case, _response: Response) -> bool:
    """A parameter that is null or empty text is one that is left out. Schemas do not say so, since every optional member of every generated class would be a union with null."""
    if type(failure).__name__ != "AcceptedNegativeData":
        return False
    operation = case.operation.definition.raw
    if isinstance(case.body, dict):
        given = {name: value for name, value in case.body.items() if value is not None and value != ""}
        return given != case.body and is_valid_input(operation, given)
    data = case.meta.phase.data
    # An object or list without members is an empty text in a query.
    return (case.query or {}).get(data.parameter) in ("", None, "null", {}, [])


def is_get_of_a_write(failure: Exception, _case: Case, response: Response) -> bool:
    """Clients made of the document should read by GET and write by POST, though the service takes both for either."""
    if type(failure).__name__ == "AllowHeaderMismatch":
        return failure.undocumented_methods == ["GET"] and not failure.missing_methods
    return type(failure).__name__ == "UnsupportedMethodResponse" and response.request.method == "GET"


class Exclusion(NamedTuple):
    """Findings of every operation that are no fault: why, which, and the words of the description of the service."""

    reason: str
    excludes: Callable[[Exception, Case, Response], bool]
    words: str = ""


EXCLUSIONS = (
    Exclusion("what is asked for meets a state in which it cannot be done: 410, 412, 422", is_state),
    Exclusion("the case is not valid: a header against its pattern", is_no_valid_case),
    Exclusion(
        "null and empty text stand for a parameter that is left out",
        is_absent_value,
        "A parameter that is `null` or an empty text counts as absent",
    ),
    Exclusion(
        "GET does what POST does, and is described for reads only",
        is_get_of_a_write,
        "the document describes GET only for actions that change nothing",
    ),
)


def reasons_of(failure: Exception, case: Case, response: Response) -> set[str]:
    """Why a failure is no fault; empty where it is one."""
    for exclusion in EXCLUSIONS:
        if exclusion.words in DOCUMENT["info"]["description"] and exclusion.excludes(failure, case, response):
            return {exclusion.reason}
    if type(failure).__name__ != "RejectedPositiveData" or response.status_code != 400:
        return set()
    return rules_of(case, response) or set()
