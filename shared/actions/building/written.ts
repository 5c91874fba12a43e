import * as z from "zod/mini";
import { LIMITS } from "../../domain/limits.ts";
import type { Output } from "../contract/action.ts";
import { namedObject } from "./named-object.ts";

const memberSchemas = () => ({
  status: z.literal("ok"),
  id: z.string().check(z.describe("Id of the object addressed or made.")),
  key: z.string().check(z.describe("Its key after the call.")),
  revision: z.int().check(z.describe("The model's revision after the call.")),
  changed: z.boolean().check(z.describe("False when everything was already as asked.")),
});

/** The members that a dry run adds to the answer of a write. */
export const rehearsedMembers = () => ({
  dryRun: z.optional(z.literal(true).check(z.describe("True on a dry run, and absent else."))),
  changes: z.optional(
    z
      .array(
        namedObject("PlannedChange", {
          change: z.enum(["create", "update", "delete"]),
          kind: z.string(),
          id: z.string(),
          key: z.string(),
        }),
      )
      .check(z.describe(`What a dry run would change, at most ${LIMITS.listedChanges} rows.`)),
  ),
});

/** The output of every write. */
export const written = {
  mediaType: "application/json",
  description: "What was written, and the model's revision.",
  schema: () => namedObject("Written", { ...memberSchemas(), ...rehearsedMembers() }),
} as const satisfies Output;

/** The schema of `removed`. */
const removedSchema = () =>
  namedObject("Removed", {
    count: z.int().check(z.describe("How much went, also where not all of it is listed.")),
    items: z
      .array(
        namedObject("RemovedObject", {
          kind: z.enum(["primary_key", "business_key", "relationship_role", "attribute"]),
          id: z.string().check(z.describe("Its id; of a primary key that of its entity.")),
          key: z.string().check(z.describe("Its key; of a primary key that of its entity.")),
          attributes: z.optional(
            z
              .array(z.string())
              .check(z.describe("Of a primary key, the keys of the attributes that went out of it, in its order.")),
          ),
          remains: z.optional(
            z.literal(true).check(z.describe("True for a key that stays, without the deleted attribute.")),
          ),
        }),
      )
      .check(
        z.describe(
          `Keys first, then roles and attributes; at most ${LIMITS.removedRows} rows, in a batch of all its entries together.`,
        ),
      ),
  }).check(z.describe("What went with it."));

/** The output of a write that deletes an object, with which others may go. */
export const deleted = {
  mediaType: "application/json",
  description: "What was deleted and what went with it, and the model's revision.",
  schema: () => namedObject("Deleted", { ...memberSchemas(), removed: removedSchema(), ...rehearsedMembers() }),
} as const satisfies Output;

/** The output of a write that answers more than the standard members. */
export function writtenWith<M extends z.core.$ZodLooseShape>(description: string, members: () => M) {
  return {
    mediaType: "application/json" as const,
    description,
    schema: () => z.object({ ...memberSchemas(), ...members(), ...rehearsedMembers() }),
  };
}
