import type { ModelDocument, RelationshipDocument } from "../../domain/document.ts";
import type { Cardinality } from "../../domain/structure-types.ts";
import type { Findings } from "../findings.ts";
import type { WrittenFile } from "../writer.ts";
import { type Coverage, warnUncovered } from "../writing/coverage.ts";
import { keyIn, type ModelTable, tablesOfModel } from "../writing/model-tables.ts";
import { fileName } from "../writing/written-name.ts";
import { dotString, htmlText } from "./dot-strings.ts";

const COVERAGE: Coverage = {
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

/** Writes a model as a graph in the language of Graphviz: entities as tables, relationships as edges with crow's feet. */
export function writeGraphviz(document: ModelDocument, findings: Findings): WrittenFile {
  warnUncovered(document, COVERAGE, findings);
  const { tables } = tablesOfModel(document, findings);
  const ids = new Map(tables.map(({ key }, i) => [`key:${key}`, `e${i}`]));
  const lines = [
    `digraph ${dotString(document.key)} {`,
    ...[...SETTINGS, `label=${dotString(document.name)}`].map((line) => `  ${line}`),
    ...tables.map((table, i) => `  ${nodeOf(table, `e${i}`)}`),
    ...document.relationships.flatMap((one, i) => edgesOf(one, i, tables, ids).map((line) => `  ${line}`)),
    "}",
  ];
  return { fileName: fileName(document.key, ".dot"), content: `${lines.join("\n")}\n` };
}

function nodeOf({ entity, key, columns }: ModelTable, id: string): string {
  const name =
    entity.name === undefined || entity.name === key
      ? ""
      : `<BR/><FONT POINT-SIZE="9" COLOR="#5c6470">${htmlText(key)}</FONT>`;
  const head = `<TR><TD PORT="h" COLSPAN="2" BGCOLOR="#e4e8ee" ALIGN="LEFT"><B>${htmlText(entity.name ?? key)}</B>${name}</TD></TR>`;
  const rows = columns.map(({ attribute, type, inKey }, i) => {
    const text = htmlText(attribute.name ?? attribute.key);
    const shown = inKey ? `<U>${text}</U>` : text;
    const mark = attribute.optional ? "?" : "";
    return `<TR><TD PORT="a${i}" ALIGN="LEFT">${shown}</TD><TD PORT="b${i}" ALIGN="LEFT"><FONT COLOR="#5c6470">${htmlText(type)}${mark}</FONT></TD></TR>`;
  });
  const table = `<TABLE BORDER="1" CELLBORDER="0" CELLSPACING="0" CELLPADDING="4" COLOR="#cfd5dd" BGCOLOR="#ffffff">${head}${rows.join("")}</TABLE>`;
  const tip = entity.description === undefined ? "" : ` tooltip=${dotString(entity.description)}`;
  return `${id} [label=<${table}>${tip}];`;
}

function edgesOf(
  { key, name, roles, keyPairs = [] }: RelationshipDocument,
  at: number,
  tables: readonly ModelTable[],
  ids: ReadonlyMap<string, string>,
): readonly string[] {
  /** The row that a side joins by, at its left or right edge; the head of the table where there is none. */
  const port = (side: number, edge: "w" | "e"): string => {
    const role = roles[side];
    const table = tables.find((one) => `key:${one.key}` === role?.entity);
    const pair = keyPairs[0]?.[side];
    const row = pair === undefined ? -1 : (table?.columns.findIndex((one) => one.key === keyIn(pair)) ?? -1);
    const cell = row < 0 ? "h" : `${edge === "w" ? "a" : "b"}${row}`;
    return `${ids.get(role?.entity ?? "")}:${cell}:${edge}`;
  };
  const roleLabel = (side: number): string => {
    const role = roles[side];
    const said = role?.name ?? role?.key ?? "";
    return `key:${said}` === role?.entity ? "" : said;
  };
  if (roles.length === 2) {
    // What there is one of stands to the left of what there are many of.
    const [tail, head] = roles[0]?.cardinality === "many" && roles[1]?.cardinality !== "many" ? [1, 0] : [0, 1];
    const isLoop = roles[0]?.entity === roles[1]?.entity;
    const settings = [
      `label=${dotString(name ?? key)}`,
      `arrowtail=${ARROWS[roles[tail]?.cardinality ?? "unknown"]}`,
      `arrowhead=${ARROWS[roles[head]?.cardinality ?? "unknown"]}`,
      `taillabel=${dotString(roleLabel(tail))}`,
      `headlabel=${dotString(roleLabel(head))}`,
    ];
    return [`${port(tail, "e")} -> ${port(head, isLoop ? "e" : "w")} [${settings.join(" ")}];`];
  }
  return [
    `r${at} [shape=diamond style=filled fillcolor="#ffffff" color="#8b94a1" label=${dotString(name ?? key)}];`,
    ...roles.map(({ cardinality }, i) => {
      const settings = `arrowtail=none arrowhead=${ARROWS[cardinality]} headlabel=${dotString(roleLabel(i))}`;
      return `r${at} -> ${port(i, "w")} [${settings}];`;
    }),
  ];
}
