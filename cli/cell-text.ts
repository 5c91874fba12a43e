/** A value of an answer as one text for people, as long as it is. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value.replace(MOMENT, "$1 $2Z");
  return typeof value === "object" ? ofObject(value) : String(value);
}

/** A moment as answers have it, which people read to the second. */
const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z$/;

/** Objects are shown by their key and by their sort where that is told; a list inside an object as a list. */
function ofObject(value: object): string {
  if (Array.isArray(value)) return value.map(cellText).join(", ");
  if ("items" in value && Array.isArray(value.items)) return cellText(value.items);
  const called = nameOf(value);
  if (called !== undefined) return called;
  const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  if (members.length === 1) return cellText(members[0]?.[1]);
  return members.map(([name, member]) => `${name}: ${cellText(member)}`).join(", ");
}

/** What people call an object: its key, with the sort of what was changed or removed and with what it refers to. */
function nameOf(value: object): string | undefined {
  const { key, name, kind, change, changed, entity } = value as Readonly<Record<string, unknown>>;
  const called = key ?? name;
  if (typeof called !== "string") return undefined;
  if (change !== undefined) return `${change} ${kind} ${called}${changed ? ` (${changed})` : ""}`;
  if (kind !== undefined) return `${kind} ${called}`;
  return typeof entity === "string" && !entity.startsWith("id:") ? `${called} (${entity})` : called;
}
