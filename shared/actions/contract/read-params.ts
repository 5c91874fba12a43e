import * as z from "zod/mini";
import { valueType } from "../../domain/value-type.ts";
import { optional } from "./params.ts";

const EXPANSIONS = ["keys"] as const;

const expansion = valueType<(typeof EXPANSIONS)[number]>({
  id: "Expansion",
  json: "string",
  description: `One of: ${EXPANSIONS}.`,
  schema: () => z.enum(EXPANSIONS, { error: ({ input }) => `${JSON.stringify(input)} is not one of: ${EXPANSIONS}` }),
});

/** The parameters of every read. */
export const readParams = {
  expand: optional(expansion, "With `keys` the answer has keys and names beside ids: beside `type` a `typeByKey`."),
};
