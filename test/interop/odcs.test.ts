import { readFileSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import type { JsonValue } from "../../shared/domain/text/json-values.ts";
import { createExporter } from "../../shared/formats/exporter.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import { CONTRACT, LIST, OBJECT, PART } from "../../shared/formats/odcs/known-members.ts";
import { exported, models } from "../formats/documents.ts";
import { SAYABLE } from "../formats/writing/sayable.ts";
import { type SayableTables, sourceModels } from "../formats/writing/source-models.ts";
import { seedOf } from "../support/chance.ts";
import { thoseWithTools } from "./support/left-out.ts";
import { odcsSchema } from "./support/toolbox.ts";

const DATA = join(import.meta.dirname, "../../../shared/data");
const SEED = seedOf("odcs");
const RUNS = 300;

const there = await thoseWithTools([{ name: "the published schema of ODCS", needs: ["python3"] }]);

describe.each(there)("$name", async () => {
  const schema = JSON.parse(await readFile(await odcsSchema(), "utf8"));
  const validate = new Ajv2019({ strict: false, allErrors: true, validateFormats: false }).compile(schema);

  /** The faults of a contract, each with its place. */
  function faultsOf(contract: unknown): readonly string[] {
    if (validate(contract)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath, message, JSON.stringify(params)].join(" "),
    );
  }

  async function faultsWritten(document: ModelDocument): Promise<readonly string[]> {
    const { content } = await createExporter().write(document, "odcs");
    return faultsOf(parse(content));
  }

  const contracts = async () => (await Array.fromAsync(glob(join(DATA, "odcs/*.yaml")))).toSorted();

  test("accepts real contracts", async () => {
    const found = (await contracts()).map((file) => [
      relative(DATA, file),
      faultsOf(parse(readFileSync(file, "utf8"))),
    ]);
    expect(found.length).toBeGreaterThan(3);
    expect(found.filter(([, faults]) => faults?.length)).toEqual([]);
  });

  test("rejects broken contracts", async () => {
    const [file = ""] = (await contracts()).filter((one) => one.endsWith("full-example.odcs.yaml"));
    const contract = parse(readFileSync(file, "utf8"));
    const { id: _, ...nameless } = contract;
    expect(faultsOf(nameless)).toEqual([expect.stringContaining("must have required property 'id'")]);
    const [first, ...rest] = contract.schema;
    const odd = { ...contract, schema: [{ ...first, logicalType: "table", odd: 1 }, ...rest] };
    expect(faultsOf(odd).join("\n")).toMatch(/\/schema\/0.* (must be equal|must NOT have)/);
  });

  test("accepts the exported models of all real files", async () => {
    const pattern = "{sql,dbml,dbt,odcs,frictionless,versions}/**/*.{sql,dbml,yml,yaml,json}";
    const faults: Record<string, readonly string[]> = {};
    let written = 0;
    for (const file of (await Array.fromAsync(glob(join(DATA, pattern)))).toSorted()) {
      const content = readFileSync(file, "utf8");
      const read = await createImporter({ allowPrivate: false })
        .read({ content }, { modelKey: "m" })
        .catch(() => undefined);
      if (!read) continue;
      written++;
      const found = await faultsWritten(read.document);
      if (found.length > 0) faults[relative(DATA, file)] = found.slice(0, 3);
    }
    expect(faults).toEqual({});
    console.log(`${written} models of real files`);
    expect(written).toBeGreaterThan(20);
  });

  test(`accepts exports of members with values that ODCS does not have (seed ${SEED})`, async () => {
    const members = Object.keys({ ...CONTRACT, ...OBJECT, ...LIST, ...PART, odd: 1, relationships: 1 });
    const value = fc.constantFrom<JsonValue>("a b", 5, true, null, [1], [], {}, { a: 1 }, [{ a: 1 }]);
    const odd = fc.dictionary(fc.constantFrom(...members.map((member) => `odcs:${member}`)), value, { maxKeys: 5 });
    const changed = fc.tuple(sourceModels(SAYABLE.odcs as SayableTables), odd, odd, odd).map(([model, a, b, c]) => ({
      ...model,
      properties: { ...model.properties, ...a },
      entities: model.entities.map((entity) => ({
        ...entity,
        properties: { ...entity.properties, ...b },
        attributes: entity.attributes.map((one) => ({ ...one, properties: { ...one.properties, ...c } })),
      })),
    }));
    const lists = /^\/(servers|support|roles|slaProperties|team|authoritativeDefinitions|schema\/.*quality)\b/;
    await fc.assert(
      fc.asyncProperty(changed, async (document) => {
        // What stands inside of lists is as it was given.
        expect((await faultsWritten(document)).filter((fault) => !lists.test(fault))).toEqual([]);
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
  });

  test.each<[string, fc.Arbitrary<ModelDocument>]>([
    ["everything that a model can hold", models.map(exported)],
    ...Object.entries(SAYABLE).map(([format, says]): [string, fc.Arbitrary<ModelDocument>] => [
      `what ${format} can say`,
      sourceModels(says),
    ]),
  ])(`accepts the exports of random models of %s (seed ${SEED})`, async (_, arbitrary) => {
    await fc.assert(
      fc.asyncProperty(arbitrary, async (document) => {
        expect(await faultsWritten(document)).toEqual([]);
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
  });
});
