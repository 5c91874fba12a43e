import * as z from "zod/mini";
import { text, valueType } from "./value-type.ts";

/** The name of a plan, as a dry run of `model_apply` answers it. */
export const planName = valueType({
  id: "PlanName",
  json: "string",
  description: "The name of a plan: 64 hexadecimal digits.",
  schema: () => text().check(z.regex(/^[0-9a-f]{64}$/, { error: "is no name of a plan: 64 hexadecimal digits" })),
});
