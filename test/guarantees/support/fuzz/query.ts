import type { Action } from "../../../../shared/actions/contract/action.ts";
import { getAllParams } from "../../../../shared/actions/contract/action-parameters.ts";

import { LIMITS } from "../../../../shared/domain/limits.ts";
import type { PayloadJson } from "../known-objects.ts";
import type { Expected, FuzzRequest } from "./exchange.ts";
import { NAUGHTY } from "./strings.ts";
import { type Trick, tricks } from "./tricks.ts";
import { accepts, isNothing } from "./values.ts";

const BAD: Expected = ["bad_parameters"];

/** Parts of a query that cannot be read. */
const UNREADABLE = [
  ...["%", "a=%", "a=%2", "a=%zz", "a=%ff", "a=%c0%af", "a=%ed%a0%80", "a=%f4%90%80%80", "a=%u0041", "%ff=a"],
  ...["a=é", "a= ", "a=\u0000", "a=\u007f", "a=\t", "é=1", "a=%e2%82", "a=%80"],
];

/** Parts of a query that can be read and name no parameter. */
const UNKNOWN = [
  ...["x=1", "x", "=1", "=", "__proto__=1", "constructor[prototype][polluted]=1", "__proto__[polluted]=1", "a[]=1"],
  ...["a.b=1", "toString=1", "hasOwnProperty", "%00=1", "%5f%5fproto%5f%5f=1", "a;b=1", "%2525=1", "?x=1", "x=1#y"],
  "x=1&".repeat(1_900),
];

/** Everything that can be wrong with a query string while the body is in order. */
export const QUERY_TRICKS: readonly Trick[] = [
  ...tricks("the query", UNREADABLE, (query, base) => ({ ...asking(base, query), expected: ["bad_request"] })),
  ...tricks("the query", UNKNOWN, (query, base) => ({ ...asking(base, query), expected: BAD })),
  ...tricks("the query", ["", "&", "&&&"], (query, base) => asking(base, query)),
  ...tricks("a query of so many bytes", [LIMITS.queryBytes, LIMITS.queryBytes + 1, 100_000], (bytes, base) => ({
    ...asking(base, `x=${"a".repeat(bytes - 2)}`),
    expected: bytes > LIMITS.queryBytes ? ["query_too_long"] : BAD,
  })),
  ...tricks(
    "in query and body",
    ["the same", "another"],
    (which, base, _, payload) => {
      const name = firstOf(payload);
      return { ...asking(base, pair(name, which === "the same" ? payload[name] : "x")), expected: BAD };
    },
    hasRequired,
  ),
  ...tricks(
    "twice in the query",
    ["the same", "an old name", "nothing"],
    (which, base, action, payload) => {
      const name = open(action, payload)[0] ?? "x";
      const old = getAllParams(action)[name]?.aliases[0] ?? name;
      const first = pair(name, payload[name]);
      const second = which === "nothing" ? `${name}=` : pair(which === "the same" ? name : old, payload[name]);
      return { ...asking(without(base), `${first}&${second}`), expected: BAD };
    },
    (action) => hasRequired(action) && Object.values(getAllParams(action)).some((p) => p.required && !p.type.secret),
  ),
  ...tricks(
    "a secret in the query",
    ["it"],
    (_, base, action, payload) => {
      const secret = Object.keys(payload).find((name) => getAllParams(action)[name]?.type.secret) ?? "password";
      return { ...asking(without(base), pair(secret, payload[secret])), expected: BAD };
    },
    (action) => Object.values(getAllParams(action)).some((p) => p.type.secret),
  ),
  ...tricks(
    "a value in the query",
    [
      "TRUE",
      "1",
      "0",
      "yes",
      "on",
      "1e2",
      "0x10",
      " 5",
      "+5",
      "5 ",
      "1.0",
      "-0",
      "NaN",
      "9".repeat(400),
      "[",
      "{}",
      "[]",
      "a,b",
      '["key:x"',
      "null",
      ...NAUGHTY,
    ],
    (text, base, action, payload) => {
      const name =
        Object.keys(getAllParams(action)).find((n) => getAllParams(action)[n]?.type.json !== "string") ??
        firstOf(payload);
      const { [name]: _, ...rest } = payload;
      return { ...asking(base, pair(name, text), JSON.stringify(rest)), expected: judged(action, name, text) };
    },
    (action) => Object.keys(getAllParams(action)).length > 0,
  ),
];

/** The outcome that is expected of a value that comes as the text of a query string. */
function judged(action: Action, name: string, text: string): Expected {
  const param = getAllParams(action)[name];
  if (!param || param.type.secret) return BAD;
  const { json } = param.type;
  let value: unknown = text;
  if (json === "boolean") value = text === "true" || (text === "false" ? false : text);
  else if (json === "number") value = /^-?[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : text;
  else if (json !== "string") value = jsonOr(text);
  return isNothing(param.type, value) || accepts(param.type, value) ? "any" : BAD;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function asking(base: FuzzRequest, query: string, body = base.body): Partial<FuzzRequest> {
  return { target: `${base.target}?${query}`, ...(body !== undefined && { body }) };
}

function without(base: FuzzRequest): FuzzRequest {
  return { ...base, body: "" };
}

function pair(name: string, value: unknown): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(typeof value === "string" ? value : (JSON.stringify(value) ?? ""))}`;
}

function firstOf(payload: PayloadJson): string {
  return Object.keys(payload)[0] ?? "x";
}

function open(action: Action, payload: PayloadJson): readonly string[] {
  return Object.keys(payload).filter((name) => !getAllParams(action)[name]?.type.secret);
}

function hasRequired(action: Action): boolean {
  return Object.values(getAllParams(action)).some((param) => param.required);
}
