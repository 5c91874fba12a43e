import type { Actions } from "../../../client/create-client.ts";
import { getObjectPath, type ObjectPath } from "../object-path.ts";

/** A difference in the answer of a comparison. */
export type Difference = Actions["model"]["model_compare"]["output"]["entries"][number];

export type SideName = "left" | "right";

function listPathKeys(difference: Difference): readonly string[] {
  const { typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey } = difference;
  const path = [typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey];
  return path.filter((key) => key !== undefined);
}

const getText = (object: Difference[SideName], member: string): string | undefined => {
  const value = object?.[member];
  return typeof value === "string" ? value : undefined;
};

/** Formats the path of a difference by keys, such as `loan.member`. */
export function formatPath(difference: Difference): string {
  return listPathKeys(difference).join(".") || getKeyOn(difference, "left");
}

/** Returns an identifier of a difference that is unique in its comparison. */
export function getDifferenceId(difference: Difference): string {
  const path = listPathKeys(difference).map(encodeURIComponent);
  return [difference.status, difference.objectType, ...path].join("/");
}

/** Returns the key of the object on a side, or on the other side if it exists only there. */
export function getKeyOn(difference: Difference, side: SideName): string {
  const other = side === "left" ? "right" : "left";
  return getText(difference[side], "key") ?? getText(difference[other], "key") ?? listPathKeys(difference).at(-1) ?? "";
}

/** Returns the name of the object of a difference, preferably from the right side. */
export function getDifferenceName({ left, right }: Difference): string | undefined {
  return getText(right, "name") ?? getText(left, "name");
}

/** Returns the key of the entity of a business key. */
export function getIdentifiedEntity({ left, right }: Difference, side?: SideName): string | undefined {
  const ref = side === "right" ? getText(right, "entity") : (getText(left, "entity") ?? getText(right, "entity"));
  return ref?.replace(/^key:/, "");
}

/** Returns the page of the object of a difference on a side; `ownerKey` is its owner's key there, if it differs. */
export function getPathOn(difference: Difference, side: SideName, modelRef: string, ownerKey?: string): ObjectPath {
  const { objectType, typeKey, entityKey, relationshipKey, attributeKey, roleKey, businessKeyKey, tagKey } = difference;
  const own = getKeyOn(difference, side);
  const toOptionalRef = (key: string | undefined) => (key === undefined ? undefined : `key:${key}`);
  const chooseKey = (kind: string, key: string | undefined) =>
    key === undefined ? undefined : objectType === kind ? own : (ownerKey ?? key);
  return getObjectPath({
    modelRef,
    typeRef: toOptionalRef(chooseKey("type", typeKey)),
    entityRef: toOptionalRef(
      businessKeyKey === undefined ? chooseKey("entity", entityKey) : getIdentifiedEntity(difference, side),
    ),
    relationshipRef: toOptionalRef(chooseKey("relationship", relationshipKey)),
    attributeRef: attributeKey === undefined ? undefined : toOptionalRef(own),
    roleKey: roleKey === undefined ? undefined : own,
    businessKeyKey: businessKeyKey === undefined ? undefined : own,
    tagKey: tagKey === undefined ? undefined : own,
  });
}

/** Members of an object, possibly not all of them. */
export type Members = Readonly<Record<string, unknown>>;

/** A changed member with its text on each side; undefined if missing there. */
export interface MemberChange {
  readonly member: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

interface ValueWords {
  readonly yes: string;
  readonly no: string;
}

/** Formats a value: refs as keys, lists line by line, other structures as JSON; undefined if it is empty. */
export function formatValue(value: unknown, words: ValueWords): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (typeof value === "string") return value.replace(/^key:/, "");
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) {
    const lines = value.map((one) => formatPart(one, words)).filter((line) => line !== undefined);
    return lines.length > 0 ? lines.join("\n") : undefined;
  }
  return JSON.stringify(value, null, 2);
}

function formatPart(value: unknown, words: ValueWords): string | undefined {
  if (typeof value !== "object" || value === null) return formatValue(value, words);
  const parts = (Array.isArray(value) ? value : Object.values(value)).map((one) => formatValue(one, words));
  return parts.filter((part) => part !== undefined).join(Array.isArray(value) ? " = " : " · ");
}

/** Lists the members in the order of the object, without members that are empty on both sides. */
export function listMemberChanges(
  before: Members | undefined,
  after: Members | undefined,
  words: ValueWords,
  only?: readonly string[],
): readonly MemberChange[] {
  const names = only?.map((name) => name.split(".")[0] ?? name);
  const members = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return members
    .filter((member) => names === undefined || names.includes(member))
    .map((member) => ({
      member,
      before: formatValue(before?.[member], words),
      after: formatValue(after?.[member], words),
    }))
    .filter((change) => change.before !== undefined || change.after !== undefined);
}

/** Maximum characters of a value that is shown in one line with its replacement. */
const MAX_SHORT = 60;

/** Returns true if two values fit in one line. */
export const isShort = (text: string | undefined): boolean =>
  text === undefined || (text.length <= MAX_SHORT && !text.includes("\n"));
