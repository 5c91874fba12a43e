import type { Actions } from "../../../client/create-client.ts";
import { getObjectPlace, type ObjectPlace } from "../object-place.ts";

/** One difference of a comparison, as the service tells it. */
export type Difference = Actions["model"]["model_compare"]["output"]["entries"][number];

export type SideName = "left" | "right";

/** The keys on the way to a difference, outermost first; none of the model itself. */
function listPathKeys(difference: Difference): readonly string[] {
  const { typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey } = difference;
  const path = [typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey];
  return path.filter((key) => key !== undefined);
}

const getText = (object: Difference[SideName], member: string): string | undefined => {
  const value = object?.[member];
  return typeof value === "string" ? value : undefined;
};

/** The place of a difference by its keys, such as `loan.member`; that of the model itself is its key. */
export function formatPlace(difference: Difference): string {
  return listPathKeys(difference).join(".") || getKeyOn(difference, "left");
}

/** A name for a difference that no other one of the same comparison has. */
export function getDifferenceId(difference: Difference): string {
  const path = listPathKeys(difference).map(encodeURIComponent);
  return [difference.status, difference.objectType, ...path].join("/");
}

/** The key that the object of a difference has on a side; that of the other side where it is not there. */
export function getKeyOn(difference: Difference, side: SideName): string {
  const other = side === "left" ? "right" : "left";
  return getText(difference[side], "key") ?? getText(difference[other], "key") ?? listPathKeys(difference).at(-1) ?? "";
}

/** The name of the object of a difference, on the right where it has one there. */
export function getDifferenceName({ left, right }: Difference): string | undefined {
  return getText(right, "name") ?? getText(left, "name");
}

/** The key of the entity that a difference of a business key is about. */
export function getIdentifiedEntity({ left, right }: Difference, side?: SideName): string | undefined {
  const ref = side === "right" ? getText(right, "entity") : (getText(left, "entity") ?? getText(right, "entity"));
  return ref?.replace(/^key:/, "");
}

/**
 * The place of the object of a difference in the model of a side. `ownerKey` is the key that what it lies in has on that
 * side, where that is another than the comparison names it by.
 */
export function getPlaceOn(difference: Difference, side: SideName, modelRef: string, ownerKey?: string): ObjectPlace {
  const { objectType, typeKey, entityKey, relationshipKey, attributeKey, roleKey, businessKeyKey, tagKey } = difference;
  const own = getKeyOn(difference, side);
  const ref = (key: string | undefined): string | undefined => (key === undefined ? undefined : `key:${key}`);
  const chooseKey = (kind: string, key: string | undefined): string | undefined =>
    key === undefined ? undefined : objectType === kind ? own : (ownerKey ?? key);
  return getObjectPlace({
    modelRef,
    typeRef: ref(chooseKey("type", typeKey)),
    entityRef: ref(
      businessKeyKey === undefined ? chooseKey("entity", entityKey) : getIdentifiedEntity(difference, side),
    ),
    relationshipRef: ref(chooseKey("relationship", relationshipKey)),
    attributeRef: attributeKey === undefined ? undefined : ref(own),
    roleKey: roleKey === undefined ? undefined : own,
    businessKeyKey: businessKeyKey === undefined ? undefined : own,
    tagKey: tagKey === undefined ? undefined : own,
  });
}

/** The three impacts of a difference, the gravest first. */
export const IMPACTS = ["breaking", "additive", "cosmetic"] as const;

export type Impact = (typeof IMPACTS)[number];

/** The members of an object, of which some or all may be told. */
export type Members = Readonly<Record<string, unknown>>;

/** A member that differs: its texts on either side, undefined where it is not there. */
export interface MemberChange {
  readonly member: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The words that values are written with. */
interface ValueWords {
  readonly yes: string;
  readonly no: string;
}

/** A value as people read it: refs as their keys, lists line by line, other structures as JSON; nothing for none. */
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

/** A member of a list in one line: a role, a pair, a ref. */
function formatPart(value: unknown, words: ValueWords): string | undefined {
  if (typeof value !== "object" || value === null) return formatValue(value, words);
  const parts = (Array.isArray(value) ? value : Object.values(value)).map((one) => formatValue(one, words));
  return parts.filter((part) => part !== undefined).join(Array.isArray(value) ? " = " : " · ");
}

/** The members to tell, in the order of the object that has them; without those of which neither side has a value. */
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

/** Characters up to which a value stands in one line beside the one that takes its place. */
const SHORT = 60;

/** True where a value fits beside another one. */
export const isShort = (text: string | undefined): boolean =>
  text === undefined || (text.length <= SHORT && !text.includes("\n"));
