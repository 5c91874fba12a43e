import type { Diagnostics } from "../common/diagnostics.ts";
import { toPublicUrl } from "../common/fetch/fetch-source.ts";
import { NO_NAME, readTexts, TEXT_MEMBERS } from "../common/header.ts";
import { isAbsent, type JsonObject, type Part } from "../common/json-object.ts";
import type { KeptValue } from "../common/kept-properties.ts";
import { readKeywords } from "../common/keywords.ts";
import { describeKeyChange, toLegalKey, toLegalKeys } from "../common/legal-key.ts";
import { appendPath, toOrigin } from "../common/source-path.ts";
import type { FieldTerms } from "./field.ts";
import { keepKeywords, keepMembers } from "./kept-members.ts";
import { createTextLens, keepUnrestorable } from "./lens.ts";
import type { FrictionlessEntity } from "./model.ts";
import { LAYOUT, PROFILE_MEMBERS, toLayoutProperty, toOwnProperties } from "./profile-members.ts";
import { isLaterVersion, keepTableKeys, readTable, TABLE_PROPERTIES, type Table } from "./table.ts";

/** A resource of a data package with its schema. */
export interface SchemaResource {
  readonly resource: Part;
  readonly schema: Part;
  readonly file?: string;
}

/** Context of the resources of a package. */
export interface PackageTerms extends FieldTerms {
  readonly keywords: readonly string[];
}

/** Reads resources as entities with distinct keys. The name of a separate schema file takes precedence. */
export function readResourceEntities(
  resources: readonly SchemaResource[],
  terms: PackageTerms,
): readonly FrictionlessEntity[] {
  const names = resources.map(readResourceName);
  const keys = toLegalKeys(names);
  return resources.map((pair, i) => toEntity(pair, names[i] ?? NO_NAME, keys[i] ?? NO_NAME, terms));
}

function toEntity(
  pair: SchemaResource,
  name: string,
  key: string,
  { laterVersion, language, keywords, path: parentPath }: PackageTerms,
): FrictionlessEntity {
  const { resource, schema } = pair;
  const change = describeKeyChange(name, key);
  const namer = findHolder(pair, "name");
  if (change !== undefined) namer.diagnostics.warn(namer.source.name === name ? "/name" : "", "key_made", change);
  const { name: ownName } = resource.source;
  const path = appendPath(parentPath, typeof ownName === "string" ? ownName : name);
  const table = readTable(schema.source, schema.diagnostics, {
    laterVersion: laterVersion || isLaterVersion(schema.source),
    language,
    path,
  });
  const sourceTexts = Object.fromEntries(
    TEXT_MEMBERS.map((member) => [member, findHolder(pair, member).source[member]]),
  );
  const texts = readTexts(sourceTexts, key, language, routeDiagnostics(pair));
  const keptTexts = keepUnrestorable(sourceTexts, TEXT_MEMBERS, createTextLens(key, language), texts);
  const { attributes, primaryKey } = table;
  const parts = [resource, schema];
  return {
    ...{ key, table, path, schema },
    // Foreign keys name resources; some name the schema.
    names: parts.map(({ source }) => (typeof source.name === "string" ? source.name : undefined)),
    entity: { key, ...texts, ...toOrigin(path), attributes, primaryKey },
    extras: [...toOwnProperties(keptTexts, resource.diagnostics), ...keepLevels(pair, table, keywords)],
    keywords: parts.flatMap(({ source, diagnostics }) => readKeywords(source, diagnostics)),
  };
}

