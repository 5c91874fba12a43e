import { ifDefined } from "../domain/content.ts";
import type { Findings } from "./findings.ts";
import type { JsonObject } from "./json-object.ts";
import { readKeywords } from "./keywords.ts";
import { keyChange, legalKeys } from "./legal-key.ts";
import { warnUnread } from "./members.ts";
import { NO_NAME, type TableEntity } from "./model-header.ts";
import { asName, readDescription, readLink, readName, readText } from "./source-texts.ts";
import { isLaterVersion, readTable } from "./table.ts";
import { SCHEMA_MEMBERS } from "./table-schema.ts";

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

/** A resource's name and texts before its key is made unique. */
interface Named {
  readonly name: string;
  readonly place: Part;
}

/**
 * The tables of resources as entities, their keys made unique. A schema in a file of its own is named by that file, else by the
 * resource; an inline schema by its resource. `origin` is the package's own address.
 */
export function resourceEntities(
  resources: readonly SchemaResource[],
  laterVersion: boolean,
  origin: string | undefined,
): readonly TableEntity[] {
  const named = resources.map(nameOf);
  const keys = legalKeys(named.map((n) => n.name));
  return resources.map((r, i) => entityOf(r, named[i] ?? nameOf(r), keys[i] ?? NO_NAME, laterVersion, origin));
}

function entityOf(
  r: SchemaResource,
  { name, place }: Named,
  key: string,
  laterVersion: boolean,
  origin: string | undefined,
): TableEntity {
  const change = keyChange(name, key);
  if (change !== undefined) place.findings.warn(place.source.name === name ? "/name" : "", "key_made", change);
  warnUnread(r.schema.source, SCHEMA_MEMBERS, r.schema.findings);
  const table = readTable(r.schema.source, r.schema.findings, laterVersion || isLaterVersion(r.schema.source));
  const entity = {
    key,
    ...ifDefined("name", pick(r, "title", readName) ?? (change === undefined ? undefined : asName(name))),
    ...ifDefined("description", pick(r, "description", readDescription)),
    ...ifDefined("documentationHome", pick(r, "homepage", readLink)),
    ...ifDefined("origin", r.file ?? origin),
    attributes: table.attributes,
    primaryKey: table.primaryKey,
  };
  const parts = [r.resource, r.schema];
  return {
    key,
    // Foreign keys name resources; a few name the schema.
    names: parts.map(({ source }) => (typeof source.name === "string" ? source.name : undefined)),
    table,
    schema: r.schema,
    entity,
    keywords: parts.flatMap(({ source, findings }) => readKeywords(source, findings)),
  };
}

function nameOf(r: SchemaResource): Named {
  const [first, second] = inOrder(r);
  const name = pick(r, "name", readText);
  if (name !== undefined) return { name, place: first.source.name === name ? first : second };
  r.resource.findings.warn(
    "",
    "assumed",
    `the resource has no name, so its entity's key became ${JSON.stringify(NO_NAME)}`,
  );
  return { name: NO_NAME, place: r.resource };
}

/** The two parts a text may stand in, the one that wins first. */
function inOrder(r: SchemaResource): readonly [Part, Part] {
  return r.file === undefined ? [r.resource, r.schema] : [r.schema, r.resource];
}

type Reader = (source: JsonObject, member: string, findings: Findings) => string | undefined;

/** A text from the part that wins, else from the other; a text that loses is a warning. */
function pick(r: SchemaResource, member: string, read: Reader): string | undefined {
  const [first, second] = inOrder(r);
  const kept = read(first.source, member, first.findings);
  const other = read(second.source, member, second.findings);
  if (kept !== undefined && other !== undefined && kept !== other) {
    const winner = first === r.schema ? "schema" : "resource";
    second.findings.warn(
      `/${member}`,
      "not_carried_over",
      `the ${winner} has its own ${member}, so this one is not carried over`,
    );
  }
  return kept ?? other;
}
