import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PERMISSIONS } from "../../shared/domain/permissions.ts";
import { codeIn, tableUnder } from "../shape/support/page-tables.ts";
import { pageAt } from "./support/pages.ts";

test("the page of settings lists exactly the settings of the local service", () => {
  const sources = ["local/settings.ts", "local/sqlite/data-folder.ts"].map((file) =>
    readFileSync(join(import.meta.dirname, "../..", file), "utf8"),
  );
  const read = [...sources.join("\n").matchAll(/(?:getText\("|environment\.)([A-Z_]+)\b/g)].map(([, name]) => name);
  const rows = tableUnder(pageAt("docs/settings.md"), "| variable | default | |");
  expect(rows.flatMap(([variable = ""]) => codeIn(variable)).sort()).toEqual(read.sort());
});

test("the page of access lists exactly the permissions, with those that each implies", () => {
  const rows = tableUnder(pageAt("docs/access.md"), "| permission | allows to | implies |");
  expect(rows.flatMap(([permission = ""]) => codeIn(permission)).sort()).toEqual(Object.keys(PERMISSIONS).sort());
  for (const [permission, , implies = ""] of rows) {
    const [name = ""] = codeIn(permission ?? "");
    if (name !== "admin") expect(codeIn(implies), name).toEqual(PERMISSIONS[name as keyof typeof PERMISSIONS].implies);
  }
});
