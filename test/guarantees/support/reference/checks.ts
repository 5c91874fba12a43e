/** Answers what is wrong with a value that is there: JSON pointers below it, `""` for the value itself. */
export type Check = (value: unknown) => readonly string[];

/** The value itself is wrong. */
export const WRONG: readonly string[] = [""];
/** The value has no fault. */
export const RIGHT: readonly string[] = [];

/** Contract section 2: no NUL, no ESC and no C1 control. */
const isControl = (c: string) => c === "\u0000" || c === "\u001b" || (c >= "\u0080" && c <= "\u009f");

const hasNoControl = (t: string) => ![...t].some(isControl);

export const text =
  (fits: (text: string) => boolean): Check =>
  (value) =>
    typeof value === "string" && hasNoControl(value) && fits(value) ? RIGHT : WRONG;

/** Contract section 2: 1 to 128 printable characters of ASCII but four. */
export const isKey = (t: string): boolean =>
  t.length >= 1 && t.length <= 128 && [...t].every((c) => c >= " " && c <= "~" && !"\\'\"`".includes(c));

/** `id:` and a UUID, or `key:` and a key. */
export const isRef = (t: string): boolean => {
  const colon = t.indexOf(":");
  const value = t.slice(colon + 1);
  if (t.slice(0, colon) === "key") return isKey(value);
  return t.slice(0, colon) === "id" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
};

/** A list of at most so many, with the places of what is wrong in it. */
export const listOf =
  (item: Check, most: number): Check =>
  (value) => {
    if (!Array.isArray(value) || value.length > most) return WRONG;
    return value.flatMap((one: unknown, i) => item(one).map((below) => `/${i}${below}`));
  };

/** A list of two, with the places of what is wrong in it. */
export const pairOf =
  (item: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return WRONG;
    const faults = listOf(item, value.length)(value);
    return value.length === 2 ? faults : [...faults, ...WRONG];
  };

export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const hasOnly = (value: Members, ...names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name));
/** JSON pointers of faults, put below a place. */
export const under = (place: string, pointers: readonly string[]): readonly string[] =>
  pointers.map((one) => place + one);
