import fc from "fast-check";
import type { Action } from "../../../../shared/actions/contract/action.ts";
import { getAllParams } from "../../../../shared/actions/contract/action-parameters.ts";
import type { Param } from "../../../../shared/actions/contract/params.ts";
import { LIMITS } from "../../../../shared/domain/limits.ts";
import type { PayloadJson } from "../known-objects.ts";
import type { Expected } from "./exchange.ts";
import { NAUGHTY, PROTOTYPE_NAMES } from "./strings.ts";
import { accepts, isNothing } from "./values.ts";

/** A payload with something done to it: JSON bodies are texts, because some of them cannot be said in values. */
export interface Mutant {
  readonly tries: string;
  readonly body: string;
  readonly expected: Expected;
}

type Named = readonly [name: string, param: Param];

/** Everything that is done to a valid payload, whatever the action: one thing at a time. */
export function mutantsOf(action: Action, payload: PayloadJson): fc.Arbitrary<Mutant> {
  const params = Object.entries(getAllParams(action));
  const general = [
    unknownName(action, payload),
    deepNesting(payload),
    notAnObject(),
    halfPair(payload),
    crowd(payload),
  ];
  if (params.length === 0) return fc.oneof(...general);
  const texts = params.filter(([, param]) => param.type.json === "string");
  const replacing = fc
    .constantFrom(...params)
    .chain((named) =>
      fc.oneof(
        otherValue("another type", action, payload, named, anyValue),
        otherValue("an absent value", action, payload, named, fc.constantFrom(null, "")),
        rawNumber(action, payload, named),
        dropped(action, payload, named),
        twice(payload, named),
      ),
    );
  const ofText =
    texts.length === 0
      ? []
      : [
          fc.constantFrom(...texts).chain((named) => stretched(action, payload, named)),
          fc.constantFrom(...texts).chain((named) => {
            return otherValue("a naughty text", action, payload, named, fc.constantFrom(...NAUGHTY));
          }),
        ];
  const lists = params.filter(([, param]) => param.type.json === "array" || param.type.json === "number");
  const ofSize = lists.map((named) => otherValue("a size at its edge", action, payload, named, sizes(payload, named)));
  return fc.oneof(
    { weight: 5, arbitrary: replacing },
    ...ofText.map((arbitrary) => ({ weight: 3, arbitrary })),
    ...ofSize.map((arbitrary) => ({ weight: 1, arbitrary })),
    { weight: 3, arbitrary: fc.oneof(...general) },
  );
}

/** The outcome that is expected of a payload that is sent as it stands, judged by the declared parameters alone. */
export function verdict(action: Action, payload: PayloadJson): Expected {
  const params = getAllParams(action);
  const names = new Map(Object.entries(params).flatMap(([name, p]) => [name, ...p.aliases].map((n) => [n, name])));
  const given = new Set<string>();
  for (const [name, value] of Object.entries(payload)) {
    const known = names.get(name);
    const param = known === undefined ? undefined : params[known];
    if (known === undefined || !param || given.has(known)) return BAD;
    given.add(known);
    if (isNothing(param.type, value) ? param.required : !accepts(param.type, value)) return BAD;
  }
  const missing = Object.entries(params).some(([name, param]) => param.required && !given.has(name));
  return missing ? BAD : "any";
}

const BAD: Expected = ["bad_parameters"];

const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(true, false, 0, -0, 1, -1, 0.5, 1e21, 2 ** 53, [], {}, [null], [[]], { a: 1 }, "x", " "),
  fc.constantFrom<unknown>(
    { toString: 1 },
    { length: 3 },
    ["key:a"],
    { value: "key:a" },
    [""],
    "true",
    "1",
    "[]",
    "{}",
  ),
  fc.jsonValue({ maxDepth: 4 }),
);

function otherValue(
  tries: string,
  action: Action,
  payload: PayloadJson,
  [name]: Named,
  values: fc.Arbitrary<unknown>,
): fc.Arbitrary<Mutant> {
  return values.map((value) => {
    const changed = { ...payload, [name]: value };
    const body = JSON.stringify(changed);
    return { tries: `${tries} for ${name}`, body, expected: FORBIDDEN.test(body) ? "any" : verdict(action, changed) };
  });
}

/** Member names that no body may have, and halves of surrogate pairs: refused before any parameter is looked at. */
const FORBIDDEN = /"(__proto__|constructor)":|\\ud[89a-f]/i;

/** Numbers that JavaScript cannot say, or says in another way. */
const RAW_NUMBERS = [
  "-0",
  "1e400",
  "-1e400",
  "1E+2",
  "9007199254740993",
  "0.1e-400",
  "1.0",
  `1${"0".repeat(400)}`,
  "0e0",
];

function rawNumber(action: Action, payload: PayloadJson, [name]: Named): fc.Arbitrary<Mutant> {
  return fc.constantFrom(...RAW_NUMBERS).map((text) => ({
    tries: `the number ${text.slice(0, 20)} for ${name}`,
    body: bodyOf([...members(payload, name), [name, text]]),
    expected: verdict(action, { ...payload, [name]: JSON.parse(text) }),
  }));
}

function dropped(action: Action, payload: PayloadJson, [name]: Named): fc.Arbitrary<Mutant> {
  const { [name]: _, ...rest } = payload;
  return fc.constant({ tries: `no ${name}`, body: JSON.stringify(rest), expected: verdict(action, rest) });
}

/** One name twice in one object: JSON leaves open which of the two counts, so neither does. */
function twice(payload: PayloadJson, [name]: Named): fc.Arbitrary<Mutant> {
  return anyValue.map((value) => ({
    tries: `${name} twice in the body`,
    body: bodyOf([[name, JSON.stringify(value)], ...members(payload)]),
    expected: Object.hasOwn(payload, name) ? ["bad_request"] : "any",
  }));
}

