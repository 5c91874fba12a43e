import type { ModelDocument } from "../../domain/document.ts";
import type { Findings } from "../findings.ts";
import { NO_NAME } from "../frictionless/header.ts";
import type { JsonObject } from "../json-object.ts";
import type { WrittenFile } from "../writer.ts";
import { type Coverage, warnUncovered } from "../writing/coverage.ts";
import { warnUnusedTypes } from "../writing/enum-types.ts";
import { type ModelTable, tablesOfModel } from "../writing/model-tables.ts";
import { warnReadBack } from "../writing/read-back.ts";
import { warnTags } from "../writing/tag-texts.ts";
import { fileName, writtenName } from "../writing/written-name.ts";
import { yamlText } from "../writing/yaml-text.ts";
import { type DbtNames, nodeOf } from "./write-node.ts";

const FORMAT = "dbt";
const ALL = { property: () => true };

const COVERAGE: Coverage = {
  format: FORMAT,
  model: { members: ["name", "entities", "relationships"] },
  types: { members: ["name"] },
  entities: { ...ALL, members: ["name", "description", "tags", "attributes", "primaryKey"] },
  attributes: {
    ...ALL,
    members: ["name", "description", "tags", "type", "optional"],
    constraints: ["enum", "unique", "maxLength"],
  },
  relationships: { members: ["roles", "keyPairs"] },
  roles: { members: ["entity", "cardinality"] },
  businessKeys: { members: ["entity", "participants"] },
  localTags: { members: ["name"] },
};

/** The lists of a properties file by the resource type of what they hold; anything else is a model. */
const LISTS: Readonly<Record<string, string>> = { model: "models", seed: "seeds", snapshot: "snapshots" };

/** Writes a model as a dbt properties file (`schema.yml`): a model, seed, snapshot or table of a source for each entity. */
export function writeDbt(document: ModelDocument, findings: Findings): WrittenFile {
  warnUncovered(document, COVERAGE, findings);
  const model = tablesOfModel(document, findings);
  warnReadBack(model, { format: FORMAT, namesReferences: false, uniqueSets: true });
  warnUnusedTypes(document, FORMAT, () => false, findings);
  const holders = [...document.entities, ...document.entities.flatMap((one) => one.attributes)];
  warnTags(document, FORMAT, holders, findings);
  if (document.key !== NO_NAME) findings.warn("/key", "not_written", "a properties file of dbt has no name");
  if (document.name !== document.key) findings.warn("/name", "not_written", "a properties file of dbt has no name");
  const names = namesOf(model.tables);
  const nodes = model.tables.map((table) => {
    const own = model.references.filter(({ from }) => from === table);
    return { ...names.placeOf(table), node: nodeOf(table, own, document, names) };
  });
  const file = {
    version: 2,
    ...Object.fromEntries(
      Object.entries(LISTS).flatMap(([type, list]) => {
        const found = nodes.filter((one) => one.type === type).map(({ node }) => node);
        return found.length > 0 ? [[list, found]] : [];
      }),
    ),
    ...sourcesOf(nodes),
  };
  return { fileName: fileName(document.key, ".schema.yml"), content: yamlText(file) };
}

interface Node {
  readonly type: string;
  readonly source?: string | undefined;
  readonly node: JsonObject;
}

function sourcesOf(nodes: readonly Node[]): JsonObject {
  const bySource = Map.groupBy(
    nodes.filter(({ type }) => type === "source"),
    ({ source, node: { schema, database } }) => JSON.stringify([source, schema, database]),
  );
  const sources = [...bySource.values()].map((list) => {
    const [
      {
        source,
        node: { schema, database },
      } = { source: "", node: {} as JsonObject },
    ] = list;
    const tables = list.map(({ node: { schema: _, database: __, ...table } }) => table);
    return {
      name: source,
      ...(schema !== undefined && { schema }),
      ...(database !== undefined && { database }),
      tables,
    };
  });
  return sources.length > 0 ? { sources } : {};
}

type Place = ReturnType<DbtNames["placeOf"]>;

function namesOf(tables: readonly ModelTable[]): DbtNames {
  const places = new Map(
    tables.map((table): readonly [ModelTable, Place] => {
      const name = writtenName(table.entity);
      const said = table.entity.properties?.["dbt:resource_type"];
      const dot = said === "source" ? name.indexOf(".") : -1;
      if (dot > 0 && dot < name.length - 1) {
        return [table, { type: "source", source: name.slice(0, dot), name: name.slice(dot + 1) }];
      }
      return [table, { type: typeof said === "string" && Object.hasOwn(LISTS, said) ? said : "model", name }];
    }),
  );
  return {
    placeOf: (table) => places.get(table) ?? { type: "model", name: table.key },
    refTo: (table) => {
      const { source, name }: Place = places.get(table) ?? { type: "model", name: table.key };
      const words = source === undefined ? [name] : [source, name];
      const quoted = words.map((word) => (word.includes("'") ? `"${word}"` : `'${word}'`));
      const isSayable = words.every((word) => !word.includes(")") && !(word.includes("'") && word.includes('"')));
      return isSayable ? `${source === undefined ? "ref" : "source"}(${quoted.join(", ")})` : undefined;
    },
  };
}
