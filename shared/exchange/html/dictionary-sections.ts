import { escapedText } from "../../diagram/markup-text.ts";
import type { AttributeDocument, EntityDocument, ModelDocument, RelationshipDocument } from "../../domain/document.ts";
import type { Properties } from "../../domain/properties.ts";
import { keyIn } from "../writing/model-tables.ts";
import { CARDINALITY_WORDS, constraintTexts } from "../writing/words.ts";
import { code, link, prose } from "./html-text.ts";

/** The body of a dictionary and the list of what is in it. */
export interface DictionarySections {
  readonly contents: string;
  readonly sections: string;
}

/** The sections of everything that a model has, each with an anchor that the contents lead to. */
export function sectionsOf(document: ModelDocument): DictionarySections {
  const { entities, relationships, types, localTags, tagGroups, version: _, ...model } = document;
  const anchors = new Map(entities.map(({ key }, i) => [`key:${key}`, `entity-${i}`]));
  const tags = [
    ...localTags.map((tag) => ({ ...tag, shown: tag.key })),
    ...tagGroups.flatMap(({ tags: own, ...group }) => [
      { ...group, shown: `${group.key}/` },
      ...own.map((tag) => ({ ...tag, shown: `${group.key}/${tag.key}` })),
    ]),
  ];
  const list = (
    title: string,
    all: readonly { readonly key: string; readonly name?: string | undefined }[],
    sort: string,
  ) =>
    all.length === 0
      ? ""
      : `<h2>${title}</h2>${all.map(({ key, name }, i) => `<a href="#${sort}-${i}">${escapedText(name ?? key)}</a>`).join("")}`;
  return {
    contents: list("Entities", entities, "entity") + list("Relationships", relationships, "relationship"),
    sections: [
      `<section class="part" data-part id="model"><p class="sort">Model</p><h3>${titled(document)}</h3>${aboutOf(model)}<p class="meta">authority ${escapedText(document.authority)}</p></section>`,
      ...entities.map((entity, i) => entitySection(entity, i, document, anchors)),
      ...relationships.map((one, i) => relationshipSection(one, i, anchors)),
      tableSection(
        "Types",
        types.map((type) => [code(type.key), escapedText(type.name ?? ""), aboutOf(type)]),
      ),
      tableSection(
        "Tags",
        tags.map((tag) => [code(tag.shown), escapedText(tag.name ?? ""), aboutOf(tag)]),
      ),
    ].join("\n"),
  };
}

interface Described {
  readonly description?: string | undefined;
  readonly documentationHome?: string | undefined;
  readonly properties?: Properties | undefined;
  readonly tags?: readonly string[] | undefined;
}

function titled({ key, name }: { readonly key: string; readonly name?: string | undefined }): string {
  return name === undefined || name === key ? code(key) : `${escapedText(name)} ${code(key)}`;
}

function aboutOf({ description, documentationHome, properties = {}, tags = [] }: Described): string {
  const facts = [
    ...(documentationHome === undefined ? [] : [link(documentationHome)]),
    ...(tags.length > 0 ? [`tags ${tags.map((ref) => code(keyIn(ref))).join(", ")}`] : []),
    ...Object.entries(properties).map(([name, value]) => `${escapedText(name)}: ${code(JSON.stringify(value))}`),
  ];
  return prose(description) + facts.map((fact) => `<p class="meta">${fact}</p>`).join("");
}

function entitySection(
  entity: EntityDocument,
  i: number,
  document: ModelDocument,
  anchors: ReadonlyMap<string, string>,
): string {
  const own = document.businessKeys.filter((one) => one.entity === `key:${entity.key}`);
  const keys = own.map((one) => {
    const of = one.participants.map((ref) => code(keyIn(ref))).join(", ");
    return `<p class="meta">business key ${titled(one)}: ${of}</p>${aboutOf(one)}`;
  });
  const joined = document.relationships.filter(({ roles }) =>
    roles.some((role) => role.entity === `key:${entity.key}`),
  );
  const related = joined.map((one) => {
    const others = one.roles
      .filter((role) => role.entity !== `key:${entity.key}`)
      .map((role) => entityLink(role.entity, anchors));
    const at = document.relationships.indexOf(one);
    return `<p class="meta"><a href="#relationship-${at}">${escapedText(one.name ?? one.key)}</a> ${others.join(", ")}</p>`;
  });
  const primary =
    entity.primaryKey.length > 1
      ? `<p class="meta">primary key ${entity.primaryKey.map((ref) => code(keyIn(ref))).join(", ")}</p>`
      : "";
  return `<section class="part" data-part id="entity-${i}"><p class="sort">Entity</p><h3>${titled(entity)}</h3>${aboutOf(entity)}${attributesTable(entity.attributes, entity.primaryKey)}${primary}${keys.join("")}${related.join("")}</section>`;
}

function entityLink(ref: string, anchors: ReadonlyMap<string, string>): string {
  const anchor = anchors.get(ref);
  return anchor === undefined ? code(keyIn(ref)) : `<a href="#${anchor}">${escapedText(keyIn(ref))}</a>`;
}

function attributesTable(attributes: readonly AttributeDocument[], primaryKey: readonly string[]): string {
  if (attributes.length === 0) return "";
  const rows = attributes.map((one) => {
    const marks = [primaryKey.includes(`key:${one.key}`) ? "key" : "", one.optional ? "" : "required"].filter(
      (mark) => mark !== "",
    );
    const said = constraintTexts(one.constraints).map((text) => `<p class="meta">${escapedText(text)}</p>`);
    return [titled(one), code(keyIn(one.type)), marks.join(", "), aboutOf(one) + said.join("")];
  });
  return tableOf(["Attribute", "Type", "", "Meaning"], rows);
}

function relationshipSection(
  relationship: RelationshipDocument,
  i: number,
  anchors: ReadonlyMap<string, string>,
): string {
  const { roles, keyPairs = [] } = relationship;
  const rows = roles.map((role) => [
    titled(role),
    entityLink(role.entity, anchors),
    CARDINALITY_WORDS[role.cardinality],
  ]);
  const pairs = keyPairs.map(
    ([a, b]) =>
      `${code(`${keyIn(roles[0]?.entity ?? "")}.${keyIn(a)}`)} = ${code(`${keyIn(roles[1]?.entity ?? "")}.${keyIn(b)}`)}`,
  );
  const joined = pairs.length > 0 ? `<p class="meta">joined by ${pairs.join(", ")}</p>` : "";
  return `<section class="part" data-part id="relationship-${i}"><p class="sort">Relationship</p><h3>${titled(relationship)}</h3>${aboutOf(relationship)}${tableOf(["Role", "Entity", "How many"], rows)}${joined}${attributesTable(relationship.attributes, [])}</section>`;
}

function tableSection(title: string, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  return `<section class="part" data-part id="${title.toLowerCase()}"><h3>${title}</h3>${tableOf(["Key", "Name", "Meaning"], rows)}</section>`;
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], tag: string): string => row.map((cell) => `<${tag}>${cell}</${tag}>`).join("");
  const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
  return `<div class="scroll"><table><thead><tr>${cells(head, "th")}</tr></thead><tbody>${body}</tbody></table></div>`;
}
