import { describe, expect, test } from "vitest";
import { EXPORT_FORMAT_NAMES, EXPORT_FORMATS } from "../../shared/domain/values/export-formats.ts";
import { expectFaults, newKey, useWorld } from "./support/checked-world.ts";
import { aModel } from "./support/models.ts";

const world = useWorld();

const FIELDS = [
  { name: "isbn", type: "string", format: "isbn", constraints: { required: true, pattern: "^\\d+$" } },
  { name: "née", type: "date", examples: ["2020-01-01"] },
];
const BOOK = { fields: FIELDS, primaryKey: "isbn", missingValues: ["", "-"] };
const LOAN = {
  fields: [{ name: "book", type: "string" }],
  foreignKeys: [{ fields: "book", reference: { resource: "book", fields: "isbn" } }],
};
const DESCRIPTOR = {
  ...{ name: "library", title: "Library", licenses: [{ name: "CC0-1.0" }] },
  resources: [
    { name: "book", path: "book.csv", encoding: "utf-8", schema: BOOK },
    { name: "loan", path: "loan.csv", schema: LOAN },
  ],
};

const exportAs = (payload: object) => world.read("model/model_export_as", { format: "frictionless", ...payload });

describe("model_export_as", () => {
  test("writes the model as it was at a version or a revision, with the entity tag of that revision", async () => {
    const modelRef = `key:${newKey()}`;
    await world.ok("model/import", { content: DESCRIPTOR, modelKey: modelRef.slice("key:".length) });
    const then = await world.ok("model/model_export_as", { modelRef, format: "frictionless" });
    await world.ok("model/model_update_name", { modelRef, name: "Renamed" });
    expect(JSON.parse((await exportAs({ modelRef })).content).title).toBe("Renamed");
    for (const moment of [{ revision: 1 }, { version: "0.0.1" }]) {
      const past = await world.ok("model/model_export_as", { modelRef, format: "frictionless", ...moment });
      expect(past).toMatchObject({ body: then.body, etag: then.etag });
    }
  });

  test.each(EXPORT_FORMAT_NAMES)("writes the whole model as %s, and names the format in its answer", async (format) => {
    const { body } = await world.ok("model/import", { content: DESCRIPTOR, modelKey: newKey() });
    const { content, ...file } = await exportAs({ modelRef: `id:${body.id}`, format });
    expect(file).toMatchObject({ format, mediaType: EXPORT_FORMATS[format].mediaType });
    for (const name of ["book", "isbn", "loan"]) expect(content).toContain(name);
  });

  test("is refused for an unknown format, and for two points in time at once", async () => {
    const model = await aModel(world);
    const ask = { modelRef: model.ref, format: "frictionless" };
    expectFaults(await world.refused("model/model_export_as", { ...ask, format: "parquet" }), "/format");
    expectFaults(await world.refused("model/model_export_as", { modelRef: model.ref }), "/format");
    await world.refused("model/model_export_as", { ...ask, version: "0.0.1", revision: 1 });
  });
});
