import { type Constraints, KEYWORDS, type KeywordName } from "../../domain/constraints/keywords.ts";
import type { ModelDocument, RelationshipDocument } from "../../domain/document/document.ts";
import type { Cardinality } from "../../domain/values/model-types.ts";
import type { Properties } from "../../domain/values/properties.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { ALL_PROPERTIES, type Coverage } from "../common/writing/coverage.ts";
import { createModelTables, type ModelTable, toKey } from "../common/writing/model-tables.ts";

const TEXTS = ["name", "description", "documentationHome", "tags", "properties"];

export const DICTIONARY_COVERAGE: Coverage = {
  format: "Markdown",
  model: {
    ...ALL_PROPERTIES,
    members: [...TEXTS, "version", "authority", "types", "entities", "relationships", "businessKeys", "localTags"],
  },
  types: { ...ALL_PROPERTIES, members: TEXTS },
  entities: { ...ALL_PROPERTIES, members: [...TEXTS, "attributes", "primaryKey"] },
  attributes: { ...ALL_PROPERTIES, members: [...TEXTS, "type", "optional", "constraints"] },
  relationships: { ...ALL_PROPERTIES, members: [...TEXTS, "roles", "keyPairs", "attributes"] },
  relationshipAttributes: { ...ALL_PROPERTIES, members: [...TEXTS, "type", "optional", "constraints"] },
  roles: { members: ["name", "entity", "cardinality"] },
  businessKeys: { ...ALL_PROPERTIES, members: [...TEXTS, "entity", "participants"] },
  localTags: { ...ALL_PROPERTIES, members: TEXTS },
  tagGroups: { ...ALL_PROPERTIES, members: [...TEXTS, "tags"] },
  tags: { ...ALL_PROPERTIES, members: TEXTS },
};

/** Writes a model as a data dictionary in Markdown. */
export function writeMarkdown(document: ModelDocument, diagnostics: Diagnostics): string {
  const { tables } = createModelTables(document, diagnostics);
  const sections = [
    formatModel(document),
    ...(tables.length > 0 ? [formatHeading(2, "Entities"), formatContents(tables)] : []),
    ...tables.map(formatEntity),
    ...(document.relationships.length > 0 ? [formatHeading(2, "Relationships")] : []),
    ...document.relationships.map(formatRelationship),
    formatNames("Type", document.types),
    formatNames("Tag", listTags(document)),
  ];
  const content = sections.filter((section) => section !== "").join("\n\n");
  return `${content}\n`;
}

/** An object with its texts, tags and properties. */
export interface Entry {
  readonly key: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly documentationHome?: string | undefined;
  readonly properties?: Properties | undefined;
  readonly tags?: readonly string[] | undefined;
}

function formatModel(document: ModelDocument) {
  const { name, key, version, authority, entities, relationships } = document;
  const facts = `Key ${formatCode(key)} · version ${formatCode(version)} · authority ${formatCode(authority)}`;
  const counts = `${entities.length} entities, ${relationships.length} relationships`;
  return [formatHeading(1, name), `${facts} · ${counts}`, ...formatDetails(document)].join("\n\n");
}

function formatTitle({ key, name }: Entry) {
  return name === undefined || name === key ? key : `${name} (${key})`;
}

function formatDetails({ description, documentationHome, properties, tags = [] }: Entry): readonly string[] {
  return [
    ...(description === undefined ? [] : [formatParagraph(description)]),
    ...(documentationHome === undefined ? [] : [`Documentation: ${formatLink(documentationHome)}`]),
    ...(tags.length > 0 ? [`Tags: ${tags.map((ref) => formatCode(toKey(ref))).join(", ")}`] : []),
    ...formatProperties(properties),
  ];
}

function formatProperties(properties: Properties = {}): readonly string[] {
  const lines = Object.entries(properties).map(
    ([name, value]) => `- ${formatCode(name)}: ${formatCode(JSON.stringify(value))}`,
  );
  return lines.length > 0 ? [lines.join("\n")] : [];
}

function formatContents(tables: readonly ModelTable[]) {
  const rows = tables.map(({ entity, key, columns }) => {
    const [line = ""] = (entity.description ?? "").split("\n", 1);
    return [formatCodeCell(key), formatCell(entity.name ?? ""), String(columns.length), formatCell(line)];
  });
  return formatMarkdownTable(["Entity", "Name", "Attributes", "Description"], rows);
}

