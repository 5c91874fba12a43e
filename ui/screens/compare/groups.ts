import {
  type Difference,
  getDifferenceId,
  getDifferenceName,
  getIdentifiedEntity,
  getKeyOn,
  getPathOn,
  type SideName,
} from "../../parts/changed/difference-path.ts";
import type { ObjectPath } from "../../parts/object-path.ts";
import { foldText } from "../../words/formats.ts";
import { getFileName } from "./dropped-file.ts";
import type { SideText } from "./use-comparison.ts";

/** A difference with its identifier in an address. */
export interface Row {
  readonly id: string;
  readonly difference: Difference;
  /** Key of the owner on the right side, if it differs. */
  readonly ownerOnRight?: string;
}

/** Differences of an object and its parts. */
export interface Group {
  readonly id: string;
  /** The kind of the object: `model`, `entity`, `relationship`, `type` or `tag`. */
  readonly kind: string;
  readonly key: string;
  readonly name?: string;
  readonly rows: readonly Row[];
}

const GROUP_ORDER = ["model", "entity", "relationship", "type", "tag"];

function findTopObject(difference: Difference): { readonly kind: string; readonly key: string } {
  const { entityKey, relationshipKey, typeKey, tagKey } = difference;
  if (entityKey !== undefined) return { kind: "entity", key: entityKey };
  if (relationshipKey !== undefined) return { kind: "relationship", key: relationshipKey };
  if (typeKey !== undefined) return { kind: "type", key: typeKey };
  if (tagKey !== undefined) return { kind: "tag", key: tagKey };
  const identityKey = getIdentifiedEntity(difference);
  if (identityKey !== undefined) return { kind: "entity", key: identityKey };
  return { kind: "model", key: getKeyOn(difference, "left") };
}

const formatTopName = (kind: string, key: string) => `${kind} ${key}`;

/** Maps the objects whose key differs between both sides, by either name. */
function findRenamings(entries: readonly Difference[]) {
  const onLeft = new Map<string, string>();
  const onRight = new Map<string, string>();
  for (const entry of entries) {
    const { objectType, left, right } = entry;
    if (!GROUP_ORDER.includes(objectType) || objectType === "model" || !left || !right) continue;
    const [before, after] = [getKeyOn(entry, "left"), getKeyOn(entry, "right")];
    if (before === after) continue;
    onLeft.set(formatTopName(objectType, after), before);
    onRight.set(formatTopName(objectType, before), after);
  }
  return { onLeft, onRight };
}

/** Groups the differences by top-level object, by its left key if it was renamed. */
export function groupDifferences(entries: readonly Difference[]): readonly Group[] {
  const { onLeft, onRight } = findRenamings(entries);
  const groups = new Map<string, { readonly kind: string; readonly key: string; name?: string; rows: Row[] }>();
  for (const difference of entries) {
    const top = findTopObject(difference);
    // Objects that exist only on the right have the keys of that side.
    const isOfRight = difference.left === undefined;
    const key = (isOfRight && onLeft.get(formatTopName(top.kind, top.key))) || top.key;
    const id = formatTopName(top.kind, key);
    const group = groups.get(id) ?? { kind: top.kind, key, rows: [] };
    const name = difference.objectType === top.kind ? getDifferenceName(difference) : undefined;
    if (name !== undefined) group.name = name;
    const ownerOnRight = onRight.get(id);
    group.rows.push({
      id: getDifferenceId(difference),
      difference,
      ...(ownerOnRight !== undefined && { ownerOnRight }),
    });
    groups.set(id, group);
  }
  return [...groups]
    .map(([id, { rows, ...group }]) => ({ id, ...group, rows: sortOwnFirst(rows, group.kind) }))
    .sort((a, b) => GROUP_ORDER.indexOf(a.kind) - GROUP_ORDER.indexOf(b.kind) || compareKeys(a.key, b.key));
}

function sortOwnFirst(rows: readonly Row[], kind: string): readonly Row[] {
  const own = rows.filter(({ difference }) => difference.objectType === kind);
  return [...own, ...rows.filter(({ difference }) => difference.objectType !== kind)];
}

const compareKeys = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Filters of differences; an empty filter matches all. */
export interface DifferenceFilter {
  readonly classes?: readonly string[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly text?: string | undefined;
}

/** Filters the differences and omits empty groups. */
export function filterGroups(groups: readonly Group[], filter: DifferenceFilter): readonly Group[] {
  const { classes = [], kinds = [], text = "" } = filter;
  const searchText = foldText(text.trim());
  const matchesFilter = ({ difference }: Row, group: Group) =>
    (classes.length === 0 || classes.includes(difference.impact)) &&
    (kinds.length === 0 || kinds.includes(difference.objectType)) &&
    (searchText === "" || foldText(listTexts(difference, group).join(" ")).includes(searchText));
  return groups
    .map((group) => ({ ...group, rows: group.rows.filter((row) => matchesFilter(row, group)) }))
    .filter(({ rows }) => rows.length > 0);
}

function listTexts(difference: Difference, { key, name }: Group): readonly string[] {
  return [
    key,
    name ?? "",
    getKeyOn(difference, "left"),
    getKeyOn(difference, "right"),
    getDifferenceName(difference) ?? "",
  ];
}

/** Both sides in an address. */
export type Sides = Readonly<Record<SideName, SideText>>;

/** Returns the page of a row's object on a side; undefined for a file, or if the object does not exist there. */
export function getRowPath({ difference, ownerOnRight }: Row, side: SideName, sides: Sides): ObjectPath | undefined {
  const { of } = sides[side];
  if (difference[side] === undefined || of === undefined || getFileName(of) !== undefined) return undefined;
  return getPathOn(difference, side, of, side === "right" ? ownerOnRight : undefined);
}

/** Returns the main link of a row: a side in its newest state, else the right one, else the left one. */
export function getMainPath(row: Row, sides: Sides): ObjectPath | undefined {
  const right = getRowPath(row, "right", sides);
  const left = getRowPath(row, "left", sides);
  if (right && sides.right.at === undefined) return right;
  if (left && sides.left.at === undefined) return left;
  return right ?? left;
}
