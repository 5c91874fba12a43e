import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { TEXT_PATTERN } from "../text/characters.ts";
import {
  createObjectSchema,
  createTextSchema,
  defineValueType,
  expectMembers,
  expectType,
  replaceJsonSchema,
  transformSchema,
} from "./value-type.ts";

/** One call of a batch. */
export interface BatchEntry {
  readonly group: string;
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const createEntrySchema = () =>
  transformSchema(
    z
      .strictObject(
        {
          group: createTextSchema().check(z.meta({ pattern: TEXT_PATTERN })),
          action: createTextSchema().check(z.meta({ pattern: TEXT_PATTERN })),
          // Null is accepted, but not described: a type list with null has no form in some generated clients.
          payload: z
            .nullish(createObjectSchema())
            .check(replaceJsonSchema({ type: "object", additionalProperties: true })),
        },
        expectMembers("an entry has group, action and payload"),
      )
      .check(z.meta({ title: "BatchEntry" })),
    ({ group, action, payload }): BatchEntry => ({ group, action, payload: payload ?? {} }),
  );

const batchEntry = defineValueType<BatchEntry>({
  id: "BatchEntry",
  json: "object",
  description: "One call in a batch: an object with `group`, `action` and, unless it is empty, `payload`.",
  schema: createEntrySchema,
});

export const batchEntries = defineValueType<readonly BatchEntry[]>({
  id: `List<${batchEntry.id}>`,
  item: batchEntry,
  json: "array",
  description: `A list of 1 to ${LIMITS.batchEntries} entries of type ${batchEntry.id}.`,
  schema: () =>
    z
      .array(createEntrySchema(), expectType("a list"))
      .check(
        z.minLength(1, { error: "has no entries" }),
        z.maxLength(LIMITS.batchEntries, { error: `has more than ${LIMITS.batchEntries} entries` }),
      ),
});
