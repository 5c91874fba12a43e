import { writeFileSync } from "node:fs";
import { ACTIONS } from "../shared/actions/catalogue.ts";
import type { Action } from "../shared/actions/define-action.ts";
import { actionsPage } from "./actions-page.ts";
import { limitsPage } from "./limits-page.ts";

/** The generated pages: file name in this folder -> text. */
export function generatedPages(actions: readonly Action[]): ReadonlyMap<string, string> {
  return new Map([
    ["actions.md", actionsPage(actions)],
    ["limits.md", limitsPage()],
  ]);
}

if (import.meta.main) {
  for (const [name, text] of generatedPages(ACTIONS)) writeFileSync(new URL(name, import.meta.url), text);
}
