import * as z from "zod/mini";
import { type Field, internal, type NestedField } from "../../domain/fields/field.ts";
import { fieldsOfKind } from "../../domain/fields/of-kind.ts";
import type { KindName } from "../../domain/kind-names.ts";
import { type AnsweredRow, declareExpanding, type NameOf } from "../contract/expanding.ts";
import { byKey } from "./ids.ts";

/** A field, as far as it tells which ids it holds. */
type Holding = Exclude<Field, NestedField> | { readonly is: "nested"; readonly fields: Holdings };
type Holdings = { readonly [member: string]: Holding };

const scopedRole: Holdings = {
  role: internal("Id of the role.", "role"),
  models: internal("The pattern of its models, which may be an id.", "model"),
};

/** The fields that hold ids of kinds whose objects are in no model. */
const OUTSIDE_MODELS: Readonly<Record<string, Holdings>> = {
  actor: { roles: internal("Ids of its roles.", "role"), scopedRoles: { is: "nested", fields: scopedRole } },
  api_token: { owner: internal("Id of the actor it stands for.", "actor") },
};

/** The member beside an image of a change that tells the keys of what the image names by id. */
export function imageByKey(image: "before" | "after"): z.ZodMiniOptional<z.ZodMiniType<AnsweredRow>> {
  const text = `With \`expand=keys\` the members of \`${image}\` that hold ids, by the keys there are now.`;
  const schema = z.optional(z.record(z.string(), z.unknown()).check(z.describe(text)));
  return declareExpanding(schema, (row, nameOf) => {
    // A change tells the kind of its object.
    const kind = row.kind as KindName;
    const fields = fieldsOfKind(kind) ?? OUTSIDE_MODELS[kind] ?? {};
    const members = row[image];
    return isRow(members) ? keysIn(members, fields, { ...members, id: row.id }, nameOf) : undefined;
  });
}

/** The members of an image that hold ids, by key; undefined where there are none. `row` tells the owner of attributes. */
function keysIn(image: AnsweredRow, fields: Holdings, row: AnsweredRow, nameOf: NameOf): AnsweredRow | undefined {
  const shown = Object.entries(image).flatMap(([member, value]) => {
    const field = Object.hasOwn(fields, member) ? fields[member] : undefined;
    const keys = field && value !== null ? valueByKey(value, field, row, nameOf) : undefined;
    return keys === undefined ? [] : [[member, keys] as const];
  });
  return shown.length === 0 ? undefined : Object.fromEntries(shown);
}

function valueByKey(value: unknown, field: Holding, row: AnsweredRow, nameOf: NameOf): unknown {
  switch (field.is) {
    case "ref":
      return byKey(value, { kinds: [field.to] }, nameOf);
    case "refs":
      return attributesByKey(value, field.of === "itself" ? row.id : row.entity, nameOf);
    case "pairs":
      return attributesByKey(value, undefined, nameOf);
    case "tags":
      return byKey(value, { kinds: ["tag"] }, nameOf);
    case "internal":
      return field.names && byKey(value, { kinds: field.names }, nameOf);
    case "nested":
      return Array.isArray(value) ? value.map((one) => nestedByKey(one, field.fields, row, nameOf)) : undefined;
    default:
      return undefined;
  }
}

/** Attributes by key. Those of an entity that is gone are still stored for a while, but no object any more. */
function attributesByKey(value: unknown, owner: unknown, nameOf: NameOf): unknown {
  if (typeof owner !== "string") return byKey(value, { kinds: ["attribute"] }, nameOf);
  const isThere = nameOf({ kinds: ["entity"], id: owner }) !== undefined;
  const keys = byKey(value, { kinds: ["attribute"], owner }, nameOf);
  return isThere ? keys : undefined;
}

/** An object inside an image, whole but for its id. */
function nestedByKey(value: unknown, fields: Holdings, row: AnsweredRow, nameOf: NameOf): unknown {
  if (!isRow(value)) return value;
  const { id: _, ...members } = value;
  return { ...members, ...keysIn(members, fields, row, nameOf) };
}

function isRow(value: unknown): value is AnsweredRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
