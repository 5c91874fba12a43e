import * as z from "zod/mini";
import type { Output } from "../../../shared/actions/contract/action.ts";
import type { Call } from "../../../shared/actions/contract/call.ts";
import { defineAction } from "../../../shared/actions/contract/define-action.ts";
import { allowParam, requireParam } from "../../../shared/actions/contract/params.ts";
import { PROBLEMS, Problem, type ProblemCode } from "../../../shared/domain/problems.ts";
import {
  createListType,
  cursor,
  flag,
  formatCursor,
  pageLimit,
  password,
  singleLine,
  sourceContent,
} from "../../../shared/domain/values/value-types.ts";

const json: Output = { mediaType: "application/json", description: "What was asked for.", schema: () => z.unknown() };
const text: Output = { mediaType: "text/plain", description: "A sentence.", schema: () => z.string() };

const common = {
  group: "config",
  intent: "read",
  rule: "public",
  title: "Test",
  output: json,
  errors: [],
  example: {},
  description: "An action of the transport tests.",
} as const;

const echoed = {
  line: allowParam(singleLine, "A line.", "oldLine"),
  count: allowParam(pageLimit, "A number."),
  yes: allowParam(flag, "A flag."),
  lines: allowParam(createListType(singleLine, 3), "Some lines."),
  content: allowParam(sourceContent, "An object."),
};

const echo = defineAction({ ...common, name: "echo", input: echoed, run: async ({ input }) => ({ body: input }) });

/** The action `echo` for callers with a token, whose bodies may be long. */
const recite = defineAction({
  ...common,
  name: "recite",
  rule: "signed_in",
  input: echoed,
  run: async ({ input }) => ({ body: input }),
});

const say = defineAction({
  ...common,
  name: "say",
  input: { line: requireParam(singleLine, "The line to say.") },
  output: text,
  run: async ({ input, call }) => ({ body: input.line.replace("CALLER", call.principal?.fullname ?? "nobody") }),
});

const fail = defineAction({
  ...common,
  name: "fail",
  input: { code: requireParam(singleLine, "The code to fail with."), retryAfter: allowParam(pageLimit, "Seconds.") },
  run: async ({ input }) => {
    if (!Object.hasOwn(PROBLEMS, input.code)) throw new TypeError("inner detail arn:aws:dynamodb:table/secret");
    throw new Problem(input.code as ProblemCode, `failing with ${input.code}`, {
      currentRevision: 7,
      ...(input.retryAfter !== undefined && { retryAfter: input.retryAfter }),
    });
  },
});

const whoami = defineAction({
  ...common,
  group: "auth",
  name: "whoami",
  rule: "signed_in",
  apiTokens: "allowed",
  input: { line: allowParam(singleLine, "A line.") },
  run: async ({ call }) => ({ body: { fullname: call.principal?.fullname } }),
});

const sign = defineAction({
  ...common,
  group: "auth",
  name: "sign",
  apiTokens: "allowed",
  intent: "other",
  safe: false,
  input: { password: requireParam(password, "A password.") },
  run: async () => ({ body: {} }),
});

const administer = defineAction({
  ...common,
  group: "model",
  name: "administer",
  rule: "admin",
  input: { line: requireParam(singleLine, "A line.") },
  run: async () => ({ body: [] }),
});

const rows = defineAction({
  ...common,
  group: "model",
  name: "rows",
  input: {
    line: allowParam(singleLine, "What each row says."),
    rows: requireParam(pageLimit, "How many rows, in thousands."),
    limit: allowParam(pageLimit, "Rows of a page."),
    cursor: allowParam(cursor, "Where to go on."),
  },
  run: async ({ input }) => {
    const all = Array.from({ length: input.rows * 1_000 }, (_, row) => ({ row, line: input.line ?? "a row" }));
    if (input.limit === undefined) return { body: all };
    const after = Number(input.cursor ?? 0);
    const next = after + input.limit;
    return { body: all.slice(after, next), ...(next < all.length && { next: formatCursor(String(next)) }) };
  },
});

/** An action without parameters whose answer is made from the call. */
export const defineReport = (name: string, report: (call: Call) => unknown) =>
  defineAction({ ...common, name, input: {}, run: async ({ call }) => ({ body: await report(call) }) });

const wait = defineReport("wait", () => new Promise<never>(() => undefined));

/** Free-standing actions, one for each sort of result that a transport can get from an action. */
export const SMALL_ACTIONS = [echo, recite, say, fail, whoami, sign, administer, rows, wait];
