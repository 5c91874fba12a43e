import { escapeMarkup } from "../../diagram/diagram-text.ts";
import type {
  AttributeDocument,
  EntityDocument,
  ModelDocument,
  RelationshipDocument,
} from "../../domain/document/document.ts";
import { toKey } from "../common/writing/model-tables.ts";
import {
  CARDINALITY_WORDS,
  describeConstraints,
  type Entry,
  formatRemarks,
  listTags,
} from "../markdown/write-markdown.ts";

/** Creates contents and sections of a dictionary. */
export function createSections(document: ModelDocument) {
  const { entities, relationships, types, version: _, ...model } = document;
  const anchors = new Map(entities.map(({ key }, i) => [`key:${key}`, `entity-${i}`]));
  return {
    contents: formatLinks("Entities", entities, "entity") + formatLinks("Relationships", relationships, "relationship"),
    sections: [
      `<section class="part" data-part id="model"><p class="sort">Model</p><h3>${formatTitle(document)}</h3>${formatDetails(model)}<p class="meta">authority ${escapeMarkup(document.authority)}</p></section>`,
      ...entities.map((entity, i) => formatEntity(entity, i, document, anchors)),
      ...relationships.map((one, i) => formatRelationship(one, i, anchors)),
      formatTableSection("Types", types),
      formatTableSection("Tags", listTags(document)),
    ].join("\n"),
  };
}

function formatLinks(title: string, all: readonly Entry[], kind: string) {
  if (all.length === 0) return "";
  const links = all.map(({ key, name }, i) => `<a href="#${kind}-${i}">${escapeMarkup(name ?? key)}</a>`);
  return `<h2>${title}</h2>${links.join("")}`;
}

function formatTitle({ key, name }: Pick<Entry, "key" | "name">) {
  return name === undefined || name === key ? formatCode(key) : `${escapeMarkup(name)} ${formatCode(key)}`;
}

function formatDetails({ description, documentationHome, properties = {}, tags = [] }: Entry) {
  const facts = [
    ...(documentationHome === undefined ? [] : [formatLink(documentationHome)]),
    ...(tags.length > 0 ? [`tags ${tags.map((ref) => formatCode(toKey(ref))).join(", ")}`] : []),
    ...Object.entries(properties).map(([name, value]) => `${escapeMarkup(name)}: ${formatCode(JSON.stringify(value))}`),
  ];
  return formatProse(description) + facts.map((fact) => `<p class="meta">${fact}</p>`).join("");
}

function formatEntity(
  entity: EntityDocument,
  i: number,
  document: ModelDocument,
  anchors: ReadonlyMap<string, string>,
) {
  const own = document.businessKeys.filter((one) => one.entity === `key:${entity.key}`);
  const keys = own.map((one) => {
    const codes = one.participants.map((ref) => formatCode(toKey(ref))).join(", ");
    return `<p class="meta">business key ${formatTitle(one)}: ${codes}</p>${formatDetails(one)}`;
  });
  const relationships = document.relationships.filter(({ roles }) =>
    roles.some((role) => role.entity === `key:${entity.key}`),
  );
  const relationshipLines = relationships.map((one) => {
    const others = one.roles
      .filter((role) => role.entity !== `key:${entity.key}`)
      .map((role) => formatEntityLink(role.entity, anchors));
    const index = document.relationships.indexOf(one);
    return `<p class="meta"><a href="#relationship-${index}">${escapeMarkup(one.name ?? one.key)}</a> ${others.join(", ")}</p>`;
  });
  const keyLine =
    entity.primaryKey.length > 1
      ? `<p class="meta">primary key ${entity.primaryKey.map((ref) => formatCode(toKey(ref))).join(", ")}</p>`
      : "";
  return `<section class="part" data-part id="entity-${i}"><p class="sort">Entity</p><h3>${formatTitle(entity)}</h3>${formatDetails(entity)}${formatAttributes(entity.attributes, entity.primaryKey)}${keyLine}${keys.join("")}${relationshipLines.join("")}</section>`;
}

function formatEntityLink(ref: string, anchors: ReadonlyMap<string, string>) {
  const anchor = anchors.get(ref);
  return anchor === undefined ? formatCode(toKey(ref)) : `<a href="#${anchor}">${escapeMarkup(toKey(ref))}</a>`;
}

function formatAttributes(attributes: readonly AttributeDocument[], primaryKey?: readonly string[]) {
  if (attributes.length === 0) return "";
  const rows = attributes.map((one) => {
    const remarks = formatRemarks(primaryKey?.includes(`key:${one.key}`), one.optional);
    const lines = describeConstraints(one.constraints).map((text) => `<p class="meta">${escapeMarkup(text)}</p>`);
    return [formatTitle(one), formatCode(toKey(one.type)), remarks, formatDetails(one) + lines.join("")];
  });
  return formatHtmlTable(["Attribute", "Type", "", "Meaning"], rows);
}

function formatRelationship(relationship: RelationshipDocument, i: number, anchors: ReadonlyMap<string, string>) {
  const { roles, keyPairs = [] } = relationship;
  const rows = roles.map((role) => [
    formatTitle(role),
    formatEntityLink(role.entity, anchors),
    CARDINALITY_WORDS[role.cardinality],
  ]);
  const pairs = keyPairs.map(
    ([a, b]) =>
      `${formatCode(`${toKey(roles[0]?.entity ?? "")}.${toKey(a)}`)} = ${formatCode(`${toKey(roles[1]?.entity ?? "")}.${toKey(b)}`)}`,
  );
  const pairText = pairs.length > 0 ? `<p class="meta">joined by ${pairs.join(", ")}</p>` : "";
  return `<section class="part" data-part id="relationship-${i}"><p class="sort">Relationship</p><h3>${formatTitle(relationship)}</h3>${formatDetails(relationship)}${formatHtmlTable(["Role", "Entity", "How many"], rows)}${pairText}${formatAttributes(relationship.attributes)}</section>`;
}

function formatTableSection(title: string, all: readonly Entry[]) {
  if (all.length === 0) return "";
  const rows = all.map((one) => [formatCode(one.key), escapeMarkup(one.name ?? ""), formatDetails(one)]);
  return `<section class="part" data-part id="${title.toLowerCase()}"><h3>${title}</h3>${formatHtmlTable(["Key", "Name", "Meaning"], rows)}</section>`;
}

function formatHtmlTable(head: readonly string[], rows: readonly (readonly string[])[]) {
  const cells = (row: readonly string[], tag: string) => row.map((cell) => `<${tag}>${cell}</${tag}>`).join("");
  const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
  return `<div class="scroll"><table><thead><tr>${cells(head, "th")}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function formatCode(text: string) {
  return `<code>${escapeMarkup(text)}</code>`;
}

function formatProse(text: string | undefined) {
  return text === undefined ? "" : `<p class="prose">${escapeMarkup(text.trim())}</p>`;
}

function formatLink(url: string) {
  if (!/^https?:\/\//i.test(url)) return formatCode(url);
  return `<a href="${escapeMarkup(url)}" rel="noopener noreferrer">${escapeMarkup(url)}</a>`;
}
