import type { RefInput, RefParam } from "./action.ts";
import { OTHER_NAMES } from "./other-names.ts";
import { badParameters, Refusal } from "./problem.ts";
import { faultsOf, fromQuery, isSecret, takesNothing } from "./values.ts";

/** Parameters as a caller sends them: query pairs in order, and a body. */
export interface SentPayload {
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body: unknown;
}

/** Reads what was sent against the declared parameters; all that is wrong in one refusal (contract, section 3). */
export function readSent(params: Readonly<Record<string, RefParam>>, sent: SentPayload): RefInput {
  const pointers: string[] = [];
  const given = new Map<string, { readonly called: string; readonly value: unknown }>();
  const take = (called: string, value: unknown): void => {
    const name = nameOf(params, called);
    if (name === undefined) pointers.push(pointer(called));
    else if (given.has(name)) pointers.push(pointer(called));
    else given.set(name, { called, value });
  };
  for (const [called, value] of sent.query) {
    const name = nameOf(params, called);
    const type = name === undefined ? undefined : params[name]?.type;
    if (type !== undefined && isSecret(type)) pointers.push(pointer(called));
    else take(called, type === undefined || value === "" ? value : fromQuery(type, value));
  }
  const { body } = sent;
  if (body !== undefined) {
    if (typeof body !== "object" || body === null || Array.isArray(body)) throw new Refusal("bad_request");
    for (const [called, value] of Object.entries(body)) take(called, value);
  }
  const input: Record<string, unknown> = {};
  for (const [name, { type, required }] of Object.entries(params)) {
    const { called, value } = given.get(name) ?? { called: name, value: undefined };
    if (value === undefined || (!takesNothing(type) && (value === null || value === ""))) {
      if (required) pointers.push(pointer(called));
      continue;
    }
    const faults = faultsOf(type, value);
    if (faults.length === 0) input[name] = value;
    else pointers.push(...faults.map((below) => pointer(called) + below));
  }
  if (pointers.length > 0) throw badParameters(...pointers);
  return input;
}

/** The name of a parameter that goes by several. */
export function nameOf(params: Readonly<Record<string, RefParam>>, called: string): string | undefined {
  if (Object.hasOwn(params, called)) return called;
  return Object.entries(params).find(([name, { type, aliases }]) =>
    [...aliases, ...(OTHER_NAMES[`${name}: ${type}`] ?? [])].includes(called),
  )?.[0];
}

const pointer = (name: string): string => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
