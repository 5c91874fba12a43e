import { type Action, isSafe, isWrite } from "../../../../shared/actions/contract/action.ts";

import { addressesModel } from "../../../../shared/actions/describe/describe.ts";
import type { ProblemCode } from "../../../../shared/domain/problems.ts";
import { ACTIONS } from "../../../support/actions.ts";
import type { PayloadJson } from "../known-objects.ts";
import type { Expected, FuzzRequest } from "./exchange.ts";

/** Something done to a request that was in order. `change` gets the request, its action and what that is given. */
export interface Trick {
  readonly tries: string;
  readonly applies: (action: Action) => boolean;
  readonly change: (base: FuzzRequest, action: Action, payload: PayloadJson) => Partial<FuzzRequest>;
}

/** One trick for each of a list of values. */
export function tricks<T>(
  what: string,
  values: readonly T[],
  change: (value: T, base: FuzzRequest, action: Action, payload: PayloadJson) => Partial<FuzzRequest>,
  applies: (action: Action) => boolean = () => true,
): readonly Trick[] {
  return values.map((value) => ({
    tries: `${what} ${JSON.stringify(value).slice(0, 80)}`,
    applies,
    change: (base, action, payload) => change(value, base, action, payload),
  }));
}

/** A request with another header, in the place of any of that name. */
export function withHeader(
  base: FuzzRequest,
  name: string,
  ...values: readonly string[]
): Pick<FuzzRequest, "headers"> {
  const others = base.headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
  return { headers: [...others, ...values.map((value) => [name, value] as const)] };
}

const NOWHERE: Expected = ["unknown_path", "unknown_action"];

/** Spellings of a path that lead nowhere: `G` stands for the group and `N` for the name of the action. */
const PATHS = [
  ...["", "/", "//", "/api/", "/api//", "/api/G", "/api/G/", "/api/G/N/", "/api/G/N//", "/api//G/N", "//api/G/N"],
  ...["/api/G//N", "/api/G/N/x", "/api/actions/G/N/", "/api/actions/G/N/x", "/api/actions/actions/G/N", "/G/N", "/N"],
  ...["/api/../api/G/N", "/api/./G/N", "/api/G/../G/N", "/api/%2e/G/N", "/api/G/%2e%2e/G/N", "/api/..%2fapi/G/N"],
  ...["/api/G%2fN", "/api/G%2FN", "/api%2fG%2fN", "/api/G/%2fN", "/api/G/N%2f", "/api/G%252fN", "/api/..;/G/N"],
  ...["/api/G/N;x=y", "/api/G;x=y/N", "/api/G/N;", "/api/G/N,", "/api/G/N.", "/api/G/N.json", "/api/G/N*", "/api/G/*"],
  ...["/api/G/N%00", "/api/G/%00N", "/api/G/N%20", "/api/G/N%0a", "/api/G/N%0d%0aX: y", "/api/G/N%09", "/api/G/N "],
  ...["/api/G/N%", "/api/G/N%2", "/api/G/%zz", "/api/G/%ff", "/api/G/%c0%af", "/api/G/%ed%a0%80", "/api/G/%u0061"],
  ...[
    "/API/G/N",
    "/Api/G/N",
    "/api\\G\\N",
    "/api/G\\N",
    "/api/G/N\\",
    "/api/G/N#x",
    "/api/G/N&x=1",
    "/api/__proto__/N",
  ],
  ...["/api/G/__proto__", "/api/constructor/N", "/api/G/constructor", "/api/G/toString", "/api/G/hasOwnProperty", "*"],
  ...["/api/G/N\u200b", "/api/G/%e2%80%8bN", "/api/G/%ef%bd%81", "/api/v1/G/N", "/api/G/-N", "/api/G/0N", "/api/G/_N"],
  ...[
    "/health/G/N",
    "/api/health",
    "/actions/G/N",
    "/api/actions",
    "/api/G/N/../N",
    "http://x/api/G/N",
    "api/G/N",
    "?",
  ],
];

/** Paths that lead to nothing, and the action under another group or in capitals. */
export const PATH_TRICKS: readonly Trick[] = [
  ...tricks("the path", PATHS, (path, _, { group, name }) => ({
    target: path.replaceAll("G", group).replaceAll("N", name),
    expected: NOWHERE,
  })),
  ...tricks("a spelling", ["group", "name"], (part, _, { group, name }) => ({
    target: part === "group" ? `/api/${group.toUpperCase()}/${name}` : `/api/${group}/${name.toUpperCase()}`,
    expected: NOWHERE,
  })),
  ...tricks("a path of so many letters or parts", [1_000, 100_000], (size, _, { group, name }) => ({
    target: `/api/${group}/${name}${"/x".repeat(size)}`,
    expected: NOWHERE,
  })),
  ...tricks(
    "the group",
    ["model", "auth", "config", "batch", "tag", "database", "tags"],
    (other, _, { group, name }) => {
      const isNamed = (one: Action): boolean => one.name === name && [one.group, `${one.group}s`].includes(other);
      // Two actions of one name lie in different groups.
      const elsewhere = ACTIONS.some(isNamed) ? "any" : NOWHERE;
      return { target: `/api/${other}/${name}`, expected: other === group ? "accepted" : elsewhere };
    },
  ),
];

