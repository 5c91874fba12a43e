import type { RefInput, RefParam } from "./action.ts";
import { badParameters, Refusal } from "./problem.ts";
import { step } from "./properties.ts";
import { faultsOf, fromQuery, takesNothing } from "./values.ts";

/** Parameters as a caller sends them: query pairs in order, and a body. */
export interface SentPayload {
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body: unknown;
}

/** Reads what was sent against the declared parameters; all that is wrong in one refusal (contract, section 3). */
export function readSent(params: Readonly<Record<string, RefParam>>, sent: SentPayload): RefInput {
  const pointers: string[] = [];
  const given = new Map<string, unknown>();
  const take = (name: string, value: unknown) => {
    if (!Object.hasOwn(params, name) || given.has(name)) pointers.push(step(name));
    else given.set(name, value);
  };
  for (const [name, value] of sent.query) {
    const type = Object.hasOwn(params, name) ? params[name]?.type : undefined;
    take(name, type === undefined || value === "" ? value : fromQuery(type, value));
  }
  const { body } = sent;
  if (body !== undefined) {
    if (typeof body !== "object" || body === null || Array.isArray(body)) throw new Refusal("bad_request");
    for (const [name, value] of Object.entries(body)) take(name, value);
  }
  const input: Record<string, unknown> = {};
  for (const [name, { type, required }] of Object.entries(params)) {
    const value = given.get(name);
    if (value === undefined || (!takesNothing(type) && (value === null || value === ""))) {
      if (required) pointers.push(step(name));
      continue;
    }
    const faults = faultsOf(type, value);
    if (faults.length === 0) input[name] = value;
    else pointers.push(...faults.map((below) => step(name) + below));
  }
  if (pointers.length > 0) throw badParameters(...pointers);
  return input;
}
