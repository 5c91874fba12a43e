import { Document, visit } from "yaml";
import { escaped } from "./escape.ts";

/** A body as YAML that means the same when it is escaped: texts to escape stand in double quotes. */
export function yamlOf(body: unknown): string {
  const document = new Document(body);
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === "string" && escaped(scalar.value) !== scalar.value) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString();
}
