import type { ModelDocument, RelationshipDocument } from "../../domain/document/document.ts";
import type { Cardinality } from "../../domain/values/model-types.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import type { Coverage } from "../common/writing/coverage.ts";
import { createModelTables, type ModelColumn, type ModelTable, toKey } from "../common/writing/model-tables.ts";
import { toUniqueWords } from "../common/writing/written-names.ts";

const MERMAID = "Mermaid";

export const MERMAID_COVERAGE: Coverage = {
  format: MERMAID,
  model: { members: ["name", "entities", "relationships"] },
  types: { members: [] },
  entities: { members: ["name", "attributes", "primaryKey"] },
  attributes: { members: ["name", "type", "optional"], constraints: ["unique"] },
  relationships: { members: ["name", "roles", "keyPairs"] },
  roles: { members: ["entity", "cardinality"] },
  businessKeys: { members: ["entity", "participants"] },
};

/** Writes a model as a Mermaid entity relationship diagram. */
export function writeMermaid(document: ModelDocument, diagnostics: Diagnostics): string {
  const { tables, references } = createModelTables(document, diagnostics);
  const names = toUniqueWords(
    tables.map(({ key }) => key),
    "entity",
  );
  const ids = new Map(tables.map(({ key }, i) => [`key:${key}`, names[i] ?? "entity"]));
  const referencesByTable = Map.groupBy(references, ({ from }) => from);
  const lines = [
    "---",
    `title: ${JSON.stringify(document.name)}`,
    "---",
    "erDiagram",
    ...tables.flatMap((table) => [
      `  ${ids.get(`key:${table.key}`)}["${escapeLabel(table.entity.name ?? table.key)}"] {`,
      ...formatColumns(table, new Set(referencesByTable.get(table)?.flatMap(({ columns }) => columns))),
      "  }",
    ]),
    ...document.relationships.flatMap((one, i) => formatRelationship(one, ids, diagnostics.at(`/relationships/${i}`))),
  ];
  return `${lines.join("\n")}\n`;
}

function formatColumns({ columns, unique, at }: ModelTable, foreignKeys: ReadonlySet<string>): readonly string[] {
  const words = toUniqueWords(
    columns.map(({ key }) => key),
    "attribute",
  );
  for (const { businessKey, columns: set } of unique) {
    if (businessKey && set.length !== 1) {
      at.warn("", "not_written", "Mermaid has business keys of one attribute only");
    }
  }
  const uniqueKeys = new Set(unique.filter((set) => set.columns.length === 1).flatMap((set) => set.columns));
  return columns.map((column, i) => formatColumn(column, words[i] ?? "attribute", foreignKeys, uniqueKeys));
}

function formatColumn(
  { key, attribute, type, inKey, at }: ModelColumn,
  word: string,
  foreignKeys: ReadonlySet<string>,
  uniqueKeys: ReadonlySet<string>,
) {
  const [typeWord = "any"] = toUniqueWords([type], "any");
  if (word !== key) at.warn("/key", "written_otherwise", "Mermaid attribute names consist of letters, digits, _ and -");
  if (typeWord !== type)
    at.warn("/type", "written_otherwise", "Mermaid type names consist of letters, digits, _ and -");
  const marks = [inKey && "PK", foreignKeys.has(key) && "FK", uniqueKeys.has(key) && !inKey && "UK"]
    .filter(Boolean)
    .join(", ");
  const texts = [
    ...(attribute.name !== undefined && attribute.name !== key ? [attribute.name] : word === key ? [] : [key]),
    ...(attribute.optional ? ["optional"] : []),
  ];
  const comment = texts.length > 0 ? ` "${escapeLabel(texts.join(", "))}"` : "";
  return `    ${typeWord} ${word}${marks && ` ${marks}`}${comment}`;
}

const LEFT: Readonly<Record<Cardinality, string>> = { one: "||", zeroOrOne: "|o", many: "}o", unknown: "}o" };
const RIGHT: Readonly<Record<Cardinality, string>> = { one: "||", zeroOrOne: "o|", many: "o{", unknown: "o{" };

function formatRelationship(
  { key, name, roles }: RelationshipDocument,
  ids: ReadonlyMap<string, string>,
  at: Diagnostics,
): readonly string[] {
  const [first, second] = roles;
  if (roles.length !== 2 || !first || !second) {
    at.warn("", "not_written", "Mermaid has no relationships with more than two roles");
    return [];
  }
  for (const [i, { cardinality }] of roles.entries()) {
    if (cardinality === "unknown")
      at.warn(`/roles/${i}/cardinality`, "written_otherwise", "an unknown cardinality is written as many");
  }
  const [from, to] = [ids.get(first.entity), ids.get(second.entity)];
  return [
    `  ${from} ${LEFT[first.cardinality]}--${RIGHT[second.cardinality]} ${to} : "${escapeLabel(name ?? toKey(key))}"`,
  ];
}

function escapeLabel(text: string) {
  const line = text.replace(/[\p{Cc}\s]+/gu, " ");
  return line.replace(/["#&<>;\\`%{}]/g, (sign) => `#${sign.codePointAt(0)};`);
}
