import { readFileSync } from "node:fs";
// Only Zod's classic build reads a JSON Schema back.
import * as z from "zod";

const PUBLISHED = JSON.parse(readFileSync(new URL("../../docs/model.schema.json", import.meta.url), "utf8"));
const schema = z.fromJSONSchema(PUBLISHED);

/** The faults that `docs/model.schema.json` finds in a model document as it is sent. */
export function schemaFaults(document: unknown): readonly string[] {
  const found = schema.safeParse(JSON.parse(JSON.stringify(document)));
  return (found.error?.issues ?? []).map((issue) => `${issue.path.join("/")}: ${issue.message}`);
}
