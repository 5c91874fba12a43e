"""Parses SQL texts with sqlglot and prints what it does not understand.

Input: JSON list of [dialect, text] on standard input. Output: JSON list with a list of faults for each text.
"""

import json
import logging
import sys

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError, TokenError

# A statement that sqlglot does not parse becomes a Command, with a warning; it is a fault here.
logging.disable(logging.WARNING)


def find_faults(dialect: str, text: str) -> list[str]:
    try:
        statements = sqlglot.parse(text, dialect=dialect, error_level=ErrorLevel.RAISE)
    except (ParseError, TokenError) as error:
        return [str(error)[:500]]
    commands = [one for one in statements if isinstance(one, exp.Command)]
    # Statements that run a procedure have no other form.
    return [f"not parsed: {one.sql()[:300]}" for one in commands if str(one.this).upper() not in ("EXEC", "EXECUTE")]


print(json.dumps([find_faults(dialect, text) for dialect, text in json.load(sys.stdin)]))
