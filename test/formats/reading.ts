import { expect } from "vitest";
import type { ImportedDocument, ImportNames } from "../../shared/actions/contract/ports.ts";
import type { AttributeDocument, ModelDocument } from "../../shared/domain/document/document.ts";
import { PHYSICAL } from "../../shared/domain/normal-form/dialect-rules.ts";
import { Problem } from "../../shared/domain/problems.ts";
import type { ExportFormat } from "../../shared/domain/values/export-formats.ts";
import type { Properties } from "../../shared/domain/values/properties.ts";
import type { SourceContent } from "../../shared/domain/values/value-types.ts";
import type { Diagnostics } from "../../shared/formats/common/diagnostics.ts";
import { writeFormat } from "../../shared/formats/exporter.ts";
import { createImporter } from "../../shared/formats/importer.ts";

const importer = createImporter({ allowPrivate: false });

export function readContent(content: unknown, names: ImportNames = {}): Promise<ImportedDocument> {
  // Some tests give what no caller could.
  return importer.read({ content: content as SourceContent }, names);
}

/** A written model and the pointers of all its warnings; an answer lists only the first ones. */
export interface Written {
  readonly content: string;
  readonly warned: readonly string[];
}

export async function writeWithWarnings(document: ModelDocument, format: ExportFormat): Promise<Written> {
  const warned: string[] = [];
  const at = (base: string): Diagnostics => ({
    pointer: base,
    reject: () => undefined,
    warn: (path) => warned.push(base + path),
    at: (path) => at(base + path),
  });
  return { content: await writeFormat(document, format, at("")), warned };
}

/** The problem a promise is refused with; fails the test when it is fulfilled or refused with anything else. */
export async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const problem = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(problem).toBeInstanceOf(Problem);
  return problem as Problem;
}

/** The pointers of faults or warnings, in order; equal warnings stand together. */
export const pointers = (
  found: readonly ({ readonly pointer: string } | { readonly pointers: readonly string[] })[] | undefined,
): readonly string[] => (found ?? []).flatMap((f) => ("pointer" in f ? f.pointer : f.pointers));

const bare = (ref: string) => ref.replace(/^key:/, "");
const listColumns = (attributes: readonly AttributeDocument[]) =>
  attributes.map((one) => `${one.key} ${bare(one.type)}${one.optional ? "?" : ""}`).join(", ");
const joinRefs = (refs: readonly string[]) => refs.map(bare).join("+");

/** Lists a model in short lines: entities with their attributes and primary key, relationships, business keys. */
export const listParts = ({ entities, relationships, businessKeys }: ModelDocument): readonly string[] => [
  ...entities.map(({ key, attributes, primaryKey }) => `${key} (${listColumns(attributes)}) ${joinRefs(primaryKey)}`),
  ...relationships.map(({ key, roles, keyPairs, attributes }) => {
    const ends = roles.map(({ key: role, entity, cardinality }) => {
      const name = entity === `key:${role}` ? role : `${bare(entity)} as ${role}`;
      return `${name} ${cardinality}`;
    });
    const pairs = keyPairs?.map((pair) => pair.map(bare).join(" = ")).join(", ");
    const own = attributes.length > 0 ? ` with ${listColumns(attributes)}` : "";
    return `${key}: ${ends.join(" - ")}${pairs === undefined ? "" : ` (${pairs})`}${own}`;
  }),
  ...businessKeys.map(({ key, participants }) => `unique ${key}: ${joinRefs(participants)}`),
];

const LISTED = new Set(["id", "key", "type", "optional", "origin", "attributes", "primaryKey", "roles", "keyPairs"]);

/** Returns the properties of an object without the values that the normal form replaced. */
function omitPhysical(object: object): object {
  const { properties, ...others } = object as { readonly properties?: Properties };
  const own = Object.entries(properties ?? {}).filter(([name]) => name !== PHYSICAL);
  return own.length > 0 ? { ...others, properties: Object.fromEntries(own) } : others;
}

/**
 * Returns the members that `listParts` does not show: of entities, attributes, relationships and types. Origins and the
 * values that the normal form replaced are omitted.
 */
export function getDetails({ entities, relationships, types }: ModelDocument): Readonly<Record<string, object>> {
  const objects: readonly (readonly [path: string, object: object])[] = [
    ...[...entities, ...relationships].flatMap((owner) => [
      [owner.key, owner] as const,
      ...owner.attributes.map((one) => [`${owner.key}/${one.key}`, one] as const),
    ]),
    ...types.map((one) => [`type ${one.key}`, one] as const),
  ];
  const details = objects.map(([path, object]) => [
    path,
    Object.fromEntries(Object.entries(omitPhysical(object)).filter(([member]) => !LISTED.has(member))),
  ]);
  return Object.fromEntries(details.filter(([, members]) => Object.keys(members as object).length > 0));
}
