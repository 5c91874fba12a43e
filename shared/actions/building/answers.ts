import * as z from "zod/mini";
import { LIMITS } from "../../domain/limits.ts";
import { SOURCE_FORMAT_NAMES, SURENESS } from "../../domain/values/source-formats.ts";
import { WARNINGS, type WarningCode } from "../../domain/warnings.ts";
import type { Output, RemovedRow } from "../contract/action.ts";
import { addNameMembers, type NameMembers } from "./ids.ts";

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** Creates an object schema, `name` in OpenAPI and generated clients. Adds names to members with ids. */
export function createNamedSchema<M extends Shape>(
  name: string,
  members: M,
): z.ZodMiniObject<M & NameMembers<M>, z.core.$strip> {
  const schema = z.object(addNameMembers(members)).check(z.meta({ title: name }));
  // The additional members follow from the schemas.
  return schema as z.ZodMiniType as z.ZodMiniObject<M & NameMembers<M>, z.core.$strip>;
}

/** Adds a description to a schema. */
export function describe<S extends z.ZodMiniType>(schema: S, text: string): S {
  return schema.check(z.describe(text));
}

/** Creates the schema of a text with a description. */
export const describeText = (text: string) => describe(z.string(), text);

/** Creates the schema of a list with a description. */
export const describeList = <S extends z.ZodMiniType>(item: S, text: string) => describe(z.array(item), text);

/** Creates the output of an action that answers JSON. */
export function createJsonOutput<S extends z.ZodMiniType>(description: string, schema: () => S) {
  return { mediaType: "application/json", description, schema } as const satisfies Output<S>;
}

/** Creates the output for a JSON object, `name` in OpenAPI and generated clients. */
export const createNamedOutput = <M extends Shape>(name: string, description: string, members: () => M) =>
  createJsonOutput(description, () => createNamedSchema(name, members()));

/** Creates the schema of an integer with a description. */
export const describeInteger = (text: string) => describe(z.int(), text);

const createMemberSchemas = () => ({
  status: z.literal("ok"),
  id: describeText("Id of the addressed or created object."),
  key: describeText("The key of the object after the call."),
  revision: describeInteger("The revision of the model after the call."),
  changed: describe(z.boolean(), "False if nothing had to be changed."),
});

/** Creates the members that a dry run adds to the answer of a write. */
export const createDryRunMembers = () => ({
  dryRun: z.optional(describe(z.literal(true), "True for a dry run, otherwise absent.")),
  changes: z.optional(
    describeList(
      createNamedSchema("PlannedChange", {
        change: z.enum(["create", "update", "delete"]),
        kind: z.string(),
        id: describeText("Id of the object."),
        key: z.string(),
      }),
      `The changes that a dry run would make, at most ${LIMITS.listedChanges} rows.`,
    ),
  ),
});

export const writtenOutput = createNamedOutput("Written", "The written object and the revision of the model.", () => ({
  ...createMemberSchemas(),
  ...createDryRunMembers(),
}));

const createRemovedSchema = () =>
  describe(
    createNamedSchema("Removed", {
      count: describeInteger("The total number, even if the list is truncated."),
      items: describeList(
        createNamedSchema("RemovedObject", {
          kind: z.enum(["primary_key", "business_key", "relationship_role", "attribute"]),
          id: describeText("Id of the object; for a primary key, of its entity."),
          key: describeText("The key; for a primary key, the key of its entity."),
          attributes: z.optional(
            describeList(
              z.string(),
              "For a primary key, the keys of the attributes that were removed from it, in its order.",
            ),
          ),
          remains: z.optional(describe(z.literal(true), "True for a key that remains without the deleted attribute.")),
        }),
        `Keys first, then roles and attributes; at most ${LIMITS.removedRows} rows. In a batch, the limit applies to all entries together.`,
      ),
    }),
    "The objects that were deleted with it.",
  );

/** Output of a write that deletes an object, possibly together with others. */
export const deletedOutput = createNamedOutput(
  "Deleted",
  "The deleted object, the objects deleted with it, and the revision of the model.",
  () => ({ ...createMemberSchemas(), removed: createRemovedSchema(), ...createDryRunMembers() }),
);

/** Creates the output of a write with additional members. */
export function createWrittenOutput<M extends z.core.$ZodLooseShape>(description: string, members: () => M) {
  return createJsonOutput(description, () =>
    z.object({ ...createMemberSchemas(), ...members(), ...createDryRunMembers() }),
  );
}

/** Rows of one kind. */
export function toRemovedRows(
  kind: RemovedRow["kind"],
  objects: readonly { readonly id: string; readonly key: string }[],
): readonly RemovedRow[] {
  return objects.map(({ id, key }) => ({ kind, id, key }));
}

/** Creates the schema of the grouped warnings of an import or export. */
export const createWarningsSchema = () =>
  z.array(
    createNamedSchema("Warning", {
      code: describe(
        z.enum(Object.keys(WARNINGS) as [WarningCode, ...WarningCode[]]),
        Object.entries(WARNINGS)
          .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
          .join(" "),
      ),
      detail: z.string(),
      count: describeInteger("The number of equal warnings."),
      pointers: describeList(z.string(), `The first ${LIMITS.warningPointers} of their paths, as JSON pointers.`),
    }),
  );

const createRecognitionSchemas = () => ({
  name: describeText("What it is, in words."),
  sure: describe(
    z.enum(SURENESS),
    "`certain`: it says so itself; `likely`: its members are like it; `possible`: they may be.",
  ),
  because: z.string(),
});

/** Creates the schema of the recognized format of a source. */
export const createRecognisedSourceSchema = () =>
  createNamedSchema("RecognisedSource", {
    format: z.enum(SOURCE_FORMAT_NAMES),
    ...createRecognitionSchemas(),
    others: describeList(
      createNamedSchema("CandidateFormat", {
        format: z.optional(describe(z.enum(SOURCE_FORMAT_NAMES), "Absent for a format that is not read.")),
        ...createRecognitionSchemas(),
      }),
      "What else it could be, the surest first.",
    ),
  });
