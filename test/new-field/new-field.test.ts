import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Copy, copyRepository } from "../soak/support/defect-copy.ts";
import { runSuites } from "../soak/support/defect-run.ts";

let copy: Copy;

/** Puts a text in the place of another one that a file of the copy has once. */
function edit(file: string, from: string, to: string): void {
  const path = join(copy.folder, file);
  const text = readFileSync(path, "utf8");
  expect(text.split(from), `${file} has the place once`).toHaveLength(2);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
}

beforeAll(async () => {
  copy = await copyRepository();
  // The edit adds the field, in one place ...
  edit(
    "shared/domain/fields/model-fields.ts",
    "export const entityFields = {\n",
    `export const entityFields = {
  motto: optionalField(uri, "Its motto.", { searched: true, change: MOTTO }),
`,
  );
  edit(
    "shared/domain/fields/model-fields.ts",
    "/** Fields of entities. */",
    `const MOTTO = () => [{ impact: "breaking", reason: "people swear by it" }] as const;
`,
  );
  // ... and then the action that changes it.
  edit(
    "shared/actions/model/entity.ts",
    "  entityPrimaryKeyUpdate,\n",
    `  entityPrimaryKeyUpdate,
  defineUpdateField("entity_update_motto", entity, "motto", {
    title: "Change entity motto",
    description: "Changes or clears the motto of an entity.",
    rule: "model_write",
    value: clearableParam(uri, "The new motto; omit it to clear it."),
    example: { modelRef: "key:crm", entityRef: "key:customer", value: "Onwards." },
  }),
`,
  );
  edit("shared/actions/model/entity.ts", "singleLine }", "singleLine, uri }");
  const folder = join(copy.folder, "test/new-field");
  mkdirSync(folder, { recursive: true });
  for (const name of ["found.test.ts", "typed-use.ts"]) {
    cpSync(join(import.meta.dirname, "in-copy", `${name}.txt`), join(folder, name));
  }
}, 60_000);

afterAll(() => copy.remove());

test("a field declared once is in reads, documents, comparison, history, search, restore and descriptions", async () => {
  const run = await runSuites(copy.folder, [{ file: "test/new-field/found.test.ts" }], false);
  expect(run).toMatchObject({ passed: 2, failed: [], broken: [] });
});

test("a field declared once is in the types of objects, of documents and of the client", () => {
  const compiler = join(copy.folder, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "--noEmit", "--pretty", "false"], {
    cwd: copy.folder,
    encoding: "utf8",
  });
  expect(stdout).toBe("");
});
