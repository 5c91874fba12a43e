import { isId, isTelling, nameOf } from "./cell-text.ts";
import { changedIn } from "./changed.ts";
import { comparedBody, isComparison } from "./compared.ts";

type Row = Readonly<Record<string, unknown>>;

/** Names of members that say which call something came from, for logs and no table. */
const OF_CALLS: ReadonlySet<string> = new Set(["requestId"]);

/** Members that one text tells together. */
const OF_CHANGES: ReadonlySet<string> = new Set(["change", "kind", "key", "changed"]);

/** Members by which people know an object better than by its id. */
const BETTER_THAN_IDS = ["key", "path", "username", "act"] as const;

/** The answer of a read with `expand=keys` as people read it: keys and names in the place of the ids that they stand beside. */
export function byName(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(listed);
  if (!isRow(body)) return body;
  if (Array.isArray(body.items)) return { ...body, items: body.items.map(listed) };
  if (isComparison(body)) return comparedBody(body);
  // A list inside an object may become a table of its own.
  const isOwn = ([member]: readonly [string, unknown]): boolean => !isNamedBeside(member, body);
  const members = named(body)
    .filter(isOwn)
    .map(([member, value]) => [member, isTelling(value) ? value.map(listed) : value]);
  return Object.fromEntries(members);
}

/** A row of a list, without ids of what has a better name. */
function listed(value: unknown): unknown {
  if (!isRow(value)) return value;
  const isKnown = BETTER_THAN_IDS.some((member) => value[member] !== undefined);
  const shown = named(value).filter(
    ([member]) => !(isKnown && member === "id") && !OF_CALLS.has(member) && !isNamedBeside(member, value),
  );
  return Object.fromEntries(inOne(shown));
}

/** The change of a row in one text, `update attribute email (type: date → text)`, in the place of its parts. */
function inOne(members: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  const row = Object.fromEntries(members);
  if (row.change === undefined || row.kind === undefined) return members;
  const others = members.filter(([member]) => !OF_CHANGES.has(member));
  return [...others, ["change", nameOf(row)]];
}

/** True for the id of what another member names: `groupId` beside `group`, `modelId` beside `modelKey`. */
function isNamedBeside(member: string, row: Row): boolean {
  const [, stem] = /^(.+)Id$/.exec(member) ?? [];
  return stem !== undefined && (stem in row || `${stem}Key` in row);
}

/** The members of an object, the names of what they hold in the place of ids. */
function named(row: Row): readonly (readonly [string, unknown])[] {
  const members = Object.entries(row).flatMap(([member, value]): readonly (readonly [string, unknown])[] => {
    if (isBeside(member, row)) return [];
    const keys = row[`${member}ByKey`];
    if (isRow(keys)) return [[member, { ...Object(value), ...Object(bare(keys)) }]];
    if (keys !== undefined) return [[member, bare(keys)]];
    const stem = member.replace(/Id$/, "");
    const name = row[`${stem}Name`];
    if (typeof name === "string" && isId(value)) return [[stem, name]];
    // The path says where it is, and the location is left to say of which sort.
    if (member === "location" && row.path !== undefined && isRow(value)) return [["objectType", value.objectType]];
    return [[member, inner(value)]];
  });
  return changedIn(members);
}

function inner(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inner);
  return isRow(value) ? Object.fromEntries(named(value)) : value;
}

/** True for a member that only tells what another one holds by id. */
function isBeside(member: string, row: Row): boolean {
  if (member.endsWith("ByKey")) return member.slice(0, -"ByKey".length) in row;
  const stem = member.endsWith("Name") ? member.slice(0, -"Name".length) : "";
  return stem !== "" && (isId(row[stem]) || isId(row[`${stem}Id`]));
}

/** Refs without their scheme. */
function bare(refs: unknown): unknown {
  if (Array.isArray(refs)) return refs.map(bare);
  if (isRow(refs)) return Object.fromEntries(Object.entries(refs).map(([member, value]) => [member, bare(value)]));
  return typeof refs === "string" ? refs.replace(/^key:/, "") : refs;
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
