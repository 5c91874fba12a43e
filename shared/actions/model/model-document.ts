import * as z from "zod/mini";
import { DOCUMENT_SCHEMA } from "../../domain/document.ts";

const described = () => ({
  id: z.string(),
  key: z.string(),
  name: z.optional(z.string()),
  description: z.optional(z.string()),
});

/** The schema of a model document as exports answer it. */
export const modelDocument = () =>
  z.object({
    $schema: z.literal(DOCUMENT_SCHEMA),
    ...described(),
    name: z.string(),
    version: z.string(),
    authority: z.enum(["system", "canonical"]),
    documentationHome: z.optional(z.string()),
    origin: z.optional(z.string()),
    types: z.array(z.object(described())),
    entities: z.array(
      z.object({
        ...described(),
        documentationHome: z.optional(z.string()),
        origin: z.optional(z.string()),
        attributes: z.array(
          z.object({ ...described(), type: z.string().check(z.describe("`key:<type key>`")), optional: z.boolean() }),
        ),
        primaryKey: z.array(z.string()).check(z.describe("`key:<attribute key>` each, in order.")),
      }),
    ),
  });
