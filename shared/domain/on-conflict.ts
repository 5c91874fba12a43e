import * as z from "zod/mini";
import { valueType } from "./value-type.ts";

const CHOICES = ["refuse", "ours", "theirs"] as const;

/** The way in which an import into a model goes on where people and the source changed the same. */
export type OnConflict = (typeof CHOICES)[number];

/** That way, as a parameter. */
export const onConflict = valueType<OnConflict>({
  id: "OnConflict",
  json: "string",
  description:
    "Where people and the source changed the same: `refuse` does nothing and tells of all such places, `ours` keeps what the model has, `theirs` takes what the source has.",
  schema: () => z.enum(CHOICES, { error: `must be one of ${CHOICES.join(", ")}` }),
});
