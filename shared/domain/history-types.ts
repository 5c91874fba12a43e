import * as z from "zod/mini";
import { UUID_PATTERN } from "./refs.ts";
import { jsonTypeOf, text, valueType } from "./value-type.ts";

export const modelRevision = valueType<number>({
  id: "ModelRevision",
  json: "number",
  description: "A revision of a model: 1 is the commit that made it, and every commit adds one.",
  schema: () =>
    z
      .int({ error: (issue) => `expected a whole number, got ${jsonTypeOf(issue.input)}` })
      .check(z.minimum(1, { error: "must be at least 1" })),
});

const UUID = new RegExp(`^${UUID_PATTERN}$`);

export const objectId = valueType({
  id: "ObjectId",
  json: "string",
  description: "The id of an object, a UUID; also of one that is gone.",
  schema: () =>
    text().check(
      z.regex(UUID, { error: (issue) => `${JSON.stringify(issue.input)} is not a UUID` }),
      z.overwrite((written: string) => written.toLowerCase()),
    ),
});

export const compareScope = valueType<"structural" | "complete">({
  id: "CompareScope",
  json: "string",
  description:
    "What is compared: `structural` leaves out texts, links, tags, version and authority; `complete` everything.",
  schema: () => z.enum(["structural", "complete"], { error: "must be structural or complete" }),
});
