import { writeFileSync } from "node:fs";
import { createCatalogue } from "../shared/actions/catalogue.ts";
import { actionsPage } from "./actions-page.ts";
import { limitsPage } from "./limits-page.ts";

/** The generated pages: file name in this folder -> text. */
export function generatedPages(): ReadonlyMap<string, string> {
  return new Map([
    ["actions.md", actionsPage(createCatalogue().actions)],
    ["limits.md", limitsPage()],
  ]);
}

if (import.meta.main) {
  for (const [name, text] of generatedPages()) writeFileSync(new URL(name, import.meta.url), text);
}
