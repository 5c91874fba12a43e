import type { ModelDocument } from "../../../domain/document/document.ts";
import type { Field, Fields, PlainField } from "../../../domain/fields/field.ts";
import { modelFields } from "../../../domain/fields/model-fields.ts";
import { escapePointerToken } from "../../../domain/text/characters.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { toWrittenName } from "./written-names.ts";

const KIND_NOUNS = {
  model: "models",
  types: "types",
  entities: "entities",
  attributes: "attributes",
  relationships: "relationships",
  relationshipAttributes: "attributes of relationships",
  roles: "roles",
  businessKeys: "business keys",
  localTags: "local tags",
  tagGroups: "tag groups",
  tags: "global tags",
} as const;

type ObjectKind = keyof typeof KIND_NOUNS;

interface KindCoverage {
  readonly members: readonly string[];
  /** True if the format has one name for an object, which is its key unless readers derive the key from its name. */
  readonly hasOneName?: true;
  readonly constraints?: readonly string[];
  readonly property?: (name: string) => boolean;
}

/** Everything that a format can express. A missing kind cannot be expressed at all. */
export interface Coverage extends Readonly<Partial<Record<ObjectKind, KindCoverage>>> {
  readonly format: string;
}

export const ALL_PROPERTIES = { property: () => true };

const IMPORT_MEMBERS = new Set(["id", "key", "origin"]);

/** Warns about each member of a document that a format cannot express, in a loop over the fields of all kinds. */
export function warnUncovered(document: ModelDocument, coverage: Coverage, diagnostics: Diagnostics): void {
  walk(document as unknown as Members, modelFields, "model", diagnostics);

  function walk(object: Members, fields: Fields, kind: ObjectKind, at: Diagnostics) {
    const kindCoverage = coverage[kind];
    for (const [member, field] of Object.entries(fields)) {
      const value = object[member];
      const isOnlyKey = member === "name" && value === object.key;
      if (IMPORT_MEMBERS.has(member) || isOnlyKey || isUnstated(value, field)) continue;
      const memberAt = at.at(`/${member}`);
      if (field.is === "children" || field.is === "nested") {
        const innerKind = toObjectKind(member, kind);
        if (!coverage[innerKind]) {
          for (const i of (value as readonly unknown[]).keys()) {
            memberAt.warn(`/${i}`, "not_written", `${coverage.format} has no ${KIND_NOUNS[innerKind]}`);
          }
        } else
          for (const [i, one] of (value as readonly Members[]).entries())
            walk(one, field.fields, innerKind, memberAt.at(`/${i}`));
      } else warnMember(object, member, kind, kindCoverage, memberAt);
    }
  }

  function warnMember(
    object: Members,
    member: string,
    kind: ObjectKind,
    kindCoverage: KindCoverage | undefined,
    at: Diagnostics,
  ) {
    const value = object[member];
    const isSaid = kindCoverage?.members.includes(member) ?? false;
    const owner = ` of ${KIND_NOUNS[kind]}`;
    if (member === "properties") {
      for (const name of Object.keys(value as object)) {
        if (isSaid || kindCoverage?.property?.(name)) continue;
        at.warn(`/${escapePointerToken(name)}`, "not_written", `${coverage.format} has no other properties${owner}`);
      }
    } else if (member === "constraints") {
      for (const keyword of Object.keys(value as object)) {
        if (isSaid || kindCoverage?.constraints?.includes(keyword)) continue;
        at.warn(`/${keyword}`, "not_written", `${coverage.format} has no ${keyword}${owner}`);
      }
    } else if (member === "tags" && isSaid) {
      for (const [i, ref] of (value as readonly string[]).entries()) {
        if (ref.includes("/") && !coverage.tagGroups) {
          at.warn(`/${i}`, "not_written", `${coverage.format} has no global tags`);
        }
      }
    } else if (member === "name" && isSaid) {
      if (kindCoverage?.hasOneName && toWrittenName(object as NamedObject) !== value) {
        at.warn("", "not_written", `${coverage.format} has no names in addition to keys${owner}`);
      }
    } else if (!isSaid) at.warn("", "not_written", `${coverage.format} has no ${toWords(member)}${owner}`);
  }
}

type Members = Readonly<Record<string, unknown>>;
type NamedObject = Parameters<typeof toWrittenName>[0];

function toObjectKind(member: string, parentKind: ObjectKind): ObjectKind {
  return member === "attributes" && parentKind === "relationships" ? "relationshipAttributes" : (member as ObjectKind);
}

function isUnstated(value: unknown, field: Field) {
  if (value === undefined || field.is === "internal") return true;
  if (Array.isArray(value) && value.length === 0) return true;
  return value === (field as Partial<PlainField>).missing;
}

function toWords(member: string) {
  return member.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
