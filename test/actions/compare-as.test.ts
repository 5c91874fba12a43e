import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { expectFaults, newKey, useWorld } from "./support/checked-world.ts";
import { aModel } from "./support/models.ts";

const world = useWorld();

const compareAs = (payload: object) => world.read("model/model_compare_as", { format: "postgresql", ...payload });
const refused = (payload: object) => world.refused("model/model_compare_as", { format: "postgresql", ...payload });

const table = (...fields: readonly object[]) => ({ name: "book", fields, primaryKey: "isbn" });
const LEFT = table({ name: "isbn", type: "string" }, { name: "year", type: "integer" });
const RIGHT = table(
  { name: "isbn", type: "string" },
  { name: "title", type: "string", constraints: { pattern: "^x" } },
  { name: "pages", type: "integer", constraints: { required: true } },
);

async function twoStates() {
  const key = newKey("book");
  await world.ok("model/import", { content: LEFT, modelKey: key });
  await world.ok("model/model_apply", { modelRef: `key:${key}`, content: RIGHT, prune: true });
  return { leftModelRef: `key:${key}`, leftModelVersion: "0.0.1", rightModelRef: `key:${key}` };
}

describe("model_compare_as", () => {
  test("drafts a migration in which statements that lose data are comments with the reason", async () => {
    const sides = await twoStates();
    const { content, warnings, ...file } = await compareAs(sides);
    const key = sides.rightModelRef.slice("key:".length);
    expect(file).toEqual({
      ...{ format: "postgresql", mediaType: "application/sql" },
      fileName: `${key.replace(/[^A-Za-z0-9._-]+/g, "_")}-migration.sql`,
    });
    expect(content).toContain(`--- Draft of a PostgreSQL migration from ${key} 0.0.1 to ${key}, revision 2.\n`);
    expect(content).toMatch(/\n\nBEGIN;\n\n[\s\S]*\n\nCOMMIT;\n$/);
    expect(content).toMatch(
      /\n--- It drops a column with all its values\.\n-- ALTER TABLE "\w+" DROP COLUMN "year";\n/,
    );
    expect(content).toMatch(/\nALTER TABLE "\w+" ADD COLUMN "title" text;\n/);
    expect(content).toMatch(/\nALTER TABLE "\w+" ADD COLUMN "pages" [a-z]+;\n/);
    expect(content).toMatch(/\n-- ALTER TABLE "\w+" ALTER COLUMN "pages" SET NOT NULL;\n/);
    // What both sides have and SQL does not say is no part of the difference.
    expect(warnings.filter(({ detail }: { detail: string }) => detail.includes("pattern"))).toMatchObject([
      { code: "not_written", pointers: [expect.stringMatching(/^\/right\/entities\/0\/.*\/pattern$/)] },
    ]);
  });

  test("comments out the comment on a foreign key together with the foreign key", async () => {
    const fields = [{ name: "id", type: "integer", constraints: { required: true } }];
    const foreignKey = { fields: "id", reference: { resource: "b", fields: "id" }, description: "Says why." };
    const createPackage = (...foreignKeys: readonly object[]) => ({
      name: "shop",
      resources: [
        { name: "a", path: "a.csv", schema: { fields, foreignKeys } },
        { name: "b", path: "b.csv", schema: { fields, primaryKey: "id" } },
      ],
    });
    const { content } = await compareAs({ leftContent: createPackage(), rightContent: createPackage(foreignKey) });
    expect(content).toMatch(/\n-- ALTER TABLE "a" ADD FOREIGN KEY \("id"\) REFERENCES "b" \("id"\);\n/);
    expect(content).toMatch(/\n-- COMMENT ON CONSTRAINT "a_id_fkey" ON "a" IS 'Says why.';\n/);
  });

  test("writes nothing to do between a model and itself", async () => {
    const model = await aModel(world);
    const { content, warnings } = await compareAs({ leftModelRef: model.ref, rightModelRef: model.byId });
    expect(content).toMatch(/^--- .*\n--- No changes\.\n$/);
    expect(warnings).toEqual([]);
  });

  test("reports changes and reasons by entity, the most severe first", async () => {
    const { content, ...file } = await compareAs({ ...(await twoStates()), format: "markdown" });
    expect(file).toMatchObject({ format: "markdown", mediaType: "text/markdown", warnings: [] });
    expect(content).toMatch(/^## Changes from `.+ 0\.0\.1` to `.+, revision 2`\n/);
    expect(content).toContain("| **breaking** | 1 | 1 | 0 | 0 | 2 |");
    const [, entity = ""] = content.split("### Entity ");
    expect(entity).toMatch(/- \*\*breaking\*\* attribute `pages` is new: .*required/);
    expect(entity).toMatch(/- \*\*breaking\*\* attribute `year` is gone: /);
    expect(entity.indexOf("**additive** attribute `title`")).toBeGreaterThan(entity.indexOf("**breaking**"));
  });

  test("escapes values of a model, mentions included", async () => {
    const left = { name: "a", fields: [{ name: "b", type: "string", description: "old" }] };
    const right = { name: "a", fields: [{ name: "b", type: "string", description: "<b>@all</b> | `x`" }] };
    const { content } = await compareAs({ leftContent: left, rightContent: right, format: "markdown" });
    expect(content).toContain("`description` `old` → `` <b>@all</b> | `x` ``");
    expect(content).toContain("(content)");
  });

  test("reports no more than a comment may hold, and warns about the rest", async () => {
    const fields = (type: string) => Array.from({ length: 2_000 }, (_, i) => ({ name: `field_${i}`, type }));
    const sides = { leftContent: { fields: fields("string") }, rightContent: { fields: fields("integer") } };
    const { content, warnings } = await compareAs({ ...sides, format: "markdown" });
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(LIMITS.commentBytes);
    expect(Buffer.byteLength(content)).toBeGreaterThan(LIMITS.commentBytes - 500);
    expect(content).toMatch(/\n\d+ more lines have no room in a comment; `model_compare` has them all\.\n$/);
    expect(warnings).toMatchObject([{ code: "not_written" }]);
  });

  test("is refused without two sides, with another format, and for missing or unreadable models", async () => {
    const { ref } = await aModel(world);
    const own = { leftModelRef: ref, rightModelRef: ref };
    expectFaults(await refused({ leftModelRef: ref }), "/rightModelRef", "/rightContent");
    expectFaults(await refused({ ...own, format: "html" }), "/format");
    expect(await refused({ ...own, rightModelRef: "key:nowhere-to-be-found" })).toMatchObject({ code: "not_found" });
    const content = (rightContent: unknown) => refused({ leftModelRef: ref, rightContent });
    expect(await content({ what: "is this" })).toMatchObject({ code: "source_not_recognised" });
    expect(await content({ fields: [{ type: "string" }] })).toMatchObject({ code: "invalid_content" });
  });
});
