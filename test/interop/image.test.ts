import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { thoseWithTools } from "./support/left-out.ts";
import { runStep } from "./support/run-step.ts";
import { imageTools } from "./support/toolbox.ts";

const ROOT = join(import.meta.dirname, "../..");
const there = await thoseWithTools([{ name: "hadolint and the schema of compose files", needs: ["python3"] }]);

describe.each(there)("$name", async () => {
  const { hadolint, composeSchema } = await imageTools();
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(await schema());

  /** The schema, as a draft that needs no other document. */
  async function schema(): Promise<object> {
    const { $schema: _, id: __, ...rest } = JSON.parse(await readFile(composeSchema, "utf8"));
    return JSON.parse(JSON.stringify(rest), (key, value) => (key === "id" && isPointer(value) ? undefined : value));
  }

  test("hadolint accepts the Dockerfile, and rejects a worse one", async () => {
    expect(await runStep(hadolint, [join(ROOT, "packaging/Dockerfile")])).toBe("");
    const worse = join(await mkdtemp(join(tmpdir(), "metaction-lint-")), "Dockerfile");
    const text = await readFile(join(ROOT, "packaging/Dockerfile"), "utf8");
    await writeFile(worse, text.replace("node:24-alpine", "node").replace("USER 1000:1000", "USER root"));
    await expect(runStep(hadolint, [worse])).rejects.toThrow(/DL3006[\s\S]*DL3002/);
  });

  test("the compose file is valid, and invalid with an unknown member", async () => {
    const compose = parse(await readFile(join(ROOT, "packaging/compose.yaml"), "utf8"));
    expect(validate(compose), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...compose, services: { metaction: { ...compose.services.metaction, prots: [] } } })).toBe(false);
  });
});

function isPointer(value: unknown) {
  return typeof value === "string" && value.startsWith("#");
}
