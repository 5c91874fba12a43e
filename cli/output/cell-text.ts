/** Formats a value of an answer as one text for people, in full. */
export function formatCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value.replace(TIME, "$1 $2Z");
  return typeof value === "object" ? formatObject(value) : String(value);
}

const TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z$/;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True for the id of an object. */
export function isId(value: unknown): boolean {
  return typeof value === "string" && UUID.test(value);
}

function formatObject(value: object) {
  if (Array.isArray(value)) return value.map(value.length > 1 ? formatNested : formatListItem).join(", ");
  if ("items" in value && Array.isArray(value.items)) return formatCell(value.items);
  const name = findObjectName(value) ?? formatProgress(value);
  if (name !== undefined) return name;
  const { id, ...others } = value as Readonly<Record<string, unknown>>;
  // An id alone means nothing to people.
  const members = Object.entries(id === undefined || Object.keys(others).length === 0 ? value : others);
  if (members.length === 1 && "type" in others) return formatCell(others.type);
  return members
    .flatMap(([name, member]) => (member === undefined ? [] : [`${name}: ${formatNested(member)}`]))
    .join(", ");
}

/** Formats progress with counts: `20842 of 20842`. */
function formatProgress(value: object): string | undefined {
  const { done, total, ...others } = value as Readonly<Record<string, unknown>>;
  return typeof total === "number" && Object.keys(others).length === 0 ? `${done} of ${total}` : undefined;
}

function formatListItem(value: unknown) {
  return Array.isArray(value) ? formatNested(value) : formatCell(value);
}

function formatNested(value: unknown) {
  const text = formatCell(value);
  if (Array.isArray(value)) return value.length === 0 ? "none" : `[${text}]`;
  const isBare = typeof value !== "object" || value === null || findObjectName(value) !== undefined;
  return isBare ? text : `{${text}}`;
}

const IN_NAMES: ReadonlySet<string> = new Set(["id", "key", "name", "kind", "change", "attributes", "remains"]);

/** True for a list of objects that have more to show than a name. */
export function isDetailedList(value: unknown): value is readonly object[] {
  const isDetailed = (one: unknown) =>
    typeof one === "object" &&
    one !== null &&
    !Array.isArray(one) &&
    Object.keys(one).some((member) => !IN_NAMES.has(member));
  return Array.isArray(value) && value.length > 0 && value.every(isDetailed);
}

/** Returns the display name of an object: its key or name, and what it belongs to. */
export function findObjectName(value: object): string | undefined {
  const { id, key, name, kind, change, changed, entity } = value as Readonly<Record<string, unknown>>;
  const label = key ?? name;
  if (typeof label !== "string" || (id === undefined && kind === undefined)) return undefined;
  if (change !== undefined) return `${change} ${kind} ${label}${changed ? ` (${changed})` : ""}`;
  if (kind !== undefined) return `${kind} ${label}`;
  return typeof entity === "string" && !entity.startsWith("id:") ? `${label} (${entity})` : label;
}

/** Removes the scheme from key refs. */
export function removeSchemes(refs: unknown): unknown {
  if (Array.isArray(refs)) return refs.map(removeSchemes);
  if (typeof refs === "string") return refs.replace(/^key:/, "");
  if (typeof refs !== "object" || refs === null) return refs;
  return Object.fromEntries(Object.entries(refs).map(([member, value]) => [member, removeSchemes(value)]));
}

const MAX_LENGTH = 80;

/** Formats a value as one short line. */
export function formatShort(value: unknown): string {
  const text = formatCell(value).replace(/\s+/g, " ").trim() || "none";
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** Formats a name such as `primaryKey` as `primary key`. */
export function splitCamelCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
