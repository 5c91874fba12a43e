import { formatCell, isId, splitCamelCase } from "./cell-text.ts";

type Row = Readonly<Record<string, unknown>>;

const WAY = ["typeKey", "entityKey", "relationshipKey", "roleKey", "attributeKey", "businessKeyKey", "tagKey"] as const;

/** Returns the keys that lead to a difference, such as `customer.email`. */
export function formatPath(entry: object): string {
  const keys: Row = { ...entry };
  return WAY.flatMap((member) => keys[member] ?? []).join(".");
}

/** Formats the kind of a difference in words. */
export function formatEntryKind({ objectType }: { readonly objectType: string }): string {
  return splitCamelCase(objectType);
}

interface Comparison {
  readonly left: Side;
  readonly right: Side;
  readonly entries: readonly Entry[];
}

interface Side extends Row {
  readonly modelKey: string;
}

interface Entry extends Row {
  readonly status: string;
  readonly objectType: string;
  readonly members?: readonly string[];
}

/** True for the answer of a comparison. */
export function isComparison(body: Row): body is Row & Comparison {
  const isSide = (side: unknown) => typeof Object(side).modelKey === "string";
  return isSide(body.left) && isSide(body.right) && Array.isArray(body.entries);
}

/** Formats a comparison as paths and changes, not two whole objects. */
export function formatComparison(body: Row & Comparison): object {
  const { left, right, entries } = body;
  const rows = entries.map((entry) => {
    const { status, objectType, impact, reasons } = entry;
    const model = status === "DELETED" ? left.modelKey : right.modelKey;
    const pathInModel = formatPath(entry);
    const path = pathInModel === "" ? model : `${model}/${pathInModel}`;
    const change = status.toLowerCase();
    return { path, kind: formatEntryKind({ objectType }), change, impact, changed: describeChange(entry), reasons };
  });
  return { ...body, left: formatComparedSide(left), right: formatComparedSide(right), entries: rows };
}

function formatComparedSide({ modelKey, modelId: _, ...others }: Side) {
  const members = Object.entries(others).map(([member, value]) => {
    const name = member.replace(/^model([A-Z])/, (_all, letter: string) => letter.toLowerCase());
    return `${name}: ${value}`;
  });
  return [modelKey, ...members].join(", ");
}

function describeChange({ status, members, left, right }: Entry): unknown {
  const isBoth = left !== undefined && right !== undefined;
  const pickImage = (side: unknown): unknown =>
    side === undefined || !isBoth
      ? side
      : Object.fromEntries((members ?? []).map((name) => [name, findMember(side, name)]));
  const change = isBoth ? "update" : status;
  const rows = combineImages([
    ["change", change],
    ["before", pickImage(left)],
    ["after", pickImage(right)],
  ]);
  return Object.fromEntries(rows).changed;
}

function findMember(side: unknown, name: string): unknown {
  const [, outer = "", inner = ""] = /^([^.]+)\.(.+)$/.exec(name) ?? [];
  return Object(side)[name] ?? Object(Object(side)[outer])[inner];
}

type Members = readonly (readonly [string, unknown])[];

/** Returns the members of a change with one text `changed`, such as `type: string → date`. */
export function combineImages(members: Members): Members {
  const row = Object.fromEntries(members);
  const { before, after, change } = row;
  if (change === undefined || (before === undefined && after === undefined)) return members;
  const [old, now]: readonly [Row, Row] = [Object(before), Object(after)];
  const names = Object.keys({ ...old, ...now });
  const isUpdate = change === "update";
  // A row already has the key of its object.
  const keys = names.filter((key) => (key !== "key" || isUpdate) && !(change === "delete" && isListOfIds(old[key])));
  // An update has two sides: a member that one of them lacks is empty there.
  const listSides = (key: string) => [old[key], now[key]].map((value) => (isUpdate ? (value ?? []) : value));
  const texts = keys.map((key) => `${key}: ${listSides(key).flatMap(formatSide).join(" → ") || "none"}`);
  return [...members.filter(([member]) => member !== "before" && member !== "after"), ["changed", texts.join("; ")]];
}

/** True for ids without names: what they refer to was deleted together with the object. */
function isListOfIds(value: unknown) {
  return Array.isArray(value) && value.length > 0 && value.every(isId);
}

function formatSide(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const text = formatCell(value);
  return [text === "" ? "none" : text];
}
