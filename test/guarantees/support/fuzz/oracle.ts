import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { isWrite } from "../../../../shared/actions/contract/action.ts";
import { listErrors } from "../../../../shared/actions/describe/describe.ts";
import { PROBLEMS, type ProblemCode } from "../../../../shared/domain/problems.ts";
import { OPTIONS } from "../../../http/support/transports.ts";
import type { FuzzRequest, FuzzResponse } from "./exchange.ts";

const REFUSALS: ReadonlySet<string> = new Set<ProblemCode>([
  ...(["bad_request", "bad_parameters", "bad_precondition", "not_allowed", "unknown_path", "unknown_action"] as const),
  ...(["method_not_allowed", "not_acceptable", "unsupported_media_type", "too_large", "query_too_long"] as const),
  ...(["source_not_recognised", "invalid_content"] as const),
]);

/** The refusal of a value whose property another input gave a definition. */
const OTHERWISE_DEFINED = /; see property\/definition_get for the definition of .*, or use another name/s;

const BEFORE_ACTIONS: ReadonlySet<ProblemCode> = new Set(["unknown_path", "unknown_action", "method_not_allowed"]);

const ANY = z.optional(z.unknown());

/** The members that any problem document has, whatever its code. */
const DOCUMENT = z.strictObject({
  ...{ type: z.string(), title: z.string(), status: z.number(), detail: z.string().check(z.regex(/\S/)) },
  ...{ instance: z.string(), code: z.enum(Object.keys(PROBLEMS) as ProblemCode[]) },
  ...{ requestId: z.string(), retryable: z.boolean() },
  errors: z.optional(
    z
      .array(z.strictObject({ pointer: z.string().check(z.regex(/^(\/([^~/]|~[01])*)*$/)), detail: z.string() }))
      .check(z.minLength(1)),
  ),
  ...{ currentRevision: ANY, changesSince: ANY, entry: ANY, plan: ANY },
  ...{ conflicts: ANY, conflictCount: ANY, retryAfter: ANY },
});

const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Texts that must not be seen outside: stacks, places in the code, words of the engine and of the runtime. */
export const INTERNALS =
  /arn:aws|node_modules|HPE_|dynoxide|SQLITE_|sqlite_|\n\s+at |at (?:async )?[\w.<>]+ \((?:file|node|\/)|\.ts:\d+|ConditionalCheck|ValidationException|SerializationException|ResourceNotFound|TransactionCancel|TypeError|RangeError|SyntaxError|ZodError|Unexpected (?:token|end)|in JSON at position|ECONN|AccessKey/;

const HERE = new URL("../../../../", import.meta.url).href;

/** Everything that is wrong with an answer; empty when it is one that the contract allows for the input. */
export function faultsOf(request: FuzzRequest, response: FuzzResponse, table: string): readonly string[] {
  const { status, text, ms } = response;
  const faults: string[] = [];
  if (status >= 500) faults.push(`status ${status}`);
  if (ms > 5_000) faults.push(`took ${Math.round(ms)} ms`);
  if ([table, HERE].some((one) => text.includes(one)) || INTERNALS.test(text))
    faults.push(`tells internals: ${INTERNALS.exec(text)?.[0] ?? "a name of its own"}`);
  if (Object.hasOwn(Object.prototype, "polluted") || "polluted" in {}) faults.push("polluted Object.prototype");
  faults.push(...headerFaults(request, response));
  if (status >= 400) faults.push(...(request.method === "HEAD" ? [] : problemFaults(request, response)));
  else faults.push(...successFaults(request, response));
  return faults;
}

function headerFaults(request: FuzzRequest, { headers }: FuzzResponse): readonly string[] {
  const faults: string[] = [];
  const given = request.headers.filter(([name]) => name.toLowerCase() === "x-request-id").map(([, value]) => value);
  const id = headers["x-request-id"] ?? "";
  if (!REQUEST_ID.test(id) || given.includes(id)) faults.push(`X-Request-Id ${id}`);
  const origin = headers["access-control-allow-origin"];
  const isPublic = origin === "*" && pathOf(request.target) === "/api";
  if (origin !== undefined && !isPublic && !OPTIONS.corsOrigins.includes(origin)) faults.push(`lets ${origin} in`);
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[a-z0-9-]+$/.test(name) || !/^[\t -~]*$/.test(value)) faults.push(`header ${JSON.stringify([name, value])}`);
  }
  return faults;
}

