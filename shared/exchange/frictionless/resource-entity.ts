import type { Findings } from "../findings.ts";
import { isAbsent, type JsonObject } from "../json-object.ts";
import { keyChange, legalKey, legalKeys } from "../legal-key.ts";
import { below, originAt } from "../source-place.ts";
import { publicForm } from "../source-url.ts";
import { LAYOUT, layoutProperty, ownProperties } from "./entity-properties.ts";
import type { FieldTerms } from "./field.ts";
import { NO_NAME } from "./header.ts";
import { keptMembers } from "./kept-members.ts";
import type { KeptValue } from "./kept-properties.ts";
import { keptKeywords } from "./keyword-members.ts";
import { readKeywords } from "./keywords.ts";
import { keptBeside, SILENT } from "./lens.ts";
import type { TableEntity } from "./model.ts";
import { PROFILE_MEMBERS } from "./profile-members.ts";
import { isLaterVersion, readTable, type Table } from "./table.ts";
import { keptOfTable, TABLE_HOME } from "./table-members.ts";
import { readTexts, TEXT_MEMBERS, textLens } from "./texts.ts";

/** One object of a source, and the findings of its place. */
interface Part {
  readonly source: JsonObject;
  readonly findings: Findings;
}

/** A resource of a data package that has a schema. */
export interface SchemaResource {
  readonly resource: Part;
  readonly schema: Part;
  /** Where the schema came from when it has a file of its own. */
  readonly file?: string;
}

/** What the package around resources says of all of them. */
export interface PackageTerms extends FieldTerms {
  readonly keywords: readonly string[];
}

/**
 * The tables of resources as entities, their keys made unique. A schema in a file of its own is named by that file, else by the
 * resource; an inline schema by its resource.
 */
export function resourceEntities(resources: readonly SchemaResource[], terms: PackageTerms): readonly TableEntity[] {
  const named = resources.map(nameOf);
  const keys = legalKeys(named);
  return resources.map((r, i) => entityOf(r, named[i] ?? NO_NAME, keys[i] ?? NO_NAME, terms));
}

function entityOf(
  r: SchemaResource,
  name: string,
  key: string,
  { laterVersion, language, keywords, place: above }: PackageTerms,
): TableEntity {
  const { resource, schema } = r;
  const change = keyChange(name, key);
  const namer = holderOf(r, "name");
  if (change !== undefined) namer.findings.warn(namer.source.name === name ? "/name" : "", "key_made", change);
  const { name: ownName } = resource.source;
  const place = below(above, typeof ownName === "string" ? ownName : name);
  const table = readTable(schema.source, schema.findings, {
    laterVersion: laterVersion || isLaterVersion(schema.source),
    language,
    place,
  });
  const said = Object.fromEntries(TEXT_MEMBERS.map((member) => [member, holderOf(r, member).source[member]]));
  const texts = readTexts(
    said,
    key,
    language,
    routed((member) => holderOf(r, member).findings),
  );
  const beside = keptBeside(said, TEXT_MEMBERS, textLens(key, language, SILENT), texts);
  const entity = {
    key,
    ...texts,
    ...originAt(place),
    attributes: table.attributes,
    primaryKey: table.primaryKey,
  };
  const parts = [resource, schema];
  return {
    key,
    // Foreign keys name resources; a few name the schema.
    names: parts.map(({ source }) => (typeof source.name === "string" ? source.name : undefined)),
    table,
    place,
    schema,
    entity,
    kept: [...ownProperties(beside, resource.findings), ...keptOfLevels(r, table, keywords)],
    keywords: parts.flatMap(({ source, findings }) => readKeywords(source, findings)),
  };
}

