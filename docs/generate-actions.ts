import { writeFileSync } from "node:fs";
import { createCatalogue } from "../shared/actions/catalogue.ts";
import { actionsPage } from "./actions-page.ts";
import { limitsPage } from "./limits-page.ts";
import { modelSchemaText } from "./model-schema.ts";

/** The generated pages: file name in this folder -> text. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ["actions.md", actionsPage(await createCatalogue().all())],
    ["limits.md", limitsPage()],
    ["model.schema.json", modelSchemaText()],
  ]);
}

if (import.meta.main) {
  for (const [name, text] of await generatedPages()) writeFileSync(new URL(name, import.meta.url), text);
}