/** Lengths just below, at and just above every limit of the service on a text. */
const LENGTHS = [
  ...new Set(
    [
      LIMITS.usernameCharacters,
      LIMITS.keyCharacters,
      LIMITS.nameCharacters,
      400,
      LIMITS.passwordBytes,
      LIMITS.urlCharacters,
      LIMITS.descriptionBytes,
    ].flatMap((length) => [length - 1, length, length + 1]),
  ),
];

/** A text made as long as a limit, in characters or in bytes, by what stands for one, two or four bytes. */
function stretched(action: Action, payload: PayloadJson, [name]: Named): fc.Arbitrary<Mutant> {
  const start = typeof payload[name] === "string" ? payload[name] : "";
  return fc
    .record({ length: fc.constantFrom(...LENGTHS), filler: fc.constantFrom("a", "é", "𝒳"), empty: fc.boolean() })
    .map(({ length, filler, empty }) => {
      const base = empty ? "" : start;
      const room = length - (filler === "a" ? base.length : Buffer.byteLength(base));
      const count = Math.floor(room / (filler === "a" ? 1 : Buffer.byteLength(filler)));
      const value = base + filler.repeat(Math.max(0, count));
      const changed = { ...payload, [name]: value };
      return { tries: `${name} of ${length}`, body: JSON.stringify(changed), expected: verdict(action, changed) };
    });
}

function sizes(payload: PayloadJson, [name, { type }]: Named): fc.Arbitrary<unknown> {
  if (type.json === "number") return fc.constantFrom(0, 1, 2, -1, 999, 1_000, 1_001, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53));
  const [first] = Array.isArray(payload[name]) ? payload[name] : [];
  return fc
    .constantFrom(0, 1, 2, 99, 100, 101, 5_000)
    .map((size) => Array.from({ length: size }, () => first ?? "key:x"));
}

function unknownName(action: Action, payload: PayloadJson): fc.Arbitrary<Mutant> {
  const names = fc.oneof(
    fc.constantFrom(...PROTOTYPE_NAMES, ...NAUGHTY),
    fc.constantFrom(
      ...Object.keys(getAllParams(action)).flatMap((name) => [name.toUpperCase(), `${name} `, `${name}[]`]),
      "id",
    ),
    fc.string(),
  );
  return fc.tuple(names, fc.jsonValue({ maxDepth: 1 })).map(([name, value]): Mutant => {
    const text = bodyOf([...members(payload), [name, JSON.stringify(value)]]);
    // A name that exists after all stands twice in the body now.
    const isTwice = Object.hasOwn(payload, name);
    const isKnown = verdict(action, { [name]: "" }) !== BAD;
    return {
      tries: `the parameter ${JSON.stringify(name.slice(0, 40))}`,
      body: text,
      expected: isTwice
        ? ["bad_request"]
        : isKnown
          ? "any"
          : FORBIDDEN.test(text)
            ? ["bad_parameters", "bad_request"]
            : BAD,
    };
  });
}

function deepNesting(payload: PayloadJson): fc.Arbitrary<Mutant> {
  const depths = fc.constantFrom(1, 2, 29, 30, 31, 32, 33, 34, 100, 1_000, 100_000);
  return fc.tuple(depths, fc.constantFrom("list", "object", "open")).map(([depth, shape]) => {
    const [open, close] = shape === "object" ? ['{"a":', "}"] : ["[", "]"];
    const value = open.repeat(depth) + (shape === "open" ? "" : `1${close.repeat(depth)}`);
    const isBroken = shape === "open" || depth + 1 > LIMITS.jsonDepth;
    return {
      tries: `${depth} levels of ${shape}`,
      body: bodyOf([...members(payload), ["deep", value]]),
      expected: [isBroken ? "bad_request" : "bad_parameters"],
    };
  });
}

function notAnObject(): fc.Arbitrary<Mutant> {
  return fc.jsonValue({ maxDepth: 2 }).map((value): Mutant => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const body = JSON.stringify(isObject ? [value] : value);
    return { tries: "a body that is no object", body, expected: ["bad_request"] };
  });
}

function halfPair(payload: PayloadJson): fc.Arbitrary<Mutant> {
  return fc.constantFrom("\\ud800", "\\udfff", "a\\ud83d", "\\ude00b", "\\udc00\\ud800").chain((half) =>
    fc.constantFrom<Mutant>(
      {
        tries: "half a surrogate pair",
        body: bodyOf([...members(payload), ["x", `"${half}"`]]),
        expected: ["bad_request"],
      },
      {
        tries: "half a surrogate pair in a name",
        body: `${JSON.stringify(payload).slice(0, -1)}${Object.keys(payload).length > 0 ? "," : ""}"${half}":1}`,
        // V8 may read a name that begins with an escape as one it read before in that place: the refusal is then another.
        expected: ["bad_request", "bad_parameters"],
      },
    ),
  );
}

/** More parameters than any action has. */
function crowd(payload: PayloadJson): fc.Arbitrary<Mutant> {
  return fc.integer({ min: 90, max: 3_000 }).map((count) => ({
    tries: `${count} unknown parameters`,
    body: bodyOf([...members(payload), ...Array.from({ length: count }, (_, i): [string, string] => [`p${i}`, "1"])]),
    expected: BAD,
  }));
}

function members(payload: PayloadJson, without?: string): [string, string][] {
  return Object.entries(payload)
    .filter(([name]) => name !== without)
    .map(([name, value]) => [name, JSON.stringify(value)]);
}

function bodyOf(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
}