const METHODS = ["PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "PROPFIND", "get", "Post", "", "GET ", "__proto__", "X"];

/** Methods that no action answers to, and those that it does. */
export const METHOD_TRICKS: readonly Trick[] = [
  ...tricks("the method", METHODS, (method) => ({ method, expected: ["method_not_allowed"] })),
  ...tricks(
    "the method",
    ["HEAD"],
    (method) => ({ method, expected: ["method_not_allowed"] }),
    (action) => !isSafe(action),
  ),
  ...tricks("the method", ["HEAD"], (method) => ({ method, expected: "accepted" }), isSafe),
  ...tricks("the method", ["OPTIONS"], (method) => ({ method, expected: "accepted" })),
  ...tricks("a header in the place of the method", ["DELETE", "GET"], (method, base) => ({
    headers: [...base.headers, ["x-http-method-override", method], ["x-method-override", method]],
  })),
];

const WRONG_TYPES = [
  ...["", "text/plain", "text/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "*/*"],
  ...["application/json, text/plain", "application/json; charset=utf-16", "application/json; charset=utf-7"],
  ...["application/json; charset=iso-8859-1", "application/json; charset", "application/jsonp", "application/json5"],
  ...["application/vnd.api+json", "application/problem+json", "application/json; a=b", "json", "application", "/"],
  ...[
    "application/json;;",
    "application/ json",
    "application/xml",
    "application/octet-stream",
    "application/json\u0000",
  ],
  ...["__proto__", `application/json; charset="utf-8`, `text/plain; application/json`, "a".repeat(9_000)],
];

/** Media types and encodings of the body. */
export const MEDIA_TRICKS: readonly Trick[] = [
  ...tricks("the media type", WRONG_TYPES, (type, base) => ({
    ...withHeader(base, "content-type", type),
    expected: ["unsupported_media_type"],
  })),
  ...tricks("no media type", ["it"], (_, base) => ({
    ...withHeader(base, "content-type"),
    expected: ["unsupported_media_type"],
  })),
  ...tricks("two media types", ["application/json", "text/plain"], (second, base) => ({
    ...withHeader(base, "content-type", "application/json", second),
    expected: ["unsupported_media_type"],
  })),
  ...tricks(
    "the encoding",
    ["gzip", "br", "deflate", "gzip, identity", "x", "__proto__", "\u0000"],
    (coding, base) => ({
      ...withHeader(base, "content-encoding", coding),
      expected: ["unsupported_media_type"],
    }),
  ),
  ...tricks("the encoding", ["identity", "Identity", ""], (coding, base) =>
    withHeader(base, "content-encoding", coding),
  ),
  ...tricks(
    "accepting",
    ["text/html", "image/*", "application/json;q=0", "*/*;q=0", "text/*;q=1"],
    (accept, base) => ({
      ...withHeader(base, "accept", accept),
      expected: ["not_acceptable"],
    }),
    (action) => action.output.mediaType === "application/json",
  ),
  ...tricks(
    "accepting",
    [
      "",
      "*/*",
      "*",
      ",",
      ";q=1",
      "application/json;q=2",
      "application/json;q=x",
      "text/html, */*;q=0.001",
      "a".repeat(9_000),
    ],
    (accept, base) => ({ ...withHeader(base, "accept", accept), expected: "any" }),
  ),
  ...tricks("compression", ["gzip", "gzip;q=0", "*", "br", "x-gzip", "gzip;q=x", "identity;q=0"], (coding, base) =>
    withHeader(base, "accept-encoding", coding),
  ),
];

const HARMLESS: readonly (readonly [string, string])[] = [
  ["__proto__", "x"],
  ["constructor", "x"],
  ["toString", "x"],
  ["x-original-url", "/api/model/model_delete"],
  ["x-rewrite-url", "/api/model/model_delete"],
  ["x-forwarded-for", "127.0.0.1"],
  ["x-forwarded-host", "evil.example"],
  ["x-forwarded-proto", "javascript"],
  ["forwarded", "for=127.0.0.1;host=evil.example"],
  ["host", "evil.example"],
  ["host", ""],
  ["cookie", "token=x; __proto__=y"],
  ["referer", "javascript:alert(1)"],
  ["origin", "null"],
  ["origin", "https://evil.example"],
  ["origin", "https://ui.example.evil.example"],
  ["origin", "https://ui.example"],
  ["origin", "https://ui.example, https://evil.example"],
  ["range", "bytes=0-0"],
  ["range", "bytes=-1"],
  ["if-modified-since", "Thu, 01 Jan 1970 00:00:00 GMT"],
  ["if-unmodified-since", "Thu, 01 Jan 1970 00:00:00 GMT"],
  ["if-range", '"x"'],
  ["upgrade", "websocket"],
  ["te", "trailers"],
  ["trailer", "x"],
  ["max-forwards", "0"],
  ["accept-language", "xx-".repeat(2_000)],
  ["accept-charset", "utf-7"],
  ["user-agent", "() { :; }; echo"],
  ["x-long", "a".repeat(9_000)],
  ["x-control", "a\u0001b"],
  ["x-folded", "a\r\n b"],
  ["x-utf8", "ключ"],
  ["content-length", "-1"],
  ["content-length", "999999999999"],
  ["transfer-encoding", "chunked"],
  ["expect", "100-continue"],
  ["date", "never"],
];

const REQUEST_IDS = [
  "a",
  "A-1._z",
  "a".repeat(128),
  "a".repeat(129),
  "a b",
  "",
  "a\u0000",
  "é",
  "a\r\nx: y",
  "../..",
  "{}",
];

/** Headers that change nothing, whatever they say. */
export const HEADER_TRICKS: readonly Trick[] = [
  ...tricks("the header", HARMLESS, ([name, value], base) => ({ headers: [...base.headers, [name, value] as const] })),
  ...tricks("the request id", REQUEST_IDS, (id, base) => ({
    headers: [...base.headers, ["x-request-id", id] as const],
  })),
  ...tricks("two request ids", ["a"], (id, base) => withHeader(base, "x-request-id", id, id)),
  ...tricks("so many headers", [100, 2_000], (count, base) => ({
    headers: [...base.headers, ...Array.from({ length: count }, (_, i) => [`x-${i}`, "1"] as const)],
  })),
];

const ID = "01900000-0000-7000-8000-000000000000";
const BROKEN_PINS = [
  ...["*", "", '""', "x", '"x"', `${ID}-1`, `"${ID}"`, `"${ID}-"`, `"${ID}--1"`, `"${ID}-1.5.5"`, `"${ID}-x"`],
  ...[`W/"${ID}-1"`, `"${ID}-9999999999999999"`, `"${ID}-1" "${ID}-1"`, `"${ID}-1", "${ID}-1"`, "\u0000"],
  ...[`"${ID}-1`, `'${ID}-1'`, `"${ID}-1"x`, "__proto__", "a".repeat(9_000)],
];
const BROKEN_FLAGS = ["TRUE", "True", "1", "0", "yes", "", "true, true", "null", "true;", "\u0000", "a".repeat(9_000)];
const BROKEN_KEYS = ["", " ", "a b", "a".repeat(256), "é", "a\u0000", "a\tb", "\u007f"];

/** The problem codes that a pin of a model that the action does not concern may end in. */
function pinned(action: Action): readonly ProblemCode[] {
  if (isWrite(action) && addressesModel(action)) return ["precondition_failed", "not_found"];
  // Which models a batch concerns is known once its entries have run, and one of them may be refused.
  return action.manyModels ? ["bad_precondition", ...action.errors] : ["bad_precondition"];
}

/** Controls that are no controls, and such that cannot apply. */
export const CONTROL_TRICKS: readonly Trick[] = [
  ...tricks("If-Match", BROKEN_PINS, (pin, base) => ({
    ...withHeader(base, "if-match", pin),
    expected: ["bad_precondition"],
  })),
  ...tricks("If-Match of another model", [1, 0, 999_999_999_999_999], (revision, base, action) => ({
    ...withHeader(base, "if-match", `"${ID}-${revision}"`),
    expected: pinned(action),
  })),
  // Lists of RFC 9110 may have empty elements.
  ...tricks("If-Match of another model, in a list that ends in a comma", [1], (revision, base, action) => ({
    ...withHeader(base, "if-match", `, "${ID}-${revision}",`),
    expected: pinned(action),
  })),
  ...tricks("If-None-Match", ["x", '"', "W/x", '"a" "b"', "'a'"], (tag, base) => ({
    ...withHeader(base, "if-none-match", tag),
    expected: ["bad_precondition"],
  })),
  ...tricks(
    "If-None-Match",
    ["*", '"x"', 'W/"x"', `"${ID}-1"`, '"a", "b"', ',"a",, W/"b,c",'],
    (tag, base, action) => ({
      ...withHeader(base, "if-none-match", tag),
      expected: !isWrite(action) && addressesModel(action) ? "accepted" : ["bad_precondition"],
    }),
  ),
  ...tricks("Dry-Run", BROKEN_FLAGS, (flag, base) => ({
    ...withHeader(base, "dry-run", flag),
    expected: ["bad_request"],
  })),
  ...tricks("Dry-Run", ["true", " true "], (flag, base, action) => ({
    ...withHeader(base, "dry-run", flag),
    expected: isWrite(action) ? "accepted" : ["bad_precondition"],
  })),
  ...tricks("Idempotency-Key", BROKEN_KEYS, (key, base) => ({
    ...withHeader(base, "idempotency-key", key),
    expected: ["bad_request"],
  })),
  ...tricks("Idempotency-Key", ["a", "a".repeat(255), "a,b", "__proto__", "{}"], (key, base, action) => ({
    ...withHeader(base, "idempotency-key", key),
    expected: isWrite(action) ? "any" : ["bad_precondition"],
  })),
  ...tricks("Idempotency-Key with", ["dry-run"], (other, base) => ({
    headers: [...base.headers, ["idempotency-key", "a"], [other, "true"]],
    expected: ["bad_precondition"],
  })),
];
