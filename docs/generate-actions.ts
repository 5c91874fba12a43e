import { writeFileSync } from "node:fs";
import { createCatalogue } from "../shared/actions/catalogue.ts";
import { actionsPage } from "./actions-page.ts";
import { limitsPage } from "./limits-page.ts";
import { modelSchemaText } from "./model-schema.ts";
import { namesPage } from "./names-page.ts";
import { typesPage } from "./types-page.ts";

/** The generated pages: file name in this folder -> text. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const actions = await createCatalogue().list();
  return new Map([
    ["actions.md", actionsPage(actions)],
    ["limits.md", limitsPage()],
    ["model.schema.json", modelSchemaText()],
    ["names.md", namesPage(actions)],
    ["types.md", typesPage()],
  ]);
}

if (import.meta.main) {
  for (const [name, text] of await generatedPages()) writeFileSync(new URL(name, import.meta.url), text);
}