function problemFaults(request: FuzzRequest, response: FuzzResponse): readonly string[] {
  const { status, headers, text } = response;
  const faults = [...documentFaults(response)];
  const { code, detail, instance } = parsed(text) ?? {};
  if (instance !== pathOf(request.target)) faults.push(`instance ${String(instance)}`);
  if (status === 401 && !headers["www-authenticate"]) faults.push("401 without WWW-Authenticate");
  if (status === 405 && !headers.allow) faults.push("405 without Allow");
  if ([429, 503, 504].includes(status) && !headers["retry-after"]) faults.push(`${status} without Retry-After`);
  return [...faults, ...unexpected(request, code, String(detail))];
}

/** Everything that is wrong with a response as a problem document, whatever the request was. */
export function documentFaults({ status, headers, text }: FuzzResponse): readonly string[] {
  const { success, data, error } = z.safeParse(DOCUMENT, parsed(text));
  if (!success) return [`no problem document: ${error.message}: ${text.slice(0, 200)}`];
  const { title, retryable, status: wanted } = PROBLEMS[data.code];
  const expected = { type: `urn:metaction:problem:${data.code}`, status: wanted, title, retryable };
  const faults: string[] = [];
  if (!isDeepStrictEqual({ ...data, ...expected }, data) || status !== wanted) faults.push(`${text} with ${status}`);
  if (headers["content-type"] !== "application/problem+json") faults.push(`content type ${headers["content-type"]}`);
  if (data.requestId !== headers["x-request-id"]) faults.push("requestId is not that of the header");
  return text.isWellFormed() ? faults : [...faults, "ill-formed text"];
}

function unexpected({ expected, action }: FuzzRequest, code: ProblemCode, detail: string): readonly string[] {
  const faults: string[] = [];
  const said = `${code} (${detail.slice(0, 300)})`;
  if (expected === "accepted" && REFUSALS.has(code) && !OTHERWISE_DEFINED.test(detail))
    faults.push(`a valid input ended in ${said}`);
  if (Array.isArray(expected) && !expected.includes(code)) faults.push(`ended in ${said}`);
  if (action && !BEFORE_ACTIONS.has(code) && !listErrors(action).includes(code))
    faults.push(`does not declare ${said}`);
  return faults;
}

function successFaults(request: FuzzRequest, { status, headers, text }: FuzzResponse): readonly string[] {
  const { expected, action, method } = request;
  const faults: string[] = [];
  if (Array.isArray(expected)) faults.push(`ended in ${status} instead of ${expected.join(" or ")}`);
  if (!action || method === "OPTIONS") return faults;
  if (status === 304) return faults;
  if (status !== 200) return [...faults, `status ${status}`];
  const { mediaType, schema } = action.output;
  if (headers["content-type"]?.split(";")[0] !== mediaType) faults.push(`content type ${headers["content-type"]}`);
  if (method === "HEAD" && text !== "") faults.push("a body after HEAD");
  if (mediaType !== "application/json" || method === "HEAD") return faults;
  const body: unknown = parsed(text);
  const checked = z.safeParse(schema(), body);
  if (!checked.success) faults.push(`body is not what it declares: ${checked.error.issues[0]?.message}`);
  const written = isWrite(action) && !parsed(text)?.dryRun;
  if (written && !action.manyModels && headers.etag === undefined) faults.push("a write without an ETag");
  return faults;
}

export function pathOf(target: string): string {
  return target.split("?", 1)[0] ?? "";
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
export function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
