import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import type { ExportFormat } from "../../../shared/domain/values/export-formats.ts";
import type { SourceFormat } from "../../../shared/domain/values/source-formats.ts";
import { createExporter } from "../../../shared/formats/exporter.ts";
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

/** Removes properties with these names, and empty lists of properties. */
function removeProperties(document: ModelDocument, names: readonly string[] = []): ModelDocument {
  return JSON.parse(JSON.stringify(document), (member, value) => {
    if (names.includes(member)) return undefined;
    return member === "properties" && Object.keys(value).length === 0 ? undefined : value;
  });
}
