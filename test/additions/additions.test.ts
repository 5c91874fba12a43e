import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Copy, copyRepository } from "../soak/support/defect-copy.ts";
import { runSuites } from "../soak/support/defect-run.ts";

const IN_COPY = join(import.meta.dirname, "in-copy");

let copy: Copy;
const edited = new Set<string>();

function edit(file: string, from: string, to: string) {
  edited.add(file);
  const path = join(copy.folder, file);
  const text = readFileSync(path, "utf8");
  expect(text.split(from), `${file} has the place once`).toHaveLength(2);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
}

function editFor(add: () => void): readonly string[] {
  edited.clear();
  add();
  return [...edited].sort();
}

/** Adds the field `motto` to entities, and the action that changes it. */
function addField() {
  edit(
    "shared/domain/fields/model-fields.ts",
    "export const entityFields = {\n",
    `export const entityFields = {
  motto: allowField(uri, "Its motto.", { searched: true, change: "entity" }),
`,
  );
  edit(
    "shared/actions/model/entity.ts",
    "  entityPrimaryKeyUpdate,\n",
    `  entityPrimaryKeyUpdate,
  defineUpdateField("entity_update_motto", entity, "motto", {
    title: "Change entity motto",
    description: "Changes or clears the motto of an entity.",
    rule: "model_write",
    value: allowClearing(uri, "The new motto; omit it to clear it."),
    example: { modelRef: "key:crm", entityRef: "key:customer", value: "Onwards." },
  }),
`,
  );
  edit("shared/actions/model/entity.ts", "singleLine }", "singleLine, uri }");
}

function addAction() {
  edit(
    "shared/actions/model/business-key.ts",
    "export const businessKeyActions",
    `const businessKeyCount = defineAction({
  group: "model",
  name: "business_key_count",
  title: "Count business keys",
  description: "Counts the business keys of a model.",
  intent: "read",
  rule: "model_read",
  target: model,
  input: {},
  output: { mediaType: "application/json", description: "The count.", schema: () => z.object({ count: z.number() }) },
  errors: [],
  example: { modelRef: "key:crm" },
  run: async ({ view }) => ({ body: { count: (await view.list("business_key")).items.length } }),
});

export const businessKeyActions`,
  );
  edit("shared/actions/model/business-key.ts", "  businessKeyCreate,\n", "  businessKeyCreate,\n  businessKeyCount,\n");
  edit(
    "shared/actions/model/business-key.ts",
    "import { businessKeyFields }",
    'import * as z from "zod/mini";\nimport { businessKeyFields }',
  );
}

/** Adds a format that lists the keys of entities, with its writer in a file of its own. */
function addExportFormat() {
  const folder = join(copy.folder, "shared/formats/keys");
  mkdirSync(folder);
  cpSync(join(IN_COPY, "write-keys.ts.txt"), join(folder, "write-keys.ts"));
  edit(
    "shared/domain/values/export-formats.ts",
    "export const EXPORT_FORMATS = {\n",
    `export const EXPORT_FORMATS = {
  keys: { mediaType: "text/csv", text: "the keys of all entities" },
`,
  );
  edit("shared/formats/exporter.ts", "  dbml: [", '  keys: [".csv", writeKeys],\n  dbml: [');
  edit(
    "shared/formats/exporter.ts",
    "import { DICTIONARY_COVERAGE",
    'import { writeKeys } from "./keys/write-keys.ts";\nimport { DICTIONARY_COVERAGE',
  );
  // The tests read each format with a program that is not ours, too.
  edit(
    FOREIGN_READERS,
    "    html: readMarkup,",
    "    keys: (content) => ({ texts: [content], structure: [] }),\n    html: readMarkup,",
  );
}

const FOREIGN_READERS = "test/formats/writing/foreign-readers.ts";

beforeAll(async () => {
  copy = await copyRepository();
  mkdirSync(join(copy.folder, "test/additions"), { recursive: true });
  for (const name of ["new-action.test.ts", "new-export-format.test.ts", "new-field.test.ts", "typed-use.ts"])
    cpSync(join(IN_COPY, `${name}.txt`), join(copy.folder, "test/additions", name));
}, 60_000);

afterAll(() => copy.remove());

test("an action is added in one file, a field in two, and an export format in two besides its writer", () => {
  expect(editFor(addAction)).toEqual(["shared/actions/model/business-key.ts"]);
  expect(editFor(addField)).toEqual(["shared/actions/model/entity.ts", "shared/domain/fields/model-fields.ts"]);
  const ofFormat = ["shared/domain/values/export-formats.ts", "shared/formats/exporter.ts", FOREIGN_READERS];
  expect(editFor(addExportFormat)).toEqual(ofFormat);
});

test("each addition is in calls, documents, descriptions, pages and the command line", async () => {
  const files = ["new-action", "new-export-format", "new-field"].map((name) => ({
    file: `test/additions/${name}.test.ts`,
  }));
  const run = await runSuites(copy.folder, files, false);
  expect(run).toMatchObject({ passed: 4, failed: [], broken: [] });
});

test("each addition is in the types of objects, documents and the client", () => {
  const compiler = join(copy.folder, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "--noEmit", "--pretty", "false"], {
    cwd: copy.folder,
    encoding: "utf8",
  });
  expect(stdout).toBe("");
});
