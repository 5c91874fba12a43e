import type * as z from "zod/mini";
import type { Action } from "../contract/action.ts";
import type { Reading } from "../contract/decision.ts";
import { type AnsweredRow, expandingOf, type NamedById, type NameOf } from "../contract/expanding.ts";
import { type NameSources, namesOf } from "./names-by-id.ts";

/** A reading with the members that `expand=keys` adds: keys and names beside the ids that its answer shows. */
export async function expandKeys(action: Action, reading: Reading, sources: NameSources): Promise<Reading> {
  const schema = action.output.schema();
  const wanted: NamedById[] = [];
  // The first round only asks for names, so that they are read together.
  expanded(schema, reading.body, (named) => {
    wanted.push(named);
    return undefined;
  });
  const nameOf = await namesOf(wanted, sources);
  // The form of the body is that of the schema, with some more members.
  return { ...reading, body: expanded(schema, reading.body, nameOf) } as Reading;
}

/** A value of a schema with all its rows expanded. */
function expanded(schema: z.core.$ZodType, value: unknown, nameOf: NameOf): unknown {
  // Every schema is of one of these types.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "optional") return expanded(def.innerType, value, nameOf);
  if (def.type === "array" && Array.isArray(value)) return value.map((one) => expanded(def.element, one, nameOf));
  if (def.type === "object" && isRow(value)) return expandedRow(def.shape, value, nameOf);
  return value;
}

function isRow(value: unknown): value is AnsweredRow {
  return typeof value === "object" && value !== null;
}

/** A row with each member that is only expanded where the schema has it. */
function expandedRow(shape: z.core.$ZodShape, row: AnsweredRow, nameOf: NameOf): AnsweredRow {
  const shown: Record<string, unknown> = {};
  for (const [member, schema] of Object.entries(shape)) {
    const expanding = expandingOf(schema);
    const value = expanding ? expanding(row, nameOf) : expanded(schema, row[member], nameOf);
    if (value !== undefined) shown[member] = value;
  }
  // A row may have members that no schema tells.
  return { ...shown, ...without(row, shown) };
}

function without(row: AnsweredRow, shown: AnsweredRow): AnsweredRow {
  return Object.fromEntries(Object.entries(row).filter(([member]) => !Object.hasOwn(shown, member)));
}
