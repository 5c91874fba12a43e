import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createFolder } from "../support/temporary-folder.ts";
import { apiDocument } from "../web/support/described-service.ts";

describe("the Redocly linter", () => {
  const folder = createFolder();
  const lint = (name: string, document: string) => {
    const file = join(folder, name);
    writeFileSync(file, document);
    const root = fileURLToPath(new URL("../../", import.meta.url));
    const arguments_ = [join(root, "node_modules/@redocly/cli/bin/cli.js"), "lint", file, "--format=json"];
    return spawnSync(process.execPath, [...arguments_, `--config=${join(root, "test/shape/support/redocly.yaml")}`], {
      encoding: "utf8",
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    });
  };

  test("reports nothing", { timeout: 60_000 }, async () => {
    const { status, stdout } = lint("openapi.json", JSON.stringify(await apiDocument()));
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 } });
    expect(status).toBe(0);
  });

  test("rejects an example that violates its schema", { timeout: 60_000 }, async () => {
    const { status, stdout } = lint(
      "broken.json",
      JSON.stringify(await apiDocument()).replaceAll('"modelRef":"key:crm"', '"modelReff":"key:crm"'),
    );
    expect(status).toBe(1);
    expect(stdout).toContain("no-invalid-media-type-examples");
  });
});
