import fc from "fast-check";
import type { Action } from "../../../../shared/actions/contract/action.ts";
import { getAllParams } from "../../../../shared/actions/contract/action-parameters.ts";
import type { Param } from "../../../../shared/actions/contract/params.ts";
import { LIMITS } from "../../../../shared/domain/limits.ts";
import type { PayloadJson } from "../payloads.ts";
import type { Expected } from "./exchange.ts";
import { NAUGHTY, PROTOTYPE_NAMES } from "./strings.ts";
import { accepts, isNothing } from "./values.ts";

/** A payload with something done to it: JSON bodies are texts, because some of them cannot be said in values. */
export interface Mutant {
  readonly tries: string;
  readonly body: string;
  readonly expected: Expected;
}

type Tried = readonly [tries: string, json: string];

const BAD: Expected = ["bad_parameters"];

/** Changes the value, the name or the number of one parameter of a valid payload. */
export function mutantsOf(action: Action, payload: PayloadJson): fc.Arbitrary<Mutant> {
  const params = Object.entries(getAllParams(action));
  if (params.length === 0) return unknownName(action, payload);
  const chosen = fc.constantFrom(...params);
  return fc.oneof(
    { weight: 10, arbitrary: chosen.chain(([name, param]) => otherValue(action, payload, name, param)) },
    { weight: 1, arbitrary: chosen.map(([name]) => dropped(action, payload, name)) },
    { weight: 1, arbitrary: chosen.chain(([name]) => twice(payload, name)) },
    { weight: 2, arbitrary: unknownName(action, payload) },
  );
}

/** The outcome that is expected of a payload, judged by the declared parameters alone. */
function verdict(action: Action, payload: PayloadJson): Expected {
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

/** Member names that no body may have, and halves of surrogate pairs: refused before any parameter is looked at. */
const FORBIDDEN = /"(__proto__|constructor)":|\\ud[89a-f]/i;

function otherValue(action: Action, payload: PayloadJson, name: string, param: Param): fc.Arbitrary<Mutant> {
  return valuesInstead(param, payload[name]).map(([tries, json]) => {
    const body = bodyOf([...members(payload, name), [name, json]]);
    const expected = FORBIDDEN.test(body) ? "any" : verdict(action, { ...payload, [name]: JSON.parse(json) });
    return { tries: `${tries} for ${name}`, body, expected };
  });
}

const anyJson = fc.oneof(
  fc.constantFrom("true", "false", "0", "1", "-1", "0.5", "[]", "{}", "[null]", "[[]]", '{"a":1}', '"x"', '" "'),
  fc.constantFrom('{"toString":1}', '{"length":3}', '["key:a"]', '{"value":"key:a"}', '[""]', '"true"', '"1"', '"[]"'),
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
);

/** Numbers that JavaScript cannot say, or says in another way. */
const anyNumber = fc.constantFrom(
  ...["-0", "1e21", "1e400", "-1e400", "1E+2", "9007199254740993", "0.1e-400", "1.0", `1${"0".repeat(400)}`],
);

/** Values instead of the one that a parameter has, most of which its type does not take. */
function valuesInstead({ type }: Param, was: unknown): fc.Arbitrary<Tried> {
  const tried = (tries: string, values: fc.Arbitrary<string>) => values.map((json): Tried => [tries, json]);
  const all = [
    tried("another type", anyJson),
    tried("an absent value", fc.constantFrom("null", '""')),
    tried("a number", anyNumber),
  ];
  if (type.json === "string") all.push(tried("a naughty text", toJson(fc.constantFrom(...NAUGHTY))), stretched(was));
  if (type.json === "number") all.push(tried("a number at an edge", toJson(fc.constantFrom(...EDGES_OF_NUMBERS))));
  if (type.json === "array") all.push(tried("a size at its edge", toJson(listsOf(was))));
  return fc.oneof(...all);
}

const toJson = (values: fc.Arbitrary<unknown>) => values.map((value) => JSON.stringify(value));

const EDGES_OF_NUMBERS = [0, 1, 2, -1, 999, 1_000, 1_001, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53)];

const listsOf = (was: unknown) =>
  fc
    .constantFrom(0, 1, 2, 99, 100, 101, 5_000)
    .map((size) => Array.from({ length: size }, () => (Array.isArray(was) ? was[0] : undefined) ?? "key:x"));

const LENGTHS = [
  ...[LIMITS.usernameCharacters, LIMITS.keyCharacters, LIMITS.nameCharacters, 400],
  ...[LIMITS.passwordBytes, LIMITS.urlCharacters, LIMITS.descriptionBytes],
].flatMap((length) => [length - 1, length, length + 1]);

/** A text made as long as a limit, in characters or in bytes, by what stands for one, two or four bytes. */
function stretched(was: unknown): fc.Arbitrary<Tried> {
  const start = typeof was === "string" ? was : "";
  return fc
    .record({
      length: fc.constantFrom(...LENGTHS),
      filler: fc.constantFrom("a", "é", "𝒳"),
      base: fc.constantFrom("", start),
    })
    .map(({ length, filler, base }): Tried => {
      const room = length - (filler === "a" ? base.length : Buffer.byteLength(base));
      const count = Math.floor(room / Buffer.byteLength(filler));
      return [`a text of ${length}`, JSON.stringify(base + filler.repeat(Math.max(0, count)))];
    });
}

function dropped(action: Action, payload: PayloadJson, name: string): Mutant {
  const { [name]: _, ...rest } = payload;
  return { tries: `no ${name}`, body: JSON.stringify(rest), expected: verdict(action, rest) };
}

/** One name twice in one object: JSON leaves open which of the two counts, so neither does. */
function twice(payload: PayloadJson, name: string): fc.Arbitrary<Mutant> {
  return anyJson.map((json) => ({
    tries: `${name} twice in the body`,
    body: bodyOf([[name, json], ...members(payload)]),
    expected: Object.hasOwn(payload, name) ? ["bad_request"] : "any",
  }));
}

function unknownName(action: Action, payload: PayloadJson): fc.Arbitrary<Mutant> {
  const similar = Object.keys(getAllParams(action)).flatMap((name) => [name.toUpperCase(), `${name} `, `${name}[]`]);
  const names = fc.oneof(
    fc.constantFrom(...PROTOTYPE_NAMES, ...NAUGHTY),
    fc.constantFrom(...similar, "id"),
    fc.string(),
  );
  return fc.tuple(names, fc.jsonValue({ maxDepth: 1 })).map(([name, value]): Mutant => {
    const body = bodyOf([...members(payload), [name, JSON.stringify(value)]]);
    const expect = (): Expected => {
      // A name that exists after all is twice in the body now.
      if (Object.hasOwn(payload, name)) return ["bad_request"];
      if (verdict(action, { [name]: "" }) !== BAD) return "any";
      return FORBIDDEN.test(body) ? ["bad_parameters", "bad_request"] : BAD;
    };
    return { tries: `the parameter ${JSON.stringify(name.slice(0, 40))}`, body, expected: expect() };
  });
}

function members(payload: PayloadJson, without?: string): [string, string][] {
  return Object.entries(payload)
    .filter(([name]) => name !== without)
    .map(([name, value]) => [name, JSON.stringify(value)]);
}

function bodyOf(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
}
