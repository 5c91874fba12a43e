import * as z from "zod/mini";
import { LIMITS } from "../../domain/limits.ts";
import { SOURCE_FORMAT_NAMES, SURENESS } from "../../domain/values/source-formats.ts";
import { WARNINGS, type WarningCode } from "../../domain/warnings.ts";
import type { Output, RemovedRow } from "../contract/action.ts";
import { addNameMembers, type NameMembers } from "./ids.ts";

/** The members of an object by their schemas. */
type Shape = Readonly<Record<string, z.core.$ZodType>>;

/**
 * The schema of an object that has a name of its own, as `title`: the OpenAPI document describes it once under that
 * name, and clients made from the document have a type of that name. Beside each member that holds ids it has one that
 * tells keys or names.
 */
export function namedObjectSchema<M extends Shape>(
  name: string,
  members: M,
): z.ZodMiniObject<M & NameMembers<M>, z.core.$strip> {
  const schema = z.object(addNameMembers(members)).check(z.meta({ title: name }));
  // The members beside follow from the schemas that the loop goes through.
  return schema as z.ZodMiniType as z.ZodMiniObject<M & NameMembers<M>, z.core.$strip>;
}

const createMemberSchemas = () => ({
  status: z.literal("ok"),
  id: z.string().check(z.describe("Id of the object addressed or made.")),
  key: z.string().check(z.describe("Its key after the call.")),
  revision: z.int().check(z.describe("The model's revision after the call.")),
  changed: z.boolean().check(z.describe("False when everything was already as asked.")),
});

/** The members that a dry run adds to the answer of a write. */
export const createDryRunMembers = () => ({
  dryRun: z.optional(z.literal(true).check(z.describe("True on a dry run, and absent else."))),
  changes: z.optional(
    z
      .array(
        namedObjectSchema("PlannedChange", {
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
export const writtenOutput = {
  mediaType: "application/json",
  description: "What was written, and the model's revision.",
  schema: () => namedObjectSchema("Written", { ...createMemberSchemas(), ...createDryRunMembers() }),
} as const satisfies Output;

/** The schema of `removed`. */
const removedSchema = () =>
  namedObjectSchema("Removed", {
    count: z.int().check(z.describe("How much went, also where not all of it is listed.")),
    items: z
      .array(
        namedObjectSchema("RemovedObject", {
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
export const deletedOutput = {
  mediaType: "application/json",
  description: "What was deleted and what went with it, and the model's revision.",
  schema: () =>
    namedObjectSchema("Deleted", { ...createMemberSchemas(), removed: removedSchema(), ...createDryRunMembers() }),
} as const satisfies Output;

/** The output of a write that answers more than the standard members. */
export function createWrittenOutput<M extends z.core.$ZodLooseShape>(description: string, members: () => M) {
  return {
    mediaType: "application/json" as const,
    description,
    schema: () => z.object({ ...createMemberSchemas(), ...members(), ...createDryRunMembers() }),
  };
}

/** Rows of one kind. */
export function removedRows(
  kind: RemovedRow["kind"],
  objects: readonly { readonly id: string; readonly key: string }[],
): readonly RemovedRow[] {
  return objects.map(({ id, key }) => ({ kind, id, key }));
}

/** The schema of the warnings of an import or an export, equal ones in one row. */
export const warningList = () =>
  z.array(
    namedObjectSchema("Warning", {
      code: z.enum(Object.keys(WARNINGS) as [WarningCode, ...WarningCode[]]).check(
        z.describe(
          Object.entries(WARNINGS)
            .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
            .join(" "),
        ),
      ),
      detail: z.string(),
      count: z.int().check(z.describe("How many warnings are equal to it.")),
      pointers: z
        .array(z.string())
        .check(z.describe(`The first ${LIMITS.warningPointers} of their places, as JSON pointers.`)),
    }),
  );

const marks = () => ({
  name: z.string().check(z.describe("What it is, in words.")),
  sure: z
    .enum(SURENESS)
    .check(z.describe("`certain`: it says so itself; `likely`: its members are like it; `possible`: they may be.")),
  because: z.string(),
});

/** The schema of how the format of a source was told. */
export const recognisedSource = () =>
  namedObjectSchema("RecognisedSource", {
    format: z.enum(SOURCE_FORMAT_NAMES),
    ...marks(),
    others: z
      .array(
        namedObjectSchema("CandidateFormat", {
          format: z.optional(z.enum(SOURCE_FORMAT_NAMES).check(z.describe("Absent for a format that is not read."))),
          ...marks(),
        }),
      )
      .check(z.describe("What else it could be, the surest first.")),
  });
