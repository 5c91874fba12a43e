import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import { EXPORT_FORMAT_NAMES, type ExportFormat } from "../../../shared/domain/values/export-formats.ts";
import type { SourceFormat } from "../../../shared/domain/values/source-formats.ts";
import { createExporter } from "../../../shared/formats/exporter.ts";
import { exported, models } from "../documents.ts";
import { readContent } from "../reading.ts";
import { SAYABLE } from "./sayable.ts";
import { sourceModels, stripped } from "./source-models.ts";

const SEED = process.env.METACTION_SEED === "new" ? Date.now() % 2 ** 31 : 20_261_123;
const RUNS = 150;

describe("a random model that a format can hold", () => {
  test.each(
    Object.entries(SAYABLE),
  )(`is equal after an export and import as %s (seed ${SEED})`, async (format, says) => {
    await fc.assert(
      fc.asyncProperty(sourceModels(says), async (document) => {
        const file = await createExporter().write(document, format as ExportFormat);
        // Only an Avro schema of one record names a model.
        expect(file.warnings.filter(({ pointers }) => format !== "avro" || String(pointers) !== "/key")).toEqual([]);
        const names = { modelKey: document.key, modelName: document.name };
        const { document: back, warnings } = await readContent(file.content, {
          ...names,
          format: format as SourceFormat,
        });
        expect(warnings.filter(({ code }) => code !== "key_made")).toEqual([]);
        expect(removeProperties(stripped(back), says.added)).toEqual(document);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});

function removeProperties(document: ModelDocument, names: readonly string[] = []): ModelDocument {
  return JSON.parse(JSON.stringify(document), (member, value) => {
    if (names.includes(member)) return undefined;
    return member === "properties" && Object.keys(value).length === 0 ? undefined : value;
  });
}

const exporter = createExporter();

const READ = new Set<ExportFormat>([
  ...(["dbml", "jsonschema", "odcs", "dbt", "avro", "frictionless"] as const),
  ...(["mysql", "sqlite", "tsql", "snowflake", "bigquery"] as const),
]);

function everyModel(format: ExportFormat, look: (content: string, document: ModelDocument) => void | Promise<void>) {
  return fc.assert(
    fc.asyncProperty(models, async (made) => {
      const document = exported(made);
      const file = await exporter.write(document, format);
      for (const { pointers } of file.warnings) {
        for (const pointer of pointers) expect(valueAt(document, pointer), pointer).not.toBeUndefined();
      }
      await look(file.content, document);
    }),
    // Models of this size take minutes to shrink; the seed shows the same one again.
    { seed: SEED, numRuns: 40, endOnFailure: true },
  );
}

/** The value at a JSON pointer of a document, or null where it is absent in an object that is there. */
function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  const steps = pointer.split("/").slice(1);
  for (const [i, token] of steps.entries()) {
    if (typeof value !== "object" || value === null) return undefined;
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    value = Object.hasOwn(value, name)
      ? (value as Record<string, unknown>)[name]
      : i === steps.length - 1
        ? null
        : undefined;
  }
  return value;
}

describe(`a random model with every kind of object (seed ${SEED})`, () => {
  test.each(EXPORT_FORMAT_NAMES)("is written as %s, with pointers in the warnings, and read again", async (format) => {
    await everyModel(format, async (content, { entities }) => {
      expect(content).toMatch(/\n$/);
      if (!READ.has(format)) return;
      const { document } = await readContent(content, { format: format as SourceFormat });
      const filled = entities.filter(({ attributes }) => attributes.length > 0);
      expect(document.entities.length).toBeGreaterThanOrEqual(filled.length);
    });
  });

  test("is a JSON Schema that ajv accepts", async () => {
    await everyModel("jsonschema", (content) => {
      const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
      expect(ajv.validateSchema(JSON.parse(content)), ajv.errorsText(ajv.errors)).toBe(true);
      ajv.compile(JSON.parse(content));
    });
  });
});
