/** The members of an object, of which some or all may be told. */
export type Members = Readonly<Record<string, unknown>>;

/** A member that differs: its texts on either side, undefined where it is not there. */
export interface MemberChange {
  readonly member: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The words that values are written with. */
export interface ValueWords {
  readonly yes: string;
  readonly no: string;
}

/** A value as people read it: refs as their keys, lists line by line, other structures as JSON; nothing for none. */
export function valueText(value: unknown, words: ValueWords): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (typeof value === "string") return value.replace(/^key:/, "");
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) {
    const lines = value.map((one) => partText(one, words)).filter((line) => line !== undefined);
    return lines.length > 0 ? lines.join("\n") : undefined;
  }
  return JSON.stringify(value, null, 2);
}

/** A member of a list in one line: a role, a pair, a ref. */
function partText(value: unknown, words: ValueWords): string | undefined {
  if (typeof value !== "object" || value === null) return valueText(value, words);
  const parts = (Array.isArray(value) ? value : Object.values(value)).map((one) => valueText(one, words));
  return parts.filter((part) => part !== undefined).join(Array.isArray(value) ? " = " : " · ");
}

/** The members to tell, in the order of the object that has them; without those of which neither side has a value. */
export function memberChanges(
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
      before: valueText(before?.[member], words),
      after: valueText(after?.[member], words),
    }))
    .filter((change) => change.before !== undefined || change.after !== undefined);
}

/** Characters up to which a value stands in one line beside the one that takes its place. */
const SHORT = 60;

/** True where a value fits beside another one. */
export const isShort = (text: string | undefined): boolean =>
  text === undefined || (text.length <= SHORT && !text.includes("\n"));
