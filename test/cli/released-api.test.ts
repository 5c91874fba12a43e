import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createApiText, findUndeclaredBreaks, readReleasedApiText } from "../../packaging/released-api.ts";
import { createFolder, writeInto } from "../support/temporary-folder.ts";
import { useSignedIn } from "./support/signed-in.ts";

const here = useSignedIn();
const folder = createFolder();

/** Compares the document of the last release with another one, by `metaction diff`. */
async function compareWithReleased(document: string) {
  const released = await writeInto(folder, "released.json", readReleasedApiText());
  const file = await writeInto(folder, "openapi.json", document);
  const { code, stdout, stderr } = await here.run`diff ${released} ${file} --fail-on=breaking`;
  expect(stderr).toBe("");
  return { code, entries: JSON.parse(stdout).entries };
}

describe("the API, beside that of the last release", () => {
  test("has no breaking change that CHANGELOG.md does not name", async () => {
    const { code, entries } = await compareWithReleased(await createApiText());
    const changelog = await readFile(join(import.meta.dirname, "../../CHANGELOG.md"), "utf8");
    expect(findUndeclaredBreaks(entries, changelog)).toEqual([]);
    expect([0, 8]).toContain(code);
  });

  test("has a breaking change once a member of an answer is removed, a parameter required or an action removed", async () => {
    const api = JSON.parse(readReleasedApiText());
    delete api.components.schemas.Entity.properties.description;
    api.components.schemas.EntityListInput.required.push("limit");
    delete api.paths["/api/config/inspect_permissions"];
    api.components.schemas.EntityCreateInput.properties.entityKey["x-aliases"] = [];
    // Not breaking: an additional member of an answer, and an optional parameter.
    api.components.schemas.Type.properties.color = { type: "string" };
    api.components.schemas.Type.required.push("color");
    api.components.schemas.TypeGetInput.properties.color = { type: "string" };
    const { code, entries } = await compareWithReleased(JSON.stringify(api));
    expect(code).toBe(8);
    const removed = ["GET", "POST"].flatMap((method) =>
      [" 200", ""].map(
        (end) => `${method} /api/config/inspect_permissions${end}: removed; consumers that use it will fail`,
      ),
    );
    const [get, post] = [removed.slice(0, 2), removed.slice(2)];
    const member = "Entity.description: removed; consumers that use it will fail";
    const alias = "EntityCreateInput.entityKey: the alias key was removed";
    const parameter = "EntityListInput.limit: optional: writers that omit it will fail";
    const toChangelog = (...names: readonly string[]) =>
      `# Changelog\n\n## 2.0.0 (unreleased)\n\n- \`Entity.description\`\n\n### Breaking changes of the API\n\n${names.map((name) => `- \`${name}\` goes.\n`).join("")}\n### Others\n\n- \`EntityListInput.limit\`\n\n## 1.0.0\n\n### Breaking changes of the API\n\n- \`*\`\n`;
    expect(findUndeclaredBreaks(entries, toChangelog())).toEqual([...get, ...post, member, alias, parameter]);
    expect(findUndeclaredBreaks(entries, toChangelog("Entity.description", "*/inspect_permissions*"))).toEqual([
      alias,
      parameter,
    ]);
    expect(findUndeclaredBreaks(entries, toChangelog("Entity", "POST */inspect_permissions"))).toEqual([
      ...[...get, post[0]],
      ...[member, alias, parameter],
    ]);
  });
});