/** Formats a table whose cells are escaped. */
export function formatMarkdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function formatEntity({ entity, primaryKey, unique }: ModelTable) {
  const keys = unique.flatMap(({ businessKey, columns: set }) => {
    if (!businessKey) return [];
    const { description, name } = businessKey;
    const texts = [name, description].filter((one) => one !== undefined).map(formatCell);
    const attributes = set.length > 0 ? set.map(formatCode).join(", ") : "no attributes";
    const blocks = formatProperties(businessKey.properties).map((lines) => `\n${lines.replaceAll(/^/gm, "  ")}`);
    return [`- Business key ${formatCode(businessKey.key)}: ${[attributes, ...texts].join(" – ")}${blocks.join("")}`];
  });
  return [
    formatHeading(3, formatTitle(entity)),
    ...formatDetails(entity),
    formatAttributes(entity.attributes, primaryKey),
    ...(keys.length > 0 ? [keys.join("\n")] : []),
    ...(primaryKey.length > 1 ? [`Primary key: ${primaryKey.map(formatCode).join(", ")}`] : []),
  ]
    .filter((line) => line !== "")
    .join("\n\n");
}

function formatAttributes(attributes: ModelDocument["entities"][number]["attributes"], primaryKey?: readonly string[]) {
  if (attributes.length === 0) return "";
  const rows = attributes.map((one) => {
    const texts = [
      ...(one.name === undefined || one.name === one.key ? [] : [`**${formatCell(one.name)}**`]),
      ...(one.description === undefined ? [] : [formatCell(one.description)]),
      ...describeConstraints(one.constraints).map(formatCell),
      ...(one.tags ?? []).map((ref) => `tag ${formatCodeCell(toKey(ref))}`),
      ...listPropertyTexts(one.properties),
    ];
    const remarks = formatRemarks(primaryKey?.includes(one.key), one.optional);
    return [formatCodeCell(one.key), formatCodeCell(toKey(one.type)), remarks, texts.join("<br>")];
  });
  return formatMarkdownTable(["Attribute", "Type", "", "Meaning"], rows);
}

function formatRelationship(relationship: RelationshipDocument) {
  const { roles, keyPairs = [] } = relationship;
  const [first, second] = roles;
  const pairs = keyPairs.map(
    ([a, b]) =>
      `${formatCode(`${toKey(first?.entity ?? "")}.${toKey(a)}`)} = ${formatCode(`${toKey(second?.entity ?? "")}.${toKey(b)}`)}`,
  );
  const rows = roles.map(({ key, name, entity, cardinality }) => [
    formatCodeCell(key),
    formatCell(name ?? ""),
    formatCodeCell(toKey(entity)),
    CARDINALITY_WORDS[cardinality],
  ]);
  return [
    formatHeading(3, formatTitle(relationship)),
    ...formatDetails(relationship),
    formatMarkdownTable(["Role", "Name", "Entity", "How many"], rows),
    ...(pairs.length > 0 ? [`Joined by ${pairs.join(", ")}`] : []),
    formatAttributes(relationship.attributes),
  ]
    .filter((line) => line !== "")
    .join("\n\n");
}

/** Returns the tags and tag groups, with the keys that identify them in a model. */
export function listTags({ localTags, tagGroups }: ModelDocument): readonly Entry[] {
  const groups = tagGroups.flatMap((group) => [
    { ...group, key: `${group.key}/`, tags: [] },
    ...group.tags.map((tag) => ({ ...tag, key: `${group.key}/${tag.key}` })),
  ]);
  return [...localTags, ...groups];
}

function formatNames(kind: string, objects: readonly Entry[]) {
  if (objects.length === 0) return "";
  const rows = objects.map(({ key, name = "", description, properties }) => {
    const texts = [...(description === undefined ? [] : [formatCell(description)]), ...listPropertyTexts(properties)];
    return [formatCodeCell(key), formatCell(name), texts.join("<br>")];
  });
  return `${formatHeading(2, `${kind}s`)}\n\n${formatMarkdownTable([kind, "Name", "Description"], rows)}`;
}

function listPropertyTexts(properties: Properties = {}): readonly string[] {
  return Object.entries(properties).map(
    ([name, value]) => `${formatCodeCell(name)} ${formatCodeCell(JSON.stringify(value))}`,
  );
}

/** Returns the remarks in words: whether an attribute is in the key, and required. */
export function formatRemarks(isInKey: boolean | undefined, isOptional: boolean): string {
  return [...(isInKey ? ["key"] : []), ...(isOptional ? [] : ["required"])].join(", ");
}

export const CARDINALITY_WORDS: Readonly<Record<Cardinality, string>> = {
  one: "exactly one",
  zeroOrOne: "at most one",
  many: "any number",
  unknown: "not known",
};

