import type { ModelDocument, RelationshipDocument } from "../../domain/document.ts";
import type { Properties } from "../../domain/properties.ts";
import type { Findings } from "../findings.ts";
import type { WrittenFile } from "../writer.ts";
import { type Coverage, warnUncovered } from "../writing/coverage.ts";
import { keyIn, type ModelTable, tablesOfModel } from "../writing/model-tables.ts";
import { CARDINALITY_WORDS, constraintTexts } from "../writing/words.ts";
import { fileName } from "../writing/written-name.ts";
import { cell, code, heading, link, paragraph } from "./markdown-text.ts";

const ALL = { property: () => true };
const TEXTS = ["name", "description", "documentationHome", "tags", "properties"];

/** A dictionary for people says everything. */
export const DICTIONARY: Coverage = {
  format: "Markdown",
  model: {
    ...ALL,
    members: [...TEXTS, "version", "authority", "types", "entities", "relationships", "businessKeys", "localTags"],
  },
  types: { ...ALL, members: TEXTS },
  entities: { ...ALL, members: [...TEXTS, "attributes", "primaryKey"] },
  attributes: { ...ALL, members: [...TEXTS, "type", "optional", "constraints"] },
  relationships: { ...ALL, members: [...TEXTS, "roles", "keyPairs", "attributes"] },
  relationshipAttributes: { ...ALL, members: [...TEXTS, "type", "optional", "constraints"] },
  roles: { members: ["name", "entity", "cardinality"] },
  businessKeys: { ...ALL, members: [...TEXTS, "entity", "participants"] },
  localTags: { ...ALL, members: TEXTS },
  tagGroups: { ...ALL, members: [...TEXTS, "tags"] },
  tags: { ...ALL, members: TEXTS },
};

/** Writes a model as a data dictionary in Markdown, for people: a section for each entity and each relationship. */
export function writeMarkdown(document: ModelDocument, findings: Findings): WrittenFile {
  warnUncovered(document, DICTIONARY, findings);
  const { tables } = tablesOfModel(document, findings);
  const sections = [
    modelSection(document),
    ...(tables.length > 0 ? [heading(2, "Entities"), contents(tables)] : []),
    ...tables.map(entitySection),
    ...(document.relationships.length > 0 ? [heading(2, "Relationships")] : []),
    ...document.relationships.map(relationshipSection),
    typesSection(document),
    tagsSection(document),
  ];
  const content = sections.filter((section) => section !== "").join("\n\n");
  return { fileName: fileName(document.key, ".md"), content: `${content}\n` };
}

interface Described {
  readonly key: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly documentationHome?: string | undefined;
  readonly properties?: Properties;
  readonly tags?: readonly string[];
}

function modelSection(document: ModelDocument): string {
  const { name, key, version, authority, entities, relationships } = document;
  const counts = `${entities.length} entities, ${relationships.length} relationships`;
  const facts = [`Key ${code(key)}`, `version ${code(version)}`, `authority ${code(authority)}`, counts];
  return [heading(1, name), facts.join(" · "), ...describedLines(document)].join("\n\n");
}

/** The title of an object: its name, with the key where that is another one. */
function titled({ key, name }: Described): string {
  return name === undefined || name === key ? key : `${name} (${key})`;
}

function describedLines({ description, documentationHome, properties, tags = [] }: Described): readonly string[] {
  return [
    ...(description === undefined ? [] : [paragraph(description)]),
    ...(documentationHome === undefined ? [] : [`Documentation: ${link(documentationHome)}`]),
    ...(tags.length > 0 ? [`Tags: ${tags.map((ref) => code(keyIn(ref))).join(", ")}`] : []),
    ...propertyLines(properties),
  ];
}

function propertyLines(properties: Properties = {}): readonly string[] {
  const lines = Object.entries(properties).map(([name, value]) => `- ${code(name)}: ${code(JSON.stringify(value))}`);
  return lines.length > 0 ? [lines.join("\n")] : [];
}