function keepLevels(pair: SchemaResource, table: Table, keywords: readonly string[]) {
  const { resource, schema } = pair;
  const values = keepMembers(resource.source, PROFILE_MEMBERS.resource, resource.diagnostics, PROFILE_MEMBERS.schema);
  const innerValues = keepMembers(schema.source, PROFILE_MEMBERS.schema, schema.diagnostics);
  const usedNames = new Set(values.map(({ name }) => name));
  // Names that must be changed are not known yet, so they cannot be listed.
  const isFree = ({ name }: KeptValue) => !usedNames.has(name) && toLegalKey(name) === name;
  const freeValues = innerValues.filter(isFree);
  const homes = new Set([...TABLE_PROPERTIES].map((member) => `frictionless:${member}`));
  const listPresent = (part: Part) => TEXT_MEMBERS.filter((member) => !isAbsent(part.source[member]));
  const schemaNames = [
    ...listPresent(schema).filter((member) => findHolder(pair, member) === schema),
    ...freeValues.map(({ name }) => name).filter((name) => !homes.has(name)),
  ];
  const isLost = (part: Part) => (member: string) => findHolder(pair, member) !== part;
  const pickLost = (part: Part) => pickMembers(part.source, listPresent(part).filter(isLost(part)));
  const clashes = Object.fromEntries(innerValues.filter((one) => !isFree(one)).map(({ name, value }) => [name, value]));
  const schemaMembers = { ...pickLost(schema), ...pickMembers(schema.source, ["keywords"]), ...clashes };
  const { schema: address } = resource.source;
  const publicAddress = typeof address === "string" ? toPublicAddress(address, resource.diagnostics) : {};
  // With keywords in the schema, the keywords of the resource must be kept.
  const keptKeywords = isAbsent(schema.source.keywords)
    ? keepKeywords(resource.source, keywords)
    : pickMembers(resource.source, ["keywords"]);
  return [
    ...values,
    ...freeValues,
    ...toOwnProperties({ ...publicAddress, ...keptKeywords }, resource.diagnostics),
    ...keepTableKeys(schema.source, table, schema.diagnostics),
    ...toLayoutProperty(LAYOUT.inSchema, schemaNames, schema.diagnostics),
    ...toLayoutProperty(LAYOUT.schemaMembers, schemaMembers, schema.diagnostics),
    ...toLayoutProperty(LAYOUT.resourceMembers, pickLost(resource), resource.diagnostics),
  ];
}

function toPublicAddress(address: string, diagnostics: Diagnostics): JsonObject {
  const url = URL.parse(address);
  const publicUrl = url ? toPublicUrl(url) : address.replace(/\?.*$/s, "");
  const isWhole = publicUrl === (url?.href ?? address);
  if (!isWhole) diagnostics.warn("/schema", "text_changed", "secrets were removed from the address");
  return { schema: isWhole ? address : publicUrl };
}

function pickMembers(source: JsonObject, members: readonly string[]): JsonObject {
  return Object.fromEntries(members.filter((m) => !isAbsent(source[m])).map((member) => [member, source[member]]));
}

function readResourceName(pair: SchemaResource) {
  const { name } = findHolder(pair, "name").source;
  if (typeof name === "string" && name !== "") return name;
  const key = JSON.stringify(NO_NAME);
  pair.resource.diagnostics.warn("", "assumed", `the resource has no name, so its entity's key became ${key}`);
  return NO_NAME;
}

/** Returns the first part with the text of an entity. A separate schema file comes before its resource. */
function findHolder({ resource, schema, file }: SchemaResource, member: string): Part {
  const [first, second] = file === undefined ? [resource, schema] : [schema, resource];
  return isUsable(first.source[member]) || !isUsable(second.source[member]) ? first : second;
}

function isUsable(value: unknown) {
  return !isAbsent(value) && (typeof value !== "string" || value.trim() !== "");
}

function routeDiagnostics(pair: SchemaResource): Diagnostics {
  const select = (path: string) => findHolder(pair, path.split("/")[1] ?? "").diagnostics;
  return {
    pointer: pair.resource.diagnostics.pointer,
    reject: (path, detail) => select(path).reject(path, detail),
    warn: (path, code, detail) => select(path).warn(path, code, detail),
    at: (path, file) => select(path).at(path, file),
  };
}
