import * as z from "zod/mini";
import { defineInternalField, type Field, type NestedField } from "../../domain/fields/field.ts";
import { getFieldsOfKind } from "../../domain/fields/model-fields.ts";
import type { KindName } from "../../domain/kinds.ts";
import {
  type AnsweredRow,
  declareExpandedMember,
  declareIdMember,
  type LookUpName,
} from "../contract/expanded-members.ts";
import { replaceIdsByKeys, replacePatternsByKeys, toIdRef, toIdRefs } from "./ids.ts";

/** Members that show an object before or after a change, in the history and in the audit log. */

type IdField =
  | Exclude<Field, NestedField>
  | { readonly is: "nested"; readonly fields: IdFields }
  | { readonly is: "pattern" };
type IdFields = { readonly [member: string]: IdField };

const scopedRole: IdFields = {
  role: defineInternalField("Id of the role.", "role"),
  models: { is: "pattern" },
};

const OUTSIDE_MODELS: Readonly<Record<string, IdFields>> = {
  actor: { roles: defineInternalField("Ids of its roles.", "role"), scopedRoles: { is: "nested", fields: scopedRole } },
  api_token: { owner: defineInternalField("Id of its actor.", "actor"), models: { is: "pattern" } },
};

/** Returns the fields of a kind that hold ids, accounts included. A change contains the kind of its object. */
function getFieldsOfChange({ kind }: AnsweredRow): IdFields {
  const name = kind as KindName;
  return getFieldsOfKind(name) ?? OUTSIDE_MODELS[name] ?? {};
}

/** Creates the member with one side of a change, with objects by id. */
export function createImageSchema(text: string): z.ZodMiniOptional<z.ZodMiniType<AnsweredRow>> {
  const schema = z.optional(z.record(z.string(), z.unknown()).check(z.describe(text)));
  return declareIdMember(schema, (image, row) =>
    isObject(image) ? toImageOfRefs(image, getFieldsOfChange(row)) : image,
  );
}

function toImageOfRefs(image: AnsweredRow, fields: IdFields): AnsweredRow {
  const members = Object.entries(image).map(([member, value]) => {
    const field = Object.hasOwn(fields, member) ? fields[member] : undefined;
    return [member, field ? toValueOfRefs(value, field) : value] as const;
  });
  return Object.fromEntries(members);
}

function toValueOfRefs(value: unknown, field: IdField): unknown {
  switch (field.is) {
    case "ref":
    case "refs":
    case "pairs":
    case "tags":
      return toIdRefs(value);
    case "internal":
      return field.names ? toIdRefs(value) : value;
    case "nested":
      return Array.isArray(value) ? value.map((one) => toPartOfRefs(one, field.fields)) : value;
    default:
      return value;
  }
}

function toPartOfRefs(part: unknown, fields: IdFields): unknown {
  if (!isObject(part)) return part;
  const members = toImageOfRefs(part, fields);
  return members.id === undefined ? members : { ...members, id: toIdRef(members.id) };
}

/** Creates the member with the keys of the ids in one side of a change. */
export function createImageByKeySchema(image: "before" | "after"): z.ZodMiniOptional<z.ZodMiniType<AnsweredRow>> {
  const text = `With \`expand=keys\`, the members of \`${image}\` with ids, as current keys.`;
  const schema = z.optional(z.record(z.string(), z.unknown()).check(z.describe(text)));
  return declareExpandedMember(schema, (row, { nameOf }) => {
    const members = row[image];
    if (!isObject(members)) return undefined;
    return listKeys(members, getFieldsOfChange(row), { ...members, id: row.id }, nameOf);
  });
}

function listKeys(image: AnsweredRow, fields: IdFields, row: AnsweredRow, nameOf: LookUpName): AnsweredRow | undefined {
  const entries = Object.entries(image).flatMap(([member, value]) => {
    const field = Object.hasOwn(fields, member) ? fields[member] : undefined;
    const keys = field && value !== null ? replaceValueByKeys(value, field, row, nameOf) : undefined;
    return keys === undefined ? [] : [[member, keys] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function replaceValueByKeys(value: unknown, field: IdField, row: AnsweredRow, nameOf: LookUpName): unknown {
  switch (field.is) {
    case "ref":
      return replaceIdsByKeys(value, { kinds: [field.to] }, nameOf);
    case "refs":
      return replaceAttributesByKeys(value, field.of === "itself" ? row.id : row.entity, nameOf);
    case "pairs":
      return replaceAttributesByKeys(value, undefined, nameOf);
    case "tags":
      return replaceIdsByKeys(value, { kinds: ["tag"] }, nameOf);
    case "internal":
      return field.names && replaceIdsByKeys(value, { kinds: field.names }, nameOf);
    case "pattern":
      return replacePatternsByKeys(value, nameOf);
    case "nested":
      return Array.isArray(value) ? value.map((one) => replaceNestedByKeys(one, field.fields, row, nameOf)) : undefined;
    default:
      return undefined;
  }
}

/** Replaces attribute ids by keys. Attributes of a deleted entity may be stored, but do not exist. */
function replaceAttributesByKeys(value: unknown, owner: unknown, nameOf: LookUpName): unknown {
  if (typeof owner !== "string") return replaceIdsByKeys(value, { kinds: ["attribute"] }, nameOf);
  const exists = nameOf({ kinds: ["entity"], id: owner }) !== undefined;
  const keys = replaceIdsByKeys(value, { kinds: ["attribute"], owner }, nameOf);
  return exists ? keys : undefined;
}

function replaceNestedByKeys(value: unknown, fields: IdFields, row: AnsweredRow, nameOf: LookUpName): unknown {
  if (!isObject(value)) return value;
  const { id: _, ...members } = value;
  return { ...members, ...listKeys(members, fields, row, nameOf) };
}

function isObject(value: unknown): value is AnsweredRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