/** Describes constraints in words, one text for each keyword. */
export function describeConstraints(constraints: Constraints = {}): readonly string[] {
  return (Object.keys(KEYWORDS) as KeywordName[]).flatMap((keyword) => {
    const value = constraints[keyword];
    if (value === undefined) return [];
    if (typeof value === "boolean" && (keyword === "unique" || keyword === "uniqueItems"))
      return value ? [KEYWORD_WORDS[keyword]] : [];
    return [`${KEYWORD_WORDS[keyword]} ${formatValue(value)}`];
  });
}

function formatValue(value: unknown) {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map((one) => JSON.stringify(one)).join(", ") : JSON.stringify(value);
}

const KEYWORD_WORDS: Readonly<Record<KeywordName, string>> = {
  enum: "one of",
  const: "always",
  minimum: "at least",
  maximum: "at most",
  exclusiveMinimum: "more than",
  exclusiveMaximum: "less than",
  multipleOf: "a multiple of",
  minLength: "characters, at least",
  maxLength: "characters, at most",
  pattern: "pattern",
  format: "format",
  minItems: "items, at least",
  maxItems: "items, at most",
  uniqueItems: "no item twice",
  default: "default",
  examples: "for example",
  contentEncoding: "encoded as",
  contentMediaType: "of the media type",
  unique: "unique",
  unit: "unit",
};

function escapeMarkdown(text: string) {
  return text
    .replace(/\s*[\r\n]+\s*/g, " ")
    .replace(/[\\`*_[\]>~|$]/g, "\\$&")
    .replace(/&(?=#?\w+;)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/^(\s*)([#+-]|=+|\d+[.)])(?=\s|$)/, "$1\\$2");
}

function formatHeading(level: number, text: string) {
  return `${"#".repeat(level)} ${escapeMarkdown(text)}`;
}

/** Formats a text in a table cell, with its line breaks. */
export function formatCell(text: string): string {
  return text
    .trim()
    .split(/\r\n|\r|\n/)
    .map(escapeMarkdown)
    .join("<br>");
}

/** Formats a text as code in a table cell, which a pipe after an even number of backslashes would end. */
function formatCodeCell(text: string) {
  return formatCode(text).replace(
    /(?<!\\)(\\*)\|/g,
    (_, slashes: string) => `${slashes}${slashes.length % 2 === 0 ? "\\" : "\\\\"}|`,
  );
}

/** Formats a text as code with enough backticks. */
export function formatCode(text: string): string {
  const line = text.replace(/[\r\n]+/g, " ");
  const runs = line.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const gap = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return line === "" ? "" : `${fence}${gap}${line}${gap}${fence}`;
}

/** Formats a description, which is Markdown, without HTML, headings, and links that could run a script. */
function formatParagraph(text: string) {
  const markdown = text
    .trim()
    // Not all readers know `\<`; an odd backslash would escape the `&`.
    .replace(/(?<!\\)(\\*)<(?=[A-Za-z!/?])/g, (_, slashes: string) => `${slashes.slice(slashes.length % 2)}&lt;`)
    .replace(/\]([(:])([\s<]*)([^\s)>]*)/g, (link, mark: string, gap: string, target: string) =>
      isSafeTarget(target) ? link : `]\\${mark}${gap}${target}`,
    )
    .replace(/^( {0,3})(#{1,6})(?=\s|$)/gm, "$1\\$2")
    .replace(/(?<=\S[ \t]*\n {0,3})(=+|-+)(?=[ \t]*$)/gm, "\\$1");
  return closeFence(markdown);
}

/** Tests whether a link leads to the web, to an address of mail or telephone, or to a path. */
function isSafeTarget(target: string) {
  const [start = ""] = target.split(/[/?#]/, 1);
  // Character references and backslashes may hide a colon.
  return /^(https?|mailto|tel):/i.test(start) || !/[:&\\]/.test(start);
}

/** Closes a code block that would extend to the end of the document. */
function closeFence(text: string) {
  let open: string | undefined;
  for (const [, fence = "", rest = ""] of text.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    const isFenceEnd = open !== undefined && fence.startsWith(open) && rest.trim() === "";
    if (isFenceEnd) open = undefined;
    else if (open === undefined && !(fence.startsWith("`") && rest.includes("`"))) open = fence;
  }
  return open === undefined ? text : `${text}\n${open}`;
}

function formatLink(url: string) {
  return /^https?:\/\/[^\s<>]+$/i.test(url) ? `<${url}>` : formatCode(url);
}