/** The properties of an entity: the members of its resource, those of its schema, and which stand where. */
function keptOfLevels(r: SchemaResource, table: Table, keywords: readonly string[]) {
  const { resource, schema } = r;
  const beside = keptMembers(resource.source, PROFILE_MEMBERS.resource, resource.findings, PROFILE_MEMBERS.schema);
  const inside = keptMembers(schema.source, PROFILE_MEMBERS.schema, schema.findings);
  const taken = new Set(beside.map(({ name }) => name));
  // A name that has to be changed is known once all properties are there, and so cannot be listed.
  const isFree = ({ name }: KeptValue): boolean => !taken.has(name) && legalKey(name) === name;
  const free = inside.filter(isFree);
  const homes = new Set([...TABLE_HOME].map((member) => `frictionless:${member}`));
  const given = (part: Part) => TEXT_MEMBERS.filter((member) => !isAbsent(part.source[member]));
  const inSchema = [
    ...given(schema).filter((member) => holderOf(r, member) === schema),
    ...free.map(({ name }) => name).filter((name) => !homes.has(name)),
  ];
  const lost = (part: Part) =>
    membersOf(
      part.source,
      given(part).filter((member) => holderOf(r, member) !== part),
    );
  const blocked = Object.fromEntries(inside.filter((one) => !isFree(one)).map(({ name, value }) => [name, value]));
  const schemaMembers = { ...lost(schema), ...membersOf(schema.source, ["keywords"]), ...blocked };
  const { schema: address } = resource.source;
  return [
    ...beside,
    ...free,
    ...ownProperties(typeof address === "string" ? addressOf(address, resource.findings) : {}, resource.findings),
    ...ownProperties(
      // Beside keywords of the schema nothing else tells which are the resource's own.
      isAbsent(schema.source.keywords)
        ? keptKeywords(resource.source, keywords)
        : membersOf(resource.source, ["keywords"]),
      resource.findings,
    ),
    ...keptOfTable(schema.source, table, schema.findings),
    ...layoutProperty(LAYOUT.inSchema, inSchema, schema.findings),
    ...layoutProperty(LAYOUT.schemaMembers, schemaMembers, schema.findings),
    ...layoutProperty(LAYOUT.resourceMembers, lost(resource), resource.findings),
  ];
}

/** The address of a schema file without what looks like a secret, which is a warning. */
function addressOf(address: string, findings: Findings): JsonObject {
  const url = URL.parse(address);
  const shown = url ? publicForm(url) : address.replace(/\?.*$/s, "");
  const isWhole = shown === (url?.href ?? address);
  if (!isWhole) findings.warn("/schema", "text_changed", "the address is kept without what looks like a secret");
  return { schema: isWhole ? address : shown };
}

function membersOf(source: JsonObject, members: readonly string[]): JsonObject {
  return Object.fromEntries(members.filter((m) => !isAbsent(source[m])).map((member) => [member, source[member]]));
}

function nameOf(r: SchemaResource): string {
  const { name } = holderOf(r, "name").source;
  if (typeof name === "string" && name !== "") return name;
  const key = JSON.stringify(NO_NAME);
  r.resource.findings.warn("", "assumed", `the resource has no name, so its entity's key became ${key}`);
  return NO_NAME;
}

/** The part whose text an entity takes: the first that has one, the schema before its resource where it has a file of its own. */
function holderOf({ resource, schema, file }: SchemaResource, member: string): Part {
  const [first, second] = file === undefined ? [resource, schema] : [schema, resource];
  return isUsable(first.source[member]) || !isUsable(second.source[member]) ? first : second;
}

function isUsable(value: unknown): boolean {
  return !isAbsent(value) && (typeof value !== "string" || value.trim() !== "");
}

/** Findings that go to those of the member they are about. */
function routed(findingsOf: (member: string) => Findings): Findings {
  const of = (place: string): Findings => findingsOf(place.split("/")[1] ?? "");
  return {
    fault: (place, detail) => of(place).fault(place, detail),
    warn: (place, code, detail) => of(place).warn(place, code, detail),
    at: (place, file) => of(place).at(place, file),
  };
}