function contents(tables: readonly ModelTable[]): string {
  const rows = tables.map(({ entity, key, columns }) => {
    const [line = ""] = (entity.description ?? "").split("\n", 1);
    return [code(key), cell(entity.name ?? ""), String(columns.length), cell(line)];
  });
  return tableOf(["Entity", "Name", "Attributes", "Description"], rows);
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function entitySection({ entity, primaryKey, unique }: ModelTable): string {
  const keys = unique.flatMap(({ businessKey, columns: set }) => {
    if (!businessKey) return [];
    const { description, name } = businessKey;
    const said = [name, description].filter((one) => one !== undefined).map(cell);
    const of = set.length > 0 ? set.map(code).join(", ") : "no attributes";
    const more = propertyLines(businessKey.properties).map((lines) => `\n${lines.replaceAll(/^/gm, "  ")}`);
    return [`- Business key ${code(businessKey.key)}: ${[of, ...said].join(" – ")}${more.join("")}`];
  });
  return [
    heading(3, titled(entity)),
    ...describedLines(entity),
    attributesTable(entity.attributes, primaryKey),
    ...(keys.length > 0 ? [keys.join("\n")] : []),
    ...(primaryKey.length > 1 ? [`Primary key: ${primaryKey.map(code).join(", ")}`] : []),
  ]
    .filter((line) => line !== "")
    .join("\n\n");
}

function attributesTable(
  attributes: ModelDocument["entities"][number]["attributes"],
  primaryKey: readonly string[],
): string {
  if (attributes.length === 0) return "";
  const rows = attributes.map((one) => {
    const marks = [primaryKey.includes(one.key) ? "key" : "", one.optional ? "" : "required"].filter(
      (mark) => mark !== "",
    );
    const said = [
      ...(one.name === undefined || one.name === one.key ? [] : [`**${cell(one.name)}**`]),
      ...(one.description === undefined ? [] : [cell(one.description)]),
      ...constraintTexts(one.constraints).map(cell),
      ...(one.tags ?? []).map((ref) => `tag ${code(keyIn(ref))}`),
      ...Object.entries(one.properties ?? {}).map(([name, value]) => `${code(name)} ${code(JSON.stringify(value))}`),
    ];
    return [code(one.key), code(keyIn(one.type)), marks.join(", "), said.join("<br>")];
  });
  return tableOf(["Attribute", "Type", "", "Meaning"], rows);
}

function relationshipSection(relationship: RelationshipDocument): string {
  const { roles, keyPairs = [] } = relationship;
  const [first, second] = roles;
  const pairs = keyPairs.map(
    ([a, b]) =>
      `${code(`${keyIn(first?.entity ?? "")}.${keyIn(a)}`)} = ${code(`${keyIn(second?.entity ?? "")}.${keyIn(b)}`)}`,
  );
  const rows = roles.map(({ key, name, entity, cardinality }) => [
    code(key),
    cell(name ?? ""),
    code(keyIn(entity)),
    CARDINALITY_WORDS[cardinality],
  ]);
  return [
    heading(3, titled(relationship)),
    ...describedLines(relationship),
    tableOf(["Role", "Name", "Entity", "How many"], rows),
    ...(pairs.length > 0 ? [`Joined by ${pairs.join(", ")}`] : []),
    attributesTable(relationship.attributes, []),
  ]
    .filter((line) => line !== "")
    .join("\n\n");
}

function typesSection({ types }: ModelDocument): string {
  const rows = types.map((type) => [code(type.key), cell(type.name ?? ""), meaning(type)]);
  return rows.length > 0 ? `${heading(2, "Types")}\n\n${tableOf(["Type", "Name", "Description"], rows)}` : "";
}

function meaning({ description, properties = {} }: Pick<Described, "description" | "properties">): string {
  const kept = Object.entries(properties).map(([name, value]) => `${code(name)} ${code(JSON.stringify(value))}`);
  return [...(description === undefined ? [] : [cell(description)]), ...kept].join("<br>");
}

function tagsSection({ localTags, tagGroups }: ModelDocument): string {
  const rows = [
    ...localTags.map((tag) => [code(tag.key), cell(tag.name ?? ""), meaning(tag)]),
    ...tagGroups.flatMap((group) => [
      [code(`${group.key}/`), cell(group.name ?? ""), meaning(group)],
      ...group.tags.map((tag) => [code(`${group.key}/${tag.key}`), cell(tag.name ?? ""), meaning(tag)]),
    ]),
  ];
  return rows.length > 0 ? `${heading(2, "Tags")}\n\n${tableOf(["Tag", "Name", "Description"], rows)}` : "";
}
