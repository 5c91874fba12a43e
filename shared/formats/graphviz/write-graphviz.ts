import { escapeMarkup, removeIllegal } from "../../diagram/diagram-text.ts";
import type { ModelDocument, RelationshipDocument } from "../../domain/document/document.ts";
import type { Cardinality } from "../../domain/values/model-types.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import type { Coverage } from "../common/writing/coverage.ts";
import { createModelTables, type ModelTable, toKey } from "../common/writing/model-tables.ts";

export const GRAPHVIZ_COVERAGE: Coverage = {
  format: "Graphviz",
  model: { members: ["name", "entities", "relationships"] },
  types: { members: [] },
  entities: { members: ["name", "description", "attributes", "primaryKey"] },
  attributes: { members: ["name", "type", "optional"] },
  relationships: { members: ["name", "roles", "keyPairs"] },
  roles: { members: ["name", "entity", "cardinality"] },
};

const SETTINGS = [
  'graph [rankdir=LR nodesep=0.5 ranksep=1.2 fontname="Arial" fontsize=14 labelloc=t bgcolor="#fbfcfd" pad=0.4]',
  'node [shape=plain fontname="Arial" fontsize=11]',
  'edge [dir=both color="#8b94a1" fontname="Arial" fontsize=9 fontcolor="#5c6470" arrowsize=0.9]',
];

const ARROWS: Readonly<Record<Cardinality, string>> = {
  one: "teetee",
  zeroOrOne: "teeodot",
  many: "crowodot",
  unknown: "none",
};

/** Writes a model as a Graphviz graph with crow's feet. */
export function writeGraphviz(document: ModelDocument, diagnostics: Diagnostics): string {
  const { tables } = createModelTables(document, diagnostics);
  const ids = new Map(tables.map(({ key }, i) => [`key:${key}`, `e${i}`]));
  const rows = new Map(
    tables.map(({ key, columns }) => [`key:${key}`, new Map(columns.map((one, i) => [one.key, i]))]),
  );
  const lines = [
    `digraph ${quoteDot(document.key)} {`,
    ...[...SETTINGS, `label=${quoteDot(document.name)}`].map((line) => `  ${line}`),
    ...tables.map((table, i) => `  ${formatNode(table, `e${i}`)}`),
    ...document.relationships.flatMap((one, i) => formatEdges(one, i, rows, ids).map((line) => `  ${line}`)),
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

function formatNode({ entity, key, columns }: ModelTable, id: string) {
  const name =
    entity.name === undefined || entity.name === key
      ? ""
      : `<BR/><FONT POINT-SIZE="9" COLOR="#5c6470">${escapeLabel(key)}</FONT>`;
  const head = `<TR><TD PORT="h" COLSPAN="2" BGCOLOR="#e4e8ee" ALIGN="LEFT"><B>${escapeLabel(entity.name ?? key)}</B>${name}</TD></TR>`;
  const rows = columns.map(({ attribute, type, inKey }, i) => {
    const text = escapeLabel(attribute.name ?? attribute.key);
    const markup = inKey ? `<U>${text}</U>` : text;
    const mark = attribute.optional ? "?" : "";
    return `<TR><TD PORT="a${i}" ALIGN="LEFT">${markup}</TD><TD PORT="b${i}" ALIGN="LEFT"><FONT COLOR="#5c6470">${escapeLabel(type)}${mark}</FONT></TD></TR>`;
  });
  const table = `<TABLE BORDER="1" CELLBORDER="0" CELLSPACING="0" CELLPADDING="4" COLOR="#cfd5dd" BGCOLOR="#ffffff">${head}${rows.join("")}</TABLE>`;
  // Graphviz interprets backslashes in tooltips twice.
  const text = entity.description?.replaceAll("\\", "\\\\");
  const tip = text === undefined ? "" : ` tooltip=${quoteDot(text)}`;
  return `${id} [label=<${table}>${tip}];`;
}

function formatEdges(
  { key, name, roles, keyPairs = [] }: RelationshipDocument,
  index: number,
  rows: ReadonlyMap<string, ReadonlyMap<string, number>>,
  ids: ReadonlyMap<string, string>,
): readonly string[] {
  const toPort = (side: number, edge: "w" | "e") => {
    const role = roles[side];
    const pair = keyPairs[0]?.[side];
    const row = pair === undefined ? undefined : rows.get(role?.entity ?? "")?.get(toKey(pair));
    const cell = row === undefined ? "h" : `${edge === "w" ? "a" : "b"}${row}`;
    return `${ids.get(role?.entity ?? "")}:${cell}:${edge}`;
  };
  const roleLabel = (side: number) => {
    const role = roles[side];
    const roleName = role?.name ?? role?.key ?? "";
    return `key:${roleName}` === role?.entity ? "" : roleName;
  };
  if (roles.length === 2) {
    // Edges lead from the side of one to the side of many.
    const [tail, head] = roles[0]?.cardinality === "many" && roles[1]?.cardinality !== "many" ? [1, 0] : [0, 1];
    const isLoop = roles[0]?.entity === roles[1]?.entity;
    const settings = [
      `label=${quoteDot(name ?? key)}`,
      `arrowtail=${ARROWS[roles[tail]?.cardinality ?? "unknown"]}`,
      `arrowhead=${ARROWS[roles[head]?.cardinality ?? "unknown"]}`,
      `taillabel=${quoteDot(roleLabel(tail))}`,
      `headlabel=${quoteDot(roleLabel(head))}`,
    ];
    return [`${toPort(tail, "e")} -> ${toPort(head, isLoop ? "e" : "w")} [${settings.join(" ")}];`];
  }
  return [
    `r${index} [shape=diamond style=filled fillcolor="#ffffff" color="#8b94a1" label=${quoteDot(name ?? key)}];`,
    ...roles.map(({ cardinality }, i) => {
      const settings = `arrowtail=none arrowhead=${ARROWS[cardinality]} headlabel=${quoteDot(roleLabel(i))}`;
      return `r${index} -> ${toPort(i, "w")} [${settings}];`;
    }),
  ];
}

function quoteDot(text: string) {
  const legalText = removeIllegal(text)
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replace(/\r\n|\r|\n/g, "\\n");
  // Graphviz also interprets HTML entities in quoted texts.
  return `"${legalText.replaceAll("&", "&amp;")}"`;
}

function escapeLabel(text: string) {
  // Graphviz replaces escapes such as `\N` in labels too.
  const markup = escapeMarkup(text).replaceAll("\\", "\\\\");
  // Graphviz rejects empty labels.
  return markup.trim() === "" ? "&#160;" : markup.replace(/\r\n|\r|\n/g, " ");
}
